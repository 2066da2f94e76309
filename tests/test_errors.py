"""Bad arguments: each error names the argument, the value and what is allowed."""

import numpy as np
import pytest

import rankgauge as rg

WEIGHTED = rg.Convention(averaging="weighted")
NAN = float("nan")

PARAMETERS = {
    "k is 0": (lambda: rg.nDCG @ 0, ["nDCG", "k", "0", "whole number of at least 1"]),
    "k is negative": (lambda: rg.P @ -3, ["P", "k", "-3", "whole number of at least 1"]),
    "k is fractional": (lambda: rg.nDCG @ 2.5, ["nDCG", "k", "2.5", "whole number"]),
    "k is text": (lambda: rg.nDCG @ "10", ["nDCG", "k", "'10'", "whole number"]),
    "k is a truth value": (lambda: rg.nDCG @ True, ["nDCG", "k", "True", "whole number"]),
    "no cutoff": (lambda: rg.AUC @ 5, ["AUC", "no cutoff"]),
    "no curve": (lambda: rg.bpref.curve([1]), ["bpref", "no cutoff"]),
    "negative beta": (lambda: rg.F(beta=-1), ["F", "beta", "-1", "at least 0"]),
    "beta is NaN": (lambda: rg.F(beta=NAN), ["F", "beta", "nan", "at least 0"]),
    "p is 1": (lambda: rg.RBP(p=1), ["RBP", "p", "1", "between 0 and 1"]),
    "recall above 1": (lambda: rg.IPrec(recall=1.5), ["IPrec", "recall", "1.5", "from 0 to 1"]),
    "flag is text": (lambda: rg.RBP(graded="yes"), ["RBP", "graded", "'yes'", "True or False"]),
    "rel is NaN": (lambda: rg.P(rel=NAN), ["P", "rel", "nan", "finite number"]),
    "unknown gain": (lambda: rg.nDCG(gain="exp"), ["nDCG", "gain", "'exp'", "exp2"]),
    "gain is a number": (lambda: rg.nDCG(gain=2), ["nDCG", "gain", "2", "linear"]),
    "gain table with text": (lambda: rg.nDCG(gain={"good": 1}), ["grade of a gain table", "'good'", "finite number"]),
    "empty gain table": (lambda: rg.nDCG(gain={}), ["gain table", "{}", "one grade or more"]),
    "unknown discount": (lambda: rg.DCG(discount="log3"), ["discount", "'log3'", "log2"]),
    "base of discount": (lambda: rg.DCG(discount="jk(1)"), ["jk(b)", "1", "greater than 1"]),
    "discount is a number": (lambda: rg.DCG(discount=2), ["discount", "2", "log2(i+1)"]),
    "unknown rule value": (lambda: rg.AP(over="all"), ["AP", "over", "'all'", "'min(R,k)'"]),
    "unknown parameter": (lambda: rg.nDCG(gian="exp2"), ["parameter of nDCG", "'gian'", "'gain'"]),
    "unknown rule": (lambda: rg.Convention().replace(tie="id"), ["rule", "'tie'", "'ties'"]),
    "undefined is text": (lambda: rg.Convention(undefined="zero"), ["undefined", "'zero'", "'skip'"]),
    "seed is negative": (lambda: rg.Convention(seed=-1), ["seed", "-1", "at least 0"]),
    "ties unknown": (lambda: rg.P.of([1], ties="shuffle"), ["ties", "'shuffle'", "'mean'"]),
    "language": (lambda: rg.P.explain([1]).to_text("fr"), ["lang", "'fr'", "'en' or 'zh'"]),
    "bounds over what": (lambda: rg.P.bounds([1], over="all"), ["over", "'all'", "'unjudged'"]),
    "relevant too small": (lambda: rg.AP.of([1, 1], relevant=1), ["relevant", "1", "at least 2"]),
    "relevant fractional": (lambda: rg.AP.of([1], relevant=1.5), ["relevant", "1.5", "whole number"]),
    "weights that are not used": (
        lambda: rg.evaluate({0: {"a": 1}, 1: {"a": 1}}, {0: ["a"], 1: ["b", "a"]}, "RR", weights={0: 1, 1: 99}),
        ["weights", "averaging='mean'", "rg.Convention(averaging='weighted')"],
    ),
    "weights that bounds do not use": (
        lambda: rg.unjudged_bounds({"q": {"a": 1}}, {"s": {"q": ["a"]}}, "P", weights={"q": 1}), ["averaging='weighted'"]
    ),
    "several metrics": (lambda: rg.reconcile([1, 0], metric="nDCG@5,AP"), ["one metric, found 2: nDCG@5, AP"]),
    "a list of metrics": (lambda: rg.reconcile([1, 0], metric=["RR", "AP"]), ["one metric, found 2: RR, AP"]),
    "system in place of a metric": (
        lambda: rg.evaluate({"q": {"a": 1}}, {"pop": {"q": ["a"]}}, "P@1")["pop"],
        ["'pop' is the name of a system", ".system('pop')"],
    ),
    "ideal and relevant": (lambda: rg.AP.of([1], relevant=1, ideal=[1]), ["ideal or relevant, not both"]),
    "two ideals": (lambda: rg.nDCG(ideal="returned").of([1], ideal=[1]), ["nDCG", "ideal"]),
    "ideal not given": (lambda: rg.nDCG(ideal="given").of([1]), ["nDCG", "ideal=[...]"]),
    "grades are text": (lambda: rg.P.of("321"), ["grades", "'321'", "list of numbers"]),
    "grades are a number": (lambda: rg.P.of(3), ["grades", "3", "list of numbers"]),
    "gain function of another shape": (
        lambda: rg.CG(gain=lambda grade: grade[:1]).of([1, 2]), ["gain function", "shape (2,)", "(1,)"]
    ),
    "gain function not finite": (lambda: rg.CG(gain=np.log).of([1.0, 2.0, 0.5], ideal=[0]), []),
    "no metrics": (lambda: rg.evaluate({"q": {"a": 1}}, {"q": ["a"]}, []), ["metrics", "[]", "one metric or more"]),
    "no weights": (
        lambda: rg.evaluate({"q": {"a": 1}}, {"q": ["a"]}, "P", convention=rg.Convention(averaging="weighted")).mean("P"),
        ["weights"],
    ),
}  # fmt: skip
del PARAMETERS["gain function not finite"]

