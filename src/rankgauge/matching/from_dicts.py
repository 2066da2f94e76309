"""Match dicts: only judged items are looked up, and only their ranks are computed.

Touching a Python object costs more than the arithmetic, so the scores of many queries are copied into one array, each
judged item is looked up, and all ranks come from one bisection of the array, which is sorted only if necessary.
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
from rankgauge.conventions.order import DECIDED_BY_GRADES
from rankgauge.errors import InputError, shown
from rankgauge.inputs.findings import Findings, with_ids
from rankgauge.inputs.grade_checks import note_grades
from rankgauge.inputs.records import RepeatedItems, is_missing_id, listed_items
from rankgauge.matching.common_ids import UnmatchedIds
from rankgauge.matching.copies import FIRST, Copy, ScoresWithCopies, item_of, scores_with_copies
from rankgauge.matching.gold import FoundItems
from rankgauge.matching.matched import Chunk, Matched
from rankgauge.matching.score_checks import collapses, note_large_scores
from rankgauge.matching.tie_order import tie_places
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Bools, Floats, Ints, Segments, as_single
from rankgauge.value_checks import fits_double, is_finite, is_listing

QUERIES_AT_A_TIME = 2_000
"""Queries matched at a time: enough to make array operations cheap, few enough to keep memory flat."""
FEW_LISTS = 24
"""Up to this many lists are bisected one by one."""

NOT_NUMBERS = (str, np.timedelta64)
"""Types that NumPy converts to numbers, although they are none here."""

Judgments = Mapping[Any, Mapping[Any, Any]]
Ranking = Mapping[Any, Any]


def match_dicts(
    judgments: Judgments,
    ranking: Ranking,
    queries: Sequence[Any],
    convention: Convention,
    findings: Findings,
    top: int = 0,
    depth: int | None = None,
    *,
    with_notes: bool = True,
) -> Iterator[Chunk]:
    """Match the queries in their order; a query without a ranking is an empty list.

    The ranking of a query is ``{item: score}``, or a sequence of items, best first. Of the top ``top`` of each query
    every item is kept, judged or not, with its id. Findings are those of items that can reach rank ``depth``; without
    ``with_notes`` scores are not examined for what is valid but unusual.
    """
    for start in range(0, len(queries), QUERIES_AT_A_TIME):
        block = queries[start : start + QUERIES_AT_A_TIME]
        numbers = np.arange(start, start + len(block))
        yield numbers, _match_block(judgments, ranking, block, convention, findings, top, depth, with_notes)


def _match_block(
    judgments: Judgments,
    ranking: Ranking,
    queries: Sequence[Any],
    convention: Convention,
    findings: Findings,
    top: int,
    depth: int | None,
    with_notes: bool,
) -> Matched:
    rankings = [scores_of(query, ranking.get(query, ()), convention, findings) for query in queries]
    rankings, flat = _flat_scores(queries, rankings, findings)
    pool = [judgments[query] for query in queries]
    pool_grade = _numbers(pool)
    has_copies = any(isinstance(scores, ScoresWithCopies) for scores in rankings)
    only_judged = isinstance(convention.unjudged, str) and not top and not has_copies
    pairs = zip(pool, rankings, strict=True)
    wanted = pool if only_judged else [_wanted(grades, scores, convention, top) for grades, scores in pairs]
    wanted_rows = Segments.of_sizes(np.array([*map(len, wanted)], dtype=np.int64))
    lookups = (map(scores.get, items, repeat(nan)) for items, scores in zip(wanted, rankings, strict=True))
    looked_up = np.fromiter(chain.from_iterable(lookups), np.float64, wanted_rows.rows)
    returned = np.flatnonzero(~np.isnan(looked_up))  # no score is NaN
    number, score = wanted_rows.query[returned], looked_up[returned]
    lists = Segments.of_sizes(np.array([*map(len, rankings)], dtype=np.int64))
    if convention.score_precision == "float32":
        flat, score = (as_single(column).astype(np.float64) for column in (flat, score))
    ordered, rearranged = _descending(flat, lists)
    above, tied = _above_and_tied(ordered, lists, number, score)
    if with_notes:
        _note_scores(ordered, lists, number, above, tied, queries, findings, depth)
    items_at = partial(_items_at, wanted, returned)  # called for few rows, mostly
    return Matched(
        query=number,
        grade=(pool_grade if only_judged else _numbers(wanted))[returned],
        above=above,
        tied=tied,
        before=_before_each(items_at, rankings, rearranged, number, above, tied, score, convention),
        returned=lists.sizes,
        pool_query=wanted_rows.query if only_judged else np.repeat(np.arange(len(queries)), [*map(len, pool)]),
        pool_grade=pool_grade,
        positive=None if convention.hit_if == "returned" else score > 0,
        copy=_kinds(items_at(range(len(returned)))) if has_copies else None,
        further=_further(rankings, items_at(range(len(returned))), number) if has_copies else None,
        item=[*map(item_of, items_at(range(len(returned))))] if top else None,
        score=score if top else None,
        unmatched=None if only_judged and len(returned) else _unmatched(pool, rankings),
    )


def _unmatched(pool: Sequence[Mapping[Any, Any]], rankings: Sequence[Mapping[Any, Any]]) -> UnmatchedIds | None:
    """Return some judged and some returned items of the first query that has both, if no item is in both."""
    pairs = [(grades, scores) for grades, scores in zip(pool, rankings, strict=True) if grades and scores]
    if not pairs or any(not scores.keys().isdisjoint(grades) for grades, scores in pairs):
        return None
    return UnmatchedIds.of(pairs[0][0], map(item_of, pairs[0][1]))


def _note_scores(
    ordered: Floats,
    lists: Segments,
    number: Ints,
    above: Ints,
    tied: Ints,
    queries: Sequence[Any],
    findings: Findings,
    depth: int | None,
) -> None:
    """Report scores that are equal in single precision, among judged items that can reach the depth, and large ones."""

    def place(row: int) -> Phrase:
        query = queries[int(lists.query[row])]
        where = findings.place("ranking", query)
        return Phrase(f"{where}: query {shown(query)}", f"{where}：查询 {shown(query)}")

    rows = slice(None) if depth is None else above < depth
    number, first, last = number[rows], (start := lists.offsets[number[rows]]) + above[rows], tied[rows]
    collapsing = collapses(ordered, first, first + last, start, lists.offsets[number + 1])
    if collapsing.any():
        findings.add("RG211", place(int(start[np.argmax(collapsing)])), int(collapsing.sum()))
    note_large_scores(ordered, place, findings)


def _kinds(keys: Iterable[Any]) -> Ints:
    """Return which rows are later copies, as ``Matched.copy``."""
    return np.array([key.kind if isinstance(key, Copy) else FIRST for key in keys], dtype=np.int8)


def _items_at(wanted: Sequence[Mapping[Any, Any]], returned: Ints, rows: Iterable[int]) -> list[Any]:
    """Return the items of some of the returned rows."""
    items, places = [*chain.from_iterable(wanted)], returned.tolist()
    return [items[places[row]] for row in rows]


def _wanted(
    grades: Mapping[Any, Any], scores: Mapping[Any, Any], convention: Convention, top: int
) -> Mapping[Any, Any]:
    """Return the items of a query that get a row if not only judged ones do, with their grades (NaN if unjudged)."""
    if isinstance(scores, ScoresWithCopies):
        others = scores if top or not isinstance(convention.unjudged, str) else scores.of_copies()
        return {**{key: grades.get(item_of(key), nan) for key in others}, **grades}
    if isinstance(convention.unjudged, str) and not top:
        return grades
    if not isinstance(convention.unjudged, str) or len(scores) <= top:
        return {**dict.fromkeys(scores, nan), **grades}
    single = convention.score_precision == "float32"
    lowest = sorted(map(as_single, scores.values()) if single else scores.values(), reverse=True)[top - 1]
    at_top = [item for item, score in scores.items() if (as_single(score) if single else score) >= lowest]
    return {**dict.fromkeys(at_top, nan), **grades}


def _flat_scores(
    queries: Sequence[Any], rankings: list[Mapping[Any, Any]], findings: Findings
) -> tuple[list[Mapping[Any, Any]], Floats]:
    """Return all scores in one array; what is not a score is reported and left out of the rankings."""
    try:
        flat = np.fromiter(
            chain.from_iterable(scores.values() for scores in rankings), np.float64, sum(map(len, rankings))
        )
        texts = any(isinstance(next(iter(scores.values()), 0), NOT_NUMBERS) for scores in rankings)
        valid = not np.isnan(flat).any() and not texts and not any(map(_has_missing_id, rankings))
    except (TypeError, ValueError, OverflowError):
        valid = False
    if not valid:
        pairs = zip(queries, rankings, strict=True)
        rankings = [only_numbers(query, scores, findings) for query, scores in pairs]
        flat = np.array([*chain.from_iterable(scores.values() for scores in rankings)], dtype=np.float64)
    infinite = np.isinf(flat)
    if infinite.any():
        lists = Segments.of_sizes(np.array([*map(len, rankings)], dtype=np.int64))
        query = queries[int(lists.query[int(np.argmax(infinite))])]
        place = findings.place("ranking", query)
        example = with_ids(f"{place}: score is infinite", f"{place}：分数是无穷大", query)
        findings.add("RG203", example, int(infinite.sum()))
    return rankings, flat


def _has_missing_id(scores: Mapping[Any, Any]) -> bool:
    """Whether an item is None or empty text, or NaN among numbers."""
    if "" in scores or None in scores:
        return True
    return isinstance(next(iter(scores), None), float) and any(map(is_missing_id, scores))


def _descending(flat: Floats, lists: Segments) -> tuple[Floats, Bools]:
    """Return the scores of each query in descending order, and which queries had to be sorted."""
    if lists.count == 1:
        is_rising = bool((flat[1:] > flat[:-1]).any())
        return np.sort(flat)[::-1] if is_rising else flat, np.array([is_rising])
    rising = np.zeros(len(flat), dtype=bool)
    rising[1:] = flat[1:] > flat[:-1]
    rising[lists.starts] = False
    rearranged = np.zeros(lists.count, dtype=bool)
    rearranged[lists.query[rising] if rising.any() else []] = True
    if rearranged.all() and (lists.sizes == lists.sizes[0]).all():
        return -np.sort(-flat.reshape(lists.count, -1), axis=1).ravel(), rearranged
    for number in np.flatnonzero(rearranged).tolist():
        start, end = lists.offsets[number], lists.offsets[number + 1]
        flat[start:end] = np.sort(flat[start:end])[::-1]
    return flat, rearranged


def _above_and_tied(ordered: Floats, lists: Segments, number: Ints, score: Floats) -> tuple[Ints, Ints]:
    """Return the number of scores of the query above each of these, and tied with it, itself included."""
    if lists.count <= FEW_LISTS:
        return _by_bisecting_each(ordered, lists, number, score)
    above = count_above(ordered, lists, number, score, or_equal=False)
    tied = np.ones(len(number), dtype=np.int64)
    below = lists.offsets[number] + above + 1
    same = np.flatnonzero((below < lists.offsets[number + 1]) & (ordered[np.minimum(below, len(ordered) - 1)] == score))
    tied[same] = count_above(ordered, lists, number[same], score[same], or_equal=True) - above[same]
    return above, tied


def _by_bisecting_each(ordered: Floats, lists: Segments, number: Ints, score: Floats) -> tuple[Ints, Ints]:
    """Return what ``_above_and_tied`` does, list by list: a few calls cost less than the steps of one bisection."""
    above, tied = np.empty(len(number), dtype=np.int64), np.empty(len(number), dtype=np.int64)
    rising, wanted, ends, end = -ordered, -score, lists.offsets.tolist(), 0
    counts = [len(number)] if lists.count == 1 else np.bincount(number, minlength=lists.count).tolist()
    for query, count in enumerate(counts):
        if count:
            own, rows = rising[ends[query] : ends[query + 1]], slice(end, end := end + count)
            above[rows] = own.searchsorted(wanted[rows])
            tied[rows] = own.searchsorted(wanted[rows], "right") - above[rows]
    return above, tied


def count_above(ordered: Floats, lists: Segments, number: Ints, score: Floats, *, or_equal: bool) -> Ints:
    """Return the number of scores of the query above each of these (or equal), by one bisection for all."""
    low = np.zeros(len(number), dtype=np.int64)
    high = lists.sizes[number]
    start = lists.offsets[:-1][number]
    for _ in range(int(high.max(initial=0)).bit_length()):
        middle = (low + high) // 2
        open_ = low < high
        here = ordered[np.minimum(start + middle, len(ordered) - 1)]
        higher = open_ & ((here >= score) if or_equal else (here > score))
        low = np.where(higher, middle + 1, low)
        high = np.where(open_ & ~higher, middle, high)
    return low


def scores_of(query: Any, returned: Any, convention: Convention, findings: Findings) -> Mapping[Any, Any]:
    """Return the score of each item of one query: as given, or by position in a sequence.

    Later copies of an item have keys of their own.
    """
    if isinstance(returned, Mapping):
        return returned
    if isinstance(returned, RepeatedItems):
        scores_by_key = scores_with_copies(query, returned, returned.scores, convention, findings)
        return _with_further(scores_by_key, returned.further) if isinstance(returned, FoundItems) else scores_by_key
    items = _listed(query, returned)
    scores = [1 / (1 + place) for place in range(len(items))]  # above 0: listed items were returned
    return scores_with_copies(query, items, scores, convention, findings)


def _with_further(scores: Mapping[Any, Any], further: Mapping[Any, int]) -> Mapping[Any, Any]:
    """Return the scores with the number of further judged items that some items stand for."""
    if not further:
        return scores
    scores = scores if isinstance(scores, ScoresWithCopies) else ScoresWithCopies(scores)
    scores.further = further
    return scores


def _further(rankings: Sequence[Mapping[Any, Any]], keys: Sequence[Any], number: Ints) -> Ints | None:
    """Return how many further judged items each row stands for; None if none does."""
    counts = [scores.further if isinstance(scores, ScoresWithCopies) else {} for scores in rankings]
    if not any(counts):
        return None
    return np.array([counts[query].get(key, 0) for query, key in zip(number.tolist(), keys, strict=True)])


def _listed(query: Any, returned: Any) -> list[Any]:
    if isinstance(returned, AbstractSet) or not is_listing(returned):
        raise InputError(
            f"query {shown(query)}: its ranking is {shown(returned)}; it must be "
            "{item: score} or a list of items, best first"
        )
    items = listed_items(returned, query)
    if items and all(isinstance(item, tuple | list) for item in items):
        raise InputError(
            f"query {shown(query)}: its ranking is a list of {type(items[0]).__name__}s such as {shown(items[0])}; "
            "pass {item: score}, or a list of items, best first"
        )
    return items


def only_numbers(query: Any, scores: Mapping[Any, Any], findings: Findings) -> dict[Any, Any]:
    """Return the scores that are numbers; the others are reported."""
    kept = type(scores)() if isinstance(scores, ScoresWithCopies) else {}
    for item, score in scores.items():
        text = shown(score)
        if is_missing_id(item_of(item)):
            problem = "RG208", "an item id is empty", "物品的标识为空"
        elif not isinstance(score, Real) or isinstance(score, np.timedelta64):
            problem = "RG201", f"score {text} is not a number", f"分数 {text} 不是数字"
        elif not fits_double(score):
            problem = "RG201", f"score {text} is too large for double precision", f"分数 {text} 超出双精度的范围"
        elif score != score:  # noqa: PLR0124 (only NaN differs from itself)
            problem = "RG202", "score is nan", "分数为 nan"
        else:
            kept[item] = score
            continue
        (code, en, zh), place = problem, findings.place("ranking", query)
        findings.add(code, with_ids(f"{place}: {en}", f"{place}：{zh}", query, item))
    return kept


def check_grades(judgments: Judgments, findings: Findings) -> Judgments:
    """Return the judgments whose grades are finite numbers; the others are reported."""
    try:
        values = [grades.values() for grades in judgments.values()]
        all_grades = np.fromiter(chain.from_iterable(values), np.float64, sum(map(len, values)))
        are_text = not {*map(type, chain.from_iterable(values))}.isdisjoint(NOT_NUMBERS)
        ids = chain([judgments], judgments.values())
        if np.isfinite(all_grades).all() and not are_text and not any(map(_has_missing_id, ids)):
            note_grades(all_grades, lambda row: _place(judgments, row), findings)
            return judgments
    except (TypeError, ValueError, AttributeError, OverflowError):
        pass
    checked: dict[Any, dict[Any, Any]] = {}
    for query, grades in judgments.items():
        if not isinstance(grades, Mapping):
            raise InputError(f"query {shown(query)}: its judgments are {shown(grades)}; they must be {{item: grade}}")
        if is_missing_id(query):
            name = shown(query)
            findings.add("RG208", (f"judgments: the query id is {name}", f"标注：查询的标识为 {name}"))
            continue
        checked[query] = {}
        for item, grade in grades.items():
            if is_missing_id(item):
                findings.add("RG208", with_ids("judgments: an item id is empty", "标注：物品的标识为空", query, item))
            elif is_finite(grade):
                checked[query][item] = grade
            else:
                en, zh = f"grade {shown(grade)} is not a finite number", f"等级 {shown(grade)} 不是有限的数"
                findings.add("RG204", with_ids(f"judgments: {en}", f"标注：{zh}", query, item))
    note_grades(_numbers([*checked.values()]), lambda row: _place(checked, row), findings)
    return checked


def _place(judgments: Judgments, row: int) -> Phrase:
    pairs = ((query, item) for query, grades in judgments.items() for item in grades)
    query, item = map(shown, next(islice(pairs, row, None)))
    return Phrase(f"(query {query}, item {item})", f"（查询 {query}，物品 {item}）")


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
    """Return the number of tied items before each row; only rows with a tied score are looked at."""
    before = np.zeros(len(number), dtype=np.int64)
    rows = np.flatnonzero(tied > 1)
    if convention.ties in DECIDED_BY_GRADES or not len(rows):
        return before
    columns = [column[rows].tolist() for column in (number, above, tied, score)]
    members: dict[tuple[int, int], list[Any]] = {}
    for query, start, size, value in zip(*columns, strict=True):
        if (query, start) not in members:
            scores = rankings[query]
            if rearranged[query]:
                members[query, start] = [item for item in scores if _same(scores[item], value, convention)]
            else:
                members[query, start] = [*islice(scores, start, start + size)]  # tied scores are contiguous
    run = np.repeat(np.arange(len(members)), [*map(len, members.values())])
    ids = [*chain.from_iterable(members.values())]
    places = iter(tie_places(ids, run, convention).tolist())
    place_of = {key: dict(zip(items, places, strict=False)) for key, items in members.items()}
    keys = zip(columns[0], columns[1], items_at(rows.tolist()), strict=True)
    before[rows] = [place_of[query, start][item] for query, start, item in keys]
    return before


def _same(score: Any, other: Any, convention: Convention) -> bool:
    value = float(score)
    return bool(as_single(value) == other if convention.score_precision == "float32" else value == other)


def _numbers(mappings: Sequence[Mapping[Any, Any]]) -> Floats:
    """Return the values of all mappings in one array."""
    return np.fromiter(
        chain.from_iterable(mapping.values() for mapping in mappings), np.float64, sum(map(len, mappings))
    )
