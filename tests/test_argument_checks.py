"""Numbers out of range, single numbers in place of arrays, and other wrong arguments are errors with the reason."""

import inspect
import math
import warnings

import numpy as np
import pytest

import rankgauge as rg

HUGE = 10**400
JUDGMENTS, RANKING = {"q": {"a": 1, "b": 0}}, {"q": {"a": 1.0, "b": 0.5}}
ONE = np.array(1.0)

CASES = {
    "a score": (lambda: rg.evaluate(JUDGMENTS, {"q": {"a": HUGE}}, "AP"), "score 1000.*too large for double precision.*RG201"),
    "a grade": (lambda: rg.evaluate({"q": {"a": HUGE}}, RANKING, "AP"), "grade 1000.*not a finite number.*RG204"),
    "a row": (lambda: rg.evaluate([("q", "a", HUGE)], RANKING, "AP"), "grade 1000.*RG204"),
    "a grade of a list": (lambda: rg.AP.of([HUGE, 1]), "too large"),
    "a score of a list": (lambda: rg.AP.of([1, 0], scores=[HUGE, 1]), r"scores\[0\] is 1000.*double precision"),
    "a score in diff": (lambda: rg.diff(RANKING, {"q": {"a": HUGE}}), "too large.*RG201"),
    "a weight": (lambda: rg.evaluate(JUDGMENTS, RANKING, "AP", convention=rg.Convention(averaging="weighted"), weights={"q": HUGE}), "weight of query 'q' must be a finite number, not 1000"),
    "a rule": (lambda: rg.Convention(rel=HUGE), "rel must be a finite number, not 1000"),
    "a gain": (lambda: rg.Convention(gain={1: HUGE}), "each gain of a gain table must be a finite number"),
    "grades of a call": (lambda: rg.nDCG([3, 2, 1], 5), r"nDCG takes parameters by name; the value of a list of grades is nDCG\.of\(grades\)"),
    "a parameter": (lambda: rg.F(beta=HUGE), "beta must be a number of at least 0, not 1000"),
    "a rank": (lambda: rg.choose_k(depths=[1, 10**9]), "each of depths must be at most 1,000,000"),
    "a value": (lambda: rg.Comparison.of({"a": {"q": HUGE}, "b": {"q": 1}}), "1000.* is not a number"),
    "a value of 1e308": (lambda: rg.Comparison.of({"a": {"q": 1e308}, "b": {"q": -1e308}}), r"the value 1e\+308 exceeds 1e\+150"),
    "a list of values": (lambda: rg.Comparison.of({"a": [1, 2], "b": [2, 1]}), "values must be {system: {query: value}}"),
    "one number for a ranking": (lambda: rg.evaluate(JUDGMENTS, {"q": ONE}, "AP"), r"its ranking is 1\.0"),
    "one number for judgments": (lambda: rg.evaluate({"q": ONE}, RANKING, "AP"), r"its judgments are 1\.0"),
    "one number for scores": (lambda: rg.AP.of([1], scores=ONE), "one list, not an array of 0 dimensions"),
    "one number for a batch": (
        lambda: rg.StreamingScores("AP").update(judgments=ONE, scores=ONE), "one row per query.*found one number"
    ),
    "one number for rbo": (lambda: rg.stats.rbo(ONE, [1]), "a list must be items"),
    "one number for a catalogue": (lambda: rg.holdout.only_items({"u": ["a"]}, ONE), "catalogue must be a collection"),
}  # fmt: skip


@pytest.mark.parametrize(("call", "message"), CASES.values(), ids=CASES)
def test_numbers_that_are_too_large_and_scalars_are_refused_with_the_reason(call, message):
    with pytest.raises((rg.ParameterError, rg.InputError), match=f"(?s){message}"):
        call()


LOG = {"reward": [1, 0, 1, 0], "propensity": [0.5] * 4, "target": [0.5] * 4, "interval": "bootstrap"}


@pytest.mark.parametrize(
    ("name", "value"),
    [("resamples", 0), ("resamples", -1), ("resamples", 2.5), ("resamples", True), ("seed", -1), ("seed", "x"), ("seed", HUGE),
     ("alpha", 1), ("alpha", math.nan), ("alpha", 1e-320), ("interval", "x"), ("reward", [HUGE] * 4), ("reward", ONE)],
)  # fmt: skip
def test_the_arguments_of_an_off_policy_interval_are_checked(name, value):
    with pytest.raises(rg.ParameterError, match=f"{name} must be"):
        rg.off_policy.value(**{**LOG, name: value})


