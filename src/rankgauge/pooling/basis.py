"""What a pool is chosen from: candidates, what they add to the metric, and what a judge says about their queries."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from rankgauge.conventions import Convention
from rankgauge.inputs.read_options import ReadOptions
from rankgauge.judging.labels import PAIR, with_like_pairs
from rankgauge.judging.query_values import RankedSystems, ValuesByQuery
from rankgauge.matching.entrance import resolve_systems
from rankgauge.metric_core.metric import Metric
from rankgauge.pooling.candidates import PoolCandidates
from rankgauge.pooling.weights import ItemWeights


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
    pairs, model = with_like_pairs(candidates.pairs, model)
    seen = pl.concat([pairs, candidates.judged.select(PAIR).cast(pairs.schema)])
    known = model.join(seen, on=PAIR, how="semi")
    others = model.join(seen, on=PAIR, how="anti").join(pairs, on="query", how="semi")
    highest = float(str(model["grade"].max() or 0))
    changed = systems.queries_changed(known, others, [metric], (0.0, max(grade, highest)))
    found = others.select(PAIR) if changed[metric] else others.select(PAIR).clear()
    return found.cast(candidates.pairs.schema, strict=False).drop_nulls()
