"""Several metrics at once: as they are asked for in a call, and how deep they look together."""

from __future__ import annotations

from collections.abc import Iterable

from rankgauge.conventions import Convention
from rankgauge.errors import ParameterError
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import parse


def parse_all(metrics: str | Metric | Iterable[str | Metric]) -> list[Metric]:
    """One metric or several, as they are asked for in a call.

    >>> parse_all("RR"), parse_all(["AP", "P@5"])
    ([RR], [AP, P@5])
    """
    if not isinstance(metrics, str | Metric | Iterable):
        raise ParameterError.of("metrics", metrics, "one metric or more, as values or as text")
    asked = [parse(one) for one in ([metrics] if isinstance(metrics, str | Metric) else metrics)]
    if not asked:
        raise ParameterError.of("metrics", metrics, "one metric or more")
    return asked


def common_depth(metrics: Iterable[Metric], convention: Convention) -> int | None:
    """Down to which rank returned items matter to any of the metrics; None where all do."""
    depths = [metric.depth(convention) for metric in metrics]
    return None if None in depths else max(depth for depth in depths if depth is not None)
