"""From one list of grades, in the order in which a system returned the items, to a Judged."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.errors import InputError, ParameterError, shown
from rankgauge.match.judged import Judged
from rankgauge.match.segments import Bools, Floats, Ints, Segments

PLAIN = {int, float}
Worth = Callable[[Floats, Bools], Floats]
"""From grades and what was judged to what an item is worth when the best order of tied items is sought."""


@dataclass(slots=True)
class RankedList:
    """One list as it was evaluated, and what stood at each rank."""

    judged: Judged
    items: Sequence[Any] | None
    """The caller's names of the items, in the caller's order."""
    shares_positions: bool
    """Whether tied items stand in every order at once."""
    source: Ints | None = None
    """The place in the caller's list of the item at rank 1, 2, ...; None where the list is in order."""

    def item_at(self, rank: int) -> Any:
        """The item that stands at a rank; None where the items have no names."""
        if self.items is None:
            return None
        return self.items[rank - 1 if self.source is None else self.source[rank - 1]]


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
    if known is None and scores is None and (len(values) == 0 or values.min() >= 0):
        whole = Segments(np.array([0, len(values)]))
        pool = _pool(values, ideal, relevant, unreturned, rel, convention)
        in_pool = whole if len(pool) == len(values) else Segments(np.array([0, len(pool)]))
        judged = Judged(whole, whole.place(), values, whole.sizes, in_pool, pool)
        return RankedList(judged, names, False)

    points = None if scores is None else _read_scores(scores, len(values), convention)
    known = np.ones(len(values), dtype=bool) if known is None else known
    pooled = _settle_grades(values, known, convention)
    source = np.flatnonzero(known) if convention.unjudged == "removed" else np.arange(len(values))
    tie_first = tie_size = None
    if points is not None and len(source):
        settled = np.where(known, values, 0.0)
        source = _by_score(source, points, worth(settled, known) if worth else settled, names, convention)
        if convention.ties not in {"best", "worst"}:
            tie_first, tie_size = _runs(points[source])
    present = (known | pooled)[source]
    rows = source[present]
    if tie_first is not None and tie_size is not None:
        tie_first, tie_size = tie_first[present], tie_size[present]
    pool = _pool(values[known], ideal, relevant, unreturned, rel, convention)
    judged = Judged(
        Segments(np.array([0, len(rows)])), np.flatnonzero(present) + 1.0, values[rows], np.array([len(source)]),
        Segments(np.array([0, len(pool)])), pool, known[rows] if pooled.any() else None, tie_first, tie_size,
    )  # fmt: skip
    return RankedList(judged, names, convention.ties == "mean", source)


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


def _settle_grades(values: Floats, known: Bools, convention: Convention) -> Bools:
    """Apply the rules for negative grades and unjudged items in place; return which are pooled but unjudged."""
    pooled = _settle_negative(values, known, convention)
    if not isinstance(convention.unjudged, str):
        values[~known] = float(convention.unjudged)
        known[:] = True
        pooled[:] = False
    return pooled


def _settle_negative(values: Floats, known: Bools, convention: Convention) -> Bools:
    """Apply the rule for negative grades in place; return which stand in the pool unjudged."""
    negative = known & (values < 0)
    pooled = np.zeros(len(values), dtype=bool)
    if negative.any():
        if convention.negative == "error":
            place = int(np.flatnonzero(negative)[0])
            raise InputError(
                f"grades[{place}] is {values[place]:g}; the convention does not allow negative grades "
                "(negative='error'); use 'unjudged', 'zero' or 'keep'"
            )
        if convention.negative != "keep":
            values[negative] = 0.0
        if convention.negative == "unjudged":
            known &= ~negative
            pooled = negative
    return pooled


def _by_score(source: Ints, points: Floats, worth: Floats, names: Sequence[Any] | None, convention: Convention) -> Ints:
    """The places of the items by descending score, ties in the order that the convention says."""
    order = source[np.argsort(-points[source], kind="stable")]
    tied = points[order[1:]] == points[order[:-1]]
    if not tied.any():
        return order
    match convention.ties:
        case "best":
            later = -worth
        case "worst":
            later = worth
        case "random":
            later = np.array([_shuffled(convention.seed, name) for name in (names or range(len(points)))])
        case "id" if names is not None:
            ascending = sorted(range(len(names)), key=lambda place: id_bytes(names[place]))
            later = np.empty(len(names))
            later[ascending] = np.arange(len(names), 0, -1)
        case _:
            return order
    return source[np.lexsort((later[source], -points[source]))]


def id_bytes(item: object) -> bytes:
    """How ids are compared: the bytes of their text, as in a TREC file; any id, also a lone surrogate."""
    return str(item).encode("utf-8", "surrogatepass")


def _shuffled(seed: int, item: object) -> float:
    key = seed.to_bytes(16, "little", signed=False)
    return float(int.from_bytes(hashlib.blake2b(id_bytes(item), digest_size=6, key=key).digest(), "little"))


def _runs(points: Floats) -> tuple[Floats, Floats] | tuple[None, None]:
    """First rank and length of the run of equal scores around each rank; nothing when no scores tie."""
    starts = np.flatnonzero(np.concatenate(([True], points[1:] != points[:-1])))
    if len(starts) == len(points):
        return None, None
    lengths = np.diff(np.append(starts, len(points)))
    return np.repeat(starts + 1.0, lengths), np.repeat(lengths.astype(np.float64), lengths)


def _pool(
    returned: Floats,
    ideal: Iterable[Any] | None,
    relevant: int | None,
    unreturned: Iterable[Any] | None,
    rel: float,
    convention: Convention,
) -> Floats:
    """The grades of all judged items in descending order."""
    if ideal is not None:
        if relevant is not None:
            raise ParameterError("give ideal or relevant, not both: ideal already tells how many are relevant")
        pool = _other_grades(ideal, "ideal", convention)
    elif relevant is not None:
        found = int((returned >= rel).sum())
        if isinstance(relevant, bool) or not isinstance(relevant, int | np.integer) or relevant < found:
            raise ParameterError.of(
                "relevant", relevant, f"a whole number of at least {found}, the relevant items in the list"
            )
        pool = np.concatenate((returned, np.full(int(relevant) - found, float(rel))))
    elif unreturned is not None:
        pool = np.concatenate((returned, _other_grades(unreturned, "judgments", convention)))
    else:
        pool = returned
    return -np.sort(-pool)


def _other_grades(grades: Iterable[Any], what: str, convention: Convention) -> Floats:
    values, known = read_grades(grades, what)
    if known is not None:
        raise InputError(f"{what}[{int(np.flatnonzero(~known)[0])}] is None; every judged item needs a grade")
    sure = np.ones(len(values), dtype=bool)
    _settle_negative(values, sure, convention)
    return values[sure]
