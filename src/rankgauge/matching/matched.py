"""Matched: what every road from the data has in common, before any rule is applied.

For each returned item that stands in the judgments: its grade, how many items of its query have a higher
score, how many have the same, and how many of those stand before it. How these are counted depends on what
the user holds (a list, dicts, frames, arrays); what is made of them does not (``rankgauge.matching.apply_rules``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from rankgauge.segments import Bools, Floats, Ints, Segments


class Plain(NamedTuple):
    """Said of rows for which no rule has anything to settle, unless it orders equal scores anew.

    They stand by score, equal ones as they came. Every grade is a number and not negative, in the pool, too. All
    queries have as many rows, and as many in the pool.
    """

    rows: Segments
    pool: Segments
    ties: bool
    """Whether any scores are equal."""


@dataclass(slots=True)
class Matched:
    """Flat columns of many queries; rows and pool are ordered by query."""

    query: Ints
    """The number of the query of each row."""
    grade: Floats
    """As judged; NaN for an unjudged item, which has a row only where the convention gives it a grade."""
    above: Ints
    """How many returned items of the query have a higher score."""
    tied: Ints
    """How many have the same score, the item itself included."""
    before: Ints
    """How many of those stand before it where the order of equal scores is fixed."""
    returned: Ints
    """How many items were returned for each query."""
    pool_query: Ints
    pool_grade: Floats
    """Query and grade of every judged item, returned or not."""
    positive: Bools | None = None
    """Whether each row has a score above 0; None where no rule asks."""
    item: Any = None
    """The id of the item of each row (a sequence or a series), where the items at the top were asked for."""
    score: Floats | None = None
    """The score of each row, where the items at the top were asked for; of a list, the place, negative."""
    plain: Plain | None = None
    """None where rules have something to settle."""

    def relevant(self, rel: float) -> Ints:
        """How many items of each query are judged at the level or above, returned or not."""
        found = self.pool_grade >= rel
        if self.plain is not None:
            return found.reshape(len(self.returned), -1).sum(axis=1)
        return np.bincount(self.pool_query[found], minlength=len(self.returned))

    def of_queries(self, kept: Bools) -> Matched:
        """Some of the queries, numbered anew."""
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
        """Some of the rows of the same queries, without the ids and scores of their items."""
        positive = None if self.positive is None else self.positive[kept]
        columns = {name: getattr(self, name)[kept] for name in ("query", "grade", "above", "tied", "before")}
        return replace(self, **columns, positive=positive, item=None, score=None, plain=None)

    @classmethod
    def empty(cls, sizes: Sequence[int] | Ints, grades: Sequence[float] | Floats) -> Matched:
        """Queries for which nothing was returned, with so many judgments each of these grades."""
        nothing = np.empty(0, dtype=np.int64)
        return cls(
            query=nothing,
            grade=np.empty(0),
            above=nothing,
            tied=nothing,
            before=nothing,
            returned=np.zeros(len(sizes), dtype=np.int64),
            pool_query=np.repeat(np.arange(len(sizes)), sizes),
            pool_grade=np.asarray(grades, dtype=np.float64),
        )


Chunk = tuple[Ints, Matched]
"""Some queries at a time: their numbers among all judged queries, and what was matched for them, numbered from 0."""
