"""The values that rules accept: ends of ranges, numbers and levels."""

import math
from functools import partial

import numpy as np
import pytest

import rankgauge as rg
from rankgauge import Convention
from rankgauge.conventions import rule
from rankgauge.conventions.convention import RULES, rule_page
from rankgauge.conventions.function_names import distinct_name
from rankgauge.conventions.relevance import similarity_level
from rankgauge.conventions.rule import Stage
from rankgauge.rendering.blocks import Table


@pytest.mark.parametrize(
    ("check", "accepted", "refused"),
    [
        (rule.whole_number, [0, 1, (1 << 64) - 1, np.int64(3)], [-1, 1 << 64, True, 1.5, "1"]),
        (partial(rule.integer_from, 2), [2, (1 << 63) - 1], [1, 1 << 63, True, 2.5]),
        (rule.whole_number_or(1, 4, "auto"), [1, 4, "auto"], [0, 5, True, "other"]),
        (rule.above_zero, [1e-300, 2], [0, -1, True, math.inf, math.nan]),
        (rule.above_zero_or("max"), [1e-300, "max"], [0, "min"]),
        (rule.at_least_zero, [0, 0.5], [-1e-300, False, math.nan]),
        (rule.number_or("none"), [-1, 0, 2.5, "none"], [True, math.inf, "one"]),
        (rule.one_of("a", "b"), ["a", "b"], ["c", 1, None]),
        (rule.level_or_above, [0, -1.5], ["0.5", True, math.nan]),
    ],
)
def test_ends_of_the_ranges_of_rules(check, accepted, refused):
    assert [check("x", value) for value in accepted] == accepted
    for value in refused:
        with pytest.raises(rg.RankgaugeError):
            check("x", value)


def test_numbers_are_integers_where_floats_are_exact():
    numbers = [rule.plain_number(value) for value in (2.0, np.float64(2.5), 2.0**53 - 1, 2.0**53, -(2.0**53))]
    assert [type(number) for number in numbers] == [int, float, int, float, float]


def test_a_level_above_a_bound_excludes_the_bound_and_no_other_number():
    level = rule.Above.of(">0.5")
    assert 0.5 < level <= np.nextafter(0.5, 1)
    assert (str(level), repr(level)) == (">0.5", "'>0.5'")


@pytest.mark.parametrize("base", ["0.5", "1"])
def test_a_base_of_a_logarithm_is_above_1(base):
    with pytest.raises(rg.ParameterError, match="greater than 1"):
        Convention(discount=f"jk({base})")


def test_levels_of_similarity():
    assert similarity_level("similar>=0.25") == 0.25
    assert similarity_level("similar>0.25") == np.nextafter(0.25, 1)


def test_depths_of_users_have_ends():
    assert [Convention(user_depth=depth).user_depth for depth in (1, 1_000_000)] == [1, 1_000_000]
    for depth in (0, 1_000_001):
        with pytest.raises(rg.ParameterError, match="user_depth"):
            Convention(user_depth=depth)


def test_functions_that_differ_in_a_value_that_they_use_have_different_names():
    def scaled(by):
        later = by

        def gain(grade):
            return later * grade

        return gain

    def recursive(depth):
        def gain(grade):
            return grade if depth else gain(grade)

        return gain

    def unfilled():
        def gain(grade):
            return later * grade

        if not gain:
            later = 1
        return gain

    names = [distinct_name(function) for function in (scaled(2), scaled(3), scaled(2), recursive(1), unfilled())]
    assert names[0] == names[2]
    assert len({*names}) == 4


@pytest.mark.parametrize("table", ["{2}", "{other}", "{x: 1}", "{: 1}", "{1: }", "{1: y}", "{1: 2, other}", "{1 2}"])
def test_a_table_of_gains_is_refused_if_a_pair_is_none(table):
    with pytest.raises(rg.RankgaugeError):
        rg.parse(f"DCG(gain={table})")


def test_a_table_of_gains_is_read_from_text():
    for text, gain in (("{1: 2, other: 3}", {1: 2, "other": 3}), ("{0.5:1,2:4}", {0.5: 1, 2: 4})):
        assert rg.parse(f"DCG(gain={text})") == rg.DCG(gain=gain)
    assert [rg.DCG(gain={1: 2, "other": name}).of([3, 1]) for name in ("linear", "exp2", "binary", 5)] == pytest.approx(
        [rest + 2 / np.log2(3) for rest in (3, 7, 1, 5)]
    )


@pytest.mark.parametrize("grade", [0.5, 1, 3])
def test_a_grade_above_0_that_a_table_of_gains_lacks_is_an_error(grade):
    with pytest.raises(rg.InputError, match=f"grade {grade:g} is not in the gain table"):
        rg.DCG(gain={2: 1}).of([grade, 2])
    assert rg.DCG(gain={2: 1}).of([2, 0, -1], convention=Convention(negative="keep")) == 1


@pytest.mark.parametrize("name", RULES)
def test_the_page_of_a_rule_has_a_row_for_each_value_and_one_for_numbers(name):
    (rows,) = (block.rows for block in rule_page(name, "en").blocks if isinstance(block, Table))
    assert [value for value, _ in rows] == [*RULES[name].values, *["a number x"] * (RULES[name].number is not None)]


@pytest.mark.parametrize(
    ("metric", "read"),
    [("P", {"hit_if", "p_over"}), ("nDCG", {"discount", "gain", "ideal", "ideal_cut"}), ("ERR", {"max_grade", "stop"})],
)
def test_a_metric_reads_the_rules_of_its_own_formula_and_those_of_every_metric(metric, read):
    rules = {rule for rule in rg.metrics()[metric].definition.applicable_rules if RULES[rule].stage is Stage.FORMULA}
    assert rules == read | {"rel", "denominator_plus"}


@pytest.mark.parametrize(
    ("top", "grades", "grade", "needed"),
    [(2, [1, 3, 4], 4, 4), (2, [4, 3], 4, 4), (0.5, [0.7, 0.6], 0.7, 1), (0.5, [0, 1.5], 1.5, 1.5)],
)
def test_the_largest_grade_above_the_scale_is_named_with_the_scale_that_holds_all(top, grades, grade, needed):
    with pytest.raises(rg.InputError, match=f"grade {grade:g} is not on the scale from 0 to .*max_grade={needed:g}$"):
        rg.ERR(max_grade=top).of(grades)
