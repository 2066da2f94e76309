"""Values of several systems, evaluated here or elsewhere, and their comparison by each metric."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from rankgauge.comparison.metric_comparison import Compared, CorpusComparison, MetricComparison, QueryComparison
from rankgauge.errors import InputError, shown
from rankgauge.evaluation.scores import Scores
from rankgauge.stats.samples import LARGEST


class SystemValues(NamedTuple):
    """Values of one metric that were computed elsewhere: ``{system: {query: value}}``."""

    metric: str
    higher_is_better: bool
    systems: tuple[str, ...]
    by_system: Mapping[str, Mapping[Any, float]]


def statistics_by_metric(values: Scores | SystemValues, compared: Compared) -> dict[str, MetricComparison]:
    """Return the comparison of the systems by each metric."""
    if isinstance(values, SystemValues):
        columns = values.by_system
        queries = tuple(dict.fromkeys(query for column in columns.values() for query in column))
        matrix = np.array(
            [[_number(row.get(query, np.nan), name, query) for query in queries] for name, row in columns.items()]
        ).T
        return {values.metric: QueryComparison(values.metric, values.higher_is_better, compared, queries, matrix)}
    comparisons: dict[str, MetricComparison] = {}
    for metric in values.metrics:
        name, higher_is_better = str(metric), metric.definition.higher_is_better
        if metric.definition.summary.has_query_values:
            matrix = np.column_stack([values.values(metric, system) for system in values.systems])
            comparisons[name] = QueryComparison(name, higher_is_better, compared, values.queries, matrix)
        else:
            corpus = [values.corpus_value(metric, system) for system in values.systems]
            comparisons[name] = CorpusComparison(name, higher_is_better, compared, len(values.queries), corpus)
        comparisons[name].bounds = metric.definition.bounds
    return comparisons


def _number(value: Any, system: object, query: object) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"system {shown(system)}, query {shown(query)}: {shown(value)} is not a number") from None
    if np.isinf(number):
        raise InputError(f"system {shown(system)}, query {shown(query)}: the value is infinite")
    if abs(number) > LARGEST:
        raise InputError(f"system {shown(system)}, query {shown(query)}: the value {number:g} exceeds {LARGEST:g}")
    return number
