"""Matched: returned items joined with their judgments, before any rule is applied.

For each returned item with a judgment: its grade, the number of items of its query with a higher score, with the same
score, and with the same score before it. Every input form produces it; ``apply_rules`` is the same for all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rankgauge.matching.item_places import Unlisted
from rankgauge.segments import Bools, Floats, Ints, Segments

if TYPE_CHECKING:
    from rankgauge.conventions import Convention
    from rankgauge.matching.common_ids import NearMatch, UnmatchedIds


class Plain(NamedTuple):
    """Rows that no rule changes, unless it reorders ties: a matrix in rank order.

    All queries have the same number of rows and of judgments, and no grade is NaN or negative.
    """

    rows: Segments
    pool: Segments
    ties: bool
    """Whether any scores are tied."""
    by_place: bool = True
    """Whether the rows are all items down to some rank, so that the n-th row has rank n."""


@dataclass(slots=True)
class Matched:
    """Flat columns of many queries; rows and pool are ordered by query."""

    query: Ints
    """The number of the query of each row."""
    grade: Floats
    """As judged; NaN for an unjudged item, which has a row only if the convention gives it a grade."""
    above: Ints
    """Number of returned items of the query with a higher score."""
    tied: Ints
    """Number with the same score, the item itself included."""
    before: Ints
    """Number of those before it, if the tie rule fixes their order."""
    returned: Ints
    """Number of items returned for each query."""
    pool_query: Ints
    pool_grade: Floats
    """Query and grade of every judged item, returned or not."""
    positive: Bools | None = None
    """Whether each row has a score above 0; None if no rule reads it."""
    copy: Ints | None = None
    """0 for an item at its first place, 1 for a later copy, 2 for one with the score of the first; None without copies.

    Every later copy has a row, judged or not.
    """
    further: Floats | None = None
    """Grades of the further judged items that each row stands for, by the rule ``match``: a column for each, NaN where
    there are fewer; None if no row has any."""
    item: Any = None
    """Item id of each row (a sequence or a series), if top items are kept."""
    score: Floats | None = None
    """Score of each row, if top items are kept with their grades."""
    plain: Plain | None = None
    """None if a rule may change the rows."""
    collapsing: Ints | None = None
    """Number of rows of each query whose score equals another one in single precision only, if the form counts them."""
    unmatched: UnmatchedIds | None = None
    """Some judged and some returned items of a query, if no item of these queries is on both sides."""
    near: NearMatch | None = None
    """A judged and a returned item of one of the first queries that only writing keeps apart."""
    unlisted: Unlisted | None = None
    """Further judged items of a single list, known by their number only."""

    def graded(self, convention: Convention) -> Matched:
        """Return the rows and their pool after the rules that change grades."""
        grade, pool_grade = convention.changed(self.grade), convention.changed(self.pool_grade)
        if grade is self.grade and pool_grade is self.pool_grade:
            return self
        further = None if self.further is None else convention.changed(self.further)
        return replace(self, grade=grade, pool_grade=pool_grade, further=further)

    def relevant(self, convention: Convention) -> Ints:
        """Return the number of judged items of each query that are relevant, returned or not."""
        return self.count(self.pool_query, convention.changed(self.pool_grade) >= convention.rel)

    def relevant_returned(self, convention: Convention) -> Ints:
        """Return the number of returned items of each query that are relevant."""
        return self.count(self.query, convention.changed(self.grade) >= convention.rel)

    def count(self, query: Ints, where: Bools) -> Ints:
        """Return how many rows, or judged items, of each query a mask selects; ``query`` has the query of each."""
        if self.plain is not None and query is self.pool_query:
            return where.reshape(len(self.returned), -1).sum(axis=1)
        if isinstance(where, np.ndarray):
            return np.bincount(query[where], minlength=len(self.returned))
        return np.bincount(query, weights=where, minlength=len(self.returned))  # a device need not say how many

    def of_queries(self, kept: Bools) -> Matched:
        """Return some of the queries, renumbered."""
        number, pool = np.cumsum(kept) - 1, kept[self.pool_query]
        rows = self.of_rows(kept[self.query])
        return replace(
            rows,
            query=number[rows.query],
            returned=self.returned[kept],
            pool_query=number[self.pool_query[pool]],
            pool_grade=self.pool_grade[pool],
        )

    def of_rows(self, kept: Bools) -> Matched:
        """Return some of the rows of the same queries, without item ids and scores."""
        positive = None if self.positive is None else self.positive[kept]
        copy = None if self.copy is None else self.copy[kept]
        further = None if self.further is None else self.further[kept]
        columns = {name: getattr(self, name)[kept] for name in ("query", "grade", "above", "tied", "before")}
        return replace(
            self, **columns, positive=positive, copy=copy, further=further, item=None, score=None, plain=None
        )

    @classmethod
    def empty(cls, sizes: Sequence[int] | Ints, grades: Sequence[float] | Floats) -> Matched:
        """Return queries without results, with these numbers of judgments and these grades."""
        none = np.empty(0, dtype=np.int64)
        return cls(
            query=none,
            grade=np.empty(0),
            above=none,
            tied=none,
            before=none,
            returned=np.zeros(len(sizes), dtype=np.int64),
            pool_query=np.repeat(np.arange(len(sizes)), sizes),
            pool_grade=np.asarray(grades, dtype=np.float64),
        )


Chunk = tuple[Ints, Matched]
"""Numbers of some queries among all judged queries, and their matched rows, numbered from 0."""
