"""``rg.xgboost``: any metric in XGBoost's training loop, for early stopping and for the log.

XGBoost passes in its predictions and matrices; nothing of it is imported here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgauge.adapters.group_means import GroupMeans
from rankgauge.conventions import ConventionLike
from rankgauge.errors import InputError, ParameterError
from rankgauge.metric_core.notation import MetricsLike

__all__ = ["CustomMetric", "custom_metric"]


class CustomMetric:
    """A function for ``xgboost.train``: the mean of each metric over the groups of a matrix."""

    def __init__(self, means: GroupMeans) -> None:
        self._means = means
        self.__name__ = "rankgauge"

    @property
    def maximize(self) -> bool:
        """Whether higher is better for the last metric, by which XGBoost stops early."""
        return self._means.metrics[-1].definition.higher_is_better

    def __call__(self, predictions: Any, data: Any) -> list[tuple[str, float]]:
        """Name and value of each metric."""
        if not hasattr(data, "get_uint_info"):
            raise ParameterError(
                "XGBRanker(eval_metric=...) calls a metric with one query at a time and weights queries by number "
                "of rows, which is not a mean over queries; train with xgboost.train(custom_metric=..., maximize=...)"
            )
        edges = data.get_uint_info("group_ptr")
        if not len(edges):
            raise InputError("the DMatrix has no groups; pass the query of each row: xgboost.DMatrix(qid=...)")
        values = self._means(data.get_label(), predictions, np.diff(edges), data.get_weight())
        return [(str(metric), value) for metric, value in values.items()]


def custom_metric(metrics: MetricsLike | None = None, *, convention: ConventionLike = None) -> CustomMetric:
    """Create the argument of ``xgboost.train(..., custom_metric=metric, maximize=metric.maximize)``.

    Set ``"disable_default_eval_metric": 1`` to disable XGBoost's own metric. XGBoost stops early by the last metric of
    the last matrix and needs ``maximize`` to know the direction. Weights of groups are ignored, with a
    warning if they differ.

    Parameters
    ----------
    metrics
        One or several metrics, as values or as text.
    convention
        A Convention, or the name of a preset; ``"xgboost-2"`` gives the numbers of its own ndcg.
    """
    return CustomMetric(GroupMeans(metrics, convention))
