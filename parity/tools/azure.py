"""Azure AI Evaluation: DocumentRetrievalEvaluator of labels from 0 to 4 and scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from azure.ai.evaluation import DocumentRetrievalEvaluator

from worlds import World


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return a value for each query for metrics such as ``ndcg@3``."""
    evaluator = DocumentRetrievalEvaluator(ground_truth_label_min=0, ground_truth_label_max=4)

    def results(query: dict[str, Any]) -> dict[str, Any]:
        gold = [{"document_id": item, "query_relevance_label": int(grade)} for item, grade in query["judged"].items()]
        found = [{"document_id": item, "relevance_score": score} for item, score in query["ranking"]]
        result = evaluator(retrieval_ground_truth=gold, retrieved_documents=found)
        return result.get("document_retrieval_properties", result)  # by version

    found = [[results(query) for query in world] for world in worlds]
    return {metric: [[one[metric] for one in world] for world in found] for metric in metrics}
