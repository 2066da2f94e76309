"""Checks of values: numbers that double precision can hold, what can be iterated over, and masked arrays."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from numbers import Real
from typing import Any, TypeGuard

import numpy as np

from rankgauge.errors import InputError, Texts, shown


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


EXACT_FLOATS = 2.0**53
"""From here on, a float may stand for several whole numbers."""
EXACT_SINGLES = 2.0**24
"""The same in single precision."""


def is_inexact_id(value: object) -> bool:
    """Return whether an id is a float so large that it may stand for several whole numbers."""
    if not isinstance(value, float | np.floating):
        return False
    return abs(float(value)) >= (EXACT_FLOATS if isinstance(value, float) else EXACT_SINGLES)


def inexact_id(value: object) -> Texts:
    """Return what is wrong with an id that is a large float."""
    name = shown(value)
    return (
        f"the id {name} is a float that may stand for several whole numbers",
        f"标识 {name} 是浮点数，可能代表多个不同的整数",
    )


def is_integer(value: object) -> bool:
    """Return whether a value is an integer of Python or NumPy; neither a bool nor a duration of NumPy is one."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool | np.timedelta64)


def is_number(value: object) -> bool:
    """Return whether a value is a real number; a bool is none."""
    return isinstance(value, Real) and not isinstance(value, bool)


def is_finite(value: Any) -> bool:
    """Return whether a value is a number that is finite in double precision."""
    return fits_double(value) and math.isfinite(float(value))


def unhashable_id(ids: Iterable[object], place: str) -> InputError:
    """Return the error for the first id that is a bool, or an object that no table can look up, such as a list."""
    wrong = next((name for name in ids if isinstance(name, bool | np.bool_) or not _is_hashable(name)), None)
    return InputError(f"{place}: {shown(wrong)} is not an id; ids are text or numbers")


def check_query_ids(ids: Iterable[object]) -> None:
    """Raise an error for a query of flat arrays that is a bool, missing, or a number that is not whole."""
    for name in ids:
        is_bool = isinstance(name, bool | np.bool_)
        not_whole = isinstance(name, float | np.floating) and (bool(name % 1) or is_inexact_id(name))
        if is_bool or not_whole or name is None or type(name).__name__ in {"NAType", "NaTType"}:
            mask = "; a mask does not say which query an item belongs to", "；掩码不能说明物品属于哪个查询"
            en, zh = mask if is_bool else ("", "")
            name = shown(name)  # noqa: PLW2901 (as the message shows it)
            raise InputError((
                f"query_ids: {name} is not an id; ids are text or whole numbers{en}",
                f"query_ids：{name} 不是标识；标识应为文本或整数{zh}",
            ))  # fmt: skip


def check_id_count(ids: int, labels: int) -> None:
    """Raise an error unless there are as many query ids as labels."""
    if ids != labels:
        raise InputError((
            f"query_ids must have one entry for each label ({labels}), found {ids}",
            f"query_ids 应为每个标注（{labels} 个）各给一项，实为 {ids} 项",
        ))  # fmt: skip


def _is_hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def is_listing(value: object) -> TypeGuard[Iterable[Any]]:
    """Return whether a value holds several: text does not, and neither does an array without dimensions."""
    return isinstance(value, Iterable) and not isinstance(value, str | bytes) and getattr(value, "ndim", 1) != 0


def is_nested(source: Mapping[Any, Any]) -> bool:
    """Return whether the first mapping in a mapping holds another, as the responses of a search engine do.

    >>> is_nested({"q": {"took": 3, "hits": {"hits": []}}}), is_nested({"q": {"d1": 3}})
    (True, False)
    """
    first = next((value for value in source.values() if isinstance(value, Mapping) and value), {})
    return any(isinstance(value, Mapping) for value in first.values())


def unmasked(values: object, what: str, *, may_be_missing: bool = False) -> Any:
    """Return an array without its mask, and anything else unchanged; missing values become NaN.

    >>> unmasked(np.ma.array([3, 1], mask=[False, True]), "labels", may_be_missing=True)
    array([ 3., nan])
    """
    if not hasattr(values, "filled") or not isinstance(values, np.ma.MaskedArray):
        return values
    mask = np.ma.getmaskarray(values)
    if not mask.any():
        return values.data
    if may_be_missing and values.dtype.kind in "iufb":
        return np.where(mask, np.nan, values.data)
    place = [int(axis[0]) for axis in np.nonzero(mask)]
    raise InputError(f"{what}{place} is masked, and a value is needed there; remove it, or fill it: array.filled(...)")
