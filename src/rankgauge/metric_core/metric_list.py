"""Lists of metrics: parsing, and the depth that they need together."""

from __future__ import annotations

from collections.abc import Iterable

from rankgauge.conventions import Convention
from rankgauge.errors import ParameterError
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import parse


def parse_all(metrics: str | Metric | Iterable[str | Metric]) -> list[Metric]:
    """Parse one metric or several.

    >>> parse_all("RR"), parse_all(["AP", "P@5"])
    ([RR], [AP, P@5])
    """
    if not isinstance(metrics, str | Metric | Iterable):
        raise ParameterError.of("metrics", metrics, "one metric or more, as values or as text")
    parsed = [parse(metric) for metric in ([metrics] if isinstance(metrics, str | Metric) else metrics)]
    if not parsed:
        raise ParameterError.of("metrics", metrics, "one metric or more")
    return parsed


def common_depth(metrics: Iterable[Metric], convention: Convention) -> int | None:
    """Return the last rank that can change any of the metrics, or None if all ranks can."""
    depths = [metric.depth(convention) for metric in metrics]
    return None if None in depths else max(depth for depth in depths if depth is not None)
