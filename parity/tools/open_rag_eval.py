"""open-rag-eval: retrieval metrics of UMBRELA grades that are given, so that no language model is called."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

from bare import import_bare

from worlds import World, each, ordered

sys.modules["open_rag_eval.models.llm_judges"] = SimpleNamespace(LLMJudgeModel=object)
umbrela = import_bare("open_rag_eval.metrics.umbrela_metric")


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return a value for each query for metrics such as ``AP@5``; None where the tool leaves it out."""
    metric = umbrela.UMBRELAMetric(None)
    cuts = sorted({int(name.partition("@")[2]) for name in metrics if "@" in name})

    def value(query: dict[str, Any], name: str) -> float | None:
        scores = {"umbrela_scores": {item: query["judged"].get(item, 0) for item in ordered(query)}}
        metric.add_retrieval_metrics(scores, cuts)
        kind, at, cut = name.partition("@")
        found = scores.get("retrieval_scores", {})
        return found.get(kind + at, {}).get(cut) if at else found.get(name)

    return {name: each(worlds, lambda query, name=name: value(query, name)) for name in metrics}
