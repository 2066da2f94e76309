"""The summary of a report that the page shows: verdict and leaderboard of each metric."""

from __future__ import annotations

from typing import Any

from rankgauge.metric_core.metric import Metric
from rankgauge.rendering.element import Element
from rankgauge.reports import cards
from rankgauge.reports.model import Report


def summary(report: Report) -> list[dict[str, Any]]:
    """Return the name and the elements of each metric as plain data."""
    metrics = report.contents.scores.metrics
    return [
        {"metric": str(metric), "content": [element.tree() for element in _content(report, metric)]}
        for metric in metrics
    ]


def _content(report: Report, metric: Metric) -> list[Element]:
    first, *others = cards.verdicts(report.contents, metric, report.pairs.get(str(metric), ()))
    return [
        Element("p", first, class_="verdict"),
        *(Element("p", sentence) for sentence in others),
        cards.leaderboard(report.contents, metric),
    ]
