"""Abstention: how much a system gains by not answering the queries it is least confident about."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rankgauge.errors import ParameterError
from rankgauge.segments import Floats
from rankgauge.stats.samples import check_numbers

RATES = np.linspace(0, 1, 11)[:-1]
"""Shares of the queries that are left out: 0, 0.1, ..., 0.9, in the floating-point numbers of MTEB, since 0.3 times the
number of queries can round up or down."""


def abstention_nauc(values: npt.ArrayLike, confidence: npt.ArrayLike) -> float:
    """Return the normalised area under the abstention curve, as MTEB prints it.

    The curve is the mean of the values of the queries that remain if the least confident 0%, 10%, ..., 90% are left out
    (the number is rounded to the nearest integer, halves to the even one, and at least one query remains). The area is
    1 if the confidence orders the queries as their values do, and 0 if it orders them no better than chance. NaN if all
    values are the same. Queries of equal confidence count with the mean of their values, as since MTEB 2.26.

    >>> round(abstention_nauc([0.2, 1.0, 0.6, 0.4], [1, 4, 2, 3]), 6)
    0.857708
    """
    numbers, order = (check_numbers(column, "abstention_nauc") for column in (values, confidence))
    if len(numbers) != len(order) or not len(numbers):
        raise ParameterError(
            f"abstention_nauc: pass a value and a confidence for each query, not {len(numbers)} and {len(order)}"
        )
    flat = float(numbers.mean()) * RATES[-1]
    area, best = (_area(_curve(numbers, column)) for column in (order, numbers))
    return float("nan") if np.isclose(best, flat, rtol=1e-12, atol=0) else float((area - flat) / (best - flat))


def _curve(values: Floats, confidence: Floats) -> Floats:
    """Return the mean of the values that remain at each rate, the least confident queries being left out first."""
    _, group, sizes = np.unique(confidence, return_inverse=True, return_counts=True)
    remaining = np.repeat(np.bincount(group, weights=values) / sizes, sizes)
    left_out = [min(round(rate * len(values)), len(values) - 1) for rate in RATES]
    return np.array([remaining[count:].mean() for count in left_out])


def _area(curve: Floats) -> float:
    return float(((curve[1:] + curve[:-1]) / 2 * np.diff(RATES)).sum())
