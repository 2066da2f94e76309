"""Evidently: the functions behind its reports, on a table of users, scores and targets; a report would take seconds."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import pandas as pd
from calls import call
from evidently.legacy import metrics as em
from evidently.legacy.calculations.recommender_systems import collect_dataset
from evidently.legacy.metrics.recsys.precision_recall_k import PrecisionRecallCalculation
from evidently.legacy.pipeline.column_mapping import RecomType

from worlds import World, labels

SHARES = {"PrecisionTopK": "precision", "RecallTopK": "recall", "MAP": "map"}


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return the mean of each world for metrics such as ``NDCG(k=5)``; None if no user has a relevant item."""
    warnings.simplefilter("ignore")
    parsed = {metric: call(metric) for metric in metrics}
    found: dict[str, list[float | None]] = {metric: [] for metric in metrics}
    for world in worlds:
        rows = [
            (query["query"], score, label)
            for query in world
            for (_, score), label in zip(query["ranking"], labels(query), strict=True)
        ]
        if any(name == "MAP" for name, *_ in parsed.values()):  # which depends on the order of rows
            rows.sort(key=lambda row: -row[1])
        table = pd.DataFrame(rows, columns=["user", "prediction", "target"])
        for metric, (name, _, options) in parsed.items():
            found[metric].append(value(name, options["k"], table) if table["target"].any() else None)
    return found


def value(name: str, k: int, table: pd.DataFrame) -> float | None:
    """Return the value at rank k, or None if every list is shorter, which is an error in Evidently."""
    every = name in SHARES  # these are given all users and leave out some themselves
    given = collect_dataset(
        table["user"], table["target"], table["prediction"], RecomType.SCORE, None, every, name != "NDCG"
    )
    if given["preds"].max() < k:
        return None
    if every:
        return PrecisionRecallCalculation(max_k=k).get_precision_and_recall_dict(given, k)[SHARES[name]][k - 1]
    if name == "NDCG":
        return em.NDCGKMetric(k=k).calculate_ndcg(given, k).loc[k]
    made = {"HitRate": em.HitRateKMetric, "MRR": em.MRRKMetric}[name](k=k)
    return made.get_values(given, k).iloc[k - 1]
