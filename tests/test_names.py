"""Names of ir_measures and trec_eval: every text of their documentation is a metric here, and suggestions are useful."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankgauge as rg
from command_line import here
from rankgauge.metric_core.registry import trec_names

TEXTS_OF_IR_MEASURES = """
Accuracy Accuracy@10 Accuracy(rel=2)@10 BPM(max_rel=3)@10 BPM(T=1.0,min_rel=0,max_rel=3)@10 BPM(T=2.,max_rel=2)@20
Compat Compat(p=0.9) Compat(p=0.8,normalize=False) Compat(normalize=True)
INSQ(max_rel=3) INSQ(T=2.0,max_rel=3) INSQ(T=1.,min_rel=0,max_rel=1)
INST(max_rel=3) INST(T=2.0,max_rel=3) INST(T=1.,min_rel=0,max_rel=1)
NERR8(max_rel=3)@10 NERR8(min_rel=0,max_rel=1)@5 NERR9(max_rel=3)@10 NERR9(min_rel=0,max_rel=1)@5
NERR10(max_rel=3) NERR10(p=0.9,min_rel=0,max_rel=3) NERR11(max_rel=3) NERR11(T=1.0,min_rel=0,max_rel=3)
NumQ NumRet(rel=1) NumRet(rel=2) SDCG(max_rel=3)@10 SDCG(dcg='log2',min_rel=0,max_rel=3)@10
AP AP@100 AP(rel=2) AP(rel=2)@10 AP(cutoff=100) AP(judged_only=True) MAP MAP@5 MAP(rel=2)
AP_IA AP_IA(rel=2) AP_IA(judged_only=True) MAP_IA Bpref BPref Bpref(rel=2)
ERR@20 ERR(cutoff=10) ERR ERR_IA ERR_IA@10 ERR_IA(rel=2)@10 ERR_IA(rel=1,judged_only=True)@10
IPrec@0.0 IPrec@0.1 IPrec@1.0 IPrec(rel=2)@0.2 IPrec(recall=0.1) IPrec(judged_only=True)@0.5
infAP infAP(rel=2) Judged Judged@10 Judged(cutoff=20)
nDCG NDCG nDCG@10 nDCG@20 NDCG@10 nDCG(cutoff=10) nDCG(dcg='log2')@10 nDCG(dcg='exp-log2')@10 nDCG(dcg="exp-log2")
nDCG(gains={0:0,1:3})@5 nDCG(gains={0:0,1:10,2:100}) nDCG(judged_only=True)@10 nDCG(dcg='log2',judged_only=True)
nERR_IA nERR_IA@10 nERR_IA(rel=2,judged_only=True)@10 NRBP NRBP(alpha=0.5,beta=0.5) NRBP(rel=2)
nNRBP nNRBP(alpha=0.5,beta=0.5) NumRel NumRel(rel=2) NumRelRet NumRet
P@5 P@10 P(rel=2)@5 P(cutoff=10) P(rel=1)@10 P(judged_only=True)@5 Precision@10 P_IA P_IA@10 P_IA(rel=2)@10
R@10 R@1000 R(rel=2)@100 Recall@10 RBP RBP(rel=1) RBP(p=0.8,rel=1) RBP(p=0.95)@20 Rprec RPrec Rprec(rel=2)
RR RR@10 RR(rel=2)@10 MRR@10 SetAP SetAP(rel=2) SetF SetF(beta=2.0) SetF(rel=2,beta=0.5)
SetP SetP(rel=2) SetP(relative=True) SetP(judged_only=True) SetRelP SetR SetR(rel=2)
StRecall@10 StRecall(rel=1)@10 Success@1 Success(rel=2)@5
alpha_DCG alpha_DCG@10 alpha_DCG(alpha=0.5,rel=1)@10 alpha_DCG(alpha=0.3,rel=1,judged_only=True)@10
alpha_nDCG alpha_nDCG@10 alpha_nDCG(alpha=0.5)@20 α_DCG@10 α_nDCG@10
"""
IR_MEASURES = TEXTS_OF_IR_MEASURES.split()
MEANT = {
    "AP(cutoff=100)": "AP@100",
    "IPrec@0.1": "IPrec(recall=0.1)",
    "nDCG(dcg='exp-log2')@10": "nDCG(gain='exp2', discount='log2(i+1)')@10",
    "nDCG(gains={0:0,1:3})@5": "nDCG(gain={0: 0, 1: 3, other: linear})@5",
    "SetP(relative=True)": "P(over='min(k,R)')",
    "SetRelP": "P(over='min(k,R)')",
    "SetR(rel=2)": "R(rel=2)",
    "SetF(beta=2.0)": "F(beta=1.4142135623730951)",  # trec_eval, which computes it, takes beta squared
    "MAP_IA": "APIA",
    "P_IA@10": "PIA@10",
    "α_nDCG@10": "alphanDCG@10",
    "BPM(T=2.,min_rel=1,max_rel=3)@20": "BPM(T=2, min_grade=1, max_grade=3)@20",
    "SDCG(dcg='log2',max_rel=3)@10": "SDCG(max_grade=3, discount='log2(i+1)')@10",
    "set_F_0.25": "F(beta=0.5)",
    "ndcg_1=3,2=9": "nDCG(gain={1: 3, 2: 9, other: linear})",
    "utility_2,-1,0,0": "Utility(hit=2)",
}
WHOLE_LIST = {"P": "P", "recall": "R", "success": "HR"}
"""Families of trec_eval whose name is also a metric here: that of the whole list."""


@pytest.mark.parametrize("text", IR_MEASURES)
def test_names_of_ir_measures_are_parsed(text):
    metric = rg.parse(text)
    assert rg.parse(str(metric)) == metric


@pytest.mark.parametrize(("text", "meant"), MEANT.items())
def test_names_are_parsed_to_metrics(text, meant):
    assert str(rg.parse(text)) == meant


def test_all_names_of_ir_measures_are_tested():
    assert len(IR_MEASURES) >= 118


def test_the_command_line_accepts_these_names(tmp_path):
    (tmp_path / "qrels").write_text("q 0 a 2\nq 0 b 0\nq 0 c 1\n")
    (tmp_path / "run").write_text("q Q0 x 1 3 t\nq Q0 c 2 2 t\nq Q0 a 3 1 t\n")
    texts = [
        "SetP",
        "IPrec@0.1",
        "nDCG(dcg='exp-log2')@10",
        "P(judged_only=True)@2",
        "nDCG(gains={2:5})",
        "INST(max_rel=2)",
        "Compat",
    ]
    files = [str(tmp_path / "qrels"), str(tmp_path / "run")]
    result = here("eval", *files, *(f"-m{text}" for text in texts), "-t", "json")
    assert result.code == 0, result.err


@pytest.mark.parametrize("name", [name for name, notation in trec_names().items() if "{}" in notation])
def test_a_family_of_trec_eval_suggests_a_cutoff(name):
    """`map_cut` used to suggest itself."""
    if name in WHOLE_LIST:
        assert str(rg.parse(name)) == WHOLE_LIST[name]
        return
    with pytest.raises(rg.NotationError, match=rf"write one of them, such as {name}_[\d.]+;") as caught:
        rg.parse(name)
    for text in re.findall(rf"{name}_[\d.]+", str(caught.value)):
        rg.parse(text)


NAMES = [*rg.metrics(), *trec_names(), "SetP", "SetRelP", "official", "nDCG@", "P_", "ndcg_cut_", "map_cut."]
slips = st.builds(
    lambda name, place, letter, cut: name[: place % (len(name) + 1)] + letter + name[place % (len(name) + 1) + cut :],
    st.sampled_from(NAMES), st.integers(0, 20), st.sampled_from(["", "x", "_", "-", "P", "@3"]), st.integers(0, 1),
)  # fmt: skip


@settings(max_examples=400, deadline=None, derandomize=True)
@given(slips)
def test_a_suggestion_is_a_metric_and_not_the_text_that_was_refused(text):
    try:
        rg.parse(text)
    except rg.ParameterError as error:
        for suggestion in re.findall(r"did you mean '([^']+)'", str(error)):
            assert suggestion != text
            rg.parse(suggestion)


def test_set_metrics_take_no_cutoff():
    with pytest.raises(rg.NotationError, match="SetP evaluates the whole list and takes no cutoff; write P@10"):
        rg.parse("SetP@5")


def test_a_gain_table_states_the_gain_of_other_grades():
    metric = rg.nDCG(gain={2: 9, "other": "linear"})
    assert str(metric) == "nDCG(gain={2: 9, other: linear})"
    assert rg.CG(gain={2: 9, "other": "linear"}).of([2, 1, 3, 0]) == 9 + 1 + 3
    assert rg.CG(gain={2: 9, "other": "exp2"}).of([2, 1, 3]) == 9 + 1 + 7
    assert rg.CG(gain={2: 9, "other": 0.5}).of([2, 1, 0]) == 9 + 0.5 + 0.5
    with pytest.raises(rg.InputError, match=r"grade 3 is not in the gain table \{2: 9\}; add it to the table, or add"):
        rg.CG(gain={2: 9}).of([3])
    with pytest.raises(rg.ParameterError, match="unknown gain of other grades 'linaer'; did you mean 'linear'"):
        rg.CG(gain={2: 9, "other": "linaer"})
    with pytest.raises(rg.ParameterError, match="names one grade or more"):
        rg.CG(gain={"other": "linear"})


def test_judged_only_is_the_rule_for_removed_items_for_one_metric():
    judgments, ranking = {"q": {"a": 1, "b": 0, "n": -1, "c": 2}}, {"q": ["x", "a", "n", "y", "c", "b"]}
    removed = rg.Convention(unjudged="removed")
    for name in ("AP", "nDCG@2", "RR", "P@2", "bpref", "R@1"):
        metric = rg.parse(name)(judged_only=True)
        scores = rg.evaluate(judgments, ranking, [name, metric])
        assert scores.mean(metric) == rg.evaluate(judgments, ranking, name, convention=removed).mean(name)
        assert "unjudged items=removed" in metric.line()
        assert rg.explain(judgments, ranking, metric).value == scores.mean(metric)
    changes = rg.attribute(judgments, ranking, {"q": ["a", "c"]}, "AP(judged_only=True)").query("q")
    assert changes.first == changes.second == 1
    with pytest.raises(rg.ParameterError, match="set only one of the two"):
        rg.evaluate(judgments, ranking, "AP(judged_only=True)", convention=rg.Convention(unjudged=1))
