"""Blocks of complete queries, whatever the size of their batches, have the values of rg.evaluate; invalid rows are counted."""

import random
import subprocess
import sys
from zlib import crc32

import pyarrow as pa
import pyarrow.compute as pc
import pytest

import rankgauge as rg
from crowds import CONVENTIONS, crowd, flat
from devices import metrics_for
from rankgauge.engines.tables import row_blocks
from rankgauge.engines.tables.query_values import FINGERPRINT
from rankgauge.metric_core import metric_plan

NAN = float("nan")


def grouped_by_query(judgments, ranking, rng):
    """The shuffled rows of both sides, grouped by query."""
    rows = [(*row, True) for row in flat(judgments, rng)] + [(*row, False) for row in flat(ranking, rng)]
    rng.shuffle(rows)
    return sorted(rows, key=lambda row: row[0])


def batches(rows, size, order=None):
    names = ("query", "item", "number", "is_judgment") + (() if order is None else ("input_order",))
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    types = {"query": pa.string(), "item": pa.string(), "number": pa.float64()}
    table = pa.table({name: pa.array(values, types.get(name)) for name, values in columns.items()})
    return table.to_batches(max_chunksize=size)


def evaluated(rows, metrics, rules, size=7, **options):
    parsed = [*map(rg.parse, metrics)]
    blocks = row_blocks.blocks_of_rows(batches(rows, size, **options))
    result = row_blocks.evaluate_blocks(blocks, parsed, rules, metric_plan.common_depth(parsed, rules), lenient=True)
    return pa.Table.from_batches(result).to_pylist()


def evaluated_by_packets(rows, metrics, rules, size, bins, rng):
    """The same from packets of a few rows, in random order."""
    table = pa.Table.from_batches(batches(rows, len(rows)))
    table = table.append_column("bin", pa.array([crc32(row[0].encode()) % bins for row in rows], pa.int32()))
    columns, packed = {}, []
    for is_judgment in (True, False):
        side = table.filter(pc.equal(table["is_judgment"], is_judgment)).drop_columns(["is_judgment"])
        columns[is_judgment] = side.schema.remove(side.schema.get_field_index("bin"))
        packed += row_blocks.pack(side.to_batches(max_chunksize=size), columns[is_judgment], is_judgment=is_judgment)
    rows = pa.Table.from_batches(packed).to_pylist()
    rng.shuffle(rows)
    moved = pa.Table.from_pylist(sorted(rows, key=lambda row: row["bin"]), packed[0].schema)
    parsed = [*map(rg.parse, metrics)]
    blocks = row_blocks.blocks_of_packets(moved.to_batches(max_chunksize=3), columns)
    result = row_blocks.evaluate_blocks(blocks, parsed, rules, metric_plan.common_depth(parsed, rules), lenient=True)
    return pa.Table.from_batches(result).to_pylist()


@pytest.mark.parametrize(("size", "at_a_time"), [(1, 1), (7, 20), (50, 333), (10_000, 250_000)])
@pytest.mark.parametrize("name", ["default", "random", "assumed"])
def test_the_size_of_batches_does_not_matter(monkeypatch, name, size, at_a_time):
    monkeypatch.setattr(row_blocks, "BLOCK_ROWS", at_a_time)
    rules, metrics = CONVENTIONS[name], metrics_for(CONVENTIONS[name])
    judgments, ranking = crowd(40, seed=6)
    local = rg.evaluate(judgments, ranking, metrics, convention=rules)
    result = {
        row["query"]: row
        for row in evaluated(grouped_by_query(judgments, ranking, random.Random(1)), metrics, rules, size)
    }

    for place, metric in enumerate(metrics):
        values = local.per_query(metric)
        assert {query: result[query][f"value_{place}"] for query in values} == pytest.approx(values, abs=0, nan_ok=True)


@pytest.mark.parametrize(
    ("size", "together", "packet_bytes", "at_a_time", "bins"),
    [(1, 1, 1, 1, 3), (7, 20, 150, 40, 1), (50, 333, 2_000, 333, 100_000), (10_000, 1_000_000, 50_000, 250_000, 16)],
)
@pytest.mark.parametrize("name", ["default", "random", "assumed"])
def test_packets_give_the_values_of_rows(monkeypatch, name, size, together, packet_bytes, at_a_time, bins):
    monkeypatch.setattr(row_blocks, "BLOCK_ROWS", at_a_time)
    monkeypatch.setattr(row_blocks, "PACK_ROWS", together)
    monkeypatch.setattr(row_blocks, "PACKET_BYTES", packet_bytes)
    rules, metrics = CONVENTIONS[name], metrics_for(CONVENTIONS[name])
    rows = grouped_by_query(*crowd(40, seed=6), random.Random(1))
    expected = {row["query"]: row for row in evaluated(rows, metrics, rules)}
    result = evaluated_by_packets(rows, metrics, rules, size, bins, random.Random(2))

    assert len(result) == len(expected)
    for part in FINGERPRINT:
        assert (sum(row[part] for row in result) - sum(row[part] for row in expected.values())) % 2**64 == 0
    for row in result:
        of_block = {
            part: expected[row["query"]][part] for part in ("common", "RG411", "lowest", "highest", *FINGERPRINT)
        }  # blocks differ
        assert row | of_block == pytest.approx(expected[row["query"]], abs=0, nan_ok=True)


