"""Every value of a rule has its effect, and every result carries its rules."""

import copy
import gc
import inspect
import json
import pickle
import weakref
from types import UnionType
from typing import Literal, Union, get_args, get_origin, get_type_hints

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from command_line import here
from rankgauge.engines.tables.sql import matching_scope
from registries import RULES

JUDGMENTS = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"a": 1}, "q3": {"b": 0}}
RANKING = {"q1": ["b", "a", "x"], "q3": ["b"]}


def mean(metric, **rules):
    return rg.evaluate(JUDGMENTS, RANKING, metric, convention=rg.Convention(**rules)).mean(metric)


def test_the_default_has_a_name():
    """The command line takes it, reconcile prints it, and Python called it an unknown preset."""
    assert rg.preset("default") == rg.Convention()
    assert rg.evaluate(JUDGMENTS, RANKING, "AP", convention="default").convention == rg.Convention()
    with pytest.raises(rg.UnknownNameError, match="did you mean 'default'"):
        rg.evaluate(JUDGMENTS, RANKING, "AP", convention="defualt")


def test_defaults():
    assert rg.Convention(
        gain="linear", discount="log2(i+1)", ideal="judged", ideal_cut="k", p_over="k", r_over="R", ap_over="R", rel=1,
        max_grade=4, recall_point="ceil", ties="id", tied_at_k="cut", seed=0, undefined=0, short_list="computed", rounding="none", missing="zero", unjudged="nonrelevant",
        unjudged_in_ideal="yes", fractions="keep", negative="unjudged", score_precision="float64", averaging="mean", no_relevant="computed", no_queries="nan", ap_at="relevant",
        rr_of="relevant", counts="sum", hit_if="returned", stop="exp2", tied_pairs="half",
        per_metric={},
    ) == rg.Convention()  # fmt: skip


@pytest.mark.parametrize("name", RULES)
def test_every_rule_is_documented_in_both_languages(name):
    rule = RULES[name]

    for phrase in (rule.title, rule.question, rule.why, *rule.values.values()):
        assert phrase.en
        assert phrase.zh
        assert phrase.en == phrase.zh or any("\u4e00" <= c <= "\u9fff" for c in phrase.zh)


LITERALS = get_type_hints(rg.Convention)
DESCRIPTIONS = {
    "similar>=x",
    "similar>x",
    "covers>=x",
    "covers>=x of chunk",
    "covers>=x joint",
    "jk(b)",
    "function",
    "{grade: gain}",
    ">x (such as >0.5)",
    "grade",
    "decimals",
    "number",
    "{}",
    "{metric: {rule: value}}",
}
"""What describes a value instead of naming one."""


def names_of(hint):
    """The strings that the Literals of a type hint allow."""
    if get_origin(hint) is Literal:
        return {*get_args(hint)}
    return (
        set().union(*(names_of(part) for part in get_args(hint))) if get_origin(hint) in {Union, UnionType} else set()
    )


@pytest.mark.parametrize("name", RULES)
def test_the_type_of_a_rule_lists_its_values(name):
    values = {*RULES[name].values} - (DESCRIPTIONS - ({"grade"} if name == "stop" else set()))
    allowed = names_of(LITERALS[name])

    assert {getattr(rg.Convention(**{name: value}), name) for value in allowed} == values
    assert values <= allowed


def test_a_misspelt_rule_is_named_wherever_it_is_passed():
    for make in (rg.Convention, rg.Convention().replace):
        with pytest.raises(rg.UnknownNameError, match="unknown rule 'gian'; did you mean 'gain'"):
            make(gian="exp2")
    assert copy.copy(rg.Convention(rel=2)) == copy.deepcopy(rg.Convention(rel=2)) == rg.Convention(rel=2)


def test_conventions_are_not_kept_alive_by_caches():
    conventions = (rg.Convention(rel=level) for level in range(3000))
    references = [(rg.P.of([1], convention=convention), weakref.ref(convention))[1] for convention in conventions]
    gc.collect()

    assert sum(reference() is not None for reference in references) <= 1024


def test_of_returns_one_value_under_every_rule_for_ties():
    with pytest.raises(rg.ParameterError, match=r"use bounds\(\)"):
        rg.P.of([1, 0], scores=[1, 1], ties="bounds")


