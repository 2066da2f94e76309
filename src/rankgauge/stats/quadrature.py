"""Quadrature over the normal distribution and over the error of an estimated standard deviation."""

from __future__ import annotations

from functools import cache

import numpy as np

from rankgauge.segments import Floats

NODES, REACH = 96, 8.5
"""Points of the quadrature, and its range in standard deviations."""


@cache
def legendre() -> tuple[Floats, Floats]:
    """Points between -1 and 1, and their weights."""
    return np.polynomial.legendre.leggauss(NODES)


def normal_points(low: float = -REACH, high: float = REACH) -> tuple[Floats, Floats]:
    """Values of a standard normal variable between two numbers, and their probabilities."""
    nodes, weights = legendre()
    z = (low + high) / 2 + nodes * (high - low) / 2
    return z, np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi) * weights * (high - low) / 2


def relative_errors(freedom: int) -> tuple[Floats, Floats]:
    """Ratios of an estimated to the true standard deviation, and their probabilities."""
    from scipy.special import chdtri, gammaln  # noqa: PLC0415

    nodes, weights = legendre()
    # The ratio is the root of chi-square over its degrees of freedom.
    low, high = np.sqrt(chdtri(freedom, [1 - 1e-15, 1e-15]) / freedom)
    error = low + (nodes + 1) / 2 * (high - low)
    half = freedom / 2
    density = np.exp(np.log(2) + half * np.log(half) - gammaln(half) + (freedom - 1) * np.log(error) - half * error**2)
    return error, density * weights * (high - low) / 2
