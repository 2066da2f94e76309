"""Metrics as values: text and back, equality, hashing, aliases, trec_eval's names."""

import pickle
import re
from functools import partial
from types import FunctionType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankgauge as rg
from registries import RULES

OWN_VALUES = {
    "beta": [0.5, 0.9],
    "p": [0.5, 0.95],
    "T": [0.5, 2.5],
    "min_grade": [1],
    "normalize": [False],
    "rel": [2],
    "recall": [0, 0.1, 1],
    "floor": [1e-3],
    "graded": [True, False],
    "multiple": [0.5, 2],
    **{name: [-1, 0.5] for name in ("hit", "noise", "miss", "rest")},
    "collection": [7],
    **{name: [True, False] for name in ("count", "recommended", "corrected", "normalised", "relevant")},
    "least": [2],
    "lowest": [1],
    "weight": ["positives", "equal"],
    "max_fpr": [0.1, 0.5],
    "negatives": [3],
    "scale": ["share", "none"],
    "items": [100],
    "others": ["left out"],
    "chunks": ["touching", "bordering"],
    "overlaps": ["each"],
    "unreturned": ["left out"],
    "alpha": [0.3],
    "divergence": ["js"],
    "base": [2, 10],
    "unit": ["count", "users"],
    "head": [0.5, 1],
    "distance": ["cosine", "jaccard"],
    "likeness": ["overlap"],
    "judged_only": [True],
}
RULE_VALUES = {
    "gain": ["linear", "exp2", "binary", {0: 0, 1: 3, 2.5: 9}, {1: 3, "other": "linear"}],
    "discount": ["log2(i+1)", "log2(i)", "1/i", "none", "jk(3)"],
    "rel": [1, 2, 0.5],
    "max_grade": [2, 4, "largest"],
}


@st.composite
def metrics(draw):
    """Any metric with any of its parameters set."""
    metric = draw(st.sampled_from(sorted(rg.metrics().values(), key=str)))
    chosen = {}
    for name, parameter in metric.definition.parameters.items():
        if not draw(st.booleans()):
            continue
        if name == "k":
            chosen[name] = draw(st.integers(1, 10**6))
        elif parameter.rule is None:
            chosen[name] = draw(st.sampled_from(OWN_VALUES[name]))
        else:
            chosen[name] = draw(st.sampled_from(RULE_VALUES.get(parameter.rule) or [*RULES[parameter.rule].values]))
    return metric(**chosen)


@settings(max_examples=500, deadline=None, derandomize=True)
@given(metrics())
def test_text_parses_to_the_same_metric(metric):
    assert rg.parse(str(metric)) == metric
    assert hash(rg.parse(str(metric))) == hash(metric)
    assert str(rg.parse(str(metric))) == str(metric)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.text(max_size=40))
def test_any_text_is_a_metric_or_a_clear_error(text):
    try:
        metric = rg.parse(text)
    except rg.ParameterError as error:
        assert str(error)
    else:
        assert rg.parse(str(metric)) == metric


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("NDCG@10", "nDCG@10"), ("ndcg@10", "nDCG@10"), ("MAP", "AP"), ("map@5", "AP@5"), ("MRR@10", "RR@10"), ("mrr", "RR"),
        ("HR@10", "HR@10"), ("Recall@5", "R@5"), ("recall@5", "R@5"), ("Success@1", "HR@1"), ("Hit@3", "HR@3"),
        ("HitRate@3", "HR@3"), ("Precision@5", "P@5"), ("F1@5", "F@5"), ("p@5", "P@5"), ("auc", "AUC"),
        ("ndcg_cut.10", "nDCG@10"), ("ndcg_cut_10", "nDCG@10"), ("P_5", "P@5"), ("P.5", "P@5"), ("recip_rank", "RR"),
        ("map", "AP"), ("map_cut_100", "AP@100"), ("recall_1000", "R@1000"), ("success_5", "HR@5"), ("Rprec", "Rprec"),
        ("bpref", "bpref"), ("infAP", "infAP"), ("iprec_at_recall_0.10", "IPrec(recall=0.1)"), ("11pt_avg", "IAP"),
        ("gm_map", "GMAP"), ("set_P", "P"), ("set_recall", "R"), ("set_F", "F"), ("num_ret", "NumRet"), ("num_rel", "NumRel"),
        ("num_rel_ret", "NumRelRet"), ("relative_P_5", "P(over='min(k,R)')@5"), ("ndcg", "nDCG"), ("dcg", "DCG"),
        ("nDCG( gain = exp2 ) @ 10", "nDCG(gain='exp2')@10"), ('nDCG(gain="exp2")@10', "nDCG(gain='exp2')@10"),
        ("P(k=5)", "P@5"), ("nDCG(gain={1:3,2:9})@10", "nDCG(gain={1: 3, 2: 9})@10"), ("F(beta=1)", "F"), ("F(beta=2.0)", "F(beta=2)"),
        ("DCG(discount=log2)", "DCG(discount='log2(i+1)')"), ("nDCG(k=None)", "nDCG"),
    ],
)  # fmt: skip
def test_common_names_are_accepted(written, meant):
    assert str(rg.parse(written)) == meant


