"""Values of single readers, worked out by hand: words of judges, places of lists, guesses of formats and grades that are noted."""

from __future__ import annotations

import io
import json
import random
from typing import Any

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from rankgauge.inputs.findings import SHOWN, Findings
from rankgauge.inputs.formats.codec import Sample
from rankgauge.inputs.formats.reader import guess_format, read_file
from rankgauge.inputs.grade_checks import note_labels, note_unusual_grades
from rankgauge.inputs.io.lines import FileContext
from rankgauge.inputs.shapes.first_places import FirstPlaces
from rankgauge.inputs.table_rows import (
    check_rows,
    id_column,
    note_long_ids,
    note_rank_conflicts,
    number_column,
    run_lengths,
    whole_queries,
)


def source(text: str, name: str) -> io.BytesIO:
    """A text as an open file with a name."""
    file = io.BytesIO(text.encode())
    file.name = name  # type: ignore[attr-defined]
    return file


def judged(records: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """The judgments in records of a tool."""
    text = "".join(json.dumps(record) + "\n" for record in records)
    frame: Any = read_file(source(text, "labels.jsonl"), "judgments", findings=Findings())
    return [*frame.rows()]


WORDS = {
    "yes": 1,
    "true": 1,
    "pass": 1,
    "correct": 1,
    "no": 0,
    "false": 0,
    "fail": 0,
    "incorrect": 0,
    " Yes ": 1,
    "0.5": 0.5,
}


@pytest.mark.parametrize(("word", "grade"), [*WORDS.items(), (True, 1), (False, 0), (3, 3)])
def test_the_verdicts_of_mlflow_are_grades(word: Any, grade: float) -> None:
    """Words are 1 or 0, numbers and truth values themselves; a judge that cannot tell gives no grade."""
    assessment = {"trace_id": "t", "name": "relevance", "source": {"source_type": "HUMAN", "source_id": "ann"}}
    unsure = [
        assessment | {"name": str(number), "feedback": {"value": value}}
        for number, value in enumerate(("n/a", "", None))
    ]
    overridden = assessment | {"name": "old", "feedback": {"value": "yes"}, "valid": False}
    rows = judged([assessment | {"feedback": {"value": word}}, *unsure, overridden])
    assert rows == [("t", "relevance", grade)]
    expected = assessment | {"expectation": {"value": word}}
    assert judged([expected]) == [("t", "relevance", grade)]


def test_the_first_places_of_lists_are_those_that_a_dict_would_keep() -> None:
    """Queries that are added one by one and many at a time, of one system and of several."""
    draw = random.Random(3)
    for kind in (str, int):
        places, known, number = FirstPlaces(lambda line: line), dict[tuple[str, Any], int](), 0
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


def test_whole_numbers_beyond_64_bits_are_queries_of_their_own() -> None:
    """They cannot be among those that were added many at a time."""
    places = FirstPlaces(lambda line: line)
    assert places.add_all(pl.Series([2**63 - 1, -(2**63)]), np.array([1, 2]))
    numbers = [2**63, -(2**63) - 1, 2**70, 2**63 - 1, -(2**63), 2**63]
    assert [places.add("", query, line) for line, query in enumerate(numbers, 3)] == [3, 4, 5, 1, 2, 3]


@pytest.mark.parametrize(
    ("text", "role", "format_"),
    [
        ("q1\ta\t1\nq1\tb\t2\n", None, "msmarco"),
        ("q1\ta\t1\nq1\tb\t2\nq2\tc\t1\n", None, "msmarco"),
        ("q1\ta\t1\nq2\tb\t1\n", "ranking", "msmarco"),
        ("q1 a 1\nq1 b 2\nq1 c 3\n", None, "msmarco"),
        ("\ufeffq1\ta\t1\r\nq1\tb\t2\r\n", None, "msmarco"),
        ("q1\ta\t1\n\nq1\tb\t2\nq1\tc", None, "msmarco"),
    ],
)
def test_ranks_that_count_up_are_recognised(text: str, role: Any, format_: str) -> None:
    """Query, item and rank without a header."""
    assert guess_format(Sample(text.encode(), "run.txt", role)).name == format_


@pytest.mark.parametrize(
    ("text", "role"), [("q1\ta\t1\nq2\tb\t1\n", None), ("q1\ta\t2\nq1\tb\t3\n", "ranking"), ("q1\ta\t1\n", "ranking")]
)
def test_ranks_that_do_not_count_up_are_no_run_of_msmarco(text: str, role: Any) -> None:
    """Rows of one item each could be anything, unless a ranking was asked for."""
    assert guess_format(Sample(text.encode(), "run.txt", role)).name != "msmarco"


def test_quotes_and_blanks_belong_to_the_ids_of_msmarco() -> None:
    """The format has no quotes."""
    text = 'q 1\t"a"\t1\nq 1\t"b\t2\n'
    frame: Any = read_file(source(text, "run.tsv"), "ranking", rg.ReadOptions(format="msmarco"), findings=Findings())
    assert frame.rows() == [("q 1", '"a"', -1.0), ("q 1", '"b', -2.0)]


def codes(findings: Findings) -> dict[str, int]:
    """How often each code was found."""
    return {finding.code: finding.count for finding in findings}


def test_grades_that_are_fractional_negative_or_very_large_are_counted_and_shown() -> None:
    """Above 31 the exponential gain outweighs everything; 31 itself is fine."""
    usual, findings = np.array([0.0, 1, 31]), Findings()
    note_unusual_grades(usual, lambda row: (f"row {row}", ""), findings)
    assert codes(findings) == {}
    for grades, found in (
        ([0.5, 1], {"RG205": 1}),
        ([-1.0, 1], {"RG206": 1}),
        ([32.0, 1], {"RG207": 1}),
        ([-0.5] * (SHOWN + 2) + [31.5], {"RG205": SHOWN + 3, "RG206": SHOWN + 2, "RG207": 1}),
    ):
        findings = Findings()
        note_unusual_grades(np.array(grades), lambda row: (f"row {row}", ""), findings)
        assert codes(findings) == found
    first = next(finding for finding in findings if finding.code == "RG205")
    assert first.examples == tuple(f"fractional grade -0.5 row {row}" for row in range(SHOWN))


def test_arrays_of_labels_are_checked_without_those_that_are_missing() -> None:
    """NaN is no judgment, and the place counts within the array."""
    for labels, found in (
        (np.array([[0, 1], [2, 31]]), {}),
        (np.array([[0, 1], [2, 32]]), {"RG207": 1}),
        (np.array([[1, 2]]), {"RG405": 1}),
        (np.array([[-1, 1]]), {"RG206": 1}),
        (np.array([[True, False]]), {}),
        (np.array([[np.nan, 0, 0.5]]), {"RG205": 1}),
        (np.array([["a"]]), {}),
        (np.zeros((0, 3)), {}),
    ):
        findings = Findings()
        note_labels(labels, findings)
        assert codes(findings) == found, labels
    findings = Findings()
    note_labels(np.array([[0, 1, 0], [np.nan, 2, 40]]), findings)
    assert "labels[1, 2]" in next(iter(findings)).examples[0]


def context(role: Any = "ranking") -> FileContext:
    """A file that is read leniently."""
    return FileContext("file", role, Findings(), lenient=True)


def test_rows_of_tables_are_checked_one_by_one() -> None:
    """The place counts from 1, from the rows before these on; a missing id is reported before its number."""
    raw = pl.DataFrame(
        {
            "q": ["a", "", "b", None, "c", "d", "e"],
            "i": ["x", "y", None, "z", "u", "v", "w"],
            "s": [1.0, 2.0, float("nan"), 3.0, None, float("nan"), float("inf")],
        }
    )
    file = context()
    rows = check_rows(raw, file, ["q", "i", "s"], start=10)
    assert rows.rows() == [("a", "x", 1.0), ("e", "w", float("inf"))]
    assert codes(file.findings) == {"RG201": 1, "RG202": 1, "RG203": 1, "RG208": 3}
    places = {
        finding.code: [text.partition(": ")[2].partition(":")[0] for text in finding.examples]
        for finding in file.findings
    }
    assert places == {
        "RG201": ["row 15"],
        "RG202": ["row 16"],
        "RG203": ["row 17"],
        "RG208": ["row 12", "row 13", "row 14"],
    }
    file = context("judgments")
    assert check_rows(raw, file, ["q", "i", "s"]).rows() == [("a", "x", 1.0)]
    assert codes(file.findings) == {"RG204": 3, "RG208": 3}


@pytest.mark.parametrize(("value", "code"), [(None, "RG201"), (float("nan"), "RG202"), (float("inf"), "RG203")])
def test_the_first_invalid_rows_are_shown_and_the_others_counted(value: Any, code: str) -> None:
    """As many as a message shows of each kind."""
    for number in (SHOWN, SHOWN + 3):
        file = context()
        raw = pl.DataFrame(
            {"q": ["a"] * number, "i": map(str, range(number)), "s": [value] * number},
            schema_overrides={"s": pl.Float64},
        )
        rows = check_rows(raw, file, ["q", "i", "s"])
        assert rows.height == (number if code == "RG203" else 0)
        assert codes(file.findings) == {code: number}
        assert len(next(iter(file.findings)).examples) == SHOWN


@pytest.mark.parametrize(
    ("column", "ids"),
    [
        (pl.Series([1.0, None, float("nan"), -3.0]), [1, None, None, -3]),
        (pl.Series([1, 2], dtype=pl.UInt8), [1, 2]),
        (pl.Series([2**64 - 1], dtype=pl.UInt64), [str(2**64 - 1)]),
        (pl.Series(["a", None]), ["a", None]),
        (pl.Series([None, None]), [None, None]),
        (pl.Series(["b", "a"], dtype=pl.Categorical), ["b", "a"]),
        (pl.Series([b"a"]), ["a"]),
        (pl.Series([2.0**53 - 1]), [2**53 - 1]),
        (pl.Series([2.0**24 - 1], dtype=pl.Float32), [2**24 - 1]),
        (pl.Series(["a", None, float("nan")], dtype=pl.Object), ["a", None, None]),
        (pl.Series([7, None], dtype=pl.Object), [7, None]),
    ],
)
def test_ids_of_tables_are_whole_numbers_or_text(column: pl.Series, ids: list[Any]) -> None:
    """Numbers without a fraction are whole numbers."""
    assert id_column(column, "column").to_list() == ids


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (pl.Series([2.0**53]), "RG215"),
        (pl.Series([-(2.0**53), None]), "RG215"),
        (pl.Series([2.0**24], dtype=pl.Float32), "RG215"),
        (pl.Series([1.5, 2.0]), "RG111"),
        (pl.Series([True]), "RG216"),
        (pl.Series([[1]]), "RG111"),
        (pl.Series(["a", 1], dtype=pl.Object), "in row 2.*RG111"),
        (pl.Series([None, 1, 2, "a"], dtype=pl.Object), "in row 4, first int.*RG111"),
        (pl.Series([None, 1.5], dtype=pl.Object), "in row 2.*RG111"),
    ],
)
def test_ids_of_tables_that_are_neither_are_refused(column: pl.Series, message: str) -> None:
    """With the row, where there is one."""
    with pytest.raises(rg.InputError, match=f"(?s)column.*{message}"):
        id_column(column, "column")


