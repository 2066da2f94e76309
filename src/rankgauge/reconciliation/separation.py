"""The fewest rules whose change moves one value to another."""

from __future__ import annotations

import math
from itertools import combinations

from rankgauge.errors import RankgaugeError
from rankgauge.reconciliation.data import Data
from rankgauge.reconciliation.printed_number import NOISE
from rankgauge.reconciliation.rule_setting import Setting, differing


def same(first: float, second: float) -> bool:
    """Whether two values are the same but for the noise of additions; two that are not numbers are."""
    if math.isnan(first) or math.isnan(second):
        return math.isnan(first) and math.isnan(second)
    return abs(first - second) <= NOISE * max(1.0, abs(first), abs(second))


def separating(data: Data, first: Setting, second: Setting) -> tuple[str, ...]:
    """The fewest rules that, set as in the second, move the value of the first to that of the second.

    Where several sets are as small, the one whose rules come first in the convention.
    """
    rules, goal = differing(first, second), data.mean(second)
    for size in range(len(rules)):
        for some in combinations(rules, size):
            try:
                if same(data.mean(first.toward(second, some)), goal):
                    return some
            except RankgaugeError:  # these rules do not go together
                continue
    return tuple(rules)
