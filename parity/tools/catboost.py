"""CatBoost: ``eval_metric`` takes labels, scores and the query of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from catboost.utils import eval_metric

from worlds import World, labels, scores


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return the mean of each world for metrics such as ``NDCG:top=5;type=Exp``."""
    found: dict[str, list[float]] = {metric: [] for metric in metrics}
    for world in worlds:
        y = [label for query in world for label in labels(query)]
        s = [score for query in world for score in scores(query)]
        group = [number for number, query in enumerate(world) for _ in query["ranking"]]
        for metric in metrics:
            found[metric].append(eval_metric(y, s, metric, group_id=group, thread_count=1)[0])
    return found