@pytest.mark.parametrize("take", [rg.AP.of, rg.AP.explain, rg.AP.curve, rg.AP.bounds])
def test_one_list_takes_a_preset_by_name(take):
    with pytest.raises(rg.UnknownNameError, match="did you mean 'lightgbm'"):
        take([1, 0], convention="lightgmb") if take != rg.AP.curve else (rg.AP @ 1).curve([1], convention="lightgmb")


def test_undefined():
    # q2 is missing and q3 has nothing relevant: AP of q1 is (1/2) / 2, of q2 0, of q3 0/0.
    assert mean("AP") == pytest.approx((1 / 4 + 0 + 0) / 3)
    assert mean("AP", undefined=1) == pytest.approx((1 / 4 + 0 + 1) / 3)
    assert mean("AP", undefined=0.5) == pytest.approx((1 / 4 + 0 + 1 / 2) / 3)
    assert mean("AP", undefined="skip") == pytest.approx((1 / 4 + 0) / 2)
    assert str(mean("AP", undefined="nan")) == "nan"


def test_missing():
    assert mean("RR") == pytest.approx((1 / 2 + 0 + 0) / 3)
    assert mean("RR", missing="skip") == pytest.approx((1 / 2 + 0) / 2)
    assert rg.evaluate(JUDGMENTS, RANKING, "RR").missing == ("q2",)


def test_unjudged():
    grades = [None, 1, None, 1]
    assert rg.AP.of(grades) == (1 / 2 + 2 / 4) / 2
    assert rg.AP.of(grades, convention=rg.Convention(unjudged="removed")) == 1.0
    assert (rg.P @ 2).of(grades, convention=rg.Convention(unjudged="removed")) == 1.0
    assert rg.NumRet.of(grades, convention=rg.Convention(unjudged="removed")) == 2
    assert rg.AP.of(grades, convention=rg.Convention(unjudged=1)) == 1.0
    assert rg.CG.of(grades, convention=rg.Convention(unjudged=3)) == 3 + 1 + 3 + 1


def test_removed_items_do_not_take_part_in_ties():
    removed = rg.Convention(unjudged="removed")
    assert (rg.P @ 1).of([1, None, 0], scores=[1, 1, 1], ties="mean") == 1 / 3
    assert (rg.P @ 1).of([1, None, 0], scores=[1, 1, 1], ties="mean", convention=removed) == 1 / 2


def test_negative():
    grades = [-1, 2, 0]
    assert rg.Judged.of(grades) == 2 / 3, "a negative grade is an item of the pool that nobody judged"
    assert rg.CG.of(grades) == 2
    assert rg.Judged.of(grades, convention=rg.Convention(negative="zero")) == 1
    assert rg.CG.of(grades, convention=rg.Convention(negative="keep")) == -1 + 2 + 0
    assert rg.RR.of(grades, convention=rg.Convention(unjudged="removed")) == 1
    assert rg.IDCG.of([1], ideal=[1, -1], convention=rg.Convention(negative="unjudged")) == 1


def test_averaging():
    scores = {"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": 1}}
    ranking = {"q1": ["a"], "q2": ["x", "a"], "q3": ["x", "y", "z", "a"]}

    def averaged(averaging, **given):
        return rg.evaluate(scores, ranking, "RR", convention=rg.Convention(averaging=averaging), **given).mean("RR")

    assert averaged("mean") == pytest.approx((1 + 1 / 2 + 1 / 4) / 3)
    assert averaged("geometric") == pytest.approx((1 * 1 / 2 * 1 / 4) ** (1 / 3))
    assert averaged("median") == pytest.approx(1 / 2)
    assert averaged("weighted", weights={"q1": 1, "q2": 1, "q3": 2}) == pytest.approx((1 + 1 / 2 + 2 / 4) / 4)


def test_counts_are_added_and_gmap_is_geometric():
    scores = rg.evaluate({"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": ["a"], "q2": ["x", "a"]}, ["NumRet", "GMAP"])

    assert scores.mean("NumRet") == 3
    assert scores.mean("GMAP") == pytest.approx((1 * 1 / 2) ** (1 / 2))


def test_first_rank_is_left_out_where_nothing_was_found():
    scores = rg.evaluate({"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": ["x", "a"], "q2": ["x"]}, "FirstRank")

    assert scores.mean("FirstRank") == 2
    assert "1 query left out" in str(scores)


