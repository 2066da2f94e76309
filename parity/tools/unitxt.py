"""unitxt: metrics of retrieved ids against reference ids."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from unitxt import metrics as unitxt_metrics

from worlds import World, each, ordered, relevant_items


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return a value for each query for metrics such as ``map`` and ``precision_at_5``."""

    def value(query: dict[str, Any], name: str, metric: Any) -> float:
        return metric.compute([relevant_items(query)], ordered(query), {})[name]

    made = {}
    for name in metrics:
        _, _, cut = name.rpartition("_")
        kind = None if cut.isdigit() else getattr(unitxt_metrics, name.upper())
        made[name] = kind() if kind else unitxt_metrics.RetrievalAtK(k_list=[int(cut)])
    return {
        name: each(worlds, lambda query, n=name, metric=metric: value(query, n, metric))
        for name, metric in made.items()
    }
