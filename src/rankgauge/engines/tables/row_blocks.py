"""Blocks of rows of complete queries, matched as frames are and evaluated.

An engine only brings the rows of a query together. Judgments and ranking are mixed; the ``number`` of a row is a grade
or a score. Thousands of queries are matched at a time; no Python code runs per query.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

import numpy as np
import polars as pl
import pyarrow as pa

from rankgauge.conventions import Convention
from rankgauge.engines.tables.query_values import BESIDE_SQL, FINGERPRINT, evaluate_queries
from rankgauge.engines.tables.sql import COUNTED, INPUT_DIRECTION
from rankgauge.errors import ParameterError
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.spans import are_spans
from rankgauge.inputs.table_rows import run_lengths, whole_queries
from rankgauge.matching.copies import joined_copies
from rankgauge.matching.fingerprints import id_hashes, judgments_fingerprint
from rankgauge.matching.from_frames import match_frames
from rankgauge.matching.judged_table import JudgedTable
from rankgauge.matching.matched import Matched
from rankgauge.matching.score_checks import EXACT, SOME, check_not_swapped
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.metric_plan import matching_rules
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Ints

BLOCK_ROWS = 250_000
"""Rows matched together; more only if a single query or bin has more."""
Block: TypeAlias = tuple[pl.DataFrame, Ints]
"""Rows grouped by query, and the number of rows of each query."""


def blocks_of_rows(batches: Iterable[pa.RecordBatch]) -> Iterator[Block]:
    """Blocks of complete queries from rows (query, item, number, is_judgment) grouped by query."""
    return whole_queries(map(pl.DataFrame, gather(batches, BLOCK_ROWS)))


def blocks_of_packets(batches: Iterable[pa.RecordBatch], columns: Mapping[bool, pa.Schema]) -> Iterator[Block]:
    """Blocks of complete queries from packets grouped by bin."""
    for rows in unpack(batches, columns, BLOCK_ROWS):
        block = rows if rows["query"].is_sorted() else rows.sort("query")
        yield block, run_lengths(block["query"])


def evaluate_blocks(
    blocks: Iterable[Block],
    metrics: Sequence[Metric],
    rules: Convention,
    depth: int | None,
    *,
    lenient: bool = False,
    check_sides: bool = False,
) -> Iterator[pa.RecordBatch]:
    """The values of the queries of each block; items that cannot reach the top ``depth`` are only counted.

    ``check_sides`` refuses judgments and a ranking that look swapped in the first block.
    """
    needed = matching_rules(metrics, rules)
    for number, (rows, sizes) in enumerate(blocks):
        query = rows["query"].gather(np.cumsum(sizes) - sizes).rechunk().to_arrow()
        numbered = rows.with_columns(
            query=pl.Series(np.repeat(np.arange(len(sizes)), sizes)), has_query=_has_id(rows, "query")
        )
        block = _NumberedBlock(query)
        judgments, ranking = block.split(numbered)
        if check_sides and number == 0:
            check_not_swapped(judgments["grade"], [ranking["score"].head(SOME).to_list()])
        matched = block.match(judgments, ranking, needed, depth, lenient=lenient)
        yield evaluate_queries(query, matched, block.counts, metrics, rules, lenient=lenient)


def _has_id(rows: pl.DataFrame, name: str) -> pl.Expr:
    """Whether each row has an id in a column; empty text is none."""
    return pl.col(name).is_not_null() & (pl.col(name) != "" if rows.schema[name] == pl.String else pl.lit(value=True))


SPANS = Phrase(
    "the judged items are places in documents, which engines match as plain ids; evaluate files or frames instead",
    "被标注的物品是文档中的片段，而引擎只按标识匹配；请改为评测文件或数据框",
)


class _NumberedBlock:
    """Complete queries, numbered from 0, with the number of findings of each query by code."""

    def __init__(self, ids: pa.Array) -> None:
        self.ids, self.queries = ids, len(ids)
        self.counts: dict[str, Ints] = {
            code: np.zeros(self.queries, dtype=np.int64) for code in (*COUNTED, *BESIDE_SQL, *FINGERPRINT, "common")
        }

    def split(self, rows: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Judgments and ranking without invalid rows, which are counted."""
        has_ids = pl.col("has_query") & _has_id(rows, "item")
        finite = pl.col("number").is_finite().fill_null(value=False)
        if not rows.select((has_ids & finite).all()).item():
            judged, missing, nan = pl.col("is_judgment"), pl.col("number").is_null(), pl.col("number").is_nan()
            faults = {
                "RG208": ~has_ids,
                "RG201": has_ids & ~judged & missing,
                "RG202": has_ids & ~judged & nan.fill_null(value=False),
                "RG204": has_ids & judged & ~finite,
            }
            for code, fault in (*faults.items(), ("RG203", has_ids & ~judged & pl.col("number").is_infinite())):
                self.counts[code] = self._count(rows.filter(fault)["query"])
            rows = rows.filter(~pl.any_horizontal(*faults.values()))
        judgments, ranking = rows.filter("is_judgment"), rows.filter(~pl.col("is_judgment"))
        return judgments.rename({"number": "grade"}), ranking.rename({"number": "score"})

    def match(
        self, judgments: pl.DataFrame, ranking: pl.DataFrame, rules: Convention, depth: int | None, *, lenient: bool
    ) -> Matched:
        """Match all queries of the block, also those without judgments or without a ranking."""
        if judgments["item"][:1].cast(pl.String).str.ends_with("]").any() and are_spans(judgments["item"]):
            raise ParameterError(SPANS)
        if lenient:  # the first judgment of an item counts, and the rows of a table have no order
            judgments = judgments.sort("query", "grade")
        if rules.ties in INPUT_DIRECTION:
            by = ["query", "input_order", pl.col("item").cast(pl.String)]
            ranking = ranking.sort(by, descending=[False, False, rules.ties == "input"])
        findings = Findings()
        table = JudgedTable(judgments, findings, pl.Series(np.arange(self.queries)))
        self._add_fingerprint(table)
        chunks = [*match_frames(table, whole_queries([ranking]), rules, findings, depth)]
        codes = {finding.code for finding in findings}
        for code in codes & {"RG301", "RG305"}:
            self.counts[code] = self._count(ranking["query"]) - self._count(ranking.unique(["query", "item"])["query"])
        if codes & {"RG302", "RG303"}:
            pairs = judgments.group_by("query", "item").agg(rows=pl.len(), grades=pl.col("grade").n_unique())
            self.counts["RG302"] = self._count(pairs.filter(pl.col("grades") > 1)["query"])
            self.counts["RG303"] = self._count(pairs.filter(pl.col("grades") == 1, pl.col("rows") > 1)["query"])
        if "RG214" in codes:
            large = (pl.col("score").abs() >= EXACT) & pl.col("score").is_finite()
            self.counts["RG214"] = self._count(ranking.filter(large)["query"]) * (self._count(judgments["query"]) > 0)
        for numbers, matched in chunks:
            self.counts["common"][numbers] = matched.unmatched is None
            if matched.near is not None:
                self.counts["RG411"][numbers[matched.near.query]] = 1
            if matched.collapsing is not None:
                self.counts["RG211"][numbers] = matched.collapsing
        return self._join(chunks, table)

    def _add_fingerprint(self, table: JudgedTable) -> None:
        """Note the sums of the fingerprint of the judgments with the first query."""
        rows = [(table.code, id_hashes(table.item), table.grade)]
        sums = judgments_fingerprint(pl.Series(self.ids).fill_null(""), rows).sums
        for name, total in zip(FINGERPRINT, sums, strict=True):
            self.counts[name][:1] = np.array([total % (1 << 64)], dtype=np.uint64).view(np.int64)

    def _join(self, chunks: Sequence[tuple[Ints, Matched]], table: JudgedTable) -> Matched:
        """The queries of all chunks in one ``Matched``; queries without a ranking have no rows."""
        joined = Matched.empty(table.sizes_of(np.arange(self.queries)), table.grade)
        if chunks:
            for name in ("grade", "above", "tied", "before", "positive"):
                if getattr(chunks[0][1], name) is not None:
                    setattr(joined, name, np.concatenate([getattr(matched, name) for _, matched in chunks]))
            joined.query = np.concatenate([codes[matched.query] for codes, matched in chunks])
            joined.copy = joined_copies([matched for _, matched in chunks])
        for codes, matched in chunks:
            joined.returned[codes] = matched.returned
        return joined

    def _count(self, queries: pl.Series) -> Ints:
        return np.bincount(queries.to_numpy(), minlength=self.queries)


