"""Judged items that were not returned: whether they, missing from a list of grades, could account for a number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from rankgauge.metric_core.metric import Metric
from rankgauge.reconciliation.printed_number import NOISE, PrintedNumber
from rankgauge.reconciliation.reconciliation_data import ReconciliationData
from rankgauge.reconciliation.tools import Tool

MOST = 100
"""Number of missed items up to which their values are computed."""


class MissedItems(NamedTuple):
    """Judged items that were not returned, with which a tool gives the number."""

    tool: Tool
    grade: float
    missed: int
    value: float


class MissedSearch(NamedTuple):
    """Whether judged items that were not returned could account for a number, and the fewest that do."""

    possible: bool
    items: MissedItems | None = None


def search_missed(
    printed: PrintedNumber, metric: Metric, data: ReconciliationData, tools: Sequence[Tool]
) -> MissedSearch:
    """Search for missed items of one grade with which a tool gives the number.

    Without any, items of several grades are possible if they matter to the metric and the values of one grade lie on
    both sides of the number.
    """
    breaks, grades = metric.definition.breaks, [grade for grade in data.grades.tolist() if grade > 0] or [1.0]
    grades = [*grades, *([0.0] if "unreturned_nonrelevant" in breaks else [])]
    fewest: MissedItems | None = None
    reached = False
    for tool in tools:
        before = data.mean(tool.setting)
        for grade in grades:
            for count, value in _approaching(printed, data, tool, grade):
                rounding = printed.rounding_of(value)
                if rounding is not None and not rounding.extra and (fewest is None or count < fewest.missed):
                    fewest = MissedItems(tool, grade, count, value)
                reached |= count == MOST or (before - printed.value) * (value - printed.value) <= 0
    mixed = "gain" in metric.definition.rules or "unreturned_nonrelevant" in breaks
    return MissedSearch(fewest is not None or (reached and mixed), fewest)


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
