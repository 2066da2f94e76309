"""What an engine gets back: Arrow batches with a row for each query, many queries at once, and what was found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from rankgauge.conventions import Convention
from rankgauge.engines.supported_metrics import check_supported
from rankgauge.engines.tables.sql import COUNTED
from rankgauge.errors import InputError, ParameterError, UndefinedError, shown
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.grade_checks import LARGE_GRADE
from rankgauge.matching.apply_rules import settle
from rankgauge.matching.matched import Matched
from rankgauge.metric_core.corpus_value import CorpusValue
from rankgauge.metric_core.metric import Metric
from rankgauge.segments import Bools, Floats, Ints

NOTED = ("RG205", "RG206", "RG207", "RG212", "RG402", "RG403", "RG404")
"""What is counted here rather than by the query."""
CODES = (*COUNTED, *NOTED)
COUNTS = (*CODES, "judged", "answered", "at_most_0")
"""The columns of numbers that an answer has beside its values."""


def value_name(place: int) -> str:
    """The column of the metric at this place; the text of a metric is no name for a column."""
    return f"value_{place}"


def weight_name(place: int) -> str:
    """The column of the weights of the queries for the metric at this place, where its mean is weighted."""
    return f"weight_{place}"


def weighted_places(metrics: Sequence[Metric]) -> list[int]:
    """The places of the metrics that give each query a weight."""
    return [place for place, metric in enumerate(metrics) if metric.definition.summary.weighs_queries]


def weighted_wholes(answer: pa.Table, metrics: Sequence[Metric]) -> dict[Metric, CorpusValue]:
    """What metrics that give each query a weight are of all queries together."""
    return {
        metrics[place]: CorpusValue.weighted(
            answer.column(value_name(place)).to_numpy(), answer.column(weight_name(place)).to_numpy()
        )
        for place in weighted_places(metrics)
    }


def check_metrics(metrics: Sequence[Metric], rules: Convention) -> None:
    """Refuse what engines cannot do: metrics of the items themselves, and rules of their own for missing queries."""
    check_supported(metrics)
    for metric in metrics:
        own = rules.for_metric(metric.name).missing
        if own != rules.missing:
            raise ParameterError(
                f"{metric}: missing={own!r} for this metric and {rules.missing!r} for others; engines take one rule "
                "for all: evaluate it alone, with .replace(missing=..., per_metric={})"
            )


def answer(
    query: pa.Array,
    matched: Matched,
    counts: dict[str, Ints],
    metrics: Sequence[Metric],
    rules: Convention,
    *,
    lenient: bool,
) -> pa.RecordBatch:
    """The values of matched queries: query, a column for each metric, weights, and ``COUNTS``.

    ``counts`` is what matching found in each of them, by the codes of ``COUNTED``. A query that is not judged has a row
    too, in which ``judged`` is 0: it is counted, and has no values.
    """
    pool = np.bincount(matched.pool_query, minlength=len(query))
    judged = (pool > 0) & query.is_valid().to_numpy(zero_copy_only=False)
    answered = judged & (matched.returned > 0)
    counts = counts | _noted(matched, judged, answered, rules)
    if not lenient:
        table = pa.RecordBatch.from_pydict({"query": query, **counts})
        findings_of(table, CODES).raise_errors(lenient=False)
    missing = judged & ~answered
    if rules.missing == "error" and missing.any():
        raise InputError(
            f"ranking: judged query {shown(query[int(np.argmax(missing))].as_py())} is missing; "
            "set missing to 'zero' or 'skip'"
        )
    counted = judged if rules.missing == "zero" else answered
    values = _values(
        query, matched if counted.all() else matched.of_queries(counted), np.flatnonzero(counted), metrics, rules
    )
    return pa.RecordBatch.from_pydict({"query": query, **values, **counts})


def _values(
    query: pa.Array, matched: Matched, numbers: Ints, metrics: Sequence[Metric], rules: Convention
) -> dict[str, Floats]:
    """A column for each metric, NaN for queries that are left out; then those of the weights."""
    columns = {value_name(place): np.full(len(query), np.nan) for place in range(len(metrics))}
    columns |= {weight_name(place): np.zeros(len(query)) for place in weighted_places(metrics)}
    if len(numbers):
        judged = settle(matched, rules)
        for place, metric in enumerate(metrics):
            try:
                computed = metric.compute(judged, rules)
                columns[value_name(place)][numbers] = metric.values_of(computed, rules)
                if weight_name(place) in columns:
                    columns[weight_name(place)][numbers] = computed.weight
            except UndefinedError as error:
                raise UndefinedError(f"query {shown(query[int(numbers[error.place])].as_py())}: {error}") from None
    return columns


def _noted(matched: Matched, judged: Bools, answered: Bools, rules: Convention) -> dict[str, Ints]:
    """What is to be said of each query, by code, and its state."""

    def count(query: Ints, found: Bools) -> Ints:
        return np.bincount(query[found], minlength=len(judged))

    query, grade = matched.pool_query, matched.pool_grade
    return {
        "RG205": count(query, grade != np.floor(grade)),
        "RG206": count(query, grade < 0),
        "RG207": count(query, grade > LARGE_GRADE),
        "RG212": count(matched.query, matched.tied > 1) * judged,
        "RG402": (judged & ~answered).astype(np.int64),
        "RG403": (~judged & (matched.returned > 0)).astype(np.int64),
        "RG404": (answered & (count(query, grade >= rules.rel) == 0)).astype(np.int64),
        "judged": judged.astype(np.int64),
        "answered": answered.astype(np.int64),
        "at_most_0": count(query, grade <= 0),
    }


def findings_of(answer: pa.RecordBatch | pa.Table, codes: Sequence[str] = CODES) -> Findings:
    """The findings of an answer, each with the first query of it."""
    found = Findings()
    for code in codes:
        counts = answer.column(code).to_numpy()
        if counts.any():
            first = answer.column("query")[int(np.argmax(counts > 0))].as_py()
            add_finding(found, code, first, int(counts.sum()))
    return found


def add_finding(found: Findings, code: str, query: Any, count: int) -> None:
    """Say what was found, by a query in which it was."""
    place = "a row without a query" if query is None else f"query {shown(query)}"
    found.add(code, f"{'judgments' if code in {'RG204', 'RG302', 'RG303'} else 'data'}: {place}", count)


def settle_whole(found: Findings, judged: int, answered: int, at_most_0: int, *, lenient: bool) -> None:
    """Refuse what no query alone can show: nothing judged, nothing in common; note judgments that only praise."""
    found.raise_errors(lenient)
    if not judged:
        raise InputError("judgments: there are no judged queries")
    if not answered:
        found.add("RG401", f"none of the {judged:,} judged queries is in the ranking")
        found.raise_errors(lenient=False)
    if not at_most_0:
        found.add("RG405", "no grade is 0 or below")
