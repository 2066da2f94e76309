"""LlamaIndex: retrieval metrics of expected and retrieved ids, without a cutoff."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from calls import call
from llama_index.core.evaluation.retrieval.metrics import METRIC_REGISTRY

from worlds import World, each, ordered, relevant_items


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return a value for each query for metrics such as ``ndcg`` or ``mrr(use_granular_mrr=True)``."""

    def value(query: dict[str, Any], metric: Any) -> float:
        return metric.compute(expected_ids=relevant_items(query), retrieved_ids=ordered(query)).score

    made = {}
    for metric in metrics:
        name, _, options = call(metric)
        made[metric] = METRIC_REGISTRY[name](**options)
    return {metric: each(worlds, lambda query, one=one: value(query, one)) for metric, one in made.items()}
