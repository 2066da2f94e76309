"""RePlay: a table of recommendations with scores and a table of the truth; all worlds in one call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
from replay import metrics as rp

from worlds import World, relevant_items


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return a value for each user of the truth for metrics such as ``NDCG@5``."""
    names = [[f"{number}-{query['query']}" for query in world] for number, world in enumerate(worlds)]
    pairs = [
        (name, query) for row, world in zip(names, worlds, strict=True) for name, query in zip(row, world, strict=True)
    ]
    reco = pd.DataFrame(
        [(name, item, score) for name, query in pairs for item, score in query["ranking"]],
        columns=["query_id", "item_id", "rating"],
    )
    truth = pd.DataFrame(
        [(name, item) for name, query in pairs for item in relevant_items(query)], columns=["query_id", "item_id"]
    )
    found = {}
    for metric in metrics:
        name, _, cut = metric.partition("@")
        answer = getattr(rp, name)(int(cut), mode=rp.PerUser())(reco, truth)
        column = next(iter(answer.values()))
        found[metric] = [[column.get(user) for user in row] for row in names]
    return found
