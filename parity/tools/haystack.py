"""Haystack: evaluators of retrieved documents, by content or, for chunks, by document, without a cutoff."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from calls import call
from haystack import Document
from haystack.components import evaluators

from worlds import World, each, ordered, relevant_items


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return a value for each query for metrics such as ``DocumentMAPEvaluator``."""
    by_unit = (
        {"document_comparison_field": "meta.document"}
        if any("units" in query for world in worlds for query in world)
        else {}
    )

    def value(query: dict[str, Any], evaluator: Any) -> float:
        units = query.get("units", {})
        gold, found = (
            [Document(content=item, meta={"document": units.get(item, item)}) for item in items]
            for items in (relevant_items(query), ordered(query))
        )
        result = evaluator.run(ground_truth_documents=[gold], retrieved_documents=[found])
        return result["individual_scores"][0]

    evaluator_of = {}
    for metric in metrics:
        name, _, options = call(metric)
        evaluator_of[metric] = getattr(evaluators, name)(**options, **by_unit)
    return {
        metric: each(worlds, lambda query, evaluator=evaluator: value(query, evaluator))
        for metric, evaluator in evaluator_of.items()
    }