def test_a_packet_preserves_every_value():
    rows = pa.table(
        {
            "query": pa.array([None, "", "q\u0000", "查询", None], pa.large_string()),
            "item": pa.array([1, None, -(2**63), 2**63 - 1, 0]),
            "number": [float("nan"), None, float("-inf"), -0.0, 5e-324],
            "bin": pa.array([4, 0, 70_000, 4, 4], pa.int32()),
        }
    )
    columns = pa.schema([("query", pa.string()), ("item", pa.int64()), ("number", pa.float64())])
    (packed,) = row_blocks.pack(rows.to_batches(), columns, is_judgment=False)
    (block,) = row_blocks.unpack([packed], {True: columns, False: columns}, 100)

    assert packed.column("bin").to_pylist() == [0, 4, 70_000]
    wanted = [rows.slice(place, 1).drop_columns(["bin"]).to_pylist()[0] for place in (1, 0, 3, 4, 2)]
    assert str(block.drop("is_judgment").to_dicts()) == str(wanted)
    assert not block["is_judgment"].any()


def test_rows_with_long_ids_are_divided_into_packets(monkeypatch):
    monkeypatch.setattr(row_blocks, "PACK_BYTES", 5_000)
    rows = pa.table({"query": ["q" * 1_000] * 20, "bin": pa.array([3] * 20, pa.int32())})
    columns = pa.schema([("query", pa.string())])
    packed = [*row_blocks.pack(rows.to_batches(max_chunksize=1), columns, is_judgment=True)]

    assert len(packed) == 4
    assert sum(block.height for block in row_blocks.unpack(packed, {True: columns, False: columns}, 100)) == 20


def test_workers_can_limit_the_threads_of_polars_before_it_is_imported():
    check = "import sys, rankgauge.engines.tables.spark; sys.exit('polars' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0


def test_invalid_rows_are_counted_for_their_query():
    rows = [
        (None, "a", 1.0, False),
        (None, None, 1.0, True),
        ("p", "a", 1.0, True),
        ("p", "a", 2.0, True),
        ("p", "b", 1.0, True),
        ("p", "b", 1.0, True),
        ("p", "a", 3.0, False),
        ("p", "a", 4.0, False),
        ("p", "b", 3.5, False),
        ("q", None, 1.0, False),
        ("q", "c", None, False),
        ("q", "d", NAN, False),
        ("q", "e", float("inf"), False),
        ("q", "e", float("inf"), True),
        ("q", "f", None, True),
        ("q", "g", 1.0, True),
        ("r", "g", 1.0, False),
    ]
    without_query, p, q, r = evaluated(rows, ["DCG", "NumRet"], rg.Convention())

    assert (without_query["query"], without_query["RG208"], without_query["judged"]) == (None, 2, 0)
    assert [p[code] for code in ("RG301", "RG302", "RG303", "value_1")] == [1, 1, 1, 2]
    assert p["value_0"] == (rg.DCG).of([1, 1])  # the lowest grade and the highest score are kept
    assert [q[code] for code in ("RG201", "RG202", "RG203", "RG204", "RG208", "value_1")] == [1, 1, 1, 2, 1, 1]
    assert (r["judged"], r["RG403"]) == (0, 1)


@pytest.mark.parametrize(("ties", "first"), [("input", 1.0), ("input-reversed", 0.5)])
def test_a_column_orders_equal_scores(ties, first):
    rows = [("q", "a", 1.0, True, None), ("q", "b", 7.0, False, 2), ("q", "a", 7.0, False, 1)]
    (only,) = evaluated(rows, ["RR"], rg.Convention(ties=ties), order="input_order")
    assert only["value_0"] == first


def test_a_block_may_be_empty_or_have_one_side_only():
    for blocks in (row_blocks.blocks_of_rows([]), row_blocks.blocks_of_packets([], {})):
        assert [*row_blocks.evaluate_blocks(blocks, [rg.RR], rg.Convention(), None)] == []
    (judged,) = evaluated([("q", "a", 1.0, True)], ["RR"], rg.Convention())
    assert (judged["judged"], judged["answered"], judged["value_0"]) == (1, 0, 0.0)
    (returned,) = evaluated([("q", "a", 1.0, False)], ["RR"], rg.Convention())
    assert (returned["judged"], returned["RG403"]) == (0, 1)
