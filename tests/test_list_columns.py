"""Records with lists give the same rows and findings many at a time and one by one."""

import json

import polars as pl
import pytest

import rankgauge as rg
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.formats.reader import read_blocks
from rankgauge.inputs.shapes.first_places import FirstPlaces
from rankgauge.inputs.shapes.list_rows import ListFields

QUERY, RANKED, JUDGED = "user_input", "retrieved_context_ids", "reference_context_ids"
LATE = 1_700
"""The number of the record that is unusual: not in the first records that are read together."""
UNUSUAL = {
    "nothing": {},
    "whole numbers as ids": {RANKED: [3, 1, 2], JUDGED: [1]},
    "numbers and texts": {RANKED: [3, "a", 2.0]},
    "a truth value": {RANKED: ["a", True]},
    "a number of more than 64 bits": {RANKED: [2**70]},
    "an empty id": {RANKED: ["a", ""]},
    "an empty id on the other side": {JUDGED: ["a", ""]},
    "a NUL": {RANKED: ["a\0b"]},
    "half of a surrogate pair": {JUDGED: ["\ud800"]},
    "empty lists": {RANKED: [], JUDGED: []},
    "missing lists": {RANKED: None, JUDGED: None},
    "groups": {JUDGED: [["a", "b"], "c"]},
    "scores": {RANKED: [{"id": "a", "score": 1}, {"id": "b", "score": 2}]},
    "a list in text": {RANKED: "['a', 'b']"},
    "an empty query": {QUERY: ""},
    "no query": {QUERY: None},
    "a query as a number": {QUERY: 7},
    "a query that occurs again": {QUERY: "q 3"},
    "an item that repeats": {RANKED: ["a", "b", "a"]},
}


def records(unusual):
    for number in range(2_000):
        row = {QUERY: f"q {number}", RANKED: ["é", f"d{number}", "x"], JUDGED: [f"d{number}"], "response": "text"}
        yield row | (unusual if number == LATE else {})


def read(path, role, column=""):
    findings = Findings()
    blocks = [*read_blocks(path, role, rg.ReadOptions(lenient=True), findings=findings, column=column)]
    return [frame.schema for frame in blocks], pl.concat(blocks).rows(), [*map(repr, findings)]


def one_by_one(path, monkeypatch, *arguments):
    with monkeypatch.context() as patch:
        patch.setattr(ListFields, "lists", lambda *_: None)
        return read(path, *arguments)


@pytest.mark.parametrize(("role", "column"), [("judgments", "group"), ("ranking", ""), ("ranking", "system")])
@pytest.mark.parametrize("name", UNUSUAL)
def test_lines_with_an_unusual_record(name, role, column, tmp_path, monkeypatch):
    path = tmp_path / "answers.jsonl"
    lines = [json.dumps(row) for row in records(UNUSUAL[name])]
    lines[300:300] = ["", "not JSON", "[1]", '{"a": 1, "a": 2}']
    path.write_text("\n".join(lines), encoding="utf-8")

    assert read(path, role, column) == one_by_one(path, monkeypatch, role, column)


@pytest.mark.parametrize("role", ["judgments", "ranking"])
@pytest.mark.parametrize(
    "change",
    [
        {},
        {QUERY: pl.lit("q 3")},
        {QUERY: None},
        {RANKED: None},
        {RANKED: pl.lit([], pl.List(pl.String))},
        {JUDGED: pl.lit([None], pl.List(pl.String))},
    ],
    ids=["nothing", "a query that occurs again", "no query", "no list", "an empty list", "a list of null"],
)
def test_rows_with_an_unusual_record(change, role, tmp_path, monkeypatch):
    path = tmp_path / "answers.parquet"
    is_unusual = pl.int_range(pl.len()) == LATE
    pl.DataFrame([*records({})]).with_columns(
        pl.when(is_unusual).then(value).otherwise(pl.col(name)).alias(name) for name, value in change.items()
    ).write_parquet(path, row_group_size=300)

    assert read(path, role) == one_by_one(path, monkeypatch, role)


def test_a_repeated_query_names_both_lines(tmp_path):
    path = tmp_path / "answers.jsonl"
    rows = [*records({}), *records({})][: 2_000 + 4]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")

    with pytest.raises(rg.InputError, match=r"jsonl:2001: .*line 1 already.*'q 0'"):
        rg.evaluate(path, metrics="RR")


def test_first_places_of_queries_added_together_and_alone():
    places = FirstPlaces(lambda line: line)
    for start in range(1, 4_000, 500):
        queries = pl.Series([f"q{line}" for line in range(start, start + 500)])
        assert places.add_all(queries, queries.str.slice(1).cast(pl.Int64).to_numpy())
    assert places.add("", "q700", 9_000) == 700
    assert places.add("", 700, 9_000) == 9_000
    assert places.add("a system", "q700", 9_001) == 9_001
    assert not places.add_all(pl.Series(["new", "q1"]), pl.Series([1, 2]).to_numpy())
    assert not places.add_all(pl.Series(["new", "new"]), pl.Series([1, 2]).to_numpy())
    assert places.add("", "new", 9_002) == 9_002
    assert not places.add_all(pl.Series(["new"]), pl.Series([1]).to_numpy())
    assert places.systems == {"", "a system"}
