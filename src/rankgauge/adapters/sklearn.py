"""``rg.sklearn``: any metric as a scorer for ``cross_validate`` and ``GridSearchCV``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from rankgauge.conventions import Convention, ConventionLike
from rankgauge.conventions.convention import check_convention
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.evaluate import evaluate
from rankgauge.extras import extra
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import parse


def scorer(
    metric: str | Metric,
    *,
    convention: ConventionLike = None,
    query: str | int | None = None,
    response_method: str | list[str] = "predict",
) -> Any:
    """Create a scorer: the mean of a metric over queries, negated if lower is better.

    There are two ways to pass the query of each row. With metadata routing (``sklearn.set_config(
    enable_metadata_routing=True)``) pass ``params={"groups": query_ids}``, which ``GroupKFold`` also uses, so that no
    query is split. Without it, name the column of ``X`` that holds the query: ``query="qid"``, or its number.

    Parameters
    ----------
    metric
        One metric, as a value or as text.
    convention
        A Convention, or the name of a preset such as ``"sklearn"``.
    query
        The column of ``X`` with the queries; the model also receives it.
    response_method
        The method of the model that scores the rows: ``"predict"``, ``"decision_function"``, ``"predict_proba"``.
    """
    with extra("sklearn"):
        from sklearn import get_config  # noqa: PLC0415
        from sklearn.metrics import make_scorer  # noqa: PLC0415

    mean = _Mean(parse(metric), check_convention(convention))
    options = {"response_method": response_method, "greater_is_better": mean.metric.definition.higher_is_better}
    if query is not None:
        return _ByColumn(mean, query, options)
    if not get_config()["enable_metadata_routing"]:
        raise ParameterError(
            "a scorer needs to know which query each row belongs to: name a column of X, scorer(..., query='qid'), or "
            "call sklearn.set_config(enable_metadata_routing=True) first and pass params={'groups': query_ids}"
        )
    return make_scorer(mean, **options).set_score_request(groups=True)


@dataclass(eq=False)
class _Mean:
    """A named function of labels, predictions and queries that other processes can load."""

    metric: Metric
    convention: Convention

    def __post_init__(self) -> None:
        self.__name__ = str(self.metric)

    def __call__(self, y_true: Any, y_pred: Any, groups: Any = None) -> float:
        if groups is None:
            raise InputError(
                f"{self.metric}: the rows have no queries; pass params={{'groups': query_ids}} to cross_validate, "
                "or groups=query_ids to fit"
            )
        labels, scores, query_ids = (np.asanyarray(column) for column in (y_true, y_pred, groups))  # keep a mask
        return evaluate(labels, scores, self.metric, convention=self.convention, query_ids=query_ids).mean(self.metric)


@dataclass(eq=False, repr=False)
class _ByColumn:
    """A scorer that takes the queries from a column of X."""

    mean: _Mean
    query: str | int
    options: dict[str, Any]

    def __call__(self, estimator: Any, X: Any, y_true: Any) -> float:  # noqa: N803 (its usual name)
        from sklearn.metrics import make_scorer  # noqa: PLC0415

        by_place = X.iloc if hasattr(X, "iloc") else X
        groups = X[self.query] if isinstance(self.query, str) else by_place[:, self.query]
        return make_scorer(partial(self.mean, groups=groups), **self.options)(estimator, X, y_true)

    def __repr__(self) -> str:
        return f"scorer({str(self.mean.metric)!r}, query={self.query!r})"
