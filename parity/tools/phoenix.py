"""Phoenix: retrieval metrics of the evaluation scores of the returned documents, in order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from calls import call
from phoenix.metrics.retrieval_metrics import RetrievalMetrics

from worlds import World, each, ordered


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return a value for each query for metrics such as ``ndcg(k=5)``."""

    def value(query: dict[str, Any], name: str, options: dict[str, Any]) -> float:
        grades = np.array([query["judged"].get(item, 0) for item in ordered(query)], dtype=float)
        found = RetrievalMetrics(grades)
        return float(getattr(found, name)(*options.values()))

    parsed = {metric: call(metric) for metric in metrics}
    return {
        metric: each(worlds, lambda query, name=name, options=options: value(query, name, options))
        for metric, (name, _, options) in parsed.items()
    }