def test_numbers_of_tables_are_doubles() -> None:
    """Objects that are no numbers are missing; a column of text is no column of numbers."""
    for column, numbers in (
        (pl.Series([1, None]), [1.0, None]),
        (pl.Series([True, False]), [1.0, 0.0]),
        (pl.Series([None, None]), [None, None]),
        (pl.Series([1, "a", 2.5, None, 10**400], dtype=pl.Object), [1.0, None, 2.5, None, None]),
    ):
        assert number_column(column, "column").to_list() == numbers
    with pytest.raises(rg.InputError, match=r"(?s)column has type String, first \['x'\]; expected numbers.*RG111"):
        number_column(pl.Series(["x", "y"]), "column")


@pytest.mark.parametrize(("length", "found"), [(1000, {}), (1001, {"RG209": 1})])
def test_an_id_of_more_than_a_thousand_bytes_is_noted(length: int, found: dict[str, int]) -> None:
    """The longest one, with its query."""
    file = context()
    note_long_ids(pl.DataFrame({"query": ["q", "r"], "item": ["d", "x" * length]}), file)
    assert codes(file.findings) == found
    if found:
        assert "query 'r'" in next(iter(file.findings)).examples[0]
    note_long_ids(pl.DataFrame({"query": [1], "item": [10**15]}), file)
    note_long_ids(pl.DataFrame({"query": [], "item": []}, schema={"query": pl.String, "item": pl.String}), file)
    assert codes(file.findings) == found


