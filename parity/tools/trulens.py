"""TruLens: retrieved texts against the expected chunks of a ground truth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from calls import call
from trulens.feedback import GroundTruthAgreement

from worlds import World, each, scores


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return a value for each query for metrics such as ``ndcg_at_k(k=5)``; None for a query without gold."""

    def value(query: dict[str, Any], name: str, options: dict[str, Any]) -> float:
        expected = [{"text": item, "expect_score": grade} for item, grade in query["judged"].items() if grade > 0]
        gold = [{"query": "q", "expected_chunks": expected}]
        truth = GroundTruthAgreement.model_construct(
            ground_truth=gold, ground_truth_imp=None
        )  # without a language model
        found = [item for item, _ in query["ranking"]]
        return float(getattr(truth, name)("q", found, scores(query), **options))

    parsed = {metric: call(metric) for metric in metrics}
    return {
        metric: each(worlds, lambda query, name=name, options=options: value(query, name, options))
        for metric, (name, _, options) in parsed.items()
    }
