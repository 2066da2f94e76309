"""The values of every setting on every query: rankings evaluated as they are, or fused with each point of a grid."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import polars as pl

from rankgauge.evaluation.evaluator import Evaluator
from rankgauge.evaluation.scores import Scores
from rankgauge.fusion.aligned_lists import AlignedLists
from rankgauge.fusion.fuse import Fusion
from rankgauge.fusion.fusion_setting import FusionSetting
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.read_options import ReadOptions
from rankgauge.matching.ranking import Ranking
from rankgauge.tuning.settings import Setting

OnSetting = Callable[[int], None]


def ranking_scores(evaluator: Evaluator, rankings: Mapping[str, Ranking], on_setting: OnSetting) -> Scores:
    """Evaluate each ranking as a setting of its own."""
    for number, ranking in enumerate(rankings.values(), 1):
        evaluator.add(ranking)
        on_setting(number)
    return evaluator.scores()


def fused_scores(
    evaluator: Evaluator, fusion: Fusion, method: str, settings: Iterable[Setting], on_setting: OnSetting
) -> Scores:
    """Fuse the rankings with every setting and evaluate the results; the rankings are read and aligned once."""
    chunks = fusion.in_any_order(list)
    judged = {str(query) for query in evaluator.judgments.queries}
    chunks = [lists for chunk in chunks if (lists := _only(chunk, judged)) is not None]
    checked: set[tuple[str, str]] = set()
    for number, setting in enumerate(settings, 1):
        fused_by = FusionSetting.of(fusion.names, **{"method": method, **setting.parameters})
        findings = fusion.findings if (fused_by.method, fused_by.norm) not in checked else Findings()
        checked.add((fused_by.method, fused_by.norm))
        frames = []
        for chunk in chunks:
            lists = chunk.cut(fused_by.depth)
            fused_by.check_scores(lists, fusion.names, findings)
            frames.append(lists.frame.with_columns(score=pl.Series(fused_by.scores(lists))))
        evaluator.add(Ranking(pl.concat(frames), ReadOptions(), setting.name))
        on_setting(number)
    evaluator.findings.merge(fusion.findings)
    return evaluator.scores()


def _only(lists: AlignedLists, queries: set[str]) -> AlignedLists | None:
    """Return the lists of these queries; None if there are none."""
    kept = np.array([str(query) in queries for query in lists.queries.to_list()])
    if kept.all() or not kept.any():
        return lists if kept.any() else None
    rows = np.flatnonzero(kept[lists.query])
    number = np.cumsum(kept) - 1
    return AlignedLists(
        lists.queries.filter(kept),
        number[lists.query[rows]],
        lists.items.gather(rows),
        lists.scores[rows],
        lists.ranks[rows],
    )


def value_matrix(scores: Scores, metric: Any) -> tuple[Any, list[Any], int]:
    """Return the values (queries x settings) of the queries that have one under every setting, and these queries.

    The last number says how many queries were left out.
    """
    values = np.stack([scores.values(metric, name) for name in scores.systems], axis=1)
    counted = ~np.isnan(values).any(axis=1)
    queries = [query for query, counts in zip(scores.queries, counted.tolist(), strict=True) if counts]
    return values[counted], queries, int((~counted).sum())
