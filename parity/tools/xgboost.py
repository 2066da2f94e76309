"""XGBoost: the evaluation of a model without trees whose base margin is the scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import xgboost

from worlds import World, labels, scores


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return the mean of each world; ``, linear`` after a metric means ``ndcg_exp_gain=False``."""
    found: dict[str, list[float]] = {metric: [] for metric in metrics}
    for linear in (False, True):
        asked = {metric.partition(",")[0]: metric for metric in metrics if metric.endswith(", linear") == linear}
        if not asked:
            continue
        parameters = {
            "objective": "rank:pairwise",
            "eval_metric": list(asked),
            "nthread": 1,
            "verbosity": 0,
            **({"ndcg_exp_gain": False} if linear else {}),
        }
        for world in worlds:
            y = np.concatenate([labels(query) for query in world])
            data = xgboost.DMatrix(np.zeros((len(y), 1)), y)
            data.set_group([len(query["ranking"]) for query in world])
            data.set_base_margin(np.concatenate([scores(query) for query in world]))
            line = xgboost.Booster(parameters, [data]).eval_set([(data, "it")], 0)
            for field in line.split("\t")[1:]:
                name, _, value = field.rpartition(":")
                found[asked[name.removeprefix("it-")]].append(float(value))
    return found
