"""RAGChecker: shares of stored verdicts, as one row of claims by chunks or one column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bare import import_bare

from worlds import World, each, ordered

computation = import_bare("ragchecker.computation")
container = import_bare("ragchecker.container")


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return a value for each query for ``context_precision`` and ``claim_recall``."""

    def value(query: dict[str, Any], metric: str) -> float:
        grades = [query["judged"].get(item, 0) for item in ordered(query)]
        verdicts = ["Entailment" if grade > 0 else "Neutral" for grade in grades]
        matrix = [verdicts] if metric == "context_precision" else [[verdict] for verdict in verdicts]
        result = container.RAGResult("", "", "", "", retrieved2answer=matrix)
        computation.evaluate_retrieval(result)
        return float(result.metrics[metric])

    return {metric: each(worlds, lambda query, metric=metric: value(query, metric)) for metric in metrics}
