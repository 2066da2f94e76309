"""Weaviate's query-agent-benchmarking: functions of target ids and retrieved ids."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bare import import_bare

from worlds import World, each, ordered, relevant_items

ir_metrics = import_bare("query_agent_benchmarking.internal.adapters.metrics.ir_metrics")


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return a value for each query for metrics such as ``recall@5``."""
    found = {}
    for metric in metrics:
        name, _, cut = metric.partition("@")
        function = getattr(ir_metrics, f"calculate_{name}_at_k")
        found[metric] = each(
            worlds,
            lambda query, function=function, k=int(cut): float(function(relevant_items(query), ordered(query), k)),
        )
    return found