def test_metrics_are_hashable_values():
    assert rg.nDCG(gain="exp2") @ 10 == rg.nDCG(k=10, gain="exp2")
    assert rg.nDCG @ 10 != rg.nDCG @ 5
    assert rg.nDCG(gain="linear") != rg.nDCG, "one is fixed, the other follows the convention"
    assert rg.F(beta=1) == rg.F, "the default of its own parameter is the metric itself"
    assert len({rg.AP, rg.AP @ 5, rg.AP(k=5), rg.parse("MAP@5")}) == 2
    assert rg.nDCG != "nDCG"
    assert (rg.nDCG @ 10).k == 10
    assert (rg.nDCG @ 10) @ None == rg.nDCG


def test_metrics_and_conventions_can_be_pickled():
    convention = rg.Convention(gain={1: 3}, ties="mean")
    metric, rules = pickle.loads(pickle.dumps((rg.nDCG(gain="exp2") @ 10, convention)))  # noqa: S301

    assert metric == rg.nDCG(gain="exp2") @ 10
    assert (rules, hash(rules)) == (convention, hash(convention))


def scaled(by):
    return lambda grade: grade * by


def gains_that_differ():
    """Functions of one name, each with another code, constant, default, variable or global."""
    table = np.array([0.0, 1.0, 3.0])
    others = [lambda grade: grade * 2, lambda grade: grade * 3, lambda grade: grade**2, lambda grade, by=4: grade * by]
    inside = [(lambda grade, f=f: f(grade)) for f in others]  # only the function that is called differs
    closed, looked_up = map(scaled, (5, 6)), map(scaled, (table, table + 1))
    of_name = [FunctionType((lambda grade: grade * scale).__code__, {"scale": number}) for number in (7, 8)]  # noqa: F821
    return [*others, *inside, *closed, *looked_up, *of_name, partial(np.multiply, 2), partial(np.multiply, 3)]


def test_functions_that_differ_have_different_definitions():
    """Two lambdas were both printed as <lambda>, so that different numbers carried the same definition."""
    functions = gains_that_differ()
    for text in (lambda f: str(rg.DCG(gain=f)), lambda f: rg.Convention(gain=f).to_dict()["gain"]):
        assert len({*map(text, functions)}) == len(functions)
    again = gains_that_differ()
    assert [str(rg.DCG(gain=f)) for f in again] == [str(rg.DCG(gain=f)) for f in functions]
    metrics = [rg.DCG(gain=f) for f in functions[:3]]
    assert len(rg.evaluate({"q": {"a": 2}}, {"q": ["a"]}, metrics).means()) == 3


def test_means_are_found_under_every_spelling_of_a_metric():
    means = rg.evaluate({"q": {"a": 1}}, {"x": {"q": ["b", "a"]}, "y": {"q": ["a"]}}, ["ndcg_cut_10", "mrr"]).means()
    assert [*means["x"]] == ["nDCG@10", "RR"]  # as they are printed
    assert means["x"]["mrr"] == means["x"]["RR"] == means["x"][rg.RR] == 0.5
    assert means["y"]["ndcg@10"] == means["y"]["nDCG@10"] == means["y"].get("ndcg_cut_10") == 1.0
    assert "MRR" in means["x"]
    for unknown in ("AP", "no metric", 3):
        assert unknown not in means["x"]
        with pytest.raises(KeyError):
            means["x"][unknown]


