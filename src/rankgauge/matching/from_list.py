"""Match one list of grades, in the order in which a system returned the items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from numbers import Real
from typing import Any

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.conventions.order import DECIDED_BY_GRADES
from rankgauge.errors import InputError, ParameterError, shown
from rankgauge.matching.apply_rules import Worth, apply_rules_to_rows
from rankgauge.matching.copies import FIRST, REMOVED, kinds_of_copies
from rankgauge.matching.item_places import NOTHING_RARE, RareColumns, Unlisted, padded
from rankgauge.matching.judged_rankings import JudgedRankings
from rankgauge.matching.matched import Matched
from rankgauge.matching.tie_order import tie_places
from rankgauge.rendering.language import Phrase, plural
from rankgauge.segments import Array, Bools, Floats, Ints, Segments, as_single
from rankgauge.value_checks import fits_double, is_integer, is_listing, unhashable_id, unmasked

PLAIN = {int, float}
MAX_COUNT = 2**53
"""Counts from here on are not exact in double precision."""


IDEAL_LACKS = Phrase(
    "ideal has the grades of all judged items, returned or not, but the list has more items of grade {grades}; add "
    "them to ideal",
    "ideal 是所有已标注物品的等级（无论是否返回），但列表中等级为 {grades} 的物品更多；请把它们加入 ideal",
)


@dataclass(slots=True)
class RankedList:
    """One evaluated list, with the item and grade at each rank."""

    judged: JudgedRankings
    items: Sequence[Any] | None
    """Item ids in the caller's order."""
    shares_positions: bool
    """Whether tied items share their ranks (averaged ties)."""
    grades: Floats
    """Grades in the caller's order; NaN if unjudged."""
    source: Ints | None = None
    """Position in the caller's list of the item at rank 1, 2, ...; None if the list is in rank order."""
    rows: Ints | None = None
    """Position in the caller's list of each row of ``judged``; None if every item has a row, in order."""
    copy: Bools | None = None
    """Whether each item of the caller's list is a later copy of another; None if there are none."""
    tied: int = 0
    """Number of items that have the same score as another."""

    def is_copy(self, rank: int) -> bool:
        """Whether the item at a rank is a later copy of another; False where tied items share ranks."""
        return self.copy is not None and not self.shares_positions and bool(self.copy[self._place(rank)])

    def item_at(self, rank: int) -> Any:
        """Return the item at a rank; None if items have no ids."""
        return None if self.items is None else self.items[self._place(rank)]

    def grade_at(self, rank: int) -> float:
        """Return the grade at a rank; NaN if unjudged."""
        return float(self.grades[self._place(rank)])

    def only_judged(self, k: Floats | int | None) -> RankedList:
        """Return what remains of the top k without unjudged items."""
        kept = self.judged.judged_within(k)
        rows = np.flatnonzero(kept) if self.rows is None else self.rows[kept]
        return replace(self, judged=self.judged.only_judged(k), source=rows, rows=rows)

    def _place(self, rank: int) -> int:
        return rank - 1 if self.source is None else int(self.source[rank - 1])


