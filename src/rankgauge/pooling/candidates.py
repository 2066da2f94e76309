"""The pairs that could be judged: what the rankings return down to a depth, without what is judged already."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from rankgauge.analysis.full_ranking import rows_by_score
from rankgauge.conventions import Convention
from rankgauge.fusion.aligned_lists import AlignedLists
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.frames import with_like_ids
from rankgauge.judging.labels import PAIR
from rankgauge.matching.ranking import Ranking
from rankgauge.segments import Bools, Floats, Ints

RRF = 60
"""Constant of reciprocal rank fusion."""


@dataclass(frozen=True, eq=False)
class PoolCandidates:
    """The lists side by side, and which of their pairs may be chosen."""

    names: tuple[str, ...]
    lists: AlignedLists
    """All items of the lists, as deep as the metric looks."""
    eligible: Bools
    """Rows that are within the depth and not judged yet."""
    judged: pl.DataFrame
    """What is judged already: query, item and grade, with ids of the type of the lists."""

    @classmethod
    def read(
        cls,
        rankings: Mapping[str, Ranking],
        judged: pl.DataFrame | None,
        depth: int | None,
        convention: Convention,
        findings: Findings,
    ) -> PoolCandidates:
        """Read the rankings whole; pairs that are judged, or below the depth in every list, are not eligible."""
        names = tuple(rankings)
        frames = [rows_by_score(ranking, findings) for ranking in rankings.values()]
        lists = AlignedLists.of(frames, convention, None, findings, names)
        within = np.ones(len(lists.query), dtype=bool) if depth is None else (lists.ranks <= depth).any(axis=1)
        pairs = lists.frame
        if judged is None:
            judged = pairs.clear().with_columns(pl.lit(None, pl.Float64).alias("grade"))
        pairs, judged = with_like_ids(pairs, judged)
        known = pairs.join(judged.select(*PAIR, pl.lit(1).alias("known")), on=PAIR, how="left", maintain_order="left")
        return cls(names, lists, within & known["known"].is_null().to_numpy(), judged)

    @property
    def queries(self) -> int:
        """Number of queries of the rankings."""
        return len(self.lists.queries)

    @cached_property
    def rows(self) -> Ints:
        """The rows that may be chosen."""
        return np.flatnonzero(self.eligible)

    @cached_property
    def query(self) -> Ints:
        """The number of the query of each row that may be chosen."""
        return self.lists.query[self.rows]

    @cached_property
    def pairs(self) -> pl.DataFrame:
        """The columns query and item of the rows that may be chosen."""
        return self.lists.frame[self.rows]

    @cached_property
    def rrf(self) -> Floats:
        """Sum over the rankings of 1 / (60 + rank), for the rows that may be chosen."""
        return np.nan_to_num(1 / (RRF + self.lists.ranks[self.rows])).sum(axis=1)

    @cached_property
    def best_rank(self) -> Ints:
        """The best rank of each row that may be chosen."""
        return np.nanmin(self.lists.ranks[self.rows], axis=1).astype(np.int64)

    @cached_property
    def returned_by(self) -> Ints:
        """The number of rankings that return each row that may be chosen."""
        return (~np.isnan(self.lists.ranks[self.rows])).sum(axis=1)

    def ranking_of(self, name: str) -> pl.DataFrame:
        """Return one ranking as query, item and score, in the order of its ranks."""
        ranks = self.lists.ranks[:, self.names.index(name)]
        there = np.flatnonzero(~np.isnan(ranks))
        frame = self.lists.frame[there].with_columns(pl.Series("score", -ranks[there]))
        return frame.sort("query", "score", descending=[False, True], maintain_order=True)

    def rankings(self) -> dict[str, pl.DataFrame]:
        """Return the rankings by name, each as a frame."""
        return {name: self.ranking_of(name) for name in self.names}
