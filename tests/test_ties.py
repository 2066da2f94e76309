"""Ties: the closed forms against all orderings, the bounds against their extremes."""

import itertools
import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

import rankgauge as rg
from worlds import graded_metrics, pace

METRICS = {
    name: metric(max_grade=2) if "max_grade" in metric.definition.rules else metric
    for name, metric in graded_metrics().items()
}
CUTOFFS = st.sampled_from((None, 1, 2, 3))
TIED = {"grades": [1, 0, 1], "scores": [1, 1, 1]}
each_metric = pytest.mark.parametrize("name", METRICS)


def at(metric, k):
    """The metric at this cutoff, if it has one."""
    return metric @ k if "k" in metric.definition.parameters else metric


def declares(metric, condition):
    """Whether a declared condition of the metric holds for its parameters."""
    return metric.definition.holds(condition, metric.resolve().arguments)


@st.composite
def tied_lists(draw):
    """Short lists with few different scores, and grades of judged items that were not returned."""
    size = draw(st.integers(1, 6))
    grades = draw(st.lists(st.sampled_from([None, 0, 1, 2]), min_size=size, max_size=size))
    scores = draw(st.lists(st.sampled_from([1, 2, 3]), min_size=size, max_size=size))
    unreturned = draw(st.lists(st.sampled_from([0, 1, 2]), max_size=2))
    return grades, scores, [grade for grade in grades if grade is not None] + unreturned


def all_orders(grades, scores):
    """Every order of the items in which no score rises."""
    by_score = {score: [g for g, s in zip(grades, scores, strict=True) if s == score] for score in set(scores)}
    runs = [by_score[score] for score in sorted(by_score, reverse=True)]
    for orders in itertools.product(*(list(itertools.permutations(run)) for run in runs)):
        yield list(itertools.chain(*orders))


def values_of_all_orders(metric, world):
    grades, scores, ideal = world
    return [metric.of(order, ideal=ideal) for order in all_orders(grades, scores)]


@each_metric
@pace(25)
@given(world=tied_lists(), k=CUTOFFS)
def test_mean_is_the_mean_over_all_orders_or_refused(name, world, k):
    metric = at(METRICS[name], k)
    grades, scores, ideal = world
    handled = declares(metric, metric.definition.ties_mean) or metric.definition.handles_ties(
        metric.resolve().arguments
    )

    if handled:
        closed_form = metric.of(grades, scores=scores, ideal=ideal, ties="mean")
        assert closed_form == pytest.approx(np.mean(values_of_all_orders(metric, world)), abs=1e-12, nan_ok=True)
    else:
        with pytest.raises(rg.ParameterError, match="no closed form for ties='mean'"):
            metric.of(**TIED, ties="mean")


@each_metric
@pace(25)
@given(world=tied_lists(), k=CUTOFFS)
def test_best_and_worst_are_the_extremes_over_all_orders_or_refused(name, world, k):
    metric = at(METRICS[name], k)
    grades, scores, ideal = world

    if declares(metric, metric.definition.ordered):
        values = values_of_all_orders(metric, world)
        expected = min(values), max(values)
        assert metric.bounds(grades, scores=scores, ideal=ideal) == pytest.approx(expected, abs=1e-12, nan_ok=True)
    else:
        with pytest.raises(rg.ParameterError, match="no best order"):
            metric.bounds(**TIED)


@pytest.mark.parametrize("text", ["AP(over='hits')@3", "LAUC(others='left out')@2"])
def test_a_parameter_can_rule_out_the_mean_and_the_best_order(text):
    with pytest.raises(rg.ParameterError, match="no closed form for ties='mean'"):
        rg.parse(text).of(**TIED, ties="mean")
    with pytest.raises(rg.ParameterError, match="no best order"):
        rg.parse(text).bounds(**TIED)


def test_an_ideal_of_the_returned_items_is_averaged_too():
    metric, grades, scores = rg.nDCG(ideal="returned") @ 2, [2, None, 1, 0], [1, 1, 1, 0]

    brute_force = np.mean([metric.of(order) for order in all_orders(grades, scores)])
    assert metric.of(grades, scores=scores, ties="mean") == pytest.approx(brute_force, abs=1e-12)


