"""``rg.torch``: evaluate tensors where they are, on the CPU or on a GPU."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rankgauge.conventions import Convention
from rankgauge.engines import tensors
from rankgauge.engines.libraries import Torch
from rankgauge.engines.repeated import Repeated
from rankgauge.engines.tensors import JudgedItems
from rankgauge.metrics.metric import Metric
from rankgauge.results.scores import Scores

__all__ = ["JudgedItems", "Repeated", "evaluate"]


def evaluate(
    scores: Any,
    labels: Any,
    metrics: str | Metric | Iterable[str | Metric],
    *,
    query_ids: Any = None,
    convention: Convention | str | None = None,
) -> Scores:
    """The values of every query of torch tensors; the scores stay on their device.

    One query a row, labels of the same shape (NaN: not judged), or ``JudgedItems(items, grades)`` where few items of a
    row are judged: then their ranks are counted in one pass over the scores. With ``query_ids`` both are flat. Scores
    of half and single precision are compared as they are, sums are made in double precision.
    """
    return tensors.evaluate(Torch(scores.device), scores, labels, metrics, query_ids=query_ids, convention=convention)
