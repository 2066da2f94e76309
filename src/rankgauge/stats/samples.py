"""Checks of the arrays passed to the statistics."""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgauge.errors import ParameterError
from rankgauge.masks import unmasked
from rankgauge.segments import Floats

NO_SPREAD = 1e-12
"""Values that vary by less than this, relative to their size, are constant: the rest is rounding."""


def check_sample(values: Any, owner: str) -> Floats:
    """Return the values as a vector of floats; raise an error if it is empty or contains NaN."""
    try:
        sample = np.asarray(unmasked(values, f"{owner}: values"), dtype=np.float64)
    except (TypeError, ValueError):
        raise ParameterError.of("values", values, "numbers", owner) from None
    if sample.ndim != 1:
        raise ParameterError(f"{owner}: expected one dimension, found {sample.ndim}")
    if not len(sample):
        raise ParameterError(f"{owner}: there are no values")
    if np.isnan(sample).any():
        raise ParameterError(f"{owner}: the value at position {int(np.isnan(sample).argmax())} is NaN; leave it out")
    return sample


def paired_differences(first: Any, second: Any, owner: str) -> Floats:
    """Return second minus first; raise an error if the values do not pair up.

    >>> paired_differences([1, 2], [3], "paired_t")
    Traceback (most recent call last):
    ...
    rankgauge.errors.ParameterError: paired_t: the samples must have the same length, not 2 and 1
    """
    before, after = check_sample(first, owner), check_sample(second, owner)
    check_lengths(before, after, owner)
    return after - before


def check_lengths(first: Floats, second: Floats, owner: str) -> None:
    """Raise an error if the samples do not have the same length."""
    if len(first) != len(second):
        raise ParameterError(f"{owner}: the samples must have the same length, not {len(first)} and {len(second)}")


def check_matrix(values: Any, owner: str) -> Floats:
    """Return the values as a matrix (a row per query, a column per system); raise an error if it is unusable."""
    matrix = np.asarray(unmasked(values, f"{owner}: values"), dtype=np.float64)
    if matrix.ndim != 2 or not matrix.size:  # noqa: PLR2004 (queries x systems)
        raise ParameterError(f"{owner}: expected a matrix of queries x systems, found shape {matrix.shape}")
    if np.isnan(matrix).any():
        raise ParameterError(f"{owner}: the values of row {int(np.isnan(matrix).any(axis=1).argmax())} contain NaN")
    return matrix


def deviation(values: Floats) -> float:
    """Standard deviation of the values; exactly 0 if they are constant up to rounding, NaN for a single value."""
    if len(values) < 2:  # noqa: PLR2004 (one value has no spread)
        return float("nan")
    result = float(values.std(ddof=1))
    return 0.0 if result <= NO_SPREAD * float(np.abs(values).max()) else result