PACK_ROWS = 1_000_000
"""Rows that a worker collects before it packs them; more rows give larger packets."""
PACK_BYTES = 1 << 28
"""Limit for rows with long ids; Arrow text columns end at eight times as much."""
PACKET_BYTES = 50_000
"""Largest packet, unless a single row is larger: a batch of 10,000 packets, Spark's default, is then 500 MB at most."""


def pack(batches: Iterable[pa.RecordBatch], columns: pa.Schema, *, is_judgment: bool) -> Iterator[pa.RecordBatch]:
    """Serialise rows of one side, with these columns and a ``bin``, into packets of one bin each.

    Hundreds of rows go into one cell, so that a cluster shuffles cells instead of rows. All rows of a query belong to
    the same bin, a number from 0; one worker receives all packets of a bin and restores the rows.
    """
    for rows in gather(batches, PACK_ROWS):
        bins = rows.column("bin").to_numpy()
        order = pa.array(np.argsort(bins.astype(np.uint16) if bins.max() < 1 << 16 else bins, kind="stable"))
        by_bin = rows.select(columns.names).cast(columns).combine_chunks().take(order).to_batches()[0]
        sizes = np.bincount(bins)
        packet_rows = max(1, PACKET_BYTES * by_bin.num_rows // by_bin.nbytes)
        buffer, ends, owners = pa.BufferOutputStream(), [0], []
        for owner, end in zip(np.flatnonzero(sizes).tolist(), np.cumsum(sizes[sizes > 0]).tolist(), strict=True):
            for start in range(end - int(sizes[owner]), end, packet_rows):
                buffer.write(by_bin.slice(start, min(packet_rows, end - start)).serialize())
                ends.append(buffer.tell())
                owners.append(owner)
        cells = [None, pa.py_buffer(np.array(ends, dtype=np.int32)), buffer.getvalue()]
        yield pa.RecordBatch.from_pydict(
            {
                "bin": pa.array(owners, pa.int32()),
                "is_judgment": pa.array([is_judgment] * len(owners)),
                "packet": pa.Array.from_buffers(pa.binary(), len(owners), cells),
            }
        )


def unpack(
    batches: Iterable[pa.RecordBatch], columns: Mapping[bool, pa.Schema], block_rows: int
) -> Iterator[pl.DataFrame]:
    """Restore the rows of both sides, with a column ``is_judgment``, from packets ordered by bin.

    Yields complete bins, at least ``block_rows`` rows at a time; ``columns`` has the schema of the judgments (True) and
    of the ranking (False).
    """
    waiting: dict[bool, list[pa.RecordBatch]] = {True: [], False: []}
    rows, last = 0, -1
    for batch in batches:
        owners, sides, packets = (batch.column(name) for name in ("bin", "is_judgment", "packet"))
        for owner, side, packet in zip(owners.to_pylist(), sides.to_pylist(), packets, strict=True):
            if owner != last and rows >= block_rows:
                yield _join(waiting, columns)
                rows = 0
            restored = pa.ipc.read_record_batch(packet.as_buffer(), columns[side])
            waiting[side].append(restored)
            rows, last = rows + restored.num_rows, owner
    if rows:
        yield _join(waiting, columns)


def _join(waiting: Mapping[bool, list[pa.RecordBatch]], columns: Mapping[bool, pa.Schema]) -> pl.DataFrame:
    """Join the waiting batches into one frame and empty the lists, so that rows are held only once."""
    frames = []
    for side, batches in waiting.items():
        table = pa.Table.from_batches(batches, columns[side])
        frames.append(pl.DataFrame(table).with_columns(is_judgment=pl.lit(side)))
        batches.clear()
    return pl.concat(frames, how="diagonal")


def gather(batches: Iterable[pa.RecordBatch], block_rows: int) -> Iterator[pa.Table]:
    """Join consecutive batches to at least ``block_rows`` rows, or fewer rows if they are long."""
    waiting: list[pa.RecordBatch] = []
    rows, size = 0, 0
    for batch in batches:
        waiting.append(batch)
        rows, size = rows + batch.num_rows, size + batch.nbytes
        if rows >= block_rows or size >= PACK_BYTES:
            yield pa.Table.from_batches(waiting)
            waiting, rows, size = [], 0, 0
    if rows:
        yield pa.Table.from_batches(waiting)
