"""Places of items in lists: later copies, runs of ties, and items of which only the number is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rankgauge.segments import Bools, Floats, Ints


class Unlisted(NamedTuple):
    """Judged items of a single list that are known by their number only."""

    number: int
    grade: float


class CopyPlaces(NamedTuple):
    """The places of later copies that count as nothing, ordered by query and rank."""

    query: Ints
    rank: Floats
    tie_first: Floats
    """The first rank of the run of ties of each copy."""
    row: Ints
    """The matched row of each copy."""
    distinct: bool
    """Whether the number of returned items leaves them out."""


class TieRuns(NamedTuple):
    """Runs of tied items, judged or not; a run may be listed several times."""

    query: Ints
    first: Floats
    last: Floats
    """First and last rank."""


class Repeats(NamedTuple):
    """The places of later copies in the lists as returned, if the cutoff k counts something else than places."""

    query: Ints
    rank: Floats
    removed: bool
    """Whether the copies were removed from the lists."""

    def cutoffs(self, k: int, queries: int) -> Floats:
        """Return the rank at which the top k of each query ends."""
        ends = np.full(queries, float(k))
        if self.removed:
            return ends - np.bincount(self.query[self.rank <= k], minlength=queries)
        order = np.lexsort((self.rank, self.query))
        for query, rank in zip(self.query[order].tolist(), self.rank[order].tolist(), strict=True):
            if rank <= ends[query]:
                ends[query] += 1
        return ends


class RareColumns(NamedTuple):
    """What rare rules and inputs add to judged rankings; columns have a value for each item."""

    positive: Bools | None = None
    """Whether each item has a score above 0; None if all have, or if no rule reads it."""
    copy: Bools | None = None
    """Whether each item is a later copy that counts again; None if there are none."""
    further: Floats | None = None
    """Grades of the further judged items that each item stands for, padded with NaN; None if none does."""
    assumed: Bools | None = None
    """Whether each item has an assumed grade and belongs to neither the ideal nor R; None if none does."""
    copies: CopyPlaces | None = None
    """The places of later copies that count as nothing; None if there are none."""
    tie_runs: TieRuns | None = None
    """The runs of ties that may enlarge a cutoff; None if they do not."""
    repeats: Repeats | None = None
    """The places of later copies that move a cutoff; None if they do not."""
    unlisted: Unlisted | None = None
    """Further judged items of a single list, not in the pool; None if there are none."""

    def of_rows(self, rows: Bools | Ints | slice) -> RareColumns:
        """Return the columns of some of the items; what is about whole lists is unchanged."""
        if self is NOTHING_RARE:
            return self
        positive, copy, further, assumed = (None if column is None else column[rows] for column in self[:4])
        return self._replace(positive=positive, copy=copy, further=further, assumed=assumed)

    @property
    def uncounted(self) -> Bools | None:
        """Whether each item is left out of R: later copies, and items with an assumed grade; None if there are none."""
        if self.copy is None or self.assumed is None:
            return self.assumed if self.copy is None else self.copy
        return self.copy | self.assumed


NOTHING_RARE = RareColumns()


def padded(grades: Sequence[Sequence[float] | None]) -> Floats | None:
    """Return the grades of the further judged items of each row, padded with NaN; None if no row has any.

    >>> padded([None, [2.0, 1.0]]).tolist(), padded([None, []])
    ([[nan, nan], [2.0, 1.0]], None)
    """
    width = max((len(row) for row in grades if row is not None), default=0)
    if not width:
        return None
    table = np.full((len(grades), width), np.nan)
    for place, row in enumerate(grades):
        if row:
            table[place, : len(row)] = row
    return table


def count_ranks_above(query: Ints, rank: Floats, row_query: Ints, row_rank: Floats) -> Ints:
    """Return the number of ranks of the same query that are smaller than that of each row."""
    span = float(max(rank.max(initial=0.0), row_rank.max(initial=0.0))) + 2.0
    keys = np.sort(query * span + rank)
    return np.searchsorted(keys, row_query * span + row_rank) - np.searchsorted(keys, row_query * span)
