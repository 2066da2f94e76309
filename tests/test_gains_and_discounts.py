"""Gain and discount functions: values by hand, and gain tables as text."""

import math

import numpy as np
import pytest

import rankgauge as rg
from rankgauge import Convention, metrics
from rankgauge.conventions.discounts import discount_function
from rankgauge.conventions.gains import GainTable, gain_function
from rankgauge.conventions.texts import convention_of


@pytest.mark.parametrize("name", ["log2(i+1)", "log2(i)", "1/i", "none", "jk(10)"])
def test_discounts_of_many_repeated_ranks_equal_those_of_single_ones(name):
    function = discount_function(name)
    ranks = np.tile(np.arange(1.0, 21.0), 300)
    assert function(ranks).tolist() == [function(np.array([rank]))[0] for rank in range(1, 21)] * 300


def test_discounts_by_hand():
    ranks = np.array([1.0, 2.0, 3.0, 10.0, 100.0])
    assert discount_function("log2(i)")(ranks).tolist() == pytest.approx(
        [1, 1, 1 / math.log2(3), 1 / math.log2(10), 1 / math.log2(100)]
    )
    assert discount_function("jk(10)")(ranks).tolist() == pytest.approx([1, 1, 1, 1, 1 / 2])


def test_gains_by_hand():
    grades = np.array([-1.0, 0.0, 1.0, 2.0, 3.0])
    assert gain_function("exp2-rel", 2)(grades).tolist() == [0, 0, 0, 1, 3]
    assert gain_function("binary-rel", 2)(grades).tolist() == [0, 0, 0, 1, 1]
    assert gain_function("binary", 2)(grades).tolist() == [0, 0, 1, 1, 1]
    assert gain_function(GainTable.of({1: 5, 2: 7, 3: 9}))(grades).tolist() == [0, 0, 5, 7, 9]
    assert gain_function(GainTable.of({2: 7, "other": "linear"}))(grades).tolist() == [-1, 0, 1, 7, 3]
    assert gain_function(GainTable.of({2: 7, "other": 4}))(grades).tolist() == [4, 4, 4, 7, 4]
    with pytest.raises(rg.RankgaugeError, match=r"grade 0\.5 is not in the gain table"):
        gain_function(GainTable.of({1: 5}))(np.array([0.5, 1.0]))
    with pytest.raises(rg.RankgaugeError, match="grade 2 is not in the gain table"):
        gain_function(GainTable.of({1: 5}))(np.array([2.0, 1.0]))


@pytest.mark.parametrize("text", ["{1}", "{1: 2, other}", "{a: 1}", "{1: x}", "{1: 2, :3}", "{1: }"])
def test_invalid_gain_tables_are_refused_with_an_example(text):
    with pytest.raises(rg.ParameterError, match="written as"):
        convention_of(rules=[f"gain={text}"])


def test_gain_tables_as_text():
    assert convention_of(rules=["gain={ 1:3 , 2.5: -1e1,}"]).gain == ((1.0, 3.0), (2.5, -10.0))
    assert convention_of(rules=["gain={1: 3, other: 2}"]).gain == ((1.0, 3.0), ("other", 2.0))
    assert convention_of(rules=["rel=1.50", "seed=12345678901234567890"]).rel == 1.5


def test_text_with_one_brace_is_a_name():
    for text in ("{1: 2", "1: 2}"):
        with pytest.raises(rg.UnknownNameError):
            convention_of(rules=[f"gain={text}"])


def test_a_gain_that_is_not_finite_names_the_grade():
    with pytest.raises(rg.ParameterError, match=r"is not finite at 2$"):
        gain_function(lambda grade: np.where(grade == 2, np.inf, grade))(np.array([1.0, 2.0, 3.0]))


def test_cut_fractions_leave_whole_grades():
    rules = Convention(fractions="cut")
    assert metrics()["DCG"].of([1.7, 0.9, 2.0, -0.5], convention=rules) == metrics()["DCG"].of([1, 0, 2, 0])
