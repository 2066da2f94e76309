"""pytorch-metric-learning: one call for each query, whose class is 1; references are points on a line, by their scores."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

import torch
from calls import call
from pytorch_metric_learning.distances import LpDistance
from pytorch_metric_learning.utils.accuracy_calculator import AccuracyCalculator
from pytorch_metric_learning.utils.inference import CustomKNN

from worlds import Query, World, each, labels, scores

logging.getLogger("PML").setLevel(logging.ERROR)  # a query without references of its class
NEAREST = CustomKNN(LpDistance(normalize_embeddings=False))


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return a value for each query for metrics such as ``mean_average_precision(k=5)``; NaN without relevant items."""
    found = {}
    for metric in metrics:
        name, _, options = call(metric)
        both = ("precision_at_1", name)  # mean_reciprocal_rank alone is an error
        calculator = AccuracyCalculator(include=both, knn_func=NEAREST, device=torch.device("cpu"), **options)
        found[metric] = each(worlds, lambda query, name=name, made=calculator: value(made, name, query))
    return found


def value(calculator: AccuracyCalculator, name: str, query: Query) -> float:
    """Return the value of a query: the higher the score of an item, the nearer it is."""
    points = torch.tensor(scores(query), dtype=torch.double).reshape(-1, 1)
    away = points.max() - points
    return calculator.get_accuracy(torch.zeros(1, 1), torch.ones(1), away, torch.tensor(labels(query)))[name]
