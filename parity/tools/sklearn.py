"""scikit-learn: its functions take rows of labels and scores; a row is a query."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from sklearn import metrics as sk
from worlds import World, each, labels, scores

FUNCTIONS: dict[str, Any] = {
    "average_precision_score": lambda y, s: sk.average_precision_score(y, s),
    "label_ranking_average_precision_score": lambda y, s: sk.label_ranking_average_precision_score([y], [s]),
    "roc_auc_score": lambda y, s: sk.roc_auc_score(y, s),
}
"""By the name of the function; ``ndcg_score(k=5, ignore_ties=True)`` and ``dcg_score`` are read from their text."""


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """A value for each query."""
    warnings.simplefilter("ignore")
    return {
        metric: each(worlds, lambda query, f=function(metric): f(labels(query), scores(query))) for metric in metrics
    }


def function(metric: str) -> Any:
    """The call behind the text of a metric."""
    if metric in FUNCTIONS:
        return FUNCTIONS[metric]
    name, _, rest = metric.rstrip(")").partition("(")
    options = dict(option.split("=") for option in rest.split(", ")) if rest else {}
    k = int(options["k"]) if "k" in options else None
    ignore = options.get("ignore_ties") == "True"
    return lambda y, s: getattr(sk, name)([y], [s], k=k, ignore_ties=ignore)
