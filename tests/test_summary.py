"""Summary strategies: how the values of queries become one number under every convention."""

import numpy as np
import pytest

import rankgauge as rg

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


def test_no_values_have_no_summary():
    for metric in ("AP", "NumRel", "GMAP"):
        assert np.isnan(summary(metric).combine(np.zeros(0), rg.Convention()))


def test_what_each_strategy_has():
    facts = {
        metric: (s.has_query_values, s.is_resampled, s.is_count, s.is_mean(rg.Convention()), s.rules)
        for metric in ("AP", "NumRel", "GMAP", "GAUC", "Gini")
        for s in [summary(metric)]
    }
    assert facts == {
        "AP": (True, False, False, True, ("averaging", "no_queries")),
        "NumRel": (True, False, True, False, ("averaging", "counts", "no_queries")),
        "GMAP": (True, False, False, False, ("no_queries",)),
        "GAUC": (True, True, False, False, ()),
        "Gini": (False, True, False, False, ()),
    }
    assert not summary("AP").is_mean(rg.Convention(averaging="median"))


def test_an_unknown_strategy_is_refused():
    with pytest.raises(rg.UnknownNameError, match="unknown summary 'corpora'; did you mean 'corpus'"):

        @rg.metric(summary="corpora")
        def Bad(j):
            """A metric with a typo."""