def rank_list(
    grades: Iterable[object],
    *,
    scores: Iterable[object] | None = None,
    items: Iterable[object] | None = None,
    ideal: Iterable[object] | None = None,
    relevant: int | None = None,
    unreturned: Iterable[object] | None = None,
    rel: float,
    convention: Convention,
    worth: Worth | None = None,
    further: Mapping[object, Sequence[float]] | None = None,
    ideal_rows: float | None = None,
) -> RankedList:
    """Rank and match one list under the rules of the convention.

    ``grades`` has a grade for each returned item, None if unjudged, in list order or by ``scores``. The other judgments
    are given by ``unreturned`` (their grades), by ``ideal`` (the grades of all judged items) or by
    ``relevant`` (the total number of relevant items). ``worth`` orders tied items under ``ties="best"``;
    ``further`` has the grades of the further judged items that some items stand for; ``ideal_rows`` is the number of
    ranks of the ideal order that count, None if only the number of relevant items does.
    """
    values, known = _graded(grades, convention)
    names = None if items is None else _read_items(items, len(values), convention)
    points = None if scores is None else _read_scores(scores, len(values), convention)
    kinds = None if names is None else _copies(names, values, known, points, convention)
    once = values if kinds is None else values[kinds == FIRST]
    returned = once if known is None else once[known if kinds is None else known[kinds == FIRST]]
    pool = _pool(returned, ideal, relevant, unreturned, convention)
    if ideal is not None:
        _check_ideal(returned, pool, rel, ideal_rows)
    unlisted = None if relevant is None else _unlisted(returned, relevant, rel)
    lowest = min(values.min(initial=0), 0 if pool is values else pool.min(initial=0), 0 if unlisted is None else rel)
    if known is None and points is None and kinds is None and lowest >= 0 and not further:
        return _in_rank_order(values, names, pool, unlisted)
    if known is not None:
        values[~known] = np.nan
    by_score, above, tied, before = _order(points, names, len(values), convention)
    has_row = ~np.isnan(values) if kinds is None else ~np.isnan(values) | (kinds > FIRST)
    every_row = not isinstance(convention.unjudged, str) or convention.tied_at_k == "all"
    rows = by_score if every_row else by_score[has_row[by_score]]
    matched = Matched(
        query=np.zeros(len(rows), dtype=np.int64),
        grade=values[rows],
        above=above[rows],
        tied=tied[rows],
        before=before[rows],
        returned=np.array([len(values)]),
        pool_query=np.zeros(len(pool), dtype=np.int64),
        pool_grade=pool,
        positive=None if points is None or convention.hit_if == "returned" else points[rows] > 0,
        unlisted=unlisted,
        copy=None if kinds is None else kinds[rows],
        further=_further(further, names, kinds, rows) if further and names else None,
    )
    judged, taken = apply_rules_to_rows(matched, convention, worth)
    if kinds is not None and convention.duplicates in REMOVED:
        by_score = by_score[kinds[by_score] == FIRST]
    shown = _places_by_rank(judged, rows, taken, by_score, convention)
    if not isinstance(convention.unjudged, str):
        values = np.where(np.isnan(values), float(convention.unjudged), values)
    averaged, later = convention.ties == "mean", None if kinds is None else kinds > FIRST
    return RankedList(judged, names, averaged, values, shown, rows[taken], later, int((tied > 1).sum()))


def _in_rank_order(
    values: Floats, names: Sequence[object] | None, pool: Floats, unlisted: Unlisted | None
) -> RankedList:
    """Return a list in which every item is judged and no rule changes anything."""
    rows_of_list = Segments(np.array([0, len(values)]))
    in_pool = rows_of_list if len(pool) == len(values) else Segments(np.array([0, len(pool)]))
    rare = NOTHING_RARE if unlisted is None else RareColumns(unlisted=unlisted)
    columns = rows_of_list, rows_of_list.place(), values, rows_of_list.sizes
    judged = JudgedRankings(*columns, in_pool, -np.sort(-pool), rare=rare)
    return RankedList(judged, names, shares_positions=False, grades=values)


def _places_by_rank(judged: JudgedRankings, rows: Ints, taken: Ints, in_list: Ints, convention: Convention) -> Ints:
    """Return the position in the caller's list of the item at each rank; averaged ties leave the order of the list."""
    placed, rank = rows[taken], judged.rank
    if (copies := judged.rare.copies) is not None:
        placed = np.concatenate((placed, rows[copies.row]))
        rank = np.concatenate((rank, copies.rank))
    if convention.ties != "mean":
        around = convention.ties == "mean-rank"
        return _shown_order(placed, rank, int(judged.returned[0]), in_list, around=around)
    return in_list[np.isin(in_list, placed)] if convention.unjudged == "removed" else in_list


def _further(
    grades: Mapping[object, Sequence[float]], names: Sequence[object], kinds: Ints | None, rows: Ints
) -> Floats | None:
    """Return the grades of the further judged items that each row stands for."""
    first = [kinds is None or kinds[place] == FIRST for place in rows.tolist()]
    pairs = zip(rows.tolist(), first, strict=True)
    return padded([grades.get(names[place]) if is_first else None for place, is_first in pairs])


def _shown_order(rows: Ints, rank: Floats, count: int, by_score: Ints, *, around: bool) -> Ints:
    """Return the item at each rank: those with a rank at (or ``around``) theirs, the others at the remaining ranks."""
    order = np.argsort(rank, kind="stable")
    at_rank = np.full(count, -1)
    at_rank[places_of(rank[order], around=around) - 1] = rows[order]
    others = by_score[~np.isin(by_score, rows)]
    at_rank[at_rank < 0] = others[: count - len(rows)]
    return at_rank


