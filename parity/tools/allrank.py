"""allRank: metrics of one slate at a time; the module of the data loader, which needs torchvision, is replaced by its constant."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import torch

from worlds import World, each, labels, scores

sys.modules["allrank.data.dataset_loading"] = SimpleNamespace(PADDED_Y_VALUE=-1)  # type: ignore[assignment]

from allrank.models import metrics as am  # noqa: E402 (after the replacement)


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return a value for each query for metrics such as ``ndcg@5``."""
    found = {}
    for metric in metrics:
        name, _, cut = metric.partition("@")

        def value(query: dict[str, Any], function: Any = getattr(am, name), cut: int = int(cut)) -> float:
            given, truth = (torch.tensor([row], dtype=torch.float32) for row in (scores(query), labels(query)))
            return function(given, truth, ats=[cut]).item()

        found[metric] = each(worlds, value)
    return found
