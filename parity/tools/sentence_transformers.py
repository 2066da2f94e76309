"""sentence-transformers: InformationRetrievalEvaluator on given results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sentence_transformers.evaluation import InformationRetrievalEvaluator

from worlds import World, ordered, relevant_items

WORDS = {
    "precision": "precision@k",
    "recall": "recall@k",
    "accuracy": "accuracy@k",
    "mrr": "mrr@k",
    "ndcg": "ndcg@k",
    "map": "map@k",
}


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return the mean of each world for metrics such as ``ndcg@5``; None if no query has a relevant item."""
    cuts = sorted({int(metric.partition("@")[2]) for metric in metrics})
    options = {f"{word}_at_k": cuts for word in ("mrr", "ndcg", "accuracy", "precision_recall", "map")}
    found: dict[str, list[float | None]] = {metric: [] for metric in metrics}
    for world in worlds:
        truth = {query["query"]: set(relevant_items(query)) for query in world}
        evaluator = InformationRetrievalEvaluator({query["query"]: "" for query in world}, {"": ""}, truth, **options)
        lists = {query["query"]: ordered(query) for query in world}
        given = [
            [{"corpus_id": item, "score": -rank} for rank, item in enumerate(lists[query])]
            for query in evaluator.queries_ids
        ]
        answer = evaluator.compute_metrics(given) if given else None
        for metric in metrics:
            name, _, cut = metric.partition("@")
            found[metric].append(answer[WORDS[name]][int(cut)] if answer else None)
    return found