def test_ranks_are_compared_with_the_next_row_of_the_same_query() -> None:
    """Equal ranks or scores, other queries and ranks that are no numbers say nothing."""
    for rows, count in (
        ([("q", "a", 2.0, "1"), ("q", "b", 1.0, "2"), ("q", "c", 1.0, "3"), ("q", "d", 0.0, "3")], 0),
        ([("q", "a", 1.0, "1"), ("q", "b", 2.0, "2"), ("q", "c", 3.0, "3")], 2),
        ([("q", "a", 1.0, "3"), ("q", "b", 0.0, "2")], 1),
        ([("q", "a", 1.0, "2"), ("q", "b", 1.0, "1"), ("q", "c", 2.0, "1")], 0),
        ([("q", "a", 1.0, "1"), ("r", "b", 2.0, "2")], 0),
        ([("q", "a", 1.0, "-"), ("q", "b", 2.0, "2")], 0),
        ([("q", "a", 1.0, "1")], 0),
    ):
        file = context()
        frame = pl.DataFrame(rows, schema=["query", "item", "score", "rank"], orient="row")
        note_rank_conflicts(frame, file)
        assert sum(codes(file.findings).values()) == count, rows
    file = context()
    rows = [("q", "a", 3.0, "1"), ("q", "b", 1.0, "2"), ("q", "c", 2.5, "3")]
    note_rank_conflicts(pl.DataFrame(rows, schema=["query", "item", "score", "rank"], orient="row"), file)
    (finding,) = file.findings
    assert "'b' has rank 2 and score 1 and 'c' has rank 3 and score 2.5" in finding.examples[0]


