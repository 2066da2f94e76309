"""scikit-learn: its functions take rows of labels and scores; a row is a query."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

from calls import call
from sklearn import metrics as sk

from worlds import World, each, labels, scores

ONE_LIST = ("average_precision_score", "roc_auc_score")
"""Functions that take a single list; the others take rows."""


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return a value for each query."""
    warnings.simplefilter("ignore")
    return {
        metric: each(worlds, lambda query, f=function(metric): f(labels(query), scores(query))) for metric in metrics
    }


def function(metric: str) -> Callable[[list[int], list[float]], float]:
    """Return the call of a notation."""
    name, _, options = call(metric)
    if name in ONE_LIST:
        return lambda y, s: getattr(sk, name)(y, s, **options)
    return lambda y, s: getattr(sk, name)([y], [s], **options)
