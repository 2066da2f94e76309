"""The gist of a report for the page that asked for it: verdict and leaderboard of each metric."""

from __future__ import annotations

from typing import Any

from rankgauge.metric_core.metric import Metric
from rankgauge.rendering.element import Element
from rankgauge.reports import cards
from rankgauge.reports.model import Report


def summary(report: Report) -> list[dict[str, Any]]:
    """For each metric its name and what is said of it, as data that the page builds."""
    metrics = report.found.scores.metrics
    return [{"metric": str(metric), "says": [one.tree() for one in _says(report, metric)]} for metric in metrics]


def _says(report: Report, metric: Metric) -> list[Element]:
    first, *others = cards.verdicts(report.found, metric, report.pairs.get(str(metric), ()))
    return [
        Element("p", first, class_="verdict"),
        *(Element("p", sentence) for sentence in others),
        cards.leaderboard(report.found, metric),
    ]
