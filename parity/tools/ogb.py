"""Open Graph Benchmark: the evaluators of link prediction; one call for each query."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from ogb.linkproppred import Evaluator

from worlds import Query, World, each, labels, scores

DATA_SETS = {"mrr": "ogbl-citation2", "hits": "ogbl-ddi", "rocauc": "ogbl-vessel"}
"""A data set of each metric, by which OGB chooses the metric."""


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return a value for each query and metrics such as ``mrr_list``, ``hits@3_list``, ``hits@5`` and ``rocauc``."""
    return {metric: each(list(worlds), lambda query, name=metric: value(query, name)) for metric in metrics}


def value(query: Query, metric: str) -> float | None:
    """Return the value of a query: its relevant items are positives, all others negatives."""
    name = "mrr" if metric.endswith("_list") else metric.partition("@")[0]
    evaluator = Evaluator(DATA_SETS[name])
    pairs = [*zip(labels(query), scores(query), strict=True)]
    positive, negative = (
        torch.tensor([score for label, score in pairs if bool(label) == side], dtype=torch.double)
        for side in (True, False)
    )
    if name == "hits":
        evaluator.K = int(metric.partition("@")[2])
    if name == "mrr":
        negative = negative.reshape(1, -1)
    found = evaluator.eval({"y_pred_pos": positive, "y_pred_neg": negative})[metric]
    return float(found.item() if name == "mrr" else found)
