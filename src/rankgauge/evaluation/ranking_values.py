"""RankingValues: the values of one ranking while they are computed, and the checks that see its lists."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.conventions.order import SHARED_RANK
from rankgauge.evaluation.passes import of_spans
from rankgauge.inputs.findings import Findings
from rankgauge.kernels.incomplete import Unjudged
from rankgauge.matching.copies import KEEPS_PLACE
from rankgauge.matching.fingerprints import Fingerprint
from rankgauge.matching.judgments import Judgments
from rankgauge.matching.matched import Matched
from rankgauge.matching.ranking import Ranking
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.metric_plan import MetricPlan, matching_rules
from rankgauge.metric_core.metric_rules import JudgedQueries, MetricRules, resolve
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Bools, Floats, Ints
from rankgauge.side_information.item_lists import TopItems

LARGEST_SAMPLE = 1_001
"""Usual samples have 49, 99, 100, 500, 999 or 1,000 items and the relevant one."""
SMALLEST_SAMPLE = 20
MIN_LENGTH = 0.9
"""Length of the shortest list relative to the longest; items sampled twice make a list a little shorter."""
MIN_QUERIES = 10
"""With fewer queries it may be a coincidence."""


@dataclass(eq=False, repr=False)
class CandidateCheck:
    """Checks batches of queries for sampled candidates, and stops at the first that does not fit."""

    queries: int = 0
    size: int = 0
    _shortest: int = LARGEST_SAMPLE
    _fits: bool = True

    def add(self, matched: Matched, rules: Convention) -> None:
        """Check a batch of queries; uses counts only, so it costs little compared with the matching."""
        if self._fits and len(matched.returned):
            self.queries += len(matched.returned)
            self.size = max(self.size, int(matched.returned.max()))
            self._shortest = min(self._shortest, int(matched.returned.min()))
            self._fits = SMALLEST_SAMPLE <= self.size <= LARGEST_SAMPLE and bool(single_relevant(matched, rules).all())

    @classmethod
    def counting(cls, queries: int, single: int, shortest: float, longest: float) -> CandidateCheck:
        """Return the check of queries that were counted elsewhere, and of how many ``single_relevant`` is true."""
        return cls(queries, int(longest), int(shortest), queries == single) if queries else cls()

    def __add__(self, other: CandidateCheck) -> CandidateCheck:
        """Return the check of the queries of both."""
        shortest, fit = min(self._shortest, other._shortest), self._fits and other._fits
        return CandidateCheck(self.queries + other.queries, max(self.size, other.size), shortest, fit)

    @property
    def seem_sampled(self) -> bool:
        """Whether there are enough queries, with lists of nearly one length and a single relevant item each."""
        like_samples = SMALLEST_SAMPLE <= self.size <= LARGEST_SAMPLE and self._shortest >= MIN_LENGTH * self.size
        return like_samples and self._fits and self.queries >= MIN_QUERIES

    def description(self) -> Phrase:
        """Return what the lists have in common."""
        same, ends = self._shortest == self.size, (self._shortest, self.size)
        en, zh = (self.size, self.size) if same else ("{} to {}".format(*ends), "{} 至 {}".format(*ends))
        return Phrase(
            f"every list has {en} candidates, exactly one of them relevant ({self.queries:,} in all)",
            f"{self.queries:,} 个列表各有 {zh} 个候选，其中恰有一个相关",
        )


def single_relevant(matched: Matched, rules: Convention) -> Bools:
    """Return which lists have exactly one relevant item, which was returned."""
    return (matched.relevant(rules) == 1) & (matched.relevant_returned(rules) == 1)


TOP = 10
"""The ranks in which unjudged items matter most."""
MANY_UNJUDGED = 0.2
"""Share of unjudged items among the top from which values are doubtful."""
MIN_ITEMS = 20
"""With fewer top items, of fewer than ``MIN_QUERIES`` queries, the share says little."""


@dataclass(eq=False, repr=False)
class JudgedShareCheck:
    """Counts the unjudged items of the top ranks, as the metric Unjudged does under the same rules.

    Only if they count as non-relevant, and where non-relevant items are judged, too, as in a pool: held-out purchases,
    clicks or ratings are known for few items by their nature, also if a low rating is not relevant.
    """

    queries: int = 0
    """Number of judged queries, also of those without results."""
    top: int = TOP
    returned: float = 0
    unjudged: float = 0
    """Number of unjudged items in the top ranks; the mean over all orders if ties are averaged."""
    has_nonrelevant: bool = False

    def add(self, matched: Matched, lists: JudgedQueries, rules: Convention) -> None:
        """Count the top items of a batch of queries."""
        if rules.unjudged != "nonrelevant":
            return
        returned, unjudged = self.top_items(lists, rules, self.top)
        self.queries += len(matched.returned)
        self.returned += float(returned.sum())
        self.unjudged += float(unjudged.sum())
        self.has_nonrelevant = self.has_nonrelevant or bool(self.nonrelevant(matched.pool_grade, rules).any())

    @classmethod
    def of(cls, depth: int | None) -> JudgedShareCheck:
        """Return a check of the top ranks, where rows below ``depth`` are not known."""
        return cls(top=TOP if depth is None else min(TOP, depth))

    def counting(self, queries: int, returned: float, unjudged: float, nonrelevant: int) -> JudgedShareCheck:
        """Return this check with sums that were counted elsewhere."""
        return replace(self, queries=queries, returned=returned, unjudged=unjudged, has_nonrelevant=nonrelevant > 0)

    @staticmethod
    def top_items(lists: JudgedQueries, rules: Convention, top: int | None) -> tuple[Floats, Floats]:
        """Return the number of items in the top ranks of each query, and of the unjudged ones among them."""
        metric, resolved = _counting(top, rules)
        computed = metric.compute(lists.under(resolved.of_list), resolved)
        returned = computed.totals if computed.rest is None else computed.rest.values
        return returned, computed.totals

    @staticmethod
    def nonrelevant(grades: Floats, rules: Convention) -> Bools:
        """Return which grades are those of judged items that are not relevant, nor graded positively as ratings are."""
        return (grades >= 0) & (grades < min(rules.rel, 1))

    @property
    def share(self) -> float:
        """Share of unjudged top items; 0 if nothing was returned, or if only relevant items are judged."""
        return self.unjudged / self.returned if self.has_nonrelevant and self.returned else 0.0

    @property
    def says_much(self) -> bool:
        """Whether there are enough items or queries for the share to say much."""
        return self.returned >= MIN_ITEMS or self.queries >= MIN_QUERIES

    @property
    def is_low(self) -> bool:
        """Whether the share of unjudged items makes values doubtful; if all are, the ids do not match: RG408."""
        return self.says_much and self.unjudged < self.returned and self.share > MANY_UNJUDGED

    def description(self) -> Phrase:
        """Return the share of the top items that is unjudged."""
        share = self.unjudged / self.returned
        return Phrase(
            f"{share:.0%} of what is returned in the top {self.top} is unjudged and counts as non-relevant",
            f"前 {self.top} 个物品中有 {share:.0%} 未标注，按不相关计",
        )


def shares_of(checks: Mapping[str, JudgedShareCheck]) -> dict[str, float]:
    """Return the share of unjudged top items of each system; all 0 if there are too few items of every system."""
    says_much = any(check.says_much for check in checks.values())
    return {name: check.share if says_much else 0.0 for name, check in checks.items()}


def unjudged_shares(
    ranking: Ranking, judgments: Judgments, rules: Convention, cutoffs: Iterable[int | None]
) -> dict[int | None, float]:
    """Return the share of unjudged items among all that is returned down to each cutoff; NaN if that is nothing."""
    counts, needed = {k: np.zeros(2) for k in cutoffs}, matching_rules([Unjudged], rules)
    for _, matched in of_spans(ranking, judgments).chunks(judgments, needed, Findings()):
        lists = JudgedQueries(matched, rules)
        for k, count in counts.items():
            count += [column.sum() for column in JudgedShareCheck.top_items(lists, rules, k)]
    return {k: float(unjudged / returned) if returned else np.nan for k, (returned, unjudged) in counts.items()}


@lru_cache(maxsize=64)
def _counting(top: int | None, rules: Convention) -> tuple[Metric, MetricRules]:
    """Return the metric that counts unjudged items in the top ranks, and its rules.

    Items that share a rank may all be in the top k or all below: they count as in the mean over their orders, or,
    where the first of several copies must be known, in the order of their ids.
    """
    metric = Unjudged @ top
    resolved = resolve(metric, rules)
    if resolved.of_list.ties in SHARED_RANK:
        resolved = resolve(metric, rules, "id" if rules.duplicates in KEEPS_PLACE else "mean")
    return metric, resolved


@dataclass(eq=False, repr=False)
class RankingValues:
    """The values of one system while they are computed; NaN for queries that have none."""

    values: dict[Metric, Floats]
    weights: dict[Metric, Floats]
    """Weight of each query, for metrics that weigh the queries themselves."""
    without_relevant: Bools
    answered: Bools
    emptied: Bools
    """The queries with an empty list."""
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
        kinds = (bool, bool, bool, np.int64)
        without_relevant, answered, emptied, tied = (np.zeros(queries, dtype=kind) for kind in kinds)
        top_items = TopItems.of(plan.of_items, rules) if plan.of_items else None
        ranked = Fingerprint("ranking") if fingerprint else None
        share = JudgedShareCheck.of(plan.depth)
        return cls(values, weights, without_relevant, answered, emptied, tied, top_items, share, fingerprint=ranked)
