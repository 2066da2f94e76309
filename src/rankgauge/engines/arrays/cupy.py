"""``rg.cupy``: evaluate CuPy arrays on their GPU."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rankgauge.conventions import ConventionLike
from rankgauge.engines.arrays import tensors
from rankgauge.engines.arrays.libraries import CuPy
from rankgauge.evaluation.scores import Scores
from rankgauge.metric_core.metric import Metric


def evaluate(
    scores: Any,
    labels: Any,
    metrics: str | Metric | Iterable[str | Metric],
    *,
    query_ids: Any = None,
    convention: ConventionLike = None,
) -> Scores:
    """The values of every query of CuPy arrays: one query a row, or flat with ``query_ids``; NaN labels: not judged."""
    with scores.device:  # arrays that are made on the way belong where the scores are
        return tensors.evaluate(
            CuPy(scores.device), scores, labels, metrics, query_ids=query_ids, convention=convention
        )