def test_published_tie_averages():
    # The list B of the tool comparison: y = 0,2,1,0,3,0 with scores .5,.5,.5,.2,.2,.1, checked there by brute force.
    grades, scores = [0, 2, 1, 0, 3, 0], [0.5, 0.5, 0.5, 0.2, 0.2, 0.1]

    expected = {
        "AP": 0.7620370370, "RR": 0.8333333333, "P@1": 0.6666666667, "P@4": 0.625, "nDCG@1": 0.3333333333,
        "nDCG@3": 0.4474995011, "nDCG@5": 0.7050236985, "nDCG(gain='exp2')@1": 0.1904761905,
        "nDCG(gain='exp2')@3": 0.3024915808, "nDCG(gain='exp2')": 0.6071244964, "DCG": 3.357223802,
    }  # fmt: skip
    for text, value in expected.items():
        assert rg.parse(text).of(grades, scores=scores, ties="mean") == pytest.approx(value, abs=1e-9), text
    assert rg.AP.bounds(grades, scores=scores) == pytest.approx((0.5888888889, 0.9166666667), abs=1e-9)


def test_order_rules():
    grades, scores, items = [0, 1], [1, 1], ["a", "b"]

    def rank_of_relevant(ties, items=items, **rules):
        return rg.FirstRank.of(grades, scores=scores, items=items, ties=ties, convention=rg.Convention(**rules))

    assert rank_of_relevant("id") == 1, "b stands before a in descending order"
    assert rank_of_relevant("id", items=None) == 2, "without ids the input order holds"
    assert rank_of_relevant("input") == 2
    assert rank_of_relevant("id-ascending") == 2
    assert rank_of_relevant("input-reversed") == 1
    assert rank_of_relevant("together") == 2
    assert rank_of_relevant("mean-rank") == 1.5
    assert rank_of_relevant("best") == 1
    assert rank_of_relevant("worst") == 2
    assert rank_of_relevant("mean") == 1.5
    assert {rank_of_relevant("random", seed=seed) for seed in range(20)} == {1, 2}
    assert rank_of_relevant("random", seed=3) == rank_of_relevant("random", seed=3)


def test_random_order_does_not_depend_on_the_order_of_the_rows():
    forward = rg.RR.of([0, 1, 0], scores=[1, 1, 1], items=["a", "b", "c"], ties="random")
    backward = rg.RR.of([0, 1, 0], scores=[1, 1, 1], items=["c", "b", "a"], ties="random")

    assert forward == backward


@pytest.mark.parametrize(("ids", "first"), [(["9", "10"], 1), ([9, 10], 1), (["é", "z"], 1), (["\ud800", "z"], 1)])
def test_ids_are_compared_by_the_bytes_of_their_text(ids, first):
    assert rg.FirstRank.of([1, 0], scores=[1, 1], items=ids) == first


def test_single_precision_makes_ties():
    scores = [1.0, 1.0 + 1e-9]

    assert rg.RR.of([1, 0], scores=scores) == 0.5
    single = rg.Convention(score_precision="float32", ties="input")
    assert rg.RR.of([1, 0], scores=scores, convention=single) == 1.0


def test_scores_too_large_for_single_precision_tie_without_a_warning():
    """Scores above 3.4e38 made NumPy warn of an overflow, which a command reported as a bug of rankgauge."""
    single = rg.Convention(score_precision="float32", ties="input")
    ranking, rows = {"q": {"a": 1e39, "b": 1e300}}, {"query": ["q"] * 2, "item": ["a", "b"], "score": [1e39, 1e300]}
    judgments = {"q": {"a": 1, "b": 0}}

    assert rg.RR.of([1, 0], scores=[1e39, 1e300], convention=single) == 1.0
    assert rg.evaluate(np.array([[1, 0]]), np.array([[1e39, 1e300]]), "RR", convention=single).mean("RR") == 1.0
    for source in (ranking, pl.DataFrame(rows)):
        assert rg.evaluate(judgments, source, "RR", convention=single).mean("RR") == 1.0
        assert rg.evaluate(judgments, source, "RR").mean("RR") == 0.5


