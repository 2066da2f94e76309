"""``rg.lightgbm``: any metric in LightGBM's training loop, for early stopping and for the record.

LightGBM hands over its own predictions, labels and groups; nothing of it is imported here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rankgauge.adapters.groups import Means
from rankgauge.conventions import ConventionLike
from rankgauge.errors import InputError
from rankgauge.metric_core.metric import Metric

Evaluated = tuple[str, float, bool] | list[tuple[str, float, bool]]
"""Name, value and whether higher is better; a list of them where several metrics were asked for."""


def feval(
    metrics: str | Metric | Iterable[str | Metric], *, convention: ConventionLike = None
) -> Callable[[Any, Any], Evaluated]:
    """For ``lightgbm.train(..., feval=rg.lightgbm.feval(["nDCG@10", "AP"]))``.

    The mean over the groups of each validation set. Set ``"metric": "None"`` to leave LightGBM's own metrics out, and
    ``"first_metric_only": True`` to stop early by the first of several. Weights of rows and groups are not looked at.

    Parameters
    ----------
    metrics
        One or several metrics, as values or as text.
    convention
        The rules in force: a Convention, or the name of a preset. ``"lightgbm"`` gives the numbers of its own ndcg.
    """
    means = Means(metrics, convention)

    def evaluate(predictions: Any, data: Any) -> Evaluated:
        groups = data.get_group()
        if groups is None:
            raise InputError("the Dataset has no groups; say how many rows each query has: lightgbm.Dataset(group=...)")
        return _answer(means, predictions, data.get_label(), groups)

    return evaluate


def eval_metric(
    metrics: str | Metric | Iterable[str | Metric], *, convention: ConventionLike = None
) -> Callable[[Any, Any, Any, Any], Evaluated]:
    """For ``LGBMRanker.fit(..., eval_metric=rg.lightgbm.eval_metric("nDCG@10"))``; takes what ``feval`` takes."""
    means = Means(metrics, convention)

    def evaluate(labels: Any, predictions: Any, weight: Any, group: Any) -> Evaluated:  # noqa: ARG001 (its signature)
        if group is None:
            raise InputError("the validation data have no groups; say how many rows each query has: eval_group=...")
        return _answer(means, predictions, labels, group)

    return evaluate


def _answer(means: Means, predictions: Any, labels: Any, groups: Any) -> Evaluated:
    found = [
        (name, value, metric.definition.higher_is_better) for name, value, metric in means(predictions, labels, groups)
    ]
    return found if means.several else found[0]
