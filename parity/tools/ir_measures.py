"""ir_measures: the mean over all judged queries, by the first provider of the measure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import ir_measures

from worlds import World


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return the mean of each world for metrics such as ``nDCG@5``."""
    parsed = {metric: ir_measures.parse_measure(metric) for metric in metrics}
    found: dict[str, list[float | None]] = {metric: [] for metric in metrics}
    for world in worlds:
        judgments = {query["query"]: query["judged"] for query in world}
        run = {query["query"]: dict(query["ranking"]) for query in world if query["ranking"]}
        for metric, measure in parsed.items():
            found[metric].append(_mean(measure, judgments, run))
    return found


def _mean(measure: Any, judgments: Any, run: Any) -> float | None:
    """Return the mean over the queries; None if there is none, or if Accuracy divides by 0."""
    try:
        mean = ir_measures.calc_aggregate([measure], judgments, run)[measure]
    except ZeroDivisionError:
        return None
    return None if math.isnan(mean) else mean
