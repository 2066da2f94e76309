"""Apply the rules for repeated items, grades, unjudged items, ties and the pool: from Matched to JudgedRankings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.conventions.order import DECIDED_BY_GRADES, SHARED_RANK
from rankgauge.errors import InputError
from rankgauge.matching.copies import FIRST, REMOVED, closed_up, kept_places, moved_cutoffs
from rankgauge.matching.item_places import NOTHING_RARE, CopyPlaces, RareColumns, TieRuns, Unlisted
from rankgauge.matching.judged_rankings import JudgedRankings, runs_of_ties
from rankgauge.matching.matched import Matched, Plain
from rankgauge.matching.ties import shared_rank
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Bools, Floats, Ints, Segments

FEW_GRADES, MANY_GRADES = 500, 1 << 20
MORE_THAN_ANY_RANK = 1 << 32
"""Sorts query and rank as one number; the largest rank of the data would differ between recorded batches."""
REORDERING = {*DECIDED_BY_GRADES, "input-reversed"}
"""Tie rules that change the order of the rows of an array."""
Worth = Callable[[Floats, Bools], Floats]
"""From grades, and which items are judged, to the value by which ``ties="best"`` orders tied items."""

NEGATIVE = Phrase(
    "{count:# grade is|# grades are} negative, first {first}, and the convention says negative='error'; use "
    "negative='unjudged', 'zero' or 'keep'",
    "有 {count:,} 个负的等级，首个为 {first}，而约定为 negative='error'；请用 negative='unjudged'、'zero' 或 'keep'",
)


def apply_rules(matched: Matched, convention: Convention) -> JudgedRankings:
    """Apply the rules of the convention."""
    matched = matched.graded(convention)
    if matched.plain is not None and not (matched.plain.ties and convention.ties in REORDERING):
        return _unchanged(matched, matched.plain, _tie_runs(matched, convention, None))
    only_ordered = (  # neither ties nor negative grades: no rule changes anything but the order of the rows
        isinstance(matched.grade, np.ndarray)  # asking a device would wait for it
        and convention.unjudged == "nonrelevant"
        and matched.copy is None
        and matched.further is None
        and matched.unlisted is None
        and matched.plain is None
        and bool((matched.tied == 1).all() and (matched.pool_grade >= 0).all() and (matched.grade >= 0).all())
    )
    if not only_ordered:
        return apply_rules_to_rows(matched, convention)[0]
    query, rank, grade, positive = matched.query, matched.above + 1.0, matched.grade, matched.positive
    later = rank[1:] > rank[:-1]
    if not (later.all() if len(matched.returned) == 1 else (later | (query[1:] > query[:-1])).all()):
        order = np.argsort(query * (int(matched.above.max()) + 1) + matched.above, kind="stable")  # ordered by query
        query, rank, grade = query[order], rank[order], grade[order]
        positive = None if positive is None else positive[order]
    queries = len(matched.returned)
    return JudgedRankings(
        Segments.of_rows(query, queries),
        rank,
        grade,
        matched.returned,
        *_pool(matched.pool_query, matched.pool_grade, queries),
        rare=NOTHING_RARE if positive is None else RareColumns(positive),
    )


def apply_rules_to_rows(
    matched: Matched, convention: Convention, worth: Worth | None = None
) -> tuple[JudgedRankings, Ints]:
    """Apply the rules to graded rows; also return which matched row became each row.

    ``worth`` orders ties under ``ties="best"``.
    """
    repeats, rows = moved_cutoffs(matched, convention), None
    if matched.copy is not None and convention.duplicates in REMOVED:
        matched, rows = closed_up(matched)
    placeholders = kept_places(matched, convention)
    known, pooled, grade, in_place = _graded(matched, placeholders, convention)
    assumed = known & ~in_place
    pool_query, pool_grade = _graded_pool(matched, assumed, grade, convention)
    rank = _ranks(matched, grade, known, convention, worth, known & in_place)
    present = known if convention.unjudged == "removed" else known | pooled
    if placeholders is not None:
        present = present | (placeholders & in_place if convention.unjudged == "removed" else placeholders)
    order = _row_order(matched.query, rank, grade, present)
    query = matched.query[order]
    queries = len(matched.returned)
    segments = Segments.of_rows(query, queries)
    returned, rank, grade, known = matched.returned, rank[order], grade[order], known[order]
    first, size = matched.above[order] + 1.0, 1.0 * matched.tied[order]
    if convention.unjudged == "removed":
        returned, rank = segments.sizes, segments.place()
        first, size = runs_of_ties(query, first, rank)
        if convention.ties in SHARED_RANK:
            rank = shared_rank(first, size, convention.ties)
    runs = _tie_runs(matched, convention, TieRuns(query, first, first + size - 1.0))
    copies = None
    if placeholders is not None:
        copies, (order, query, rank, grade, known, first, size) = _without_placeholders(
            placeholders, order, (query, rank, grade, known, first, size), distinct=convention.duplicates == "set"
        )
        segments = Segments.of_rows(query, queries)
    tied = convention.ties not in {"best", "worst"} and bool((size > 1).any())
    again = None if matched.copy is None or placeholders is not None else matched.copy[order] > FIRST
    judged = JudgedRankings(
        segments,
        rank,
        grade,
        returned,
        *_pool(pool_query, pool_grade, queries),
        judged=None if known.all() else known,
        tie_first=first if tied else None,
        tie_size=size if tied else None,
        rare=RareColumns(
            None if matched.positive is None else matched.positive[order],
            again,
            None if matched.further is None else matched.further[order],
            _outside_ideal(assumed[order], convention),
            copies,
            runs,
            repeats,
            _unlisted(matched.unlisted, convention),
        ),
    )
    taken = np.arange(len(rank), like=rank) if isinstance(order, slice) else order
    return judged, taken if rows is None else rows[taken]


def _graded(matched: Matched, placeholders: Bools | None, convention: Convention) -> tuple[Bools, Bools, Floats, Bools]:
    """Return what ``_known`` does under all rules for grades, and what is judged in its place.

    ``placeholders`` are copies that keep their places, and have no grade of their own.
    """
    known, pooled, grade = _known(matched.grade, convention)
    in_place = known
    if placeholders is not None:
        known, grade = known & ~placeholders, np.where(placeholders, 0.0, grade)
    if not isinstance(convention.unjudged, str):
        assumed = ~known if placeholders is None else ~(known | placeholders)
        known, grade = known | assumed, np.where(assumed, float(convention.unjudged), grade)
    return known, pooled, grade, in_place


def _graded_pool(matched: Matched, assumed: Bools, grade: Floats, convention: Convention) -> tuple[Ints, Floats]:
    """Return the query and the grade of all judged items, and of rows with an assumed grade if they belong to them."""
    known, _, pool_grade = _known(matched.pool_grade, convention)
    pool_query = matched.pool_query
    if not known.all():
        pool_query, pool_grade = pool_query[known], pool_grade[known]
    if not isinstance(convention.unjudged, str) and convention.unjudged_in_ideal == "yes":
        once = assumed if matched.copy is None else assumed & (matched.copy == FIRST)
        pool_query = np.concatenate((pool_query, matched.query[once]))
        pool_grade = np.concatenate((pool_grade, grade[once]))
    return pool_query, pool_grade


def _outside_ideal(assumed: Bools, convention: Convention) -> Bools | None:
    """Return which rows have an assumed grade and belong to neither the ideal nor R; None if there are none."""
    if isinstance(convention.unjudged, str) or convention.unjudged_in_ideal == "yes":
        return None
    return assumed if assumed.any() else None


def _unlisted(unlisted: Unlisted | None, convention: Convention) -> Unlisted | None:
    """Return the judged items known by their number, with the rule for negative grades applied."""
    if unlisted is None:
        return None
    known, _, grade = _known(np.array([unlisted.grade]), convention)
    return Unlisted(unlisted.number, grade.item()) if known.item() else None


def _without_placeholders(
    placeholders: Bools, order: Ints | slice, columns: tuple[Any, ...], *, distinct: bool
) -> tuple[CopyPlaces, tuple[Any, ...]]:
    """Return the places of the copies that only keep them, and order and columns without these rows."""
    order = np.arange(len(placeholders)) if isinstance(order, slice) else order
    copy = placeholders[order]
    query, rank, _, _, first, _ = (column[copy] for column in columns)
    places = CopyPlaces(query, rank, first, order[copy], distinct)
    return places, tuple(column[~copy] for column in (order, *columns))


def _tie_runs(matched: Matched, convention: Convention, left: TieRuns | None) -> TieRuns | None:
    """Return the runs of ties, if a rule lets them enlarge a cutoff.

    ``left`` are those that remain without unjudged items; None if there are no unjudged items.
    """
    if convention.tied_at_k == "cut":
        return None
    if convention.unjudged == "removed" and left is not None:
        return left
    tied = matched.tied > 1
    first = matched.above[tied] + 1.0
    return TieRuns(matched.query[tied], first, first + matched.tied[tied] - 1.0)


def _unchanged(matched: Matched, plain: Plain, runs: TieRuns | None) -> JudgedRankings:
    """Return rows that no rule changes; tied rows keep their order."""
    return JudgedRankings(
        plain.rows,
        plain.rows.place() if plain.by_place else matched.above + matched.before + 1.0,
        matched.grade,
        matched.returned,
        plain.pool,
        matched.pool_grade,
        tie_first=matched.above + 1.0 if plain.ties else None,
        tie_size=1.0 * matched.tied if plain.ties else None,
        by_place=plain.by_place,
        pool_descends=False,
        rare=RareColumns(matched.positive, tie_runs=runs),
    )


def top_rows(
    matched: Matched, convention: Convention, depth: float, *, grades: bool = True
) -> tuple[Ints | slice, Floats, Floats]:
    """Return the rows down to rank ``depth``, by query and rank, with their ranks and grades (NaN if unjudged).

    Without ``grades`` no rule may read them, and they are empty.
    """
    rows = None
    if matched.copy is not None and convention.duplicates in REMOVED:
        matched, rows = closed_up(matched)
    placeholders = kept_places(matched, convention)
    if grades:
        known, _, grade, in_place = _graded(matched.graded(convention), placeholders, convention)
    else:
        known = in_place = np.empty(0, dtype=bool)
        grade = np.empty(0)
    rank = _ranks(matched, grade, known, convention, None, known & in_place)
    order = _by_query_and_rank(matched.query, rank)
    if convention.unjudged == "removed":
        order = _kept_in_order(order, in_place)
        rank[order] = Segments.of_rows(matched.query[order], len(matched.returned)).place()
    order = _kept_in_order(order, rank <= depth if placeholders is None else (rank <= depth) & ~placeholders)
    if grades:
        grade = np.where(known, grade, np.nan)[order]
    return order if rows is None else rows[order], rank[order], grade


def judged_rows(matched: Matched, convention: Convention) -> Bools:
    """Return which rows have a judgment, not only an assumed grade."""
    return _known(matched.graded(convention).grade, convention)[0]


def _by_query_and_rank(query: Ints, rank: Floats) -> Ints | slice:
    """Return the order of rows by query and rank; most are in it already."""
    later = (rank[1:] >= rank[:-1]) | (query[1:] > query[:-1])
    return slice(None) if later.all() and (query[1:] >= query[:-1]).all() else np.lexsort((rank, query))


def _kept_in_order(order: Ints | slice, kept: Bools) -> Ints | slice:
    """Return the kept rows in this order."""
    if kept.all():
        return order
    return np.flatnonzero(kept) if isinstance(order, slice) else order[kept[order]]


def _ranks(
    matched: Matched,
    grade: Floats,
    known: Bools,
    convention: Convention,
    worth: Worth | None,
    judged: Bools | None = None,
) -> Floats:
    """Return the rank of each row, with ties ordered by the rule; ``judged`` are those without an assumed grade."""
    before = matched.before
    if convention.ties in {"best", "worst"} and (matched.tied > 1).any():
        value = worth(grade, known) if worth else np.where(known, grade, 0.0)
        certain = known if judged is None else judged
        before = _by_worth(matched, value, grade, certain, 1 if convention.ties == "best" else -1)
    elif convention.ties == "mean":
        before = np.zeros_like(before)
    elif convention.ties in SHARED_RANK:
        return shared_rank(matched.above + 1.0, 1.0 * matched.tied, convention.ties)
    return matched.above + before + 1.0


def _known(grade: Floats, convention: Convention) -> tuple[Bools, Bools, Floats]:
    """Return which items are judged, which are in the pool unjudged, and the grades by the rule for negative ones."""
    unjudged = np.isnan(grade)
    negative = grade < 0
    if not negative.any():
        return ~unjudged, np.zeros_like(grade, dtype=bool), np.where(unjudged, 0.0, grade) if unjudged.any() else grade
    if convention.negative == "error":
        raise InputError(NEGATIVE.fill(count=int(negative.sum()), first=f"{grade[negative][0]:g}"))
    resolved = np.where(unjudged | (negative & (convention.negative != "keep")), 0.0, grade)
    pooled = negative & (convention.negative == "unjudged")
    return ~unjudged & ~pooled, pooled, resolved


def _by_worth(matched: Matched, value: Floats, grade: Floats, known: Bools, sign: int) -> Ints:
    """Return the number of tied items before each row if the most worth comes first; items without a row are worth 0.

    Equal worth is ordered by grade, then by whether the item is judged, then by whether it is a later copy, never by
    the order of the rows: an unjudged item is a little worse than one judged at grade 0.
    """
    worth = sign * value
    copies = () if matched.copy is None else (matched.copy > FIRST,)
    order = np.lexsort((*copies, -sign * known, -sign * grade, -worth, matched.above, matched.query))
    runs = Segments.of_runs(matched.query[order], matched.above[order])
    others = runs.spread(matched.tied[order][runs.offsets[:-1]] - runs.sizes)
    before = np.empty_like(order, dtype=np.int64)
    behind = (worth < 0) | (known & (worth == 0)) if sign < 0 else worth < 0
    before[order] = runs.place() - 1 + others * behind[order]
    return before


def _row_order(query: Ints, rank: Floats, grade: Floats, present: Bools) -> Ints | slice:
    """Return the present rows by query and rank; rows of equal rank (averaged ties) are ordered by grade."""
    place = query * MORE_THAN_ANY_RANK + rank.astype(np.int64)
    if (place[1:] > place[:-1]).all():
        return slice(None) if present.all() else np.flatnonzero(present)
    order = np.arange(len(place), like=place) if (place[1:] >= place[:-1]).all() else np.argsort(place, kind="stable")
    repeats = place[order[1:]] == place[order[:-1]]
    if repeats.any():
        runs = Segments.of_runs(place[order])
        shared = np.flatnonzero(runs.spread(runs.sizes > 1))
        rows = np.sort(order[shared])
        order[shared] = rows[np.lexsort((-grade[rows], place[rows]))]
    return order if present.all() else order[present[order]]


def _pool(query: Ints, grade: Floats, queries: int) -> tuple[Segments, Floats]:
    """Return the judged grades of each query in descending order."""
    if queries == 1:
        return Segments(np.array([0, len(grade)]), len(grade), query), -np.sort(-grade)
    segments = Segments.of_sizes(np.bincount(query, minlength=queries), len(query))
    same_query = query[1:] == query[:-1]
    if ((query[1:] > query[:-1]) | (same_query & (grade[1:] <= grade[:-1]))).all():
        return segments, grade
    with np.errstate(invalid="ignore"):  # a grade beyond 64 bits is not whole
        whole = grade.astype(np.int64)
    top, low = (int(whole.max()), int(whole.min())) if len(whole) else (0, 0)
    if top - low < MANY_GRADES and (whole == grade).all():
        # Few distinct integer grades: query and grade are one number; counting many is faster than sorting.
        span = top - low + 1
        keys = query * span + (top - whole)
        if isinstance(keys, np.ndarray) and queries * span <= len(keys) and len(keys) > FEW_GRADES:
            counts = np.bincount(keys, minlength=queries * span)
            return segments, np.repeat(np.tile(np.arange(top, low - 1, -1.0), queries), counts)
        return segments, top - np.sort(keys) % span * 1.0
    return segments, grade[np.lexsort((-grade, query))]
