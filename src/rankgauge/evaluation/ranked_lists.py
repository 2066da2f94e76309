"""The lists of some queries with the names of their items, read once, for whoever explains them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.errors import InputError, shown
from rankgauge.inputs.findings import Findings
from rankgauge.matching.from_list import RankedList, rank_list
from rankgauge.matching.judgments import Judgments
from rankgauge.matching.match import rankings_of
from rankgauge.matching.read_options import groups_of


def ranked_lists(
    judgments: Judgments, ranking: Any, queries: Iterable[Any], rules: Convention, findings: Findings
) -> dict[Any, RankedList]:
    """What was returned for some queries, ranked and matched; an item of arrays is named by its place."""
    asked, known = list(queries), set(judgments.queries)
    for query in asked:
        if query not in known:
            raise InputError(f"query {shown(query)} is not in the judgments; they have {first_few(judgments.queries)}")
    if judgments.array is not None and isinstance(ranking, np.ndarray):
        return {query: _of_arrays(judgments, ranking, query, rules) for query in asked}
    returned = rankings_of(judgments, ranking, asked, findings)
    findings.raise_errors(judgments.reading.lenient)
    return {query: _of_dicts(judgments.dicts[query], returned[query], rules) for query in asked}


def _of_dicts(grades: Mapping[Any, Any], returned: Mapping[Any, Any], rules: Convention) -> RankedList:
    return rank_list(
        [grades.get(item) for item in returned],
        scores=[*returned.values()],
        items=[*returned],
        unreturned=[grade for item, grade in grades.items() if item not in returned],
        rel=rules.rel,
        convention=rules,
    )


def _of_arrays(judgments: Judgments, scores: np.ndarray[Any, Any], query: Any, rules: Convention) -> RankedList:
    labels = np.asarray(judgments.array)
    if labels.shape != scores.shape:
        raise InputError(
            f"labels have the shape {labels.shape} and scores {scores.shape}; give one score for each label"
        )
    number = [*judgments.queries].index(query)
    if labels.ndim == 1:
        groups, ids = groups_of(labels, judgments.reading)
        if ids is not None:
            mine = np.array([one == query for one in judgments.reading.query_ids or ()])
        else:
            mine = groups.query == number
        grades, points = labels[mine].astype(float), scores[mine].astype(float)
    else:
        grades, points = labels[number].astype(float), scores[number].astype(float)
    scored = ~np.isnan(points)  # without a score an item was not returned
    judged = ~np.isnan(grades)
    ranked = rank_list(
        [float(grade) if known else None for grade, known in zip(grades[scored], judged[scored], strict=True)],
        scores=points[scored],
        unreturned=grades[~scored & judged],
        rel=rules.rel,
        convention=rules,
    )
    return replace(ranked, items=np.flatnonzero(scored).tolist())


def first_few(queries: Sequence[Any], count: int = 5) -> str:
    """Some queries for a message, and how many more there are."""
    more = f" and {len(queries) - count} more" if len(queries) > count else ""
    return ", ".join(shown(query) for query in queries[:count]) + more
