"""Make a failing case smaller as long as it fails in the same way."""

from __future__ import annotations

import time
from base64 import b64decode, b64encode
from collections.abc import Callable
from typing import Any

from fuzz.cases import Case

SMALLEST = (0, 1, 2)
Fails = Callable[[Any], bool]


def minimise(case: Case, fails: Fails, seconds: float = 20) -> Case:
    """Return the smallest case that was found in some seconds; ``fails`` tells whether a case still fails."""
    end = time.monotonic() + seconds

    def fails_in_time(smaller: Case) -> bool:
        return time.monotonic() < end and fails(smaller)

    before = None
    while case != before:
        before, case = case, reduced(case, fails_in_time)
    return case


def reduced(value: Any, fails: Fails) -> Any:
    """Return a simpler value of the same kind that still fails: shorter, then with simpler parts.

    >>> reduced({"a": [1, 2, 30], "b": "x"}, lambda value: 30 in value.get("a", ()))
    {'a': [30]}
    >>> reduced("abcdef", lambda text: "c" in text and "e" in text)
    'ce'
    """
    if isinstance(value, dict) and [*value] == ["base64"]:
        return _encoded(shorter(b64decode(value["base64"]), lambda content: fails(_encoded(content))))
    if isinstance(value, dict):
        keys = shorter([*value], lambda kept: fails({key: value[key] for key in kept}))
        return _with_reduced_parts({key: value[key] for key in keys}, keys, fails)
    if isinstance(value, list):
        value = shorter(value, fails)
        return _with_reduced_parts(value, range(len(value)), fails)
    if isinstance(value, str):
        return shorter(value, fails)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return next(
            (number for number in SMALLEST if number != value and abs(number) <= abs(value) and fails(number)), value
        )
    return value


def _with_reduced_parts(value: Any, places: Any, fails: Fails) -> Any:
    for place in places:

        def with_part(part: Any, whole: Any = value, place: Any = place) -> Any:
            copy = whole.copy()
            copy[place] = part
            return copy

        value = with_part(reduced(value[place], lambda part, put=with_part: fails(put(part))))
    return value


def shorter(sequence: Any, fails: Fails) -> Any:
    """Return the sequence without the parts that it fails without, large ones first."""
    size = len(sequence)
    while size:
        start = 0
        while start < len(sequence):
            candidate = sequence[:start] + sequence[start + size :]
            if fails(candidate):
                sequence = candidate
            else:
                start += size
        size //= 2
    return sequence


def _encoded(content: bytes) -> dict[str, str]:
    return {"base64": b64encode(content).decode()}
