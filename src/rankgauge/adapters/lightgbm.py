"""``rg.lightgbm``: any metric in LightGBM's training loop, for early stopping and for the log.

LightGBM passes in its predictions, labels and groups; nothing of it is imported here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rankgauge.adapters.group_means import GroupMeans
from rankgauge.conventions import ConventionLike
from rankgauge.errors import InputError, ParameterError
from rankgauge.metric_core.notation import MetricsLike
from rankgauge.rendering.language import Phrase

__all__ = ["eval_metric", "feval"]

FOR_TRAIN = Phrase(
    "feval is for lightgbm.train(..., feval=...); pass rg.lightgbm.eval_metric(...) to LGBMRanker.fit",
    "feval 用于 lightgbm.train(..., feval=...)；LGBMRanker.fit 请用 rg.lightgbm.eval_metric(...)",
)
FOR_FIT = Phrase(
    "eval_metric is for LGBMRanker.fit(..., eval_metric=...); pass rg.lightgbm.feval(...) to lightgbm.train",
    "eval_metric 用于 LGBMRanker.fit(..., eval_metric=...)；lightgbm.train 请用 rg.lightgbm.feval(...)",
)
Results = list[tuple[str, float, bool]]
"""Name, value and whether higher is better, for each metric."""


def feval(metrics: MetricsLike | None = None, *, convention: ConventionLike = None) -> Callable[[Any, Any], Results]:
    """Create the argument of ``lightgbm.train(..., feval=rg.lightgbm.feval(["nDCG@10", "AP"]))``.

    The values are means over the groups of each validation set. Set ``"metric": "None"`` to disable LightGBM's own
    metrics, and ``"first_metric_only": True`` to stop early by the first of several. Weights are ignored,
    with a warning if they differ.

    Parameters
    ----------
    metrics
        One or several metrics, as values or as text.
    convention
        A Convention, or the name of a preset; ``"lightgbm"`` gives the numbers of its own ndcg.
    """
    means = GroupMeans(metrics, convention)

    def evaluate(predictions: Any, data: Any) -> Results:
        if not hasattr(data, "get_group"):  # LGBMRanker passes labels and predictions
            raise ParameterError(FOR_TRAIN)
        groups = data.get_group()
        if groups is None:
            raise InputError("the Dataset has no groups; pass the rows per query: lightgbm.Dataset(group=...)")
        return _results(means, data.get_label(), predictions, groups, data.get_weight())

    return evaluate


def eval_metric(
    metrics: MetricsLike | None = None, *, convention: ConventionLike = None
) -> Callable[[Any, Any, Any, Any], Results]:
    """Create the argument of ``LGBMRanker.fit(..., eval_metric=rg.lightgbm.eval_metric("nDCG@10"))``; as ``feval``.

    Parameters
    ----------
    metrics
        One or several metrics, as values or as text.
    convention
        The rules: a Convention, or the name of a preset such as ``lightgbm``; None for the default.
    """
    means = GroupMeans(metrics, convention)

    def evaluate(labels: Any, predictions: Any, weight: Any = None, group: Any = None) -> Results:
        if hasattr(predictions, "get_group"):  # lightgbm.train passes predictions and a Dataset
            raise ParameterError(FOR_FIT)
        if group is None:
            raise InputError("the validation data have no groups; pass the number of rows per query: eval_group=...")
        return _results(means, labels, predictions, group, weight)

    return evaluate


def _results(means: GroupMeans, labels: object, predictions: object, groups: object, weights: object) -> Results:
    values = means(labels, predictions, groups, weights)
    return [(str(metric), value, metric.definition.higher_is_better) for metric, value in values.items()]
