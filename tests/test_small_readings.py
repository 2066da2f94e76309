"""Small inputs that are read in one way only, worked out by hand."""

import io
import json

import numpy as np
import pytest

import rankgauge as rg
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.io.lines import FileContext
from rankgauge.inputs.item_rows import is_item_row
from rankgauge.matching.common_ids import UnmatchedIds
from rankgauge.matching.ties import _mean_capped
from reading import named, rows


def test_infinite_numbers_are_written_as_text_and_the_others_as_numbers(tmp_path):
    path = tmp_path / "run.jsonl"
    rg.convert({"q": {"a": float("inf"), "b": 1.5}}, path, role="ranking")
    assert [json.loads(line)["score"] for line in path.read_text().splitlines()] == ["inf", 1.5]


@pytest.mark.parametrize(
    ("split", "splits", "is_error"),
    [(None, None, False), (None, {"a"}, False), ("a", None, False), ("a", {"a", "b"}, False), ("a", {"b"}, True)],
)
def test_a_split_is_an_error_if_records_have_others_only(split, splits, is_error):
    context = FileContext("x", "judgments", Findings(), lenient=False, split=split, splits=splits)
    if is_error:
        with pytest.raises(rg.InputError, match="'a'"):
            context.check_split()
    else:
        context.check_split()


def test_what_is_said_of_a_number_in_chinese_names_the_side():
    for role, name in (("judgments", "等级"), ("ranking", "分数")):
        context = FileContext("x", role, Findings(), lenient=True)
        assert context.parse_number("a", 3, "", "") is None
        ((_, chinese),) = next(iter(context.findings)).examples_texts
        assert name in chinese


@pytest.mark.parametrize(
    ("record", "answer"),
    [
        ({"query": "q", "item": "a", "score": 1}, True),
        ({"query": "q", "item": "a"}, False),
        ({"query": "q", "score": 1}, False),
        ({"item": "a", "score": 1}, False),
        ({"query": "q", "item": "a", "score": [1]}, False),
        ({"query": "q", "item": ["a"], "score": 1}, False),
        ({"query": ["q"], "item": "a", "score": 1}, False),
        ({"query": "q", "item": "a", "score": 1, "tags": ["x"]}, True),
        ({"query": "q", "id": "a", "score": 1}, True),
        ({"query": "q", "id": "a", "score": 1, "tags": ["x"]}, False),
        ({"query": "q", "item": "a", "rank": 1}, True),
        ({"query": "q", "item": "a", "grade": 1}, True),
        ({"query": "q", "topic": "q", "qid": "q", "item": "a", "doc": "a", "score": 1}, True),
        ({"query": "q", "item": "a", "esci_label": "E"}, False),
        ({"query": "q", "document": "a", "start": 1, "end": 2, "grade": 1}, False),
    ],
)
def test_a_row_of_one_item_has_a_query_an_item_and_a_number_without_lists(record, answer):
    assert is_item_row(record) is answer


@pytest.mark.parametrize("missing", ["info", "data", "spans"])
def test_a_trace_without_a_part_is_none(missing):
    trace = {"info": {"trace_id": "t"}, "data": {"spans": []}, "x": [{"y": 1}]}
    if missing == "spans":
        trace["data"] = {}
    else:
        del trace[missing]
    with pytest.raises(rg.InputError) as caught:
        rows(named(json.dumps(trace), "x.jsonl"), "ranking")
    assert "RG111" in caught.value.codes


def test_the_groups_of_a_file_without_queries_are_numbered_from_1(tmp_path):
    (tmp_path / "x.txt").write_text("1 1:1\n0 1:2\n2 1:3\n0 1:4\n1 1:5\n")
    (tmp_path / "x.txt.group").write_text("2\n1\n2\n")
    assert rows(tmp_path / "x.txt", "judgments", format="letor") == [
        ("1", "1", 1.0),
        ("1", "2", 0.0),
        ("2", "3", 2.0),
        ("3", "4", 0.0),
        ("3", "5", 1.0),
    ]


def test_items_are_rolled_up_by_the_column_unit_whatever_the_others_are(tmp_path):
    gold, run = {"q": {"u": 1}}, {"q": ["b", "a"]}
    for text in ("unit,item\nu,a\nv,b\n", "item,unit\na,u\nb,v\n", "x,item,unit\n1,a,u\n2,b,v\n", "p,q\na,u\nb,v\n"):
        path = tmp_path / "units.csv"
        path.write_text(text)
        assert rg.evaluate(gold, run, "RR", units=str(path)).mean() == 1 / 2
    path.write_text("x,item,y\n1,a,u\n")
    with pytest.raises(rg.InputError, match="the columns are x, item, y"):
        rg.evaluate(gold, run, "RR", units=str(path))


