"""ESCI: the published call of trec_eval, with gains for labels 1 to 4, on labels as the script and as the paper number them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tools.trec_eval import program, version
from trec_files import each_query, printed_for

from worlds import World

__all__ = ["values", "version"]
GAINS = "ndcg.1=0,2=0.01,3=0.1,4=1"
LABELS = {"ndcg": {1: 4, 0.1: 3, 0.01: 2, 0: 1}, "ndcg, script of 2022": {1: 4, 0.1: 2, 0.01: 3, 0: 1}}
"""The label of a grade; the script numbers substitutes 2 and complements 3."""


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return a value for each query; None for topics without results."""
    found = {}
    for metric in metrics:
        labelled = [[query | {"judged": relabelled(query, LABELS[metric])} for query in world] for world in worlds]
        rows = map(str.split, printed_for(labelled, program(), "-q", "-c", "-J", "-m", GAINS).splitlines())
        found[metric] = each_query(worlds, {int(topic): float(value) for _, topic, value in rows if topic != "all"})
    return found


def relabelled(query: dict[str, Any], labels: dict[float, int]) -> dict[str, int]:
    """Return the labels of the judged items."""
    return {item: labels[grade] for item, grade in query["judged"].items()}
