"""Reconcile: which tools have a metric, in which form, and in which order they are named."""

import pytest

import rankgauge as rg
from rankgauge.conventions import PRESETS

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
