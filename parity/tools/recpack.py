"""RecPack: two sparse matrices of users and items; all worlds in one call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from calls import call
from recpack import metrics as rp
from scipy.sparse import csr_matrix

from worlds import World, number_of, relevant_items


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return a value for each user with relevant items for metrics such as ``NDCGK(5)``."""
    queries = [query for world in worlds for query in world]
    truth = [(row, number_of(item), 1.0) for row, query in enumerate(queries) for item in relevant_items(query)]
    given = [(row, number_of(item), score) for row, query in enumerate(queries) for item, score in query["ranking"]]
    found = {}
    for metric in metrics:
        name, arguments, _ = call(metric)
        made = getattr(rp, name)(*arguments)
        made.calculate(matrix(truth, len(queries)), matrix(given, len(queries)))
        column = made.results.groupby("user_id")["score"].sum().to_dict()  # HitK has a row for each item
        rows = iter(range(len(queries)))
        found[metric] = [[column.get(next(rows)) for _ in world] for world in worlds]
    return found


def matrix(cells: list[tuple[int, int, float]], rows: int) -> Any:
    """Return cells as a sparse matrix."""
    users, items, numbers = zip(*cells, strict=True)
    return csr_matrix((numbers, (users, items)), shape=(rows, 2000))
