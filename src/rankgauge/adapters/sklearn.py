"""``rg.sklearn``: metrics as scorers for ``cross_validate`` and ``GridSearchCV``, and the scores of scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from rankgauge.conventions import Convention, ConventionLike
from rankgauge.conventions.convention import check_convention
from rankgauge.conventions.presets import preset
from rankgauge.conventions.rule import number_or
from rankgauge.errors import InputError, ParameterError, extra, shown
from rankgauge.evaluation.evaluate import evaluate
from rankgauge.kernels.average import AP
from rankgauge.kernels.gain import DCG, nDCG
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import MetricLike, metric_or_default
from rankgauge.rendering.language import plural

__all__ = ["dcg_score", "label_ranking_average_precision_score", "ndcg_score", "scorer"]


def scorer(
    metric: MetricLike | None = None,
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
        One metric, as a value or as text; None for nDCG@10.
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

    mean = _Mean(metric_or_default(metric), check_convention(convention))
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


def ndcg_score(
    y_true: object, y_score: object, *, k: int | None = None, sample_weight: object = None, ignore_ties: bool = False
) -> float:
    """Return the mean nDCG of the rows, as ``sklearn.metrics.ndcg_score`` does; ties are averaged unless ignored.

    Parameters
    ----------
    y_true, y_score
        Grades and scores, one row for each query.
    k
        The cutoff; None for all items.
    sample_weight
        The weight of each query; None if all count the same.
    ignore_ties
        Whether equal scores are ordered instead of averaged.

    Examples
    --------
    >>> ndcg_score([[10, 0, 0, 1, 5]], [[0.1, 0.2, 0.3, 4, 70]]).__round__(6)
    0.695694
    """
    return _mean(nDCG @ k, y_true, y_score, sample_weight, _rules(ignore_ties), "ndcg_score")


def dcg_score(
    y_true: object,
    y_score: object,
    *,
    k: int | None = None,
    log_base: float = 2,
    sample_weight: object = None,
    ignore_ties: bool = False,
) -> float:
    """Return the mean DCG of the rows, as ``sklearn.metrics.dcg_score`` does.

    Parameters
    ----------
    y_true, y_score
        Grades and scores, one row for each query.
    k
        The cutoff; None for all items.
    log_base
        Base of the logarithm of the discount.
    sample_weight
        The weight of each query; None if all count the same.
    ignore_ties
        Whether equal scores are ordered instead of averaged.

    Examples
    --------
    >>> dcg_score([[10, 0, 0, 1, 5]], [[0.1, 0.2, 0.3, 4, 70]]).__round__(6)
    9.499458
    """
    base = np.log(float(number_or()("log_base", log_base)))
    if not base > 0:
        raise ParameterError.of("log_base", log_base, "a number above 1", "dcg_score")
    metric = DCG if log_base == 2 else DCG(discount=lambda rank: base / np.log(rank + 1))  # noqa: PLR2004 (bits)
    return _mean(metric @ k, y_true, y_score, sample_weight, _rules(ignore_ties).replace(negative="keep"), "dcg_score")


def label_ranking_average_precision_score(y_true: Any, y_score: Any, *, sample_weight: Any = None) -> float:
    """Return the mean AP of the rows, as the function of scikit-learn does: tied labels share the lowest rank.

    A row without relevant labels has the value 1.

    Parameters
    ----------
    y_true, y_score
        Grades and scores, one row for each query.
    sample_weight
        The weight of each query; None if all count the same.

    Examples
    --------
    >>> label_ranking_average_precision_score([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1], [1, 0.2, 0.1]]).__round__(6)
    0.416667
    """
    labels = y_true.toarray() if hasattr(y_true, "tocsr") else np.asarray(y_true)
    wrong = labels[(labels != 0) & (labels != 1)]
    if wrong.size:
        raise InputError(f"label_ranking_average_precision_score: a label is 0 or 1, not {shown(wrong[0].item())}")
    rules = preset("sklearn-average-precision").replace(undefined=1)
    return _mean(AP, labels, y_score, sample_weight, rules, "label_ranking_average_precision_score", fewest=1)


def _rules(ignore_ties: bool) -> Convention:
    return preset("sklearn-ignore-ties" if ignore_ties else "sklearn")


def _mean(
    metric: Metric,
    y_true: object,
    y_score: object,
    sample_weight: object,
    rules: Convention,
    name: str,
    fewest: int = 2,
) -> float:
    """Return the weighted mean of the values of rows of labels and scores."""
    labels, scores = (np.asarray(array) for array in (y_true, y_score))
    if labels.ndim != 2 or labels.shape != scores.shape:  # noqa: PLR2004 (rows and columns)
        raise InputError(
            f"{name}: y_true and y_score must be of one shape, rows x labels, not {labels.shape} and {scores.shape}"
        )
    if labels.shape[1] < fewest:
        raise InputError(
            f"{name}: a row has {plural(labels.shape[1], '# label', '# labels')}; a ranking needs at least {fewest}"
        )
    for argument, array in (("y_true", labels), ("y_score", scores)):
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise InputError(f"{name}: {argument} contains NaN or infinity")
    if rules.negative == "error" and labels.size and labels.min() < 0:
        lowest = shown(labels.min().item())
        raise InputError(f"{name}: y_true contains {lowest}; nDCG needs labels of at least 0, dcg_score takes others")
    values = evaluate(labels, scores, metric, convention=rules).values(metric)
    if sample_weight is None:
        return float(np.mean(values))
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.shape != values.shape:
        raise InputError(f"{name}: sample_weight must have one weight for each row, {len(values)} in all")
    if weights.sum() == 0:
        raise InputError(f"{name}: the weights add up to 0")
    return float(np.average(values, weights=weights))
