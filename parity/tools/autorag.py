"""AutoRAG: retrieved ids against groups of ids, of which any member will do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bare import import_bare, skip_init

from worlds import World, each, ordered, relevant_items

for package in ("autorag", "autorag.utils", "autorag.schema"):
    skip_init(package)
retrieval = import_bare("autorag.evaluation.metric.retrieval")


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return a value for each query for metrics such as ``retrieval_recall``."""

    def value(query: dict[str, Any], metric: str) -> float:
        groups = query.get("groups", [[item] for item in relevant_items(query)])
        given = retrieval.MetricInput(retrieval_gt=groups, retrieved_ids=ordered(query))
        return float(getattr(retrieval, metric).__wrapped__(given))

    return {metric: each(worlds, lambda query, metric=metric: value(query, metric)) for metric in metrics}