INPUTS = {
    "NaN grade": (lambda: rg.P.of([1, NAN]), ["grades[1]", "nan", "finite number", "None for an unjudged"]),
    "infinite grade": (lambda: rg.P.of([float("inf")]), ["grades[0]", "inf", "finite number"]),
    "text grade": (lambda: rg.P.of([1, "high"]), ["grades[1]", "'high'", "finite number"]),
    "list as grade": (lambda: rg.P.of([[1]]), ["grades[0]", "[1]", "finite number"]),
    "huge grade": (lambda: rg.P.of([10**400]), ["grades", "too large"]),
    "NaN in an array": (lambda: rg.P.of(np.array([1.0, NAN])), ["grades[1]", "nan"]),
    "matrix": (lambda: rg.P.of(np.ones((2, 2))), ["grades", "2 dimensions"]),
    "array of text": (lambda: rg.P.of(np.array(["a"])), ["grades", "numbers"]),
    "None in the ideal": (lambda: rg.nDCG.of([1], ideal=[None]), ["ideal[0]", "None"]),
    "scores too few": (lambda: rg.P.of([1, 2], scores=[1]), ["scores", "1 number for 2 grades"]),
    "NaN score": (lambda: rg.P.of([1, 2], scores=[1, NAN]), ["scores[1]", "nan"]),
    "text score": (lambda: rg.P.of([1, 2], scores=[1, "x"]), ["scores[1]", "'x'"]),
    "items too few": (lambda: rg.P.of([1, 2], items=["a"]), ["items", "1 id for 2 grades"]),
    "item twice": (lambda: rg.P.of([1, 2], items=["a", "a"]), ["items", "'a'", "more than once"]),
    "negative forbidden": (
        lambda: rg.P.of([1, -1], convention=rg.Convention(negative="error")), ["1 grade is negative", "-1", "negative='error'"]
    ),
    "grade not in the table": (lambda: rg.DCG(gain={1: 1}).of([1, 2]), ["grade 2", "gain table", "{1: 1}"]),
    "grade above the scale": (lambda: rg.ERR.of([5]), ["grade 5", "0 to 4", "max_grade=5"]),
    "no judgments": (lambda: rg.evaluate({}, {"q": ["a"]}, "P"), ["judgments", "no judged queries"]),
    "no common query": (lambda: rg.evaluate({"x": {"a": 1}}, {"y": ["a"]}, "P"), ["'x'", "RG401", "ids"]),
    "missing query": (
        lambda: rg.evaluate({"q": {}, "r": {}}, {"q": ["a"]}, "P", convention=rg.Convention(missing="error")),
        ["judged queries are missing: 1, first 'r'"],
    ),
    "bad grade in a query": (lambda: rg.evaluate({"q7": {"a": "x"}}, {"q7": ["a"]}, "P"), ["'q7'", "'x'"]),
    "text as ranking": (lambda: rg.evaluate({"q": {"a": 1}}, {"q": "abc", "r": ["a"]}, "P"), ["'q'", "'abc'", "a list of items"]),
    "unknown query": (lambda: rg.explain({"q": {"a": 1}}, {"q": ["a"]}, "P", "r"), ["'r'", "'q'"]),
    "query without weight": (
        lambda: rg.evaluate({"q": {"a": 1}}, {"q": ["a"]}, "P", convention=WEIGHTED, weights={}), ["weights", "'q'"]
    ),
    "ideal without a returned grade": (lambda: rg.nDCG.of([5, 3, 2], ideal=[3]), ["ideal", "grade 5, 2"]),
    "ideal with a grade too few": (lambda: (rg.nDCG @ 2).of([3, 3], ideal=[3, 2]), ["ideal", "grade 3"]),
    "ideal with too few relevant items": (lambda: rg.AP.of([1, 0, 1], ideal=[1]), ["ideal", "grade 1"]),
    "ideal of an explanation": (lambda: rg.AP.explain([1, 0, 1], ideal=[1]), ["ideal", "grade 1"]),
    "ideal of tools": (lambda: rg.reconcile([5, 3, 2], metric="nDCG@5", ideal=[3]), ["ideal", "grade 5, 2"]),
}  # fmt: skip

