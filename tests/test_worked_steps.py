"""Steps of kernels, rules, matching and statistics whose values are worked out by hand."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from rankgauge.comparison.pair import bootstrap_p

ROWS = pl.DataFrame(
    {"query": ["q"] * 3 + ["r"], "item": ["a", "b", "c", "d"], "chars": [4, 3, 1, 9], "score": [2.0, 3.0, 1.0, 5.0]}
)


@pytest.mark.parametrize(
    ("amount", "end", "items"),
    [
        (8, "kept", ["b", "a", "c", "d"]),
        (7, "kept", ["b", "a", "d"]),
        (7, "left-out", ["b", "a"]),
        (6, "left-out", ["b"]),
        (8, "left-out", ["b", "a", "c"]),
        (9, "left-out", ["b", "a", "c", "d"]),
        (1, "kept", ["b", "d"]),
        (1, "left-out", []),
        (7, "cut", ["b", "a"]),
    ],
)
def test_a_budget_ends_a_ranking_from_the_top_of_each_query(amount: int, end: str, items: list[str]) -> None:
    """b of length 3 comes first, then a of 4 and c of 1; RR of the item that alone is relevant tells its rank."""
    rules = rg.Convention(budget_end=end)
    ranks = {
        item: rg.evaluate({query: {item: 1}}, ROWS, f"RR@{amount}chars", convention=rules).mean()
        for query, item in ROWS.select("query", "item").rows()
    }
    q, r = ([item for item in items if item in of_query] for of_query in ("abc", "d"))
    kept = {item: 1 / rank for listed in (q, r) for rank, item in enumerate(listed, 1)}
    assert ranks == dict.fromkeys("abcd", 0) | kept


def test_the_last_item_is_cut_to_what_is_left_unless_it_is_there_already() -> None:
    """Of the second text, five characters are left of 12, and four of 8: then it is the first one again."""
    texts = {"q": {"ab c": 2.0, "ab c d e f": 1.0}}
    for chars, left in ((12, "ab c d e"), (9, "ab c "), (13, "ab c d e ")):
        assert rg.evaluate({"q": {left: 1}}, texts, f"RR@{chars}chars").mean() == 1 / 2
    scores = rg.evaluate({"q": {"ab c": 1}}, texts, ["RR@8chars", "DCG@8chars"])
    assert (scores.mean("RR@8chars"), scores.mean("DCG@8chars")) == (1, 1)


def test_a_rule_that_needs_places_of_copies_is_refused_only_where_scores_tie() -> None:
    """With ties="best", the place of a copy is open if its score is tied."""
    rules = rg.Convention(duplicates="close-up", ties="best", k_counts="returned")
    judged = {"q": {"a": 1, "b": 0}}
    rows = [("q", "b", 4.0), ("q", "b", 3.0), ("q", "a", 2.0)]
    assert rg.evaluate(judged, rows, "P@2", convention=rules).mean("P@2") == 0
    tied = [("q", "b", 4.0), ("q", "b", 3.0), ("q", "a", 3.0)]
    with pytest.raises(rg.ParameterError, match="k_counts"):
        rg.evaluate(judged, tied, "P@2", convention=rules)


def test_gold_texts_are_matched_in_the_order_of_scores_whatever_that_of_the_dict() -> None:
    """The item with the highest score is the first to stand for a gold text."""
    draw, golds = random.Random(1), {"q": {"red": 1, "blue": 1, "green": 1}}
    rules = rg.Convention(match="contained", duplicates="first")
    texts = ["red blue", "red", "blue green", "green", "red blue green", "x"]
    for _ in range(20):
        listed = [(text, float(score)) for score, text in enumerate(draw.sample(texts, 5))]
        values = {
            rg.evaluate(golds, {"q": dict(order)}, "nDCG", convention=rules).mean("nDCG")
            for order in (listed, listed[::-1], draw.sample(listed, 5))
        }
        assert len(values) == 1, listed


def test_single_rows_of_strata_are_merged_with_the_smallest_one() -> None:
    """Also where there are only two strata."""
    for strata, merged in (
        ([0, 0, 1], [0, 0, 0]),
        ([0, 1], [0, 0]),
        ([5], [0]),
        ([0, 0, 1, 1], [0, 0, 1, 1]),
        ([0, 1, 1, 2, 2, 2, 3], [2, 0, 0, 1, 1, 1, 2]),
        ([2, 2, 2, 1, 1, 0], [1, 1, 1, 0, 0, 0]),
    ):
        values = np.random.default_rng(0).random((len(strata), 3))
        found, expected = (rg.stats.all_pairs(values, strata=groups) for groups in (strata, merged))
        np.testing.assert_equal((found.error, found.critical), (expected.error, expected.critical))


def test_an_interval_of_a_difference_ends_at_the_largest_possible_one() -> None:
    """RR lies between 0 and 1, so that a difference lies between -1 and 1."""
    judged = {query: {"a": 1} for query in "qrs"}
    first = {"q": ["a"], "r": ["b", "a"], "s": ["b"]}
    second = {"q": ["b"], "r": ["a"], "s": ["a"]}
    pair = rg.compare(judged, {"x": first, "y": second}, "RR").pair("x", "y", "RR")
    assert (pair.interval.low, pair.interval.high) == (-1, 1)
    near = rg.compare(judged, {"x": first, "y": first | {"s": ["b", "b2", "a"]}}, "RR").pair("x", "y", "RR")
    reach = 4.302652729911275 * np.sqrt(1 / 27) / np.sqrt(3)  # t(0.975, 2); the differences are 0, 0, 1/3
    assert near.interval.low == pytest.approx(1 / 9 - reach)
    assert near.interval.high == pytest.approx(1 / 9 + reach)


def test_hedges_g_corrects_the_bias_of_few_queries() -> None:
    """With n queries, by 1 - 3 / (4 (n - 1) - 1); a single query has no spread."""
    values = {"x": [0.1, 0.5, 0.2, 0.9], "y": [0.3, 0.6, 0.9, 0.8]}
    pair = rg.Comparison.of({name: dict(enumerate(column)) for name, column in values.items()}, "m").pair("x", "y", "m")
    differences = np.array(values["y"]) - np.array(values["x"])
    d = differences.mean() / differences.std(ddof=1)
    assert pair.d_z == pytest.approx(d)
    assert pair.hedges_g == pytest.approx(d * (1 - 3 / 11))


def labelled(draw: np.random.Generator, labels: int, size: int) -> tuple[Any, Any]:
    """Proxies of queries, and labels of the first ones that depend on them."""
    proxies = draw.random(size)
    known = 0.3 + 0.5 * proxies + draw.normal(0, 0.1, size)
    known[labels:] = np.nan
    return known, proxies


@pytest.mark.parametrize("ddof", [0, 1])
@pytest.mark.parametrize("finite", [False, True])
def test_the_variance_of_ppi_is_that_of_its_formula(ddof: int, *, finite: bool) -> None:
    """Of the mean of these very queries, of which a part is labelled, or of those that they are a sample of."""
    for seed in range(5):
        labels, proxies = labelled(np.random.default_rng(seed), 12, 40)
        found = rg.stats.ppi_mean(labels, proxies, finite=finite, ddof=ddof)
        y, f, others = labels[:12], proxies[:12], proxies[12:]
        slope = ((y - y.mean()) @ (f - f.mean())) / (12 - ddof) / ((1 + 12 / 28) * proxies.var(ddof=1))
        slope = min(max(slope, 0), 1)
        if finite:
            variance = (y - slope * 40 / 28 * f).var(ddof=ddof) * (1 / 12 - 1 / 40)
        else:
            variance = (y - slope * f).var(ddof=ddof) / 12 + slope**2 * others.var(ddof=ddof) / 28
        assert found.slope == pytest.approx(slope)
        assert found.value == pytest.approx(y.mean() + slope * (others.mean() - f.mean()))
        reach = 1.959963984540054 * np.sqrt(variance)
        assert (found.low, found.high) == pytest.approx((found.value - reach, found.value + reach))


def test_a_number_of_relevant_items_is_exact_in_double_precision() -> None:
    """The largest is 2^53 - 1."""
    assert rg.R.of([1, 0], relevant=2**53 - 1) == 1 / (2**53 - 1)
    with pytest.raises(rg.ParameterError, match=r"below 2\^53"):
        rg.R.of([1, 0], relevant=2**53)


def test_strata_with_few_labels_share_a_slope_within_them() -> None:
    """The sum of products of deviations from the means of the strata by that of squares."""
    draw = np.random.default_rng(3)
    strata, proxies = np.repeat([0, 1, 2], 8), draw.random(24)
    labels = 0.2 + 0.6 * proxies + 0.3 * strata + draw.normal(0, 0.1, 24)
    labels[np.arange(24) % 8 >= 4] = np.nan
    products = squares = 0.0
    for stratum in range(3):
        rows = (strata == stratum) & ~np.isnan(labels)
        f, y = proxies[rows] - proxies[rows].mean(), labels[rows] - labels[rows].mean()
        products, squares = products + f @ y, squares + f @ f
    found = rg.stats.two_phase_mean(labels, proxies, strata=strata)
    assert found.slope == pytest.approx(products / squares)
    means = [
        labels[rows][:4].mean() + found.slope * (proxies[rows].mean() - proxies[rows][:4].mean())
        for rows in (strata == 0, strata == 1, strata == 2)
    ]
    assert found.value == pytest.approx(np.mean(means))


def test_the_scale_of_a_cwl_metric_has_a_width() -> None:
    """The lowest grade that counts is below the highest one."""
    assert rg.INST(min_grade=0, max_grade=1).of([1]) > 0
    with pytest.raises(rg.ParameterError, match=r"min_grade \(1\) must be below max_grade \(1\)"):
        rg.INST(min_grade=1, max_grade=1).of([1])


def test_rules_of_a_metric_that_are_not_replaced_stay() -> None:
    """Those of other metrics as well."""
    rules = rg.Convention(per_metric={"AP": {"ties": "mean", "undefined": 1}, "RR": {"ties": "worst"}})
    replaced = rules.replace_for("AP", ties="best")
    assert (replaced.for_metric("AP").ties, replaced.for_metric("AP").undefined) == ("best", 1)
    assert (replaced.for_metric("RR").ties, replaced.for_metric("P").ties) == ("worst", "best")
    assert replaced.replace_for("AP", undefined=0).rules_of("AP") == {}


def test_an_empty_list_with_scores_is_an_empty_list() -> None:
    """It has no first item."""
    for metric in (rg.nDCG, rg.RR, rg.P @ 2, rg.AP):
        assert metric.of([], scores=[], relevant=2) == metric.of([], relevant=2) == 0


def logistic(value: float) -> float:
    """The odds of a logarithm as a probability."""
    return float(1 / (1 + np.exp(-value)))


def test_a_system_that_wins_always_has_half_a_phantom_win_and_loss() -> None:
    """Without them its strength would have no finite maximum; the derivatives of the likelihood are 0."""
    for wins in ([[0, 3], [0, 0]], [[0, 4, 2], [0, 0, 1], [1, 0, 0]]):
        found = rg.stats.bradley_terry(wins)
        assert found.regularised == (len(wins) == 2)
        phantom = 0.5 * found.regularised
        for own, logs in enumerate(found.logs):
            slope = phantom * (1 - 2 * logistic(logs))
            for other, others in enumerate(found.logs):
                slope += wins[own][other] * logistic(others - logs) - wins[other][own] * logistic(logs - others)
            assert slope == pytest.approx(0, abs=1e-8)
    for shape in ([[0, 1, 2], [1, 0, 2]], [[0, 1]], [], [1, 2]):
        with pytest.raises(rg.ParameterError, match="expected a square matrix"):
            rg.stats.bradley_terry(shape)


def test_the_p_value_of_a_bootstrap_counts_samples_at_least_as_far() -> None:
    """From their own mean, and the data themselves; rounding makes no difference."""
    samples = np.array([0.1, 0.2, 0.3, np.nan])
    assert [bootstrap_p(difference, samples) for difference in (0.2, 0.1, 0.3 - 0.2, -0.1, 0.0)] == [
        0.25,
        0.75,
        0.75,
        0.75,
        1,
    ]


@pytest.mark.parametrize("number", [0, 1.5, -1, 2**53, 2.0**60])
def test_a_number_of_negatives_is_a_whole_number(number: float) -> None:
    """From 1 to below 2^53."""
    with pytest.raises(rg.ParameterError, match="a whole number of at least 1"):
        rg.TPR(negatives=number).of([1, 0])
    assert rg.TPR(negatives=2).of([1, 0, 0]) == rg.TPR(negatives=2.0).of([1, 0, 0]) == 1
