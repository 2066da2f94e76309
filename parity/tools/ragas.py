"""ragas: context precision and recall of ids, and of verdicts given as grades."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ragas import SingleTurnSample
from ragas.metrics._context_precision import IDBasedContextPrecision, LLMContextPrecisionWithReference, Verification
from ragas.metrics._context_recall import ContextRecallClassification, IDBasedContextRecall, LLMContextRecall

from worlds import World, each, ordered, relevant_items

BY_ID = {"id_based_context_precision": IDBasedContextPrecision(), "id_based_context_recall": IDBasedContextRecall()}


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return a value for each query for metrics such as ``context_precision``; verdicts are the grades in order."""

    def verdicts(query: dict[str, Any]) -> list[int]:
        return [int(query["judged"].get(item, 0) > 0) for item in ordered(query)]

    def value(query: dict[str, Any], metric: str) -> float:
        if metric in BY_ID:
            sample = SingleTurnSample(retrieved_context_ids=ordered(query), reference_context_ids=relevant_items(query))
            return float(BY_ID[metric].single_turn_score(sample))
        if metric == "context_recall":
            answers = [
                ContextRecallClassification(statement="", reason="", attributed=verdict) for verdict in verdicts(query)
            ]
            return float(LLMContextRecall()._compute_score(answers))  # noqa: SLF001 (the part without a model)
        answers = [Verification(reason="", verdict=verdict) for verdict in verdicts(query)]
        return float(LLMContextPrecisionWithReference()._calculate_average_precision(answers))  # noqa: SLF001

    return {metric: each(worlds, lambda query, metric=metric: value(query, metric)) for metric in metrics}
