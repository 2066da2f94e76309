"""What each unjudged item adds to each ranking, and so to a difference between rankings (minimal test collections)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import polars as pl

from rankgauge.conventions import Convention
from rankgauge.evaluation.evaluator import Evaluator
from rankgauge.judging.labels import PAIR
from rankgauge.metric_core.metric import Metric
from rankgauge.pooling.candidates import PoolCandidates
from rankgauge.segments import Floats

NEAR = 1e-12


ValuesByQuery: TypeAlias = Mapping[str, Mapping[Any, float]]
"""Values of a metric by ranking and query."""


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


def item_weights(candidates: PoolCandidates, metric: Metric, rules: Convention, grade: float) -> ItemWeights:
    """Return what each candidate adds to its query under each ranking if it alone gets the highest grade.

    Items that are judged already keep their grades, and every other candidate gets grade 0.
    """
    rankings = candidates.rankings()
    pairs = candidates.pairs.with_columns(pl.lit(0.0).alias("grade"))
    own = candidates.judged.select(*PAIR, pl.col("grade").cast(pl.Float64))
    own = own.join(pairs.select("query").unique(), on="query", how="semi")
    contributions = np.zeros((pairs.height, len(rankings)))
    if not pairs.height:
        return ItemWeights(contributions)
    before = _values(pl.concat([own, pairs]), metric, rules, rankings)
    turn = pairs.select(pl.int_range(pl.len()).over("query")).to_series().to_numpy()
    for number in range(int(turn.max()) + 1):  # one candidate of each query at a time
        rows = np.flatnonzero(turn == number)
        queries = pairs["query"].gather(rows)
        grades = np.where(turn == number, float(grade), 0.0)
        raised = pl.concat([own, pairs.with_columns(pl.Series("grade", grades))])
        raised = raised.join(queries.to_frame(), on="query", how="semi")
        after = _values(raised, metric, rules, rankings)
        for column, name in enumerate(rankings):
            values = [after[name][query] - before[name][query] for query in queries.to_list()]
            contributions[rows, column] = values
    return ItemWeights(np.nan_to_num(contributions))


def _values(
    judgments: pl.DataFrame, metric: Metric, rules: Convention, rankings: dict[str, pl.DataFrame]
) -> ValuesByQuery:
    """Return the value of each query under each ranking."""
    evaluator = Evaluator(judgments, [metric], convention=rules)
    for name, ranking in rankings.items():
        evaluator.add(ranking, name)
    scores = evaluator.scores()
    return {name: scores.per_query(metric, name) for name in rankings}
