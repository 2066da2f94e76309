"""Compare the values of a tool with those of rankgauge under the preset of the tool."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import rankgauge as rg
from rankgauge.conventions import Convention
from rankgauge.evaluation.scores import Scores

if TYPE_CHECKING:
    from worlds import World

Values = list[Any]
"""For each data set the mean over its queries, or a list with the value of each query; None for missing values."""


def ours(worlds: Sequence[World], metrics: Sequence[str], convention: Convention, *, means: bool) -> dict[str, Values]:
    """Return the values of rankgauge: the mean of each data set, or the values of its queries."""
    parsed = {metric: rg.parse(metric) for metric in metrics}
    if means:
        scores = [evaluated([world], parsed.values(), convention) for world in worlds]
        return {metric: [one.mean(here) for one in scores] for metric, here in parsed.items()}
    together = evaluated(worlds, parsed.values(), convention)
    found = {}
    for metric, here in parsed.items():
        column = iter(together[here].tolist())
        found[metric] = [[next(column) for _ in world] for world in worlds]
    return found


def evaluated(worlds: Sequence[World], metrics: Iterable[rg.Metric], convention: Convention) -> Scores:
    """Evaluate all queries of the data sets."""
    named = [(f"{number}-{query['query']}", query) for number, world in enumerate(worlds) for query in world]
    judgments = {name: query.get("groups", query["judged"]) for name, query in named}
    ranking = {name: _scored(query["ranking"]) for name, query in named if query["ranking"]}
    units = {part: unit for _, query in named for part, unit in query.get("units", {}).items()}
    if units:
        convention = convention.replace(units="rolled-up")
    weights = {name: query["weight"] for name, query in named if "weight" in query}
    if weights and convention.averaging != "weighted":
        weights = {}
    return rg.evaluate(judgments, ranking, metrics, convention=convention, units=units or None, weights=weights or None)


def _scored(ranking: Sequence[Any]) -> Any:
    """Return ``{item: score}``; with repeated items the items, best first, in input order where scores are equal."""
    scores = dict(ranking)
    if len(scores) == len(ranking):
        return scores
    return [item for item, _ in sorted(ranking, key=lambda pair: -pair[1])]


def pairs(theirs: Values, here: Values) -> Iterator[tuple[int, float | None, float]]:
    """Yield the number of the data set, the value of the tool, and that of rankgauge."""
    for number, (one, other) in enumerate(zip(theirs, here, strict=True)):
        if isinstance(other, list):
            yield from ((number, *pair) for pair in zip(one, other, strict=True))
        else:
            yield number, one, other


def compared(theirs: Values, here: Values) -> dict[str, Any]:
    """Return the number of values compared, those missing in the tool, and the largest difference with its place."""
    values = not_given = 0
    farthest: dict[str, Any] = {"largest": 0.0}
    for number, one, other in pairs(theirs, here):
        if one is None and not math.isnan(other):
            not_given += 1
            continue
        values += 1
        difference = 0.0 if one is None else math.inf if math.isnan(other) else abs(one - other)
        if difference > farthest["largest"]:
            ours_value = None if math.isnan(other) else other
            farthest = {"largest": difference, "world": number, "theirs": one, "ours_value": ours_value}
    return {"worlds": len(theirs), "values": values, "not_given": not_given, **farthest}
