"""Every query of every system: what stood at each rank, and what it added.

The lists of one system are laid end to end and each metric is computed once for all of them; what is shown are
the factors, contributions and normalisers of that one sum, so the rows of a query add up to its value.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.inputs.findings import Findings
from rankgauge.match.judged import Judged
from rankgauge.match.lists import RankedList
from rankgauge.match.roads import Judgments
from rankgauge.match.segments import Floats, Segments
from rankgauge.metrics.metric import Metric
from rankgauge.metrics.sums import Sum
from rankgauge.results.ranked import ranked_lists

TOP = 20
"""How many items of each list are shown."""
DIGITS = 9
MISSED = 10
"""How many relevant items that stand in no list are named."""


class Made(NamedTuple):
    """One metric of one system: what the kernel returned, and the values that come of it."""

    computed: Sum
    values: Floats
    parts: Mapping[str, Floats]
    rows: Sequence[list[list[float]]]
    """Of the top of each query: rank, factors, contribution."""
    tails: Floats
    ideal: Sequence[list[list[float]]] | None
    """The rows of the ideal order that the sum is divided by, where it is."""


class SystemLists(NamedTuple):
    """One system: its lists, and the sum of each metric over all of them."""

    lists: Sequence[RankedList]
    sums: Sequence[Made]


class Lists:
    """The lists of all systems, for the view of a query."""

    def __init__(
        self, judgments: Judgments, rankings: Mapping[str, Any], metrics: Sequence[Metric], convention: Convention
    ) -> None:
        self.queries = [*judgments.queries]
        self._grades = None if judgments.array is not None else judgments.dicts
        self._rel = convention.rel
        self.metrics = tuple(metrics)
        self.systems = [
            _system(ranked_lists(judgments, ranking, self.queries, convention, Findings()), metrics, convention)
            for ranking in rankings.values()
        ]

    @property
    def shares_positions(self) -> bool:
        """Whether tied items stand in every order at once."""
        return any(ranked.shares_positions for system in self.systems for ranked in system.lists)

    def ids(self) -> set[str]:
        """The ids of all queries and of all items that are shown."""
        items = {
            str(ranked.item_at(rank))
            for system in self.systems
            for ranked in system.lists
            for rank in range(1, min(TOP, _length(ranked)) + 1)
        }
        return items.union(map(str, self.queries))

    def chunks(self, size: int) -> Iterator[list[dict[str, Any]]]:
        """The queries in their order, some at a time, as plain data."""
        for first in range(0, len(self.queries), size):
            yield [self.query(place) for place in range(first, min(first + size, len(self.queries)))]

    def query(self, place: int) -> dict[str, Any]:
        """One query: the items and grades that occur, the top of each list, and for each metric what adds up."""
        number: dict[Any, int] = {}
        grades: list[float | None] = []
        tops = []
        for system in self.systems:
            ranked = system.lists[place]
            top = []
            for rank in range(1, min(TOP, _length(ranked)) + 1):
                item = ranked.item_at(rank)
                if item not in number:
                    number[item] = len(number)
                    grades.append(_plain(ranked.grade_at(rank)))
                top.append(number[item])
            tops.append(top)
        return {
            "items": [str(item) for item in number],
            "grades": grades,
            "tops": tops,
            "returned": [int(system.lists[place].judged.returned[0]) for system in self.systems],
            "missed": self._missed(place, number),
            "sums": [[_one_sum(system.sums[m], place) for system in self.systems] for m in range(len(self.metrics))],
            "ideals": [self._ideal(m, place) for m in range(len(self.metrics))],
        }

    def _missed(self, place: int, shown: Mapping[Any, int]) -> list[list[Any]]:
        """The best of the relevant items that are in no top."""
        if self._grades is None:
            return []
        known = self._grades[self.queries[place]]
        missed = [(item, grade) for item, grade in known.items() if grade >= self._rel and item not in shown]
        return [[str(item), grade] for item, grade in sorted(missed, key=lambda pair: -pair[1])[:MISSED]]

    def _ideal(self, metric: int, place: int) -> list[Any] | None:
        """The rows of the ideal order; one where all systems have the same."""
        found = [system.sums[metric].ideal for system in self.systems]
        rows = [ideal[place] for ideal in found if ideal is not None]
        return None if not rows else rows[:1] if all(one == rows[0] for one in rows) else rows


def _ideal(computed: Sum) -> list[list[list[float]]] | None:
    below = computed.normaliser
    if below is None or below.steps is None or not below.steps.judged.is_ideal:
        return None
    return _rows(below.steps, grades=True)


def _length(ranked: RankedList) -> int:
    return int(ranked.judged.returned[0])


def _system(found: Mapping[Any, RankedList], metrics: Sequence[Metric], convention: Convention) -> SystemLists:
    lists = [*found.values()]
    judged = together([ranked.judged for ranked in lists])
    sums = []
    for metric in metrics:
        computed = metric.compute(judged, convention)
        parts = {name: part.quotients() for name, part in computed.parts.items()}
        values = metric.settled(computed, convention)
        sums.append(Made(computed, values, parts, _rows(computed), _after_top(computed), _ideal(computed)))
    return SystemLists(lists, sums)


def together(judged: Sequence[Judged]) -> Judged:
    """The judged rankings of many queries as one."""

    def column(name: str) -> Any:
        return np.concatenate([getattr(one, name) for one in judged])

    def perhaps(name: str, otherwise: str | None) -> Any:
        if all(getattr(one, name) is None for one in judged):
            return None
        return np.concatenate(
            [
                getattr(one, name)
                if getattr(one, name) is not None
                else np.ones(len(one.rank), dtype=bool if name == "judged" else np.float64)
                if otherwise is None
                else getattr(one, otherwise)
                for one in judged
            ]
        )

    return Judged(
        Segments.of_sizes(np.array([len(one.rank) for one in judged])),
        column("rank"),
        column("grade"),
        column("returned"),
        Segments.of_sizes(np.array([len(one.pool_grade) for one in judged])),
        column("pool_grade"),
        perhaps("judged", None),
        perhaps("tie_first", "rank"),
        perhaps("tie_size", None),
    )


def _one_sum(made: Made, place: int) -> dict[str, Any]:
    """What adds up to the value of one query: rows of the top, the rest of the list, the normaliser."""
    computed = made.computed
    return {
        "rows": made.rows[place],
        "cut": None if math.isinf(cut := _cut(computed, place)) else cut,
        "tail": float(made.tails[place]),
        "rest": None if computed.rest is None else float(computed.rest.values[place]),
        "total": float(computed.totals[place]),
        "below": None if computed.normaliser is None else float(computed.normaliser.values[place]),
        "value": _plain(float(made.values[place])),
        "parts": [
            [
                name,
                float(part.totals[place]),
                part.normaliser.name if part.normaliser else "",
                float(part.normaliser.values[place]) if part.normaliser else None,
                _plain(float(made.parts[name][place])),
            ]
            for name, part in computed.parts.items()
        ],
    }


def _rows(computed: Sum, *, grades: bool = False) -> list[list[list[float]]]:
    """For each query rank, factors and contribution of the rows inside the cut and the top; perhaps with the grade."""
    judged = computed.judged
    inside = judged.rank <= TOP
    if computed.cut is not None:
        inside &= judged.within(computed.cut)
    columns = [*([judged.grade] if grades else []), *computed.factors.values(), computed.contributions]
    columns = [np.broadcast_to(column, judged.rank.shape)[inside] for column in columns]
    cells = [np.round(column.astype(np.float64), DIGITS).tolist() for column in columns]
    rows = [[rank, *numbers] for rank, *numbers in zip(judged.rank[inside].astype(int).tolist(), *cells, strict=True)]
    ends = np.concatenate(([0], np.cumsum(np.bincount(judged.segments.query[inside], minlength=judged.segments.count))))
    return [rows[start:end] for start, end in pairwise(ends.tolist())]


def _after_top(computed: Sum) -> Floats:
    """What the rows below the top add to each query."""
    judged = computed.judged
    return judged.segments.sum(np.where(judged.rank > TOP, computed.contributions, 0.0))


def _cut(computed: Sum, place: int) -> float:
    if computed.cut is None:
        return math.inf
    return float(computed.cut[place]) if isinstance(computed.cut, np.ndarray) else float(computed.cut)


def _plain(value: float) -> float | None:
    return None if math.isnan(value) else value
