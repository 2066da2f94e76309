"""RecBole: the collector and the evaluator of its trainer, on a matrix of scores; means rounded to ``metric_decimal_place``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

for name, kind in {"float": float, "int": int, "bool": bool}.items():
    if not hasattr(np, name):
        setattr(np, name, kind)  # aliases of an old NumPy that RecBole uses

from recbole.evaluator import Collector, Evaluator  # noqa: E402 (after the aliases)

from worlds import World, ordered, relevant_items  # noqa: E402

PLACES = 12


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return the mean of each world for metrics such as ``ndcg@5``."""
    names = [metric.partition("@")[0] for metric in metrics]
    cuts = sorted({int(metric.partition("@")[2]) for metric in metrics})
    config = {
        "metrics": sorted(set(names)),
        "topk": cuts,
        "device": torch.device("cpu"),
        "metric_decimal_place": PLACES,
        "eval_args": {"mode": "full"},
    }
    found: dict[str, list[float]] = {metric: [] for metric in metrics}
    for world in worlds:
        collector = Collector(config)
        collector.eval_batch_collect(*batch(world, max(cuts)))
        answer = Evaluator(config).evaluate(collector.get_data_struct())
        for metric in metrics:
            found[metric].append(answer[metric])
    return found


def batch(world: World, least: int) -> tuple[torch.Tensor, None, torch.Tensor, torch.Tensor]:
    """Return scores of all items of the world for each user, and the rows and columns of the relevant ones."""
    users = [query for query in world if relevant_items(query)]
    items = sorted({item for query in users for item in [*query["judged"], *ordered(query)]})
    columns = {item: place for place, item in enumerate(items)}
    scores = torch.full((len(users), max(len(items), least)), -torch.inf)
    for row, query in enumerate(users):
        for item, score in query["ranking"]:
            scores[row, columns[item]] = score
    pairs = [(row, columns[item]) for row, query in enumerate(users) for item in relevant_items(query)]
    rows, places = (torch.tensor(side) for side in zip(*pairs, strict=True))
    return scores, None, rows, places
