"""``rg.xgboost``: any metric in XGBoost's training loop, for early stopping and for the record.

XGBoost hands over its own predictions and matrices; nothing of it is imported here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from rankgauge.adapters.groups import Means
from rankgauge.conventions import ConventionLike
from rankgauge.errors import InputError, ParameterError
from rankgauge.metric_core.metric import Metric


class CustomMetric:
    """What ``xgboost.train`` calls after each round: the mean of each metric over the groups of a matrix."""

    def __init__(self, means: Means) -> None:
        self._means = means
        self.__name__ = "rankgauge"

    @property
    def maximize(self) -> bool:
        """Whether higher is better for the last metric, by which XGBoost stops early."""
        return self._means.metrics[-1].definition.higher_is_better

    def __call__(self, predictions: Any, data: Any) -> tuple[str, float] | list[tuple[str, float]]:
        """The name and the value; a list of them where several metrics were asked for."""
        if not hasattr(data, "get_uint_info"):
            raise ParameterError(
                "XGBRanker(eval_metric=...) calls a metric with one query at a time and weighs queries by their number "
                "of rows, which is no mean over queries; train with xgboost.train(custom_metric=..., maximize=...)"
            )
        edges = data.get_uint_info("group_ptr")
        if not len(edges):
            raise InputError("the DMatrix has no groups; say which query each row belongs to: xgboost.DMatrix(qid=...)")
        found = [(name, value) for name, value, _ in self._means(predictions, data.get_label(), np.diff(edges))]
        return found if self._means.several else found[0]


def custom_metric(metrics: str | Metric | Iterable[str | Metric], *, convention: ConventionLike = None) -> CustomMetric:
    """For ``xgboost.train(..., custom_metric=metric, maximize=metric.maximize)``.

    Set ``"disable_default_eval_metric": 1`` to leave XGBoost's own metric out. It stops early by the last metric of
    the last matrix, and must be told that higher is better. Weights of groups are not looked at.

    Parameters
    ----------
    metrics
        One or several metrics, as values or as text.
    convention
        The rules in force: a Convention, or the name of a preset. ``"xgboost-2"`` gives the numbers of its own ndcg.
    """
    return CustomMetric(Means(metrics, convention))
