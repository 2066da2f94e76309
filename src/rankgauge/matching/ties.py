"""Exact ties: the mean over all orders of tied items, without enumerating them.

A run of m tied items after t others takes the positions t+1 .. t+m, each item each position equally often. What a
kernel reads from a row then has an exact expectation:

- a value at a position: the mean over the run (unjudged items count 0);
- a sum above a position, given the item there: the runs before, plus the share of the rest of the run;
- the probability of not stopping above a position: the mean product over all subsets of the run.

McSherry and Najork (2008) derived these for single metrics; here they are properties of the columns, so every kernel
is exact (the tests enumerate all orders).
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy

import numpy as np

from rankgauge.matching.judged_rankings import JudgedRankings
from rankgauge.segments import Floats, Ints, Numbers, Segments


def averaged(judged: JudgedRankings) -> JudgedRankings:
    """Return the queries with ties averaged over all orders; the argument itself if there are no ties."""
    if judged.tie_first is None:
        return judged
    if judged.in_every_order is None:  # built once for all metrics
        judged.in_every_order = AveragedTies(judged)
    return judged.in_every_order


def at_one_rank(judged: JudgedRankings, ties: str) -> JudgedRankings:
    """Return the queries with every tied item at the rank that its run shares under this rule."""
    return judged if judged.tie_first is None else TiesAtOneRank(judged, ties)


def shared_rank(first: Floats, size: Floats, ties: str) -> Floats:
    """Return the rank of all items of a run: its last, or the mean of its first and last."""
    return first + (size - 1.0) * SHARE_ABOVE[ties]


SHARE_ABOVE = {"together": 1.0, "mean-rank": 0.5}
"""The share of the other items of a run that counts as above each of its items."""


class TiesAtOneRank(JudgedRankings):
    """Judged rankings in which all items of a run of ties have one rank: the last of the run, or the mean."""

    __slots__ = ("runs", "share_above")

    runs: Segments  # the rows of each run
    share_above: float  # of the other items of the run

    def __init__(self, plain: JudgedRankings, ties: str) -> None:
        rank = plain.rank
        if plain.tie_first is not None and plain.tie_size is not None:
            rank = shared_rank(plain.tie_first, plain.tie_size, ties)  # not the rank where unjudged items were removed
        self.share_above = SHARE_ABOVE[ties]
        super().__init__(
            plain.segments,
            rank,
            plain.grade,
            plain.returned,
            plain.pool,
            plain.pool_grade,
            plain.judged,
            plain.tie_first,
            plain.tie_size,
            rare=plain.rare,
        )
        self.runs = Segments.of_runs(plain.segments.query, rank)

    def above(self, items: Numbers, given: Numbers, cap: Floats | None = None) -> Numbers:  # noqa: ARG002
        """Return the sum of ``items`` above the run, and over the share of the others in the run that is above."""
        before = self.segments.above(items)[self.runs.offsets[:-1]]
        others = self.runs.spread(before) + self.share_above * (self.runs.spread(self.runs.sum(items)) - items)
        return others if cap is None else np.minimum(others, self.segments.spread(cap))


class AveragedTies(JudgedRankings):
    """Judged rankings whose rows are positions in runs of tied items instead of items."""

    __slots__ = ("block_of_row", "blocks", "items", "offset_in_block", "plain", "size")

    blocks: Segments  # the blocks (runs) of each query
    items: Segments  # the items of each block
    size: Floats  # number of items in each block, judged or not

    def __init__(self, plain: JudgedRankings) -> None:
        if plain.tie_first is None or plain.tie_size is None:
            raise ValueError("there are no ties")
        self.plain = copy(plain)  # a copy, because plain refers to this object: a cycle would delay freeing both
        query = plain.segments.query
        self.items = Segments.of_runs(query, plain.tie_first)
        starts = self.items.offsets[:-1]
        self.blocks = Segments.of_rows(query[starts], plain.segments.count)
        self.size = plain.tie_size[starts]
        rows_of_block = Segments.of_sizes(self.size.astype(np.int64))
        self.block_of_row = rows_of_block.query
        self.offset_in_block = rows_of_block.place() - 1.0
        super().__init__(
            Segments.of_rows(self.blocks.query[self.block_of_row], plain.segments.count),
            plain.tie_first[starts][self.block_of_row] + self.offset_in_block,
            plain.grade,
            plain.returned,
            plain.pool,
            plain.pool_grade,
            plain.judged,
            rare=plain.rare,
        )

    def returned_sum(self, items: Numbers) -> Floats:
        """Return the sum over the returned judged items of each query."""
        return self.plain.returned_sum(items)

    def item_query(self) -> Ints:
        """Return the query of each item."""
        return self.plain.segments.query

    def ideal(
        self, gain: Callable[[Floats], Floats], which: str = "judged", top: Floats | float | None = None
    ) -> JudgedRankings:
        """Return the best order, which has no ties."""
        return self.plain.ideal(gain, which, top)

    def at(self, items: Numbers) -> Numbers:
        """Return the mean of the items that can be at each row."""
        return (self.items.sum(items) / self.size)[self.block_of_row]

    def above(self, items: Numbers, given: Numbers, cap: Floats | None = None) -> Numbers:
        """Return the mean of the sum above each row, over the orders in which ``given`` is 1 there."""
        total, givens, both = self.items.sum(items), self.items.sum(given), self.items.sum(items * given)
        before = self.blocks.above(total)
        if cap is not None:
            return _mean_capped(before, total, self.blocks.spread(cap))[self.block_of_row]
        others = total - np.divide(both, givens, out=np.zeros_like(both), where=givens > 0)
        per_place = others / np.maximum(self.size - 1.0, 1.0)
        return before[self.block_of_row] + self.offset_in_block * per_place[self.block_of_row]

    def others(self, items: Numbers) -> tuple[Numbers, Numbers]:
        """Return the number of items with ``items`` 0 above the run of each row, and in the run."""
        inside = self.items.sum(items)
        first = self.rank - self.offset_in_block
        copies = self.copies_above(first, "tie_first")
        tied_copies = self.copies_above(first + 1, "tie_first") - copies
        above = first - 1 - self.blocks.above(inside)[self.block_of_row] - copies
        return above, (self.size - inside)[self.block_of_row] - tied_copies

    def reach(self, stop: Numbers) -> Numbers:
        """Return the mean probability of not stopping above, over orders weighted by that of stopping here."""
        survived, survived_next, survived_block = self._survival(stop)
        before = self.blocks.product_above(survived_block)[self.block_of_row]
        stopped_here = before * (survived - survived_next)
        probability = self.at(stop)
        alone = self.size[self.block_of_row] == 1  # same digits as without ties
        return np.divide(stopped_here, probability, out=before * alone, where=(probability > 0) & ~alone)

    def _survival(self, stop: Numbers) -> tuple[Floats, Floats, Floats]:
        """Return the mean product of (1 - stop) over s random items of the block, for s = 0 .. size.

        Items with a stopping probability are added one by one to a block of items without: s random items of M+1
        contain the new one with probability s / (M+1).
        """
        cells = Segments.of_sizes(self.size.astype(np.int64) + 1)
        chosen = cells.place() - 1.0
        mean_product = np.ones(cells.rows, like=cells.offsets)
        stoppers = np.flatnonzero(stop > 0)
        block = self.items.query[stoppers]
        in_block = Segments.of_rows(block, self.items.count)
        turn = in_block.place().astype(np.int64)
        members = self.size - in_block.sizes
        for step in range(1, int(turn.max(initial=0)) + 1):
            now = turn == step
            adding = np.zeros_like(members, dtype=bool)
            adding[block[now]] = True
            survive = np.ones_like(members)
            survive[block[now]] = 1.0 - stop[stoppers[now]]
            members = members + adding
            cell = cells.spread(adding)
            count, keep = cells.spread(members)[cell], cells.spread(survive)[cell]
            picked = chosen[cell]
            with_it = np.minimum(picked / count, 1.0)
            one_fewer = np.concatenate(([1.0], mean_product[:-1]))[cell]
            mean_product[cell] = (1.0 - with_it) * mean_product[cell] + with_it * keep * one_fewer
        last = cells.offsets[1:] - 1
        inner, following = np.ones_like(mean_product, dtype=bool), np.ones_like(mean_product, dtype=bool)
        inner[last], following[cells.offsets[:-1]] = False, False
        return mean_product[inner], mean_product[following], mean_product[last]


def _mean_capped(before: Floats, total: Floats, cap: Floats) -> Floats:
    """Return the mean of min(before + a, cap) over a = 0 .. total, each equally likely."""
    below = np.clip(cap - before, 0.0, total + 1.0)
    return (below * before + below * (below - 1.0) / 2.0 + (total + 1.0 - below) * cap) / (total + 1.0)
