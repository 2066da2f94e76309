"""PyTorch-Ignite: recommendation metrics, updated query by query."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from calls import call
from ignite.exceptions import NotComputableError
from ignite.metrics import rec_sys

from worlds import World, labels, scores


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return the mean of each world for metrics such as ``NDCG(top_k=[5])``."""
    found = {}
    for metric in metrics:
        name, _, options = call(metric)
        found[metric] = [mean(getattr(rec_sys, name)(**options), world) for world in worlds]
    return found


def mean(metric: Any, world: World) -> float | None:
    """Return the mean over the queries of a world; None if all are ignored."""
    for query in world:
        metric.update((torch.tensor([scores(query)]), torch.tensor([labels(query)], dtype=torch.float32)))
    try:
        return metric.compute()[0]
    except NotComputableError:
        return None
