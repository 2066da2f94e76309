"""Tukey's honestly significant difference with the queries as blocks, and its randomised form."""

from __future__ import annotations

from functools import cache

import numpy as np

from rankgauge.segments import Floats
from rankgauge.stats.paired import NO_SPREAD

CELLS = 2_000_000
NODES, REACH = 96, 8.5
"""Of the quadrature: points, and how many standard deviations count."""
ROUNDING = 1e-12
TUKEY_PERMUTATIONS = 10_000
"""A permutation moves all values of all systems; so many tell p to within 0.005."""


def residual_variance(matrix: Floats) -> float:
    """The residual mean square of the additive model: value = query + system + residual.

    >>> residual_variance(np.array([[0.0, 1.0], [1.0, 2.0], [0.0, 4.0]])).__round__(6)
    1.5
    """
    n, systems = matrix.shape
    freedom = (n - 1) * (systems - 1)
    if freedom == 0:
        return float("nan")
    left = matrix - matrix.mean(axis=1, keepdims=True) - matrix.mean(axis=0) + matrix.mean()
    variance = float((left**2).sum() / freedom)
    return 0.0 if variance <= (NO_SPREAD * float(np.abs(matrix).max())) ** 2 else variance


def tukey(matrix: Floats) -> Floats:
    """The p-value of every pair of systems (a symmetric matrix), all pairs taken together.

    The range of the means over the residual error that is left when queries differ in difficulty. With two systems
    it is the paired t test. NaN where there is no residual to compare with.

    >>> tukey(np.array([[0.1, 0.2], [0.3, 0.6], [0.5, 0.4], [0.2, 0.4]])).round(4).tolist()
    [[1.0, 0.2394], [0.2394, 1.0]]
    """
    n, systems = matrix.shape
    apart, variance = _apart(matrix), residual_variance(matrix)
    p = np.where(apart == 0, 1.0, np.nan)
    if variance > 0:
        upper = np.triu_indices(systems, 1)
        ranges = apart[upper] / np.sqrt(variance / n)
        p[upper] = range_chance(ranges, systems, (n - 1) * (systems - 1))
        p.T[upper] = p[upper]
    np.fill_diagonal(p, 1.0)
    return p


def range_chance(ranges: Floats, systems: int, freedom: int) -> Floats:
    """The chance of a studentized range at least as large, by quadrature over the range and the error.

    SciPy has it too, at 70 milliseconds a number; a leaderboard has hundreds.

    >>> range_chance(np.array([3.58]), 3, 20).round(4).tolist()  # tables give 3.58 for 5 %
    [0.0499]
    """
    from scipy.special import chdtri, gammaln, ndtr  # noqa: PLC0415

    nodes, weights = _nodes()
    # The error of the means, relative to the true one, is the root of chi-square over its degrees of freedom.
    low, high = np.sqrt(chdtri(freedom, [1 - 1e-15, 1e-15]) / freedom)
    error = low + (nodes + 1) / 2 * (high - low)
    half = freedom / 2
    density = np.exp(np.log(2) + half * np.log(half) - gammaln(half) + (freedom - 1) * np.log(error) - half * error**2)
    # The range of normal numbers: the least of them is at z and the others lie within the range above it.
    z = nodes * REACH
    normal = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi) * weights * REACH
    within = np.empty((len(ranges), NODES))
    for row, value in enumerate(ranges):
        others = ndtr(z + (value * error)[:, None]) - ndtr(z)
        within[row] = systems * (others ** (systems - 1) @ normal)
    return np.clip(1 - within @ (density * weights * (high - low) / 2), 0.0, 1.0)


@cache
def _nodes() -> tuple[Floats, Floats]:
    return np.polynomial.legendre.leggauss(NODES)


def randomised_tukey(matrix: Floats, permutations: int = TUKEY_PERMUTATIONS, seed: int = 0) -> Floats:
    """The same without a distribution: systems change places within each query, the largest range decides.

    p = (1 + ranges at least as large as the difference) / (1 + permutations), never 0 (Carterette 2012, Sakai 2018).

    >>> alike = np.array([[0.5, 0.5, 0.5], [0.25, 0.25, 0.25]])
    >>> randomised_tukey(alike, permutations=99).min()
    np.float64(1.0)
    """
    n, systems = matrix.shape
    apart, random = _apart(matrix), np.random.Generator(np.random.Philox(key=seed))
    ranges = np.empty(permutations)
    block = max(1, CELLS // matrix.size)
    for start in range(0, permutations, block):
        size = min(block, permutations - start)
        mixed = random.permuted(np.broadcast_to(matrix, (size, n, systems)), axis=2)
        ranges[start : start + size] = np.ptp(mixed.sum(axis=1), axis=1) / n
    ranges.sort()
    rounding = ROUNDING * float(np.abs(matrix).max())
    reached = permutations - np.searchsorted(ranges, apart - rounding, side="left")
    return (1 + reached) / (1 + permutations)


def _apart(matrix: Floats) -> Floats:
    means = matrix.mean(axis=0)
    return np.abs(means[:, None] - means[None, :])
