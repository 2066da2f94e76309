"""VectorDBBench: recall and ndcg of returned neighbours against the exact ones, which are the judged items in order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bare import import_bare
from calls import call

from worlds import World, each, ordered, relevant_items

metric = import_bare("vectordb_bench.metric")


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return a value for each query for metrics such as ``recall(5)``."""

    def value(query: dict[str, Any], name: str, k: int) -> float:
        recall, ndcg, _ = metric.calc_vector_metrics(k, relevant_items(query), ordered(query))
        return {"recall": recall, "ndcg": ndcg}[name]

    found = {}
    for notation in metrics:
        name, [k], _ = call(notation)
        found[notation] = each(worlds, lambda query, name=name, k=k: value(query, name, k))
    return found
