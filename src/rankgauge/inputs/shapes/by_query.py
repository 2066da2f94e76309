"""JSON objects from queries to items: ``{query: {item: number}}``, ``{query: [items or hits]}``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain, islice
from typing import Any

from rankgauge.inputs.codes import Role
from rankgauge.inputs.grade_checks import LARGE_GRADE
from rankgauge.inputs.shapes.fields import groups_of, has_objects, hits_of
from rankgauge.inputs.shapes.shape import MISSING, Entry, Fit, ShapeError
from rankgauge.value_checks import is_finite, is_number

SOME = 200
"""Queries and numbers that are looked at to tell grades from scores."""


def fit(document: Mapping[str, Any]) -> Fit | None:
    """Return the fit of an object whose values are items with numbers, or lists of items."""
    values, by_item = [*islice(document.values(), SOME)], is_by_item(document)
    if not by_item and not _most(isinstance(value, list) for value in values):
        return None
    if not any(values):
        return None
    try:
        hits = [hit for value in values for hit in hits_of(value, "", "number")[:SOME]]
    except ShapeError:  # reported when it is read
        hits = []
    numbers = [number for _, number in hits if number not in (None, MISSING)]
    role = role_of_numbers(numbers)
    evidence = "{query: {item: number}}" if by_item else "{query: [items]}"
    sides: tuple[Role, ...] = (role,) if role else ("judgments", "ranking")
    return Fit(_entries, (evidence,), sides, by_role=True, at_once=_at_once)


def _at_once(document: Mapping[str, Any], role: Role) -> tuple[list[Any], list[Any], list[Any]] | None:
    """Return the rows of ``{query: {item: number}}`` or ``{query: [items]}``, if ids are texts and no list is empty.

    >>> _at_once({"q": ["a", "b"]}, "ranking")
    (['q', 'q'], ['a', 'b'], [-1.0, -2.0])
    """
    values, kinds = document.values(), {*map(type, document.values())}
    items = [*chain.from_iterable(values)] if kinds in ({dict}, {list}) else []
    if not items or {*map(type, items)} != {str} or "" in {*items} or "" in document or not all(values):
        return None
    if kinds == {dict}:
        numbers = [*chain.from_iterable(value.values() for value in values)]
        if not {*map(type, numbers)} <= {int, float} or not all(map(is_finite, numbers)):
            return None
    elif role == "ranking":
        numbers = [-float(rank) for value in values for rank in range(1, len(value) + 1)]
    else:
        numbers = [1.0] * len(items)
    return [query for query, value in document.items() for _ in value], items, numbers


def is_by_item(document: object) -> bool:
    """Whether most values of an object are items with numbers; the others are mistakes, reported when they are read."""
    if not isinstance(document, Mapping):
        return False
    values = islice(document.values(), SOME)
    return _most(isinstance(value, Mapping) and _most(map(is_number, value.values())) for value in values)


def _most(answers: Iterable[bool]) -> bool:
    """Whether more than half of the answers are yes; none at all are."""
    listed = [*answers]
    return 2 * sum(listed) > len(listed) or not listed


def _entries(document: Mapping[str, object]) -> Iterable[Entry]:
    for query, value in document.items():
        place, where = f"query {query!r}", f"[{query!r}]"
        if has_objects(value):
            judged, ranked = hits_of(value, where, "grade"), hits_of(value, where, "number")
            yield Entry(query, judged=judged, ranked=ranked, place=place, as_shown=_are_search_hits(value))
        else:
            hits, groups = hits_of(value, where, "number"), groups_of(value, where)
            yield Entry(query, listed=hits, place=place, groups=groups, ordered=isinstance(value, list))


def _are_search_hits(value: Any) -> bool:
    """Whether a list has the hits of a search engine, which are in the order shown."""
    return isinstance(value[0], Mapping) and "_id" in value[0]


def role_of_numbers(numbers: list[Any]) -> Role | None:
    """Return what numbers are: fractions are scores, small whole numbers that occur again are grades."""
    if any(number % 1 or number < 0 or number > LARGE_GRADE for number in numbers):
        return "ranking"
    return "judgments" if len({*numbers}) < len(numbers) else None
