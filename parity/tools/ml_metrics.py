"""ml_metrics: average precision of lists of actual and predicted items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ml_metrics
from calls import call

from worlds import World, each, ordered, relevant_items


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return the mean of each world for ``mapk(k=5)``, a value for each query for ``apk(k=5)``."""
    found: dict[str, Any] = {}
    for metric in metrics:
        name, _, options = call(metric)
        if name == "apk":
            found[metric] = each(
                worlds, lambda query, k=options["k"]: ml_metrics.apk(relevant_items(query), ordered(query), k)
            )
        else:
            found[metric] = [
                ml_metrics.mapk(
                    [relevant_items(query) for query in world], [ordered(query) for query in world], **options
                )
                for world in worlds
            ]
    return found
