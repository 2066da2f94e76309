"""Iterators that can be read only once, and masked arrays: nothing is lost in silence."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rankgauge as rg
from rankgauge.adapters.group_means import GroupMeans
from rankgauge.adapters.sklearn import _Mean

JUDGMENTS = {"q": {"a": 1, "b": 0}, "r": {"c": 1, "d": 0}}
LISTS = {"q": ["a", "b"], "r": ["d", "c"]}
ONE_SHOT: dict[str, Callable[[list[str]], Iterable[str]]] = {
    "generator": lambda items: (item for item in items),
    "map": lambda items: map(str, items),
    "filter": lambda items: filter(None, items),
    "iter": iter,
    "reversed": lambda items: reversed([*reversed(items)]),
    "zip": lambda items: (item for (item,) in zip(items, strict=True)),
    "dict values": lambda items: dict(enumerate(items)).values(),
    "pandas column": pd.Series,
    "polars column": pl.Series,
    "array": np.array,
}


@pytest.fixture(autouse=True)
def _at_one_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")


def values(scores: rg.Scores, system: str = "") -> dict[Any, float]:
    return scores.system(system).per_query("RR")


VERBS: dict[str, Callable[[Any, Any], Any]] = {
    "evaluate": lambda judgments, ranking: values(rg.evaluate(judgments, ranking(), "RR")),
    "several": lambda judgments, ranking: values(rg.evaluate(judgments, {"A": ranking(), "B": ranking()}, "RR"), "B"),
    "compare": lambda judgments, ranking: values(
        rg.compare(judgments, {"A": ranking(), "B": ranking()}, "RR").scores, "B"
    ),
    "explain": lambda judgments, ranking: rg.explain(judgments, ranking(), "RR", "q").value,
    "check": lambda judgments, ranking: rg.check(judgments, ranking(), ["RR drops 0.1"], baseline=ranking()).to_dict(),
    "diff": lambda _, ranking: rg.diff(ranking(), ranking(), k=2).to_dict(),
    "attribute": lambda judgments, ranking: rg.attribute(
        judgments, ranking(), {"q": ["b", "a"], "r": ["c"]}, "RR"
    ).to_dict(),
    "unjudged_bounds": lambda judgments, ranking: rg.unjudged_bounds(judgments, {"A": ranking()}, "P@2")["A"],
    "reconcile": lambda judgments, ranking: rg.reconcile(judgments, ranking(), "RR").to_dict(),
    "report": lambda judgments, ranking: rg.report(judgments, {"A": ranking(), "B": LISTS}, "RR").to_html(),
}


@pytest.mark.parametrize("form", ONE_SHOT)
@pytest.mark.parametrize("verb", VERBS)
def test_recognition_consumes_no_item_of_an_iterator(verb: str, form: str) -> None:
    """D2: the first item of the first query was lost, so that RR was 0.0 instead of 1.0."""
    one_shot, call = ONE_SHOT[form], VERBS[verb]
    expected = call(JUDGMENTS, lambda: LISTS)
    assert call(JUDGMENTS, lambda: {query: one_shot(items) for query, items in LISTS.items()}) == expected


@pytest.mark.parametrize("form", ONE_SHOT)
def test_iterators_in_judgments_and_in_lists_of_queries_lose_nothing(form: str) -> None:
    """D2: also as relevant items, as one list per query, and as rows."""
    one_shot = ONE_SHOT[form]
    relevant = {"q": ["a", "x"], "r": ["c", "d"]}
    judged = rg.evaluate({query: one_shot(items) for query, items in relevant.items()}, LISTS, "RR")
    assert values(judged) == values(rg.evaluate(relevant, LISTS, "RR"))
    numbered = rg.evaluate([["a"], ["c"]], [one_shot(items) for items in LISTS.values()], "RR")
    assert values(numbered) == {0: 1.0, 1: 0.5}
    rows = [("q", "a", 2.0), ("q", "b", 1.0), ("r", "d", 2.0), ("r", "c", 1.0)]
    assert values(rg.evaluate(JUDGMENTS, iter(rows), "RR")) == {"q": 1.0, "r": 0.5}
    assert values(rg.evaluate(JUDGMENTS, {"A": iter(rows), "B": iter(rows)}, "RR"), "B") == {"q": 1.0, "r": 0.5}
    nested = rg.evaluate([["a"], ["c"]], iter([one_shot(items) for items in LISTS.values()]), "RR")
    assert values(nested) == {0: 1.0, 1: 0.5}


def test_one_iterator_for_two_rankings_or_queries_is_refused() -> None:
    """The second would be empty and score 0."""
    rows, file = iter([("q", "a", 1.0)]), io.StringIO("q Q0 a 1 2.0 t\n")
    items = iter(["a", "b"])
    judgments = {"q": {"a": 1}, "r": {"a": 1}}
    for call in (
        lambda: rg.evaluate(judgments, {"A": {"q": items}, "B": {"q": items}}, "RR"),
        lambda: rg.compare(judgments, {"A": {"q": items}, "B": {"q": items}}, "RR"),
        lambda: rg.evaluate(judgments, {"q": items, "r": items}, "RR"),
        lambda: rg.evaluate(judgments, {"A": rows, "B": rows}, "RR"),
        lambda: rg.evaluate(judgments, {"A": file, "B": file}, "RR"),
        lambda: rg.evaluate(judgments, {"A": "-", "B": "-"}, "RR"),
        lambda: rg.diff({"q": items}, {"q": items}),
        lambda: rg.attribute(judgments, rows, rows, "RR"),
        lambda: rg.evaluate({"q": items}, {"q": items}, "RR"),
    ):
        with pytest.raises(rg.InputError, match="can be read only once"):
            call()
    assert [*items] == ["a", "b"]  # nothing was read


def test_a_labelled_series_is_refused_as_ambiguous() -> None:
    """Its labels or its values could be the items."""
    with pytest.raises(rg.InputError, match="to_dict"):
        rg.evaluate(JUDGMENTS, {"q": pd.Series({"a": 0.9, "b": 0.1})}, "RR")
    with pytest.raises(rg.InputError, match="to_dict"):
        rg.evaluate({"q": pd.Series({"a": 1, "b": 0})}, LISTS, "RR")


def test_group_sizes_offsets_and_query_ids_can_be_iterators() -> None:
    """``groups=iter(...)`` was a TypeError."""
    labels, scores = np.array([1, 0, 1]), np.array([0.3, 0.2, 0.1])
    for option, given in {"groups": [2, 1], "offsets": [0, 2, 3], "query_ids": [7, 7, 8]}.items():
        for form in (iter(given), np.array(given), pd.Series(given), (number for number in given)):
            assert [*values(rg.evaluate(labels, scores, "RR", **{option: form})).values()] == [1.0, 1.0]


@pytest.mark.parametrize(
    ("option", "given"),
    [
        ("groups", [2.7]),
        ("groups", ["2"]),
        ("groups", [[2]]),
        ("groups", [True, True]),
        ("groups", [float("nan")]),
        ("groups", 2),
        ("groups", [[1], [1, 2]]),
        ("offsets", [0, 0.9, 2.2]),
        ("query_ids", 7),
        ("query_ids", "ab"),
    ],
)
def test_group_sizes_and_offsets_that_are_not_whole_numbers_are_refused(option: str, given: Any) -> None:
    """D17: 2.7 was read as 2."""
    with pytest.raises(rg.ParameterError, match=option):
        rg.evaluate(np.array([1, 0]), np.array([0.3, 0.2]), "RR", **{option: given})


LABELS = np.ma.array([[1, 0, 1], [0, 1, 0]], mask=[[1, 0, 0], [0, 0, 0]])
SCORES = np.array([[3.0, 2.0, 1.0], [3.0, 2.0, 1.0]])
MASKED_SCORES = np.ma.array(SCORES, mask=[[0, 0, 1], [0, 0, 0]])


def streamed(judgments: Any, scores: Any, mask: Any = None) -> float:
    streaming = rg.StreamingScores("AP")
    streaming.update(judgments=judgments, scores=scores, mask=mask)
    return streaming.compute().mean("AP")


MASKED: dict[str, Callable[[Any, Any], float]] = {
    "matrix": lambda labels, scores: rg.evaluate(labels, scores, "AP").mean("AP"),
    "flat": lambda labels, scores: rg.evaluate(labels.ravel(), scores.ravel(), "AP", groups=[3, 3]).mean("AP"),
    "compare": lambda labels, scores: (
        rg.compare(labels, {"A": scores, "B": SCORES}, "AP").scores.system("A").mean("AP")
    ),
    "lists": lambda labels, scores: (
        sum(rg.AP.of(grades, scores=points) for grades, points in zip(labels, scores, strict=True)) / 2
    ),
    "explain": lambda labels, scores: sum(rg.explain(labels, scores, "AP", query).value for query in (0, 1)) / 2,
    "StreamingScores": streamed,
    "StreamingScores with a mask": lambda labels, scores: streamed(labels, scores, np.ones((2, 3), bool)),
    "boosted trees": lambda labels, scores: GroupMeans("AP", None)(labels.ravel(), scores.ravel(), [3, 3])[rg.AP],
    "scikit-learn": lambda labels, scores: _Mean(rg.AP, rg.Convention())(
        labels.ravel(), scores.ravel(), [0, 0, 0, 1, 1, 1]
    ),
}


@pytest.mark.parametrize("call", MASKED)
def test_masked_labels_are_unjudged_and_masked_scores_are_refused(call: str) -> None:
    """D7: masks were ignored in silence, so that a masked label counted."""
    evaluate = MASKED[call]
    assert evaluate(LABELS, SCORES) == pytest.approx((1 / 3 + 1 / 2) / 2)
    assert evaluate(np.ma.array(LABELS.data), np.ma.array(SCORES)) == evaluate(LABELS.data, SCORES)
    with pytest.raises(rg.InputError, match=r"scores\[.*\] is masked"):
        evaluate(LABELS.data, MASKED_SCORES)


def test_other_masked_arrays_are_refused() -> None:
    """D7: sizes, queries, items, samples and grading rules."""
    flat = {"labels": np.ones(2), "scores": np.array([2.0, 1.0])}
    masked = np.ma.array([1, 1], mask=[0, 1])
    for option in ("groups", "offsets", "query_ids"):
        with pytest.raises(rg.InputError, match=rf"{option}\[1\] is masked"):
            rg.evaluate(*flat.values(), "RR", **{option: masked})
    with pytest.raises(rg.InputError, match=r"items.* is masked"):
        rg.evaluate({"q": {"a": 1}}, {"q": np.ma.array(["a", "b"], mask=[1, 0])}, "RR")
    with pytest.raises(rg.InputError, match=r"mask.* is masked"):
        streamed(LABELS, SCORES, np.ma.array(np.ones((2, 3)), mask=LABELS.mask))
    with pytest.raises(rg.RankgaugeError):
        rg.stats.paired_t(np.ma.array([1.0, 2.0, 3.0], mask=[1, 0, 0]), [1.0, 2.0, 4.0])
    stars = rg.evaluate(np.ma.array([[5, 4, 1]], mask=[[1, 0, 0]]), SCORES[:1], "RR", grades=rg.grades.stars)
    assert stars.mean("RR") == 0.5
