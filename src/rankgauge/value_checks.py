"""Checks of single values: numbers that double precision can hold, and what can be iterated over."""

from __future__ import annotations

import math
from collections.abc import Iterable
from numbers import Real
from typing import Any, TypeGuard

import numpy as np

from rankgauge.errors import InputError, shown


def fits_double(value: object) -> bool:
    """Return whether a value is a number that double precision can hold.

    An integer of 400 digits is not, nor is a duration of NumPy, which is an integer to Python.
    """
    if not isinstance(value, Real):
        return False
    try:
        float(value)
    except (OverflowError, TypeError):
        return False
    return True


def is_integer(value: object) -> bool:
    """Return whether a value is an integer of Python or NumPy; neither a bool nor a duration of NumPy is one."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool | np.timedelta64)


def is_finite(value: Any) -> bool:
    """Return whether a value is a number that is finite in double precision."""
    return fits_double(value) and math.isfinite(float(value))


def unhashable_id(ids: Iterable[object], place: str) -> InputError:
    """Return the error for the first id that is a list, a dict or another object that no table can look up."""
    wrong = next((name for name in ids if not _is_hashable(name)), None)
    return InputError(f"{place}: {shown(wrong)} is not an id; ids are text or numbers")


def _is_hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def is_listing(value: object) -> TypeGuard[Iterable[Any]]:
    """Return whether a value holds several: text does not, and neither does an array without dimensions."""
    return isinstance(value, Iterable) and not isinstance(value, str | bytes) and getattr(value, "ndim", 1) != 0
