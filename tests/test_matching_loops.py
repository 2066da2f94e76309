"""The steps of matching against the obvious loops: orders, ties, keys, and the checks of scores and ids."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.records import RepeatedItems
from rankgauge.matching import item_keys as keys_module
from rankgauge.matching import judged_table, scattered_rows
from rankgauge.matching.common_ids import NearMatch, UnmatchedIds, first_near_match, near_match, written_alike
from rankgauge.matching.descending import along, count_above, descending_columns, descending_rows, descending_scores
from rankgauge.matching.item_keys import any_equal, ascend, hash_prefilter, item_keys, repeat
from rankgauge.matching.judged_table import JudgedTable
from rankgauge.matching.scattered_rows import gathered
from rankgauge.matching.score_checks import (
    check_not_swapped,
    collapses,
    note_ascending_scores,
    note_large_scores,
    scores_of_array,
    scores_of_frame,
    scores_of_records,
)
from rankgauge.matching.score_order import ScoreOrder
from rankgauge.matching.tie_order import tie_places
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Segments

RULES = rg.Convention()


def worlds(count: int, seed: int) -> Any:
    """Random lists of scores with ties, some empty, some in order already."""
    draw = random.Random(seed)
    for number in range(count):
        sizes = [draw.choice([0, 1, 1, 2, 3, 5, 9]) for _ in range(draw.randrange(1, 6))]
        if number % 3 == 0:
            sizes = [draw.randrange(1, 5)] * len(sizes)
        few = [float(draw.randrange(4)), 1.0, 2.0, 1 + 1e-12, 3.0]
        scores = [[draw.choice(few) for _ in range(size)] for size in sizes]
        if number % 4 == 0:
            scores = [sorted(of_query, reverse=True) for of_query in scores]
        yield draw, scores, Segments.of_sizes(np.array(sizes))


def flat(lists: list[list[float]]) -> Any:
    """All numbers as an array."""
    return np.array([number for of_query in lists for number in of_query], dtype=float)


def test_scores_are_ordered_within_each_query_with_ties_in_input_order() -> None:
    """A stable sort of each list."""
    for _, lists, runs in worlds(200, 1):
        scores = flat(lists)
        rows, ordered, start = [], [], 0
        for of_query in lists:
            rows += [start + place for place in sorted(range(len(of_query)), key=lambda place: -of_query[place])]
            ordered += sorted(of_query, reverse=True)
            start += len(of_query)
        assert descending_rows(scores, runs).tolist() == rows
        assert descending_scores(scores, runs).tolist() == ordered


def test_columns_of_a_matrix_are_ordered_in_the_same_way() -> None:
    """Runs of ties keep their order, whichever row they are in."""
    draw = np.random.default_rng(2)
    for _ in range(100):
        matrix = draw.integers(0, 3, draw.integers(1, 7, 2)).astype(float)
        order = descending_columns(matrix)
        assert order.tolist() == [sorted(range(len(row)), key=lambda column: -row[column]) for row in matrix.tolist()]
        assert along(matrix, order).tolist() == [sorted(row, reverse=True) for row in matrix.tolist()]


def test_scores_above_a_score_are_counted_by_bisection() -> None:
    """Whatever the lengths of the lists are."""
    for draw, lists, runs in worlds(150, 3):
        asked = [(draw.randrange(len(lists)), draw.choice([0.0, 1.0, 1.5, 2.0, 9.0])) for _ in range(6)]
        asked = [(number, score) for number, score in asked if lists[number]]
        if not asked:
            continue
        numbers, wanted = np.array([number for number, _ in asked]), np.array([score for _, score in asked])
        for or_equal in (False, True):
            counted = count_above(descending_scores(flat(lists), runs), runs, numbers, wanted, or_equal=or_equal)
            assert counted.tolist() == [
                sum(other >= score if or_equal else other > score for other in lists[number]) for number, score in asked
            ]


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_the_order_of_a_block_tells_ranks_ties_and_the_top(precision: Any) -> None:
    """Items above each, tied with it, in the top, and differing in double precision only."""
    rules = rg.Convention(score_precision=precision)
    for _, lists, runs in worlds(60, 4):
        scores = flat(lists)
        block = pl.DataFrame({"item": [f"d{row}" for row in range(len(scores))], "score": scores})
        order = ScoreOrder(block, runs, rules)
        compared = scores.astype(np.float32).astype(float) if precision == "float32" else scores
        single, rows, query = scores.astype(np.float32), np.arange(len(scores)), runs.query
        above, tied = order.of(rows, query)
        own = [compared[query == of_row] for of_row in query]
        assert above.tolist() == [int((others > score).sum()) for others, score in zip(own, compared, strict=True)]
        assert tied.tolist() == [int((others == score).sum()) for others, score in zip(own, compared, strict=True)]
        assert order.score_of(rows).tolist() == compared.tolist()
        places = [order.row_at(place) for place in range(len(scores))]
        assert places == descending_rows(compared, runs).tolist()
        if precision == "float64":
            assert order.collapsing(rows, query).tolist() == [
                any(
                    single[query == q][n] == single[row] and scores[query == q][n] != scores[row]
                    for n in range(len(own[row]))
                )
                for row, q in enumerate(query)
            ]
        for depth in (1, 2, 4, 50):
            top, inside = order.rows_within(depth)
            expected = [row for row in places if above[row] < depth]
            assert top.tolist() == expected
            assert inside.sizes.tolist() == [
                sum(query[row] == number for row in expected) for number in range(runs.count)
            ]


@pytest.mark.parametrize("ties", ["id", "id-ascending", "input", "input-reversed", "random"])
def test_tied_items_are_before_others_as_the_rule_says(ties: Any) -> None:
    """Within each run of equal scores; without a tie nothing is before."""
    rules = rg.Convention(ties=ties)
    for draw, lists, runs in worlds(30, 5):
        scores = flat(lists)
        ids = [str(draw.randrange(1000)) + "x" * row for row in range(len(scores))]
        order = ScoreOrder(pl.DataFrame({"item": pl.Series(ids, dtype=pl.String), "score": scores}), runs, rules)
        rows = np.arange(len(scores))
        _, tied = order.of(rows, runs.query)
        before = order.before(rows, tied, rules)
        for row in rows.tolist():
            run = [
                other
                for other in rows.tolist()
                if runs.query[other] == runs.query[row] and scores[other] == scores[row]
            ]
            places = tie_places([ids[other] for other in run], np.zeros(len(run), int), rules)
            assert before[row] == places[run.index(row)]
            if ties == "input":
                assert before[row] == run.index(row)
            if ties == "id":
                assert before[row] == sorted((ids[other] for other in run), reverse=True).index(ids[row])
        chosen = rows[::2]
        assert order.before(chosen, tied[::2], rules).tolist() == before[::2].tolist()


def test_places_in_runs_of_ties() -> None:
    """Run after run; items without ids keep the input order, or that of their numbers."""
    run = np.array([0, 0, 0, 1, 1])
    for ties, items, places in (
        ("id", ["b", "a", "c", "x", "y"], [1, 2, 0, 1, 0]),
        ("id-ascending", ["b", "a", "c", "x", "y"], [1, 0, 2, 0, 1]),
        ("id", pl.Series(["b", "a", "c", "x", "y"]), [1, 2, 0, 1, 0]),
        ("input", ["b", "a", "c", "x", "y"], [0, 1, 2, 0, 1]),
        ("input-reversed", ["b", "a", "c", "x", "y"], [2, 1, 0, 1, 0]),
        ("id", None, [0, 1, 2, 0, 1]),
        ("id", ["a", "é", "z", "\U0001f600", "\uffff"], [2, 0, 1, 0, 1]),
    ):
        assert tie_places(items, run, rg.Convention(ties=ties)).tolist() == places  # type: ignore[arg-type]


def test_collapsing_scores_have_a_neighbour_that_is_equal_in_single_precision() -> None:
    """At the start and the end of a query there is none."""
    near = 1 + 1e-12
    ordered = np.array([near, 1.0, 0.5, 0.5, 0.5 - 1e-12])
    first, last = np.array([0, 1, 2, 2, 4]), np.array([1, 2, 4, 4, 5])
    whole = np.zeros(5, int), np.full(5, 5)
    assert collapses(ordered, first, last, *whole).tolist() == [True] * 5
    cut = np.array([0, 1, 1, 1, 4]), np.array([1, 4, 4, 4, 5])
    assert collapses(ordered, first, last, *cut).tolist() == [False] * 5
    assert collapses(np.array([]), np.array([], int), np.array([], int), *whole).tolist() == []


def test_keys_of_items_repeat_exactly_where_an_item_repeats_in_a_query(monkeypatch: pytest.MonkeyPatch) -> None:
    """In short and in long queries, by comparison and by a table of few slots."""
    draw = random.Random(6)
    for _ in range(120):
        monkeypatch.setattr(keys_module, "SHORT", draw.choice([0, 1, 16]))
        monkeypatch.setattr(keys_module, "SLOT_BITS", draw.choice([1, 3, 17]))
        monkeypatch.setattr(keys_module, "AT_A_TIME", draw.choice([1, 3, 50]))
        sizes = [draw.randrange(0, 7) for _ in range(draw.randrange(1, 5))]
        items = [draw.sample(range(draw.choice([7, 90])), size) for size in sizes]
        if draw.random() < 0.4 and max(sizes) > 1:
            longest = max(items, key=len)
            longest[draw.randrange(1, len(longest))] = longest[0]
        if draw.random() < 0.3:
            items = [sorted(of_query) for of_query in items]
        runs, numbers = (
            Segments.of_sizes(np.array(sizes)),
            np.array([item for of_query in items for item in of_query], dtype=np.int64),
        )
        repeats = any(len({*of_query}) < len(of_query) for of_query in items)
        assert repeat(numbers, runs) == repeats
        assert ascend(numbers, runs.offsets) == all(a < b for of_query in items for a, b in pairwise(of_query))
        codes = np.arange(len(sizes))
        key = item_keys(pl.Series(numbers), codes, np.array(sizes))
        assert key.tolist() == item_keys(pl.Series(numbers), runs.query).tolist()
        assert any_equal(key, runs.offsets) == repeats


def test_a_prefilter_keeps_all_keys_that_are_among_the_others() -> None:
    """And few of the other ones."""
    draw = np.random.default_rng(7)
    key, others = (draw.integers(0, 2**63, size, dtype=np.uint64) for size in (4000, 100))
    key[::50] = draw.choice(others, 80)
    kept = hash_prefilter(key, others)
    assert {*range(0, 4000, 50)} <= {*kept.tolist()}
    assert len(kept) < 80 + 4000 / 8
    assert kept.tolist() == sorted(kept.tolist())


QUERIES: list[Any] = [["q2", "q1", "q3"], [7, -3, 900], [2**40, 5, -(2**50)]]


@pytest.mark.parametrize("queries", QUERIES)
def test_judged_queries_have_numbers_and_rows(queries: list[Any]) -> None:
    """In the order of the judgments; queries that are not judged have -1."""
    rows = [
        (queries[place], item, grade)
        for place, item, grade in ((0, 1, 2.0), (1, 5, 1.0), (0, 2, 0.0), (2, 1, 3.0), (1, 4, 0.0))
    ]
    table = JudgedTable(pl.DataFrame(rows, schema=["query", "item", "grade"], orient="row"), Findings())
    other = "x" if isinstance(queries[0], str) else 11
    for wanted in (queries, queries[::-1], [queries[1], other, queries[0]], [other], queries[1:], []):
        numbers = [queries.index(query) if query in queries else -1 for query in wanted]
        asked = pl.Series(wanted, dtype=table.queries.dtype)
        assert table.codes_of(asked).tolist() == numbers
        assert table.codes_of_rows(asked).tolist() == numbers
    assert table.item.to_list() == [1, 2, 5, 4, 1]
    assert table.grade.tolist() == [2, 0, 1, 0, 3]
    assert table.code.tolist() == [0, 0, 1, 1, 2]
    assert table.sizes_of(np.array([2, 0])).tolist() == [1, 2]
    assert table.rows_of(np.array([2, 0])).tolist() == [4, 0, 1]
    table.as_text("query")
    table.as_text("item")
    assert table.codes_of(pl.Series([str(queries[2])])).tolist() == [2]
    assert table.item.to_list() == ["1", "2", "5", "4", "1"]


def test_whole_numbers_far_apart_are_found_by_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the same answers as by an array."""
    monkeypatch.setattr(judged_table, "FEW_NUMBERS", 0)
    monkeypatch.setattr(judged_table, "MOST_PER_QUERY", 3)
    for queries in ([4, 1, 9], [4, 1, 10], [4, 1, 11], [0], [-5, -4]):
        frame = pl.DataFrame({"query": queries, "item": 1, "grade": 1.0})
        wanted = [*range(-6, 13)]
        found = JudgedTable(frame, Findings()).codes_of_rows(pl.Series(wanted)).tolist()
        assert found == [queries.index(number) if number in queries else -1 for number in wanted]


