"""Reads judgments and a ranking, or a list of grades, for a reconciliation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rankgauge.conventions import DEFAULT, Convention
from rankgauge.errors import ParameterError, shown
from rankgauge.inputs.findings import Findings
from rankgauge.matching.from_list import read_grades
from rankgauge.matching.judgments import Judgments
from rankgauge.matching.matched import Chunk, Matched
from rankgauge.matching.ranking import named_rankings
from rankgauge.matching.read_options import ReadOptions
from rankgauge.reconciliation.reconciliation_data import ReconciliationData
from rankgauge.segments import Floats

LIST = "the list"
"""Id of the only query of a list of grades."""


def read(judgments: Any, ranking: Any, options: ReadOptions, findings: Findings) -> ReconciliationData:
    """Read judgments and a ranking of any form into memory."""
    source = named_rankings("reconcile", judgments, ranking, options, one=True)[""]
    judged = Judgments.of(judgments, options, findings)
    held = source.loaded(findings)
    first = [*held.chunks(judged, DEFAULT.replace(hit_if="score>0"), findings)]
    findings.raise_errors(options.lenient)
    seen = np.zeros(len(judged.queries), dtype=bool)
    for numbers, _ in first:
        seen[numbers] = True
    missing = np.flatnonzero(~seen)
    if not seen.any():
        query = judged.queries[0]
        findings.add("RG401", f"query {shown(query)} of the judgments is not in the ranking, nor is any other")
        findings.raise_errors(lenient=False)
    if len(missing):
        findings.add("RG402", f"query {shown(judged.queries[missing[0]])}", len(missing))
    rest: list[Chunk] = [(missing, judged.unanswered(missing))] if len(missing) else []

    def matched(convention: Convention) -> Matched:
        return joined([*held.chunks(judged, convention, Findings()), *rest], len(judged.queries))

    return ReconciliationData(judged.queries, missing, matched)


def read_list(grades: Iterable[Any], ideal: Iterable[Any] | None, scores: Iterable[Any] | None) -> ReconciliationData:
    """Read a list of grades, best rank first, with None for unjudged items."""
    values, known = read_grades(grades)
    points = np.arange(len(values), 0, -1.0) if scores is None else read_grades(scores, "scores")[0]
    if len(points) != len(values):
        raise ParameterError(f"expected one score for each of the grades ({len(values)}), found {len(points)}")
    # Ids descend with the rank, so that ties by id keep the order of the list.
    names = [f"{len(values) - place:012}" for place in range(len(values))]
    given = values if known is None else values[known]
    items = names if known is None else [name for name, judged in zip(names, known, strict=True) if judged]
    judgments = {LIST: dict(zip(items, given.tolist(), strict=True))}
    ranking = {LIST: dict(zip(names, points.tolist(), strict=True))}
    data = read(judgments, ranking, ReadOptions(), Findings())
    return data if ideal is None else _with_pool(data, read_grades(ideal, "ideal")[0])


def _with_pool(data: ReconciliationData, pool: Floats) -> ReconciliationData:
    """Replace the grades of all judged items."""

    def matched(convention: Convention) -> Matched:
        return replace(data.matched(convention), pool_query=np.zeros(len(pool), dtype=np.int64), pool_grade=pool)

    return ReconciliationData(data.queries, data.missing, matched)


def joined(chunks: Sequence[Chunk], queries: int) -> Matched:
    """Join chunks of queries, numbered like the judgments."""
    query = np.concatenate([numbers[chunk.query] for numbers, chunk in chunks])
    pool_query = np.concatenate([numbers[chunk.pool_query] for numbers, chunk in chunks])
    rows, pool = (np.argsort(column, kind="stable") for column in (query, pool_query))
    returned = np.zeros(queries, dtype=np.int64)
    for numbers, chunk in chunks:
        returned[numbers] = chunk.returned

    def column(name: str) -> Any:
        return np.concatenate([getattr(chunk, name) for _, chunk in chunks])[rows]

    positive = [np.zeros(0, dtype=bool) if chunk.positive is None else chunk.positive for _, chunk in chunks]
    return Matched(
        query=query[rows],
        grade=column("grade"),
        above=column("above"),
        tied=column("tied"),
        before=column("before"),
        returned=returned,
        pool_query=pool_query[pool],
        pool_grade=np.concatenate([chunk.pool_grade for _, chunk in chunks])[pool],
        positive=np.concatenate(positive)[rows],
    )
