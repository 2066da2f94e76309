"""Expected values of metrics by a judge that gives a probability for each grade."""

from __future__ import annotations

import numpy as np
import polars as pl

from rankgauge.errors import ParameterError
from rankgauge.judging.estimates import ADDITIVE, check_additive
from rankgauge.judging.labels import PAIR, Labels
from rankgauge.judging.query_values import RankedSystems
from rankgauge.kernels.gain import CG
from rankgauge.kernels.user_models import ERR
from rankgauge.metric_core.metric import Metric
from rankgauge.rendering.language import Phrase

REFUSED = Phrase(
    "{metric}: the judge gave a probability for each grade. Expected values are computed for P, DCG, CG and NumRelRet, "
    "and for RR and AP as if items were independent; for other metrics, or another rule {rule}, give one grade for "
    "each item",
    "{metric}：评判模型给出了各等级的概率。期望值可对 P、DCG、CG、NumRelRet 计算，也可在物品相互独立的假定下对 RR 与 "
    "AP 计算；其他指标或规则 {rule} 的其他取值，请为每个物品给出一个等级",
)


def expected_values(metric: Metric, labels: Labels, systems: RankedSystems) -> dict[str, dict[object, float]]:
    """Return the expected value of each query, by system.

    Exact for metrics that add up over items. RR and AP take the grades of items to be independent, and AP divides by
    the expected number of relevant items.
    """
    rules = systems.rules
    if metric.name in ADDITIVE:
        check_additive(metric, rules)
        return _additive(metric, labels, systems)
    own = metric.effective_convention(rules)
    if metric.name == "RR" and own.rr_of == "relevant":
        chances = _expected(metric, labels, systems)
        first_hit = ERR(stop="grade") @ metric.k
        scores = systems.scores(chances, [first_hit], rules.replace(max_grade=1, negative="keep"))
        return {system: scores.per_query(first_hit, system) for system in systems.systems}
    rule_of_ap = own.ap_over == "R" and own.ap_at == "relevant" and own.ties != "mean"
    if metric.name == "AP" and rule_of_ap:
        return _average_precision(metric, _expected(metric, labels, systems), systems)
    rule = {"AP": "ap_over", "RR": "rr_of"}.get(metric.name, "gain")
    raise ParameterError(REFUSED.fill(metric=metric, rule=rule))


def _expected(metric: Metric, labels: Labels, systems: RankedSystems, *, gain: bool = False) -> pl.DataFrame:
    """Return the expected gain of each item, or its probability of being relevant, as a grade."""
    rel = metric.parameters.get("rel")
    if gain:
        given = metric.parameters.get("gain")
        unit: Metric = CG if given is None else CG(gain=given)
    else:
        from rankgauge.kernels.counts import NumRelRet  # noqa: PLC0415

        unit = NumRelRet if rel is None else NumRelRet(rel=rel)
    rated = labels.frame.filter(pl.col("grade").is_not_null())
    worth = {grade: unit.of([grade], convention=systems.rules) for grade in rated["grade"].unique().to_list()}
    value = pl.col("grade").replace_strict(worth, return_dtype=pl.Float64) * pl.col("probability")
    return rated.group_by(PAIR, maintain_order=True).agg(value.sum().alias("grade"))


def _additive(metric: Metric, labels: Labels, systems: RankedSystems) -> dict[str, dict[object, float]]:
    """Return the value of the expected gains, which is the expected value."""
    of_gain = metric.name in {"CG", "DCG"}
    chances = _expected(metric, labels, systems, gain=of_gain)
    total = (
        metric(gain="linear") if of_gain else CG(gain="linear") if metric.k is None else CG(gain="linear") @ metric.k
    )
    rules = systems.rules.replace(negative="keep", fractions="keep")
    scores = systems.scores(chances, [total], rules)
    values = {system: scores.per_query(total, system) for system in systems.systems}
    if metric.name != "P":
        return values
    ones = chances.with_columns(pl.lit(1.0).alias("grade"))
    share = metric(rel=1)
    sums = systems.scores(ones, [total, share], rules)
    for system, own in values.items():  # the denominator does not depend on the grades
        counts, shares = sums.per_query(total, system), sums.per_query(share, system)
        values[system] = {
            query: value * shares[query] / counts[query] if counts[query] else 0.0 for query, value in own.items()
        }
    return values


def _average_precision(metric: Metric, chances: pl.DataFrame, systems: RankedSystems) -> dict[str, dict[object, float]]:
    relevant = dict(chances.group_by("query", maintain_order=True).agg(pl.col("grade").sum()).iter_rows())
    values = {}
    for system in systems.systems:
        ranked = systems.ranks(chances, system, metric.k).join(chances, on=PAIR, how="inner").sort("query", "rank")
        above = pl.col("grade").cum_sum().over("query") - pl.col("grade")
        terms = ranked.select("query", (pl.col("grade") / pl.col("rank") * (1 + above)).alias("term"))
        sums = dict(terms.group_by("query").agg(pl.col("term").sum()).iter_rows())
        values[system] = {query: sums.get(query, 0.0) / count if count else np.nan for query, count in relevant.items()}
    return values