def _copies(
    names: Sequence[object], values: Floats, known: Bools | None, points: Floats | None, convention: Convention
) -> Ints | None:
    """Return which items are later copies, as ``Matched.copy``; None if there are none. Copies have one grade."""
    if len(set(names)) == len(names):
        return None
    grades: dict[object, float | None] = {}
    for place, name in enumerate(names):
        grade = float(values[place]) if known is None or known[place] else None
        if grades.setdefault(name, grade) != grade:
            raise InputError(
                f"items: {shown(name)} is in the list with the grades {shown(grades[name])} and {shown(grade)}; "
                "the copies of an item have the same grade"
            )
    return kinds_of_copies(names, points, convention)


def places_of(rank: Floats, *, around: bool = False) -> Ints:
    """Return a distinct position for each row of one list; rows of one rank take those up to it or ``around`` it."""
    row = np.arange(len(rank))
    first_of_run, after_run = np.searchsorted(rank, rank), np.searchsorted(rank, rank, side="right")
    last = rank + (after_run - first_of_run - 1) / 2 if around else rank
    places: Ints = last.astype(np.int64) - (after_run - 1 - row)
    return places


def read_grades(grades: Iterable[Any], what: str = "grades") -> tuple[Floats, Bools | None]:
    """Return grades as numbers, and which of them are known (None if all are).

    >>> read_grades([3, None, 1.5])
    (array([3. , 0. , 1.5]), array([ True, False,  True]))
    """
    if isinstance(grades, np.ndarray):
        values = _read_array(unmasked(grades, what, may_be_missing=True), what)
        known = None
        if isinstance(grades, np.ma.MaskedArray) and (missing := np.isnan(values)).any():
            known, values = ~missing, np.where(missing, 0.0, values)
    else:
        listed = _listed(grades, what, "a list of numbers, with None for an unjudged item")
        known = None
        if not {*map(type, listed)} <= PLAIN:
            known = _check_each(listed, what)
        try:
            values = np.array(listed if known is None else [grade or 0.0 for grade in listed], dtype=np.float64)
        except OverflowError:
            raise InputError(f"{what}: a grade is too large for double precision") from None
    if not np.isfinite(values).all():
        place = int(np.flatnonzero(~np.isfinite(values))[0])
        raise InputError(
            f"{what}[{place}] is {values[place]}; a grade must be a finite number, or None for an unjudged item"
        )
    return values, known


def _graded(grades: Iterable[object], convention: Convention, what: str = "grades") -> tuple[Floats, Bools | None]:
    """Return what ``read_grades`` does, after the rules that change grades."""
    values, known = read_grades(grades, what)
    return convention.changed(values), known


def _check_each(grades: list[object], what: str) -> Bools | None:
    """Return which grades are known (None if all are); raise an error if one is not a number."""
    for place, grade in enumerate(grades):
        if grade is not None and not isinstance(grade, Real):
            raise InputError(
                f"{what}[{place}] is {shown(grade)}; a grade must be a finite number, or None for an unjudged item"
            )
    known = np.array([grade is not None for grade in grades])
    return None if known.all() else known


def _read_array(values: Array, what: str) -> Floats:
    if values.ndim != 1:
        raise InputError(f"{what} must be one list, not an array of {values.ndim} dimensions")
    if values.dtype.kind not in "iufb":
        raise InputError(f"{what} must be an array of numbers, not of {values.dtype}")
    return values.astype(np.float64)


def _listed(values: Iterable[object], what: str, expected: str) -> list[Any]:
    if not is_listing(values):
        raise ParameterError.of(what, values, expected)
    return list(values)


def _check_count(name: str, count: int, grades: int, singular: str, plural_form: str) -> None:
    if count != grades:
        what = f"{plural(count, singular, plural_form)} for {plural(grades, '# grade', '# grades')}"
        chinese = f"{name} 有 {count} 个，而等级有 {grades} 个；应逐一对应"
        raise InputError((f"{name} has {what}; pass one for each grade", chinese))


def _read_items(items: Iterable[object], count: int, convention: Convention) -> list[object]:
    names = _listed(items, "items", "a list of ids")
    _check_count("items", len(names), count, "# id", "# ids")
    try:
        distinct = len(set(names))
    except TypeError:
        raise unhashable_id(names, "items") from None
    if convention.duplicates == "error" and distinct != count:
        twice = next(name for place, name in enumerate(names) if name in names[:place])
        raise InputError(
            f"items: {shown(twice)} is in the list more than once; remove the copy, or say how it counts by the "
            "rule duplicates: first, close-up, again or set",
            ["RG301"],
        )
    return names


