"""From dicts of judgments and rankings to Matched: only judged items are looked up, only their ranks are found.

A Python dict is the road on which every touch of an object costs more than the arithmetic, so there are as few as
there can be: the scores of many queries are copied into one array, each judged item is looked up, and all ranks are
found by one bisection in the array, which is sorted only where it is not in order already.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain, islice
from numbers import Real
from typing import Any

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.errors import InputError, shown
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.grades import note_grades
from rankgauge.match.lists import shuffled
from rankgauge.match.matched import Chunk, Matched
from rankgauge.match.segments import Bools, Floats, Ints, Segments

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
    pairs = zip(queries, rankings, strict=True)
    asked_for = [_asked(judgments[query], scores, convention, heads) for query, scores in pairs]
    grades: list[Any] = []
    points: list[Any] = []
    hits: list[int] = []
    names: list[Any] = []
    for asked, scores in zip(asked_for, rankings, strict=True):
        looked_up = [*map(scores.get, asked)]
        found = [score for score in looked_up if score is not None]
        grades += [grade for grade, score in zip(asked.values(), looked_up, strict=True) if score is not None]
        if heads:
            names += [item for item, score in zip(asked, looked_up, strict=True) if score is not None]
        points += found
        hits.append(len(found))
    number = np.repeat(np.arange(len(queries)), hits)
    lists = Segments.of_sizes(np.array([*map(len, rankings)], dtype=np.int64))
    score = np.array(points, dtype=np.float64)
    if convention.score_precision == "float32":
        flat, score = (column.astype(np.float32).astype(np.float64) for column in (flat, score))
    ordered, rearranged = _descending(flat, lists)
    above, tied = _above_and_tied(ordered, lists, number, score)
    pool = chain.from_iterable(judgments[query].values() for query in queries)
    return Matched(
        query=number,
        grade=_numbers(grades),
        above=above,
        tied=tied,
        before=_before_each(asked_for, rankings, rearranged, number, above, tied, score, convention),
        returned=lists.sizes,
        pool_query=np.repeat(np.arange(len(queries)), [len(judgments[query]) for query in queries]),
        pool_grade=_numbers(list(pool)),
        positive=None if convention.hit_if == "returned" else score > 0,
        item=names if heads else None,
        score=score if heads else None,
    )


def _asked(
    grades: Mapping[Any, Any], scores: Mapping[Any, Any], convention: Convention, heads: int
) -> Mapping[Any, Any]:
    """The items of a query that get a row, and their grades; None where nobody judged."""
    if not isinstance(convention.unjudged, str) or (heads and len(scores) <= heads):
        return {**dict.fromkeys(scores), **grades}
    if not heads:
        return grades
    single = convention.score_precision == "float32"
    lowest = sorted(map(np.float32, scores.values()) if single else scores.values(), reverse=True)[heads - 1]
    top = [item for item, score in scores.items() if (np.float32(score) if single else score) >= lowest]
    return {**dict.fromkeys(top), **grades}


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
    asked_for: Sequence[Mapping[Any, Any]],
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
    columns = (column[rows].tolist() for column in (number, above, tied, score))
    places: dict[tuple[int, int], Iterator[int]] = {}  # of the judged items in each run of equal scores
    current, in_order = -1, []
    found = []
    for query, start, size, value in zip(*columns, strict=True):
        if (query, start) not in places:
            scores = rankings[query]
            if query != current:
                current, in_order = query, [*scores]
            if rearranged[query]:
                equal = [item for item in in_order if _same(scores[item], value, convention)]
            else:
                equal = in_order[start : start + size]  # equal scores stand side by side
            places[query, start] = iter(
                [_before(item, equal, convention) for item in _in_order_of(asked_for[query], equal)]
            )
        found.append(next(places[query, start]))
    before[rows] = found
    return before


def _in_order_of(asked: Mapping[Any, Any], items: Sequence[Any]) -> Sequence[Any]:
    """Those of the items that were asked for, in the order in which they were."""
    some = [item for item in items if item in asked]
    if len(some) > 1:
        among = set(some)
        return [item for item in asked if item in among]
    return some


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
        return sum([str(other) < own for other in equal])
    return sum([str(other) > own for other in equal])


def _numbers(values: list[Any]) -> np.ndarray[Any, Any]:
    return np.array([np.nan if value is None else value for value in values] if None in values else values, dtype=float)
