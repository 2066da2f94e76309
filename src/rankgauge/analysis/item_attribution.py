"""Where the difference of one query comes from: what each item adds under one system and under the other.

A value is (rest + sum of contributions) / normaliser, then perhaps a last function; so is every difference a sum of
pieces: one for each item, one for the rest, one for the normaliser, one for 0/0. They add up to it exactly.
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
from rankgauge.metric_core.sums import Last, Sum
from rankgauge.segments import Floats, Ints, Segments

TURNS = 64
"""In how many orders a run of tied items of different grades is tried, to share out what the run adds."""
NEAR = 1e-9


@dataclass(frozen=True)
class ItemChange:
    """One item under both systems."""

    item: Any
    grade: float | None
    """None where nobody judged it."""
    kind: str
    """``up``, ``down``, ``entered``, ``left`` or ``stayed``; what stands after the cutoff is not in."""
    first_rank: float | None
    second_rank: float | None
    """None where it was not returned; the mean rank where tied items stand in every order."""
    first: float
    second: float
    """What it adds to the value of the query under each system."""

    @property
    def change(self) -> float:
        """What it adds to the difference."""
        return self.second - self.first


class Piece(NamedTuple):
    """A part of a difference that belongs to no item."""

    kind: str
    """``rest`` (what is added besides the items), ``ideal`` (the ideal order), ``normaliser`` or ``0/0``."""
    name: str
    """As the explanation of the metric calls it."""
    change: float


@dataclass(frozen=True)
class QueryBreakdown:
    """The difference of one query, item by item; all changes add up to it."""

    query: Any
    first: float
    second: float
    items: tuple[ItemChange, ...]
    """Those that add something under either system, the largest change first."""
    pieces: tuple[Piece, ...]
    """What does not come from an item, where there is any."""

    @property
    def change(self) -> float:
        """The difference of the values of this query."""
        return self.second - self.first

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "query": self.query,
            "first": self.first,
            "second": self.second,
            "change": self.change,
            "items": [{**vars(one), "change": one.change} for one in self.items],
            "pieces": [one._asdict() for one in self.pieces],
        }


class _Side(NamedTuple):
    """One system: the sum that the kernel made, and what of it belongs to which item."""

    value: float
    quotient: float
    total: float
    below: float
    contributions: Mapping[Any, float]
    ranks: Mapping[Any, float]
    grades: Mapping[Any, float | None]
    last_rank: float
    computed: Sum

    @property
    def undefined(self) -> bool:
        return self.below == 0


def break_down(
    metric: Metric, query: Any, first: RankedList, second: RankedList, convention: Convention
) -> QueryBreakdown:
    """The difference between two lists of one query, item by item.

    Where both have the same normaliser, an item counts as its row in the explanation does. Where they differ, both
    are measured by the mean of 1/normaliser, and what the normaliser itself changes is a piece of its own; so the
    pieces of (second, first) are those of (first, second) with the other sign.
    """
    one, other = _side(metric, first, convention), _side(metric, second, convention)
    unit_one, unit_other = _units(one, other)
    unit = (unit_one + unit_other) / 2
    slope = _slope(one, other)
    changes = [_item_change(item, one, other, slope * unit) for item in {**one.contributions, **other.contributions}]
    pieces = [
        *_besides_items(one, other, slope * unit),
        Piece("normaliser", _below_name(one), slope * (one.total + other.total) / 2 * (unit_other - unit_one)),
        Piece("0/0", str(metric), slope * (_by_rule(other, unit_other) - _by_rule(one, unit_one))),
    ]
    return QueryBreakdown(
        query,
        one.value,
        other.value,
        tuple(sorted((c for c in changes if c.first or c.second), key=lambda c: -abs(c.change))),
        tuple(piece for piece in pieces if piece.change),
    )


def _side(metric: Metric, ranked: RankedList, convention: Convention) -> _Side:
    computed = metric.compute(ranked.judged, convention)
    before_last = _without_last(computed)
    quotient = float(metric.values_of(before_last, convention)[0])
    value = quotient if computed.last is None else float(computed.last.function(np.array([quotient]))[0])
    judged = ranked.judged
    names = [_name(ranked, row) for row in range(len(judged.rank))]
    if computed.judged is judged:
        shares = computed.contributions
    elif isinstance(computed.judged, AveragedTies):
        shares = _shared_out(metric, computed, convention)
    else:
        shares, names = np.empty(0), []  # the rows of an ideal order are nobody's
    ranks = _mean_ranks(judged) if ranked.shares_positions else judged.rank
    known = judged.known
    return _Side(
        value,
        quotient,
        float(computed.totals[0]),
        1.0 if computed.normaliser is None else float(computed.normaliser.values[0]),
        {name: float(share) for name, share in zip(names, np.broadcast_to(shares, len(names)), strict=True) if share},
        dict(zip(names, ranks.tolist(), strict=False)),
        {name: float(judged.grade[row]) if known[row] else None for row, name in enumerate(names)},
        _cut(computed),
        computed,
    )


def _without_last(computed: Sum) -> Sum:
    plain = Sum(computed.judged, computed.factors, computed.cut)
    plain.rest, plain.normaliser = computed.rest, computed.normaliser
    return plain


def _name(ranked: RankedList, row: int) -> Any:
    place = row if ranked.rows is None else int(ranked.rows[row])
    return place if ranked.items is None else ranked.items[place]


def _mean_ranks(judged: JudgedRankings) -> Floats:
    if judged.tie_first is None or judged.tie_size is None:
        return judged.rank
    return judged.tie_first + (judged.tie_size - 1) / 2


def _cut(computed: Sum) -> float:
    if computed.cut is None:
        return math.inf
    return float(computed.cut[0]) if isinstance(computed.cut, np.ndarray) else float(computed.cut)


def _below_name(side: _Side) -> str:
    return side.computed.normaliser.name if side.computed.normaliser else ""


def _units(one: _Side, other: _Side) -> tuple[float, float]:
    """1/normaliser of both; where that is 0 the other's, for a 0/0 has no measure of its own."""
    if one.undefined and other.undefined:
        return 0.0, 0.0
    if one.undefined:
        return 1 / other.below, 1 / other.below
    if other.undefined:
        return 1 / one.below, 1 / one.below
    return 1 / one.below, 1 / other.below