@pytest.mark.parametrize(
    ("before", "total", "cap"), [(b, t, c) for b in (0, 1, 3) for t in (0, 1, 4) for c in range(8)]
)
def test_the_mean_below_a_limit_is_that_of_all_cases(before, total, cap):
    every = [min(before + more, cap) for more in range(total + 1)]
    if cap >= before:
        mean = _mean_capped(*(np.array([float(number)]) for number in (before, total, cap)))
        assert mean[0] == pytest.approx(sum(every) / len(every), abs=1e-12)


TEXT, ID = "a text of four words", "d1"


@pytest.mark.parametrize(
    ("judged", "returned", "are_texts"),
    [
        ([TEXT], [f"{TEXT} and"], True),
        ([TEXT, TEXT, ID], ["one two three four", "x y z w", "d2"], True),
        ([TEXT, ID, ID], ["one two three four", "d2", "d3"], False),
        ([TEXT, ID], ["one two three four", "d3"], False),
        ([ID], ["d3"], False),
    ],
)
def test_most_ids_of_both_sides_are_texts_or_one_contains_another(judged, returned, are_texts):
    assert UnmatchedIds(judged, returned)._are_texts() is are_texts


def test_a_stream_is_read_once():
    ranking = rg.read(io.BytesIO(b"q Q0 a 1 1 t\n"), role="ranking").ranking
    assert rg.evaluate({"q": {"a": 1}}, ranking, "RR").mean() == 1


@pytest.mark.parametrize(
    ("item", "is_written"),
    [("a", True), ("a#b", True), ("a b", False), ("#a", False), ("a\tb", False), ("a\xa0b", True)],
)
@pytest.mark.parametrize("side", ["query", "item"])
def test_ids_with_blanks_or_a_mark_of_comments_are_not_written_to_trec_files(item, side, is_written, tmp_path):
    judgments, path = {item: {"x": 1}} if side == "query" else {"x": {item: 1}}, tmp_path / "qrels.txt"
    if is_written:
        rg.convert(judgments, path, role="judgments")
        assert path.read_text() == (f"{item} 0 x 1\n" if side == "query" else f"x 0 {item} 1\n")
    else:
        with pytest.raises(rg.InputError, match=f"the {side} .* contains whitespace or starts with #"):
            rg.convert(judgments, path, role="judgments")


def test_a_query_is_counted_once_in_a_finding():
    findings, others = Findings(), Findings()
    findings.add("RG304", "x", queries=["a", "b"])
    findings.add("RG304", "y", queries=["b", "c"])
    assert [(found.count, found.examples) for found in findings] == [(3, ("x", "y"))]
    others.add("RG304", "z", queries=["a", "d"])
    findings.merge(others)
    findings.add("RG201", count=2)
    findings.add("RG201", "n")
    assert {found.code: found.count for found in findings} == {"RG304": 4, "RG201": 3}


@pytest.mark.parametrize(
    ("names", "parts"),
    [
        (["query", "item"], ["no column for score or rank;", "name it:", '"score": "..."']),
        (["query", "score"], ["no column for item;", "name it:"]),
        (["score"], ["no column for query and item;", "name them:", '"query": "...", "item": "..."']),
        (["x"], ["no column for query, item and score or rank;", "name them:"]),
    ],
)
def test_columns_that_are_missing_are_named_with_a_remedy(names, parts):
    with pytest.raises(rg.InputError) as caught:
        rows(named(",".join(names) + "\n" + ",".join("1" * len(names)) + "\n", "x.csv"), "ranking", format="csv")
    for part in parts:
        assert part in str(caught.value)


@pytest.mark.parametrize("number", [2**63 - 1, -(2**63), 2**63, -(2**63) - 1, 0])
def test_whole_numbers_stay_ids_as_far_as_a_column_holds_them(number):
    records = [{"query": number, "gold": ["a"], "retrieved": ["b", "a"]}]
    fits = -(2**63) <= number < 2**63
    assert rg.evaluate(rg.read(records), metrics="RR").per_query("RR") == {number if fits else str(number): 0.5}


@pytest.mark.parametrize(("size", "is_read"), [(0, False), (1, True), (2, True)])
def test_blocks_have_at_least_one_byte(size, is_read):
    text = "q Q0 a 1 2 t\nq Q0 b 2 1 t\n"
    if is_read:
        assert rows(named(text, "x"), "ranking", block_bytes=size) == [("q", "a", 2.0), ("q", "b", 1.0)]
    else:
        with pytest.raises(rg.ParameterError, match="block_bytes"):
            rows(named(text, "x"), "ranking", block_bytes=size)


def test_files_of_a_folder_hold_the_same_unless_the_format_is_named(tmp_path):
    (tmp_path / "a.txt").write_text("q 0 a 1\n")
    (tmp_path / "b.txt").write_text("q Q0 a 1 2.5 t\n")
    with pytest.raises(rg.InputError, match="the files hold different things"):
        rows(tmp_path, "judgments")
    (tmp_path / "b.txt").write_text("r 0 a 1\n")
    assert rows(tmp_path, "judgments") == [("q", "a", 1.0), ("r", "a", 1.0)]
