"""ranx: Qrels and Run, evaluated query by query."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ranx import Qrels, Run, evaluate

from worlds import World


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return a value for each query for metrics such as ``ndcg@5``; all worlds in one call."""
    names = [[f"{number}-{query['query']}" for query in world] for number, world in enumerate(worlds)]
    pairs = [
        (name, query) for row, world in zip(names, worlds, strict=True) for name, query in zip(row, world, strict=True)
    ]
    qrels = Qrels({name: query["judged"] for name, query in pairs})
    run = Run({name: dict(query["ranking"]) for name, query in pairs})
    evaluate(qrels, run, list(metrics), make_comparable=False)
    return {metric: [[run.scores[metric][name] for name in row] for row in names] for metric in metrics}
