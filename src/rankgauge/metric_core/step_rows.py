"""The rows of an explanation, built when they are read: an ideal order can have a million of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np

from rankgauge.matching.from_list import RankedList, places_of
from rankgauge.matching.ties import TiesAtOneRank
from rankgauge.metric_core.sums import Sum
from rankgauge.rendering.language import plural
from rankgauge.segments import Floats, Ints, Numbers

DASH = "–"


@dataclass(frozen=True)
class StepRow:
    """One rank: the item, its grade and its contribution."""

    rank: int
    item: str | None
    grade: str
    factors: tuple[float, ...] | None
    contribution: float
    running: float
    share: float
    copy: bool = False
    """Whether the item has a better rank as well."""


@dataclass(frozen=True, eq=False, repr=False)
class StepRows(Sequence[StepRow]):
    """The rows of the first query of a sum; a slice is a tuple of rows.

    With a ranked list there is a row for each of its ranks, unjudged items included, else for each row of the sum.
    """

    computed: Sum
    ranked: RankedList | None
    below: float
    ranks: Ints
    places: Ints
    """The row of the sum at each rank; -1 for none."""
    factors: tuple[Numbers, ...]
    """The factors of each row of the sum."""
    contributions: Floats
    running: Floats

    @classmethod
    def of(cls, computed: Sum, ranked: RankedList | None, below: float) -> StepRows:
        """Return the rows up to the cutoff; ``below`` is what the contributions are divided by."""
        judged, cut = computed.judged, computed.cut
        returned = int(judged.returned[0])
        last_rank = returned if cut is None else int(min(cut[0] if isinstance(cut, np.ndarray) else cut, returned))
        around = isinstance(judged, TiesAtOneRank) and judged.share_above < 1
        own_ranks = judged.rank[: judged.segments.offsets[1]]
        rank_of_row = places_of(own_ranks, around=around)
        if around:  # a tie may end after the cutoff, and count
            last_rank = int(np.max(rank_of_row[own_ranks <= last_rank], initial=last_rank))
        rows = np.flatnonzero((rank_of_row >= 1) & (rank_of_row <= last_rank))
        if ranked is None:
            places = rows[np.argsort(rank_of_row[rows], kind="stable")]
            ranks = rank_of_row[places]
        else:
            ranks, places = np.arange(1, last_rank + 1), np.full(max(last_rank, 0), -1)
            places[rank_of_row[rows] - 1] = rows
        shape, known = judged.rank.shape, places >= 0
        contributions = np.zeros(len(places))
        contributions[known] = np.broadcast_to(computed.contributions, shape)[places[known]]
        factors = tuple(np.broadcast_to(column, shape) for column in computed.factors.values())
        return cls(computed, ranked, below, ranks, places, factors, contributions, np.cumsum(contributions))

    def __len__(self) -> int:
        return len(self.ranks)

    @overload
    def __getitem__(self, index: int) -> StepRow: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[StepRow, ...]: ...

    def __getitem__(self, index: int | slice) -> StepRow | tuple[StepRow, ...]:
        if isinstance(index, slice):
            return tuple(map(self._row, range(*index.indices(len(self)))))
        return self._row(range(len(self))[index])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, StepRows | tuple) and (*self,) == (*other,)

    def __hash__(self) -> int:
        return hash((*self,))

    def __repr__(self) -> str:
        return f"<{plural(len(self), '# row', '# rows')}>"

    def _row(self, index: int) -> StepRow:
        rank, place, judged = int(self.ranks[index]), int(self.places[index]), self.computed.judged
        contribution = float(self.contributions[index])
        factors = None if place < 0 else tuple(float(column[place]) for column in self.factors)
        if self.ranked is None:
            item, grade, copy = None, f"{judged.grade[place]:g}", False
        else:
            (item, grade), copy = _item_and_grade(rank, self.ranked), self.ranked.is_copy(rank)
        share = contribution / self.below if self.below else 0.0
        return StepRow(rank, item, grade, factors, contribution, float(self.running[index]), share, copy)


def _item_and_grade(rank: int, ranked: RankedList) -> tuple[str | None, str]:
    """Return the item and grade at a rank, or all of them if tied items share it."""
    places = [rank]
    judged = ranked.judged
    if ranked.shares_positions and judged.tie_first is not None and judged.tie_size is not None:
        inside = (judged.tie_first <= rank) & (rank < judged.tie_first + judged.tie_size)
        if inside.any():
            first = int(judged.tie_first[inside][0])
            places = list(range(first, first + int(judged.tie_size[inside][0])))
    items = None if ranked.items is None else " | ".join(str(ranked.item_at(place)) for place in places)
    grades = (ranked.grade_at(place) for place in places)
    return items, " | ".join(DASH if math.isnan(grade) else f"{grade:g}" for grade in grades)
