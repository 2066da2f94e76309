"""From dicts of judgments and rankings to Matched: only judged items are looked up, only their ranks are found.

A Python dict is the road on which every touch of an object costs more than the arithmetic, so there are as few as
there can be: the scores of many queries are copied into one array, each judged item is looked up, and all ranks are
found by one bisection in the array, which is sorted only where it is not in order already.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from itertools import chain, islice, repeat
from math import nan
from numbers import Real
from typing import Any

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.errors import InputError, shown
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.grade_checks import note_grades
from rankgauge.matching.from_list import shuffled
from rankgauge.matching.matched import Chunk, Matched
from rankgauge.segments import Bools, Floats, Ints, Segments

QUERIES_AT_A_TIME = 2_000
"""Enough that the arithmetic is nothing beside the dicts, few enough that memory does not grow with the data."""

Judgments = Mapping[Any, Mapping[Any, Any]]
Ranking = Mapping[Any, Any]


def match_dicts(
    judgments: Judgments,
    ranking: Ranking,
    queries: Sequence[Any],
    convention: Convention,
    findings: Findings,
    heads: int = 0,
) -> Iterator[Chunk]:
    """Match the queries in their order; a query without a ranking is an empty list.

    The ranking of a query is ``{item: score}``, or a sequence of items with the best first. Of the top ``heads`` of
    each query every item is kept, judged or not, with its id.
    """
    for start in range(0, len(queries), QUERIES_AT_A_TIME):
        some = queries[start : start + QUERIES_AT_A_TIME]
        yield np.arange(start, start + len(some)), _match_some(judgments, ranking, some, convention, findings, heads)


def _match_some(
    judgments: Judgments,
    ranking: Ranking,
    queries: Sequence[Any],
    convention: Convention,
    findings: Findings,
    heads: int,
) -> Matched:
    rankings = [scores_of(query, ranking.get(query, ()), findings) for query in queries]
    rankings, flat = _laid_end_to_end(queries, rankings, findings)
    pool = [judgments[query] for query in queries]
    pool_grade = _numbers(pool)
    only_judged = isinstance(convention.unjudged, str) and not heads
    pairs = zip(pool, rankings, strict=True)
    asked_for = pool if only_judged else [_asked(grades, scores, convention, heads) for grades, scores in pairs]
    asked = Segments.of_sizes(np.array([*map(len, asked_for)], dtype=np.int64))
    lookups = (map(scores.get, some, repeat(nan)) for some, scores in zip(asked_for, rankings, strict=True))
    looked_up = np.fromiter(chain.from_iterable(lookups), np.float64, asked.rows)
    found = np.flatnonzero(~np.isnan(looked_up))  # no score is NaN
    number, score = asked.query[found], looked_up[found]
    lists = Segments.of_sizes(np.array([*map(len, rankings)], dtype=np.int64))
    if convention.score_precision == "float32":
        flat, score = (column.astype(np.float32).astype(np.float64) for column in (flat, score))
    ordered, rearranged = _descending(flat, lists)
    above, tied = _above_and_tied(ordered, lists, number, score)
    items_at = partial(_items_at, asked_for, found)  # of few rows, mostly
    return Matched(
        query=number,
        grade=(pool_grade if only_judged else _numbers(asked_for))[found],
        above=above,
        tied=tied,
        before=_before_each(items_at, rankings, rearranged, number, above, tied, score, convention),
        returned=lists.sizes,
        pool_query=asked.query if only_judged else np.repeat(np.arange(len(queries)), [*map(len, pool)]),
        pool_grade=pool_grade,
        positive=None if convention.hit_if == "returned" else score > 0,
        item=items_at(range(len(found))) if heads else None,
        score=score if heads else None,
    )


def _items_at(asked_for: Sequence[Mapping[Any, Any]], found: Ints, rows: Iterable[int]) -> list[Any]:
    """The items of some of the rows that were found."""
    asked, places = [*chain.from_iterable(asked_for)], found.tolist()
    return [asked[places[row]] for row in rows]


def _asked(
    grades: Mapping[Any, Any], scores: Mapping[Any, Any], convention: Convention, heads: int
) -> Mapping[Any, Any]:
    """The items of a query that get a row where not only judged ones do, and their grades; NaN where nobody judged."""
    if not isinstance(convention.unjudged, str) or len(scores) <= heads:
        return {**dict.fromkeys(scores, nan), **grades}
    single = convention.score_precision == "float32"
    lowest = sorted(map(np.float32, scores.values()) if single else scores.values(), reverse=True)[heads - 1]
    top = [item for item, score in scores.items() if (np.float32(score) if single else score) >= lowest]
    return {**dict.fromkeys(top, nan), **grades}


def _laid_end_to_end(
    queries: Sequence[Any], rankings: list[Mapping[Any, Any]], findings: Findings
) -> tuple[list[Mapping[Any, Any]], Floats]:
    """All scores in one array; what is not a score is reported and left out of the rankings."""
    try:
        flat = np.fromiter(
            chain.from_iterable(scores.values() for scores in rankings), np.float64, sum(map(len, rankings))
        )
        texts = any(isinstance(next(iter(scores.values()), 0), str) or "" in scores for scores in rankings)
        sound = not np.isnan(flat).any() and not texts
    except (TypeError, ValueError, OverflowError):
        sound = False
    if not sound:
        pairs = zip(queries, rankings, strict=True)
        rankings = [_only_numbers(query, scores, findings) for query, scores in pairs]
        flat = np.array([*chain.from_iterable(scores.values() for scores in rankings)], dtype=np.float64)
    infinite = np.isinf(flat)
    if infinite.any():
        lists = Segments.of_sizes(np.array([*map(len, rankings)], dtype=np.int64))
        query = queries[int(lists.query[int(np.argmax(infinite))])]
        findings.add("RG203", f"ranking: score is infinite (query {shown(query)})", int(infinite.sum()))
    return rankings, flat


def _descending(flat: Floats, lists: Segments) -> tuple[Floats, Bools]:
    """The scores of each query in descending order, as they mostly are, and for which queries they had to be sorted."""
    rising = np.zeros(len(flat), dtype=bool)
    rising[1:] = flat[1:] > flat[:-1]
    rising[lists.starts] = False
    rearranged = np.zeros(lists.count, dtype=bool)
    rearranged[lists.query[rising] if rising.any() else []] = True
    for number in np.flatnonzero(rearranged).tolist():
        start, end = lists.offsets[number], lists.offsets[number + 1]
        flat[start:end] = np.sort(flat[start:end])[::-1]
    return flat, rearranged


def _above_and_tied(ordered: Floats, lists: Segments, number: Ints, score: Floats) -> tuple[Ints, Ints]:
    """How many scores of its query are higher than each of these, and how many are the same, itself included."""
    above = count_above(ordered, lists, number, score, or_equal=False)
    tied = np.ones(len(number), dtype=np.int64)
    below = lists.offsets[number] + above + 1
    same = np.flatnonzero((below < lists.offsets[number + 1]) & (ordered[np.minimum(below, len(ordered) - 1)] == score))
    tied[same] = count_above(ordered, lists, number[same], score[same], or_equal=True) - above[same]
    return above, tied


def count_above(ordered: Floats, lists: Segments, number: Ints, score: Floats, *, or_equal: bool) -> Ints:
    """How many scores of its query are higher than each of these (or as high), by bisecting all at once."""
    low = np.zeros(len(number), dtype=np.int64)
    high = lists.sizes[number]
    start = lists.offsets[:-1][number]
    for _ in range(int(high.max(initial=0)).bit_length()):
        middle = (low + high) // 2
        open_still = low < high
        here = ordered[np.minimum(start + middle, len(ordered) - 1)]
        higher = open_still & ((here >= score) if or_equal else (here > score))
        low = np.where(higher, middle + 1, low)
        high = np.where(open_still & ~higher, middle, high)
    return low


def scores_of(query: Any, returned: Any, findings: Findings) -> Mapping[Any, Any]:
    """The score of each item of one query: as given, or by place where the items come as a sequence."""
    return returned if isinstance(returned, Mapping) else _scores_by_place(query, returned, findings)


def _scores_by_place(query: Any, returned: Any, findings: Findings) -> dict[Any, float]:
    if isinstance(returned, str | bytes | AbstractSet) or not isinstance(returned, Iterable):
        raise InputError(
            f"query {shown(query)}: its ranking is {shown(returned)}; it must be "
            "{item: score} or a list of items, best first"
        )
    items = returned.tolist() if isinstance(returned, np.ndarray) else list(returned)
    if items and all(isinstance(one, tuple | list) for one in items):
        raise InputError(
            f"query {shown(query)}: its ranking is a list of {type(items[0]).__name__}s such as {shown(items[0])}; "
            "give {item: score}, or a list of items, best first"
        )
    places = {item: place for place, item in reversed([*enumerate(items)])}  # the first occurrence wins
    if len(places) != len(items):
        twice = next(item for place, item in enumerate(items) if places[item] != place)
        example = f"ranking: item {shown(twice)} stands in the list more than once (query {shown(query)})"
        findings.add("RG301", example, len(items) - len(places))
    return {item: 1 / (1 + place) for item, place in places.items()}  # above 0: what is listed was returned


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
    items_at: Callable[[Iterable[int]], list[Any]],
    rankings: Sequence[Mapping[Any, Any]],
    rearranged: Bools,
    number: Ints,
    above: Ints,
    tied: Ints,
    score: Floats,
    convention: Convention,
) -> Ints:
    """How many items of the same score stand before each row; only rows that tie are looked at."""
    before = np.zeros(len(number), dtype=np.int64)
    if convention.ties in {"mean", "best", "worst", "together"}:
        return before  # decided by the grades alone, or not at all
    rows = np.flatnonzero(tied > 1)
    if not len(rows):
        return before
    columns = (column[rows].tolist() for column in (number, above, tied, score))
    found, current = [], -1
    ties: dict[int, list[Any]] = {}
    for item, query, start, size, value in zip(items_at(rows.tolist()), *columns, strict=True):
        if query != current:
            current, scores, ties = query, rankings[query], {}
        if start not in ties:
            if rearranged[query]:
                ties[start] = [other for other in scores if _same(scores[other], value, convention)]
            else:
                ties[start] = [*islice(scores, start, start + size)]  # equal scores stand side by side
        found.append(_before(item, ties[start], convention))
    before[rows] = found
    return before


def _same(score: Any, other: Any, convention: Convention) -> bool:
    value = float(score)
    return bool(np.float32(value) == other if convention.score_precision == "float32" else value == other)


def _before(item: Any, equal: Sequence[Any], convention: Convention) -> int:
    if convention.ties == "input":
        return equal.index(item)
    if convention.ties == "input-reversed":
        return len(equal) - 1 - equal.index(item)
    if convention.ties == "random":
        place = shuffled(convention.seed, item)
        return sum(shuffled(convention.seed, other) < place for other in equal)
    own = str(item)  # code points are in the order of UTF-8 bytes
    if convention.ties == "id-ascending":
        return sum(map(own.__gt__, map(str, equal)))
    return sum(map(own.__lt__, map(str, equal)))


def _numbers(mappings: Sequence[Mapping[Any, Any]]) -> Floats:
    """The values of all mappings, end to end."""
    return np.fromiter(chain.from_iterable(one.values() for one in mappings), np.float64, sum(map(len, mappings)))
