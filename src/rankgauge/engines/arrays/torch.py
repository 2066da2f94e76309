"""``rg.torch``: evaluate tensors where they are, on the CPU or on a GPU."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rankgauge.conventions import ConventionLike
from rankgauge.engines.arrays import tensors
from rankgauge.engines.arrays.graph_replay import Repeated
from rankgauge.engines.arrays.libraries import Torch
from rankgauge.engines.arrays.tensors import JudgedItems
from rankgauge.evaluation.scores import Scores
from rankgauge.metric_core.metric import Metric

__all__ = ["JudgedItems", "Repeated", "evaluate"]


def evaluate(
    scores: Any,
    labels: Any,
    metrics: str | Metric | Iterable[str | Metric],
    *,
    query_ids: Any = None,
    convention: ConventionLike = None,
) -> Scores:
    """The values of every query of torch tensors; the scores stay on their device.

    One query a row, labels of the same shape (NaN: not judged), or ``JudgedItems(items, grades)`` where few items of a
    row are judged: then their ranks are counted in one pass over the scores. With ``query_ids`` both are flat. Scores
    of half and single precision are compared as they are, sums are made in double precision.
    """
    return tensors.evaluate(Torch(scores.device), scores, labels, metrics, query_ids=query_ids, convention=convention)
