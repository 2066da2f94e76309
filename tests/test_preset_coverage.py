"""A preset passed by name warns about metrics that it does not cover, and names the preset of the tool that does."""

import warnings

import pytest

import rankgauge as rg
from rankgauge.conventions.presets import not_covered, siblings
from registries import PRESETS

JUDGMENTS = {"q": {"a": 1, "b": 0, "c": 1, "d": 0}}
RANKING = {"q": {"a": 0.3, "b": 0.5, "c": 0.3, "d": 0.1}}


@pytest.mark.parametrize(
    ("convention", "metric", "text"),
    [
        (
            "sklearn",
            "AP",
            "AP: use convention sklearn-average-precision, the rules of scikit-learn's average_precision_score",
        ),
        ("ir_measures", "RR@10", "RR@10: use convention ir_measures-msmarco, the rules of ir_measures's RR@10"),
        (
            "ir_measures",
            "Judged@2",
            "Judged@2: use convention ir_measures-msmarco, the rules of ir_measures's Judged@2",
        ),
        ("mteb", "RR@10", "RR@10: use convention mteb-mrr or mteb-mrr-2.18.18, the rules of MTEB's mrr_at_10"),
        ("xgboost-2", "AUC", "AUC: XGBoost does not have it"),
        ("mteb-mrr", "nDCG@5", "nDCG@5: use convention mteb, the rules of MTEB's ndcg_at_5"),
    ],
)
def test_a_metric_that_the_preset_does_not_cover_is_a_warning(convention: str, metric: str, text: str) -> None:
    """AP by the rules of nDCG was 0.618 where scikit-learn's average_precision_score gives 0.458, silently."""
    for verb in (rg.evaluate, rg.compare, rg.check):
        ranking = {"x": RANKING, "y": {"q": ["c", "a"]}} if verb is rg.compare else RANKING
        more = {"fail_if": f"{metric} < 0"} if verb is rg.check else {"metrics": metric}
        with pytest.warns(rg.DataWarning) as caught:
            verb(JUDGMENTS, ranking, convention=convention, **more)
        (warning,) = [warning for warning in caught if warning.message.code == "RG414"]
        assert text in str(warning.message)
        assert warning.filename == __file__


@pytest.mark.parametrize(
    ("convention", "metrics"),
    [
        ("sklearn-average-precision", "AP"),
        ("sklearn", "nDCG@3, AUC"),
        ("trec_eval-9", "num_rel_ret, iprec_at_recall_0.1, Rndcg, set_map, P_5, map"),
        ("ir_measures", "IPrec@0.1, RR, nDCG@10, NumQ, NumRel"),
        ("sklearn", "nDCG@3, Judged@3"),
        ("ranx", "bpref, AP@3"),
        ("xgboost-2", "AP@7, AP"),
        (PRESETS["sklearn"].convention, "AP"),
        (None, "AP"),
        ("default", "AP"),
    ],
)
def test_metrics_of_the_tool_and_rules_without_a_name_give_no_warning(convention: object, metrics: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", rg.DataWarning)
        warnings.filterwarnings("ignore", message="two items|.*RG212")
        scores = rg.evaluate(JUDGMENTS, RANKING, metrics, convention=convention)
    assert "RG414" not in {finding.code for finding in scores.findings}


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_covers_the_metrics_that_it_names(name: str) -> None:
    for notation in PRESETS[name].metrics.values():
        metric = rg.parse(notation.replace("{k}", "3"))
        assert PRESETS[name].has(metric.name)


@pytest.mark.parametrize("name", PRESETS)
def test_a_metric_that_only_other_presets_of_the_tool_name_is_a_warning(name: str) -> None:
    """The law: what a preset of the tool names is covered by it, or the warning names a preset that covers it."""
    for other in siblings(name):
        for notation in other.metrics.values():
            metric = rg.parse(notation.replace("{k}", "3"))
            covered = PRESETS[name].name_of(str(metric)) is not None or metric.name in PRESETS[name].more_metrics
            text = not_covered(name, str(metric), is_quality=metric.definition.is_quality)
            if covered or (PRESETS[name].has(str(metric)) and other.versions != PRESETS[name].versions):
                continue
            assert text is not None
            assert any(each.name in text.en for each in siblings(name))


# What calc_aggregate of ir_measures 0.4.3 gives: q2 has no results.
@pytest.mark.parametrize(
    ("metric", "value"),
    [("NumRel", 1), ("NumQ", 1), ("NumRet", 2), ("NumRelRet", 1), ("AP", 1 / 2), ("SetP", 1 / 4), ("R@2", 1 / 2)],
)
def test_counts_of_ir_measures_leave_out_queries_without_results(metric: str, value: float) -> None:
    judgments = {"q1": {"a": 1, "b": 0}, "q2": {"c": 2, "d": 1}}
    ranking = {"q1": {"a": 1.0, "b": 0.5}}
    for form in (ranking, [("q1", "a", 1.0), ("q1", "b", 0.5)]):
        assert rg.evaluate(judgments, form, metric, convention="ir_measures").mean() == value


@pytest.mark.parametrize("name", ["trec_eval-9", "trec_eval-10", "pytrec_eval"])
def test_presets_of_trec_eval_cover_its_metrics(name: str) -> None:
    later = {"DCG", "IDCG", "RBP"} if name != "trec_eval-10" else set()
    known = {metric.name for metric in rg.metrics().values() if metric.definition.trec and metric.definition.is_quality}
    assert {metric for metric in known if not PRESETS[name].has(metric)} == later


def test_a_curve_of_a_metric_that_is_not_covered_names_it_once() -> None:
    with pytest.warns(
        rg.DataWarning, match=r"cover x20; AP@1: use convention sklearn-average-precision, [^;]+ \[RG414"
    ):
        rg.curve(JUDGMENTS, RANKING, "AP", convention="sklearn")


@pytest.mark.parametrize(
    ("name", "metric", "preset"),
    [("ndcg_score", "nDCG", "sklearn"), ("average_precision_score", "AP", "sklearn-average-precision"),
     ("retrieval_reciprocal_rank", "RR", "torchmetrics-1.7.4")],
)  # fmt: skip
def test_a_function_of_a_tool_is_answered_with_metric_and_preset(name: str, metric: str, preset: str) -> None:
    """'ndcg_score' was answered with 'ndcg_rel'."""
    with pytest.raises(rg.UnknownNameError, match=f"write '{metric}' with convention='{preset}'"):
        rg.parse(name)


def test_the_page_of_a_preset_names_the_others_of_its_tool() -> None:
    assert "scikit-learn: sklearn-ignore-ties, sklearn-average-precision." in PRESETS["sklearn"].document().to_text()
    assert "scikit-learn 的其他预设：sklearn-ignore-ties" in PRESETS["sklearn"].document("zh").to_text()
