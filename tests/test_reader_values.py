"""Values of single readers, worked out by hand: words of judges, places of lists, guesses of formats and grades that are noted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from reading import counts, named, read_in_blocks_of, rows, rows_and_findings


def judged(records: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """The judgments in records of a tool."""
    return rows(named("".join(json.dumps(record) + "\n" for record in records), "labels.jsonl"), "judgments")


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
    assert rg.read(named(text, "run.txt"), role=role).format == format_


@pytest.mark.parametrize(
    ("text", "role"), [("q1\ta\t1\nq2\tb\t1\n", None), ("q1\ta\t2\nq1\tb\t3\n", "ranking"), ("q1\ta\t1\n", "ranking")]
)
def test_ranks_that_do_not_count_up_are_no_run_of_msmarco(text: str, role: Any) -> None:
    """Rows of one item each could be anything, unless a ranking was asked for."""
    assert rg.read(named(text, "run.txt"), role=role).format != "msmarco"


def test_quotes_and_blanks_belong_to_the_ids_of_msmarco() -> None:
    """The format has no quotes."""
    text = 'q 1\t"a"\t1\nq 1\t"b\t2\n'
    assert rows(named(text, "run.tsv"), "ranking", format="msmarco") == [("q 1", '"a"', -1.0), ("q 1", '"b', -2.0)]


OF_GRADES = {"RG205", "RG206", "RG207", "RG405"}


def noted(judgments: Any, scores: Any) -> dict[str, Any]:
    """What is found about grades."""
    return {
        finding.code: finding for finding in rg.evaluate(judgments, scores, "RR").findings if finding.code in OF_GRADES
    }


@pytest.mark.filterwarnings("ignore::rankgauge.DataWarning")
def test_grades_that_are_fractional_negative_or_very_large_are_counted_and_shown() -> None:
    """Above 31 the exponential gain outweighs everything; 31 itself is fine."""
    for grades, found in (
        ([0, 1, 31], {}),
        ([0, 0.5, 1], {"RG205": 1}),
        ([-1.0, 1], {"RG206": 1}),
        ([0, 32.0, 1], {"RG207": 1}),
        ([-0.5] * 7 + [31.5], {"RG205": 8, "RG206": 7, "RG207": 1}),
    ):
        judgments = {"q": {f"d{place}": grade for place, grade in enumerate(grades)}}
        assert {code: finding.count for code, finding in noted(judgments, {"q": ["d0"]}).items()} == found
    examples = noted(judgments, {"q": ["d0"]})["RG205"].examples
    assert examples == tuple(f"fractional grade -0.5 (query 'q', item 'd{place}')" for place in range(5))


@pytest.mark.filterwarnings("ignore::rankgauge.DataWarning")
def test_arrays_of_labels_are_checked_without_those_that_are_missing() -> None:
    """NaN is no judgment, and the place counts within the array."""
    for labels, found in (
        ([[0, 1], [2, 31]], {}),
        ([[0, 1], [2, 32]], {"RG207": 1}),
        ([[1, 2]], {"RG405": 1}),
        ([[-1, 1]], {"RG206": 1}),
        ([[True, False]], {}),
        ([[np.nan, 0, 0.5]], {"RG205": 1}),
    ):
        array = np.array(labels)
        scores = np.arange(array.size, dtype=float).reshape(array.shape)
        assert {code: finding.count for code, finding in noted(array, scores).items()} == found, labels
    labels = np.array([[0, 1, 0], [np.nan, 2, 40]])
    assert "labels[1, 2]" in noted(labels, np.array([[3.0, 2, 1]] * 2))["RG207"].examples[0]


def places(findings: Any) -> dict[str, list[str]]:
    """The places that are shown of each finding."""
    return {
        finding.code: [text.partition(": ")[2].partition(":")[0] for text in finding.examples] for finding in findings
    }


@pytest.mark.parametrize("rows_at_a_time", [None, 3, 1])
def test_rows_of_tables_are_checked_one_by_one(tmp_path: Path, rows_at_a_time: int | None) -> None:
    """The place counts from 1 in the whole table; a missing id is reported before its number."""
    raw = pl.DataFrame(
        {
            "query": ["a", "", "b", None, "c", "d", "e"],
            "item": ["x", "y", None, "z", "u", "v", "w"],
            "score": [1.0, 2.0, float("nan"), 3.0, None, float("nan"), float("inf")],
        }
    )
    raw.write_parquet(tmp_path / "run.parquet", row_group_size=rows_at_a_time)
    valid, findings = rows_and_findings(tmp_path / "run.parquet", "ranking", format="parquet", lenient=True)
    assert valid == [("a", "x", 1.0), ("e", "w", float("inf"))]
    assert counts(findings) == {"RG201": 1, "RG202": 1, "RG203": 1, "RG208": 3}
    assert places(findings) == {
        "RG201": ["row 5"],
        "RG202": ["row 6"],
        "RG203": ["row 7"],
        "RG208": ["row 2", "row 3", "row 4"],
    }
    raw.rename({"score": "grade"}).write_parquet(tmp_path / "qrels.parquet", row_group_size=rows_at_a_time)
    valid, findings = rows_and_findings(tmp_path / "qrels.parquet", "judgments", lenient=True)
    assert valid == [("a", "x", 1.0)]
    assert {code: count for code, count in counts(findings).items() if code != "RG405"} == {"RG204": 3, "RG208": 3}


@pytest.mark.parametrize(("value", "code"), [(None, "RG201"), (float("nan"), "RG202"), (float("inf"), "RG203")])
def test_the_first_invalid_rows_are_shown_and_the_others_counted(tmp_path: Path, value: Any, code: str) -> None:
    """As many as a message shows of each kind."""
    for number in (5, 8):
        raw = {"query": ["a"] * number, "item": [*map(str, range(number))], "score": [value] * number}
        pl.DataFrame(raw, schema_overrides={"score": pl.Float64}).write_parquet(tmp_path / "run.parquet")
        valid, findings = rows_and_findings(
            tmp_path / "run.parquet", "ranking", format="parquet", lenient=True, may_be_empty=True, may_be_invalid=True
        )
        assert len(valid) == (number if code == "RG203" else 0)
        assert counts(findings) == {code: number}
        assert len(next(iter(findings)).examples) == 5


def items_read(column: pl.Series) -> list[Any]:
    """The items of a frame with this column, without those that are missing."""
    frame = pl.DataFrame({"query": ["q"] * len(column), "score": [1.0] * len(column)}).with_columns(item=column)
    source = rg.read(frame, role="ranking", lenient=True).ranking
    return source.frame()["item"].to_list()


@pytest.mark.parametrize(
    ("column", "ids"),
    [
        (pl.Series([1.0, None, float("nan"), -3.0]), [1, -3]),
        (pl.Series([1, 2], dtype=pl.UInt8), [1, 2]),
        (pl.Series([2**64 - 1], dtype=pl.UInt64), [str(2**64 - 1)]),
        (pl.Series(["a", None]), ["a"]),
        (pl.Series(["b", "a"], dtype=pl.Categorical), ["b", "a"]),
        (pl.Series([b"a"]), ["a"]),
        (pl.Series([2.0**53 - 1]), [2**53 - 1]),
        (pl.Series([2.0**24 - 1], dtype=pl.Float32), [2**24 - 1]),
        (pl.Series(["a", None, float("nan")], dtype=pl.Object), ["a"]),
        (pl.Series([7, None], dtype=pl.Object), [7]),
    ],
)
def test_ids_of_tables_are_whole_numbers_or_text(column: pl.Series, ids: list[Any]) -> None:
    """Numbers without a fraction are whole numbers."""
    assert items_read(column) == ids


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
    with pytest.raises(rg.InputError, match=f"(?s)column 'item'.*{message}"):
        items_read(column)


def scores_read(column: pl.Series) -> list[float]:
    """The scores of a frame with this column, without those that are missing."""
    frame = pl.DataFrame({"query": ["q"] * len(column), "item": [*range(len(column))]}).with_columns(score=column)
    return rg.read(frame, role="ranking", lenient=True).ranking.frame()["score"].to_list()


def test_numbers_of_tables_are_doubles() -> None:
    """Objects that are no numbers are missing; a column of text is no column of numbers."""
    for column, numbers in (
        (pl.Series([1, None]), [1.0]),
        (pl.Series([True, False]), [1.0, 0.0]),
        (pl.Series([1, "a", 2.5, None, 10**400], dtype=pl.Object), [1.0, 2.5]),
    ):
        assert scores_read(column) == numbers
    with pytest.raises(
        rg.InputError, match=r"(?s)column 'score' has type String, first \['x'\]; expected numbers.*RG111"
    ):
        scores_read(pl.Series(["x", "y"]))


@pytest.mark.parametrize(("length", "found"), [(1000, {}), (1001, {"RG209": 1})])
def test_an_id_of_more_than_a_thousand_bytes_is_noted(length: int, found: dict[str, int]) -> None:
    """The longest one, with its query."""
    _, findings = rows_and_findings(
        named(f"query,item,score\nq,d,1\nr,{'x' * length},1\n", "run.csv"), "ranking", format="csv"
    )
    assert counts(findings) == found
    if found:
        assert "query 'r'" in next(iter(findings)).examples[0]


def test_ranks_are_compared_with_the_next_row_of_the_same_query() -> None:
    """Equal ranks or scores, other queries and ranks that are no numbers say nothing."""
    for lines, count in (
        ("q,a,2,1 q,b,1,2 q,c,1,3 q,d,0,3", 0),
        ("q,a,1,1 q,b,2,2 q,c,3,3", 2),
        ("q,a,1,3 q,b,0,2", 1),
        ("q,a,1,2 q,b,1,1 q,c,2,1", 0),
        ("q,a,1,1 r,b,2,2", 0),
        ("q,a,1,- q,b,2,2", 0),
        ("q,a,1,1", 0),
        ("q,a,3,1 q,b,1,2 q,c,2.5,3", 1),
    ):
        text = "\n".join(["query,item,score,rank", *lines.split()])
        _, findings = rows_and_findings(named(text, "run.csv"), "ranking", format="csv", may_be_empty=True)
        assert sum(counts(findings).values()) == count, lines
    (finding,) = findings
    assert "'b' has rank 2 and score 1 and 'c' has rank 3 and score 2.5" in finding.examples[0]


LENGTHS = [2 + (7 * number * number) % 6 for number in range(40)]
LISTS = {number: [*range(100, 100 + length)] for number, length in enumerate(LENGTHS)}
"""The relevant item is the last one, so that a list that is cut has another value."""


@pytest.mark.parametrize("size", [8, 30, 100])
def test_lists_are_whole_whatever_the_blocks_of_a_file_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    """And their lines are not taken for those of scattered queries."""
    lines = [f"{query} Q0 {item} 1 {-place} t\n" for query, items in LISTS.items() for place, item in enumerate(items)]
    path = tmp_path / "run.txt"
    path.write_text("".join(lines))
    read_in_blocks_of(size, monkeypatch)
    scores = rg.evaluate({str(query): {str(items[-1]): 1} for query, items in LISTS.items()}, path, "RR")
    assert [*scores.per_query("RR").values()] == [1 / length for length in LENGTHS]
    assert "RG304" not in counts(scores.findings)


def test_rows_of_a_frame_belong_to_the_list_of_their_query() -> None:
    """Ids are numbers, or one row is all there is."""
    rows = [(query, item, -float(place)) for query, items in LISTS.items() for place, item in enumerate(items)]
    frame = pl.DataFrame(rows, schema=["query", "item", "score"], orient="row")
    judged = frame.group_by("query", maintain_order=True).last().select("query", "item", grade=pl.lit(1))
    assert [*rg.evaluate(judged, frame, "RR").per_query("RR").values()] == [1 / length for length in LENGTHS]
    assert rg.evaluate(judged[:1], frame[1:2], "RR").per_query("RR") == {0: 1.0}


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


@pytest.mark.parametrize(("number", "code"), [("null", "RG201"), ('"high"', "RG201"), ('""', "RG201")])
def test_a_row_of_a_json_array_needs_a_score(number, code, tmp_path):
    """A missing score was taken for the first rank of a list."""
    path = tmp_path / "run.json"
    path.write_text(f'[{{"query": "q", "item": "a", "score": {number}}}, {{"query": "q", "item": "b", "score": 0.5}}]')
    with pytest.raises(rg.InputError) as refused:
        rg.evaluate({"q": {"a": 1}}, path, "RR")
    assert refused.value.codes == (code,)


def test_a_row_of_a_json_array_needs_a_grade(tmp_path):
    """A missing grade was taken for 1."""
    path = tmp_path / "qrels.json"
    path.write_text('[{"query": "q", "item": "a", "grade": null}, {"query": "q", "item": "b", "grade": 0}]')
    with pytest.raises(rg.InputError, match="RG204"):
        rg.evaluate(path, {"q": ["a", "b"]}, "RR")
