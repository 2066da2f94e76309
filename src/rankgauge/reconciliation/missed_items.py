"""Judged items that were not returned: whether they, missing from a list of grades or a call, account for a number."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import combinations_with_replacement, product
from typing import NamedTuple

import numpy as np

from rankgauge.errors import RankgaugeError
from rankgauge.metric_core.metric import Metric
from rankgauge.reconciliation.printed_number import NOISE, PrintedNumber
from rankgauge.reconciliation.reconciliation_data import ReconciliationData
from rankgauge.reconciliation.tools import FAMILIES_OF_FORM, Tool

MOST = 100
"""Number of missed items of one grade up to which their values are computed."""
MOST_MIXED = 4
"""Number of missed items of several grades up to which their values are computed."""
MOST_MIXTURES = 250
"""Maximal number of mixtures of grades that are tried for each number of items."""
MOST_LEVELS = 10
"""Highest grade of a list up to which missed items may have a whole grade that it lacks."""


class MissedItems(NamedTuple):
    """Judged items that were not returned, with which a tool gives the number."""

    tool: Tool
    grades: tuple[float, ...]
    value: float


def search_missed(
    printed: PrintedNumber, metric: Metric, data: ReconciliationData, tools: Sequence[Tool]
) -> MissedItems | None:
    """Return the fewest missed items with which a tool gives the number; None if those that were tried do not.

    Items of one grade come first, then a few items of several grades, if the values of one grade lie on both sides of
    the number.
    """
    breaks, levels = metric.definition.breaks, _levels(data)
    levels = [*levels, *([0.0] if "unreturned_nonrelevant" in breaks else [])]
    fewest: MissedItems | None = None
    reached: list[Tool] = []
    for tool in tools:
        before = data.mean(tool.setting)
        for grade in levels:
            for count, value in _approaching(printed, data, tool, grade):
                if printed.is_rounding_of(value) and (fewest is None or count < len(fewest.grades)):
                    fewest = MissedItems(tool, (grade,) * count, value)
                if tool not in reached and (before - printed.value) * (value - printed.value) <= 0:
                    reached.append(tool)
    mixed = "gain" in metric.definition.rules or "unreturned_nonrelevant" in breaks
    return fewest or (_of_several_grades(printed, data, reached, levels) if mixed else None)


def tools_of_returned(printed: PrintedNumber, data: ReconciliationData, tools: Sequence[Tool]) -> tuple[Tool, ...]:
    """Return the tools of arrays that give the number only if the returned items alone are passed to them."""
    if len(data.plain.pool_grade) == len(data.plain.grade):  # every judged item was returned
        return ()
    arrays = {preset.name for family in FAMILIES_OF_FORM["arrays"] for preset in family}
    returned, found = data.returned_only(), []
    for tool in tools:
        if tool.name in arrays and not tool.refusal and not printed.is_rounding_of(data.mean(tool.setting)):
            with suppress(RankgaugeError):
                if printed.is_rounding_of(returned.mean(tool.own)):
                    found.append(tool)
    return (*found,)


def _levels(data: ReconciliationData) -> list[float]:
    """Return the positive grades that missed items may have: those of the list, and whole grades between them."""
    grades = [grade for grade in data.grades.tolist() if grade > 0] or [1.0]
    whole = all(grade.is_integer() for grade in grades) and max(grades) <= MOST_LEVELS
    return [float(grade) for grade in range(1, int(max(grades)) + 1)] if whole else grades


def _of_several_grades(
    printed: PrintedNumber, data: ReconciliationData, tools: Sequence[Tool], levels: Sequence[float]
) -> MissedItems | None:
    """Return the fewest missed items of several grades with which a tool gives the number."""
    sizes = (size for size in range(2, MOST_MIXED + 1) if math.comb(len(levels) + size - 1, size) <= MOST_MIXTURES)
    for size in sizes:
        for tool, grades in product(tools, combinations_with_replacement(sorted(levels, reverse=True), size)):
            value = data.with_pool(np.append(data.plain.pool_grade, grades)).mean(tool.setting)
            if printed.is_rounding_of(value):
                return MissedItems(tool, grades, value)
    return None


def _approaching(
    printed: PrintedNumber, data: ReconciliationData, tool: Tool, grade: float
) -> Iterator[tuple[int, float]]:
    """Yield the values with 1, 2, ... missed items of a grade, until they no longer approach the number."""
    distance = abs(data.mean(tool.setting) - printed.value)
    for count in range(1, MOST + 1):
        pool = np.append(data.plain.pool_grade, np.full(count, grade))
        value = data.with_pool(pool).mean(tool.setting)
        yield count, value
        before, distance = distance, abs(value - printed.value)
        if not distance < before - NOISE:
            return
