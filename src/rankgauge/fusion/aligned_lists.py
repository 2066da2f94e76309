"""The lists of several rankings side by side: a row for each item of a query, a column for each ranking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import polars as pl

from rankgauge.conventions import Convention
from rankgauge.errors import shown
from rankgauge.inputs.findings import NAMED_RANKING, Findings, input_error, with_ids
from rankgauge.inputs.frames import with_like_ids
from rankgauge.matching.tie_order import tie_places
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Floats, Ints, Segments, as_single

KEEPING_COPIES = Phrase(
    "remove the duplicate, or keep the best place of each item: Convention(duplicates='close-up')",
    "删除重复的行，或只保留每个物品的最好名次：Convention(duplicates='close-up')",
)


@dataclass(frozen=True, eq=False)
class AlignedLists:
    """Every item that a ranking returned for a query, with its score and rank in each ranking.

    >>> lists = [
    ...     pl.DataFrame({"query": ["q"] * len(items), "item": [*items], "score": [2.0, 1.0]}) for items in ("ab", "bc")
    ... ]
    >>> aligned = AlignedLists.of(lists, Convention(), None, Findings(), ["one", "two"])
    >>> aligned.items.to_list(), aligned.ranks.tolist()
    (['a', 'b', 'c'], [[1.0, nan], [2.0, 1.0], [nan, 2.0]])
    """

    queries: pl.Series
    query: Ints
    """The number of the query of each row, ascending."""
    items: pl.Series
    scores: Floats
    """Rows x rankings; NaN if a ranking lacks the item."""
    ranks: Floats
    """Rows x rankings, from 1; NaN if a ranking lacks the item."""

    @classmethod
    def of(
        cls,
        frames: Sequence[pl.DataFrame],
        convention: Convention,
        depth: int | None,
        findings: Findings,
        names: Sequence[str],
    ) -> AlignedLists:
        """Align frames of query, item and score, one for each ranking, cut to their first ``depth`` items."""
        frames = with_like_ids(*frames)
        queries = pl.concat([frame["query"].unique(maintain_order=True) for frame in frames])
        queries = queries.unique(maintain_order=True)
        numbers = pl.DataFrame({"query": queries, "number": np.arange(len(queries))})
        ranked = []
        for name, frame in zip(names, frames, strict=True):
            numbered = frame.join(numbers, on="query", maintain_order="left").drop("query")
            ranked.append(_ranked(numbered, convention, depth, findings, name, queries))
        keys = pl.concat([rows.select("number", "item") for rows in ranked]).unique(maintain_order=True)
        keys = keys.sort("number", maintain_order=True).with_row_index("row")
        scores = np.full((keys.height, len(frames)), np.nan)
        ranks = scores.copy()
        for column, rows in enumerate(ranked):
            row = rows.join(keys, on=["number", "item"], maintain_order="left")["row"].to_numpy()
            scores[row, column], ranks[row, column] = rows["score"].to_numpy(), rows["rank"].to_numpy()
        return cls(queries, keys["number"].to_numpy(), keys["item"], scores, ranks)

    def cut(self, depth: int | None) -> AlignedLists:
        """Return the lists with their first ``depth`` items."""
        if depth is None:
            return self
        below = self.ranks > depth
        kept = np.flatnonzero((~np.isnan(self.ranks) & ~below).any(axis=1))
        scores, ranks = (np.where(below, np.nan, column)[kept] for column in (self.scores, self.ranks))
        return AlignedLists(self.queries, self.query[kept], self.items.gather(kept), scores, ranks)

    @cached_property
    def rows(self) -> Segments:
        """The rows of each query."""
        return Segments.of_rows(self.query, len(self.queries))

    @cached_property
    def returned(self) -> Ints:
        """The number of items that each ranking returned for each query: queries x rankings."""
        there = ~np.isnan(self.scores)
        columns = [np.bincount(self.query[column], minlength=len(self.queries)) for column in there.T]
        return np.stack(columns, axis=1)

    def ranking_missing(self, rule: str) -> AlignedLists:
        """Return the lists with ranks for the items that a list lacks.

        With ``"last"`` they take the places behind the list, in the order of the lists before and after it; with
        ``"share"`` each takes the mean of these places.
        """
        returned, candidates = self.rows.spread(self.returned), self.rows.spread(self.rows.sizes)[:, None]
        absent = np.isnan(self.ranks)
        if rule == "share":
            return replace(self, ranks=np.where(absent, (returned + 1 + candidates) / 2, self.ranks))
        columns = [*np.nan_to_num(self.ranks, nan=np.inf).T[::-1]]
        order = np.lexsort((*columns, self.query))
        ranks = self.ranks.copy()
        for column, lacks in enumerate(absent.T):
            rows = order[lacks[order]]
            place = Segments.of_rows(self.query[rows], len(self.queries)).place()
            ranks[rows, column] = returned[rows, column] + place
        return replace(self, ranks=ranks)

    def lowest(self, values: Floats) -> Floats:
        """Return the least of the values of each query, NaN left out; NaN if all are."""
        return np.fmin.reduceat(values, self.rows.offsets[:-1])

    def highest(self, values: Floats) -> Floats:
        """Return the greatest of the values of each query, NaN left out; NaN if all are."""
        return np.fmax.reduceat(values, self.rows.offsets[:-1])

    def total(self, values: Floats) -> Floats:
        """Return the sum of the values of each query, NaN left out."""
        return self.rows.sum(np.nan_to_num(values, nan=0.0))

    @cached_property
    def frame(self) -> pl.DataFrame:
        """The columns query and item of all rows."""
        return pl.DataFrame({"query": self.queries.gather(self.query), "item": self.items})

    def fused(self, scores: Floats, convention: Convention) -> pl.DataFrame:
        """Return the columns query, item and score of a fused ranking, best first."""
        order = rank_order(self.query, scores, self.items, convention)
        return self.frame[order].with_columns(score=pl.Series(scores[order]))


def rank_order(query: Ints, score: Floats, items: pl.Series, convention: Convention) -> Ints:
    """Return the rows in the order of queries, scores (descending) and the rule for ties."""
    score = as_single(score) if convention.score_precision == "float32" else score
    follows = query[1:] == query[:-1]
    is_sorted = ((query[1:] > query[:-1]) | (follows & (score[1:] <= score[:-1]))).all()
    order = np.arange(len(query)) if is_sorted else np.lexsort((-score, query))
    runs = Segments.of_runs(query[order], score[order])
    if runs.count == runs.rows:
        return order
    tied = np.flatnonzero(runs.spread(runs.sizes) > 1)
    rows = order[tied]
    places = tie_places(items.gather(rows).cast(pl.String), runs.query[tied], convention)
    order[runs.offsets[runs.query[tied]] + places] = rows
    return order


def _ranked(
    frame: pl.DataFrame, convention: Convention, depth: int | None, findings: Findings, name: str, queries: pl.Series
) -> pl.DataFrame:
    """Return the rows of one ranking in order, with the column rank, up to a depth."""
    number = frame["number"].to_numpy()
    order = rank_order(number, frame["score"].to_numpy(), frame["item"], convention)
    frame = frame[order]
    repeated = frame.select("number", "item").is_duplicated()
    if repeated.any():
        first = frame.row(repeated.arg_true()[0], named=True)
        item, query = shown(first["item"]), queries[first["number"]]
        place = NAMED_RANKING.fill(name=shown(name))
        text = with_ids(
            f"{place.en}: item {item} is returned more than once", f"{place.zh}：物品 {item} 返回了多次", query
        )
        if convention.duplicates == "error":
            raise input_error("RG301", text, KEEPING_COPIES)
        once = frame.unique(["number", "item"], keep="first", maintain_order=True)
        findings.add("RG301", text, frame.height - once.height)
        frame = once
    segments = Segments.of_rows(frame["number"].to_numpy(), len(queries))
    frame = frame.with_columns(rank=segments.place())
    return frame if depth is None else frame.filter(pl.col("rank") <= min(depth, frame.height))
