"""Comparison: the values of several systems on the same queries, and what they allow to say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from rankgauge.compare.settings import Settings
from rankgauge.errors import InputError, ParameterError, UnknownNameError, shown
from rankgauge.match.segments import Floats
from rankgauge.metrics.metric import Metric
from rankgauge.metrics.notation import parse
from rankgauge.results.scores import Scores

TWO = 2


class Values(NamedTuple):
    """A value for each query (row) and system (column), of the queries for which every system has one."""

    queries: tuple[Any, ...]
    matrix: Floats


class Measured(NamedTuple):
    """One metric of the comparison, before any query is left out."""

    name: str
    queries: tuple[Any, ...]
    matrix: Floats
    """NaN where a system has no value."""
    higher_is_better: bool


class Comparison:
    """Several systems on the same queries; the baseline comes first in every difference.

    >>> both = Comparison.of({"A": {"q1": 0.5, "q2": 0.25}, "B": {"q1": 0.75, "q2": 0.5, "q3": 1.0}})
    >>> both.systems, both.metrics, both.baseline
    (('A', 'B'), ('value',), 'A')
    >>> both.values("value").queries  # A has no value for q3
    ('q1', 'q2')
    """

    def __init__(self, scores: Scores, *, baseline: str | None = None, settings: Settings | None = None) -> None:
        measured = [
            Measured(
                str(metric),
                scores.queries,
                np.column_stack([scores.system(name)[metric] for name in scores.systems]),
                metric.definition.higher_is_better,
            )
            for metric in scores.metrics
        ]
        self._begin(scores, scores.systems, measured, baseline, settings)

    @classmethod
    def of(
        cls,
        values: Mapping[str, Mapping[Any, float]],
        metric: str = "value",
        *,
        higher_is_better: bool = True,
        baseline: str | None = None,
        settings: Settings | None = None,
    ) -> Comparison:
        """Compare values that come from elsewhere: ``{system: {query: value}}``; NaN is no value."""
        systems = tuple(map(str, values))
        cls.check_systems(systems)
        queries = tuple(dict.fromkeys(query for column in values.values() for query in column))
        matrix = np.full((len(queries), len(systems)), np.nan)
        for place, (system, column) in enumerate(values.items()):
            matrix[:, place] = [_number(column.get(query, np.nan), system, query) for query in queries]
        made = cls.__new__(cls)
        made._begin(None, systems, [Measured(metric, queries, matrix, higher_is_better)], baseline, settings)  # noqa: SLF001
        return made

    def _begin(
        self,
        scores: Scores | None,
        systems: tuple[str, ...],
        measured: Sequence[Measured],
        baseline: str | None,
        settings: Settings | None,
    ) -> None:
        self.check_systems(systems)
        self.scores = scores
        self.systems = systems
        self.settings = settings or Settings()
        self._measured = {one.name: one for one in measured}
        self.baseline = systems[0] if baseline is None else systems[self._place(baseline)]
        self._values: dict[str, Values] = {}

    @staticmethod
    def check_systems(systems: Sequence[str]) -> None:
        """Refuse what cannot be compared."""
        if len(systems) < TWO:
            raise ParameterError(f"compare: a comparison needs two systems or more, not {len(systems)}")

    @property
    def metrics(self) -> tuple[str, ...]:
        """The names of the metrics, in the order in which they were asked for."""
        return tuple(self._measured)

    def _of(self, metric: str | Metric | None) -> Measured:
        if metric is None:
            return next(iter(self._measured.values()))
        name = str(metric)
        if name not in self._measured and self.scores is not None:
            name = str(parse(metric))
        if name not in self._measured:
            raise UnknownNameError.closest("metric of this comparison", str(metric), self.metrics)
        return self._measured[name]

    def _place(self, system: str) -> int:
        if system not in self.systems:
            raise UnknownNameError.closest("system", str(system), self.systems)
        return self.systems.index(system)

    def values(self, metric: str | Metric | None = None) -> Values:
        """The queries for which every system has a value, and the matrix of queries by systems.

        A query that a system lacks (``missing="skip"``) or for which the metric is 0/0 is left out for all
        systems, so that every mean and every difference is over the same queries.
        """
        found = self._of(metric)
        if found.name not in self._values:
            whole = ~np.isnan(found.matrix).any(axis=1)
            if not whole.any():
                lacking = int(np.isnan(found.matrix).sum(axis=0).argmax())
                raise InputError(
                    f"compare: no query has a value of {found.name} for all {len(self.systems)} systems; "
                    f"{shown(self.systems[lacking])} lacks most; leave it out or set missing='zero'"
                )
            kept = tuple(found.queries[place] for place in np.flatnonzero(whole))
            self._values[found.name] = Values(kept, found.matrix[whole])
        return self._values[found.name]

    def left_out(self, metric: str | Metric | None = None) -> dict[str, int]:
        """How many queries each system has no value for; those are left out for all."""
        lacking = np.isnan(self._of(metric).matrix).sum(axis=0)
        return {name: int(count) for name, count in zip(self.systems, lacking, strict=True) if count}


def _number(value: Any, system: object, query: object) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise InputError(f"system {shown(system)}, query {shown(query)}: {shown(value)} is not a number") from None
    if np.isinf(number):
        raise InputError(f"system {shown(system)}, query {shown(query)}: the value is infinite")
    return number
