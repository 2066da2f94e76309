"""JSON objects from queries to items: ``{query: {item: number}}``, ``{query: [items or hits]}``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from numbers import Real
from typing import Any

from rankgauge.inputs.codes import Role
from rankgauge.inputs.grade_checks import LARGE_GRADE
from rankgauge.inputs.shapes.fields import has_objects, hits_of
from rankgauge.inputs.shapes.shape import Entry, Fit, ShapeError

SOME = 200
"""Queries and numbers that are looked at to tell grades from scores."""


def fit(document: Any) -> Fit | None:
    """Return the fit of an object whose values are items with numbers, or lists of items."""
    if not isinstance(document, Mapping) or not document:
        return None
    values, by_item = [*islice(document.values(), SOME)], is_by_item(document)
    if not by_item and not _most(isinstance(value, list) for value in values):
        return None
    if not any(values):
        return None
    try:
        hits = [hit for value in values for hit in hits_of(value, "", "number")[:SOME]]
    except ShapeError:  # reported when it is read
        hits = []
    numbers = [number for _, number in hits if number is not None]
    role = role_of_numbers(numbers)
    evidence = "{query: {item: number}}" if by_item else "{query: [items]}"
    return Fit(_entries, (evidence,), (role,) if role else ("judgments", "ranking"), by_role=True)


def is_by_item(document: object) -> bool:
    """Whether most values of an object are items with numbers; the others are mistakes, reported when they are read."""
    if not isinstance(document, Mapping):
        return False
    values = islice(document.values(), SOME)
    return _most(isinstance(value, Mapping) and _most(map(_is_number, value.values())) for value in values)


def _most(answers: Iterable[bool]) -> bool:
    """Whether more than half of the answers are yes; none at all are."""
    given = [*answers]
    return 2 * sum(given) > len(given) or not given


def _entries(document: Mapping[str, object]) -> Iterable[Entry]:
    for query, value in document.items():
        place, where = f"query {query!r}", f"[{query!r}]"
        if has_objects(value):
            judged, ranked = hits_of(value, where, "grade"), hits_of(value, where, "number")
            yield Entry(query, judged=judged, ranked=ranked, place=place)
        else:
            yield Entry(query, listed=hits_of(value, where, "number"), place=place, ordered=isinstance(value, list))


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def role_of_numbers(numbers: list[Any]) -> Role | None:
    """Return what numbers are: fractions are scores, small whole numbers that occur again are grades."""
    if any(number % 1 or number < 0 or number > LARGE_GRADE for number in numbers):
        return "ranking"
    return "judgments" if len({*numbers}) < len(numbers) else None
