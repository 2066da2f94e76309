"""The contents of a report: scores, comparison, bounds, slices and lists, from one pass over the rankings."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankgauge.analysis.slices import Slices, slices
from rankgauge.analysis.unjudged import UnjudgedAnalysis, UnjudgedBounds
from rankgauge.comparison.comparison import Comparison
from rankgauge.comparison.settings import Settings
from rankgauge.conventions import ConventionLike
from rankgauge.errors import ParameterError
from rankgauge.evaluation.evaluator import Evaluator, read_progress
from rankgauge.evaluation.scores import Scores
from rankgauge.inputs.findings import Findings
from rankgauge.kernels.incomplete import Judged
from rankgauge.matching.judgments import Judgments
from rankgauge.matching.ranking import Ranking
from rankgauge.matching.read_options import ReadOptions
from rankgauge.matching.sources import check_order
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.metric_list import parse_all
from rankgauge.reports.query_lists import TOP, QueryLists
from rankgauge.side_information.side_information import SideInformation
from rankgauge.stats.intervals import Interval

LEAST_DEPTH = 10
NO_INTERVAL = Interval(math.nan, math.nan)


@dataclass(frozen=True)
class ReportContents:
    """The results that a report shows."""

    scores: Scores
    """Scores of the metrics of the report."""
    over_k: Scores
    """Scores of the same metrics at other cutoffs, and of the share of judged items."""
    settings: Settings
    comparison: Comparison | None
    """None for a single system."""
    bounds: Mapping[Metric, UnjudgedBounds]
    slices: Mapping[Metric, Sequence[Slices]]
    lists: QueryLists

    @property
    def level(self) -> float:
        """Confidence level of the intervals."""
        return 1 - self.settings.alpha

    def interval(self, scores: Scores, metric: Metric, system: str) -> Interval:
        """Return the interval of a mean or corpus-level value; NaN if it has none."""
        if metric.definition.summary.is_resampled:  # too slow for every cutoff
            return scores.interval(metric, system, self.level) if scores is self.scores else NO_INTERVAL
        if not metric.definition.summary.is_mean(scores.convention):
            return NO_INTERVAL
        return scores.interval(metric, system, self.level)

    def judged_share(self, k: int) -> Metric:
        """Return the metric for the share of judged items in the top k."""
        return Judged @ k


def collect(
    judgments: Any,
    rankings: Mapping[str, Any],
    metrics: str | Metric | Iterable[str | Metric],
    *,
    baseline: str | None = None,
    convention: ConventionLike = None,
    settings: Settings | None = None,
    attributes: Any = None,
    by: Sequence[str] = (),
    side_information: SideInformation | None = None,
    weights: Mapping[Any, float] | None = None,
    options: ReadOptions,
) -> ReportContents:
    """Evaluate and compare the rankings, reading each source once."""
    chosen = settings or Settings()
    if not isinstance(rankings, Mapping) or not rankings:
        raise ParameterError.of("rankings", rankings, "{'name': ranking, ...}, one or more", "report")
    shown = parse_all(metrics)
    others = [metric @ k for metric in shown if has_cutoff(metric) for k in cutoffs(metric)]
    shares = [Judged @ k for metric in shown for k in cutoffs(metric)]
    check_order(judgments, next(iter(rankings.values())), options)
    evaluated = dict.fromkeys([*shown, *others, *shares])
    evaluator = Evaluator.of(judgments, evaluated, convention, side_information, options)
    parsed, rules = evaluator.judgments, evaluator.rules
    unjudged = UnjudgedAnalysis(parsed, [metric for metric in shown if not metric.definition.of_items], rules)
    lists = QueryLists(parsed, shown, rules, evaluator.side_information)
    for name, source in rankings.items():  # one in memory at a time
        ranking = Ranking.of(source, options, str(name))
        with read_progress(ranking) as progress:
            ranking = ranking.loaded(evaluator.findings, progress.on_read)
        evaluator.add(ranking, may_be_empty=len(rankings) > 1)
        unjudged.add(ranking, Findings())
        lists.add(ranking)
    over_k = evaluator.scores(weights)
    scores = over_k.only(shown)
    several = len(rankings) > 1
    return ReportContents(
        scores,
        over_k,
        chosen,
        Comparison(scores, baseline=baseline, settings=chosen) if several else None,
        unjudged.bounds(),
        {
            metric: _slices(scores, metric, parsed, baseline, chosen, attributes, by) if several else ()
            for metric in shown
        },
        lists,
    )


def has_cutoff(metric: Metric) -> bool:
    """Whether the metric has a cutoff k."""
    return "k" in metric.definition.parameters


def cutoffs(metric: Metric) -> list[int]:
    """Return the cutoffs at which a picture shows the metric.

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
    judgments: Judgments,
    baseline: str | None,
    settings: Settings,
    attributes: Any,
    by: Sequence[str],
) -> list[Slices]:
    """Return the slices by attribute, number of judgments and difficulty; none if the metric is not a mean."""
    if not metric.definition.summary.is_mean(scores.convention):
        return []
    level = 1 - settings.alpha
    results = [slices(scores, metric, name, attributes=attributes, baseline=baseline, level=level) for name in by]
    if len(scores.queries) > 1:
        results.append(slices(scores, metric, "judgments", judgments=judgments, baseline=baseline, level=level))
        results.append(slices(scores, metric, "difficulty", baseline=baseline, level=level))
    return results
