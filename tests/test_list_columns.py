"""Records with lists give the same rows and findings many at a time and one by one."""

import json
import random

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from rankgauge.inputs.shapes.first_places import FirstPlaces
from rankgauge.inputs.shapes.list_rows import ListFields
from reading import Findings, blocks

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
    frames = [*blocks(path, role, findings, lenient=True, column=column)]
    return [frame.schema for frame in frames], pl.concat(frames).rows(), [*map(repr, findings)]


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


def test_the_first_places_of_lists_are_those_that_a_dict_would_keep():
    """Queries that are added one by one and many at a time, of one system and of several."""
    draw = random.Random(3)
    for kind in (str, int):
        places, known, number = FirstPlaces(lambda line: line), {}, 0
        for _ in range(300):
            if draw.random() < 0.5:
                system, query = draw.choice(["", "", "a"]), kind(draw.randrange(1, 2000))
                number += 1
                assert places.add(system, query, number) == known.setdefault((system, query), number)
                continue
            queries = [kind(draw.randrange(1, 2000)) for _ in range(draw.choice([1, 1, 2, 3, 8, 30]))]
            numbers = [*range(number + 1, number + 1 + len(queries))]
            is_new = len({*queries}) == len(queries) and not any(("", query) in known for query in queries)
            assert places.add_all(pl.Series(queries), np.array(numbers)) == is_new
            if is_new:
                number += len(queries)
                known |= {("", query): line for query, line in zip(queries, numbers, strict=True)}
        assert places.systems == {system for system, _ in known}


def test_whole_numbers_beyond_64_bits_are_queries_of_their_own():
    """They cannot be among those that were added many at a time."""
    places = FirstPlaces(lambda line: line)
    assert places.add_all(pl.Series([2**63 - 1, -(2**63)]), np.array([1, 2]))
    numbers = [2**63, -(2**63) - 1, 2**70, 2**63 - 1, -(2**63), 2**63]
    assert [places.add("", query, line) for line, query in enumerate(numbers, 3)] == [3, 4, 5, 1, 2, 3]


@pytest.mark.parametrize("names", [("query", "doc"), ("user_id", "item"), ("查询", "文档"), ("用户编号", "商品列表")])
def test_a_list_may_have_the_name_of_a_single_item(names, tmp_path):
    """``{"query": ..., "doc": [...]}`` was refused, as having neither a grade nor a score."""
    path = tmp_path / "run.jsonl"
    rows = [dict(zip(names, (query, items), strict=True)) for query, items in (("q", ["x", "a"]), ("r", ["b"]))]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    judgments = {"q": {"a": 1}, "r": {"b": 1}}

    assert rg.evaluate(judgments, path, "RR").per_query() == {"q": 0.5, "r": 1.0}
    assert rg.evaluate(judgments, rows, "RR").per_query() == {"q": 0.5, "r": 1.0}
