"""What a comparison is made of: values before and after queries are left out, and where they come from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from rankgauge.errors import InputError, shown
from rankgauge.evaluation.scores import Scores
from rankgauge.inputs.findings import Findings
from rankgauge.matching.graded_judgments import graded
from rankgauge.matching.read_options import ReadOptions
from rankgauge.segments import Floats


class Values(NamedTuple):
    """A value for each query (row) and system (column), of the queries for which every system has one."""

    queries: tuple[Any, ...]
    matrix: Floats


class Sources(NamedTuple):
    """What was evaluated, to be read again where items are asked for."""

    judgments: Any
    rankings: Mapping[str, Any]
    reading: Mapping[str, Any]

    @classmethod
    def of(cls, judgments: Any, rankings: Mapping[str, Any], options: Mapping[str, Any]) -> Sources:
        """What ``evaluate`` was given; where it was told how numbers become grades, with the grades."""
        reading = {name: value for name, value in options.items() if name != "grades"}
        if options.get("grades") is not None and not hasattr(judgments, "read"):  # a stream cannot be read again
            judgments, _ = graded(judgments, options["grades"], ReadOptions.of(reading), Findings())
        return cls(judgments, rankings, reading)


class Measured(NamedTuple):
    """One metric of the comparison, before any query is left out."""

    name: str
    queries: tuple[Any, ...]
    matrix: Floats | None
    """NaN where a system has no value; None where the metric is of all queries together."""
    higher_is_better: bool


def all_measured(scores: Scores) -> list[Measured]:
    """Every metric of the scores."""
    return [
        Measured(
            str(metric),
            scores.queries,
            np.column_stack([scores.system(name)[metric] for name in scores.systems])
            if metric.definition.summary.has_query_values
            else None,
            metric.definition.higher_is_better,
        )
        for metric in scores.metrics
    ]


def as_number(value: Any, system: object, query: object) -> float:
    """A value that comes from elsewhere."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise InputError(f"system {shown(system)}, query {shown(query)}: {shown(value)} is not a number") from None
    if np.isinf(number):
        raise InputError(f"system {shown(system)}, query {shown(query)}: the value is infinite")
    return number
