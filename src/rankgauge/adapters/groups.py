"""Means: the metrics of rows that stand together by query, as libraries of boosted trees hold them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from rankgauge.conventions import ConventionLike
from rankgauge.conventions.convention import check_convention
from rankgauge.errors import InputError
from rankgauge.evaluation.evaluate import evaluate
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.metric_list import parse_all


class Means:
    """Metrics under one convention, called with the rows of all queries at once.

    >>> means = Means(["RR", "P@1"], None)
    >>> [(name, value) for name, value, _ in means([0.9, 0.5, 0.1, 0.2], [0, 1, 0, 1], [2, 2])]
    [('RR', 0.75), ('P@1', 0.5)]
    """

    def __init__(self, metrics: str | Metric | Iterable[str | Metric], convention: ConventionLike) -> None:
        self.metrics = parse_all(metrics)
        self.several = not isinstance(metrics, str | Metric)
        """Whether a list was asked for, be it of one."""
        self.convention = check_convention(convention)

    def __call__(self, predictions: Any, labels: Any, sizes: Any) -> list[tuple[str, float, Metric]]:
        """The text, the mean and the metric itself, for each metric."""
        scores = np.asarray(predictions)
        if scores.ndim != 1:
            raise InputError(f"predictions have the shape {scores.shape}; a ranker gives one number for each row")
        found = evaluate(np.asarray(labels), scores, self.metrics, convention=self.convention, groups=sizes)
        return [(str(metric), found.mean(metric), metric) for metric in self.metrics]
