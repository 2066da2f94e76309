"""Masked arrays of NumPy: a masked value counts as missing where a value may be missing, and is refused elsewhere."""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgauge.errors import InputError


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