def test_unjudged_bounds():
    assert (rg.P @ 4).bounds([1, None, None, 0], over="unjudged") == (0.25, 0.75)
    assert rg.DCG.bounds([None], over="unjudged", grade=3) == (0.0, 3.0)
    assert (rg.P(rel=2) @ 1).bounds([None], over="unjudged") == (0.0, 1.0), "at the metric's own level"


@pace(50)
@given(st.lists(st.sampled_from([None, 0, 1]), max_size=6), st.floats(0.1, 0.9))
def test_residual_is_the_width_of_the_unjudged_bounds_of_rbp(grades, p):
    low, high = rg.RBP(p=p).bounds(grades, over="unjudged")
    after_the_list = p ** len(grades)

    assert rg.RBPresidual(p=p).of(grades) == pytest.approx(high - low + after_the_list, abs=1e-12)


def test_large_runs_of_ties_stay_exact():
    size = 2000
    grades = [1] * 10 + [0] * (size - 10)
    value = rg.RR.of(grades, scores=[0.0] * size, ties="mean")

    none_before = [math.comb(size - i, 10) / math.comb(size, 10) for i in range(size + 1)]
    expected = math.fsum((none_before[i] - none_before[i + 1]) / (i + 1) for i in range(size))
    assert value == pytest.approx(expected, rel=1e-12)


def test_rule_together_ranks_tied_items_at_the_end_of_their_tie():
    grades, scores = [0, 1, 1, 1, 0], [3, 3, 2, 2, 1]

    def together(metric, **given):
        return rg.parse(metric).of(grades, scores=scores, ties="together", **given)

    assert together("AP") == pytest.approx((1 / 2 + 3 / 4 + 3 / 4) / 3)
    assert together("RR") == 1 / 2
    assert together("P@1") == 0
    assert together("P@2") == 1 / 2
    assert together("DCG") == pytest.approx(1 / np.log2(3) + 2 / np.log2(5))
    assert together("AUC") == pytest.approx((1 + 0.5 + 2 * 1) / (3 * 2)), "a tied pair counts half, as always"
    assert together("AP", convention=rg.Convention(unjudged="removed")) == together("AP")
    rows = rg.AP.explain(grades, scores=scores, items=list("abcde"), ties="together").steps.rows
    assert [(row.item, row.contribution) for row in rows] == [
        ("b", 1 / 2),
        ("a", 0),
        ("c", 3 / 4),
        ("d", 3 / 4),
        ("e", 0),
    ]


def test_rule_mean_rank_ranks_tied_items_at_the_mean_of_their_ranks():
    grades, scores = [0, 1, 1, 1, 0], [3, 3, 2, 2, 1]

    def value(metric, **given):
        return rg.parse(metric).of(grades, scores=scores, ties="mean-rank", **given)

    assert value("RR") == 1 / 1.5
    assert value("RR(of='all')") == pytest.approx((1 / 1.5 + 1 / 3.5 + 1 / 3.5) / 3)
    assert value("AP") == pytest.approx((1 / 1.5 + 2 * (1 + 1 + 0.5) / 3.5) / 3), "half of the other tied hit is above"
    assert [value(f"R@{k}") for k in (1, 2, 3, 4)] == [0, 1 / 3, 1 / 3, 1]
    assert value("DCG") == pytest.approx(1 / np.log2(2.5) + 2 / np.log2(4.5))
    assert value("AUC") == pytest.approx((1 + 0.5 + 2 * 1) / (3 * 2)), "a tied pair counts half, as always"
    assert value("AP", convention=rg.Convention(unjudged="removed")) == value("AP")