def test_a_convention_prints_in_one_line_and_in_full():
    convention = rg.Convention(gain="exp2", discount="jk(10)", rel=2)

    assert "gain=exp2 · discount=jk(10)" in convention.line()
    assert "增益=exp2" in convention.line(lang="zh")
    assert all(name in convention.document().to_text() for name in RULES)
    assert "Järvelin" in convention.document("zh").to_text()
    assert json.loads(json.dumps(convention.to_dict()))["gain"] == "exp2"


def test_a_parameter_of_the_metric_overrides_the_convention():
    convention = rg.Convention(gain="exp2", rel=3)

    assert rg.CG.of([2], convention=convention) == 3
    assert rg.CG(gain="linear").of([2], convention=convention) == 2
    assert rg.P(rel=1).of([2], convention=convention) == 1
    assert "gain=linear" in (rg.nDCG(gain="linear") @ 5).line(convention)


def test_every_result_carries_its_convention():
    convention = rg.Convention(gain="exp2")
    scores = rg.evaluate(JUDGMENTS, RANKING, "nDCG@5", convention=convention)

    assert scores.convention is convention
    assert "gain=exp2" in str(scores)
    assert scores.to_dict()["convention"]["gain"] == "exp2"
    assert rg.nDCG.explain([1], convention=convention).convention.gain == "exp2"
    assert rg.nDCG.explain([1], ideal=[1, 2]).convention.ideal == "given"


def test_discounts_of_many_ranks_have_the_digits_of_each_rank():
    """A query with one relevant item has the same DCG alone and among thousands."""
    labels, scores = np.tile(np.eye(200), (10, 1)), -np.tile(np.arange(200.0), (2000, 1))
    for name in ["log2(i+1)", "log2(i)", "1/i", "jk(3)"]:
        metric = rg.DCG(discount=name)
        among = rg.evaluate(labels, scores, metric).values(metric)
        alone = [metric.of(row) for row in labels[:200]]

        assert among.tolist() == alone * 10, name


def test_queries_without_relevant_items():
    # q2 is missing and counts 0; q3 has nothing relevant, so that RR and P are 0 there, not 0/0.
    assert mean("P@1") == pytest.approx(0)
    assert mean("RR", no_relevant="skip") == pytest.approx((1 / 2 + 0) / 2)
    assert mean("nDCG", no_relevant="skip", undefined=1) == pytest.approx(mean("nDCG", undefined="skip"))
    assert mean("RR", no_relevant="skip", rel=2) == pytest.approx(1 / 2)
    assert str(rg.RR.of([0, 0], convention=rg.Convention(no_relevant="skip"))) == "nan"
    scores = rg.evaluate(JUDGMENTS, RANKING, "RR", convention=rg.Convention(no_relevant="skip"))
    assert "1 query left out" in str(scores)
    assert "nothing relevant=skip" in str(scores)
    explained = rg.nDCG.explain([0.5, 0], convention=rg.Convention(no_relevant="zero"))
    assert explained.value == 0
    assert "Nothing is relevant, so the value is 0" in explained.to_text()
    text = rg.RR.explain([0, 0], convention=rg.Convention(no_relevant="skip")).to_text()
    assert "the query is excluded" in text


def test_average_precision_at_every_rank():
    every = rg.Convention(ap_at="every")
    assert "sum of 1/i from here on" in rg.AP.explain([1, 0], convention=every).to_text()
    assert rg.AP.of([1, 0, 1], convention=every) == pytest.approx((1 / 1 + 1 / 2 + 2 / 3) / 2)
    assert (rg.AP(over="k") @ 4).of([1, 0, 1], convention=every) == pytest.approx((1 + 1 / 2 + 2 / 3 + 2 / 4) / 4)
    assert (rg.AP(over="min(R,k,n)") @ 4).of([1, 0], relevant=5) == pytest.approx(1 / 2)


def test_reciprocal_rank_of_the_best_item():
    best = rg.Convention(rr_of="best")
    assert rg.RR.of([1, 2, 0], convention=best) == 1 / 2
    assert rg.RR.of([1, 2, 0], ideal=[1, 2, 0, 3], convention=best) == 0, "the best was not returned"
    assert rg.RR.of([0, 0], convention=best) == 0
    assert rg.RR.of([1, 2], scores=[1, 1], ties="mean", convention=best) == pytest.approx((1 / 1 + 1 / 2) / 2)


def test_counts_can_be_averaged():
    assert mean("NumRelRet", counts="sum") == 1
    assert mean("NumRelRet", counts="mean") == pytest.approx(1 / 3)


