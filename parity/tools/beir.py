"""BEIR: EvaluateRetrieval on dicts; the means are rounded to five decimals."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from beir.retrieval.evaluation import EvaluateRetrieval

from worlds import World

CUSTOM = ("MRR", "R_cap", "Accuracy")


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return the mean of each world for metrics such as ``NDCG@5``."""
    logging.disable()
    cuts = sorted({int(metric.partition("@")[2]) for metric in metrics})
    found: dict[str, list[float]] = {metric: [] for metric in metrics}
    for world in worlds:
        judgments = {query["query"]: query["judged"] for query in world}
        run = {query["query"]: dict(query["ranking"]) for query in world if query["ranking"]}
        answer: dict[str, float] = {}
        if any(metric.partition("@")[0] not in CUSTOM for metric in metrics):
            for part in EvaluateRetrieval.evaluate(judgments, run, cuts):
                answer |= part
        for name in {metric.partition("@")[0] for metric in metrics} & set(CUSTOM):
            answer |= EvaluateRetrieval.evaluate_custom(
                judgments, run, cuts, {"Accuracy": "top_k_accuracy"}.get(name, name)
            )
        for metric in metrics:
            found[metric].append(answer[metric])
    return found
