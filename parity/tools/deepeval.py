"""deepeval: contextual metrics of verdicts, which are the grades in order; the part without a language model."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

from deepeval.metrics import ContextualPrecisionMetric, ContextualRecallMetric, ContextualRelevancyMetric
from deepeval.metrics.contextual_precision import contextual_precision

from worlds import World, each, ordered

METRICS = {
    "Contextual Precision": ContextualPrecisionMetric,
    "Contextual Recall": ContextualRecallMetric,
    "Contextual Relevancy": ContextualRelevancyMetric,
}
VERDICT = contextual_precision.Verdict


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return a value for each query for metrics such as ``Contextual Precision``."""

    def value(query: dict[str, Any], kind: Any) -> float:
        grades = [query["judged"].get(item, 0) for item in ordered(query)]
        verdicts = [SimpleNamespace(verdict=VERDICT.YES if grade > 0 else VERDICT.NO) for grade in grades]
        metric = kind.__new__(kind)  # without a model
        metric.strict_mode, metric.threshold, metric.verdicts = False, 0.5, verdicts
        metric.verdicts_list = [SimpleNamespace(verdicts=verdicts)]
        return float(metric._calculate_score())  # noqa: SLF001

    return {metric: each(worlds, lambda query, kind=METRICS[metric]: value(query, kind)) for metric in metrics}
