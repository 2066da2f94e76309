"""From one list of grades, in the order in which a system returned the items, to a JudgedRankings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.errors import InputError, ParameterError, shown
from rankgauge.matching.apply_rules import Worth, settle_rows
from rankgauge.matching.judged_rankings import JudgedRankings
from rankgauge.matching.matched import Matched
from rankgauge.segments import Bools, Floats, Ints, Segments

PLAIN = {int, float}


@dataclass(slots=True)
class RankedList:
    """One list as it was evaluated, and what stood at each rank."""

    judged: JudgedRankings
    items: Sequence[Any] | None
    """The caller's names of the items, in the caller's order."""
    shares_positions: bool
    """Whether tied items stand in every order at once."""
    grades: Floats
    """The caller's grades, in the caller's order; NaN where nobody judged."""
    source: Ints | None = None
    """The place in the caller's list of the item at rank 1, 2, ...; None where the list is in order."""
    rows: Ints | None = None
    """The place in the caller's list of each row of ``judged``; None where every item has one, in order."""

    def item_at(self, rank: int) -> Any:
        """The item that stands at a rank; None where the items have no names."""
        return None if self.items is None else self.items[self._place(rank)]

    def grade_at(self, rank: int) -> float:
        """The grade of what stands at a rank; NaN where nobody judged."""
        return float(self.grades[self._place(rank)])

    def _place(self, rank: int) -> int:
        return rank - 1 if self.source is None else int(self.source[rank - 1])


def rank_list(
    grades: Iterable[Any],
    *,
    scores: Iterable[Any] | None = None,
    items: Iterable[Any] | None = None,
    ideal: Iterable[Any] | None = None,
    relevant: int | None = None,
    unreturned: Iterable[Any] | None = None,
    rel: float,
    convention: Convention,
    worth: Worth | None = None,
) -> RankedList:
    """One list, ranked and matched under the rules of the convention.

    ``grades`` has a grade for each returned item and None for an unjudged one; the order is that of the
    list, or of ``scores`` where they are given. What else was judged is told by ``unreturned`` (the grades
    of those items), by ``ideal`` (the grades of all judged items) or by ``relevant`` (how many items are
    relevant in all). ``worth`` says what ``ties="best"`` puts first; without it, the grade.
    """
    values, known = read_grades(grades)
    names = None if items is None else _read_items(items, len(values))
    pool = _pool(values if known is None else values[known], ideal, relevant, unreturned, rel)
    if known is None and scores is None and values.min(initial=0) >= 0 and pool.min(initial=0) >= 0:
        whole = Segments(np.array([0, len(values)]))  # nothing for a rule to settle
        in_pool = whole if len(pool) == len(values) else Segments(np.array([0, len(pool)]))
        judged = JudgedRankings(whole, whole.place(), values, whole.sizes, in_pool, -np.sort(-pool))
        return RankedList(judged, names, shares_positions=False, grades=values)

    points = None if scores is None else _read_scores(scores, len(values), convention)
    if known is not None:
        values[~known] = np.nan
    by_score, above, tied, before = _order(points, names, len(values), convention)
    rows = by_score if not isinstance(convention.unjudged, str) else by_score[~np.isnan(values[by_score])]
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
    )
    judged, taken = settle_rows(matched, convention, worth)
    averaged = convention.ties == "mean"
    shown = by_score if averaged else _shown_order(rows[taken], judged, by_score)
    if averaged and convention.unjudged == "removed":
        shown = by_score[np.isin(by_score, rows[taken])]
    elif not isinstance(convention.unjudged, str):
        values = np.where(np.isnan(values), float(convention.unjudged), values)
    return RankedList(judged, names, averaged, values, shown, rows[taken])


def _shown_order(rows: Ints, judged: JudgedRankings, by_score: Ints) -> Ints:
    """The item at each rank: the judged ones where they were ranked, the others in the places that are left."""
    count = int(judged.returned[0])
    at_rank = np.full(count, -1)
    at_rank[places_of(judged.rank) - 1] = rows
    others = by_score[~np.isin(by_score, rows)]
    at_rank[at_rank < 0] = others[: count - len(rows)]
    return at_rank


def places_of(rank: Floats) -> Ints:
    """A place for each row of one list: its rank, or the places before it where several rows share a rank."""
    from_end = np.arange(len(rank))
    last_of_run = np.searchsorted(rank, rank, side="right") - 1
    places: Ints = rank.astype(np.int64) - (last_of_run - from_end)
    return places


def read_grades(grades: Iterable[Any], what: str = "grades") -> tuple[Floats, Bools | None]:
    """The grades as numbers, and which of them are known (None when all are).

    >>> read_grades([3, None, 1.5])
    (array([3. , 0. , 1.5]), array([ True, False,  True]))
    """
    if isinstance(grades, np.ndarray):
        values, known = _read_array(grades, what), None
    else:
        listed = _listed(grades, what, "a list of numbers, with None for an unjudged item")
        known = None
        if not {*map(type, listed)} <= PLAIN:
            known = _check_each(listed, what)
        try:
            values = np.array(listed if known is None else [grade or 0.0 for grade in listed], dtype=np.float64)
        except OverflowError:
            raise InputError(f"{what}: a grade is too large for a number of double precision") from None
    if not np.isfinite(values).all():
        place = int(np.flatnonzero(~np.isfinite(values))[0])
        raise InputError(
            f"{what}[{place}] is {values[place]}; a grade must be a finite number, or None for an unjudged item"
        )
    return values, known


