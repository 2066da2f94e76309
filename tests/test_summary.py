"""Summary strategies: how the values of queries become one number under every convention."""

import duckdb
import numpy as np
import pyarrow as pa
import pytest

import rankgauge as rg
from devices import library

VALUES = np.array([0.2, 0.8, 0.5])


def summary(metric):
    return rg.parse(metric).definition.summary


@pytest.mark.parametrize(
    ("metric", "rules", "expected"),
    [
        ("AP", {}, 0.5),
        ("AP", {"averaging": "geometric"}, (0.2 * 0.8 * 0.5) ** (1 / 3)),
        ("AP", {"averaging": "median"}, 0.5),
        ("NumRel", {}, 1.5),
        ("NumRel", {"averaging": "median"}, 1.5),
        ("NumRel", {"counts": "mean"}, 0.5),
        ("GMAP", {"averaging": "median"}, np.exp(0.5)),
    ],
)
def test_values_of_queries_are_combined(metric, rules, expected):
    assert summary(metric).combine(VALUES, rg.Convention(**rules)) == pytest.approx(expected)


def test_weights_are_needed_for_a_weighted_average():
    weighted = rg.Convention(averaging="weighted")
    assert summary("AP").combine(VALUES, weighted, np.array([1.0, 1.0, 2.0])) == pytest.approx(2.0 / 4)
    with pytest.raises(rg.ParameterError, match="needs weights"):
        summary("AP").combine(VALUES, weighted)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({"q": 0, "r": 0}, "every weight is 0"),
        ({"q": 3, "r": -1}, "query 'r' has the weight -1; weights must not be negative"),
        ({"q": "3", "r": 1}, "the weight of query 'q' must be a finite number"),
        ({"q": 1}, "query 'r' has no weight"),
    ],
)
def test_weights_without_a_mean_are_refused(weights, message):
    """Zeros, and weights that cancel out, ended in a ZeroDivisionError."""
    weighted = rg.Convention(averaging="weighted")
    with pytest.raises(rg.RankgaugeError, match=message):
        rg.evaluate(
            {"q": {"a": 1}, "r": {"a": 1}}, {"q": ["a"], "r": ["a"]}, "RR", convention=weighted, weights=weights
        )


def test_a_query_of_weight_0_alone_has_no_mean():
    rules = rg.Convention(averaging="weighted", missing="skip")
    scores = rg.evaluate({"q": {"a": 1}, "r": {"a": 1}}, {"q": ["a"]}, "RR", convention=rules, weights={"q": 0, "r": 1})
    assert np.isnan(scores.mean("RR"))


def test_no_values_have_no_summary():
    for metric in ("AP", "NumRel", "GMAP"):
        assert np.isnan(summary(metric).combine(np.zeros(0), rg.Convention()))


def test_properties_of_each_strategy():
    facts = {
        metric: (s.has_query_values, s.is_resampled, s.is_count, s.is_mean(rg.Convention()), s.rules)
        for metric in ("AP", "NumRel", "GMAP", "GAUC", "Gini")
        for s in [summary(metric)]
    }
    assert facts == {
        "AP": (True, False, False, True, ("missing", "averaging", "no_queries")),
        "NumRel": (True, False, True, False, ("missing", "averaging", "counts", "no_queries")),
        "GMAP": (True, False, False, False, ("missing", "no_queries")),
        "GAUC": (True, True, False, False, ("missing",)),
        "Gini": (False, True, False, False, ("missing",)),
    }
    assert not summary("AP").is_mean(rg.Convention(averaging="median"))


def test_an_unknown_strategy_is_refused():
    with pytest.raises(rg.UnknownNameError, match="unknown summary 'corpuss'; did you mean 'corpus'"):

        @rg.metric(summary="corpuss")
        def Bad(j):
            """A metric with a typo."""


GRADES = {"q": {"a": 1, "b": 1, "c": 1}, "r": {"a": 1}, "s": {"z": 0}}
LISTS = {"q": ["a", "x", "b", "y"], "r": ["b", "a"], "s": ["y"]}
POOLED = rg.Convention(averaging="pooled")


@pytest.mark.parametrize(
    ("metric", "rules", "expected"),
    [
        ("R@2", {}, (1 + 1) / (3 + 1)),
        ("R@2", {"r_over": "min(k,R)"}, (1 + 1) / (2 + 1)),  # the recall of OTTO
        ("P@2", {}, (1 + 1) / (2 + 2 + 2)),
        ("P@2", {"no_relevant": "skip"}, (1 + 1) / (2 + 2)),
        ("P@2", {"p_over": "min(k,n)"}, (1 + 1) / (2 + 2 + 1)),
        ("AP", {"undefined": 1}, (1 + 2 / 3 + 1 / 2) / (3 + 1)),
        ("R@2", {"rounding": 1}, (3 * 0.3 + 1 * 1.0) / (3 + 1)),
        ("NumRel", {}, 4),
    ],
)
def test_pooled_averaging_divides_sums_by_sums(metric, rules, expected):
    scores = rg.evaluate(GRADES, LISTS, metric, convention=POOLED.replace(**rules))

    assert scores.mean(metric) == pytest.approx(expected)
    assert "averaging=pooled" in str(scores) or metric == "NumRel"