def _read_scores(scores: Iterable[object], count: int, convention: Convention) -> Floats:
    if isinstance(scores, np.ndarray):
        points = _read_array(unmasked(scores, "scores"), "scores")
    else:
        listed = _listed(scores, "scores", "a list of numbers")
        for place, score in enumerate(listed):
            if not fits_double(score):
                raise InputError(f"scores[{place}] is {shown(score)}; a score must be a number of double precision")
        points = np.array(listed, dtype=np.float64)
    _check_count("scores", len(points), count, "# number", "# numbers")
    if np.isnan(points).any():
        raise InputError(f"scores[{int(np.flatnonzero(np.isnan(points))[0])}] is nan; a score must be a number")
    return as_single(points).astype(np.float64) if convention.score_precision == "float32" else points


def _order(
    points: Floats | None, names: Sequence[object] | None, count: int, convention: Convention
) -> tuple[Ints, Ints, Ints, Ints]:
    """Return the items by descending score, and for each item the number above it, tied with it, and tied before it."""
    place = np.arange(count)
    if points is None or count == 0:
        return place, place, np.ones(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    by_score = np.argsort(-points, kind="stable")
    runs = Segments.of_runs(points[by_score])
    starts = runs.spread(runs.offsets[:-1])
    if runs.count < count and convention.ties not in DECIDED_BY_GRADES:
        tied_names = None if names is None else [names[place] for place in by_score.tolist()]
        by_score = by_score[np.argsort(starts + tie_places(tied_names, runs.query, convention))]
    above, tied, before = (np.empty(count, dtype=np.int64) for _ in range(3))
    above[by_score], tied[by_score], before[by_score] = starts, runs.spread(runs.sizes), place - starts
    return by_score, above, tied, before


def _pool(
    returned: Floats,
    ideal: Iterable[object] | None,
    relevant: int | None,
    unreturned: Iterable[object] | None,
    convention: Convention,
) -> Floats:
    """Return the grades of all judged items; those of ``relevant`` are unlisted."""
    if ideal is not None:
        if relevant is not None:
            raise ParameterError("pass ideal or relevant, not both: ideal determines the number of relevant items")
        return _other_grades(ideal, convention, "ideal")
    if relevant is None and unreturned is not None:
        return np.concatenate((returned, _other_grades(unreturned, convention, "judgments")))
    return returned


def _check_ideal(returned: Floats, pool: Floats, rel: float, rows: float | None) -> None:
    """Raise an error if a given ideal lacks returned grades above 0 that would change a value."""
    lacking = Counter(returned[returned > 0].tolist()) - Counter(pool.tolist())
    if rows is None:
        changes = bool((returned >= rel).sum() > (pool >= rel).sum())
    else:
        best, complete = (sorted(grades, reverse=True) for grades in (pool, [*pool, *lacking.elements()]))
        changes = any(place < rows for place, pair in enumerate(zip_longest(best, complete)) if len({*pair}) > 1)
    if lacking and changes:
        grades = ", ".join(f"{grade:g}" for grade in sorted(lacking, reverse=True))
        raise InputError(IDEAL_LACKS.fill(grades=grades))


def _unlisted(returned: Floats, relevant: int, rel: float) -> Unlisted | None:
    """Return the relevant items that are not in the list, of which only the number is given."""
    least = int((returned >= rel).sum())
    whole = is_integer(relevant)
    if not whole or not least <= relevant < MAX_COUNT:
        allowed = Phrase(
            f"a whole number of at least {least}, the number of relevant items in the list, and below 2^53",
            f"不小于 {least}（列表中相关物品的数量）且小于 2^53 的整数",
        )
        raise ParameterError.of("relevant", relevant, allowed)
    return Unlisted(int(relevant) - least, float(rel)) if relevant > least else None


def _other_grades(grades: Iterable[object], convention: Convention, what: str) -> Floats:
    values, known = _graded(grades, convention, what)
    if known is not None:
        raise InputError(f"{what}[{int(np.flatnonzero(~known)[0])}] is None; every judged item needs a grade")
    return values