def test_functions_are_printed_by_name():
    def squared(grade):
        return grade**2

    assert re.fullmatch(r"nDCG\(gain=<squared#[0-9a-f]{8}>\)@3", str(rg.nDCG(gain=squared) @ 3))
    assert (rg.CG(gain=squared)).of([2, 3]) == 4 + 9
    assert rg.DCG(discount=lambda rank: 1 / rank**2).of([1, 1]) == 1 + 1 / 4


def test_a_name_in_use_cannot_be_registered():
    with pytest.raises(rg.ParameterError, match="the name 'nDCG' belongs to nDCG"):

        @rg.metric()
        def nDCG(j):
            return rg.total(j, relevant=j.rank)

    with pytest.raises(rg.ParameterError, match="'MAP' belongs to AP"):

        @rg.metric(aliases=("MAP",))
        def Mine(j):
            return rg.total(j, relevant=j.rank)

    assert "Mine" not in rg.metrics()


def test_kernel_parameters_must_be_keywords_with_defaults():
    with pytest.raises(rg.ParameterError, match="the parameter k of metric Mine must be keyword-only"):

        @rg.metric()
        def Mine(j, k):
            return rg.total(j, k, relevant=j.rank)


def test_an_unknown_name_lists_some_metrics_or_the_closest_chinese_name():
    with pytest.raises(rg.UnknownNameError, match=r"known: P, R, CappedRecall, .* and \d+ more$"):
        rg.parse("xyzzy")
    with pytest.raises(rg.UnknownNameError, match="'精确率'"):
        rg.parse("准确率@3")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("MRR_10", "'RR@10'"), ("NDCG10", "'nDCG@10'"), ("nDCG5", "'nDCG@5'"), ("cosine_ndcg@10", "'nDCG@10'"),
        ("map-l2", "'AP(rel=2)'"), ("recall-l2@10", "'R(rel=2)@10'"), ("r-precision", "'Rprec'"), ("P10", "'P@10'"),
        ("ndcg_burges@10", "\"nDCG(gain='exp2')@10\""), ("precision_at_10", "'P@10'"), ("Hit Rate@3", "'HR@3'"),
        ("f-measure", "'F'"), ("map@10-l2", "'AP(rel=2)@10'"), ("precision@5-l3", "'P(rel=3)@5'"),
        ("rbp.95", "'RBP(p=0.95)'"), ("rbp.9@5", "'RBP(p=0.9)@5'"), ("ndcg_at_10", "'nDCG@10'"),
    ],
)  # fmt: skip
def test_spellings_of_other_tools_are_suggested_with_their_cutoff(written, meant):
    with pytest.raises(rg.errors.UnknownNameError, match=re.escape(f"did you mean {meant}?")) as caught:
        rg.parse(written)
    assert f"是否想用 {meant}" in caught.value.render("zh")
    assert rg.parse(meant[1:-1])


def test_a_level_that_a_metric_does_not_read_is_no_suggestion():
    """The error was that of the suggestion: unknown parameter of nDCG 'rel'."""
    for text in ("ndcg-l2", "ndcg@5-l2"):
        with pytest.raises(rg.RankgaugeError) as caught:
            rg.parse(text)
        assert "parameter" not in str(caught.value)


@pytest.mark.parametrize(("name", "p"), [("rbp.95", 0.95), ("rbp.5@2", 0.5)])
def test_the_suggestion_for_rbp_of_ranx_has_its_value(name, p):
    with pytest.raises(rg.UnknownNameError) as caught:
        rg.parse(name)
    meant = re.search(r"did you mean '(.*)'", str(caught.value))[1]
    assert rg.evaluate({"q": {"a": 1, "b": 1}}, {"q": ["a", "x", "b"]}, meant).mean() == pytest.approx(
        (1 - p) * (1 + (0 if "@2" in name else p**2)), abs=1e-12
    )


def test_full_width_signs_and_digits_are_read():
    """A comma of a Chinese keyboard was read, its at sign was not."""
    assert rg.parse("nDCG＠３") == rg.nDCG @ 3
    assert rg.parse("nDCG（gain='exp2'）＠3") == rg.nDCG(gain="exp2") @ 3


@pytest.mark.parametrize("name", ["Kendall", "Foo"])
def test_names_that_are_not_close_are_not_suggested(name):
    """Kendall was answered with TokenRecall."""
    with pytest.raises(rg.UnknownNameError, match="known: ") as caught:
        rg.parse(name)
    assert "did you mean" not in str(caught.value)
