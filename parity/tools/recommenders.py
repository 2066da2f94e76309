"""Recommenders: two tables, and the mean over the users of both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
from calls import call
from recommenders.evaluation import python_evaluation as rc

from worlds import World, relevant_items

COLUMNS = {"col_user": "user", "col_item": "item", "col_rating": "rating", "col_prediction": "prediction"}


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return the mean of each world for metrics such as ``ndcg_at_k(k=5)``; None if no user is in both tables."""
    parsed = {metric: call(metric) for metric in metrics}
    found: dict[str, list[float | None]] = {metric: [] for metric in metrics}
    for world in worlds:
        truth = pd.DataFrame(
            [(query["query"], item, float(query["judged"][item])) for query in world for item in relevant_items(query)],
            columns=["user", "item", "rating"],
        )
        given = pd.DataFrame(
            [(query["query"], item, score) for query in world for item, score in query["ranking"]],
            columns=["user", "item", "prediction"],
        )
        both = set(truth["user"]) & set(given["user"])
        for metric, (name, _, options) in parsed.items():
            found[metric].append(getattr(rc, name)(truth, given, **COLUMNS, **options) if both else None)
    return found
