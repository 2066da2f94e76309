"""Match dicts: only judged items are looked up, and only their ranks are computed.

Touching a Python object costs more than the arithmetic, so the scores of many queries are copied into one array, each
judged item is looked up, and all ranks come from one bisection of the array, which is sorted only if necessary.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from itertools import chain, filterfalse, groupby, islice, repeat
from math import nan
from operator import itemgetter
from typing import Any

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.conventions.order import DECIDED_BY_GRADES
from rankgauge.errors import InputError, shown
from rankgauge.inputs.findings import Findings, with_ids
from rankgauge.inputs.records import RepeatedItems, listed_items
from rankgauge.matching.apply_rules import MORE_THAN_ANY_RANK
from rankgauge.matching.common_ids import FIRST_ITEMS, FIRST_LISTS, NearMatch, UnmatchedIds, first_near_match
from rankgauge.matching.copies import FIRST, Copy, ScoresWithCopies, item_of, scores_with_copies
from rankgauge.matching.descending import count_above, descending_scores
from rankgauge.matching.dict_checks import (
    Judgments,
    NotANumberError,
    has_unusable_id,
    numbers_of,
    only_numbers,
    put_numbers,
)
from rankgauge.matching.gold import FoundItems
from rankgauge.matching.item_places import padded
from rankgauge.matching.matched import Chunk, Matched
from rankgauge.matching.score_checks import collapses, note_large_scores
from rankgauge.matching.tie_order import tie_places
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Bools, Floats, Ints, Segments, as_single
from rankgauge.value_checks import is_listing

QUERIES_AT_A_TIME = 500
"""Queries matched at a time: enough to make array operations cheap, few enough to keep memory flat."""
FEW_LISTS = 24
"""Up to this many lists are bisected one by one."""

Ranking = Mapping[Any, Any]


def match_dicts(
    judgments: Judgments,
    ranking: Ranking,
    queries: Sequence[object],
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
        yield numbers, _match_block(judgments, ranking, block, convention, findings, top, depth, with_notes, not start)


def _match_block(
    judgments: Judgments,
    ranking: Ranking,
    queries: Sequence[object],
    convention: Convention,
    findings: Findings,
    top: int,
    depth: int | None,
    with_notes: bool,
    is_first: bool,
) -> Matched:
    ranked = ((query, ranking.get(query, ())) for query in queries)
    rankings = [
        scores if type(scores) is dict else scores_of(query, scores, convention, findings) for query, scores in ranked
    ]
    pool = [judgments[query] for query in queries]
    pool_grade = numbers_of(pool)
    has_copies = any(isinstance(scores, ScoresWithCopies) for scores in rankings)
    only_judged = isinstance(convention.unjudged, str) and not top and not has_copies
    wanted = pool
    rankings, flat, looked_up = _scores(queries, rankings, pool if only_judged else [()] * len(pool), findings)
    if not only_judged:
        wanted = [_wanted(*pair, convention, top) for pair in zip(pool, rankings, strict=True)]
        looked_up = np.concatenate([*map(_looked_up, rankings, wanted)])
    wanted_rows = Segments.of_sizes(np.array([*map(len, wanted)], dtype=np.int64))
    (returned,) = (~np.isnan(looked_up)).nonzero()  # no score is NaN
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
        grade=(pool_grade if only_judged else numbers_of(wanted))[returned],
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
        near=_near(pool, rankings) if with_notes and is_first else None,
    )


def _unmatched(
    pool: Sequence[Mapping[object, object]], rankings: Sequence[Mapping[object, object]]
) -> UnmatchedIds | None:
    """Return some judged and some returned items of the first query that has both, if no item is in both."""
    pairs = [(grades, scores) for grades, scores in zip(pool, rankings, strict=True) if grades and scores]
    if not pairs or any(not scores.keys().isdisjoint(grades) for grades, scores in pairs):
        return None
    return UnmatchedIds.of(pairs[0][0], map(item_of, pairs[0][1]))


def _near(pool: Sequence[Mapping[object, object]], rankings: Sequence[Mapping[object, object]]) -> NearMatch | None:
    """Return ids that only writing keeps apart, in the first queries and their first items."""
    lists: list[tuple[list[object], list[object]]] = []
    for grades, scores in zip(pool[:FIRST_LISTS], rankings, strict=False):
        if not isinstance(next(iter(grades), None), int):
            missing = [*filterfalse(scores.__contains__, islice(grades, FIRST_ITEMS))]
            items: Iterable[object] = islice(scores, FIRST_ITEMS if missing else 0)
            if isinstance(scores, ScoresWithCopies):
                items = map(item_of, items)
            lists.append((missing, [*filterfalse(grades.__contains__, items)]))
    return first_near_match(lists) if any(others for _, others in lists) else None


def _note_scores(
    ordered: Floats,
    lists: Segments,
    number: Ints,
    above: Ints,
    tied: Ints,
    queries: Sequence[object],
    findings: Findings,
    depth: int | None,
) -> None:
    """Report scores that are equal in single precision, among judged items that can reach the depth, and large ones."""

    def place(row: int) -> Phrase:
        query = queries[int(lists.query[row])]
        where = findings.place("ranking", query)
        return Phrase(f"{where.en}: query {shown(query)}", f"{where.zh}：查询 {shown(query)}")

    rows = slice(None) if depth is None else above < depth
    number, first, last = number[rows], (start := lists.offsets[number[rows]]) + above[rows], tied[rows]
    collapsing = collapses(ordered, first, first + last, start, lists.offsets[number + 1])
    if collapsing.any():
        findings.add("RG211", place(int(start[np.argmax(collapsing)])), int(collapsing.sum()))
    note_large_scores(ordered, place, findings)


def _kinds(keys: Iterable[object]) -> Ints:
    """Return which rows are later copies, as ``Matched.copy``."""
    return np.array([key.kind if isinstance(key, Copy) else FIRST for key in keys], dtype=np.int8)


def _items_at(wanted: Sequence[Mapping[object, object]], returned: Ints, rows: Iterable[int]) -> list[Any]:
    """Return the items of some of the returned rows."""
    items, places = [*chain.from_iterable(wanted)], returned.tolist()
    return [items[places[row]] for row in rows]


def _wanted(
    grades: Mapping[object, object], scores: Mapping[object, object], convention: Convention, top: int
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


def _scores(
    queries: Sequence[object],
    rankings: list[Mapping[object, object]],
    wanted: Sequence[Collection[object]],
    findings: Findings,
) -> tuple[list[Mapping[Any, Any]], Floats, Floats]:
    """Return the rankings, all scores and those of the wanted items; what is not a score is reported and left out."""
    try:
        flat, looked_up = _read_scores(rankings, wanted)
        are_finite = bool(np.isfinite(flat).all())
        valid = (are_finite or not np.isnan(flat).any()) and not any(map(has_unusable_id, rankings))
    except NotANumberError:
        are_finite = valid = False
    if not valid:
        pairs = zip(queries, rankings, strict=True)
        rankings = [only_numbers(query, scores, findings) for query, scores in pairs]
        flat, looked_up = _read_scores(rankings, wanted)
    if not are_finite and (infinite := np.isinf(flat)).any():
        lists = Segments.of_sizes(np.array([*map(len, rankings)], dtype=np.int64))
        query = queries[int(lists.query[int(np.argmax(infinite))])]
        place = findings.place("ranking", query)
        example = with_ids(f"{place.en}: score is infinite", f"{place.zh}：分数是无穷大", query)
        findings.add("RG203", example, int(infinite.sum()))
    return rankings, flat, looked_up


def _read_scores(
    rankings: list[Mapping[object, object]], wanted: Sequence[Collection[object]]
) -> tuple[Floats, Floats]:
    """Return all scores, and those of the wanted items: query by query, while its dict is in the cache."""
    flat, looked_up = np.empty(sum(map(len, rankings))), np.empty(sum(map(len, wanted)))
    row = place = 0
    for scores, items in zip(rankings, wanted, strict=True):
        put_numbers(flat, row, len(scores), scores.values())
        ids = [*items]  # listed first, because that fetches them faster than one lookup after another does
        put_numbers(looked_up, place, len(ids), map(scores.get, ids, repeat(nan)))
        row, place = row + len(scores), place + len(ids)
    return flat, looked_up


def _looked_up(scores: Mapping[object, object], items: Collection[object]) -> Floats:
    """Return the scores of some items, NaN if they were not returned."""
    return np.fromiter(map(scores.get, items, repeat(nan)), np.float64, len(items))


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
    if rearranged.all():
        return descending_scores(flat, lists), rearranged
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


def scores_of(query: object, returned: object, convention: Convention, findings: Findings) -> Mapping[Any, Any]:
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


def _with_further(
    scores: Mapping[object, object], further: Mapping[object, Sequence[float]]
) -> Mapping[object, object]:
    """Return the scores with the grades of the further judged items that some items stand for."""
    if not further:
        return scores
    scores = scores if isinstance(scores, ScoresWithCopies) else ScoresWithCopies(scores)
    scores.further = further
    return scores


def _further(rankings: Sequence[Mapping[object, object]], keys: Sequence[object], number: Ints) -> Floats | None:
    """Return the grades of the further judged items that each row stands for; None if none does."""
    grades = [scores.further if isinstance(scores, ScoresWithCopies) else {} for scores in rankings]
    if not any(grades):
        return None
    return padded([grades[query].get(key) for query, key in zip(number.tolist(), keys, strict=True)])


def _listed(query: object, returned: object) -> list[Any]:
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


def _before_each(
    items_at: Callable[[Iterable[int]], list[Any]],
    rankings: Sequence[Mapping[object, object]],
    rearranged: Bools,
    number: Ints,
    above: Ints,
    tied: Ints,
    score: Floats,
    convention: Convention,
) -> Ints:
    """Return the number of tied items before each row; only rows with a tied score are looked at."""
    before = np.zeros(len(number), dtype=np.int64)
    (rows,) = (tied > 1).nonzero()
    if convention.ties in DECIDED_BY_GRADES or not len(rows):
        return before
    runs = rows[np.unique(number[rows] * MORE_THAN_ANY_RANK + above[rows], return_index=True)[1]]  # a row of each
    columns = (column[runs].tolist() for column in (number, above, tied, score))
    items = _tied_items(zip(*columns, strict=True), rankings, rearranged.tolist(), convention)
    sizes = tied[runs]
    places = tie_places(items, np.repeat(np.arange(len(runs)), sizes), convention).tolist()
    queries = np.repeat(number[runs], sizes).tolist()
    place_of = dict(zip(zip(queries, items, strict=True), places, strict=True))
    before[rows] = [*map(place_of.__getitem__, zip(number[rows].tolist(), items_at(rows.tolist()), strict=True))]
    return before


def _tied_items(
    runs: Iterable[tuple[int, int, int, float]],
    rankings: Sequence[Mapping[object, object]],
    rearranged: Sequence[bool],
    convention: Convention,
) -> list[object]:
    """Return the items of runs of tied scores, given as query, start, size and score, by query and start."""
    items: list[object] = []
    for query, of_query in groupby(runs, key=itemgetter(0)):
        if rearranged[query]:
            by_score = _items_by_score(rankings[query], convention)
            items.extend(chain.from_iterable(by_score[score] for _, _, _, score in of_query))
            continue
        rest, place = iter(rankings[query]), 0
        for _, start, size, _ in of_query:  # tied scores are contiguous
            items.extend(islice(rest, start - place, start - place + size))
            place = start + size
    return items


def _items_by_score(scores: Mapping[object, object], convention: Convention) -> dict[float, list[Any]]:
    """Return the items by their score, in the precision in which scores are compared."""
    items: dict[float, list[object]] = {}
    numbers = numbers_of([scores])
    numbers = as_single(numbers).astype(np.float64) if convention.score_precision == "float32" else numbers
    for item, score in zip(scores, numbers.tolist(), strict=True):
        items.setdefault(score, []).append(item)
    return items
