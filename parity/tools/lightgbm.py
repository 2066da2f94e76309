"""LightGBM: the evaluation of a model without trees whose initial scores are the scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import lightgbm
import numpy as np

from worlds import World, labels, scores


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return the value of each world for metrics such as ``ndcg@5`` and ``auc``."""
    names = sorted({metric.partition("@")[0] for metric in metrics})
    cuts = sorted({int(metric.partition("@")[2] or 1) for metric in metrics})
    found: dict[str, list[float | None]] = {metric: [] for metric in metrics}
    parameters = {"objective": "none", "metric": names, "eval_at": cuts, "verbose": -1, "num_threads": 1}
    for world in worlds:
        y = np.concatenate([labels(query) for query in world])
        data = lightgbm.Dataset(
            np.zeros((len(y), 1)),
            y,
            group=[len(query["ranking"]) for query in world],
            init_score=np.concatenate([scores(query) for query in world]),
            params=parameters,
        )
        for _, metric, value, _ in lightgbm.Booster(parameters, data).eval_train():
            if metric in found:
                undefined = metric == "auc" and len({*(y > 0)}) < 2  # 1 in LightGBM, NaN in rankgauge
                found[metric].append(None if undefined else value)
    return found