@pytest.mark.parametrize("kind", [str, int])
def test_blocks_are_cut_where_a_query_ends(kind: Any) -> None:
    """Whatever the blocks of a frame are, the rows stay, and the numbers of rows are those of each query."""
    draw = random.Random(5)
    for _ in range(60):
        lengths = [draw.randrange(1, 6) for _ in range(draw.randrange(1, 6))]
        queries = [kind(number) for number, length in enumerate(lengths) for _ in range(length)]
        frame, blocks, at = pl.DataFrame({"query": queries, "row": range(len(queries))}), [], 0
        while at < len(queries):
            size = draw.randrange(0, 7)
            blocks.append(frame[at : at + size])
            at += size
        cut = [*whole_queries(blocks)]
        assert pl.concat([block for block, _ in cut]).rows() == frame.rows()
        assert [length for _, numbers in cut for length in numbers.tolist()] == lengths
        assert all(block.height == numbers.sum() for block, numbers in cut)
        assert run_lengths(frame["query"]).tolist() == lengths
    assert run_lengths(pl.Series([], dtype=pl.Int64)).tolist() == []


def test_verdicts_of_umbrela_name_the_query_and_the_passage() -> None:
    """By an id, or else by the text; an answer that was not understood is no judgment."""
    verdict = {"model": "m", "query": "what", "passage": "text", "judgment": 2, "result_status": 1}
    assert judged([verdict]) == [("what", "text", 2.0)]
    assert judged([verdict | {"qid": "q1", "docid": "d1"}]) == [("q1", "d1", 2.0)]
    assert judged(
        [verdict | {"qid": "q1", "docid": "d1"}, verdict | {"qid": "q2", "docid": "d1", "result_status": 0}]
    ) == [("q1", "d1", 2.0)]
    answered = {name: value for name, value in verdict.items() if name != "result_status"} | {
        "qid": "q",
        "docid": "d",
        "judgment": 0,
    }
    assert judged([answered | {"prediction": "##final score: 0"}]) == [("q", "d", 0.0)]
