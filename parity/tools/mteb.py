"""MTEB: the scores of a retrieval task from judgments and results; all but MRR are rounded to five decimals."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from mteb._evaluators.retrieval_metrics import calculate_retrieval_scores, make_score_dict

from worlds import World


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return the mean of each world for metrics such as ``ndcg_at_5``."""
    warnings.simplefilter("ignore")
    cuts = sorted({1, *(int(metric.rpartition("_")[2]) for metric in metrics)})  # 1 is required
    found: dict[str, list[float]] = {metric: [] for metric in metrics}
    for world in worlds:
        judgments = {query["query"]: query["judged"] for query in world}
        results = {query["query"]: dict(query["ranking"]) for query in world if query["ranking"]}
        scores = calculate_retrieval_scores(results, judgments, cuts)
        answer = make_score_dict(
            ndcg=scores.ndcg,
            _map=scores.map,
            recall=scores.recall,
            precision=scores.precision,
            naucs={},
            mrr=scores.mrr,
            naucs_mrr={},
            hit_rate=scores.hit_rate,
            task_scores={},
        )
        for metric in metrics:
            found[metric].append(answer[metric])
    return found
