"""All that a report tells, from judgments and rankings: nothing here is computed, everything is asked for."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankgauge.analysis.slices import Slices, slices
from rankgauge.analysis.unjudged import UnjudgedBounds, unjudged_bounds
from rankgauge.comparison.comparison import Comparison
from rankgauge.comparison.settings import Settings
from rankgauge.conventions import ConventionLike
from rankgauge.conventions.convention import check_convention
from rankgauge.errors import ParameterError
from rankgauge.evaluation.evaluate import evaluate
from rankgauge.evaluation.scores import Scores
from rankgauge.inputs.findings import Findings
from rankgauge.kernels.incomplete import Judged
from rankgauge.matching.graded_judgments import graded
from rankgauge.matching.judgments import Judgments
from rankgauge.matching.read_options import ReadOptions
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import parse
from rankgauge.reports.query_lists import TOP, QueryLists
from rankgauge.side_information.information import check_side_information
from rankgauge.stats.intervals import Interval

LEAST_DEPTH = 10
NO_INTERVAL = Interval(math.nan, math.nan)


@dataclass(frozen=True)
class Gathered:
    """What was found out."""

    scores: Scores
    """Of the metrics asked for."""
    over_k: Scores
    """Of the same metrics at other cutoffs, and of the share of judged items."""
    settings: Settings
    comparison: Comparison | None
    """None where there is one system only."""
    bounds: Mapping[Metric, UnjudgedBounds]
    slices: Mapping[Metric, Sequence[Slices]]
    lists: QueryLists

    @property
    def level(self) -> float:
        """Of the intervals."""
        return 1 - self.settings.alpha

    def interval(self, scores: Scores, metric: Metric, system: str) -> Interval:
        """The interval of a mean, where there is one."""
        if metric.definition.summary.is_resampled:  # too slow for every cutoff
            return scores.interval(metric, system, self.level) if scores is self.scores else NO_INTERVAL
        if not metric.definition.summary.is_mean(scores.convention):
            return NO_INTERVAL
        return scores.interval(metric, system, self.level)

    def judged_share(self, k: int) -> Metric:
        """The metric that says how much of the top k was judged."""
        return Judged @ k


def gather(
    judgments: Any,
    rankings: Mapping[str, Any],
    metrics: str | Metric | Iterable[str | Metric],
    *,
    baseline: str | None = None,
    convention: ConventionLike = None,
    settings: Settings | None = None,
    attributes: Any = None,
    by: Sequence[str] = (),
    **reading: Any,
) -> Gathered:
    """Ask for everything that the page tells."""
    rules, chosen = check_convention(convention), settings or Settings()
    if not isinstance(rankings, Mapping) or not rankings:
        raise ParameterError.of("rankings", rankings, "{'name': ranking, ...}, one or more", "report")
    named = {str(name): ranking for name, ranking in rankings.items()}
    asked = [*dict.fromkeys(parse(one) for one in ([metrics] if isinstance(metrics, str | Metric) else metrics))]
    others = [metric @ k for metric in asked if has_cutoff(metric) for k in cutoffs(metric)]
    shares = [Judged @ k for metric in asked for k in cutoffs(metric)]
    whole = evaluate(judgments, named, dict.fromkeys([*asked, *others, *shares]), convention=rules, **reading)
    scores = whole.only(asked)
    several = len(named) > 1
    lists_read = ReadOptions(**{name: value for name, value in reading.items() if name in ReadOptions.__annotations__})
    if reading.get("grades") is not None:
        judgments, _ = graded(judgments, reading["grades"], lists_read, Findings())
    return Gathered(
        scores,
        whole,
        chosen,
        Comparison(scores, baseline=baseline, settings=chosen) if several else None,
        {
            metric: unjudged_bounds(judgments, named, metric, convention=rules, **vars(lists_read))
            for metric in asked
            if not metric.definition.of_items
        },
        {
            metric: _slices(scores, metric, judgments, baseline, chosen, attributes, by) if several else ()
            for metric in asked
        },
        QueryLists(
            Judgments(judgments, lists_read, Findings()),
            named,
            asked,
            rules,
            check_side_information(reading.get("side_information")),
        ),
    )


def has_cutoff(metric: Metric) -> bool:
    """Whether the metric can be cut at k."""
    return "k" in metric.definition.parameters


def cutoffs(metric: Metric) -> list[int]:
    """The cutoffs at which a picture shows the metric.

    >>> import rankgauge as rg
    >>> cutoffs(rg.P @ 5), cutoffs(rg.P @ 1000)[-3:]
    ([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [483, 695, 1000])
    """
    top = max(metric.k or TOP, LEAST_DEPTH)
    if top <= TOP:
        return [*range(1, top + 1)]
    return sorted({*np.unique(np.geomspace(1, top, TOP).round().astype(int)).tolist(), top})


def _slices(
    scores: Scores,
    metric: Metric,
    judgments: Any,
    baseline: str | None,
    settings: Settings,
    attributes: Any,
    by: Sequence[str],
) -> list[Slices]:
    """By what the queries are known by; nothing where the metric is not a mean over queries."""
    if not metric.definition.summary.is_mean(scores.convention):
        return []
    level = 1 - settings.alpha
    found = [slices(scores, metric, name, attributes=attributes, baseline=baseline, level=level) for name in by]
    if len(scores.queries) > 1:
        found.append(slices(scores, metric, "judgments", judgments=judgments, baseline=baseline, level=level))
        found.append(slices(scores, metric, "difficulty", baseline=baseline, level=level))
    return found