def _by_rule(side: _Side, unit: float) -> float:
    """What the rule for 0/0 puts in the place of the quotient."""
    return side.quotient - side.total * unit if side.undefined else 0.0


def _slope(one: _Side, other: _Side) -> float:
    """How much the last function makes of a change of the quotient; 1 where there is none."""
    last = one.computed.last
    if last is None:
        return 1.0
    x, y = one.quotient, other.quotient
    if abs(y - x) <= NEAR * max(abs(x), abs(y)):  # a tangent, for two equal points have no line through them
        x, y = x - max(abs(x), 1.0) * NEAR, x + max(abs(x), 1.0) * NEAR
    return _rise(last, x, y) / (y - x)


def _rise(last: Last, x: float, y: float) -> float:
    low, high = last.function(np.array([x, y]))
    return float(high - low)


def _besides_items(one: _Side, other: _Side, scale: float) -> list[Piece]:
    pieces = []
    if one.computed.rest and other.computed.rest:
        change = float(other.computed.rest.values[0]) - float(one.computed.rest.values[0])
        pieces.append(Piece("rest", one.computed.rest.name, change * scale))
    if one.computed.judged.is_ideal:
        pieces.append(Piece("ideal", "", (other.total - one.total) * scale))
    return pieces


def _item_change(item: Any, one: _Side, other: _Side, scale: float) -> ItemChange:
    added = one.contributions.get(item, 0.0) * scale, other.contributions.get(item, 0.0) * scale
    ranks = one.ranks.get(item), other.ranks.get(item)
    was, became = (_is_in(item, side) for side in (one, other))
    grade = one.grades[item] if item in one.grades else other.grades[item]
    return ItemChange(item, grade, _kind(was, became, *ranks), *ranks, *added)


def _is_in(item: Any, side: _Side) -> bool:
    """Whether the item was returned above the cutoff; tied items may stand there in some orders only."""
    return item in side.contributions or (item in side.ranks and side.ranks[item] <= side.last_rank)


def _kind(was: bool, became: bool, before: float | None, after: float | None) -> str:
    if not (was and became) or before is None or after is None:
        return "entered" if became else "left"
    return "stayed" if before == after else "up" if after < before else "down"


# Tied items in every order at once: the rows are positions, and what a run adds is shared out to its items.


def _shared_out(metric: Metric, computed: Sum, convention: Convention) -> Floats:
    """What each judged item adds: the sum of its run, in proportion to what it adds on average over its positions.

    Exact for what an item adds by its own grade and position (DCG, P, RBP); elsewhere a fair share of an exact sum.
    """
    ties = computed.judged
    if not isinstance(ties, AveragedTies):
        raise TypeError("nothing ties")
    runs = np.bincount(ties.block_of_row, weights=computed.contributions, minlength=ties.items.count)
    plain, weight = ties.plain, np.ones(len(ties.plain.rank))
    mixed = [run for run in range(ties.items.count) if runs[run] and _is_mixed(plain, ties.items, run)]
    if mixed:
        added = _mean_over_turns(metric, ties, convention)
        for run in mixed:
            rows = slice(ties.items.offsets[run], ties.items.offsets[run + 1])
            if abs(added[rows].sum()) > NEAR * np.abs(added[rows]).max(initial=0.0):
                weight[rows] = added[rows]
    return weight / ties.items.spread(ties.items.sum(weight)) * ties.items.spread(runs)


def _is_mixed(plain: JudgedRankings, items: Segments, run: int) -> bool:
    rows = slice(items.offsets[run], items.offsets[run + 1])
    return len(set(zip(plain.grade[rows].tolist(), plain.known[rows].tolist(), strict=True))) > 1


def _mean_over_turns(metric: Metric, ties: AveragedTies, convention: Convention) -> Floats:
    """The mean contribution of each item as its run turns round, so that it takes every position equally often."""
    turns = int(min(TURNS, math.lcm(*map(int, np.minimum(ties.size, TURNS).tolist()))))
    added = np.zeros(len(ties.plain.rank))
    for turn in range(turns):
        rank = _turned(ties, turn / turns)
        order = np.argsort(rank, kind="stable")
        added[order] += metric.compute(_reordered(ties.plain, rank, order), convention).contributions / turns
    return added


def _turned(ties: AveragedTies, share: float) -> Floats:
    """The ranks of the items when every run is turned by this share of its length."""
    size = ties.items.spread(ties.size)
    place = (ties.items.place() - 1 + np.floor(share * size + NEAR)) % size
    return (ties.plain.rank if ties.plain.tie_first is None else ties.plain.tie_first) + place


def _reordered(plain: JudgedRankings, rank: Floats, order: Ints) -> JudgedRankings:
    """One query with its items at other ranks."""
    return JudgedRankings(
        plain.segments,
        rank[order],
        plain.grade[order],
        plain.returned,
        plain.pool,
        plain.pool_grade,
        None if plain.judged is None else plain.judged[order],
    )
