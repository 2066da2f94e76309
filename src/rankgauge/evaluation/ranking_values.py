"""RankingValues: the values of one system while they are computed."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.evaluation.ranking_checks import CandidateCheck, JudgedShareCheck
from rankgauge.matching.fingerprints import Fingerprint
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.metric_plan import MetricPlan
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Bools, Floats, Ints
from rankgauge.side_information.item_lists import TopItems


@dataclass
class RankingValues:
    """The values of one system while they are computed; NaN for queries that have none."""

    values: dict[Metric, Floats]
    weights: dict[Metric, Floats]
    """Weight of each query, for metrics that weigh the queries themselves."""
    without_relevant: Bools
    answered: Bools
    tied: Ints
    """Number of judged items with a tied score, by query."""
    top_items: TopItems | None
    judged_share: JudgedShareCheck
    own_items: list[tuple[tuple[Metric, ...], TopItems]] = field(default_factory=list)
    """Those of metrics of items with passes of their own, with these."""
    returned: int = 0
    """Number of returned items, judged or not."""
    dropped: bool = False
    """Whether reading leniently dropped an invalid item."""
    candidates: CandidateCheck = field(default_factory=CandidateCheck)
    unknown: dict[tuple[str, str], tuple[int, Phrase]] = field(default_factory=dict)
    """What tables of side information should have and have not, by table and kind."""
    undefined: dict[Metric, Bools] = field(default_factory=dict)
    """The queries for which a metric is 0/0 and the rule for that gives a number."""
    fingerprint: Fingerprint | None = None
    """That of the ranking, if it is asked for."""

    @classmethod
    def empty(cls, plan: MetricPlan, queries: int, rules: Convention, *, fingerprint: bool) -> RankingValues:
        """Return the state before the first chunk of a ranking, which starts again if its rows are scattered."""
        values = {metric: np.full(queries, np.nan) for metric in plan.rules}
        weights = {metric: np.zeros(queries) for metric in plan.weighing}
        without_relevant, answered, tied = (np.zeros(queries, dtype=kind) for kind in (bool, bool, np.int64))
        top_items = TopItems.of(plan.of_items, rules) if plan.of_items else None
        ranked = Fingerprint("ranking") if fingerprint else None
        share = JudgedShareCheck.of(plan.depth)
        return cls(values, weights, without_relevant, answered, tied, top_items, share, fingerprint=ranked)

    def add_undefined(self, metric: Metric, numbers: Ints, undefined: Bools | None) -> None:
        """Record for which of these queries a metric is 0/0."""
        if undefined is not None:
            self.undefined.setdefault(metric, np.zeros_like(self.answered))[numbers] = undefined
