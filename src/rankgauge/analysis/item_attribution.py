"""Attribution of the difference of one query to its items.

A value is (rest + sum of contributions) / normaliser, possibly followed by a last function. The difference of two
values is a sum of parts: one for each item, one for the rest, one for the normaliser and one for 0/0.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.matching.from_list import RankedList
from rankgauge.matching.judged_rankings import JudgedRankings
from rankgauge.matching.ties import AveragedTies
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.sums import Sum
from rankgauge.rendering.plain import PlainData
from rankgauge.segments import Floats

ROTATIONS = 64
"""Maximum number of orders in which tied items of different grades are tried, to divide the contribution of a run."""
NEAR = 1e-9


@dataclass(frozen=True)
class ItemChange:
    """One item under both systems."""

    item: Any
    grade: float | None
    """None if the item is unjudged."""
    kind: str
    """``up``, ``down``, ``entered``, ``left`` or ``stayed``; an item below the cutoff has left."""
    first_rank: float | None
    second_rank: float | None
    """None if the item was not returned; the mean rank if ties are averaged over all orders."""
    first: float
    second: float
    """Contribution to the value of the query under each system."""

    @property
    def change(self) -> float:
        """Contribution to the difference."""
        return self.second - self.first


class Piece(NamedTuple):
    """A part of a difference that belongs to no item."""

    kind: str
    """``rest`` (a term besides the items), ``ideal`` (the ideal order), ``normaliser``, ``0/0`` or ``rules``."""
    name: str
    """Name of the part in the explanation of the metric."""
    change: float


@dataclass(frozen=True)
class QueryBreakdown:
    """The difference of one query, item by item; all changes add up to it."""

    query: Any
    first: float
    second: float
    items: tuple[ItemChange, ...]
    """The items that contribute under either system, the largest change first."""
    pieces: tuple[Piece, ...]
    """The parts that do not come from an item, if any."""

    @property
    def change(self) -> float:
        """The second value minus the first."""
        return self.second - self.first

    def to_dict(self) -> PlainData:
        """Return plain data."""
        return {
            "query": self.query,
            "first": self.first,
            "second": self.second,
            "change": self.change,
            "items": [{**vars(item), "change": item.change} for item in self.items],
            "pieces": [piece._asdict() for piece in self.pieces],
        }


class _Side(NamedTuple):
    """The value of one system, and the contribution, rank and grade of each item."""

    value: float
    adjusted: float
    """How far the rules after the formula moved the value: short lists, rounding."""
    quotient: float
    """The value before the last function."""
    total: float
    normaliser: float
    contributions: Mapping[Any, float]
    ranks: Mapping[Any, float]
    grades: Mapping[Any, float | None]
    cutoff: float
    computed: Sum

    def includes(self, item: object) -> bool:
        """Return whether the item is above the cutoff; tied items may be there in some orders only."""
        return item in self.contributions or (item in self.ranks and self.ranks[item] <= self.cutoff)

    def undefined_part(self, unit: float) -> float:
        """Return how far the value by the rule for 0/0 is from the sum."""
        return 0.0 if self.normaliser else self.quotient - self.total * unit


def query_breakdown(
    metric: Metric, query: object, first: RankedList, second: RankedList, convention: Convention
) -> QueryBreakdown:
    """Return the difference between two lists of one query, item by item.

    With equal normalisers, an item counts as in the explanation of the metric. Otherwise the items are measured by the
    mean of 1/normaliser, and the effect of the normaliser is a piece of its own; so the pieces of (second, first) are
    those of (first, second) with the opposite sign.
    """
    old, new = _side(metric, first, convention), _side(metric, second, convention)
    # A normaliser of 0 gives no unit; that of the other side is used.
    old_unit = 1 / (old.normaliser or new.normaliser or math.inf)
    new_unit = 1 / (new.normaliser or old.normaliser or math.inf)
    slope = _slope(old, new)
    scale = slope * (old_unit + new_unit) / 2
    changes = [_item_change(item, old, new, scale) for item in {**old.contributions, **new.contributions}]
    rests = old.computed.rest, new.computed.rest
    normaliser = old.computed.normaliser.name if old.computed.normaliser else ""
    undefined = new.undefined_part(new_unit) - old.undefined_part(old_unit)
    pieces = [
        Piece("normaliser", normaliser, slope * (old.total + new.total) / 2 * (new_unit - old_unit)),
        Piece("0/0", str(metric), slope * undefined),
        Piece("rules", "", new.adjusted - old.adjusted),
    ]
    if old.computed.judged.is_ideal:
        pieces.insert(0, Piece("ideal", "", (new.total - old.total) * scale))
    if rests[0] and rests[1]:
        change = float(rests[1].values[0]) - float(rests[0].values[0])
        pieces.insert(0, Piece("rest", rests[0].name, change * scale))
    return QueryBreakdown(
        query,
        old.value,
        new.value,
        tuple(sorted((change for change in changes if change.first or change.second), key=lambda c: -abs(c.change))),
        tuple(piece for piece in pieces if piece.change),
    )


def _side(metric: Metric, ranked: RankedList, convention: Convention) -> _Side:
    ranked = metric.evaluated_list(ranked, convention)
    judged, computed = ranked.judged, metric.compute(ranked.judged, convention)
    before_last = Sum(computed.judged, computed.factors, computed.cut)
    before_last.rest, before_last.normaliser = computed.rest, computed.normaliser
    rules = metric.resolve(convention)
    quotient = float(metric.quotients(before_last, rules.effective)[0])
    value = float(metric.values_of(computed, rules)[0])
    if math.isnan(quotient) and not math.isnan(value):  # 0/0, for which a later rule gives a value
        quotient = 0.0
    unadjusted = quotient if computed.last is None else float(computed.last.function(np.array([quotient]))[0])
    places = range(len(judged.rank)) if ranked.rows is None else ranked.rows.tolist()
    names = [place if ranked.items is None else ranked.items[place] for place in places]
    if computed.judged.is_ideal:
        shares, names = np.empty(0), []  # the rows of an ideal order belong to no item
    elif isinstance(computed.judged, AveragedTies):
        shares = _divided_runs(metric, computed, computed.judged, convention)
    else:
        shares = computed.contributions
    ranks = judged.rank
    if ranked.shares_positions and judged.tie_first is not None and judged.tie_size is not None:
        ranks = judged.tie_first + (judged.tie_size - 1) / 2
    known, contributions = judged.known, dict.fromkeys(names, 0.0)
    for name, share in zip(names, np.broadcast_to(shares, len(names)), strict=True):
        contributions[name] += float(share)  # an item may count at several places
    first = dict(zip(reversed(names), reversed(range(len(names))), strict=True))
    return _Side(
        value,
        value - unadjusted,
        quotient,
        float(computed.totals[0]),
        1.0 if computed.normaliser is None else float(computed.normaliser.values[0]),
        {name: share for name, share in contributions.items() if share},
        {name: float(ranks[row]) for name, row in first.items()},
        {name: float(judged.grade[row]) if known[row] else None for name, row in first.items()},
        math.inf if computed.cut is None else float(np.ravel(computed.cut)[0]),
        computed,
    )


def _slope(old: _Side, new: _Side) -> float:
    """Return the change of the value per change of the quotient; 1 without a last function."""
    if old.computed.last is None:
        return 1.0
    x, y = old.quotient, new.quotient
    if abs(y - x) <= NEAR * max(abs(x), abs(y)):  # the slope of the tangent
        x, y = x - max(abs(x), 1.0) * NEAR, x + max(abs(x), 1.0) * NEAR
    low, high = old.computed.last.function(np.array([x, y]))
    return float(high - low) / (y - x)


def _item_change(item: object, old: _Side, new: _Side, scale: float) -> ItemChange:
    before, after = old.ranks.get(item), new.ranks.get(item)
    if not (old.includes(item) and new.includes(item)) or before is None or after is None:
        kind = "entered" if new.includes(item) else "left"
    else:
        kind = "stayed" if before == after else "up" if after < before else "down"
    grade = old.grades[item] if item in old.grades else new.grades[item]
    first, second = (side.contributions.get(item, 0.0) * scale for side in (old, new))
    return ItemChange(item, grade, kind, before, after, first, second)


def _divided_runs(metric: Metric, computed: Sum, ties: AveragedTies, convention: Convention) -> Floats:
    """Divide the contribution of each run of ties among its items, by their mean contribution over its positions.

    Exact if the contribution of an item depends only on its own grade and position (DCG, P, RBP), a fair share of an
    exact sum otherwise.
    """
    items, grade, known = ties.items, ties.plain.grade, ties.plain.known
    runs = np.bincount(ties.block_of_row, weights=computed.contributions, minlength=items.count)
    weight = np.ones(len(ties.plain.rank))
    mixed = []
    for run in np.flatnonzero(runs):
        rows = slice(items.offsets[run], items.offsets[run + 1])
        if len({*zip(grade[rows].tolist(), known[rows].tolist(), strict=True)}) > 1:
            mixed.append(rows)
    if mixed:
        added = _mean_over_rotations(metric, ties, convention)
        for rows in mixed:
            if abs(added[rows].sum()) > NEAR * np.abs(added[rows]).max(initial=0.0):
                weight[rows] = added[rows]
    return weight / items.spread(items.sum(weight)) * items.spread(runs)


def _mean_over_rotations(metric: Metric, ties: AveragedTies, convention: Convention) -> Floats:
    """Return the mean contribution of each item while its run rotates, which gives it every position equally often."""
    plain, size = ties.plain, ties.items.spread(ties.size)
    first = plain.rank if plain.tie_first is None else plain.tie_first
    rotations = int(min(ROTATIONS, math.lcm(*map(int, np.minimum(ties.size, ROTATIONS).tolist()))))
    added = np.zeros(len(plain.rank))
    for rotation in range(rotations):
        rank = first + (ties.items.place() - 1 + np.floor(rotation / rotations * size + NEAR)) % size
        order = np.argsort(rank, kind="stable")
        judged = None if plain.judged is None else plain.judged[order]
        columns = plain.segments, rank[order], plain.grade[order], plain.returned, plain.pool, plain.pool_grade, judged
        lists = JudgedRankings(*columns, rare=plain.rare.of_rows(order))
        added[order] += metric.compute(lists, convention).contributions / rotations
    return added
