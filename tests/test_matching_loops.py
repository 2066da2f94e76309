"""Matching against the obvious loops, as its values and findings tell: orders, ties, ids, and the checks of scores."""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from rankgauge.matching.span_pairs import add_piece
from slow_rules import slow_values

pytestmark = pytest.mark.filterwarnings("ignore::rankgauge.DataWarning")

Rows = list[tuple[str, str, float]]
Judgments = dict[str, dict[str, float]]
NAMES = ["b", "a", "c", "é", "z", "\U0001f600", "\uffff", "10", "9", "B", "物品"]
METRICS = ["RR", "RR@1", "nDCG@2", "AP", "bpref", "Judged@4"]


def worlds(count: int, seed: int) -> Iterator[tuple[Judgments, Rows]]:
    """Random lists with ties, also in single precision only: of one length or of several, in order already or not."""
    draw = random.Random(seed)
    for number in range(count):
        sizes = [draw.choice([1, 1, 2, 3, 5, 9]) for _ in range(30 if number % 12 == 6 else draw.randrange(1, 6))]
        if number % 3 == 0:
            sizes = [draw.randrange(1, 5)] * len(sizes)
        few = [float(draw.randrange(4)), 1.0, 2.0, 1 + 1e-12, 3.0]
        rows: Rows = []
        judgments: Judgments = {}
        for query, size in enumerate(sizes):
            scores = [draw.choice(few) for _ in range(size)]
            scores = sorted(scores, reverse=True) if number % 4 == 0 else scores
            items = draw.sample(NAMES, size)
            rows += [(f"q{query}", item, score) for item, score in zip(items, scores, strict=True)]
            judged = {*draw.sample(items, draw.randrange(1, size + 1)), draw.choice(NAMES)}
            judgments[f"q{query}"] = {item: draw.choice([0, 1, 2]) for item in sorted(judged)}
        draw.shuffle(list_of_queries := [*judgments])
        yield {query: judgments[query] for query in list_of_queries}, rows


def frame_of(rows: Rows) -> pl.DataFrame:
    """The rows of a ranking as a frame."""
    return pl.DataFrame(rows, schema=["query", "item", "score"], orient="row")


def found(scores: rg.Scores, *codes: str) -> dict[str, int]:
    """How often each of these codes was found."""
    return {finding.code: finding.count for finding in scores.findings if finding.code in codes}


RULES = {
    **{ties: {"ties": ties} for ties in ("id", "id-ascending", "input", "input-reversed")},
    "single": {"ties": "input", "score_precision": "float32"},
    "positive": {"hit_if": "score>0"},
}


@pytest.mark.parametrize("rules", RULES)
def test_values_are_those_of_loops_whatever_the_lengths_and_the_order_of_lists(rules: str) -> None:
    """Of frames and of dicts, for all ranks and for the top only."""
    convention = rg.Convention(**RULES[rules])
    parsed = [rg.parse(metric) for metric in METRICS]
    for judgments, rows in worlds(25, 1):
        lists: dict[str, dict[str, float]] = {}
        for query, item, score in rows:
            lists.setdefault(query, {})[item] = score
        forms = [rg.evaluate(judgments, form, METRICS, convention=convention) for form in (frame_of(rows), lists)]
        forms += [rg.evaluate(judgments, frame_of(rows), metric, convention=convention) for metric in METRICS[:3]]
        for scores in forms:
            for metric in scores.metrics:
                assert metric in parsed
                expected, _ = slow_values(metric, judgments, rows, convention, dict.fromkeys(judgments, 1.0))
                assert scores.per_query(metric) == pytest.approx(expected, abs=1e-12), (metric, judgments, rows)


def single(score: float) -> float:
    """The score in single precision."""
    return float(struct.unpack("f", struct.pack("f", score))[0])


