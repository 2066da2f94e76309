"""A value in the layout of trec_eval, under its name where it has one."""

from __future__ import annotations

from rankgauge.conventions.rule import plain_number
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.registry import trec_names


def trec_line(metric: Metric, query: str, value: float) -> str:
    """A line of trec_eval's output: the name of the metric, the query or ``all``, and the value."""
    number = f"{plain_number(value)}" if metric.definition.summary.is_count else f"{value:6.4f}"
    return f"{_trec_name(metric):<22}\t{query}\t{number}"


def _trec_name(metric: Metric) -> str:
    """trec_eval's name of a metric, or its own text where trec_eval has none."""
    plain = {**metric.parameters, "k": None} if metric.k is not None else metric.parameters
    for name, notation in trec_names().items():
        if notation == str(metric):
            return name
        if notation.endswith("@{}") and metric.k is not None and notation == f"{metric(**plain)}@{{}}":
            return f"{name}_{metric.k}"
    return str(metric)
