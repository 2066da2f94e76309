"""The gist of a report for the page that asked for it: verdict and leaderboard of each metric."""

from __future__ import annotations

from typing import Any

from rankgauge.report import cards
from rankgauge.report.element import Element
from rankgauge.report.model import Report


def summary(report: Report) -> list[dict[str, Any]]:
    """For each metric its name and what is said of it, as data that the page builds."""
    return [
        {
            "metric": str(metric),
            "says": [
                *(
                    Element("p", sentence, class_="" if at else "verdict").tree()
                    for at, sentence in enumerate(
                        cards.verdicts(report.found, metric, report.pairs.get(str(metric), ()))
                    )
                ),
                cards.leaderboard(report.found, metric).tree(),
            ],
        }
        for metric in report.found.scores.metrics
    ]
