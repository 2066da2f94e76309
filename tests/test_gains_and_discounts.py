"""Gain and discount functions: values by hand, and gain tables as text."""

import json
import math

import numpy as np
import pytest

import rankgauge as rg
from command_line import here, raw
from rankgauge.conventions import RULES
from rankgauge.rendering.formula_words import CHINESE


def discounts(name, ranks):
    """The discount at each rank, as the value of a list with one item of grade 1 there."""
    return [rg.DCG(discount=name).of([0] * (rank - 1) + [1]) for rank in ranks]


def gains(gain, grades, rel=1):
    """The gain of each grade, as the value of a list of one item."""
    rules = rg.Convention(gain=gain, rel=rel, negative="keep")
    return [rg.CG.of([grade], convention=rules) for grade in grades]


@pytest.mark.parametrize("name", ["log2(i+1)", "log2(i)", "1/i", "none", "jk(10)"])
def test_discounts_of_many_repeated_ranks_equal_those_of_single_ones(name):
    lists = {f"q{query}": [f"d{rank}" for rank in range(1, 21)] for query in range(300)}
    judgments = {query: {f"d{query_number % 20 + 1}": 1} for query_number, query in enumerate(lists)}
    metric = rg.DCG(discount=name)
    assert rg.evaluate(judgments, lists, metric).values(metric).tolist() == discounts(name, range(1, 21)) * 15


def test_discounts_by_hand():
    ranks = [1, 2, 3, 10, 100]
    assert discounts("log2(i)", ranks) == pytest.approx([1, 1, 1 / math.log2(3), 1 / math.log2(10), 1 / math.log2(100)])
    assert discounts("jk(10)", ranks) == pytest.approx([1, 1, 1, 1, 1 / 2])


def test_gains_by_hand():
    grades = [-1, 0, 1, 2, 3]
    assert gains("exp2-rel", grades, rel=2) == [0, 0, 0, 1, 3]
    assert gains("binary-rel", grades, rel=2) == [0, 0, 0, 1, 1]
    assert gains("binary", grades, rel=2) == [0, 0, 1, 1, 1]
    assert gains({1: 5, 2: 7, 3: 9}, grades) == [0, 0, 5, 7, 9]
    assert gains({2: 7, "other": "linear"}, grades) == [-1, 0, 1, 7, 3]
    assert gains({2: 7, "other": 4}, grades) == [4, 4, 4, 7, 4]
    with pytest.raises(rg.RankgaugeError, match=r"grade 0\.5 is not in the gain table"):
        gains({1: 5}, [1, 0.5])
    with pytest.raises(rg.RankgaugeError, match="grade 2 is not in the gain table"):
        gains({1: 5}, [1, 2])


@pytest.mark.parametrize("text", ["{1}", "{1: 2, other}", "{a: 1}", "{1: x}", "{1: 2, :3}", "{1: }"])
def test_invalid_gain_tables_are_refused_with_an_example(text):
    result = here("conventions", "show", "--rule", f"gain={text}")
    assert result.code == 2
    assert "written as" in result.err


def test_gain_tables_as_text():
    def value(*rules):
        given = [word for rule in rules for word in ("--rule", rule)]
        return json.loads(raw("explain", "1,2.5,7", "-m", "CG", *given, "-t", "json"))["value"]

    assert value("gain={ 1:3 , 2.5: -1e1, 7:0,}") == 3 - 10
    assert value("gain={1: 3, other: 2}") == 3 + 2 + 2
    assert value("gain=binary-rel", "rel=2.50", "seed=12345678901234567890") == 2


def test_text_with_one_brace_is_a_name():
    for text in ("{1: 2", "1: 2}"):
        result = here("conventions", "show", "--rule", f"gain={text}")
        assert result.code == 2
        assert "unknown gain" in result.err


def test_a_gain_that_is_not_finite_names_the_grade():
    with pytest.raises(rg.ParameterError, match=r"is not finite at 2$"):
        gains(lambda grade: np.where(grade == 2, np.inf, grade), [1, 2, 3])


def test_cut_fractions_leave_whole_grades():
    rules = rg.Convention(fractions="cut")
    assert rg.DCG.of([1.7, 0.9, 2.0, -0.5], convention=rules) == rg.DCG.of([1, 0, 2, 0])


def my_shift(grade):
    return grade + 1


@pytest.mark.parametrize(
    ("gain", "text"),
    [
        ("linear", "g"),
        ("exp2", "2^g - 1"),
        ("binary", "[g > 0]"),
        ("exp2-rel", "(2^(g - rel + 1) - 1) [g ≥ rel]"),
        ("binary-rel", "[g ≥ rel]"),
        ({1: 3, "other": 0}, "{1 → 3, other → 0}(g)"),
        (my_shift, "my_shift(g)"),
    ],
)
@pytest.mark.parametrize(
    ("discount", "factor"),
    [
        ("log2(i+1)", "1 / log_2(i + 1)"),
        ("log2(i)", "1 / log_2(max(i, 2))"),
        ("1/i", "1 / i"),
        ("none", "1"),
        ("jk(3)", "1 / log_3(max(i, 3))"),
        (my_shift, "my_shift(i)"),
    ],
)
def test_steps_say_what_gain_and_discount_are(gain, text, discount, factor):
    steps = rg.nDCG(gain=gain, discount=discount).explain([1, 0, 1])
    assert f"\n\nwith gain G(g) = {text}, discount D(i) = {factor}\n\n" in steps.to_text()
    assert f"其中 增益 G(g) = {text}, 折损 D(i) = {factor}\n" in steps.to_text("zh")
    assert all(getattr(steps, render)().count("G(g) =") == 1 for render in ("to_latex", "to_markdown"))
    assert "折损" in steps.to_html("zh")


def test_metrics_without_symbols_of_rules_have_no_such_line():
    assert "with " not in rg.P.explain([1, 0]).to_text().replace("with the", "")


def test_words_of_formulas_are_the_titles_of_the_rules():
    for rule in RULES.values():
        assert not rule.symbol or CHINESE[rule.title.en] == rule.title.zh
