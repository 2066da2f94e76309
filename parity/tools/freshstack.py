"""FreshStack: recall of relevant documents, and coverage of nuggets, each a group of documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bare import import_bare

from worlds import World

fresh = import_bare("freshstack.retrieval.metrics")


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return the mean of each world for metrics such as ``Recall@5``."""
    found: dict[str, list[float]] = {metric: [] for metric in metrics}
    for world in worlds:
        judged = {query["query"]: query["judged"] for query in world}
        results = {query["query"]: dict(query["ranking"]) for query in world if query["ranking"]}
        for metric in metrics:
            found[metric].append(fresh.recall(judged, results, [int(metric.partition("@")[2])])[metric])
    return found
