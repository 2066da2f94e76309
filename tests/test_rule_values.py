"""The values that rules accept: ends of ranges, numbers and levels."""

import math
import re

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from command_line import here
from rankgauge import Convention
from registries import RULES, Stage


@pytest.mark.parametrize(
    ("rule", "accepted", "refused"),
    [
        ("seed", [0, 1, (1 << 64) - 1, np.int64(3)], [-1, 1 << 64, True, 1.5, "1"]),
        ("user_depth", [1, 1_000_000, "endless"], [0, 1_000_001, True, 2.5, "other"]),
        ("max_grade", [1e-300, 2, "largest"], [0, -1, True, math.inf, math.nan, "min"]),
        ("denominator_plus", [0, 0.5], [-1e-300, False, math.nan]),
        ("undefined", [-1, 0, 2.5, "skip"], [True, math.inf, "one"]),
        ("ties", ["best", "worst"], ["c", 1, None]),
        ("rel", [0, -1.5, ">0.5"], ["0.5", True, math.nan]),
    ],
)
def test_ends_of_the_ranges_of_rules(rule, accepted, refused):
    assert [str(getattr(Convention(**{rule: value}), rule)) for value in accepted] == [*map(str, accepted)]
    for value in refused:
        with pytest.raises(rg.ParameterError, match=rf"^{rule} must be"):
            Convention(**{rule: value})


@pytest.mark.parametrize("minimum", [2, (1 << 63) - 1])
def test_a_number_of_items_that_numpy_can_hold_is_a_whole_number(minimum):
    log = pl.DataFrame({"user": ["u"], "item": ["a"]})
    assert rg.holdout.k_core(log, minimum).height == 0
    for refused in (0, 1 << 63, True, 2.5):
        with pytest.raises(rg.ParameterError, match="k must be"):
            rg.holdout.k_core(log, refused)


def test_numbers_are_written_as_integers_where_floats_are_exact():
    numbers = (2.0, np.int64(2), np.float64(2.5), 2.0**53 - 1, 2.0**53, -(2.0**53))
    assert [str(rg.P(rel=number)) for number in numbers] == [
        "P(rel=2)", "P(rel=2)", "P(rel=2.5)", "P(rel=9007199254740991)", "P(rel=9007199254740992.0)",
        "P(rel=-9007199254740992.0)",
    ]  # fmt: skip


def test_a_level_above_a_bound_excludes_the_bound_and_no_other_number():
    metric = rg.P(rel=">0.5")
    assert str(metric) == "P(rel='>0.5')"
    assert metric.of([0.5, np.nextafter(0.5, 1)]) == 0.5


@pytest.mark.parametrize("base", ["0.5", "1"])
def test_a_base_of_a_logarithm_is_above_1(base):
    with pytest.raises(rg.ParameterError, match="greater than 1"):
        Convention(discount=f"jk({base})")


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

    names = [str(rg.DCG(gain=gain)) for gain in (scaled(2), scaled(3), scaled(2), recursive(1), unfilled())]
    assert names[0] == names[2]
    assert len({*names}) == 4


def test_functions_that_hold_different_arrays_have_different_names():
    """Also where the arrays differ in the middle, which their texts leave out, or in their type only."""

    def gain_of(table):
        def gain(grade):
            return table[grade]

        return gain

    table = np.zeros(5000)
    other = table.copy()
    other[2500] = 1
    tables = (table, other, table.astype(np.float32), table[:4999], table.reshape(50, 100))
    assert len({str(rg.DCG(gain=gain_of(values))) for values in tables}) == 5
    assert str(rg.DCG(gain=gain_of(table))) == str(rg.DCG(gain=gain_of(table.copy())))


@pytest.mark.parametrize("table", ["{2}", "{other}", "{x: 1}", "{: 1}", "{1: }", "{1: y}", "{1: 2, other}", "{1 2}"])
def test_an_invalid_table_of_gains_is_refused(table):
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
    page = here("conventions", "show", name, "-t", "md").out
    _, *rows = re.findall(r"^\| (.+?) +\| ", page.replace("\\", ""), re.MULTILINE)
    assert [value for value in rows if not value.startswith(":-")] == [
        *RULES[name].values,
        *["a number x"] * (RULES[name].number is not None),
    ]


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
