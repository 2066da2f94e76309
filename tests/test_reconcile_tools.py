"""Reconcile: which tools have a metric, in which form, and in which order they are named."""

from functools import partial

import pytest

import rankgauge as rg
from command_line import here
from rankgauge.reconciliation.equivalent_rules import simplified
from rankgauge.reconciliation.search_space import declared_values
from registries import PRESETS, RULES

almost = partial(pytest.approx, rel=1e-9, abs=1e-9, nan_ok=True)

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
        if (
            rule in {"rel", "duplicates", "k_counts"} or RULES[rule].unsearched
        ):  # levels of the data; nothing is repeated
            continue
        assert {*declared_values(rule)} <= {*space.choices[rule]}, rule
        for value in space.choices[rule]:
            rules = rg.Convention(**{rule: value})
            try:
                expected = rg.evaluate(JUDGMENTS, RANKING, metric, convention=rules).mean(metric)
            except rg.RankgaugeError:
                continue
            setting = simplified(data, parsed, rules)
            assert data.mean(setting) == almost(expected), (rule, value)


def test_a_rule_without_effect_on_the_data_is_not_a_difference():
    whole, fraction = (rg.reconcile(grades, metric=f"P@{len(grades)}") for grades in ([1, 0], [1, 0, 1]))
    rounded = [
        next(tool.setting.convention.rounding for tool in found.tools if tool.name == "opensearch")
        for found in (whole, fraction)
    ]

    assert rounded == ["none", 2]  # 0.5 and 0.67


# Repeated items


REPEATED = {"q": ["a", "a", "b", "x", "x"], "r": ["c", "d"]}
GRADES = {"q": {"a": 1, "b": 2, "c": 0}, "r": {"d": 1}}


@pytest.mark.parametrize("metric", ["nDCG@3", "AP", "P@4", "RR", "R@2"])
def test_repeated_items_do_not_stop_reconcile(metric):
    found = rg.reconcile(GRADES, REPEATED, metric)

    assert {"RG305"} <= {finding.code for finding in found.findings}
    assert "more than once" in {tool.name: tool.refusal for tool in found.refused}["trec_eval-9"]
    for value in ("first", "close-up", "again", "set"):
        rules = rg.Convention(duplicates=value)
        mean = rg.evaluate(GRADES, REPEATED, metric, convention=rules).mean(metric)
        result = found.explain(f"{mean:.6f}") if mean <= 1 else None
        settings = [s for match in result.matches for s in (match.setting, *match.equivalent)] if result else []
        assert not result or value in {setting.convention.duplicates for setting in settings}
        assert found._data.mean(simplified(found._data, rg.parse(metric), rules)) == almost(mean)


def test_one_rule_for_repeated_items_is_one_change():
    judgments = {q: {f"{q}{i}": (q * i) % 4 for i in range(9)} for q in range(1, 4)}
    ranking = {q: [f"{q}{i}" for i in (3, 0, 3, 5, 1, 1, 8)] for q in judgments}
    rules = rg.preset("trec_eval-9").replace(duplicates="close-up")
    value = rg.evaluate(judgments, ranking, "AP", convention=rules).mean("AP")

    first = rg.reconcile(judgments, ranking, "map").explain(f"{value:.6f}").matches[0]

    assert (first.rules, first.confidence) == ((), "likely")  # the default with this rule
    assert first.setting.convention.duplicates == "close-up"
    elsewhere = rg.preset("letor").replace(duplicates="close-up", gain="linear")
    value = rg.evaluate(judgments, ranking, "nDCG@3", convention=elsewhere).mean("nDCG@3")
    assert rg.reconcile(judgments, ranking, "nDCG@3").explain(f"{value:.6f}").matches


def test_repeated_items_of_many_queries():
    judgments = {f"q{n}": {f"d{i}": (n * i) % 3 for i in range(6)} for n in range(80)}
    ranking = {q: [f"d{(i * 5 + int(q[1:])) % 7}" for i in (0, 1, 1, 2, 3, 0)] for q in judgments}
    moved = [("first", "different"), ("close-up", "returned"), ("again", "different")]
    for value, counted in [*((value, "places") for value in ("first", "close-up", "again", "set")), *moved]:
        rules = rg.Convention(duplicates=value, k_counts=counted)
        found = rg.reconcile(judgments, ranking, "nDCG@3", convention=rules)
        expected = rg.evaluate(judgments, ranking, "nDCG@3", convention=rules).mean("nDCG@3")
        assert found.value("yours") == almost(expected)


@pytest.mark.usefixtures("example_folder")
def test_repeated_items_of_files_are_noted_on_the_command_line(tmp_path):
    (tmp_path / "qrels.txt").write_text("q 0 a 1\nq 0 b 2\nr 0 c 1\n")
    (tmp_path / "run.txt").write_text("q Q0 a 1 3 t\nq Q0 a 2 2 t\nq Q0 b 3 1 t\nr Q0 c 1 1 t\n")

    result = here("reconcile", str(tmp_path / "qrels.txt"), str(tmp_path / "run.txt"), "-m", "map", "--value", "0.9167")

    assert (result.code, "RG305" in result.err) == (0, True)  # the default gives it
    assert "repeated items" in result.out
