"""JudgedRankings: what kernels see, as flat columns.

Nearly every ranking metric is a function of the ranks and grades of the returned items that have a judgment, and of a
few counts. Kernels see columns of items (``grade``, ``relevant(rel)``) and of rows (``rank``, ``at``, ``above``,
``reach``). Here a row is an item; with averaged ties a row is a position that several tied items may take
(``rankgauge.matching.ties``), and the same kernels give the exact mean.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rankgauge.conventions.gains import NAMED_GAINS
from rankgauge.errors import ParameterError
from rankgauge.matching.item_places import NOTHING_RARE, RareColumns, count_ranks_above
from rankgauge.rendering.language import plural
from rankgauge.segments import Bools, Floats, Ints, Numbers, Segments

RISING = {*(function for function, *_ in NAMED_GAINS.values()), np.positive}
"""Gains that increase with the grade, so that the pool is sorted by gain already."""
MAX_FILLED = 1_000_000
"""Largest number of ranks of an ideal order that are filled with items of which only the number is known."""
MAX_FILLED_AT_ONCE = 100_000_000
"""The same for all queries that are evaluated at once."""


class JudgedRankings:
    """Judged items in rank order, query after query.

    Parameters
    ----------
    segments
        Which rows belong to which query.
    rank, grade
        Of each returned item with a judgment.
    returned
        Number of items returned for each query, judged or not.
    pool, pool_grade
        The grades of all judged items of each query, returned or not, in descending order.
    judged
        False for unjudged items of the pool (negative grades in TREC); None if there are none.
    tie_first, tie_size
        First rank and length of the run of ties of each item; None if there are no ties.
    by_place
        Whether the rank of each row is its position among the rows of its query.
    pool_descends
        False if the pool is not sorted yet; it is sorted when a metric needs it.
    rare
        What only rare rules and inputs need: copies, further gold, runs of ties, unlisted items.
    """

    __slots__ = (
        "_by_place", "_ideals", "_pool_descends", "_pool_grade", "_relevant_judged", "grade", "in_every_order",
        "is_ideal", "judged", "pool", "rank", "rare", "returned", "segments", "tie_first", "tie_size",
    )  # fmt: skip

    def __init__(
        self,
        segments: Segments,
        rank: Floats,
        grade: Floats,
        returned: Ints,
        pool: Segments,
        pool_grade: Floats,
        judged: Bools | None = None,
        tie_first: Floats | None = None,
        tie_size: Floats | None = None,
        *,
        by_place: bool = False,
        pool_descends: bool = True,
        rare: RareColumns = NOTHING_RARE,
    ) -> None:
        self.segments = segments
        self.rank = rank
        self.grade = grade
        self.returned = returned
        self.pool = pool
        self._by_place = by_place
        self._pool_grade = pool_grade
        self._pool_descends = pool_descends
        self.judged = judged
        self.tie_first = tie_first
        self.tie_size = tie_size
        self.rare = rare
        self.is_ideal = False
        self.in_every_order: JudgedRankings | None = None
        self._relevant_judged: dict[float, Floats] = {}
        self._ideals: dict[tuple[Any, str, int | None], JudgedRankings] = {}

    @property
    def pool_grade(self) -> Floats:
        """Grades of all judged items of each query, returned or not, in descending order."""
        if not self._pool_descends:
            negative = -self._pool_grade.reshape(self.pool.count, -1)
            negative.sort(axis=1)
            self._pool_grade, self._pool_descends = -negative.ravel(), True
        return self._pool_grade

    @property
    def judged_grades(self) -> Floats:
        """Grades of all judged items, returned or not, in any order within a query."""
        return self._pool_grade

    # Columns of items

    @property
    def known(self) -> Bools:
        """1 for each judged item, 0 for an unjudged one of the pool."""
        return np.ones_like(self.grade, dtype=bool) if self.judged is None else self.judged

    def relevant(self, rel: float) -> Ints:
        """Return 1 for each item judged at the level or above."""
        return self.hits(rel, "returned")

    def hits(self, rel: float, hit_if: str) -> Ints:
        """Return 1 for each relevant item that can be a hit."""
        hits, positive = self.grade >= rel, self.rare.positive
        if self.judged is not None:
            hits = hits & self.judged
        if hit_if != "returned" and positive is not None:
            hits = hits & positive
        return hits.astype(np.int64)

    def found(self, rel: float, hit_if: str = "returned") -> Ints:
        """Return the number of relevant judged items that each item stands for: those found by recall."""
        hits = self.hits(rel, hit_if)
        return hits if self.rare.further is None else hits * (1 + (self.rare.further >= rel).sum(axis=1))

    def best(self, rel: float) -> Ints:
        """Return 1 for each relevant item with the best grade of its query, returned or not."""
        return self.relevant(rel) * (self.grade >= self._largest_in_pool()[self.item_query()])

    def item_query(self) -> Ints:
        """Return the query of each item."""
        return self.segments.query

    def nonrelevant(self, rel: float) -> Ints:
        """Return 1 for each item judged below the level."""
        miss = self.grade < rel
        return (miss if self.judged is None else miss & self.judged).astype(np.int64)

    def gain(self, function: Callable[[Floats], Floats]) -> Floats:
        """Return the gain of each item, 0 for an unjudged one."""
        gain = function(self.grade)
        return gain if self.judged is None else gain * self.judged

    # Columns of rows

    def at(self, items: Numbers) -> Numbers:
        """Return the value of the item at each row."""
        return items

    def above(self, items: Numbers, given: Numbers, cap: Floats | None = None) -> Numbers:  # noqa: ARG002
        """Return the sum of ``items`` over the rows above each row where ``given`` is 1, at most ``cap``."""
        above = self.segments.above(items)
        return above if cap is None else np.minimum(above, self.segments.spread(cap))

    def others(self, items: Numbers) -> tuple[Numbers, Numbers]:
        """Return the number of items with ``items`` 0 above each row, and tied with it, unjudged ones included."""
        above = self.item_rank() - 1 - self.above(items, given=items)
        return above, np.zeros_like(above)

    def item_rank(self) -> Floats:
        """Return the rank of each row among the returned items, without copies that are left out of their number."""
        return self.rank - self.copies_above(self.rank)

    def copies_above(self, rank: Floats, of: str = "rank") -> Ints | float:
        """Return how many copies that are left out of the number of items have a smaller rank than each row."""
        copies = self.rare.copies
        if copies is None or not copies.distinct:
            return 0.0
        return count_ranks_above(copies.query, getattr(copies, of), self.segments.query, rank)

    def reach(self, stop: Numbers) -> Numbers:
        """Return the probability of not stopping above, where ``stop`` is that of stopping at an item."""
        return self.segments.product_above(1 - stop)

    def of_rank(self, function: Callable[[Floats], Floats]) -> Floats:
        """Return a function of the rank of each row, computed once if all queries have the same ranks."""
        if self._by_place and self.segments.width is not None:
            return self.segments.in_each(function(np.arange(1.0, self.segments.width + 1.0, like=self.rank)))
        return function(self.rank)

    def within(self, cut: Floats | float) -> Bools:
        """Return which rows are at rank ``cut`` or above; one cut for all queries or one for each."""
        if isinstance(cut, float | int):
            return self.rank <= cut
        return self.rank <= self.segments.spread(cut)

    # Numbers of queries

    def shown(self, k: Floats | int | None) -> Floats:
        """Return the number of items in the top k of each query."""
        places = 1.0 * (self.returned if k is None else np.minimum(self.returned, k))
        copies = self.rare.copies
        if copies is None or not copies.distinct:
            return places
        cut = k if k is None or isinstance(k, int) else k[copies.query]  # one for each query
        inside = copies.query if cut is None else copies.query[copies.rank <= cut]
        return places - np.bincount(inside, minlength=len(self.returned))

    def returned_sum(self, items: Numbers) -> Floats:
        """Return the sum over the returned judged items of each query."""
        return self.segments.sum(items)

    def returned_once(self, items: Numbers) -> Floats:
        """Return the sum over the returned items of each query that the judgments hold, each item once."""
        uncounted = None if self.rare is NOTHING_RARE else self.rare.uncounted
        return self.returned_sum(items if uncounted is None else items * ~uncounted)

    def relevant_judged(self, rel: float) -> Floats:
        """Return R, the number of relevant items of each query, returned or not; at least those returned."""
        if rel not in self._relevant_judged:
            in_pool = self.pool.sum(self._pool_grade >= rel)
            if (unlisted := self.rare.unlisted) is not None and unlisted.grade >= rel:
                in_pool = in_pool + unlisted.number
            self._relevant_judged[rel] = np.maximum(in_pool, self.returned_once(self.found(rel)))
        return self._relevant_judged[rel]

    def judged_sum(self, function: Callable[[Floats], Floats]) -> Floats:
        """Return the sum of a function of the grade over all judged items, returned or not; at least those returned."""
        in_pool = self.pool.sum(function(self._pool_grade))
        if (unlisted := self.rare.unlisted) is not None:
            in_pool = in_pool + unlisted.number * function(np.array([unlisted.grade])).item()
        return np.maximum(in_pool, self.returned_once(self.gain(function)))

    def nonrelevant_judged(self, rel: float) -> Floats:
        """Return the number of judged items of each query that are not relevant, returned or not."""
        in_pool = self.pool.sum(self._pool_grade < rel)
        if (unlisted := self.rare.unlisted) is not None and unlisted.grade < rel:
            in_pool = in_pool + unlisted.number
        return np.maximum(in_pool, self.returned_once(self.nonrelevant(rel)))

    def largest_grade(self) -> Floats:
        """Return the largest grade of each query, returned or not; 1 if none is above 0."""
        largest, best = self._largest_in_pool(), self.ideal(np.positive, "returned", 1)
        some = best.segments.sizes > 0  # an ideal given from outside may lack returned items
        largest[some] = np.maximum(largest[some], best.grade)
        return np.where(largest > 0, largest, 1.0)

    def _largest_in_pool(self) -> Floats:
        largest = np.full(self.pool.count, -np.inf, like=self.pool_grade)
        largest[self.pool.sizes > 0] = self.pool_grade[self.pool.starts]  # in descending order
        return largest if self.rare.unlisted is None else np.maximum(largest, self.rare.unlisted.grade)

    # Other orders of the same items

    def enlarged(self, k: int | None) -> Floats | int | None:
        """Return the cutoff k, or one for each query if ties enlarge it to the end of their run, or copies move it."""
        rare = self.rare
        if k is None or rare is NOTHING_RARE:
            return k
        if rare.repeats is not None:
            cutoffs = rare.repeats.cutoffs(k, len(self.returned))
            return cutoffs if (cutoffs != k).any() else k
        if rare.tie_runs is None:
            return k
        query, first, last = rare.tie_runs
        at_k = (first <= k) & (last > k)
        if not at_k.any():
            return k
        cutoffs = np.full(len(self.returned), float(k), like=self.rank)
        cutoffs[query[at_k]] = last[at_k]
        return cutoffs

    def only_judged(self, k: Floats | int | None = None) -> JudgedRankings:
        """Return the lists, or their top k, without unjudged items; the items below move up."""
        copies = self.rare.copies
        placeholders = 0 if copies is None else np.bincount(copies.query, minlength=len(self.returned))
        uncut = k is None or bool((self.returned <= k).all())
        if uncut and self.judged is None and (self.returned == self.segments.sizes + placeholders).all():
            return self
        kept, segments, rank, first, size = self._condensed(k)
        tied = self.tie_first is not None and bool((size > 1).any())
        return JudgedRankings(
            segments,
            rank,
            self.grade[kept],
            segments.sizes,
            self.pool,
            self._pool_grade,
            tie_first=first if tied else None,
            tie_size=size if tied else None,
            pool_descends=self._pool_descends,
            rare=self.rare.of_rows(kept)._replace(
                copies=None, repeats=None, tie_runs=None if k is None else self.rare.tie_runs
            ),
        )

    def judged_within(self, k: Floats | int | None) -> Bools:
        """Return which rows are judged items of the top k."""
        return self.known if k is None else self.known & self.within(k)

    def _condensed(self, k: Floats | int | None = None) -> tuple[Bools, Segments, Floats, Floats, Floats]:
        """Return which rows are judged and, for these, their segments, ranks, and runs of ties (first rank, size)."""
        kept = self.judged_within(k)
        segments = Segments.of_rows(self.segments.query[kept], self.segments.count)
        rank = segments.place()
        if self.tie_first is None:
            return kept, segments, rank, rank, np.ones_like(rank)
        return kept, segments, rank, *runs_of_ties(segments.query, self.tie_first[kept], rank)

    def ideal(
        self, gain: Callable[[Floats], Floats], which: str = "judged", top: Floats | float | None = None
    ) -> JudgedRankings:
        """Return the best order by gain: of the pool (``judged``, ``given``) or the returned items, cut at ``top``."""
        depth = (
            top if top is None or isinstance(top, int) else int(np.max(top, initial=1)) if np.ndim(top) else int(top)
        )
        key = (gain, which, depth)
        if key not in self._ideals:
            unsorted = None if self._pool_descends else self.pool.width
            longer = depth is not None and unsorted is not None and unsorted > depth
            if depth is not None and longer and gain in RISING and which not in {"returned", "full"}:
                pool, grade = self._top_of_pool(depth)
            elif which == "full":
                pool, grade = self._full_pool(gain, top)
            elif which == "returned":
                pool, grade = self._returned_pool()
            else:
                pool, grade = (self.pool, self.pool_grade) if self.rare.unlisted is None else self._listed_pool(depth)
            if gain not in RISING:
                worth = gain(grade)
                if (worth[1:] > worth[:-1]).any():  # the gain does not increase with the grade, or a query starts here
                    grade = grade[np.lexsort((-worth, pool.query))]
            if depth is not None and len(grade):
                pool, grade = _first_rows(pool, grade, depth)
            best = JudgedRankings(pool, pool.place(), grade, pool.sizes, pool, grade, by_place=True)
            best.is_ideal = True
            self._ideals[key] = best
        return self._ideals[key]

    def _top_of_pool(self, depth: int) -> tuple[Segments, Floats]:
        """Return the best grades of each query, without sorting the others."""
        grades = self._pool_grade.reshape(self.pool.count, -1)
        if isinstance(grades, np.ndarray):  # a device sorts as fast as it partitions
            others = grades.shape[1] - depth
            grades = np.partition(grades, others, axis=1)[:, others:]
        best = -np.sort(-grades, axis=1)[:, :depth]
        return Segments.equal(self.pool.count, depth, self.pool.offsets), best.ravel()

    def _full_pool(self, gain: Callable[[Floats], Floats], top: Floats | float | None) -> tuple[Segments, Floats]:
        """Return as many items as the ideal is deep (or were returned), all with the best grade of the pool."""
        ends: Ints | int = self.returned
        if isinstance(top, int | float):
            ends = int(top)
            check_filled("ideal='full'", ends, self.pool.count)
        elif top is not None:
            ends = top.astype(np.int64)
        best = self.ideal(gain, top=None if self.rare.unlisted is None else 1)
        judged = best.segments.sizes > 0
        sizes = judged * ends
        return Segments.of_sizes(sizes), np.repeat(best.grade[best.segments.starts], sizes[judged])

    def _listed_pool(self, depth: int | None) -> tuple[Segments, Floats]:
        """Return the pool of a single list with its unlisted items, of which at most ``depth`` can count."""
        number, grade = self.rare.unlisted or (0, 0.0)
        filled = number if depth is None else min(number, depth)
        check_filled(f"relevant, with {number:,} not in the list", filled)
        grades = np.concatenate((self.pool_grade, np.full(filled, grade)))
        return Segments(np.array([0, len(grades)])), -np.sort(-grades)

    def _returned_pool(self) -> tuple[Segments, Floats]:
        known = self.known if self.rare.uncounted is None else self.known & ~self.rare.uncounted
        query, grade = self.segments.query[known], self.grade[known]
        return Segments.of_rows(query, self.segments.count), grade[np.lexsort((-grade, query))]


def runs_of_ties(query: Ints, first: Floats, rank: Floats) -> tuple[Floats, Floats]:
    """Return the first rank and the size of the run of ties around each row that is left; ``first`` tells the runs."""
    runs = Segments.of_runs(query, first)
    return runs.spread(rank[runs.offsets[:-1]]), runs.spread(1.0 * runs.sizes)


def check_filled(what: str, ranks: int, queries: int = 1) -> None:
    """Raise an error if an ideal order would have too many ranks, because its cost does not follow the data."""
    limit = MAX_FILLED if ranks > MAX_FILLED else MAX_FILLED_AT_ONCE
    if ranks * queries > limit:
        at_once = "" if ranks > limit else f" in {plural(queries, '# query', '# queries')} at once"
        raise ParameterError(
            f"{what}: the ideal order would end at rank {ranks:,}{at_once}, and the limit is {limit:,} in all; "
            "set a smaller cutoff k, as in nDCG@10"
        )


def _first_rows(segments: Segments, values: Floats, depth: int) -> tuple[Segments, Floats]:
    """Return the first rows of each query."""
    if segments.width is not None:
        first = values.reshape(segments.count, segments.width)[:, :depth]
        return Segments.equal(segments.count, first.shape[1], segments.offsets), first.ravel()
    if segments.count == 1 and isinstance(values, np.ndarray):
        return Segments(np.array([0, len(values[:depth])])), values[:depth]
    if segments.sizes.max() <= depth:
        return segments, values
    kept = Segments.of_sizes(np.minimum(segments.sizes, depth))
    return kept, values[np.arange(kept.rows, like=values) + kept.spread(segments.offsets[:-1] - kept.offsets[:-1])]
