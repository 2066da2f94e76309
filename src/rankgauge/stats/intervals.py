"""Confidence intervals of means over queries: Student's t and the BCa bootstrap, and one bootstrap for all systems."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rankgauge.segments import Floats, Ints
from rankgauge.stats.paired import spread

DRAWS = 20_000_000
"""Queries drawn in one bootstrap at most; many queries need fewer samples, since their means are close to normal."""
FEWEST = 1_000
CELLS = 2_000_000


class Interval(NamedTuple):
    """A confidence interval of a mean."""

    low: float
    high: float


NOTHING = Interval(float("nan"), float("nan"))


def t_interval(values: Floats, level: float = 0.95) -> Interval:
    """The interval of the mean by Student's t; NaN for a single value.

    >>> [round(end, 4) for end in t_interval(np.array([0.1, 0.3, -0.1, 0.2]))]
    [-0.1468, 0.3968]
    """
    n, deviation = len(values), spread(values)
    if np.isnan(deviation):
        return NOTHING
    from scipy.special import stdtrit  # noqa: PLC0415

    reach = float(stdtrit(n - 1, (1 + level) / 2)) * deviation / np.sqrt(n)
    return Interval(float(values.mean() - reach), float(values.mean() + reach))


def resamples_for(queries: int, wanted: int) -> int:
    """How many bootstrap samples are drawn.

    >>> resamples_for(50, 10_000), resamples_for(100_000, 10_000)
    (10000, 1000)
    """
    return min(wanted, max(FEWEST, DRAWS // max(queries, 1)))


def resampled_means(matrix: Floats, resamples: int, seed: int) -> Floats:
    """The means of every column over queries that were drawn anew, one row a sample; the same queries for all columns.

    >>> resampled_means(np.array([[1.0, 2.0], [1.0, 2.0]]), 3, seed=0).tolist()
    [[1.0, 2.0], [1.0, 2.0], [1.0, 2.0]]
    """
    n, random = len(matrix), np.random.Generator(np.random.Philox(key=seed))
    means = np.empty((resamples, matrix.shape[1]))
    block = max(1, CELLS // n)
    for start in range(0, resamples, block):
        size = min(block, resamples - start)
        drawn = random.integers(0, n, size=(size, n), dtype=np.int32)
        times: Ints = np.bincount(
            (drawn + np.arange(size, dtype=np.int64)[:, None] * n).ravel(), minlength=size * n
        ).reshape(size, n)
        means[start : start + size] = times.astype(np.float64) @ matrix / n
    return means


def bca_interval(values: Floats, means: Floats, level: float = 0.95) -> Interval:
    """The bias-corrected and accelerated interval of the mean from its bootstrap means (Efron 1987).

    >>> values = np.array([0.1, 0.3, -0.1, 0.2, 0.5, 0.0])
    >>> low, high = bca_interval(values, resampled_means(values[:, None], 10_000, seed=0)[:, 0])
    >>> -0.02 < low < 0.04 < 0.28 < high < 0.36
    True
    """
    if len(values) < 2:  # noqa: PLR2004 (one value has no spread)
        return NOTHING
    mean = float(values.mean())
    if spread(values) == 0:
        return Interval(mean, mean)
    from scipy.special import ndtr, ndtri  # noqa: PLC0415

    below = float((means < mean).mean() + (means <= mean).mean()) / 2
    bias = float(ndtri(np.clip(below, 0.5 / len(means), 1 - 0.5 / len(means))))
    apart = values - mean
    acceleration = float((apart**3).sum() / (6 * (apart**2).sum() ** 1.5))
    ends = bias + ndtri([(1 - level) / 2, (1 + level) / 2])
    shares = ndtr(bias + ends / (1 - acceleration * ends))
    low, high = np.quantile(means, shares)
    return Interval(float(low), float(high))


def shifted_p(mean: float, means: Floats) -> float:
    """The two-sided p-value of the bootstrap whose means are shifted to the null hypothesis, never 0.

    >>> shifted_p(0.0, np.array([0.1, -0.1, 0.2]))
    1.0
    """
    rounding = 1e-12 * max(abs(mean), float(np.abs(means).max()))
    return float((1 + (np.abs(means - mean) >= abs(mean) - rounding).sum()) / (1 + len(means)))
