"""Reconcile: which tools have a metric, in which form, and in which order they are named."""

import pytest

import rankgauge as rg
from rankgauge.conventions import PRESETS, RULES
from rankgauge.metric_core.description import can_be_passed
from rankgauge.reconciliation.equivalent_rules import simplified
from rankgauge.reconciliation.printed_number import nearly_equal
from rankgauge.reconciliation.search_space import NOT_TRIED

FILMS = [5, 3, 2, 1, 2]

UNCUT = {
    "nDCG": """trec_eval-9 trec_eval-10 pytrec_eval ir_measures ranx elasticsearch llama-index xgboost-1.7 xgboost-2 catboost
    catboost-exp catboost-position catboost-exp-position ranklib sklearn sklearn-ignore-ties tf-ranking rax allrank
    yahoo-ltrc cornac lenskit""",
    "AP": """trec_eval-9 trec_eval-10 pytrec_eval ir_measures ranx llama-index xgboost-1.7 xgboost-2 catboost ranklib
    sklearn-average-precision tf-ranking rax letor mslr cornac-map spark lenskit mcsherry-najork-2008""",
}
"""Tools that have the metric without a cutoff, or cut it silently; torchmetrics in all its versions as well."""


@pytest.mark.parametrize("metric", UNCUT)
def test_tools_that_have_a_metric_without_a_cutoff_are_not_listed_as_lacking_it(metric):
    lacking = set(rg.reconcile(FILMS, metric=metric).without_metric)
    torchmetrics = {name for name in PRESETS if name.startswith("torchmetrics")}

    assert set(PRESETS) - lacking >= {*UNCUT[metric].split(), *torchmetrics}
    assert lacking >= {"gdeval", "beir", "mteb", "lightgbm", "rectools", "recbole"}


def test_the_whole_list_counts_without_a_cutoff():
    found = rg.reconcile([0] * 40 + [1], metric="nDCG")

    assert found.value("sklearn") == found.value("ranx") == rg.nDCG.of([0] * 40 + [1])
    ranklib = {tool.metric_name: tool.setting.metric.k for tool in found.tools if tool.name == "ranklib"}
    assert ranklib == {"NDCG@0": None, "NDCG": 10}  # without @ it is cut silently


# Rules


JUDGMENTS = {
    "a": {"1": 3, "2": 0, "3": 1.5, "4": 2},
    "b": {"1": 0, "5": 2, "6": 1},
    "c": {"7": 0.5},
    "d": {"8": 1, "9": 3, "1": -1},
    "e": {"1": 1},
}
RANKING = {
    "a": {"2": 0.9, "1": 0.9, "x": 0.9, "3": 0.2, "4": 0.1},
    "b": {"y": 3.0, "5": 2.0, "6": 2.0, "1": -1.0},
    "c": {"7": 1.0, "z": 0.5},
    "d": {"z": 0.3000000001, "9": 0.3, "8": 0.1, "1": 0.0},
}


@pytest.mark.parametrize("metric", ["nDCG@3", "AP@3", "P@3", "RR", "RBP@3"])
def test_every_named_value_of_every_rule_is_tried_and_gives_the_value_of_evaluate(metric):
    found = rg.reconcile(JUDGMENTS, RANKING, metric)
    space, data, parsed = found._space, found._data, rg.parse(metric)
    for rule in parsed.definition.applicable_rules:
        if rule in {"rel", "seed", "rounding"}:  # numbers, not names
            continue
        named = {name for name in RULES[rule].values if name not in NOT_TRIED and can_be_passed(rule, name)}
        assert named <= {*space.choices[rule]}, rule
        for value in space.choices[rule]:
            rules = rg.Convention(**{rule: value})
            try:
                expected = rg.evaluate(JUDGMENTS, RANKING, metric, convention=rules).mean(metric)
            except rg.RankgaugeError:
                continue
            setting = simplified(data, parsed, rules)
            assert nearly_equal(data.mean(setting), expected), (rule, value)


def test_a_rule_without_an_effect_on_the_data_is_no_difference():
    whole, fraction = (rg.reconcile(grades, metric=f"P@{len(grades)}") for grades in ([1, 0], [1, 0, 1]))
    rounded = [
        next(tool.setting.convention.rounding for tool in found.tools if tool.name == "opensearch")
        for found in (whole, fraction)
    ]

    assert rounded == ["none", 2]  # 0.5 and 0.67
