"""Rax: all lists in one padded array with a mask."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import rax
from calls import call

from worlds import World, labels, scores


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return a value for each query for metrics such as ``ndcg_metric(topn=5)``."""
    queries = [query for world in worlds for query in world]
    shape = len(queries), max(len(query["ranking"]) for query in queries)
    given, target, there = np.zeros(shape, np.float32), np.zeros(shape, np.float32), np.zeros(shape, bool)
    for row, query in enumerate(queries):
        end = len(query["ranking"])
        given[row, :end], target[row, :end], there[row, :end] = scores(query), labels(query), True
    found = {}
    for metric in metrics:
        name, _, options = call(metric)
        column = iter(np.asarray(getattr(rax, name)(given, target, where=there, reduce_fn=None, **options)).tolist())
        found[metric] = [[next(column) for _ in world] for world in worlds]
    return found
