"""What a sample of whole queries needs below the depth of the lists: all that the judge judged, for some metrics."""

from __future__ import annotations

import polars as pl

from rankgauge.judging.labels import PAIR, with_like_pairs
from rankgauge.judging.query_values import RankedSystems
from rankgauge.metric_core.metric import Metric
from rankgauge.pooling.candidates import PoolCandidates


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
