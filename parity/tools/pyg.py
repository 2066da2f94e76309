"""PyTorch Geometric: a matrix of predicted nodes and the labelled links; one call for each world."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from calls import call
from torch_geometric import metrics as pyg

from worlds import World, number_of, ordered

NOBODY = 10_000
"""A node that is in no world, for lists that are shorter than others; -1 would be a node of the row before."""


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return the mean of each world for metrics such as ``LinkPredNDCG(k=5, weighted=True)``."""
    batches = [batch(world) for world in worlds]
    found = {}
    for metric in metrics:
        name, _, options = call(metric)
        found[metric] = [mean(getattr(pyg, name)(**options), *one) for one in batches]
    return found


def batch(world: World) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the matrix of predictions, the labelled links and their weights."""
    lists = [[number_of(item) for item in ordered(query)] for query in world]
    width = max(1, *map(len, lists), 1)
    predicted = torch.tensor([one + [NOBODY] * (width - len(one)) for one in lists])
    links = [
        (row, number_of(item), float(grade))
        for row, query in enumerate(world)
        for item, grade in query["judged"].items()
    ]
    rows, items, weights = zip(*links, strict=True)
    return predicted, torch.tensor([rows, items]), torch.tensor(weights)


def mean(metric: Any, predicted: torch.Tensor, links: torch.Tensor, weights: torch.Tensor) -> float:
    """Return the mean over the source nodes; metrics without weights get the links of positive weight."""
    if metric.weighted:
        metric.update(predicted, links, weights)
    else:
        metric.update(predicted, links[:, weights > 0])
    return float(metric.compute())