def test_rules_of_single_metrics():
    rules = {"undefined": 1, "per_metric": {"AP": {"undefined": 0}, "RR": {"missing": "skip", "rel": 3}}}
    assert mean("R", **rules) == pytest.approx((1 / 2 + 0 + 1) / 3)
    assert mean("AP", **rules) == pytest.approx((1 / 4 + 0 + 0) / 3)
    assert mean("RR", **rules) == 0
    scores = rg.evaluate(JUDGMENTS, RANKING, ["RR", "AP"], convention=rg.Convention(**rules))
    assert [*scores.per_query("RR")] == ["q1", "q3"]
    assert [*scores.per_query("AP")] == ["q1", "q2", "q3"]
    text = scores.document(per_query=True).to_text()
    assert [line.split()[1:3] for line in text.splitlines() if line.startswith("q2")] == [["–", "0.000000"]]
    assert "0/0=0" in rg.AP.line(rg.Convention(**rules))
    assert "0/0=1" in rg.R.line(rg.Convention(**rules))
    assert rg.Convention(**rules).to_dict()["per_metric"]["RR"] == {"missing": "skip", "rel": 3}
    assert "AP: {undefined: 0}" in rg.Convention(**rules).line()
    assert hash(rg.Convention(**rules)) == hash(rg.Convention(**rules))


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"AP": {"score_precision": "float32"}}, "rule of a single metric"),
        ({"AP": {"ties": "input"}}, "orders the items of every metric alike"),
        ({"AP": {"undefined": "x"}}, "undefined must be"),
        ({"AP": 3}, "a table"),
        (3, "a table"),
        ({"Precision": {"undefined": 0}}, "metric of per_metric"),
    ],
)
def test_invalid_rules_of_single_metrics_are_refused(table, words):
    with pytest.raises(rg.ParameterError, match=words):
        rg.AP.of([1], convention=rg.Convention(per_metric=table))


def test_only_items_with_a_score_above_zero_are_hits():
    above_zero = rg.Convention(hit_if="score>0")
    grades, scores = [1, 0, 1, 1], [0.5, 0.2, -1, 0]

    def value(metric, **given):
        return rg.parse(metric).of(grades, scores=scores, convention=above_zero, **given)

    assert value("P@3") == pytest.approx(1 / 3)
    assert value("R@4") == pytest.approx(1 / 3), "R counts all that is relevant"
    assert value("AP") == pytest.approx(1 / 3)
    assert value("AP(over='hits')") == 1
    assert value("F@4") == pytest.approx(2 * (1 / 4) * (1 / 3) / (1 / 4 + 1 / 3))
    assert rg.RR.of([0, 1], scores=[-1, -2], convention=above_zero) == 0
    assert rg.HR.of([0, 1], scores=[-1, -2], convention=above_zero) == 1, "only P, R, F, AP and RR"
    assert rg.P.of([1, 0], convention=above_zero) == 1 / 2, "a list without scores"
    judged = {"q": dict(enumerate(grades))}
    by_dict = rg.evaluate(judged, {"q": dict(enumerate(scores))}, "AP", convention=above_zero)
    rows = [("q", item, score) for item, score in enumerate(scores)]
    frame = pl.DataFrame(rows, schema=["query", "item", "score"], orient="row")
    by_frame = rg.evaluate(judged, frame, "AP", convention=above_zero)
    by_array = rg.evaluate(np.array([grades]), np.array([scores]), "AP", convention=above_zero)
    assert by_dict.mean("AP") == by_frame.mean("AP") == by_array.mean("AP") == value("AP")
    by_list = rg.evaluate(judged, {"q": [0, 1, 2, 3]}, "AP", convention=above_zero)
    assert by_list.mean("AP") == pytest.approx((1 + 2 / 3 + 3 / 4) / 3)


def test_the_chance_to_stop_can_be_the_grade():
    assert rg.ERR(stop="grade").of([0.5, 0.25]) == pytest.approx(1 / 2 + 1 / 2 * 1 / 4 / 2)
    with pytest.raises(rg.InputError, match="not a probability"):
        rg.ERR(stop="grade").of([2])


