"""A sample of the matrix of rules and metrics; ``make rules`` compares all of it."""

import random

import pytest

from registries import RULES
from rule_matrix import ELSEWHERE, Tally, compare, pairs, rules_tried, singles, values_of
from worlds import THOROUGH

SINGLES, PAIRS = [*singles()], [*pairs()]
PAIRS_TRIED = random.Random(31).sample(PAIRS, min(len(PAIRS), round(60 * THOROUGH)))


def title(rules):
    return ", ".join(f"{rule}={value}" for rule, value in rules.items())


def differences(rules, seeds):
    tally = Tally()
    compare(tally, rules, seeds)
    return tally.differences


@pytest.mark.parametrize("rules", SINGLES, ids=title)
def test_a_value_of_a_rule_gives_what_its_text_says(rules):
    assert differences(rules, [0]) == []


@pytest.mark.parametrize("rules", PAIRS_TRIED, ids=title)
def test_two_rules_give_what_their_texts_say(rules):
    assert differences(rules, [1]) == []


def test_every_rule_is_in_the_matrix():
    assert {*rules_tried()} | {*ELSEWHERE} == {*RULES}
    assert all(values_of(rule) for rule in rules_tried())
