"""LensKit: an analysis of all lists, with its defaults for missing values."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from calls import call
from lenskit.data import ItemList, ItemListCollection
from lenskit.metrics import RunAnalysis, ranking

from worlds import World, ordered, relevant_items


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return a value for each query for metrics such as ``NDCG(5)``; all worlds in one call."""
    warnings.simplefilter("ignore")
    queries = [query for world in worlds for query in world]
    given = {number: ItemList(ordered(query), ordered=True) for number, query in enumerate(queries)}
    truth = {number: ItemList(relevant_items(query)) for number, query in enumerate(queries)}
    made = [made_of(metric) for metric in metrics]
    outputs, test = (ItemListCollection.from_dict(lists, "user_id") for lists in (given, truth))
    table = RunAnalysis(*made).measure(outputs, test).list_metrics()
    found = {}
    for metric, one in zip(metrics, made, strict=True):
        column = iter(table[one.label].loc[list(range(len(queries)))])
        found[metric] = [[next(column) for _ in world] for world in worlds]
    return found


def made_of(metric: str) -> Any:
    """Return the metric of a notation."""
    name, arguments, options = call(metric)
    return getattr(ranking, name)(*arguments, **options)
