"""The values that rules accept: ends of ranges, numbers and levels."""

import math
from functools import partial

import numpy as np
import pytest

import rankgauge as rg
from rankgauge import Convention
from rankgauge.conventions import rule
from rankgauge.conventions.relevance import similarity_level


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
