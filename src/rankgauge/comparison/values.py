"""The values that a comparison is made of, and its input."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from rankgauge.comparison.corpus_comparison import CorpusComparison
from rankgauge.comparison.metric_comparison import Compared, MetricComparison
from rankgauge.comparison.query_comparison import QueryComparison
from rankgauge.errors import InputError, shown
from rankgauge.evaluation.scores import Scores
from rankgauge.matching.judgments import Judgments
from rankgauge.matching.ranking import Ranking
from rankgauge.segments import Floats


class ComparedInput(NamedTuple):
    """The parsed judgments and the rankings that were compared."""

    judgments: Judgments
    rankings: Mapping[str, Ranking]
    weights: Mapping[Any, float] | None


class SystemValues(NamedTuple):
    """Values of one metric that were computed elsewhere."""

    metric: str
    higher_is_better: bool
    systems: tuple[str, ...]
    queries: tuple[Any, ...]
    matrix: Floats
    """Queries x systems; NaN if a system has no value for a query."""

    @classmethod
    def of(cls, values: Mapping[str, Mapping[Any, float]], metric: str, higher_is_better: bool) -> SystemValues:
        """Return the values of ``{system: {query: value}}``."""
        queries = tuple(dict.fromkeys(query for column in values.values() for query in column))
        columns = [
            [_number(column.get(query, np.nan), system, query) for query in queries]
            for system, column in values.items()
        ]
        return cls(metric, higher_is_better, tuple(map(str, values)), queries, np.array(columns).T)


def _number(value: Any, system: object, query: object) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise InputError(f"system {shown(system)}, query {shown(query)}: {shown(value)} is not a number") from None
    if np.isinf(number):
        raise InputError(f"system {shown(system)}, query {shown(query)}: the value is infinite")
    return number


def comparison_by_metric(values: Scores | SystemValues, compared: Compared) -> dict[str, MetricComparison]:
    """Return the comparison of the systems by each metric."""
    if isinstance(values, SystemValues):
        direction = values.higher_is_better
        return {values.metric: QueryComparison(values.metric, direction, compared, values.queries, values.matrix)}
    comparisons: dict[str, MetricComparison] = {}
    for metric in values.metrics:
        name = str(metric)
        if metric.definition.summary.has_query_values:
            matrix = np.column_stack([values.system(system)[metric] for system in values.systems])
            higher = metric.definition.higher_is_better
            comparisons[name] = QueryComparison(name, higher, compared, values.queries, matrix)
        else:
            corpus_values = [values.corpus_value(metric, system) for system in values.systems]
            comparisons[name] = CorpusComparison(metric, compared, corpus_values, len(values.queries))
    return comparisons
