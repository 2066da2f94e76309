"""LlamaIndex: retrieval metrics of expected and retrieved ids, without a cutoff."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llama_index.core.evaluation.retrieval.metrics import METRIC_REGISTRY

from worlds import World, each, ordered, relevant_items


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return a value for each query for metrics such as ``ndcg``."""

    def value(query: dict[str, Any], metric: Any) -> float:
        return metric.compute(expected_ids=relevant_items(query), retrieved_ids=ordered(query)).score

    return {
        metric: each(worlds, lambda query, made=METRIC_REGISTRY[metric](): value(query, made)) for metric in metrics
    }