def test_judged_items_that_tie_and_scores_that_tie_in_single_precision_only_are_counted() -> None:
    """Of each query on its own; judged items that tie are noted where their grades differ."""
    for judgments, rows in worlds(60, 4):
        collapsing = tied = 0
        for query, item, score in rows:
            own = [other for of_query, _, other in rows if of_query == query]
            if item in judgments[query]:
                collapsing += any(single(other) == single(score) and other != score for other in own)
                tied += own.count(score) > 1
        for form in (frame_of(rows), rows):
            scores = rg.evaluate(judgments, form, "AP")
            assert found(scores, "RG211").get("RG211", 0) == collapsing
            assert ("RG212" in found(scores, "RG212")) == bool(tied)


def test_the_order_of_many_long_lists_is_that_of_their_scores() -> None:
    """Rows of one length are sorted as a matrix, in which ties keep their order."""
    draw = np.random.default_rng(2)
    for _ in range(20):
        scores = draw.integers(0, 3, draw.integers(1, 7, 2)).astype(float)
        grades = np.zeros(scores.shape)
        last = [int(row) for row in draw.integers(0, scores.shape[1], len(scores))]
        grades[np.arange(len(scores)), last] = 1
        values = rg.evaluate(grades, scores, "RR", convention=rg.Convention(ties="input")).per_query("RR")
        orders = [sorted(range(len(row)), key=lambda column: -row[column]) for row in scores.tolist()]
        assert [*values.values()] == [1 / (1 + order.index(place)) for order, place in zip(orders, last, strict=True)]


def test_items_without_ids_keep_the_input_order_or_its_reverse() -> None:
    """As a list that is passed by itself."""
    for ties, rank in (("input", 2), ("id", 2), ("input-reversed", 1)):
        assert rg.RR.of([0, 1, 0], scores=[1, 1, 0], convention=rg.Convention(ties=ties)) == 1 / rank
    for seed in range(5):  # there is no id to shuffle by
        rules = rg.Convention(ties="random", seed=seed)
        assert rg.RR.of([0, 1, 0, 0], scores=[1, 1, 1, 0], convention=rules) == 0.5
        assert rg.RR.explain([0, 1, 0, 0], scores=[1, 1, 1, 0], convention=rules).value == 0.5
        arrays = rg.evaluate(np.array([[0, 1, 0, 0]]), np.array([[1, 1, 1, 0]]), "RR", convention=rules)
        assert arrays["RR"] == 0.5


QUERIES: list[list[Any]] = [["q2", "q1", "q3"], [7, -3, 900], [2**40, 5, -(2**50)]]


@pytest.mark.parametrize("queries", QUERIES, ids=["text", "near", "far apart"])
@pytest.mark.parametrize("shuffled", [False, True])
def test_queries_have_the_judgments_of_their_id_whatever_the_order(queries: list[Any], *, shuffled: bool) -> None:
    """Values come in the order of the judgments; queries that are not judged are counted."""
    judged = pl.DataFrame(
        [
            (queries[place], item, grade)
            for place, item, grade in ((0, 1, 2), (1, 5, 1), (0, 2, 0), (2, 1, 3), (1, 4, 0))
        ],
        schema=["query", "item", "grade"],
        orient="row",
    )
    other = "x" if isinstance(queries[0], str) else 11
    for answered in (queries, queries[::-1], [queries[1], other, queries[0]], [other, queries[2]], queries[1:]):
        rows = [(query, item, -float(item)) for query in answered for item in (1, 2, 4, 5)]
        if shuffled:
            rows.sort(key=lambda row: -row[2])
        ranking = pl.DataFrame(rows, schema=["query", "item", "score"], orient="row")
        scores = rg.evaluate(judged, ranking, ["RR", "CG"])
        gains = {queries[0]: 2.0, queries[1]: 1.0, queries[2]: 3.0}
        assert [*scores.per_query("CG").items()] == [
            (query, gain if query in answered else 0) for query, gain in gains.items()
        ]
        assert [*scores.per_query("RR").values()] == [
            (1.0 if place != 1 else 1 / 4) if query in answered else 0 for place, query in enumerate(queries)
        ]
        assert found(scores, "RG403") == ({"RG403": 1} if other in answered else {})


