"""The lists of every query and system: the item at each rank, and its contribution to each metric.

Contributions come from the same matching and the same sums as the scores, a block of queries at a time. Items come from
the top of each list alone, so that a list of a thousand costs little more than a list of twenty.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.errors import ParameterError
from rankgauge.evaluation.passes import own_chunks
from rankgauge.evaluation.ranked_lists import rank_scores, ranked_lists
from rankgauge.inputs.findings import Findings
from rankgauge.matching.copies import ScoresWithCopies
from rankgauge.matching.from_list import RankedList
from rankgauge.matching.judged_rankings import JudgedRankings
from rankgauge.matching.judgments import Judgments
from rankgauge.matching.matched import Matched
from rankgauge.matching.ranking import Ranking
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.metric_plan import metric_plan
from rankgauge.metric_core.metric_rules import AFTER_CUT, JudgedQueries
from rankgauge.metric_core.sums import Sum
from rankgauge.rendering.plain import finite_or_none
from rankgauge.segments import Floats, Ints, as_single
from rankgauge.side_information.item_lists import TopItems
from rankgauge.side_information.side_information import SideInformation

TOP = 20
"""Number of items shown of each list."""
DIGITS = 9
LARGE = 1e15
"""Numbers from here on have no decimals in double precision."""
MISSED = 10
"""Maximum number of relevant items shown that no list has at its top."""

Rows = list[list[float]]


class QuerySum(NamedTuple):
    """The sum of a query: rows of the top, the rest of the list, the normaliser; by default one that is left out."""

    rows: Rows = []  # noqa: RUF012 (nothing is added to it)
    cut: float | None = None
    tail: float = 0.0
    rest: float | None = None
    total: float = 0.0
    below: float | None = None
    value: float | None = None
    parts: Sequence[Any] = ()


class Top(NamedTuple):
    """The first items of a list with their grades, None for unjudged ones."""

    items: list[Any]
    grades: list[float | None]


class Shape(NamedTuple):
    """The names of the factors and terms in the sums of a metric."""

    factors: tuple[str, ...]
    ideal: tuple[str, ...]
    below: str | None
    rest: str | None
    last: str | None


class QueryLists:
    """The top of the lists of all systems and their contributions to each metric."""

    def __init__(
        self, judgments: Judgments, metrics: Sequence[Metric], convention: Convention, side_information: SideInformation
    ) -> None:
        for metric in metrics:
            if metric.list_convention(convention).unjudged == AFTER_CUT:
                raise ParameterError(
                    f"{metric}: unjudged={AFTER_CUT!r} leaves another list for every cutoff, and a report shows one "
                    "list of each query; use 'removed'"
                )
        self._judgments = judgments
        self.queries = [*judgments.queries]
        self.metrics = tuple(metrics)
        self.shapes: list[Shape | None] = [None] * len(self.metrics)
        """None for a corpus-level metric, which has no values by query."""
        self._side_information = side_information
        self.shares_positions = convention.ties == "mean"
        self._convention = convention
        self._returned: list[list[int]] = []
        self._sums: list[list[list[QuerySum]]] = []
        """By system, metric and query."""
        self._ideals: list[list[list[Rows | None]]] = []
        self._tops: list[list[Top]] = []

    def add(self, ranking: Ranking) -> None:
        """Add the lists of a system, which must be in memory."""
        judgments, count, rules = self._judgments, len(self.queries), self._convention
        sums = [[QuerySum()] * count for _ in self.metrics]
        ideals: list[list[Rows | None]] = [[None] * count for _ in self.metrics]
        returned, seen = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=bool)
        plan, findings = metric_plan(self.metrics, rules), Findings()
        for metrics in (plan.together, *plan.apart):
            top_items = TopItems.of([metric for metric in metrics if metric.definition.summary.has_query_values], rules)
            top = 0 if top_items is None else top_items.depth
            if metrics is plan.together:
                chunks = ranking.chunks(judgments, plan.matching_rules, findings, top=top)
            else:
                chunks = own_chunks(ranking, metrics[0], judgments, plan.matching_rules, seen)
            for numbers, matched in chunks:
                seen[numbers] = True
                self._take(numbers, matched, sums, ideals, top_items, metrics)
                if metrics is plan.together:
                    returned[numbers] = matched.returned
            missing = np.flatnonzero(~seen)
            if len(missing) and rules.missing != "skip":
                self._take(missing, judgments.unanswered(missing), sums, ideals, top_items, metrics)
            if top_items is not None:
                lists = top_items.lists(judgments, metrics, self._side_information, rules)
                self._keep(
                    top_items.numbers, dict.fromkeys(metrics, lists).__getitem__, sums, ideals, metrics, of_items=True
                )
        self._sums.append(sums)
        self._ideals.append(ideals)
        self._returned.append(returned.tolist())
        self._tops.append(self._top_items(ranking))

    def _top_items(self, ranking: Ranking) -> list[Top]:
        judgments, rules = self._judgments, self._convention
        if judgments.array is not None and ranking.source.form == "array":
            lists = ranked_lists(judgments, ranking, self.queries, rules, Findings())
            return [_top(ranked) for ranked in lists.values()]
        top = None if rules.unjudged == "removed" else TOP
        scores = ranking.scores_by_item(judgments, self.queries, Findings(), rules, top)
        rules = ranking.order_rules(rules)
        return [_top_of_scores(judgments.dicts[query], scores[query], rules) for query in self.queries]

    def _take(
        self,
        numbers: Ints,
        matched: Matched,
        sums: list[Any],
        ideals: list[Any],
        top_items: TopItems | None,
        metrics: Sequence[Metric],
    ) -> None:
        """Add the sums of some queries for every metric of grades; the other metrics need the items of all queries."""
        judged = JudgedQueries(matched, self._convention)
        if top_items is not None:
            top_items.add(numbers, matched, judged, self._convention)
        self._keep(numbers, lambda metric: judged.of(metric.without_budget), sums, ideals, metrics, of_items=False)

    def _keep(
        self,
        numbers: Ints,
        judged_for: Callable[[Metric], JudgedRankings],
        sums: list[Any],
        ideals: list[Any],
        metrics: Sequence[Metric],
        *,
        of_items: bool,
    ) -> None:
        for place, metric in enumerate(self.metrics):
            if metric not in metrics or metric.definition.of_items != of_items:
                continue
            if not metric.definition.summary.has_query_values:
                continue
            computed = metric.without_budget.compute(judged_for(metric), self._convention)
            values = metric.values_of(computed, self._convention)
            below = computed.normaliser.steps if computed.normaliser else None
            ideal = below if below is not None and below.judged.is_ideal else None
            self.shapes[place] = _shape(computed, ideal)
            for number, query_sum in zip(numbers.tolist(), _sums(computed, values), strict=True):
                sums[place][number] = query_sum
            if ideal is not None:
                for number, rows in zip(numbers.tolist(), _rows(ideal, grades=True), strict=True):
                    ideals[place][number] = rows

    def ids(self) -> set[str]:
        """Return the ids of all queries and of all items shown."""
        items = {str(item) for tops in self._tops for top in tops for item in top.items}
        return items.union(map(str, self.queries))

    def chunks(self, size: int) -> Iterator[list[dict[str, Any]]]:
        """Yield the queries in order as plain data, ``size`` at a time."""
        for first in range(0, len(self.queries), size):
            yield [self.query(place) for place in range(first, min(first + size, len(self.queries)))]

    def query(self, place: int) -> dict[str, Any]:
        """Return the items and grades of a query, the top of each list, and the sums of each metric."""
        tops = [tops[place] for tops in self._tops]
        grades = {item: grade for top in tops for item, grade in zip(*top, strict=True)}
        number = {item: at for at, item in enumerate(grades)}
        return {
            "items": [str(item) for item in grades],
            "grades": [*grades.values()],
            "tops": [[number[item] for item in top.items] for top in tops],
            "returned": [returned[place] for returned in self._returned],
            "missed": self._missed(place, number),
            "sums": [[sums[m][place]._asdict() for sums in self._sums] for m in range(len(self.metrics))],
            "ideals": [self._ideal(m, place) for m in range(len(self.metrics))],
        }

    def _missed(self, place: int, shown: Mapping[object, int]) -> list[list[Any]]:
        """Return the best relevant items that are at the top of no list."""
        if self._judgments.array is not None:
            return []
        grades, rel = self._judgments.dicts[self.queries[place]], self._convention.rel
        missed = [(item, grade) for item, grade in grades.items() if grade >= rel and item not in shown]
        return [[str(item), grade] for item, grade in sorted(missed, key=lambda pair: -pair[1])[:MISSED]]

    def _ideal(self, metric: int, place: int) -> list[Any] | None:
        """Return the rows of the ideal order of each system, or a single entry if they are equal."""
        rows = [ideals[metric][place] for ideals in self._ideals]
        if any(part is None for part in rows):
            return None
        return rows[:1] if all(part == rows[0] for part in rows) else rows


def _top_of_scores(grades: Mapping[Any, Any], returned: Mapping[Any, Any], rules: Convention) -> Top:
    """Return the top of a list, ranked down to the score of the last item shown and the items tied with it.

    Without ties the scores alone determine the order.
    """
    scores = sorted(returned.values(), reverse=True)
    if isinstance(returned, ScoresWithCopies):
        return _top(rank_scores(grades, returned, rules))
    if rules.unjudged == "nonrelevant" and rules.score_precision == "float64":
        first = scores[: TOP + 1]
        if len({*first}) == len(first):
            best = sorted(returned, key=returned.__getitem__, reverse=True)[:TOP]
            return Top(best, [float(grades[item]) if item in grades else None for item in best])
    lowest = -math.inf
    if len(scores) > TOP and rules.unjudged != "removed":
        lowest = scores[TOP - 1]
        if rules.score_precision == "float32":
            lowest = float(np.nextafter(as_single(lowest), np.float32(-np.inf)))
    return _top(rank_scores(grades, {item: score for item, score in returned.items() if score >= lowest}, rules))


def _top(ranked: RankedList) -> Top:
    ranks = range(1, min(TOP, int(ranked.judged.returned[0])) + 1)
    return Top([ranked.item_at(rank) for rank in ranks], [finite_or_none(ranked.grade_at(rank)) for rank in ranks])


def _shape(computed: Sum, ideal: Sum | None) -> Shape:
    return Shape(
        tuple(computed.factors),
        tuple(ideal.factors) if ideal is not None else (),
        computed.normaliser.name if computed.normaliser else None,
        computed.rest.name if computed.rest else None,
        computed.last.name if computed.last else None,
    )


def _sums(computed: Sum, values: Floats) -> Iterator[QuerySum]:
    """Yield the sum of each query, from a column for each of its fields."""
    judged, count = computed.judged, len(values)
    columns: tuple[Sequence[object], ...] = (
        _rows(computed),
        _each(computed.cut, count),
        judged.segments.sum(np.where(judged.rank > TOP, computed.contributions, 0.0)).tolist(),
        _each(computed.rest.values if computed.rest else None, count),
        computed.totals.tolist(),
        _each(computed.normaliser.values if computed.normaliser else None, count),
        [finite_or_none(value) for value in values.tolist()],
        [*zip(*(_part(name, part, count) for name, part in computed.parts.items()), strict=True)] or [()] * count,
    )
    return map(QuerySum._make, zip(*columns, strict=True))


def _part(name: str, part: Sum, count: int) -> list[list[object]]:
    """Return a part of a combined metric for each query: name, total, name of the divisor, divisor, value."""
    below = part.normaliser.name if part.normaliser else ""
    divisors = _each(part.normaliser.values if part.normaliser else None, count)
    columns = zip(part.totals.tolist(), divisors, part.quotients().tolist(), strict=True)
    return [[name, total, below, divisor, finite_or_none(value)] for total, divisor, value in columns]


def _each(values: Floats | float | None, count: int) -> list[float | None]:
    """Return a number per query, or None."""
    return values.tolist() if isinstance(values, np.ndarray) else [None if values is None else float(values)] * count


def _rounded(column: Floats) -> Floats:
    """Round to the digits of the report, except numbers so large that rounding would overflow."""
    return np.where(np.abs(column) < LARGE, np.round(np.clip(column, -LARGE, LARGE), DIGITS), column)


def _rows(computed: Sum, *, grades: bool = False) -> list[Rows]:
    """Return rank, factors and contribution of each row inside the cutoff and the top, by query."""
    judged = computed.judged
    inside = judged.rank <= TOP
    if computed.cut is not None:
        inside &= judged.within(computed.cut)
    columns = [*([judged.grade] if grades else []), *computed.factors.values(), computed.contributions]
    columns = [np.broadcast_to(column, judged.rank.shape)[inside] for column in columns]
    cells = [_rounded(column.astype(np.float64)).tolist() for column in columns]
    rows = [[rank, *numbers] for rank, *numbers in zip(judged.rank[inside].astype(int).tolist(), *cells, strict=True)]
    ends = np.concatenate(([0], np.cumsum(np.bincount(judged.segments.query[inside], minlength=judged.segments.count))))
    return [rows[start:end] for start, end in pairwise(ends.tolist())]
