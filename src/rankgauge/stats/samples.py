"""Checks of the arguments of the statistics."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np

from rankgauge.errors import ParameterError
from rankgauge.segments import Floats
from rankgauge.value_checks import is_integer, is_number, unmasked

NO_SPREAD = 1e-12
"""Values that vary by less than this, relative to their size, are constant: the rest is rounding."""
EXTREME = 1e-12
"""Probabilities closer to 0 or 1 than this leave no digits for a quantile."""
MAX_SAMPLES = 100_000_000
"""Random samples of a test or an interval; each takes memory."""
CELLS = 2_000_000
"""Maximum number of values, of many samples, held in memory at a time."""
LARGEST = 1e150
"""Largest absolute value: the squares of larger ones are not finite."""


def _floats(values: object, owner: str) -> Floats:
    """Return numbers as an array of floats; text and complex numbers are refused, though NumPy converts them."""
    try:
        array = np.asarray(unmasked(values, f"{owner}: values"))
        if array.dtype.kind in "iufb" or (array.dtype == object and all(isinstance(x, Real) for x in array.flat)):
            return array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        pass
    raise ParameterError.of("values", values, ("numbers", "数"), owner)


def check_numbers(values: object, owner: str) -> Floats:
    """Return the values as a vector of floats; raise an error if one is NaN."""
    sample = _floats(values, owner)
    if sample.ndim != 1:
        raise ParameterError(f"{owner}: expected one dimension, found {sample.ndim}")
    if np.isnan(sample).any():
        raise ParameterError(f"{owner}: the value at position {int(np.isnan(sample).argmax())} is NaN; leave it out")
    return sample


def check_sample(values: object, owner: str) -> Floats:
    """Return the values as a vector of floats; raise an error if it is empty, or a value is NaN or too large."""
    sample = check_numbers(values, owner)
    if not len(sample):
        raise ParameterError(f"{owner}: there are no values")
    if (np.abs(sample) > LARGEST).any():
        place = int((np.abs(sample) > LARGEST).argmax())
        value = f"{sample[place]:g}; values go up to {LARGEST:g}"
        raise ParameterError(f"{owner}: the value at position {place} is {value}")
    return sample


def check_samples(name: str, value: Any, owner: str) -> None:
    """Raise an error if an argument is not a number of random samples."""
    check_whole(name, value, 1, owner)
    if value > MAX_SAMPLES:
        raise ParameterError.of(name, value, (f"at most {MAX_SAMPLES:,}", f"至多 {MAX_SAMPLES:,}"), owner)


def check_whole(name: str, value: Any, least: int, owner: str) -> None:
    """Raise an error if an argument is not a whole number of at least ``least`` and below 2^64."""
    if not is_integer(value) or not least <= value < 1 << 64:
        raise ParameterError.of(name, value, (f"a whole number from {least}", f"不小于 {least} 的整数"), owner)


def check_share(name: str, value: Any, owner: str = "") -> float:
    """Return an argument as a float; raise an error if it is not a number between 0 and 1, or too close to one."""
    if not is_number(value) or not 0 < value < 1:
        raise ParameterError.of(name, value, ("a number between 0 and 1", "0 与 1 之间的数"), owner)
    if not EXTREME <= value <= 1 - EXTREME:
        raise ParameterError.of(
            name, value, (f"at least {EXTREME:g} away from 0 and 1", f"与 0 和 1 至少相距 {EXTREME:g}"), owner
        )
    return float(value)


def check_number(name: str, value: Any, least: float, owner: str) -> float:
    """Return an argument as a float; raise an error if it is not a number of at least ``least``, or too large."""
    try:
        number = float(value) if is_number(value) else np.nan
    except (OverflowError, TypeError):
        number = np.inf
    if not least <= number <= LARGEST:
        low = f"a number from {least:g}" if np.isfinite(least) else "a number"
        raise ParameterError.of(name, value, f"{low} up to {LARGEST:g}", owner)
    return number


def paired_differences(first: object, second: object, owner: str) -> Floats:
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


def check_matrix(values: object, owner: str) -> Floats:
    """Return the values as a matrix (a row per query, a column per system); raise an error if it is unusable."""
    matrix = _floats(values, owner)
    if matrix.ndim != 2 or not matrix.size:  # noqa: PLR2004 (queries x systems)
        raise ParameterError(f"{owner}: expected a matrix of queries x systems, found shape {matrix.shape}")
    if np.isnan(matrix).any():
        raise ParameterError(f"{owner}: the values of row {int(np.isnan(matrix).any(axis=1).argmax())} contain NaN")
    if (np.abs(matrix) > LARGEST).any():
        row = int((np.abs(matrix) > LARGEST).any(axis=1).argmax())
        raise ParameterError(f"{owner}: a value of row {row} is too large; values go up to {LARGEST:g}")
    return matrix


def deviation(values: Floats) -> float:
    """Standard deviation of the values; exactly 0 if they are constant up to rounding, NaN for a single value."""
    return float(deviations(values[None, :])[0])


def deviations(rows: Floats) -> Floats:
    """``deviation`` of each row."""
    if rows.shape[1] < 2:  # noqa: PLR2004 (one value has no spread)
        return np.full(len(rows), np.nan)
    result: Floats = rows.std(axis=1, ddof=1)
    result[result <= NO_SPREAD * np.abs(rows).max(axis=1)] = 0.0
    return result
