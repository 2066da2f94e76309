"""Evidently: a report on one table of users, items, scores and targets."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import pandas as pd
from calls import call
from evidently.legacy import metrics as em
from evidently.legacy.pipeline.column_mapping import ColumnMapping
from evidently.legacy.report import Report

from worlds import World, labels

CLASSES = {
    "PrecisionTopK": em.PrecisionTopKMetric,
    "RecallTopK": em.RecallTopKMetric,
    "HitRate": em.HitRateKMetric,
    "MRR": em.MRRKMetric,
    "NDCG": em.NDCGKMetric,
    "MAP": em.MAPKMetric,
}
COLUMNS = ColumnMapping(
    target="target", prediction="prediction", user_id="user", item_id="item", recommendations_type="score"
)


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """The mean of each world, by names such as ``NDCG(k=5)``; None where no user has anything relevant."""
    warnings.simplefilter("ignore")
    found: dict[str, list[float | None]] = {metric: [] for metric in metrics}
    for world in worlds:
        rows = [
            (query["query"], item, score, label)
            for query in world
            for (item, score), label in zip(query["ranking"], labels(query), strict=True)
        ]
        table = pd.DataFrame(rows, columns=["user", "item", "prediction", "target"])
        for metric in metrics:
            found[metric].append(value(metric, table) if table["target"].any() else None)
    return found


def value(metric: str, table: pd.DataFrame) -> float | None:
    """The number at the cutoff of the metric; None where every list is shorter, which is an error there."""
    name, _, options = call(metric)
    clicked = table[table["user"].isin(table.loc[table["target"] > 0, "user"])]
    if clicked.groupby("user").size().max() < options["k"]:
        return None
    report = Report([CLASSES[name](**options)])
    report.run(reference_data=None, current_data=table, column_mapping=COLUMNS)
    result = report.as_dict()["metrics"][0]["result"]
    return float(result["current_value"] if "current_value" in result else result["current"].iloc[options["k"] - 1])
