"""Make a failing case smaller as long as it fails in the same way."""

from __future__ import annotations

import time
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from typing import Any

from fuzz.cases import Case

SMALLEST = (0, 1, 2)


def minimise(case: Case, fails: Callable[[Case], bool], seconds: float = 20) -> Case:
    """Return the smallest case that was found in some seconds; ``fails`` tells whether a case still fails."""
    end = time.monotonic() + seconds
    changed = True
    while changed:
        changed = False
        for smaller in smaller_values(case):
            if time.monotonic() > end:
                return case
            if fails(smaller):
                case, changed = smaller, True
                break
    return case


def smaller_values(value: Any) -> Iterator[Any]:
    """Yield simpler values of the same kind, the simplest first.

    >>> [*smaller_values([1, 2])]
    [[], [2], [1], [0, 2], [1, 0], [1, 1]]
    >>> next(smaller_values({"base64": "AAEC"}))
    {'base64': ''}
    """
    if isinstance(value, dict) and [*value] == ["base64"]:
        content = b64decode(value["base64"])
        for smaller in without_parts(content):
            yield {"base64": b64encode(smaller).decode()}
    elif isinstance(value, dict):
        yield from ({key: value[key] for key in kept} for kept in without_parts([*value]))
        for key in value:
            yield from ({**value, key: smaller} for smaller in smaller_values(value[key]))
    elif isinstance(value, list):
        yield from without_parts(value)
        for place, entry in enumerate(value):
            yield from ([*value[:place], smaller, *value[place + 1 :]] for smaller in smaller_values(entry))
    elif isinstance(value, str):
        yield from without_parts(value)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield from (number for number in SMALLEST if number < abs(value) or number != value == -abs(value))


def without_parts(sequence: Any) -> Iterator[Any]:
    """Yield the sequence without ever smaller parts.

    >>> [*without_parts("abcd")]
    ['', 'cd', 'ab', 'bcd', 'acd', 'abd', 'abc']
    """
    size = len(sequence)
    while size:
        for start in range(0, len(sequence), size):
            yield sequence[:start] + sequence[start + size :]
        size //= 2