NOTATIONS = {
    "unknown name": ("nDGC@10", ["'nDGC'", "'nDCG'"]),
    "nothing close": ("xyzzy", ["'xyzzy'", "known:"]),
    "empty": ("", ["empty"]),
    "blank": ("  ", ["empty"]),
    "open bracket": ("nDCG(gain='exp2'", ["','", "character 17"]),
    "no value": ("nDCG(gain=)", ["value", "')'"]),
    "no cutoff after @": ("nDCG@", ["cutoff", "end"]),
    "text cutoff": ("nDCG@ten", ["'ten'", "cutoff"]),
    "rest": ("nDCG@10 20", ["'20'", "unexpected"]),
    "code": ("__import__('os')", ["unknown metric"]),
    "strange sign": ("nDCG@10;rm", ["';'"]),
    "twice": ("F(beta=1, beta=2)", ["beta", "twice"]),
    "cutoff twice": ("P(k=5)@10", ["cutoff", "twice"]),
    "several cutoffs": ("P.5,10", ["P_5,10", "one by one"]),
    "wrong value": ("F(beta=-1)", ["F", "beta", "-1"]),
    "k=0": ("nDCG@0", ["k", "0"]),
    "function": ("nDCG(gain=<lambda>)", ["'<'"]),
    "very long": ("P" * 1000, ["at most 500 characters"]),
}


@pytest.mark.parametrize(("call", "words"), PARAMETERS.values(), ids=PARAMETERS)
def test_wrong_arguments_raise_parameter_errors(call, words):
    with pytest.raises(rg.ParameterError) as caught:
        call()

    assert [word for word in words if word not in str(caught.value)] == []


@pytest.mark.parametrize(("call", "words"), INPUTS.values(), ids=INPUTS)
def test_wrong_input_raises_input_errors(call, words):
    with pytest.raises(rg.InputError) as caught:
        call()

    assert [word for word in words if word not in str(caught.value)] == []


@pytest.mark.parametrize(("text", "words"), NOTATIONS.values(), ids=NOTATIONS)
def test_wrong_notation_raises_an_error_with_a_suggestion(text, words):
    with pytest.raises(rg.ParameterError) as caught:
        rg.parse(text)

    assert [word for word in words if word not in str(caught.value)] == []


def test_gain_function_must_be_finite():
    with pytest.raises(rg.ParameterError, match=r"gain function .* is not finite at 0"):
        rg.CG(gain=lambda grade: np.where(grade == 0, np.inf, grade)).of([1, 0])


def test_parse_takes_texts_and_metrics_only():
    with pytest.raises(rg.NotationError, match="not 5"):
        rg.parse(5)


def test_undefined_can_be_an_error():
    with pytest.raises(rg.UndefinedError, match="AP is 0/0: R is 0; set undefined"):
        rg.AP.of([0, 0], convention=rg.Convention(undefined="error"))


def test_all_errors_have_one_base_and_a_familiar_one():
    assert issubclass(rg.UnknownNameError, rg.ParameterError)
    for error in (rg.ParameterError, rg.InputError):
        assert issubclass(error, rg.RankgaugeError)
        assert issubclass(error, ValueError)


def test_empty_lists_have_defined_values():
    assert rg.AP.of([]) == 0
    assert (rg.nDCG @ 5).of([]) == 0
    assert (rg.P @ 5).of([]) == 0
    assert rg.P.of([]) == 0
    assert rg.RR.of([], relevant=3) == 0
    assert rg.AP.of([], scores=[], items=[]) == 0
    assert list((rg.nDCG @ 5).curve([])) == []


def test_metrics_and_results_are_immutable():
    with pytest.raises(AttributeError, match="immutable"):
        rg.nDCG.name = "other"
    with pytest.raises(AttributeError):
        rg.Convention().gain = "exp2"


def test_messages_escape_control_characters():
    with pytest.raises(rg.InputError) as caught:
        rg.evaluate({"q\x1b[31m": {"a": "x"}}, {"q\x1b[31m": ["a"]}, "P")

    assert "\x1b" not in str(caught.value)


def test_all_names_that_continue_an_unknown_one_are_suggested():
    error = rg.UnknownNameError.closest("preset", "ragas", ["ragas-id", "ragas-text", "ragasx"])
    assert str(error) == "unknown preset 'ragas'; did you mean one of 'ragas-id', 'ragas-text'?"
    assert "是否想用 'ragas-id'、'ragas-text' 之一" in error.render("zh")