@pytest.mark.parametrize("shuffled", [False, True])
def test_whole_numbers_far_apart_are_found_as_those_close_together(*, shuffled: bool) -> None:
    """With as many queries again that are not judged."""
    for step in (1, 10, 10**6, 10**15):
        queries = [number * step for number in (-6, 4, 1, 9, 0)]
        judged = pl.DataFrame({"query": queries, "item": 1, "grade": 1.0})
        rows = [(query * step, item) for query in range(-8, 13) for item in (2, 1)]
        rows = sorted(rows, key=lambda row: -row[1]) if shuffled else rows
        ranking = pl.DataFrame(rows, schema=["query", "item"], orient="row").with_columns(score=pl.col("item") * 1.0)
        scores = rg.evaluate(judged, ranking, "RR")
        assert scores.per_query("RR") == dict.fromkeys(queries, 1 / 2)
        assert found(scores, "RG403") == {"RG403": 21 - len(queries)}


def test_repeated_judgments_keep_the_first_grade_and_are_counted() -> None:
    """Equal grades are a note, contradictions a finding of their own."""
    rows = [("q", "a", 1), ("q", "b", 0), ("q", "a", 1), ("r", "a", 2), ("r", "a", 0), ("r", "a", 2), ("q", "b", 0)]
    judged = pl.DataFrame(rows, schema=["query", "item", "grade"], orient="row")
    scores = rg.evaluate(judged, {"q": ["a", "b"], "r": ["a"]}, ["CG", "Judged@2"], lenient=True)
    assert scores.per_query("CG") == {"q": 1.0, "r": 2.0}
    assert found(scores, "RG302", "RG303") == {"RG302": 1, "RG303": 2}


@pytest.mark.parametrize("count", [3, 40, 300])
@pytest.mark.parametrize("kind", [str, int])
def test_an_item_that_repeats_is_found_in_its_query_only(kind: Any, count: int) -> None:
    """In short and in long lists, and in a list by itself."""
    draw = random.Random(count)
    for repeats in (False, True):
        lists = [draw.sample(range(2 * count), count) for _ in range(7)]
        if repeats:
            lists[4][draw.randrange(1, count)] = lists[4][0]
        rows = [
            (kind(query), kind(item), -1.0 * place) for query, of in enumerate(lists) for place, item in enumerate(of)
        ]
        frame = pl.DataFrame(rows, schema=["query", "item", "score"], orient="row")
        judged = frame.group_by("query", maintain_order=True).first().select("query", "item", grade=pl.lit(1))
        scores = rg.evaluate(judged, frame, "RR", lenient=True)
        assert found(scores, "RG301") == ({"RG301": 1} if repeats else {})


# Checks of scores


@pytest.mark.parametrize(
    ("scores", "count"),
    [
        ([2.0**53 - 1, 1], 0),
        ([2.0**53, 1], 1),
        ([-(2.0**53), 1.0, 2.0**60], 2),
        ([math.inf, 1], 0),
        ([math.inf, 2.0**54], 1),
    ],
)
def test_scores_from_two_to_the_power_of_53_on_are_noted(scores: list[float], count: int) -> None:
    """Infinite ones are another finding."""
    ranking = {f"d{place}": score for place, score in enumerate(scores)}
    frame = pl.DataFrame({"query": "q", "item": [*ranking], "score": scores})
    for form in ({"q": ranking}, frame):
        assert found(rg.evaluate({"q": {"d0": 1}}, form, "RR"), "RG214") == ({"RG214": count} if count else {})


def test_rankings_without_a_judged_query_or_an_item_have_no_large_score() -> None:
    """There is nothing to compare with the limit."""
    unjudged = frame_of([("u", "a", 2.0**53), ("q", "a", 1.0)])
    assert found(rg.evaluate({"q": {"a": 1}}, unjudged, "RR"), "RG214") == {}
    assert found(rg.evaluate(np.zeros((1, 0)), np.zeros((1, 0)), "RR"), "RG214") == {}


