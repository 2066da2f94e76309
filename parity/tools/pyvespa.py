"""pyvespa: VespaEvaluator with an application that answers from the worlds; sets of relevant documents, or grades from 0 to 1."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

from vespa.evaluation import VespaEvaluator

from worlds import World, ordered, relevant_items


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return the mean of each world for metrics such as ``ndcg@5``; ``ndcg@5, graded`` has grades instead of sets."""
    logging.disable()
    found: dict[str, list[float | None]] = {metric: [] for metric in metrics}
    graded = metrics[0].endswith(", graded")
    cuts = sorted({int(metric.partition(",")[0].partition("@")[2]) for metric in metrics})
    for world in worlds:
        answer = evaluated(world, cuts, graded)
        for metric in metrics:
            found[metric].append(answer.get(metric.partition(",")[0]))
    return found


def evaluated(world: World, cuts: list[int], graded: bool) -> dict[str, float]:
    """Return all means of a world; empty if no query is left."""
    relevant = {query["query"]: query["judged"] if graded else set(relevant_items(query)) for query in world}
    if not any(relevant.values()):
        return {}
    hits = {query["query"]: answer(ordered(query)) for query in world}
    application = SimpleNamespace(query_many=lambda queries, **_: [hits[query["query"]] for query in queries])
    names = ("accuracy_at_k", "precision_recall_at_k", "mrr_at_k", "ndcg_at_k", "map_at_k")
    return VespaEvaluator(
        queries={name: name for name in relevant},
        relevant_docs=relevant,
        vespa_query_fn=lambda text, _: {"query": text},
        app=application,
        **dict.fromkeys(names, cuts),
    ).run()


def answer(items: list[str]) -> SimpleNamespace:
    """Return a response of Vespa with the items as hits."""
    hits = [{"id": f"id:any:any::{item}", "relevance": -place} for place, item in enumerate(items)]
    return SimpleNamespace(hits=hits, status_code=200, get_json=lambda: {"timing": {"searchtime": 0.0}})