def test_repeated_judgments_keep_the_first_grade_and_are_counted() -> None:
    """Equal grades are a note, contradictions a finding of their own."""
    rows = [
        ("q", "a", 1.0),
        ("q", "b", 0.0),
        ("q", "a", 1.0),
        ("r", "a", 2.0),
        ("r", "a", 0.0),
        ("r", "a", 2.0),
        ("q", "b", 0.0),
    ]
    findings = Findings()
    table = JudgedTable(pl.DataFrame(rows, schema=["query", "item", "grade"], orient="row"), findings)
    assert [*zip(table.code.tolist(), table.item.to_list(), table.grade.tolist(), strict=True)] == [
        (0, "a", 1.0),
        (0, "b", 0.0),
        (1, "a", 2.0),
    ]
    assert {finding.code: finding.count for finding in findings} == {"RG302": 1, "RG303": 2}


def test_scattered_rows_are_gathered_by_query(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the order of the judgments, the rows of a query in input order; unjudged queries come first, once."""
    draw = random.Random(8)
    for number in range(20):
        monkeypatch.setattr(scattered_rows, "PARTS", draw.choice([1, 2, 5, 256]))
        monkeypatch.setattr(scattered_rows, "BLOCK_ROWS", draw.choice([1, 4, 1000]))
        monkeypatch.setattr(scattered_rows, "GATHERED_ROWS", draw.choice([1, 6, 1000]))
        queries = [f"q{place}" for place in range(draw.randrange(1, 9))]
        draw.shuffle(queries)
        table = JudgedTable(pl.DataFrame({"query": queries, "item": "a", "grade": 1.0}), Findings())
        rows = [
            (draw.choice([*queries, "u1", "u2"][number % 2 :]), f"d{row}", float(row))
            for row in range(draw.randrange(1, 40))
        ]
        schema = {"query": pl.String, "item": pl.String, "score": pl.Float64}
        cut = draw.randrange(len(rows) + 1)
        frames = [pl.DataFrame(part, schema=schema, orient="row") for part in (rows[:cut], rows[cut:])]
        blocks = [*gathered(table, frames).blocks()]
        unjudged = [*dict.fromkeys(query for query, _, _ in rows if query not in queries)]
        expected = [row for query in queries for row in rows if row[0] == query]
        if unjudged:
            block, lengths = blocks.pop(0)
            assert block["query"].to_list() == unjudged
            assert lengths.tolist() == [1] * len(unjudged)
        assert [row for block, _ in blocks for row in block.rows()] == expected
        for block, lengths in blocks:
            assert lengths.tolist() == block["query"].rle().struct.field("len").to_list()


def codes(findings: Findings) -> dict[str, int]:
    """How often each code was found."""
    return {finding.code: finding.count for finding in findings}


def test_scores_from_two_to_the_power_of_53_on_are_noted() -> None:
    """Infinite ones are another finding; the first is shown."""
    for scores, count in (
        ([2.0**53 - 1], 0),
        ([2.0**53], 1),
        ([-(2.0**53), 1.0, 2.0**60], 2),
        ([np.inf], 0),
        ([np.inf, 2.0**54], 1),
        ([], 0),
    ):
        findings = Findings()
        note_large_scores(np.array(scores), lambda row: f"row {row}", findings)
        assert codes(findings) == ({"RG214": count} if count else {})
    findings = Findings()
    note_large_scores(np.array([[1.0, 2.0**53], [2.0**55, 0]]), lambda row: f"row {row}", findings)
    assert next(iter(findings)).examples[0] == "row 1: score 9007199254740992"


@pytest.mark.parametrize(
    ("lists", "noted"),
    [
        ([[*range(10)]], True),
        ([[*range(9)]], False),
        ([[1, 2, 3]] * 8, True),
        ([[1, 2, 3]] * 7, False),
        ([[*range(10)], [2, 1]], False),
        ([[*range(10)], [1, 1]], False),
        ([[*range(10)], [5]], True),
        ([[*range(10)], ["a"]], False),
        ([], False),
    ],
)
def test_lists_that_all_ascend_are_noted_once_chance_is_below_one_in_a_million(
    lists: list[list[Any]], *, noted: bool
) -> None:
    """10! orders of one list, or 6^8 of eight lists of three."""
    findings = Findings()
    note_ascending_scores(iter(lists), Phrase("run: ", "run："), findings)
    assert codes(findings) == ({"RG410": 1} if noted else {})
    if noted:
        text = next(iter(findings)).examples[0]
        many = sum(len(scores) > 1 for scores in lists)
        assert text == (
            "run: the scores of the list ascend"
            if many == 1
            else f"run: the scores ascend in each of the first {many} lists"
        )


def test_the_first_scores_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as a sample has, of every form."""
    from rankgauge.matching import score_checks

    monkeypatch.setattr(score_checks, "SAMPLE", 5)
    rankings = {"a": {"x": 3, "y": 2}, "b": {"x": 9, "y": 8, "z": 7, "w": 6}, "c": {"x": 1}}
    assert [*scores_of_records(rankings)] == [[3, 2], [9, 8, 7]]
    assert [*scores_of_records({"a": {"x": 3, "y": 2}, "b": ["x", "y"], "c": {"x": 1}})] == [[3, 2]]
    assert [*scores_of_records({"a": {"x": 1}, "b": {"x": 2}})] == [[1], [2]]
    repeated = RepeatedItems.__new__(RepeatedItems)
    object.__setattr__(repeated, "scores", [4, 3])
    assert [*scores_of_records({"a": repeated})] == [[4, 3]]
    frame = pl.DataFrame({"query": ["b", "a", "b", "a", "c", "b"], "score": [1.0, 2, 3, 4, 5, 6]})
    assert [*scores_of_frame(frame)] == [[1, 3], [2, 4], [5]]
    assert [*scores_of_array(np.array([[3, 2, 1], [6, 5, 4], [9, 8, 7]]), None)] == [[3, 2, 1], [6, 5]]
    assert [*scores_of_array(np.array([3, 2, 1, 6, 5, 4, 3]), np.array([0, 1, 5, 7]))] == [[3], [2, 1, 6, 5]]


@pytest.mark.parametrize(
    ("grades", "lists", "swapped"),
    [
        ([0.5, 0.25], [[1, 0]], True),
        ([0.5, 0.25], [[1, 1]], True),
        ([0.5, 0.25], [[1, 2]], False),
        ([0.5, 1.0], [[1, 0]], False),
        ([0.5, 1], [[1, 0]], False),
        ([0.5, 0.25], [[1.0, 0.0]], False),
        ([0.5, 0.25, 0.1], [[1.0], [0.0, 2.0]], True),
        ([0.5, 0.25], [[1.0], [0.0, 2.0]], False),
        ([0.5, 0.25, float("nan")], [[1.0], [0.0, 2.0]], False),
        ([0.5], [[31, 31]], True),
        ([0.5], [[32, 32]], False),
        ([0.5], [[-1, 0]], False),
        ([0.5], [[0.5, 0]], False),
        ([], [[1, 0]], False),
        ([0.5], [], False),
    ],
)
def test_judgments_of_fractions_and_scores_of_small_integers_look_swapped(
    grades: list[Any], lists: Any, *, swapped: bool
) -> None:
    """At least three floats of each, or integers by type; and a 0 or a repetition, as grades have."""
    if not swapped:
        check_not_swapped(grades, lists)
        return
    with pytest.raises(rg.InputError, match="the arguments look swapped"):
        check_not_swapped(grades, lists)


@pytest.mark.parametrize(
    ("judged", "returned", "reason"),
    [
        (["a"], [b"a"], "ids of one side are bytes"),
        (["a"], ["b'a'"], "ids of one side are bytes"),
        (["a"], ["a "], "ids of one side have blanks"),
        (["\u00e9"], ["e\u0301"], "Unicode forms differ"),
        (["a"], ["\ufeffa"], "byte order mark"),
        (["A"], ["a"], "upper and lower case differ"),
        (["1"], ["01"], "1, 01 and 1.0 are different ids"),
        ([1], ["1.0"], "1, 01 and 1.0 are different ids"),
        (["d1", "d2"], ["x1", "d2-7"], "'before last -'"),
        (["1", "2", "3"], ["doc1", "doc2", "other"], "the ids of the ranking have the prefix 'doc'"),
        (["1.txt", "2.txt", "other"], ["1", "2"], "the ids of the judgments have the suffix '.txt'"),
        (["1", "2"], ["doc1", "x", "y"], "item '1' in the judgments, 'doc1' in the ranking"),
        (["a", "b"], ["x", "y"], "item 'a' in the judgments, 'x' in the ranking"),
        (["a", "b"], [3, 2, 0, 1], "the list 3, 2, 0 is read as item ids"),
        (["a", "b"], [3, 32], "item 'a' in the judgments, 3 in the ranking"),
        (["a", "5"], [3, 2], "item 'a' in the judgments, 3 in the ranking"),
    ],
)
def test_the_likely_reason_why_ids_do_not_match(judged: list[Any], returned: list[Any], reason: str) -> None:
    """The first one that makes an id of both sides equal."""
    assert reason in UnmatchedIds.of(judged, returned).describe("item").en


def test_numbered_queries_are_those_of_responses_without_names() -> None:
    """1, 2, 3, ... where the judgments have names."""
    assert (
        "are numbered (1, 2, 3), those of the judgments" in UnmatchedIds(["x", "y"], [1, 2, 3, 4]).describe("query").en
    )
    assert "are numbered" not in UnmatchedIds(["x", "y"], [2, 3]).describe("query").en
    assert "are numbered" not in UnmatchedIds(["x", "y"], [1, 2]).describe("item").en


def test_ids_that_only_writing_keeps_apart_are_near_matches() -> None:
    """The first by text; ids that match, and whole numbers, are none."""
    for judged, returned, near in (
        (["a", "B"], ["a", "b"], NearMatch("B", "b")),
        (["C", "B"], ["b", "c"], NearMatch("B", "b")),
        (["07"], ["7"], NearMatch("07", "7")),
        ([" x"], ["x"], NearMatch(" x", "x")),
        (["\u00c9"], ["e\u0301"], NearMatch("\u00c9", "e\u0301")),
        (["a", "b"], ["a", "c"], None),
        (["a", "B"], ["a", "B"], None),
        ([1, 2], [1, 3], None),
        (["a"], [], None),
        (["00"], ["0"], NearMatch("00", "0")),
    ):
        assert near_match(judged, returned) == near
    assert first_near_match([(["a"], ["b"]), (["B"], ["b"]), (["C"], ["c"])]) == NearMatch("B", "b", 1)
    assert first_near_match([(["a"], ["b"]), (["c"], ["d"])]) is None
    assert [written_alike(item) for item in (" Ab ", "007", "0", "b'x'", b"Y", 7, "\ufeffa")] == [
        "ab",
        "7",
        "0",
        "x",
        "y",
        7,
        "a",
    ]
