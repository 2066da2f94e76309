"""MLflow: rows of retrieved and relevant ids; all worlds in one call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import mlflow.metrics
import pandas as pd

from worlds import World, ordered, relevant_items


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return a value for each query for metrics such as ``ndcg_at_5``."""
    queries = [query for world in worlds for query in world]
    given = pd.Series([ordered(query) for query in queries])
    truth = pd.Series([relevant_items(query) for query in queries])
    found = {}
    for metric in metrics:
        name, _, cut = metric.rpartition("_")
        column = iter(getattr(mlflow.metrics, f"{name}_k")(int(cut)).eval_fn(given, truth).scores)
        found[metric] = [[next(column) for _ in world] for world in worlds]
    return found
