"""Cornac: metrics of one user, from the relevant items and the ranked ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from calls import call
from cornac import metrics as cm

from worlds import Query, World, each, number_of, ordered, relevant_items


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return a value for each query with relevant items for metrics such as ``NDCG(k=5)``."""
    return {metric: each(worlds, lambda query, it=made(metric): value(it, query)) for metric in metrics}


def made(metric: str) -> Any:
    """Return the metric of a notation."""
    name, _, options = call(metric)
    return getattr(cm, name)(**options)


def value(metric: Any, query: Query) -> float | None:
    """Return the value of one query; the evaluation of Cornac skips users without relevant items."""
    relevant = np.array([number_of(item) for item in relevant_items(query)])
    if not len(relevant):
        return None
    items = np.array([number_of(item) for item in ordered(query)])
    try:
        return metric.compute(gt_pos=relevant, pd_rank=items, pd_scores=scores_of(query, items), item_indices=items)
    except ValueError:  # MRR where nothing relevant was ranked
        return None


def scores_of(query: Query, items: Any) -> Any:
    """Return the score of each item."""
    found = {number_of(item): score for item, score in query["ranking"]}
    return np.array([found[item] for item in items.tolist()])
