"""Lines of trec_eval's output."""

from __future__ import annotations

from rankgauge.conventions.rule import plain_number
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.registry import trec_names


def trec_line(metric: Metric, query: str, value: float) -> str:
    """Return a line of trec_eval's output: name of the metric, query or ``all``, and value."""
    number = f"{plain_number(value)}" if metric.definition.summary.is_count else f"{value:6.4f}"
    return f"{_trec_name(metric):<22}\t{query}\t{number}"


def _trec_name(metric: Metric) -> str:
    """Return trec_eval's name of a metric, or its own notation if trec_eval does not have it."""
    without_cutoff = {**metric.parameters, "k": None} if metric.k is not None else metric.parameters
    for name, notation in trec_names().items():
        if notation == str(metric):
            return name
        if notation.endswith("@{}") and metric.k is not None and notation == f"{metric(**without_cutoff)}@{{}}":
            return f"{name}_{metric.k}"
    return str(metric)
