"""Scores as plain data: rows, dicts and the output of trec_eval."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rankgauge.evaluation.trec_line import trec_line
from rankgauge.rendering.plain import finite_or_none

if TYPE_CHECKING:
    from rankgauge.evaluation.scores import Scores

SCHEMA = 1


def long_columns(scores: Scores) -> dict[str, list[Any]]:
    """Return a row per system, metric and query, as columns."""
    columns: dict[str, list[Any]] = {"system": [], "query": [], "metric": [], "value": []}
    for system in scores.systems:
        for metric in scores.metrics:
            values = scores.per_query(metric, system)
            columns["system"] += [system] * len(values)
            columns["query"] += values.keys()
            columns["metric"] += [str(metric)] * len(values)
            columns["value"] += values.values()
    if not scores.named:
        del columns["system"]
    if len({*map(type, columns["query"])}) > 1:
        columns["query"] = [*map(str, columns["query"])]
    return columns


def scores_data(scores: Scores) -> dict[str, Any]:
    """Return everything as plain data; None for what is not a number."""
    findings = [
        {"code": f.code, "severity": f.severity, "what": f.title.en, "count": f.count, "examples": list(f.examples)}
        for f in scores.findings
    ]
    systems = {name: _system_data(scores, name) for name in scores.systems}
    return {
        "schema": SCHEMA,
        "convention": scores.convention.to_dict(),
        **({} if scores.grades is None else {"grades": repr(scores.grades)}),
        "findings": findings,
        "without_relevant": [*scores.without_relevant],
        **({"systems": systems} if scores.named else systems[""]),
    }


def _system_data(scores: Scores, system: str) -> dict[str, Any]:
    columns = {str(metric): scores.values(metric, system).tolist() for metric in scores.query_metrics}
    return {
        "mean": {str(metric): finite_or_none(scores.mean(metric, system)) for metric in scores.metrics},
        "missing": [*scores.missing_in(system)],
        "per_query": {
            str(query): {name: finite_or_none(values[place]) for name, values in columns.items()}
            for place, query in enumerate(scores.queries)
        },
    }


def scores_trec(scores: Scores, per_query: bool, system: str | None) -> str:
    """Return the output of trec_eval for one system."""
    columns = {metric: scores.values(metric, system).tolist() for metric in scores.query_metrics}
    lines = [
        trec_line(metric, str(query), values[place])
        for place, query in enumerate(scores.queries if per_query else ())
        for metric, values in columns.items()
    ]
    lines += [trec_line(metric, "all", scores.mean(metric, system)) for metric in scores.metrics]
    return "\n".join(lines) + "\n"
