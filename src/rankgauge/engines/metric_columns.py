"""The metrics that engines compute, those of grades and ranks, and the columns of numbers they give for each query."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rankgauge.conventions import DEFAULT, Convention, ConventionLike
from rankgauge.conventions.convention import check_convention, rules_at
from rankgauge.conventions.rule import Stage
from rankgauge.errors import ParameterError
from rankgauge.evaluation.data_totals import DataTotals
from rankgauge.evaluation.provenance import ScoresOrigin
from rankgauge.evaluation.scores import Scores
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.read_options import ReadOptions
from rankgauge.matching.matched import Matched
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.metric_plan import common_depth, metric_plan
from rankgauge.metric_core.metric_rules import JudgedQueries, no_lengths
from rankgauge.metric_core.notation import MetricsLike, parse_all
from rankgauge.metric_core.requirements import NEEDS
from rankgauge.metric_core.summary import query_weights, weighted_value
from rankgauge.metric_core.sums import Sum
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Array, Ints

IDS = Phrase("the ids of the returned items", "所返回物品的标识")
ITEM_RULE = Phrase(
    "{rule} changes what an item is before it is matched, which engines do not do: roll up or match in the table "
    "(SELECT query, document AS item, score), or use rg.evaluate",
    "{rule} 在匹配之前改变物品，引擎不这样做：请在表中归并或匹配"
    "（SELECT query, document AS item, score），或使用 rg.evaluate",
)


def parse_supported(
    metrics: MetricsLike | None, convention: ConventionLike
) -> tuple[list[Metric], Convention, int | None]:
    """The metrics, the convention and the depth they need; refuse metrics that need more than grades and ranks."""
    rules, parsed = check_convention(convention), parse_all(metrics)
    check_item_rules(rules)
    for metric in parsed:
        if metric.budget is not None:
            raise no_lengths(metric, metric.budget)
        if metric.definition.of_items:
            needs = [NEEDS[name] for name in metric.definition.needs or ()]
            option = ", side_information=rg.SideInformation(...)" if any(need.tables for need in needs) else ""
            what = Phrase(", and ", "，以及").join([need.what for need in needs] or [IDS])
            raise ParameterError(
                Phrase(
                    f"{metric} needs more than grades and ranks: it needs {what.en}, which engines do not read; use "
                    f"rg.evaluate(...{option}) for it",
                    f"{metric} 除等级和名次外还需要{what.zh}，而引擎不读取这些；请用 rg.evaluate(...{option}) 计算",
                )
            )
    return parsed, rules, common_depth(parsed, rules)


def check_item_rules(rules: Convention) -> None:
    """Refuse rules about what an item is, which act before anything is matched."""
    for rule in rules_at(Stage.READING):
        if (value := getattr(rules, rule)) != getattr(DEFAULT, rule):
            raise ParameterError(ITEM_RULE.fill(rule=f"{rule}={value!r}"))


def weighted_metrics(metrics: Sequence[Metric], rules: Convention) -> list[Metric]:
    """The metrics whose mean weights queries; each has a column of weights after the columns of values."""
    return [metric for metric in metrics if metric.definition.summary.under(rules).weighs_queries]


def column_count(metrics: Sequence[Metric], rules: Convention) -> int:
    """Number of columns that ``compute_columns`` gives."""
    return len(metrics) + len(weighted_metrics(metrics, rules))


def compute_columns(
    matched: Matched, metrics: Sequence[Metric], rules: Convention, on_sum: Callable[[Metric, Sum], None] | None = None
) -> list[Any]:
    """Values of each metric, then weights for ``weighted_metrics``, on the device of the matched arrays."""
    judged, values, weights = JudgedQueries(matched, rules), [], []
    for metric in metrics:
        sums = metric.compute(judged.of(metric), rules)
        values.append(metric.values_of(sums, rules))
        if on_sum is not None:
            on_sum(metric, sums)
        if metric.definition.summary.under(rules).weighs_queries:
            weights.append(query_weights(metric, sums))
    return [*values, *weights]


def to_scores(
    queries: Sequence[Any],
    columns: Sequence[Array],
    metrics: Sequence[Metric],
    rules: Convention,
    findings: Findings,
    missing: Sequence[int] | Ints = (),
    judged: str | None = None,
    totals: DataTotals | None = None,
) -> Scores:
    """Scores from the columns of all queries.

    ``missing`` are the places of queries without results, ``judged`` is the fingerprint of the judgments. What follows
    from the ``totals`` is added to the findings.
    """
    if totals is not None:
        findings.merge(totals.findings(metric_plan(tuple(metrics), rules)))
    values = dict(zip(metrics, columns, strict=False))
    weights = zip(weighted_metrics(metrics, rules), columns[len(metrics) :], strict=True)
    corpus = {metric: weighted_value(metric, values[metric], weight, rules) for metric, weight in weights}
    answers, origin = {"": (values, np.array(missing, dtype=np.int64))}, ScoresOrigin(ReadOptions(), judged=judged)
    return Scores(queries, answers, rules, findings, corpus_values={"": corpus}, origin=origin, totals=totals)
