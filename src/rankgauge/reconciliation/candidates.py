"""Candidates: the values of all definitions tried, and how many of them a random number would match."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import Literal

import numpy as np

from rankgauge.conventions import RULES
from rankgauge.reconciliation.printed_number import NOISE, SINGLE, PrintedNumber
from rankgauge.reconciliation.rule_setting import CUTOFF, RuleSetting, differing_rules
from rankgauge.reconciliation.search_space import SearchPoint
from rankgauge.reconciliation.tools import Tool
from rankgauge.segments import Floats, Ints

Confidence = Literal["likely", "uncertain", "coincidence"]
NEIGHBOURS = 30
"""Number of values around a number that their density is estimated from."""
AROUND = 0.1
"""Share of the range of all values, to both sides of a number, in which few values may be denser than elsewhere."""
LIKELY = 0.05
"""A match is likely if a random number would match fewer values than this."""
COINCIDENCE = 1.0
"""A match that assumes anything is a coincidence if a random number would match more values."""
MANY_CHANGES = 2
"""A match with this many changed rules is a coincidence, whatever the density of values."""


class Candidates:
    """The definitions of the tools and the settings tried around them, with their values."""

    def __init__(
        self, tools: Sequence[Tool], values: Sequence[float], points: Sequence[SearchPoint], spacing: float = 0.0
    ) -> None:
        """Take the tools in order of plausibility, with their values, and the points of the search space."""
        self.tools = tools
        self.spacing = spacing
        """Distance between the values that the metric can take on the data."""
        self.settings = [*(tool.setting for tool in tools), *(point.setting for point in points)]
        self.values = np.array([*values, *(point.mean for point in points)])
        """Means of the tools, then of the points of the search space."""
        self.nearest, self.changes = _nearest_tools(self.settings, len(tools))

    @cached_property
    def count(self) -> int:
        """Number of distinct settings."""
        return len(dict.fromkeys(self.settings))

    def tool_and_rules(self, place: int) -> tuple[Tool, tuple[str, ...]]:
        """Return the tool nearest to a candidate, and the rules that differ."""
        tool = self.tools[self.nearest[place]]
        return tool, tuple(differing_rules(tool.setting, self.settings[place]))

    @cached_property
    def distinct(self) -> tuple[Floats, Floats, Floats]:
        """Distinct values of the tools, with at most one rule changed, and of all settings."""
        tools, near = (distinct_values(self.values[self.changes <= most]) for most in (0, 1))
        return tools, near, distinct_values(self.values)

    def expected(self, number: PrintedNumber, changes: int, *, near: bool = False) -> float:
        """Return how many distinct values with at most this many changed rules a random number would match.

        With ``near``, a random number near the values of the tools, if that is more.
        """
        return self.expected_among(self.distinct[min(changes, MANY_CHANGES)], number, near=near)

    @cached_property
    def requested(self) -> Floats:
        """Distinct values of the requested definition: of the default, and of the caller's rules."""
        values = self.values[: len(self.tools)]
        return distinct_values(values[[tool.is_requested for tool in self.tools]])

    def expected_among(self, values: Floats, number: PrintedNumber, *, near: bool = False) -> float:
        """Return how many of these distinct values a random number would match."""
        return expected_matches(values, number, self.distinct[-1], near=near, spacing=self.spacing)


def distinct_values(values: Floats) -> Floats:
    """Return the distinct finite values in ascending order, up to rounding errors of sums."""
    ordered = np.sort(values[np.isfinite(values)])
    with np.errstate(over="ignore"):  # values at both ends of the range
        return ordered[np.diff(ordered, prepend=-np.inf) > NOISE]


def expected_matches(
    values: Floats, number: PrintedNumber, plausible: Floats, *, near: bool = False, spacing: float = 0.0
) -> float:
    """Return how many of these distinct values a random number of the same precision would be rounded from.

    It is the density of the values around the number, times the width that is rounded to it, or the distance between
    the values that any number of the metric can have, if that is more. Few values are taken to
    be spread over the range of all plausible ones, with ``near`` also over a tenth of it to both sides, if they are
    denser there: tools agree roughly, so that a number near their values is more likely to meet one of them.
    """
    width = max(number.unit, 2 * SINGLE, spacing)
    if len(values) > NEIGHBOURS:
        reach = float(np.sort(number.distances(values))[NEIGHBOURS - 1])
        low, high = number.value - reach, number.value + reach
        count = NEIGHBOURS
    else:
        low = high = number.value
        count = len(values)
    if len(plausible):
        ends = float(plausible[0]), float(plausible[-1])
        if len(values) <= NEIGHBOURS:
            low, high = min(low, ends[0]), max(high, ends[1])
            around = max(low, number.value - AROUND * (high - low)), min(high, number.value + AROUND * (high - low))
            dense = int(np.count_nonzero((values >= around[0]) & (values <= around[1]))) if near else 0
            return min(max(_expected(count, low, high, width), _expected(dense, *around, width)), _most(values, number))
        low, high = max(low, ends[0]), min(high, ends[1])
    return min(_expected(count, low, high, width), _most(values, number))


def _most(values: Floats, number: PrintedNumber) -> float:
    """Return how many of these distinct values, in ascending order, a number of this precision matches at most."""
    within = np.searchsorted(values, values + number.unit, side="right") - np.arange(len(values))
    return float(within.max(initial=0))


def _expected(count: int, low: float, high: float, width: float) -> float:
    """Return how many of this many values between two ends fall into a width."""
    return count / 2 if math.isinf(width) else float(count * width / max(high - low, 2 * width))


def confidence(by_chance: float, changes: int, assumptions: int) -> Confidence:
    """Return how far a match can be trusted, from the matches expected by chance and what it assumes."""
    if changes >= MANY_CHANGES or (assumptions and by_chance > COINCIDENCE):
        return "coincidence"
    return "likely" if by_chance < LIKELY else "uncertain"


def _nearest_tools(settings: Sequence[RuleSetting], tools: int) -> tuple[Ints, Ints]:
    """Return the first of the nearest tools of each setting, and the number of rules that differ from it."""
    columns = []
    for rule in (CUTOFF, *RULES):
        codes: dict[object, int] = {}
        columns.append([codes.setdefault(setting.value(rule), len(codes)) for setting in settings])
    table = np.array(columns, dtype=np.int64).T
    differing = np.stack([(table != row).sum(axis=1) for row in table[:tools]], axis=1)
    nearest = differing.argmin(axis=1)
    return nearest, differing[np.arange(len(table)), nearest]
