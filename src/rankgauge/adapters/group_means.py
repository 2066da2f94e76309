"""GroupMeans: means of metrics over groups of consecutive rows, the layout of boosted-tree libraries."""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgauge.conventions import ConventionLike
from rankgauge.conventions.convention import check_convention
from rankgauge.errors import InputError
from rankgauge.evaluation.evaluate import evaluate
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import MetricsLike, parse_all


class GroupMeans:
    """Metrics under one convention, called with the rows of all queries.

    >>> GroupMeans(["RR", "P@1"], None)([0, 1, 0, 1], [0.9, 0.5, 0.1, 0.2], [2, 2])
    {RR: 0.75, P@1: 0.5}
    """

    def __init__(self, metrics: MetricsLike | None, convention: ConventionLike) -> None:
        self.metrics = parse_all(metrics)
        self.convention = check_convention(convention)

    def __call__(self, judgments: Any, scores: Any, sizes: Any) -> dict[Metric, float]:
        """The mean of each metric; ``sizes`` are the numbers of rows of the queries."""
        scores = np.asanyarray(scores)  # keeps a mask
        if scores.ndim != 1:
            raise InputError(f"predictions have the shape {scores.shape}; a ranker gives one number per row")
        result = evaluate(np.asanyarray(judgments), scores, self.metrics, convention=self.convention, groups=sizes)
        return {metric: result.mean(metric) for metric in self.metrics}
