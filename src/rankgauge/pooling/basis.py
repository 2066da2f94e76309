"""What a pool is chosen from: candidates, what they add to the metric, and what a judge says about their queries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import polars as pl

from rankgauge.analysis.full_ranking import rows_by_score
from rankgauge.conventions import Convention
from rankgauge.fusion.aligned_lists import AlignedLists
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.frames import with_like_ids
from rankgauge.inputs.read_options import ReadOptions
from rankgauge.judging.labels import PAIR
from rankgauge.judging.query_values import RankedSystems, ValuesByQuery
from rankgauge.matching.entrance import resolve_systems
from rankgauge.matching.ranking import Ranking
from rankgauge.metric_core.metric import Metric
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


NEAR = 1e-12


class ItemWeights(NamedTuple):
    """What candidates add to the value of their query if they alone get the highest grade."""

    contributions: Floats
    """PoolCandidates x rankings."""

    @property
    def differences(self) -> Floats:
        """How far a candidate can move two rankings apart: the largest contribution minus the smallest."""
        apart: Floats = self.contributions.max(axis=1) - self.contributions.min(axis=1)
        return np.where(apart > NEAR, apart, 0.0)

    @property
    def largest(self) -> Floats:
        """The largest contribution to any ranking, in absolute value."""
        return np.abs(self.contributions).max(axis=1)


def item_weights(candidates: PoolCandidates, systems: RankedSystems, metric: Metric, grade: float) -> ItemWeights:
    """Return what each candidate adds to its query under each ranking if it alone gets the highest grade.

    Items that are judged already keep their grades, and every other candidate gets grade 0.
    """
    pairs = candidates.pairs.with_columns(pl.lit(0.0).alias("grade"))
    own = candidates.judged.select(*PAIR, pl.col("grade").cast(pl.Float64))
    own = own.join(pairs.select("query").unique(), on="query", how="semi")
    contributions = np.zeros((pairs.height, len(systems.systems)))
    if not pairs.height:
        return ItemWeights(contributions)
    before = systems.values(pl.concat([own, pairs]), metric)
    turn = pairs.select(pl.int_range(pl.len()).over("query")).to_series().to_numpy()
    for number in range(int(turn.max()) + 1):  # one candidate of each query at a time
        rows = np.flatnonzero(turn == number)
        queries = pairs["query"].gather(rows)
        grades = np.where(turn == number, float(grade), 0.0)
        raised = pl.concat([own, pairs.with_columns(pl.Series("grade", grades))])
        after = systems.values(raised.join(queries.to_frame(), on="query", how="semi"), metric)
        for column, name in enumerate(systems.systems):
            values = [after[name][query] - before[name][query] for query in queries.to_list()]
            contributions[rows, column] = values
    return ItemWeights(np.nan_to_num(contributions))


@dataclass(frozen=True, eq=False)
class PoolBasis:
    """What is known before anybody judges."""

    candidates: PoolCandidates
    systems: RankedSystems
    metric: Metric
    grade: float
    """Highest grade of the scale."""
    weights: ItemWeights | None
    values: ValuesByQuery | None
    """Values by the judge, if there is one."""
    below: pl.DataFrame
    """Pairs below the depth that the judge judged and on which the metric depends."""

    @property
    def size(self) -> int:
        """Number of pairs that could be chosen."""
        return len(self.candidates.rows) + self.below.height

    @property
    def mean_size(self) -> float:
        """Mean number of pairs of a query that has any."""
        return self.size / max(self.candidates.pairs["query"].n_unique(), 1)


def systems_of(candidates: PoolCandidates, rules: Convention) -> RankedSystems:
    """Return the rankings of the candidates as systems that can be evaluated."""
    rankings = resolve_systems("pool", candidates.rankings(), ReadOptions())
    return RankedSystems(rankings, rules, None, None, ReadOptions())


def pairs_below(
    candidates: PoolCandidates, model: pl.DataFrame, systems: RankedSystems, metric: Metric, grade: float
) -> pl.DataFrame:
    """Return the pairs of the model that are no candidates and not judged, if they can change a value of the metric.

    Where people label the top k only, their ideal ranking and their number of relevant items come from fewer items
    than those of the judge, and the correction is about the top k.
    """
    pairs, model = with_like_ids(candidates.pairs, model)
    seen = pl.concat([pairs, candidates.judged.select(PAIR).cast(pairs.schema)])
    known = model.join(seen, on=PAIR, how="semi")
    others = model.join(seen, on=PAIR, how="anti").join(pairs, on="query", how="semi")
    highest = float(str(model["grade"].max() or 0))
    changed = systems.queries_changed(known, others, [metric], (0.0, max(grade, highest)))
    found = others.select(PAIR) if changed[metric] else others.select(PAIR).clear()
    return found.cast(candidates.pairs.schema, strict=False).drop_nulls()
