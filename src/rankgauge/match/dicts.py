"""From dicts of judgments and rankings to Matched: only judged items are looked up, only their ranks are found.

A Python dict is the road on which every touch of an object costs more than the arithmetic, so a query is gone
through with as few touches as there can be: its scores are sorted (at once where they are in order already, as
they mostly are), each judged item is looked up, and its rank is found by bisection.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain, islice, repeat
from numbers import Real
from typing import Any

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.errors import InputError, shown
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.grades import note_grades
from rankgauge.match.lists import id_bytes, shuffled
from rankgauge.match.matched import Chunk, Matched
from rankgauge.match.segments import Bools, Ints

QUERIES_AT_A_TIME = 2_000
"""Enough that the arithmetic is nothing beside the dicts, few enough that memory does not grow with the data."""

Judgments = Mapping[Any, Mapping[Any, Any]]
Ranking = Mapping[Any, Any]


def match_dicts(
    judgments: Judgments, ranking: Ranking, queries: Sequence[Any], convention: Convention, findings: Findings
) -> Iterator[Chunk]:
    """Match the queries in their order; a query without a ranking is an empty list.

    The ranking of a query is ``{item: score}``, or a sequence of items with the best first.
    """
    for start in range(0, len(queries), QUERIES_AT_A_TIME):
        some = queries[start : start + QUERIES_AT_A_TIME]
        yield np.arange(start, start + len(some)), _match_some(judgments, ranking, some, convention, findings)


def _match_some(
    judgments: Judgments, ranking: Ranking, queries: Sequence[Any], convention: Convention, findings: Findings
) -> Matched:
    grades: list[Any] = []
    starts: list[int] = []
    ends: list[int] = []
    returned: list[int] = []
    hits: list[int] = []
    scores_by_query = []
    every_item = not isinstance(convention.unjudged, str)
    for query in queries:
        scores = scores_of(query, ranking.get(query, ()), convention, findings)
        asked = {**dict.fromkeys(scores), **judgments[query]} if every_item else judgments[query]
        looked_up = [*map(scores.get, asked)]
        found = [score for score in looked_up if score is not None]
        grades += [grade for grade, score in zip(asked.values(), looked_up, strict=True) if score is not None]
        ascending = sorted(scores.values())
        starts += map(bisect_left, repeat(ascending), found)
        ends += map(bisect_right, repeat(ascending), found)
        returned.append(len(ascending))
        hits.append(len(found))
        scores_by_query.append(scores)
    number = np.repeat(np.arange(len(queries)), hits)
    count, end = np.array(returned, dtype=np.int64), np.array(ends, dtype=np.int64)
    tied = end - np.array(starts, dtype=np.int64)
    pool = chain.from_iterable(judgments[query].values() for query in queries)
    return Matched(
        query=number,
        grade=_numbers(grades),
        above=count[number] - end,
        tied=tied,
        before=_before_each(tied > 1, number, [judgments[query] for query in queries], scores_by_query, convention),
        returned=count,
        pool_query=np.repeat(np.arange(len(queries)), [len(judgments[query]) for query in queries]),
        pool_grade=_numbers(list(pool)),
    )


def scores_of(query: Any, returned: Any, convention: Convention, findings: Findings) -> Mapping[Any, Any]:
    """The score of each item of one query: as given, or by place where the items come as a sequence."""
    if not isinstance(returned, Mapping):
        return _scores_by_place(query, returned, findings)
    try:
        total = sum(returned.values())  # one pass; a NaN makes the sum NaN
        sound = total == total and "" not in returned  # noqa: PLR0124 (only NaN differs from itself)
    except TypeError:
        sound = False
    if sound and np.isinf(total):
        infinite = [item for item, score in returned.items() if np.isinf(score)]
        findings.add(
            "RG203", f"ranking: score is infinite (query {shown(query)}, item {shown(infinite[0])})", len(infinite)
        )
    if not sound:
        returned = _only_numbers(query, returned, findings)
    if convention.score_precision == "float32":
        single = np.fromiter(returned.values(), np.float64, len(returned)).astype(np.float32)
        return dict(zip(returned, single.tolist(), strict=True))
    return returned


def _scores_by_place(query: Any, returned: Any, findings: Findings) -> dict[Any, int]:
    if isinstance(returned, str | bytes | AbstractSet) or not isinstance(returned, Iterable):
        raise InputError(
            f"query {shown(query)}: its ranking is {shown(returned)}; it must be "
            "{item: score} or a list of items, best first"
        )
    items = returned.tolist() if isinstance(returned, np.ndarray) else list(returned)
    places = {item: -place for place, item in reversed([*enumerate(items)])}  # the first occurrence wins
    if len(places) != len(items):
        twice = next(item for place, item in enumerate(items) if -places[item] != place)
        example = f"ranking: item {shown(twice)} stands in the list more than once (query {shown(query)})"
        findings.add("RG301", example, len(items) - len(places))
    return places


def _only_numbers(query: Any, scores: Mapping[Any, Any], findings: Findings) -> dict[Any, Any]:
    """The scores that are numbers; the others are reported."""
    kept = {}
    for item, score in scores.items():
        place = f"(query {shown(query)}, item {shown(item)})"
        if not isinstance(score, Real) or isinstance(score, bool):
            findings.add("RG201", f"ranking: score {shown(score)} is not a number {place}")
        elif item == "":
            findings.add("RG208", f"ranking: an item id is empty {place}")
        elif score != score:  # noqa: PLR0124 (only NaN differs from itself)
            findings.add("RG202", f"ranking: score is nan {place}")
        else:
            kept[item] = score
    return kept


def check_grades(judgments: Judgments, findings: Findings) -> Judgments:
    """The judgments with grades that are finite numbers; the others are reported and left out."""
    try:
        every = np.fromiter(
            chain.from_iterable(grades.values() for grades in judgments.values()),
            np.float64,
            sum(map(len, judgments.values())),
        )
        if np.isfinite(every).all():
            note_grades(every, lambda row: _place(judgments, row), findings)
            return judgments
    except (TypeError, ValueError, AttributeError, OverflowError):
        pass
    checked: dict[Any, dict[Any, Any]] = {}
    for query, grades in judgments.items():
        if not isinstance(grades, Mapping):
            raise InputError(f"query {shown(query)}: its judgments are {shown(grades)}; they must be {{item: grade}}")
        checked[query] = {}
        for item, grade in grades.items():
            if isinstance(grade, Real) and np.isfinite(float(grade)):
                checked[query][item] = grade
            else:
                place = f"(query {shown(query)}, item {shown(item)})"
                findings.add("RG204", f"judgments: grade {shown(grade)} is not a finite number {place}")
    return checked


def _place(judgments: Judgments, row: int) -> str:
    pairs = ((query, item) for query, grades in judgments.items() for item in grades)
    query, item = next(islice(pairs, row, None))
    return f"(query {shown(query)}, item {shown(item)})"


def _before_each(
    tied: Bools,
    number: Ints,
    judgments: Sequence[Mapping[Any, Any]],
    scores_by_query: Sequence[Mapping[Any, Any]],
    convention: Convention,
) -> Ints:
    """How many items of the same score stand before each row; only tied rows are looked at."""
    before = np.zeros(len(number), dtype=np.int64)
    if convention.ties in {"mean", "best", "worst"}:
        return before  # decided by the grades alone
    first_row = np.searchsorted(number, number)
    for row in np.flatnonzero(tied).tolist():
        scores = scores_by_query[number[row]]
        asked = scores if not isinstance(convention.unjudged, str) else judgments[number[row]]
        item = next(islice((item for item in asked if item in scores), int(row - first_row[row]), None))
        before[row] = _before(item, scores, convention)
    return before


def _before(item: Any, scores: Mapping[Any, Any], convention: Convention) -> int:
    score = scores[item]
    equal = [other for other, its_score in scores.items() if its_score == score]
    if convention.ties == "input":
        return equal.index(item)
    if convention.ties == "random":
        place = shuffled(convention.seed, item)
        return sum(shuffled(convention.seed, other) < place for other in equal)
    own = id_bytes(item)
    return sum(id_bytes(other) > own for other in equal)


def _numbers(values: list[Any]) -> np.ndarray[Any, Any]:
    return np.array([np.nan if value is None else value for value in values] if None in values else values, dtype=float)
