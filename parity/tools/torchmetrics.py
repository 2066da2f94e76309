"""TorchMetrics: the functions of one query; the classes average them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from calls import call
from torchmetrics.functional import retrieval

from worlds import World, each, labels, scores


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return a value for each query for metrics such as ``retrieval_normalized_dcg(top_k=5)``."""
    found = {}
    for metric in metrics:
        name, _, options = call(metric)
        function = getattr(retrieval, name)
        graded = name == "retrieval_normalized_dcg"

        def value(
            query: dict[str, Any], function: Any = function, options: Any = options, graded: bool = graded
        ) -> float:
            target = torch.tensor(labels(query))
            given = torch.tensor(scores(query), dtype=torch.float64)
            return function(given, target if graded else target > 0, **options).item()

        found[metric] = each(worlds, value)
    return found