def test_the_first_large_score_of_an_array_is_shown() -> None:
    """With its row."""
    scores = np.array([[1.0, 2.0**53], [2.0**55, 0]])
    (example,) = [
        finding.examples[0] for finding in rg.evaluate(np.eye(2), scores, "RR").findings if finding.code == "RG214"
    ]
    assert "1" in example
    assert example.endswith("score 9007199254740992")


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
    ],
)
def test_lists_that_all_ascend_are_noted_once_chance_is_below_one_in_a_million(
    lists: list[list[int]], *, noted: bool
) -> None:
    """10! orders of one list, or 6^8 of eight lists of three."""
    rankings = {f"q{query}": {f"d{place}": score for place, score in enumerate(of)} for query, of in enumerate(lists)}
    judgments = {query: {"d0": 1, "x": 0} for query in rankings}
    rows = [(query, item, float(score)) for query, of in rankings.items() for item, score in of.items()]
    for form in (rankings, frame_of(rows)):
        findings = [finding for finding in rg.evaluate(judgments, form, "RR").findings if finding.code == "RG410"]
        assert bool(findings) == noted
        many = sum(len(scores) > 1 for scores in lists)
        ending = (
            "the scores of the list ascend" if many == 1 else f"the scores ascend in each of the first {many} lists"
        )
        assert all(finding.examples[0].endswith(ending) for finding in findings)


@pytest.mark.parametrize(("ascending", "noted"), [(1_999, False), (2_000, True)])
def test_the_first_two_thousand_scores_are_looked_at(ascending: int, *, noted: bool) -> None:
    """Of every form; a ranking is written one way from its beginning to its end."""
    scores = np.array([*range(ascending), -1.0, -2.0, -3.0])
    items = [f"d{place}" for place in range(len(scores))]
    half = len(items) // 2
    rows = [("q" if place < half else "r", item, float(scores[place])) for place, item in enumerate(items)]
    lists: dict[str, dict[str, float]] = {"q": {}, "r": {}}
    for query, item, score in rows:
        lists[query][item] = score
    judgments = {"q": {"d0": 1}, "r": {items[-1]: 1}}
    for form in (lists, frame_of(rows)):
        assert bool(found(rg.evaluate(judgments, form, "RR"), "RG410")) == noted
    labels = np.zeros(len(scores))
    labels[0] = 1
    assert bool(found(rg.evaluate(labels[None], scores[None], "RR"), "RG410")) == noted


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
        ([0.5], [[31, 31]], True),
        ([0.5], [[32, 32]], False),
        ([0.5], [[-1, 0]], False),
        ([0.5], [[0.5, 0]], False),
    ],
)
def test_judgments_of_fractions_and_scores_of_small_integers_look_swapped(
    grades: list[Any], lists: Any, *, swapped: bool
) -> None:
    """At least three floats of each, or integers by type; and a 0 or a repetition, as grades have."""
    judgments = {"q0": {f"d{place}": grade for place, grade in enumerate(grades)}}
    rankings = {f"q{query}": {f"d{place}": score for place, score in enumerate(of)} for query, of in enumerate(lists)}
    if not swapped:
        rg.evaluate(judgments, rankings, "RR")
        return
    with pytest.raises(rg.InputError, match="the arguments look swapped"):
        rg.evaluate(judgments, rankings, "RR")


# Ids that do not match


def unmatched(judged: list[Any], returned: list[Any]) -> str:
    """What the finding says about items of which none is judged."""
    scores = rg.evaluate({"q": dict.fromkeys(judged, 1)}, {"q": returned}, "RR")
    (example,) = [finding.examples[0] for finding in scores.findings if finding.code == "RG408"]
    return example


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
        (["a", "b"], [3, 32], "item 'a' in the judgments, '3' in the ranking"),
        (["a", "5"], [3, 2], "item 'a' in the judgments, '3' in the ranking"),
    ],
)
def test_the_likely_reason_why_ids_do_not_match(judged: list[Any], returned: list[Any], reason: str) -> None:
    """The first one that makes an id of both sides equal."""
    assert reason in unmatched(judged, returned)


