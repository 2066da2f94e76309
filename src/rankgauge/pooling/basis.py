"""What a pool is chosen from: candidates, what they add to the metric, and what a judge says about their queries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import polars as pl

from rankgauge.conventions import Convention
from rankgauge.inputs.frames import with_like_ids
from rankgauge.inputs.read_options import ReadOptions
from rankgauge.judging.labels import PAIR
from rankgauge.judging.query_values import RankedSystems, ValuesByQuery
from rankgauge.matching.entrance import resolve_systems
from rankgauge.metric_core.metric import Metric
from rankgauge.pooling.candidates import PoolCandidates
from rankgauge.segments import Floats

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
