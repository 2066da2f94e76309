"""RecTools: a table of recommendations with ranks and a table of interactions; all worlds in one call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
from calls import call
from rectools import metrics as rt

from worlds import World, ordered, relevant_items


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return a value for each user of the interactions for metrics such as ``NDCG(k=5)``."""
    names = [[f"{number}-{query['query']}" for query in world] for number, world in enumerate(worlds)]
    pairs = [
        (name, query) for row, world in zip(names, worlds, strict=True) for name, query in zip(row, world, strict=True)
    ]
    reco = pd.DataFrame(
        [(name, item, rank) for name, query in pairs for rank, item in enumerate(ordered(query), 1)],
        columns=["user_id", "item_id", "rank"],
    )
    truth = pd.DataFrame(
        [(name, item) for name, query in pairs for item in relevant_items(query)], columns=["user_id", "item_id"]
    )
    found = {}
    for metric in metrics:
        name, _, options = call(metric)
        column = getattr(rt, name)(**options).calc_per_user(reco, truth).to_dict()
        found[metric] = [[column.get(user) for user in row] for row in names]
    return found