@pytest.mark.parametrize(
    ("metric", "ties"),
    [
        *((metric, "mean-rank") for metric in ("P@2", "CappedRecall@2", "F@2", "R(over='min(k,R)')@2", "nDCG@2")),
        *((metric, "mean-rank") for metric in ("Judged@2", "Unjudged@2", "Q", "AP(at='every')", "AP(over='k')@2")),
        *((metric, ties) for metric in ("Fallout@2", "IPrec", "IAP", "LAUC@2") for ties in ("mean-rank", "together")),
    ],
)
def test_metrics_that_count_places_refuse_shared_ranks(metric, ties):
    """With three items at rank 2, P@2 was 1.5, IPrec 3 and Fallout@2 -1."""
    tied = {"scores": [1, 1, 1, 0.5], "ties": ties}
    with pytest.raises(rg.ParameterError, match="needs a rank of its own for each item") as refused:
        rg.parse(metric).of([1, 1, 1, 0], **tied)
    assert "自己的名次" in refused.value.render("zh")
    if "@" in metric and ties == "mean-rank" and "over" not in metric and metric[:4] not in {"Fall", "LAUC"}:
        assert rg.parse(metric).of([1, 1, 1, 0], scores=[4, 3, 2, 1], ties=ties) >= 0
        assert rg.parse(metric.partition("@")[0]).of([1, 1, 1, 0], **tied) <= 1


def test_a_tie_that_ends_after_the_cutoff_is_explained_to_its_end():
    """Three items at rank 2 are all in the top 2."""
    rows = (rg.DCG @ 2).explain([0, 1, 1], scores=[1, 1, 1], ties="mean-rank").steps.rows
    assert sum(row.contribution for row in rows) == pytest.approx(2 / np.log2(3))


def test_the_mean_rank_is_that_of_scipy():
    chance = np.random.default_rng(3)
    for _ in range(200):
        size = int(chance.integers(1, 9))
        grades, scores = chance.integers(0, 3, size), chance.integers(0, 4, size) / 4
        ranks = rankdata(-scores)[grades > 0]
        given = {"scores": scores, "ties": "mean-rank"}
        if len(ranks):
            assert rg.RR.of(grades, **given) == pytest.approx(1 / ranks.min(), rel=1e-14)
            assert rg.RR(of="all").of(grades, **given) == pytest.approx((1 / ranks).mean(), rel=1e-14)
            assert rg.DCG(gain="binary").of(grades, **given) == pytest.approx((1 / np.log2(ranks + 1)).sum(), rel=1e-14)
        for k in (1, 2, 3):
            assert (rg.NumRelRet @ k).of(grades, **given) == (ranks <= k).sum()


@pytest.mark.parametrize(
    ("metric", "rules"), [("FirstRank", {"unjudged": "removed-after-cut"}), ("P(judged_only=True)@3", {})]
)
def test_rule_together_where_unjudged_items_are_removed(metric, rules):
    """An unjudged item in one query gave the tied items of every query of the batch ranks of their own."""
    labels, scores = np.array([[0, 2, 0], [1, 1, np.nan]]), np.array([[-1, -1, 0.5], [1, 1, 0.25]])
    together = rg.Convention(ties="together", **rules)
    values = rg.evaluate(labels, scores, metric, convention=together).per_query(metric)

    assert values[0] == rg.evaluate(labels[:1], scores[:1], metric, convention=together).per_query(metric)[0]


@pytest.mark.parametrize(
    ("metric", "value"),
    [
        ("AP@2", (1 / 2 + 1 / 4) / 2),
        ("AP(over=hits)", ((1 + 2 / 3) / 2 + (1 / 2 + 2 / 3) / 2) / 2),
        ("AP(over=hits)@2", None),
        ("RR@2", (1 + 1 / 2) / 2),
        ("RR(of=hits)", ((1 + 1 / 3) / 2 + (1 / 2 + 1 / 3) / 2) / 2),
        ("RR(of=hits)@2", None),
    ],
)
def test_ties_are_averaged_unless_the_order_moves_the_denominator(metric, value):
    """The hits in the top 2 are one or two, depending on the order of the two tied items."""
    data = {"q": {"a": 1, "b": 0, "c": 1}}, {"q": {"a": 1.0, "b": 1.0, "c": 0.5}}, [metric]
    if value is None:
        with pytest.raises(rg.ParameterError, match="no closed form"):
            rg.evaluate(*data, convention=rg.Convention(ties="mean"))
    else:
        assert rg.evaluate(*data, convention=rg.Convention(ties="mean")).mean(metric) == pytest.approx(value, rel=1e-14)


