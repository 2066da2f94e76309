"""Ranked lists of some queries with the ids of their items, for explanations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.conventions.relevance import span_rule
from rankgauge.errors import InputError
from rankgauge.inputs.findings import Findings
from rankgauge.matching.copies import ScoresWithCopies, item_of
from rankgauge.matching.from_dicts import scores_of
from rankgauge.matching.from_list import RankedList, rank_list
from rankgauge.matching.gold import FoundItems
from rankgauge.matching.judgments import Judgments
from rankgauge.matching.ranking import Ranking
from rankgauge.segments import Array


def ranked_lists(
    judgments: Judgments, ranking: Ranking, queries: Iterable[object], rules: Convention, findings: Findings
) -> dict[Any, RankedList]:
    """Return the ranked list of each query; items of arrays are named by their position."""
    wanted = list(queries)
    judgments.check_queries(wanted)
    if judgments.array is not None and ranking.source.form == "array":
        return {query: _from_arrays(judgments, ranking.source.value, query, rules) for query in wanted}
    if span_rule(rules.match) is not None:
        return _of_spans(judgments, ranking, wanted, rules, findings)
    returned = ranking.scores_by_item(judgments, wanted, findings, rules)
    findings.raise_errors(judgments.options.lenient)
    rules = ranking.order_rules(rules)
    return {query: rank_scores(judgments.dicts[query], returned[query], rules) for query in wanted}


def _of_spans(
    judgments: Judgments, ranking: Ranking, queries: Iterable[object], rules: Convention, findings: Findings
) -> dict[Any, RankedList]:
    """Return the ranked list of each query, whose items show what part of the judged spans they cover."""
    judged, records = ranking.records(judgments, rules, findings)
    lists: dict[Any, RankedList] = {}
    for query in queries:
        returned = records.get(query, FoundItems((), (), ()))
        scores = scores_of(query, returned, rules, findings)
        ranked = replace(rank_scores(judged[query], scores, rules), items=returned.chunks)
        lists[query] = showing_spans(ranked, judged[query])
    findings.raise_errors(judgments.options.lenient)
    return lists


def showing_spans(ranked: RankedList, judged: Iterable[object]) -> RankedList:
    """Return a ranked list of chunks that are named with the part of each judged span that they cover."""
    from rankgauge.matching.found_spans import span_label  # noqa: PLC0415 (loads polars)

    golds = [*judged]
    return replace(ranked, items=[span_label(chunk, golds) for chunk in ranked.items or ()])


def rank_scores(grades: Mapping[object, object], returned: Mapping[object, object], rules: Convention) -> RankedList:
    """Return the ranked list of a query from its grades and scores."""
    items = [*map(item_of, returned)]
    if rules.duplicates == "error" and isinstance(returned, ScoresWithCopies):  # lenient reading
        rules = rules.replace(duplicates="close-up")
    return rank_list(
        [*map(grades.get, items)],
        scores=[*returned.values()],
        items=items,
        unreturned=[grade for item, grade in grades.items() if item not in returned],
        rel=rules.rel,
        convention=rules,
        further=returned.further if isinstance(returned, ScoresWithCopies) else None,
    )


def _from_arrays(judgments: Judgments, scores: Array, query: Any, rules: Convention) -> RankedList:
    labels = np.asarray(judgments.array)
    if labels.shape != scores.shape:
        raise InputError(
            f"labels have the shape {labels.shape} and scores {scores.shape}; pass one score for each label"
        )
    number = [*judgments.queries].index(query)
    if labels.ndim == 1:
        segments, ids = judgments.options.query_segments(labels)
        if ids is not None:
            mine = np.array([query_id == query for query_id in judgments.options.query_ids or ()])
        else:
            mine = segments.query == number
        grades, points = labels[mine].astype(float), scores[mine].astype(float)
    else:
        grades, points = labels[number].astype(float), scores[number].astype(float)
    scored = ~np.isnan(points)  # without a score an item was not returned
    judged = ~np.isnan(grades)
    ranked = rank_list(
        [float(grade) if is_judged else None for grade, is_judged in zip(grades[scored], judged[scored], strict=True)],
        scores=points[scored],
        unreturned=grades[~scored & judged],
        rel=rules.rel,
        convention=rules,
    )
    return replace(ranked, items=np.flatnonzero(scored).tolist())
