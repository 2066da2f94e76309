"""trectools: a file of judgments and a file of rankings; all worlds in one call."""

from __future__ import annotations

import io
import math
import warnings
from collections.abc import Iterable, Sequence
from typing import Any

from calls import call
from trectools import TrecEval, TrecQrel, TrecRun

from worlds import Query, World

warnings.simplefilter("ignore")  # of pandas, about code of trectools
Named = tuple[str, Query]


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return a value for each query for metrics such as ``get_ndcg(depth=5)``; None for topics without results."""
    named = [[(f"{number}-{query['query']}", query) for query in world] for number, world in enumerate(worlds)]
    listed = [one for world in named for one in world if one[1]["ranking"]]
    together, apart = evaluation(listed), evaluation(listed, apart=1)
    found = {}
    for metric in metrics:
        name, _, options = call(metric)
        if name == "get_rbp":  # with its residual
            column = per_topic(apart.get_rbp(per_query=True, **options)[0])
        else:
            column = per_topic(getattr(together, name)(per_query=True, **options))
        found[metric] = [[value(column, *one) for one in world] for world in named]
    return found


def evaluation(queries: Iterable[Named], apart: int = 0) -> Any:
    """Return the evaluation of queries, read from files in memory, the scores of each that much above those before it.

    Otherwise RBP takes equal scores at the end of a topic and the start of the next for ties.
    """
    judged, ranked = [], []
    for place, (topic, query) in enumerate(queries):
        judged += [f"{topic} 0 {item} {grade}" for item, grade in query["judged"].items()]
        ranked += [f"{topic} Q0 {item} 0 {score + apart * place!r} run" for item, score in query["ranking"]]
    return TrecEval(TrecRun(io.StringIO("\n".join(ranked))), TrecQrel(io.StringIO("\n".join(judged))))


def per_topic(table: Any) -> dict[str, float]:
    """Return the only column of a table by topic."""
    return table.iloc[:, 0].to_dict()


def value(column: dict[str, float], topic: str, query: Query) -> float | None:
    """Return the value of a topic; topics that are left out or NaN count 0 in the mean."""
    if not query["ranking"]:
        return None
    got = column.get(topic, 0.0)
    return 0.0 if math.isnan(got) else got
