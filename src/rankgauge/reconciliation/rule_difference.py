"""The smallest set of rules whose change turns one value into another."""

from __future__ import annotations

import math
from itertools import combinations

from rankgauge.errors import RankgaugeError
from rankgauge.reconciliation.printed_number import NOISE
from rankgauge.reconciliation.reconciliation_data import ReconciliationData
from rankgauge.reconciliation.rule_setting import RuleSetting, differing_rules


def nearly_equal(first: float, second: float) -> bool:
    """Whether two values are equal up to rounding errors of sums; NaN equals NaN."""
    if math.isnan(first) or math.isnan(second):
        return math.isnan(first) and math.isnan(second)
    return abs(first - second) <= NOISE * max(1.0, abs(first), abs(second))


def smallest_difference(data: ReconciliationData, first: RuleSetting, second: RuleSetting) -> tuple[str, ...]:
    """Return the fewest rules that, taken from the second setting, give the first one the value of the second.

    Among sets of equal size, the one whose rules come first in the convention.
    """
    rules, goal = differing_rules(first, second), data.mean(second)
    for size in range(len(rules)):
        for subset in combinations(rules, size):
            try:
                if nearly_equal(data.mean(first.with_rules_of(second, subset)), goal):
                    return subset
            except RankgaugeError:  # these rules cannot be combined
                continue
    return tuple(rules)
