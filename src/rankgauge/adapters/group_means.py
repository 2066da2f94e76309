"""GroupMeans: means of metrics over groups of consecutive rows, the layout of boosted-tree libraries."""

from __future__ import annotations

from typing import Any
from warnings import warn

import numpy as np

from rankgauge.conventions import ConventionLike
from rankgauge.conventions.convention import check_convention
from rankgauge.errors import DataWarning, InputError
from rankgauge.evaluation.evaluate import evaluate
from rankgauge.inputs.findings import callers_level
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import MetricsLike, parse_all
from rankgauge.rendering.language import Phrase

IGNORED = Phrase(
    "the data have weights, which the library's own metrics use and rankgauge ignores: its values are means over "
    "queries; for a weighted mean pass the predictions to rg.evaluate(..., weights=..., "
    "convention=rg.Convention(averaging='weighted'))",
    "数据带有权重，该库自己的指标会使用，而 rankgauge 不使用：所给的值是各查询的均值；需要加权均值时，请将预测传给 "
    "rg.evaluate(..., weights=..., convention=rg.Convention(averaging='weighted'))",
)


class GroupMeans:
    """Metrics under one convention, called with the rows of all queries.

    >>> GroupMeans(["RR", "P@1"], None)([0, 1, 0, 1], [0.9, 0.5, 0.1, 0.2], [2, 2])
    {RR: 0.75, P@1: 0.5}
    """

    def __init__(self, metrics: MetricsLike | None, convention: ConventionLike) -> None:
        self.metrics = parse_all(metrics)
        self.convention = check_convention(convention)
        self._has_warned = False

    def __call__(self, judgments: Any, scores: Any, sizes: Any, weights: Any = None) -> dict[Metric, float]:
        """The mean of each metric; ``sizes`` are the numbers of rows of the queries.

        Weights have no effect; the first that differ are warned about.
        """
        if not self._has_warned and weights is not None and len({*np.asarray(weights).tolist()}) > 1:
            self._has_warned = True
            warn(DataWarning(IGNORED.en), stacklevel=callers_level())
        scores = np.asanyarray(scores)  # keeps a mask
        if scores.ndim != 1:
            raise InputError(f"predictions have the shape {scores.shape}; a ranker gives one number per row")
        result = evaluate(np.asanyarray(judgments), scores, self.metrics, convention=self.convention, groups=sizes)
        return {metric: result.mean(metric) for metric in self.metrics}