def _check_each(grades: list[Any], what: str) -> Bools | None:
    """Which of the grades are known (None when all are); an error where one is not a number."""
    for place, grade in enumerate(grades):
        if grade is not None and not isinstance(grade, Real):
            raise InputError(
                f"{what}[{place}] is {shown(grade)}; a grade must be a finite number, or None for an unjudged item"
            )
    known = np.array([grade is not None for grade in grades])
    return None if known.all() else known


def _read_array(values: np.ndarray[Any, Any], what: str) -> Floats:
    if values.ndim != 1:
        raise InputError(f"{what} must be one list, not an array of {values.ndim} dimensions")
    if values.dtype.kind not in "iufb":
        raise InputError(f"{what} must be an array of numbers, not of {values.dtype}")
    return values.astype(np.float64)


def _listed(values: Iterable[Any], what: str, expected: str) -> list[Any]:
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise ParameterError.of(what, values, expected)
    return list(values)


def _read_items(items: Iterable[Any], count: int) -> list[Any]:
    names = _listed(items, "items", "a list of names")
    if len(names) != count:
        raise InputError(f"items has {len(names)} names for {count} grades; give one for each")
    if len(set(names)) != count:
        twice = next(name for place, name in enumerate(names) if name in names[:place])
        raise InputError(f"items: {shown(twice)} stands in the list more than once; an item can be returned once")
    return names


def _read_scores(scores: Iterable[Any], count: int, convention: Convention) -> Floats:
    if isinstance(scores, np.ndarray):
        points = _read_array(scores, "scores")
    else:
        listed = _listed(scores, "scores", "a list of numbers")
        for place, score in enumerate(listed):
            if not isinstance(score, Real):
                raise InputError(f"scores[{place}] is {shown(score)}; a score must be a number")
        points = np.array(listed, dtype=np.float64)
    if len(points) != count:
        raise InputError(f"scores has {len(points)} numbers for {count} grades; give one for each")
    if np.isnan(points).any():
        raise InputError(f"scores[{int(np.flatnonzero(np.isnan(points))[0])}] is nan; a score must be a number")
    return points.astype(np.float32).astype(np.float64) if convention.score_precision == "float32" else points


def _order(
    points: Floats | None, names: Sequence[Any] | None, count: int, convention: Convention
) -> tuple[Ints, Ints, Ints, Ints]:
    """The items by descending score; and for each item how many stand above, tie with it, tie and stand before."""
    place = np.arange(count)
    if points is None or count == 0:
        return place, place, np.ones(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    by_score = np.argsort(-points, kind="stable")
    if (points[by_score[1:]] == points[by_score[:-1]]).any():
        by_score = np.lexsort((_later(names, count, convention), -points))
    starts = np.flatnonzero(np.concatenate(([True], points[by_score[1:]] != points[by_score[:-1]])))
    lengths = np.diff(np.append(starts, count))
    above, tied = np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64)
    above[by_score], tied[by_score] = np.repeat(starts, lengths), np.repeat(lengths, lengths)
    before = np.empty(count, dtype=np.int64)
    before[by_score] = place
    return by_score, above, tied, before - above


def _later(names: Sequence[Any] | None, count: int, convention: Convention) -> Floats:
    """What stands later among equal scores has more of this."""
    match convention.ties:
        case "random":
            return np.array([shuffled(convention.seed, name) for name in (names or range(count))])
        case "id" | "id-ascending" if names is not None:
            # Code points are in the order of the UTF-8 bytes that trec_eval compares.
            ascending = sorted(range(count), key=lambda place: str(names[place]))
            later = np.empty(count)
            later[ascending] = np.arange(count, 0, -1) if convention.ties == "id" else np.arange(count)
            return later
        case "input-reversed":
            return np.arange(1.0 * count, 0.0, -1.0)
        case _:
            return np.arange(1.0 * count)


def shuffled(seed: int, item: object) -> float:
    """A number that depends on nothing but the seed and the id."""
    import hashlib  # noqa: PLC0415 (cryptography is slow to load, and few shuffle)

    key = seed.to_bytes(16, "little", signed=False)
    text = str(item).encode("utf-8", "surrogatepass")  # any id, also a lone surrogate
    return float(int.from_bytes(hashlib.blake2b(text, digest_size=6, key=key).digest(), "little"))


def _pool(
    returned: Floats, ideal: Iterable[Any] | None, relevant: int | None, unreturned: Iterable[Any] | None, rel: float
) -> Floats:
    """The grades of all judged items, as they were judged."""
    if ideal is not None:
        if relevant is not None:
            raise ParameterError("give ideal or relevant, not both: ideal already tells how many are relevant")
        pool = _other_grades(ideal, "ideal")
    elif relevant is not None:
        found = int((returned >= rel).sum())
        if isinstance(relevant, bool) or not isinstance(relevant, int | np.integer) or relevant < found:
            raise ParameterError.of(
                "relevant", relevant, f"a whole number of at least {found}, the relevant items in the list"
            )
        pool = np.concatenate((returned, np.full(int(relevant) - found, float(rel))))
    elif unreturned is not None:
        pool = np.concatenate((returned, _other_grades(unreturned, "judgments")))
    else:
        pool = returned
    return pool


def _other_grades(grades: Iterable[Any], what: str) -> Floats:
    values, known = read_grades(grades, what)
    if known is not None:
        raise InputError(f"{what}[{int(np.flatnonzero(~known)[0])}] is None; every judged item needs a grade")
    return values