MATRIX = np.random.default_rng(0).random((6, 3))
PAIR = {"first": [0.1, 0.2, 0.3], "second": [0.2, 0.1, 0.4]}
CALLS = {
    **dict.fromkeys(("paired_t", "randomisation", "wilcoxon", "sign", "bootstrap", "kendall_tau"), PAIR),
    "rbo": PAIR | {"p": 0.9},
    "tau_ap": {"estimate": [1, 2, 3], "reference": [1, 3, 2]},
    **{key: {"values": [0.1, 0.2, 0.4]} for key in ("t_interval", "bca_interval")},
    **{key: {"values": MATRIX} for key in ("tukey_hsd", "randomised_tukey_hsd")},
    "compact_letters": {"different": [[False, True], [True, False]]},
    **{key: {"p": [0.1, 0.2]} for key in ("bonferroni", "holm", "benjamini_hochberg")},
    "queries_needed": {"difference": 0.1, "deviation": 0.2},
    "detectable_effect": {"queries": 20},
    "paired_t_power": {"queries": 20, "effect": 0.3},
}
WRONG = [
    HUGE, -HUGE, 1e308, math.inf, -math.inf, math.nan, None, "x", 0, -1, 2.5, True, ONE, np.array([1, 2]), [], 1e-320, 1j,
    np.empty((0, 3)), np.full((3, 2), np.nan), np.full((3, 3), np.inf), [[1], [1, 2]], np.ones((2, 2, 2)), [None, 1, 2],
    [math.nan, 1, 2], ["a", "b", "c"], [HUGE, 1, 2],
]  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_a_statistic_accepts_an_argument_or_explains_why_not(name):
    """No argument gives a warning of NumPy or an exception of Python."""
    function, good = getattr(rg.stats, name), CALLS[name]
    function(**good)
    for parameter in inspect.signature(function).parameters:
        for value in WRONG:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                try:
                    function(**{**good, parameter: value})
                except rg.ParameterError as error:
                    assert str(error)


def test_letters_need_a_square_symmetric_boolean_matrix():
    for matrix, reason in (
        ([[True], [True, False]], "rows of different lengths"),
        ([[0, 1, 0], [1, 0, 0]], "square"),
        ([[0, 2], [2, 0]], "True and False"),
        ([[0, 1], [0, 0]], "not symmetric"),
    ):
        with pytest.raises(rg.ParameterError, match=f"compact_letters: .*{reason}"):
            rg.stats.compact_letters(matrix)


JUDGED, RETURNED = {"q": {"a": 1}}, {"q": ["a"]}
NO_NUMBERS = {"seconds": np.timedelta64(1, "s"), "no time": np.timedelta64("NaT"), "400 digits": 10**400}
NUMBER_ARGUMENTS = {
    "score": lambda value: rg.evaluate(JUDGED, {"q": {"a": value}}, "RR"),
    "grade": lambda value: rg.evaluate({"q": {"a": value}}, RETURNED, "RR"),
    "scores": lambda value: rg.nDCG.of([1, 1], scores=[value, 1]),
    "cutoff": lambda value: rg.nDCG @ value,
    "level": lambda value: rg.P(rel=value),
    "parameter": lambda value: rg.F(beta=value),
    "rule": lambda value: rg.Convention(rel=value),
    "seed": lambda value: rg.Convention(seed=value),
    "gain": lambda value: rg.Convention(gain={1: value}),
    "popularity": lambda value: rg.evaluate(
        JUDGED, RETURNED, "ARP", side_information=rg.SideInformation(popularity={"a": value})
    ),
    "printed": lambda value: rg.reconcile([1, 0], metric="RR").explain(value),
}


@pytest.mark.parametrize("argument", NUMBER_ARGUMENTS)
@pytest.mark.parametrize("value", NO_NUMBERS)
def test_durations_and_huge_integers_are_refused_as_numbers(argument, value):
    """A duration of NumPy is an integer to Python, and float() of it is a TypeError."""
    with pytest.raises(rg.RankgaugeError):
        NUMBER_ARGUMENTS[argument](NO_NUMBERS[value])


@pytest.mark.parametrize("value", [NO_NUMBERS["seconds"], NO_NUMBERS["400 digits"]], ids=["seconds", "400 digits"])
def test_durations_and_huge_integers_can_be_ids(value):
    assert rg.evaluate({"q": {value: 1}}, {"q": [value]}, "RR").mean("RR") == 1
    assert "RG408" in {finding.code for finding in rg.evaluate(JUDGED, {"q": [value]}, "RR").findings}
