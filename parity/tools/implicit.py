"""implicit: ranking_metrics_at_k of a model that recommends the given lists; one call for each world."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from calls import call
from implicit.evaluation import ranking_metrics_at_k
from scipy.sparse import csr_matrix

from worlds import World, number_of, ordered, relevant_items

ITEMS = 3000


class Given:
    """A model that recommends given lists, filled up with -1, as implicit does where it has no more items."""

    def __init__(self, lists: list[list[int]]) -> None:
        self.lists = lists

    def recommend(self, users: Any, user_items: Any, N: int) -> tuple[Any, Any]:  # noqa: ARG002, N803 (as implicit calls it)
        """Return the first N items of each user, and no scores."""
        rows = [(self.lists[user] + [-1] * N)[:N] for user in users]
        return np.array(rows, dtype="int32"), None


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return the mean of each world for metrics such as ``ndcg(K=5)``; none if no user has relevant items."""
    return {metric: [mean(world, metric) for world in worlds] for metric in metrics}


def mean(world: World, metric: str) -> float | None:
    """Return the value of all users."""
    name, _, options = call(metric)
    liked = [(row, number_of(item)) for row, query in enumerate(world) for item in relevant_items(query)]
    if not liked:
        return None
    rows, items = zip(*liked, strict=True)
    truth = csr_matrix((np.ones(len(liked)), (rows, items)), shape=(len(world), ITEMS))
    model = Given([[number_of(item) for item in ordered(query)] for query in world])
    return ranking_metrics_at_k(model, csr_matrix(truth.shape), truth, show_progress=False, **options)[name]
