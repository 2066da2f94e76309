"""What RAG and vector-search tools compute beside metrics of one list: abstention, p-MRR, recall by distance."""

from __future__ import annotations

import json
import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import rankgauge as rg


def test_abstention_by_hand():
    """Of four values, 0, 0, 1, 1, 2, 2, 2, 3, 3, 3 and 3 are left out: rounded shares, at least one is left."""
    values, confidence = np.array([0.2, 1.0, 0.6, 0.4]), [1, 4, 2, 3]
    left_out = [min(round(rate / 10 * 4), 3) for rate in range(10)]
    own = [values[[0, 2, 3, 1]][count:].mean() for count in left_out]
    best = [values[[0, 3, 2, 1]][count:].mean() for count in left_out]
    areas = [sum((a + b) / 2 * 0.1 for a, b in pairwise(curve)) for curve in (own, best)]
    flat = values.mean() * 0.9
    assert rg.stats.abstention_nauc(values, confidence) == pytest.approx((areas[0] - flat) / (areas[1] - flat))
    assert rg.stats.abstention_nauc(values, values) == pytest.approx(1)
    assert math.isnan(rg.stats.abstention_nauc([0.1, 0.1, 0.1], [1, 2, 3]))
    for wrong in (([1, 2], [1]), ([], [])):
        with pytest.raises(rg.ParameterError, match="a value and a confidence for each query"):
            rg.stats.abstention_nauc(*wrong)


def test_abstention_nauc_equals_that_of_mteb():
    """Values written by ``parity/nauc_values.py``: sizes at which shares round either way, and equal confidences."""
    stored = json.loads(Path(__file__).with_name("data").joinpath("nauc.json").read_text(encoding="utf-8"))
    for world in stored["worlds"]:
        value = rg.stats.abstention_nauc(world["values"], world["confidence"])
        assert value == pytest.approx(world["nauc"], abs=1e-12), world


def test_abstention_takes_its_confidence_from_the_scores():
    judgments = {f"q{number}": {"a": 1} for number in range(6)}
    chance = np.random.default_rng(2)
    ranking = {query: dict(zip("abc", chance.random(3).tolist(), strict=True)) for query in judgments}
    result = rg.abstention(judgments, ranking, ["RR", "P@1"])
    values = [*rg.evaluate(judgments, ranking, "RR").per_query("RR").values()]
    scores = [sorted(own.values()) for own in ranking.values()]
    for name, confidence in {
        "max": [own[-1] for own in scores],
        "std": [np.std(own) for own in scores],
        "diff1": [own[-1] - own[-2] for own in scores],
    }.items():
        assert result.nauc("RR", name) == pytest.approx(rg.stats.abstention_nauc(values, confidence), nan_ok=True)
    rows = pl.DataFrame(
        [(query, item, score) for query, own in ranking.items() for item, score in own.items()],
        schema=["query", "item", "score"],
        orient="row",
    )
    assert rg.abstention(judgments, rows, ["RR", "P@1"]).values == result.values
    assert "best score" in result.document().to_text()
    assert "最高分" in result.document("zh").to_text()
    assert repr(result) == "<Abstention of 6 queries by RR, P@1>"


def test_p_mrr_by_hand():
    first, second = {"q": [*"abcd"], "p": [*"ab"]}, {"q": [*"bcda"], "p": [*"ba"]}
    assert rg.p_mrr({"q": ["a", "d"]}, first, second) == {"q": ((1 - 1 / 4) + (3 / 4 - 1)) / 2}
    assert rg.p_mrr({"p": ["x"]}, first, second) == {"p": 0}
    assert rg.p_mrr({"p": ["a"]}, first, {"p": ["b"]}) == {"p": 1 - 1 / 2}
    rows = [("q", item, -place) for place, item in enumerate("bcda")]
    assert rg.p_mrr({"q": ["a"]}, first, rows) == {"q": 0.75}
    with pytest.raises(rg.InputError, match="query 'z' is not in the first ranking"):
        rg.p_mrr({"z": ["a"]}, first, second)
    with pytest.raises(rg.InputError, match="pass a list of items"):
        rg.p_mrr({"q": "a"}, first, second)
    with pytest.raises(rg.ParameterError, match="changed"):
        rg.p_mrr({}, first, second)


def test_recall_by_distance_is_precision_of_labels():
    chance = np.random.default_rng(5)
    exact = np.sort(chance.random((100, 20)), axis=1)
    returned = np.sort(chance.choice(exact.ravel(), (100, 10)), axis=1)
    for given, limit in (
        ({}, exact[:, 9] + 0.001),
        ({"margin": 0.01, "relative": True}, exact[:, 9] * 1.01),
        ({"margin": 0.1, "relative": True}, exact[:, 9] * 1.1),
    ):
        labels = rg.neighbours.within_distance(returned, exact, k=10, **given)
        expected = [sum(d <= t for d in row[:10]) / 10 for row, t in zip(returned, limit, strict=True)]
        assert [*rg.evaluate(labels, -returned, "P@10").per_query("P@10").values()] == pytest.approx(expected)
    short = np.array([[0.1, 1e9, 1e9]])
    labels = rg.neighbours.within_distance(short, [[0.1, 0.2, 0.3]], k=3)
    assert rg.evaluate(labels, -short, "P@3").mean("P@3") == 1 / 3
    for wrong, message in (
        (([0.1], [[0.1]]), "a matrix"),
        (([[0.1]], [[0.1], [0.2]]), "not 1 and 2"),
        (([[0.1]], [[0.1]]), "at rank 10"),
    ):
        with pytest.raises(rg.RankgaugeError, match=message):
            rg.neighbours.within_distance(*wrong)


def test_vectordbbench_ndcg_ignores_the_order():
    """Grades 1/log2(rank in the exact list + 1), without a discount: A, B, C and C, B, A score the same."""
    exact = {"q": {item: 1 / math.log2(rank + 1) for rank, item in enumerate("ABD", 1)}}
    for order in ("CBA", "ABC"):
        value = rg.evaluate(exact, {"q": [*order]}, "nDCG(discount='none')@3").mean("nDCG(discount='none')@3")
        assert value == pytest.approx(0.765361, abs=5e-7)


@pytest.mark.parametrize(
    "name", ["context_recall", "ContextRecall", "context-recall", "llm_context_recall", "contextual_recall"]
)
def test_every_spelling_of_context_recall_lists_its_meanings_ids_first(name):
    with pytest.raises(rg.UnknownNameError, match="has four meanings") as error:
        rg.parse(name)
    assert "R with the preset ragas-id" in str(error.value).splitlines()[1]


@pytest.mark.parametrize(
    "name", ["context_precision", "ContextPrecision", "contextual_precision@5", "LLMContextPrecisionWithReference"]
)
def test_an_ambiguous_name_lists_its_meanings(name):
    with pytest.raises(rg.UnknownNameError, match="has five meanings") as error:
        rg.parse(name)
    assert "P with the preset ragas-id" in str(error.value).splitlines()[1]
    presets = {word.strip(",") for word in str(error.value).split() if word.startswith(("ragas-", "rag", "deep"))}
    assert presets == {"ragas-verdicts", "deepeval", "ragas-text", "ragas-id", "ragchecker"}
    with pytest.raises(rg.UnknownNameError, match=r"did you mean '\w*Precision'"):
        rg.parse("ContextPrecison")
    for other in ("ContextRecall", "ContextualRelevancy", "Faithfulness"):
        with pytest.raises(rg.UnknownNameError, match="verdicts"):
            rg.parse(other)
