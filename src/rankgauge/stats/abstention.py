"""Abstention: how much a system gains by not answering the queries it is least confident about."""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgauge.errors import ParameterError
from rankgauge.segments import Floats, Ints
from rankgauge.stats.samples import check_numbers

RATES = np.arange(10) / 10
"""Shares of the queries that are left out: 0, 0.1, ..., 0.9."""


def abstention_nauc(values: Any, confidence: Any) -> float:
    """Return the normalised area under the abstention curve, as MTEB prints it.

    The curve is the mean of the values of the queries that remain if the least confident 0%, 10%, ..., 90% are left out
    (at least one remains). The area is 1 if the confidence orders the queries as their values do, and 0 if it orders
    them no better than chance. NaN if all values are the same. Queries of equal confidence are left out in input order.

    >>> round(abstention_nauc([0.2, 1.0, 0.6, 0.4], [1, 4, 2, 3]), 6)
    0.857708
    """
    values, confidence = (check_numbers(column, "abstention_nauc") for column in (values, confidence))
    if len(values) != len(confidence) or not len(values):
        raise ParameterError(
            f"abstention_nauc: pass a value and a confidence for each query, not {len(values)} and {len(confidence)}"
        )
    flat = float(values.mean()) * RATES[-1]
    own, best = (_area(_curve(values, np.argsort(column, kind="stable"))) for column in (confidence, values))
    return float("nan") if np.isclose(best, flat, rtol=1e-12, atol=0) else float((own - flat) / (best - flat))


def _curve(values: Floats, order: Ints) -> Floats:
    """Return the mean of the values that remain at each rate."""
    left_out = [min(round(rate * len(values)), len(values) - 1) for rate in RATES]
    return np.array([values[order[count:]].mean() for count in left_out])


def _area(curve: Floats) -> float:
    return float(((curve[1:] + curve[:-1]) / 2 * np.diff(RATES)).sum())
