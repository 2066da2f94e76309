"""Presets against numbers of their tools that a preset once missed, one test for each."""

import pytest

import rankgauge as rg
from rankgauge.conventions import PRESETS


def mean(preset, name, judgments, ranking, k=None, **rules):
    """The mean of the metric that the tool calls by this name."""
    metric = PRESETS[preset].metrics[name].format(k=k)
    return rg.evaluate(judgments, ranking, metric, convention=rg.preset(preset).replace(**rules)).mean(metric)


def test_elliot_rendle_counts_items_that_are_relevant_not_all_above_zero():
    value = mean("elliot", "nDCGRendle2020@{k}", {"q": {"a": 1, "b": 3}}, {"q": ["a", "b"]}, k=2, rel=2)
    assert value == pytest.approx(0.6309, abs=5e-5)


def test_trec_eval_10_divides_the_gains_of_rbp_by_the_largest_grade_of_the_topic():
    value = mean("trec_eval-10", "rbp", {"q": {"a": 3, "b": 1}}, {"q": ["b", "a"]})
    assert value == pytest.approx(0.1 * (1 / 3 + 0.9))
    assert round(value, 4) == 0.1233
