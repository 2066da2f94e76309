"""A sample of the matrix of rules and metrics; ``make rules`` compares all of it."""

import random

import pytest

import rankgauge as rg
from registries import RULES
from rule_matrix import (
    ELSEWHERE,
    LISTS,
    Tally,
    compare,
    completed,
    metrics,
    pairs,
    rules_tried,
    singles,
    triples,
    values_of,
    world,
)
from shared_ranks import LOOPS, SHARE
from worlds import THOROUGH

SINGLES, PAIRS = [*singles()], [*pairs()]
PAIRS_TRIED = random.Random(31).sample(PAIRS, min(len(PAIRS), round(60 * THOROUGH)))
OF_LISTS = [rule for rule in rules_tried() if RULES[rule].stage in LISTS]
MANY = {"P", "R", "Rprec", "AP", "RR", "CG", "nDCG", "ERR", "RBP", "bpref", "infAP", "Judged", "Unjudged", "Accuracy"} | {
    "NumRet", "NumRel", "NumRelRet"
}  # fmt: skip
"""Metrics that see the list differently."""


def title(rules):
    return ", ".join(f"{rule}={value}" for rule, value in rules.items())


def differences(rules, seeds):
    tally = Tally()
    compare(tally, rules, seeds)
    return tally.differences


@pytest.mark.parametrize("rules", SINGLES, ids=title)
def test_a_rule_value_computes_what_its_text_describes(rules):
    assert differences(rules, [0]) == []


@pytest.mark.parametrize("rules", PAIRS_TRIED, ids=title)
def test_two_rules_compute_what_their_texts_describe(rules):
    assert differences(rules, [1]) == []


@pytest.mark.parametrize("rules", [*triples()], ids=title)
def test_copies_under_ties_give_what_the_texts_of_the_rules_say(rules):
    assert differences(rules, [2]) == []


def test_copies_with_equal_scores_are_one_item_before_ties_are_ordered():
    """The relevant d1 and d2 are first in one order of two each, not in two thirds and one third of three places."""
    rows = [("q", "d1", 1.0), ("q", "d2", 1.0), ("q", "d1", 1.0)]
    closed = rg.Convention(ties="mean", duplicates="close-up")
    assert rg.evaluate({"q": {"d1": 1}}, rows, "RR", convention=closed).mean("RR") == (1 + 1 / 2) / 2
    again = closed.replace(duplicates="again")
    assert rg.evaluate({"q": {"d1": 1}}, rows, "RR", convention=again).mean("RR") == pytest.approx((1 + 1 + 1 / 2) / 3)


def several(seed):
    """Values of three to five rules that form the list, mostly with one for repeated items."""
    chance = random.Random(seed)
    rules = completed(
        {rule: chance.choice(values_of(rule)) for rule in chance.sample(OF_LISTS, chance.randrange(3, 6))}
    )
    if chance.random() < 0.6:
        rules["duplicates"] = chance.choice(values_of("duplicates"))
    if rules.get("ties") == "random":  # whose order the texts leave open
        rules["ties"] = "input-reversed"
    return rules


@pytest.mark.parametrize("part", range(max(1, round(24 * THOROUGH))))
def test_several_rules_of_a_list_compute_what_their_texts_describe(part):
    tally = Tally()
    for seed in range(6 * part, 6 * part + 6):
        rules = several(seed)
        chosen = [m for m in metrics() if m.name in MANY and (rules.get("ties") not in SHARE or m.name in LOOPS)]
        try:
            rg.Convention(**rules)
        except rg.RankgaugeError:  # rules that contradict each other
            continue
        tally.compare(rules, world(seed % 7, copies=True, beside=seed % 2 == 1), chosen)
    assert tally.differences == []
    assert tally.values > 100


def test_every_rule_is_in_the_matrix():
    assert {*rules_tried()} | {*ELSEWHERE} == {*RULES}
    assert all(values_of(rule) for rule in rules_tried())
