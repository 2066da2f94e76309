"""TorchRec: session nDCG and GAUC; one call for each world, whose queries are sessions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from calls import call
from torchrec.metrics.gauc import GAUCMetricComputation
from torchrec.metrics.metrics_config import RecMetricEnum  # noqa: F401 (registers the metrics)
from torchrec.metrics.ndcg import SESSION_KEY, NDCGComputation

from worlds import World, labels, scores

PLAIN = {"my_rank": 0, "batch_size": 1000, "n_tasks": 1, "window_size": 1000}


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return the mean of each world for metrics such as ``ndcg(k=5, exponential_gain=True)`` and ``gauc``."""
    found = {}
    for metric in metrics:
        name, _, options = call(metric)
        found[metric] = [(gauc if name == "gauc" else ndcg)(world, options) for world in worlds]
    return found


def batch(world: World) -> dict[str, torch.Tensor]:
    """Return labels, predictions and weights of all sessions as one task."""
    columns = {
        "labels": [label for query in world for label in labels(query)],
        "predictions": [score for query in world for score in scores(query)],
        "weights": [query.get("weight", 1) for query in world for _ in query["ranking"]],
    }
    return {name: torch.tensor([column], dtype=torch.double) for name, column in columns.items()}


def ndcg(world: World, options: dict[str, Any]) -> float:
    """Return nDCG, not 1 - nDCG, which is the default of TorchRec."""
    metric = NDCGComputation(**PLAIN, report_ndcg_as_decreasing_curve=False, **options)
    sessions = torch.tensor([[place for place, query in enumerate(world) for _ in query["ranking"]]])
    metric.update(**batch(world), required_inputs={SESSION_KEY: sessions})
    return float(metric._compute()[0].value)  # noqa: SLF001 (what its compute returns, before it is named)


def gauc(world: World, options: dict[str, Any]) -> float:
    """Return the mean AUC of the sessions."""
    metric = GAUCMetricComputation(**PLAIN, **options)
    sizes = torch.tensor([len(query["ranking"]) for query in world])
    metric.update(**{name: column.float() for name, column in batch(world).items()}, num_candidates=sizes)
    return float(metric._compute()[0].value)  # noqa: SLF001
