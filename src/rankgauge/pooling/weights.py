"""What each unjudged item adds to each ranking, and so to a difference between rankings (minimal test collections)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl

from rankgauge.judging.labels import PAIR
from rankgauge.judging.query_values import RankedSystems
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
