"""All that a report tells, from judgments and rankings: nothing here is computed, everything is asked for."""

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
from rankgauge.conventions.convention import check_convention
from rankgauge.errors import ParameterError
from rankgauge.evaluation.evaluator import Evaluator
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
from rankgauge.side_information.information import SideInformation, check_side_information
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
    side_information: SideInformation | None = None,
    weights: Mapping[Any, float] | None = None,
    options: ReadOptions,
) -> Gathered:
    """Ask for everything that the page tells."""
    rules, chosen = check_convention(convention), settings or Settings()
    if not isinstance(rankings, Mapping) or not rankings:
        raise ParameterError.of("rankings", rankings, "{'name': ranking, ...}, one or more", "report")
    asked = parse_all(metrics)
    information, findings = check_side_information(side_information), Findings()
    for metric in asked:
        information.check(metric)
    others = [metric @ k for metric in asked if has_cutoff(metric) for k in cutoffs(metric)]
    shares = [Judged @ k for metric in asked for k in cutoffs(metric)]
    check_order(judgments, next(iter(rankings.values())), options)
    parsed = Judgments.of(judgments, options, findings)
    evaluator = Evaluator(parsed, dict.fromkeys([*asked, *others, *shares]), rules, information, findings)
    unjudged = UnjudgedAnalysis(parsed, [metric for metric in asked if not metric.definition.of_items], rules)
    lists = QueryLists(parsed, asked, rules, information)
    for name, source in rankings.items():  # one in memory at a time
        ranking = Ranking.of(source, options, str(name)).loaded(findings)
        evaluator.add(ranking, may_be_empty=len(rankings) > 1)
        unjudged.add(ranking, Findings())
        lists.add(ranking)
    over_k = evaluator.scores(weights)
    scores = over_k.only(asked)
    several = len(rankings) > 1
    return Gathered(
        scores,
        over_k,
        chosen,
        Comparison(scores, baseline=baseline, settings=chosen) if several else None,
        unjudged.bounds(),
        {
            metric: _slices(scores, metric, parsed, baseline, chosen, attributes, by) if several else ()
            for metric in asked
        },
        lists,
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
    judgments: Judgments,
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
