"""Tukey's honestly significant difference with the queries as blocks, and its randomised version."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rankgauge.segments import Floats
from rankgauge.stats.quadrature import NODES, normal_points, relative_errors
from rankgauge.stats.samples import NO_SPREAD, check_matrix, check_samples, check_whole

CELLS = 2_000_000
"""Maximum number of permuted values held in memory."""
ROUNDING = 1e-12
TUKEY_PERMUTATIONS = 10_000
"""Permutations of the randomised test; this many give p to within 0.005."""


class TukeyResult(NamedTuple):
    """Result of Tukey's test of all pairs of systems."""

    statistic: Floats
    """Differences of the means: column minus row."""
    p: Floats
    """P-value of every pair, a symmetric matrix; NaN if the values do not vary enough to test them."""


def residual_variance(matrix: Floats) -> float:
    """Residual mean square of the additive model: value = query + system + residual.

    >>> residual_variance(np.array([[0.0, 1.0], [1.0, 2.0], [0.0, 4.0]])).__round__(6)
    1.5
    """
    n, systems = matrix.shape
    freedom = (n - 1) * (systems - 1)
    if freedom == 0:
        return float("nan")
    residuals = matrix - matrix.mean(axis=1, keepdims=True) - matrix.mean(axis=0) + matrix.mean()
    variance = float((residuals**2).sum() / freedom)
    return 0.0 if variance <= (NO_SPREAD * float(np.abs(matrix).max())) ** 2 else variance


def tukey_hsd(values: npt.ArrayLike) -> TukeyResult:
    """Tukey's HSD of all pairs of systems, with the queries as blocks.

    ``values`` has a row for each query and a column for each system.
    Compares differences of means with the residual error that remains after the difficulty of the queries is removed.
    With two systems it is the paired t test.

    >>> tukey_hsd([[0.1, 0.2], [0.3, 0.6], [0.5, 0.4], [0.2, 0.4]]).p.round(4).tolist()
    [[1.0, 0.2394], [0.2394, 1.0]]
    """
    matrix = check_matrix(values, "tukey_hsd")
    n, systems = matrix.shape
    differences, variance = _differences(matrix), residual_variance(matrix)
    p = np.where(differences == 0, 1.0, np.nan)
    if variance > 0:
        upper = np.triu_indices(systems, 1)
        ranges = np.abs(differences)[upper] / np.sqrt(variance / n)
        p[upper] = studentized_range_p(ranges, systems, (n - 1) * (systems - 1))
        p.T[upper] = p[upper]
    np.fill_diagonal(p, 1.0)
    return TukeyResult(differences, p)


def studentized_range_p(ranges: Floats, systems: int, freedom: int) -> Floats:
    """Probability of a studentized range at least as large, by quadrature over the range and the error.

    SciPy's ``studentized_range`` takes 70 ms per value; a leaderboard needs hundreds.

    >>> studentized_range_p(np.array([3.58]), 3, 20).round(4).tolist()  # tables give 3.58 for 5 %
    [0.0499]
    """
    from scipy.special import ndtr  # noqa: PLC0415

    # Range of normal variables: the smallest is at z and the others lie within the range above it.
    (z, normal), (error, probability) = normal_points(), relative_errors(freedom)
    within = np.empty((len(ranges), NODES))
    for row, value in enumerate(ranges):
        others = ndtr(z + (value * error)[:, None]) - ndtr(z)
        within[row] = systems * (others ** (systems - 1) @ normal)
    return np.clip(1 - within @ probability, 0.0, 1.0)


def randomised_tukey_hsd(
    values: npt.ArrayLike, *, permutations: int = TUKEY_PERMUTATIONS, seed: int = 0
) -> TukeyResult:
    """Randomised Tukey HSD: permutes the systems within each query and compares with the largest range.

    p = (1 + ranges at least as large as the difference) / (1 + permutations), never 0 (Carterette 2012, Sakai 2018).

    Parameters
    ----------
    values
        A table of values: one row for each query and one column for each system.
    permutations
        Number of random permutations.
    seed
        Seed of the random numbers; the same seed gives the same result.

    Examples
    --------
    >>> float(randomised_tukey_hsd([[0.5, 0.5, 0.5], [0.25, 0.25, 0.25]], permutations=99).p.min())
    1.0
    """
    matrix = check_matrix(values, "randomised_tukey_hsd")
    check_samples("permutations", permutations, "randomised_tukey_hsd")
    check_whole("seed", seed, 0, "randomised_tukey_hsd")
    n, systems = matrix.shape
    differences, random = _differences(matrix), np.random.Generator(np.random.Philox(key=seed))
    ranges = np.empty(permutations)
    block = max(1, CELLS // matrix.size)
    for start in range(0, permutations, block):
        size = min(block, permutations - start)
        permuted = random.permuted(np.broadcast_to(matrix, (size, n, systems)), axis=2)
        ranges[start : start + size] = np.ptp(permuted.sum(axis=1), axis=1) / n
    ranges.sort()
    rounding = ROUNDING * float(np.abs(matrix).max())
    reached = permutations - np.searchsorted(ranges, np.abs(differences) - rounding, side="left")
    return TukeyResult(differences, (1 + reached) / (1 + permutations))


def _differences(matrix: Floats) -> Floats:
    means = matrix.mean(axis=0)
    return means[None, :] - means[:, None]