@pytest.mark.parametrize("ties", ["mean", "best", "worst", "together", "mean-rank", "input", "input-reversed"])
def test_arrays_with_ties_equal_dicts(ties):
    labels = np.array([[1, 0, 2, 0], [0, 1, 0, 1], [0, 0, 1, 0]])
    scores = np.array([[1, 1, 1, 0], [2, 2, 1, 1], [4, 3, 2, 1]]) * 1.0
    chosen = ["AP", "RR", "DCG@2", "R@2", "R@1"] + (["AUC"] if ties == "input" else [])
    chosen += ["nDCG@2", "P@2", "P@1"] if ties != "mean-rank" else []
    convention = rg.Convention(ties=ties, tied_at_k="all" if ties == "input" else "cut")
    judgments, ranking = ({q: dict(enumerate(row.tolist())) for q, row in enumerate(m)} for m in (labels, scores))
    arrays, dicts = (
        rg.evaluate(*data, chosen, convention=convention) for data in ((labels, scores), (judgments, ranking))
    )
    for metric in chosen:
        assert arrays.values(metric).tolist() == pytest.approx(dicts.values(metric).tolist(), rel=1e-14)


@pytest.mark.parametrize(("unjudged", "value"), [("nonrelevant", 1 / 3), ("removed", 1 / 2)])
def test_a_cutoff_extended_to_the_end_of_a_tie_ignores_removed_items(unjudged, value):
    """At rank 1 a, b and the unjudged x are tied, and c follows."""
    rules = rg.Convention(tied_at_k="all", unjudged=unjudged)
    data = {"q": {"a": 1, "b": 0, "c": 1}}, {"q": {"a": 1.0, "b": 1.0, "x": 1.0, "c": 0.5}}
    assert rg.evaluate(*data, ["P@1"], convention=rules).mean("P@1") == pytest.approx(value, rel=1e-14)


@pytest.mark.parametrize(("ties", "value"), [("id", 1), ("together", 1 / 2), ("mean-rank", 1 / 1.5)])
def test_rule_together_ignores_removed_items(ties, value):
    data = {"q": {"a": 1, "b": 1, "c": 0}}, {"q": {"a": 1.0, "b": 1.0, "x": 1.0, "c": 0.5}}
    assert rg.evaluate(*data, ["RR"], convention=rg.Convention(ties=ties, unjudged="removed")).mean("RR") == value


def test_a_shuffle_stays_the_same_over_versions():
    """The order of six tied items under the first seeds and a large one."""
    items = [*"abcdef"]
    shuffled = {}
    for seed in (0, 1, 2, 1 << 40):
        rules = rg.Convention(ties="random", seed=seed)
        ranks = {
            item: 1 / rg.evaluate({"q": {item: 1}}, {"q": dict.fromkeys(items, 0.5)}, "RR", convention=rules).mean()
            for item in items
        }
        shuffled[seed] = "".join(sorted(items, key=ranks.__getitem__))
    assert shuffled == {0: "abfecd", 1: "dcaefb", 2: "aebdfc", 1 << 40: "ecbfda"}


def test_an_explanation_says_which_items_tie_and_what_decides():
    judgments, ranking = {"q": {"a": 1, "b": 0, "c": 2}}, {"q": dict.fromkeys("abc", 0.9)}
    explained = rg.explain(judgments, ranking, "nDCG@3", "q")

    assert explained.tied == explained.to_dict()["tied"] == 3
    assert "Tied scores: 3 items with the score of another; ties=id: by item id" in explained.to_text()
    assert "分数并列：3 个物品" in explained.to_text("zh")
    assert "Tied" not in rg.explain(judgments, {"q": {"a": 3, "b": 2, "c": 1}}, "nDCG@3", "q").to_text()


def test_chances_below_one_are_not_said_to_be_relevant_items():
    """Tied with another item, each of the two is relevant with a chance of a half."""
    assert "counts as relevant" not in rg.AUC.explain([1, 0, 1], scores=[0.5, 0.5, 0.1]).to_text()
    assert "counts as relevant" in rg.AP.explain([2, 1, 1], scores=[0.5, 0.5, 0.1]).to_text()
