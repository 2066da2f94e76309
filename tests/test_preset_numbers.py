"""Presets against numbers of their tools that a preset once missed, one test for each."""

from math import log2

import numpy as np
import pytest

import rankgauge as rg
from registries import PRESETS


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


@pytest.mark.parametrize("preset", ["letor", "mslr"])
def test_letor_scripts_give_zero_for_a_list_shorter_than_k(preset):
    judgments, ranking = {"q": {"a": 2, "b": 0, "c": 0}}, {"q": ["a", "b", "c"]}
    assert mean(preset, "NDCG@{k}", judgments, ranking, k=5) == 0
    assert mean(preset, "NDCG@{k}", judgments, ranking, k=3) == 1
    assert mean(preset, "P@{k}", judgments, ranking, k=5) == 1 / 5
    assert rg.parse("nDCG@5").of([1, 0, 0], convention=preset) == 0


@pytest.mark.parametrize(("preset", "name"), [("opensearch", "Precision@{k}"), ("quepid", "p@{k}")])
def test_every_rating_above_zero_is_relevant_to_search_workbenches(preset, name):
    assert mean(preset, name, {"q": {"a": 0.5, "b": 0}}, {"q": ["a", "b"]}, k=2) == 0.5


def test_opensearch_rounds_the_value_of_each_query():
    judgments, ranking = {"q": {"a": 1}, "p": {"a": 1}}, {"q": ["x", "y", "a"], "p": ["a"]}
    assert mean("opensearch", "Precision@{k}", judgments, ranking, k=3) == (0.33 + 1) / 2


@pytest.mark.parametrize(
    ("preset", "value"),
    [("torchmetrics-1.1.1", 0.6309), ("torchmetrics-1.1.2", 0.8155), ("torchmetrics-1.2", 0.8155), ("torchmetrics-1.7.4", 0.8155)],
)  # fmt: skip
def test_torchmetrics_averages_ties_of_ndcg_since_1_1_2(preset, value):
    metric = PRESETS[preset].metrics["retrieval_normalized_dcg(top_k={k})"].format(k=3)
    got = rg.parse(metric).of([0, 1, 0], scores=[0.5, 0.5, 0.1], convention=preset)
    assert got == pytest.approx(value, abs=5e-5)


@pytest.mark.parametrize("preset", ["torchmetrics-1.1.2", "torchmetrics-1.2", "torchmetrics-1.7.4"])
def test_torchmetrics_has_an_average_precision_with_ties(preset):
    """Only nDCG averages ties there; AP@k raised an error because its mean over ties has no closed form."""
    metric = PRESETS[preset].metrics["retrieval_average_precision(top_k={k})"].format(k=2)
    assert rg.parse(metric).of([0, 1, 1], scores=[0.5, 0.5, 0.1], convention=preset) == 1 / 2
    assert (
        mean(preset, "retrieval_average_precision(top_k={k})", {"q": {"a": 1}}, {"q": {"a": 1.0, "b": 1.0}}, k=1) == 1
    )


def test_ranklib_cuts_the_labels_of_gains_to_integers():
    value = mean("ranklib", "DCG@{k}", {"q": {"a": 1.9, "b": 0.5}}, {"q": ["a", "b"]}, k=2)
    assert value == 2**1 - 1
    assert mean("ranklib", "P@{k}", {"q": {"a": 1.9, "b": 0.5}}, {"q": ["a", "b"]}, k=2) == 1


@pytest.mark.parametrize(
    ("preset", "name"), [("trec_eval-9", "ndcg_cut_{k}"), ("trec_eval-10", "ndcg_cut_{k}"), ("ranx", "dcg@{k}")]
)
def test_tools_that_read_integers_cut_fractional_grades(preset, name):
    whole, cut = ({"q": {"a": grade, "b": 2}} for grade in (1, 1.7))
    assert mean(preset, name, cut, {"q": ["a", "b"]}, k=2) == mean(preset, name, whole, {"q": ["a", "b"]}, k=2)


def test_elasticsearch_keeps_the_rating_of_unknown_documents_out_of_the_ideal():
    """unknown_doc_rating=1: the document without a rating gains 2^1 - 1 at rank 1, and the ideal is that of the other."""
    value = mean("elasticsearch", "dcg(normalize)", {"q": {"a": 1}}, {"q": ["x", "a"]}, unjudged=1)
    assert value == pytest.approx((1 + 1 / log2(3)) / 1)


def test_gdeval_has_a_mean_of_zero_when_no_topic_is_left():
    assert mean("gdeval", "ndcg@{k}", {"q": {"a": 0}}, {"q": ["a"]}, k=20) == 0


def test_ir_measures_counts_items_with_negative_grades_as_judged():
    judgments, ranking = {"q": {"a": 1, "b": -2, "c": 0}}, {"q": ["a", "b", "x"]}
    assert mean("ir_measures-msmarco", "Judged@{k}", judgments, ranking, k=3) == pytest.approx(0.6667, abs=5e-5)


def test_pyvespa_counts_queries_whose_grades_are_all_zero():
    judgments, ranking = {"q": {"a": 0.5}, "p": {"a": 0}}, {"q": ["a"], "p": ["a"]}
    assert mean("pyvespa", "ndcg@{k}", judgments, ranking, k=10) == 1 / 2


def test_lightgbm_pools_the_rows_of_all_queries_for_auc():
    labels, scores = np.array([[1, 0], [1, 0]]), np.array([[0.9, 0.8], [0.3, 0.2]])
    assert mean("lightgbm", "auc", labels, scores) == 0.75


@pytest.mark.parametrize(("preset", "value"), [("mteb-mrr-2.18.18", 1), ("mteb-mrr", 1 / 3)])
def test_mteb_orders_ties_of_mrr_by_id_since_august_2026(preset, value):
    ranking = {"q": {"a": 0.5, "b": 0.5, "c": 0.5}}
    assert mean(preset, "mrr_at_{k}", {"q": {"a": 1}}, ranking, k=5) == value


@pytest.mark.parametrize("preset", ["mteb-mrr-2.18.18", "mteb-mrr"])
def test_mteb_compares_scores_of_mrr_in_double_precision(preset):
    ranking = {"q": {"b": 1.00000001, "a": 1.00000002}}
    assert mean(preset, "mrr_at_{k}", {"q": {"a": 1}}, ranking, k=5) == 1


def test_ignite_has_no_reciprocal_rank():
    found = rg.reconcile({"q": {"a": 1, "b": 0}}, {"q": ["b", "a"]}, "RR@3")
    assert "ignite" in found.without_metric
    assert "ignite" not in [tool.name for tool in found.tools]


def test_the_evidently_preset_says_where_its_map_is_average_precision():
    assert any("rows sorted by score and lists of at least k items" in text.en for text in PRESETS["evidently"].defects)


def test_the_ms_marco_preset_says_that_the_script_ignores_grades():
    assert any("ignore the grade column" in note.en for note in PRESETS["ms-marco"].notes)


def test_the_ranklib_preset_says_that_rr_is_single_precision():
    assert any("RR is a single-precision number" in note.en for note in PRESETS["ranklib"].notes)


def test_elasticsearch_can_ignore_unlabeled_hits_in_precision():
    """ignore_unlabeled: of the first 3 hits one has no label, and one of the other two is relevant."""
    judgments, ranking = {"q": {"a": 1, "b": 0, "c": 1}}, {"q": ["x", "a", "b", "c"]}
    rules = rg.preset("elasticsearch").replace(unjudged="removed-after-cut")
    assert rg.evaluate(judgments, ranking, "P@3", convention=rules).mean("P@3") == 1 / 2