def test_an_ideal_of_k_items_with_the_best_grade():
    full = rg.Convention(ideal="full", gain="binary")
    assert (rg.nDCG @ 2).of([1, 0], convention=full) == pytest.approx(1 / (1 + 1 / np.log2(3)))
    assert (rg.IDCG @ 3).of([1, 2, 0], convention=rg.Convention(ideal="full", discount="none")) == 3 * 2
    assert rg.IDCG.of([1, 2], convention=rg.Convention(ideal="full", discount="none")) == 2 * 2
    assert (rg.nDCG @ 3).of([0, 0], convention=full) == 0


def test_relevant_above_a_number():
    assert rg.P(rel=">0.5").of([0.5, 0.6]) == 1 / 2
    assert str(rg.P(rel=">0.5") @ 3) == "P(rel='>0.5')@3"
    assert rg.parse("P(rel='>0.5')@3") == rg.P(rel=">0.5") @ 3
    above = rg.Convention(rel=">0")
    assert rg.NumRel.of([0, 0.001], convention=above) == 1
    assert "relevant from=>0" in above.line()
    assert above.meaning("rel", "zh") == "等级 >0"
    assert json.loads(json.dumps(above.to_dict()))["rel"] == ">0"
    assert pickle.loads(pickle.dumps(above)) == above  # noqa: S301 (made here)
    with pytest.raises(rg.ParameterError, match=r"'>0\.5'"):
        rg.Convention(rel="> many")


def test_a_gain_from_the_relevance_level_on():
    from_four = rg.Convention(gain="exp2-rel", rel=4)
    assert rg.CG.of([3, 4, 5], convention=from_four) == 0 + 1 + 3
    assert rg.CG.of([0, 1, 2], convention=rg.Convention(gain="exp2-rel")) == 0 + 1 + 3
    assert rg.nDCG.of([5, 4, 3], convention=from_four) == 1


def test_the_signature_lists_the_rules():
    assert [*inspect.signature(rg.Convention).parameters][:3] == ["gain", "discount", "ideal"]


def test_documents_without_reasons_have_the_other_columns():
    complete, short = (rg.Convention().document(reasons=reasons).blocks[-1].columns for reasons in (True, False))
    assert complete == ["rule", "value", "meaning", "reason for the default"]
    assert short == complete[:3]


def test_a_page_of_differences_names_its_columns():
    page = here("conventions", "diff", "default", "trec_eval-9", "-t", "md").out
    assert page.splitlines()[0].replace("\\", "") == "| rule | default | trec_eval-9 |"


def test_rules_that_every_table_shows():
    """The others are shown where they are not at their default, or where the data trigger them."""
    assert rg.Convention().notable(RULES) == [
        "gain",
        "discount",
        "ideal",
        "ideal_cut",
        "p_over",
        "r_over",
        "ap_over",
        "rel",
        "max_grade",
        "recall_point",
        "ties",
        "seed",
        "undefined",
        "unjudged",
        "negative",
        "tied_pairs",
    ]


def test_rules_that_apply_to_metrics_with_a_cutoff_only():
    of_every_metric = {*rg.P.definition.applicable_rules} - {*rg.P.definition.rules}
    assert of_every_metric - {*rg.AUC.definition.applicable_rules} == {"tied_at_k", "k_counts", "short_list"}


def test_a_matching_query_is_valid_under_these_rules():
    scope = "ties=id score_precision=float64 duplicates=error unjudged=nonrelevant hit_if=returned"
    assert matching_scope(rg.Convention(), 10) == f"{scope} depth=10"


def test_values_that_reconcile_does_not_try():
    assert {name: [*rule.untried] for name, rule in RULES.items() if rule.untried} == {
        "gain": ["{grade: gain}", "function"],
        "discount": ["function"],
        "ideal": ["given"],
        "ties": ["random"],
        "duplicates": ["error"],
        "undefined": ["nan", "error"],
        "negative": ["error"],
        "missing": ["error"],
        "averaging": ["weighted"],
        "no_queries": ["nan"],
    }
    assert {name: rule.tried for name, rule in RULES.items() if rule.tried} == {
        "discount": ("jk(10)",),
        "undefined": (0, 1, 0.5),
    }
    single = {name for name, rule in RULES.items() if rule.unsearched is not None}
    assert single == {"seed", "units", "rounding", "match", "budget_end", "per_metric"}


def test_rules_that_a_single_metric_cannot_have():
    assert {name for name, rule in RULES.items() if not rule.is_per_metric} == {
        "seed",
        "score_precision",
        "units",
        "counts",
        "averaging",
        "no_queries",
        "match",
        "budget_end",
        "per_metric",
    }