def test_pooled_averaging_without_a_denominator():
    """The rule for 0/0 applies to the pooled quotient, and that for no queries if none counts."""
    nothing, ranking = {"s": {"z": 0}, "t": {"z": 0}}, {"s": ["z"], "t": ["z"]}
    for undefined, expected in ((0, 0.0), (0.5, 0.5), ("nan", np.nan), ("skip", 0.25)):
        rules = POOLED.replace(undefined=undefined, no_queries=0.25)
        assert rg.evaluate(nothing, ranking, "R", convention=rules).mean("R") == pytest.approx(expected, nan_ok=True)


def test_metrics_that_are_not_quotients_are_not_pooled():
    for metric, reason in (("RR", "has no denominator"), ("DCG", "has no denominator"), ("YAAP", "is not a quotient")):
        with pytest.raises(rg.ParameterError, match=f"{metric} {reason}"):
            rg.evaluate(GRADES, LISTS, metric, convention=POOLED)
        assert rg.parse(metric).of([1, 0], convention=POOLED) == rg.parse(metric).of([1, 0])
    with pytest.raises(rg.ParameterError, match="needs the denominators of the queries"):
        rg.StreamingScores("P@2", convention=POOLED)
    with pytest.raises(rg.ParameterError, match="not a sum over queries"):
        rg.attribute(GRADES, LISTS, LISTS, "R@2", convention=POOLED)


def test_pooled_averaging_has_a_bootstrap_interval():
    random = np.random.default_rng(3)
    grades, scores = random.integers(0, 2, (60, 8)), random.random((60, 8))
    result = rg.evaluate(grades, scores, "R@3", convention=POOLED)
    found, sizes = result["R@3"] * grades.sum(1), grades.sum(1)
    samples = [found[rows].sum() / sizes[rows].sum() for rows in random.integers(0, 60, (4000, 60))]

    assert result.mean("R@3") == pytest.approx(found.sum() / sizes.sum())
    assert result.interval("R@3") == pytest.approx(np.quantile(samples, [0.025, 0.975]), abs=0.01)


def test_engines_pool_queries():
    random = np.random.default_rng(3)
    grades, scores = random.integers(0, 3, (20, 6)).astype(float), random.random((20, 6))
    metrics = ["R@3", "P@3", "nDCG@3"]
    expected = rg.evaluate(grades, scores, metrics, convention=POOLED).means()
    evaluate, where = library("numpy")
    arrays = evaluate(
        judgments=where.from_host(grades), scores=where.from_host(scores), metrics=metrics, convention=POOLED
    )
    rows, columns = np.indices(grades.shape)
    table = {"query": rows.ravel(), "item": columns.ravel()}
    con = duckdb.connect()
    con.register("judgments", pa.table({**table, "grade": grades.ravel()}))
    con.register("ranking", pa.table({**table, "score": scores.ravel()}))
    tables = rg.duckdb.evaluate(con, "judgments", "ranking", metrics, convention=POOLED)

    assert arrays.means() == pytest.approx(expected, abs=1e-12)
    assert tables.means() == pytest.approx(expected, abs=1e-12)


def test_reconcile_finds_a_pooled_average():
    matches = rg.reconcile(GRADES, LISTS, "R@2").explain("0.5000")
    own = rg.reconcile(GRADES, LISTS, "R@2", convention=POOLED)

    settings = [setting for match in matches.matches for setting in (match.setting, *match.equivalent)]
    assert any(setting.convention.averaging == "pooled" for setting in settings)
    assert own.value("yours") == 0.5


def test_metrics_of_items_are_pooled():
    """Values of metrics of items are known last; their weights must be, too."""
    shares = rg.SideInformation(popularity={"a": 3, "b": 1, "x": 1, "y": 1})
    for metric in ("ARP@2", "ARP@3"):
        single = rg.evaluate(GRADES, LISTS, metric, side_information=shares)
        pooled = rg.evaluate(GRADES, LISTS, metric, convention=POOLED, side_information=shares)
        sizes = np.minimum([4, 2, 1], int(metric[-1]))
        assert pooled.mean(metric) == pytest.approx((single[metric] * sizes).sum() / sizes.sum())


@pytest.mark.parametrize("averaging", ["mean", "geometric", "median", "weighted", "pooled"])
def test_a_summary_is_the_same_in_every_order_of_the_queries(averaging):
    rng = np.random.default_rng(3)
    judged = {f"q{query}": {f"d{item}": int(rng.integers(0, 4)) for item in range(12)} for query in range(60)}
    ranking = {query: {f"d{item}": float(rng.random()) for item in range(15)} for query in judged}
    weights = {query: float(rng.random()) for query in judged} if averaging == "weighted" else None
    rules = rg.Convention(averaging=averaging)
    metrics = [metric for metric in rg.metrics().values() if not metric.definition.of_items]
    if averaging == "pooled":
        metrics = [rg.parse(name) for name in ("AP", "nDCG", "R@5", "bpref", "infAP", "G", "GAUC")]

    def means(queries):
        scores = rg.evaluate({q: judged[q] for q in queries}, ranking, metrics, convention=rules, weights=weights)
        return [scores.mean(metric) for metric in metrics]

    assert np.array_equal(means([*judged]), means(rng.permutation([*judged]).tolist()), equal_nan=True)
