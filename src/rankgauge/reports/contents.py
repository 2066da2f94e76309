"""The contents of a report: scores, comparison, bounds, slices and lists."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rankgauge.comparison.comparison import Comparison
from rankgauge.comparison.settings import Settings
from rankgauge.evaluation.scores import Scores
from rankgauge.metric_core.metric import Metric
from rankgauge.reports.query_lists import TOP, QueryLists
from rankgauge.stats.intervals import Interval

if TYPE_CHECKING:
    from rankgauge.analysis.slices import Slices
    from rankgauge.analysis.unjudged import UnjudgedBounds
    from rankgauge.history.blame import Blame
    from rankgauge.history.trend import Trend
    from rankgauge.judging.corrected import Corrected
    from rankgauge.tuning.tuning import Tuning

LEAST_DEPTH = 10
BUDGETS = 8
"""Number of budgets at which a picture shows a metric, the last its own."""
NO_INTERVAL = Interval(math.nan, math.nan)


class Origin(NamedTuple):
    """When the report was made, from which files and from how many judgments."""

    date: str
    """Empty if the report has no date."""
    judgments: str
    """File name of the judgments; empty for data that do not come from a file."""
    rankings: Mapping[str, str]
    """File name of each ranking."""
    judged: int
    """Number of judgments."""


@dataclass(frozen=True)
class ReportContents:
    """The results that a report shows."""

    scores: Scores
    """Scores of the metrics of the report."""
    over_k: Scores
    """Scores of the same metrics, also at other cutoffs."""
    settings: Settings
    comparison: Comparison | None
    """None for a single system."""
    bounds: Mapping[Metric, UnjudgedBounds]
    slices: Mapping[Metric, Sequence[Slices]]
    lists: QueryLists
    """None for a report of values alone."""
    origin: Origin
    tuning: Tuning | None = None
    """The settings that were tuned, if the report is to show them."""
    corrected: Corrected | None = None
    """What labels of people say where the judgments are those of a model; None without labels."""
    history: Sequence[tuple[Trend, Blame]] = ()
    """The trend of each metric that was logged, and the runs at which it changed; empty without a history."""
    unjudged: Mapping[str, Mapping[int | None, float]] = field(default_factory=dict)
    """The share of unjudged items down to each cutoff, by system."""

    @property
    def level(self) -> float:
        """Confidence level of the intervals."""
        return 1 - self.settings.alpha

    @property
    def form(self) -> str:
        """Format of means and differences in tables and sentences."""
        return f".{self.settings.digits}f"

    def ordered(self, metric: Metric | None = None) -> list[str]:
        """Return the systems in the order in which everything is shown: best first by the metric, or by the first."""
        if self.comparison is None:
            return [*self.scores.systems]
        return [row.system for row in self.comparison.leaderboard(metric)]

    def interval(self, scores: Scores, metric: Metric, system: str) -> Interval:
        """Return the interval of a mean or corpus-level value; NaN if it has none."""
        summary = metric.definition.summary.under(scores.convention)
        if summary.is_resampled and scores is not self.scores:  # too slow for every cutoff
            return NO_INTERVAL
        has_interval = summary.is_resampled or summary.is_mean(scores.convention)
        return scores.interval(metric, system, self.settings.alpha) if has_interval else NO_INTERVAL


def cutoffs(metric: Metric) -> list[int]:
    """Return the cutoffs at which a picture shows the metric.

    >>> import rankgauge as rg
    >>> cutoffs(rg.P @ 5), cutoffs(rg.P @ 1000)[-3:]
    ([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [483, 695, 1000])
    >>> cutoffs(rg.parse("R@4000chars"))
    [500, 1000, 1500, 2000, 2500, 3000, 3500, 4000]
    """
    if metric.budget is not None:
        return sorted({-(-metric.budget.amount * step // BUDGETS) for step in range(1, BUDGETS + 1)})
    top = max(metric.k or TOP, LEAST_DEPTH)
    if top <= TOP:
        return [*range(1, top + 1)]
    return sorted({*np.geomspace(1, top, TOP).round().astype(int).tolist(), top})


def cut_at(metric: Metric, cutoff: int) -> Metric:
    """Return the metric at another cutoff, in the unit of its budget if it has one."""
    return metric @ (cutoff if metric.budget is None else f"{cutoff}{metric.budget.unit}")