@pytest.mark.parametrize(("queries", "are_numbered"), [([1, 2, 3, 4], True), ([2, 3], False)])
def test_numbered_queries_are_those_of_responses_without_names(queries: list[int], *, are_numbered: bool) -> None:
    """1, 2, 3, ... where the judgments have names."""
    with pytest.raises(rg.InputError) as caught:
        rg.evaluate({"x": {"a": 1}, "y": {"a": 1}}, {query: ["a"] for query in queries}, "RR")
    assert ("are numbered (1, 2, 3), those of the judgments" in str(caught.value)) == are_numbered


def near_matches(judged: list[Any], returned: list[Any], form: str) -> list[str]:
    """What the findings say about ids that only writing keeps apart, in a query among others that match."""
    judgments = {"p": {"u": 1}, "q": dict.fromkeys(judged, 1)}
    ranking = {"p": ["u"], "q": returned}
    if isinstance(judged[0], int):
        judgments, ranking = {"q": judgments["q"]}, {"q": returned}
    rows = [(query, item, -float(place)) for query, of in ranking.items() for place, item in enumerate(of)]
    frame = pl.DataFrame(rows, schema=["query", "item", "score"], orient="row")
    scores = rg.evaluate(judgments, frame if form == "frame" else ranking, "RR")
    return [finding.examples[0] for finding in scores.findings if finding.code == "RG411"]


@pytest.mark.parametrize(
    ("judged", "returned", "near"),
    [
        (["a", "B"], ["a", "b"], "item 'B' in the judgments, 'b' in the ranking"),
        (["C", "B", "a"], ["b", "c", "a"], "item 'B' in the judgments, 'b' in the ranking"),
        (["07", "a"], ["7", "a"], "item '07' in the judgments, '7' in the ranking"),
        ([" x", "a"], ["x", "a"], "item ' x' in the judgments, 'x' in the ranking"),
        (["\u00c9", "a"], ["e\u0301", "a"], "item '\u00c9' in the judgments"),
        (["00", "a"], ["0", "a"], "item '00' in the judgments, '0' in the ranking"),
        (["b'x'", "a"], ["X", "a"], "item \"b'x'\" in the judgments, 'X' in the ranking"),
        (["\ufeffx", "a"], ["x", "a"], "byte order mark"),
        (["a", "b"], ["a", "c"], None),
        (["a", "B"], ["a", "B"], None),
        ([1, 2], [1, 3], None),
    ],
)
def test_ids_that_only_writing_keeps_apart_are_near_matches(
    judged: list[Any], returned: list[Any], near: str | None
) -> None:
    """The first by text; ids that match, and whole numbers, are none."""
    for form in ("dicts", "frame"):
        examples = near_matches(judged, returned, form)
        assert len(examples) == (near is not None)
        assert all(str(near) in example for example in examples)


@pytest.mark.parametrize(
    ("judged", "returned", "alike"),
    [
        ("A\0b", "a\0b", True),
        ("\0b'x", "x", False),
        ("\0" + "0A", "\0" + "0a", True),
        ("A b", "a b", True),
        ("b'A'", "a", True),
        ("007", "7", True),
        (" a", "a", True),
    ],
)
def test_ids_with_any_character_are_compared_as_one_by_one(judged: str, returned: str, *, alike: bool) -> None:
    """Many ids are converted together where that gives the same."""
    for others in ([], ["q", "r"]):
        for form in ("dicts", "frame"):
            assert bool(near_matches([judged, *others], [returned, *others], form)) == alike


def test_stretches_that_are_added_cover_the_characters_that_they_have() -> None:
    """New characters, and disjoint stretches in order, against sets of characters."""
    draw = random.Random(11)
    for _ in range(200):
        pieces, covered = list[tuple[int, int]](), set[int]()
        for _ in range(draw.randrange(1, 8)):
            start = draw.randrange(0, 30)
            end = start + draw.randrange(1, 8)
            assert add_piece(pieces, start, end) == len({*range(start, end)} - covered)
            covered |= {*range(start, end)}
            assert {place for first, last in pieces for place in range(first, last)} == covered
            assert all(first[1] < second[0] for first, second in pairwise(pieces))
