"""LensKit: metrics of one list of recommendations and one of test items."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from calls import call
from lenskit.data import ItemList
from lenskit.metrics import ranking

from worlds import Query, World, each, ordered


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """A value for each query, by classes such as ``NDCG(5)``."""
    return {metric: each(worlds, lambda query, it=made(metric): value(it, query)) for metric in metrics}


def made(metric: str) -> Any:
    """The metric behind its text."""
    name, arguments, options = call(metric)
    return getattr(ranking, name)(*arguments, **options)


def value(metric: Any, query: Query) -> float:
    """The value of one query."""
    relevant = {item: grade for item, grade in query["judged"].items() if grade > 0}
    test = ItemList(list(relevant), rating=[float(grade) for grade in relevant.values()])
    try:
        return metric.measure_list(ItemList(ordered(query), ordered=True), test)
    except ZeroDivisionError:  # AveragePrecision of an empty list
        return math.nan
