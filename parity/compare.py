"""The values of a tool beside those of rankgauge under the tool's preset."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import rankgauge as rg
from rankgauge.conventions import Convention
from worlds import World

Values = list[Any]
"""For each world the mean over its queries, or a list with the value of each query; None where there is none."""


def ours(worlds: Sequence[World], metric: str, convention: Convention) -> tuple[Values, Values]:
    """What rankgauge gives: the mean of each world, and the values of its queries."""
    parsed = rg.parse(metric)
    means: Values = []
    queries: Values = []
    for world in worlds:
        judgments = {query["query"]: query["judged"] for query in world}
        ranking = {query["query"]: dict(query["ranking"]) for query in world if query["ranking"]}
        scores = rg.evaluate(judgments, ranking, parsed, convention=convention)
        means.append(scores.mean(parsed))
        queries.append(scores[parsed].tolist())
    return means, queries


def apart(theirs: Values, means: Values, queries: Values) -> Iterator[tuple[int, float | None, float, float]]:
    """For each value: the number of its world, theirs, ours, and how far they are apart."""
    for number, (their, mean, per_query) in enumerate(zip(theirs, means, queries, strict=True)):
        pairs = zip(their, per_query, strict=True) if isinstance(their, list) else [(their, mean)]
        for one, other in pairs:
            if one is None:
                yield number, None, other, 0.0 if math.isnan(other) else math.nan
            else:
                yield number, one, other, math.inf if math.isnan(other) else abs(one - other)


def compared(theirs: Values, ours_of: tuple[Values, Values]) -> dict[str, Any]:
    """How many values were compared, how far the farthest are apart, and where."""
    values = not_given = 0
    farthest: dict[str, Any] = {"largest": 0.0}
    for number, one, other, difference in apart(theirs, *ours_of):
        if math.isnan(difference):
            not_given += 1
            continue
        values += 1
        if difference > farthest["largest"]:
            farthest = {"largest": difference, "world": number, "theirs": one,
                "ours_value": None if math.isnan(other) else other}
    return {"worlds": len(theirs), "values": values, "not_given": not_given, **farthest}
