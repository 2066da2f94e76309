"""rs_metrics: dicts of users and their items; all worlds in one call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import rs_metrics
from calls import call

from worlds import World, ordered, relevant_items


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return a value for each user of the truth for metrics such as ``ndcg(k=5)``."""
    queries = [query for world in worlds for query in world]
    truth = {number: relevant for number, query in enumerate(queries) if (relevant := relevant_items(query))}
    given = {number: ordered(query) for number, query in enumerate(queries)}
    found = {}
    for metric in metrics:
        name, _, options = call(metric)
        answer = dict(zip(truth, getattr(rs_metrics, name)(truth, given, apply_mean=False, **options), strict=True))
        numbers = iter(range(len(queries)))
        found[metric] = [[answer.get(next(numbers)) for _ in world] for world in worlds]
    return found
