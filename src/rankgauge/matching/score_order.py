"""ScoreOrder: the rows of a block in order of their scores, which are sorted only if they do not descend already."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np
import polars as pl

from rankgauge.conventions import Convention
from rankgauge.conventions.order import DECIDED_BY_GRADES
from rankgauge.matching.descending import count_above, descending_rows, descending_scores
from rankgauge.matching.score_checks import collapses
from rankgauge.matching.tie_order import tie_places
from rankgauge.segments import Bools, Floats, Ints, Segments, as_single


class ScoreOrder:
    """The order of the rows of a block by score within their queries."""

    def __init__(
        self,
        block: pl.DataFrame,
        runs: Segments,
        convention: Convention,
        ids_of: Callable[[Ints], pl.Series] | None = None,
    ) -> None:
        self.runs = runs
        self._ids_of = ids_of or block["item"].gather
        """Returns the ids of rows, by which ties are ordered."""
        scores = block["score"].to_numpy()
        single = as_single(scores)
        if convention.score_precision == "float32":
            scores = single.astype(np.float64)
        begins = np.zeros(len(scores) + 1, dtype=bool)  # the end counts as a start
        begins[runs.offsets] = True
        self._given: Floats | None = None
        """The scores by row, if they do not descend."""
        self.nothing_ties = self.differ = bool((begins[1:-1] | (single[1:] < single[:-1])).all())
        """Whether no scores of a query are equal, and whether they differ even in single precision."""
        if not self.differ:
            if not (begins[1:-1] | (scores[1:] <= scores[:-1])).all():
                self._given = scores
                scores = descending_scores(scores, runs)
            begins[1:-1] |= scores[1:] != scores[:-1]
            self.nothing_ties = bool(begins.all())
        self.scores = scores
        self.score_starts = np.arange(0) if self.nothing_ties else np.flatnonzero(begins)

    @cached_property
    def order(self) -> Ints | None:
        """The rows by score, which few callers need; None if they are in this order."""
        return None if self._given is None else descending_rows(self._given, self.runs)

    def _places(self, rows: Ints) -> Ints:
        """Return the place of each row in the order by score."""
        if self.order is None:
            return rows
        place = np.empty(len(self.order), dtype=np.int64)
        place[self.order] = np.arange(len(self.order))
        return place[rows]

    def score_of(self, rows: Ints) -> Floats:
        """Return the score of each row, in the precision in which scores are compared."""
        return (self.scores if self._given is None else self._given)[rows]

    def of(self, rows: Ints, query: Ints) -> tuple[Ints, Ints]:
        """Return the number of items above each row of these queries, and tied with it, itself included."""
        first, last = self._score_run(rows)
        return first - self.runs.offsets[query], last - first

    def row_at(self, place: int) -> int:
        """Return the row at a place of the order by score."""
        return place if self.order is None else int(self.order[place])

    def collapsing(self, rows: Ints, query: Ints) -> Bools:
        """Return which rows of these queries differ from a neighbour in double, but not in single precision."""
        if self.differ:
            return np.zeros(len(rows), dtype=bool)
        return collapses(self.scores, *self._score_run(rows), self.runs.offsets[query], self.runs.offsets[query + 1])

    def _score_run(self, rows: Ints) -> tuple[Ints, Ints]:
        """Return where the run of tied scores around each row starts and ends."""
        first = rows
        if self._given is not None:
            query = self.runs.query[rows]
            above = count_above(self.scores, self.runs, query, self._given[rows], or_equal=False)
            first = self.runs.offsets[query] + above
        if self.nothing_ties:
            return first, first + 1
        run = np.searchsorted(self.score_starts, first, side="right") - 1
        return self.score_starts[run], self.score_starts[run + 1]

    def rows_within(self, depth: int) -> tuple[Ints, Segments]:
        """Return the rows with fewer than ``depth`` items above them, by query and score, and their segments."""
        starts = self.runs.offsets[:-1]
        ends = np.minimum(starts + depth, self.runs.offsets[1:])
        if not self.nothing_ties:  # rows tied with the last one have no more above them
            ends = self.score_starts[np.searchsorted(self.score_starts, ends)]
        inside = Segments.of_sizes(ends - starts)
        if self._given is not None and 0 < inside.rows < self.runs.rows:
            lowest = self.scores[ends - 1]
            rows = np.flatnonzero(self._given >= self.runs.spread(lowest))
            return rows[descending_rows(self._given[rows], inside)], inside
        places = np.arange(inside.rows) + inside.spread(starts - inside.offsets[:-1])
        return (places if self.order is None else self.order[places]), inside

    def before(self, rows: Ints, tied: Ints, convention: Convention) -> Ints:
        """Return the number of tied items before each row, where the rule fixes their order."""
        before = np.zeros(len(rows), dtype=np.int64)
        which = np.flatnonzero(tied > 1)
        if convention.ties in DECIDED_BY_GRADES or not len(which):
            return before
        first, _ = self._score_run(rows[which])
        starts, run = np.unique(first, return_inverse=True)
        members = Segments.of_sizes(self.score_starts[np.searchsorted(self.score_starts, starts) + 1] - starts)
        places = np.arange(members.rows) + members.spread(starts - members.offsets[:-1])
        ids = self._ids_of(places if self.order is None else self.order[places]).cast(pl.String)
        place_in_run = tie_places(ids, members.query, convention)
        before[which] = place_in_run[members.offsets[run] + self._places(rows[which]) - first]
        return before
