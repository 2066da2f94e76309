"""pytrec_eval (pytrec-eval-terrier): a value for each query that is in the judgments and in the run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytrec_eval

from worlds import World


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return a value for each query for metrics such as ``ndcg_cut_5``; all worlds in one call."""
    judgments, run = {}, {}
    for number, world in enumerate(worlds):
        for query in world:
            name = f"{number}-{query['query']}"
            judgments[name] = query["judged"]
            if query["ranking"]:
                run[name] = dict(query["ranking"])
    asked = {base(metric) for metric in metrics}
    found = pytrec_eval.RelevanceEvaluator(judgments, asked).evaluate(run)
    return {
        metric: [
            [found.get(f"{n}-{query['query']}", {}).get(metric) for query in world] for n, world in enumerate(worlds)
        ]
        for metric in metrics
    }


def base(metric: str) -> str:
    """Return the measure to request: ``ndcg_cut.5`` for ``ndcg_cut_5``."""
    name, _, cut = metric.rpartition("_")
    return f"{name}.{cut}" if cut.replace(".", "").isdigit() else metric
