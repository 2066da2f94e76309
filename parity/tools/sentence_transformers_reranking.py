"""sentence-transformers: the reranking evaluator of cross-encoders on given scores; positives come first in its input."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sentence_transformers.cross_encoder.evaluation import CrossEncoderRerankingEvaluator

from worlds import World, each

ORDER = ("mrr", "ndcg", "map")
"""What the evaluator computes of one query."""


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return a value for each query for metrics such as ``ndcg@5``; None without positives or without negatives."""

    def value(query: dict[str, Any], metric: str) -> float | None:
        name, _, cut = metric.partition("@")
        rows = sorted(((query["judged"].get(item, 0) > 0, score) for item, score in query["ranking"]), reverse=True)
        relevant, scores = zip(*rows, strict=True) if rows else ((), ())
        if all(relevant) or not any(relevant):
            return None
        evaluator = CrossEncoderRerankingEvaluator([], at_k=int(cut or 10))
        found = evaluator.compute_metrics([int(each) for each in relevant], np.array(scores))
        return float(dict(zip(ORDER, found, strict=True))[name])

    return {metric: each(worlds, lambda query, metric=metric: value(query, metric)) for metric in metrics}
