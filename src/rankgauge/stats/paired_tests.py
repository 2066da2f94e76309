"""Tests of two systems on the same queries: t, Wilcoxon, sign and randomisation by flipping signs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from rankgauge.errors import ParameterError
from rankgauge.segments import Bools, Floats
from rankgauge.stats.samples import (
    CELLS,
    check_matrix,
    check_number,
    check_samples,
    check_whole,
    deviations,
    paired_differences,
)

Alternative = Literal["two-sided", "greater", "less"]
"""Alternative hypothesis; ``greater``: the second system has the higher values."""
EXACT_WILCOXON = 50
"""With fewer queries than this, and without ties, the distribution of Wilcoxon's statistic is enumerated."""


class PairedTestResult(NamedTuple):
    """Result of a paired test; NaN if the test is not applicable."""

    statistic: float
    p: float


def check_alternative(alternative: Alternative) -> None:
    """Raise an error that lists the alternatives if this is not one of them."""
    if not isinstance(alternative, str) or alternative not in get_args(Alternative):
        raise ParameterError.of("alternative", alternative, " or ".join(map(repr, get_args(Alternative))))


def paired_t(first: npt.ArrayLike, second: npt.ArrayLike, alternative: Alternative = "two-sided") -> PairedTestResult:
    """Student's paired t test.

    Identical systems have p = 1. If all differences are equal but not zero, or there is a single query, the test is
    not applicable and the result is NaN.

    Parameters
    ----------
    first, second
        Values of the two systems, one for each query in the same order.
    alternative
        Which difference the test looks for: ``two-sided``, ``greater`` or ``less``.

    Examples
    --------
    >>> result = paired_t([0.2, 0.4, 0.3, 0.5], [0.3, 0.7, 0.2, 0.7])
    >>> round(result.statistic, 4), round(result.p, 4)
    (1.4639, 0.2394)
    """
    check_alternative(alternative)
    statistics, p = _t_tests(paired_differences(first, second, "paired_t")[None, :], alternative)
    return PairedTestResult(float(statistics[0]), float(p[0]))


def paired_t_p(matrix: npt.ArrayLike, places: Sequence[tuple[int, int]]) -> Floats:
    """Two-sided p-values of ``paired_t`` for pairs of columns of a matrix (queries x systems).

    >>> paired_t_p([[0.2, 0.3], [0.4, 0.7], [0.3, 0.2], [0.5, 0.7]], [(0, 1)]).round(4).tolist()
    [0.2394]
    """
    rows, pairs = np.ascontiguousarray(check_matrix(matrix, "paired_t").T), np.array(places).reshape(-1, 2)
    p = np.empty(len(pairs))
    block = max(1, CELLS // rows.shape[1])
    for start in range(0, len(pairs), block):
        first, second = pairs[start : start + block].T
        p[start : start + block] = _t_tests(rows[second] - rows[first], "two-sided")[1]
    return p


def _t_tests(differences: Floats, alternative: Alternative) -> tuple[Floats, Floats]:
    """Return the statistic and the p-value of each row of differences."""
    n = differences.shape[1]
    statistics, p = np.full((2, len(differences)), np.nan)
    identical, spread = ~differences.any(axis=1), deviations(differences)
    statistics[identical], p[identical] = 0.0, 1.0
    tested = spread > 0
    if tested.any():
        from scipy.special import stdtr  # noqa: PLC0415

        t = differences[tested].mean(axis=1) / (spread[tested] / np.sqrt(n))
        below, above = stdtr(n - 1, t), stdtr(n - 1, -t)
        statistics[tested], p[tested] = t, _p_value(alternative, below, above)
    return statistics, p


def wilcoxon(first: npt.ArrayLike, second: npt.ArrayLike, alternative: Alternative = "two-sided") -> PairedTestResult:
    """Wilcoxon's signed-rank test: zero differences are dropped, tied ones share their mean rank.

    Exact with fewer than 50 queries and no ties or zeros; otherwise the normal approximation with corrections for ties
    and continuity, as in R. The statistic is the sum of the ranks of the positive differences.

    Parameters
    ----------
    first, second
        Values of the two systems, one for each query in the same order.
    alternative
        Which difference the test looks for: ``two-sided``, ``greater`` or ``less``.

    Examples
    --------
    >>> wilcoxon([0, 0, 0, 0], [0.1, 0.3, -0.2, 0.4])
    PairedTestResult(statistic=8.0, p=0.375)
    """
    check_alternative(alternative)
    differences = paired_differences(first, second, "wilcoxon")
    nonzero = differences[differences != 0]
    n = len(nonzero)
    if n == 0:
        return PairedTestResult(0.0, 1.0)
    _, group, sizes = np.unique(np.abs(nonzero), return_inverse=True, return_counts=True)
    ranks = (np.cumsum(sizes) - (sizes - 1) / 2)[group]
    statistic = float(ranks[nonzero > 0].sum())
    if n < EXACT_WILCOXON and n == len(differences) and (sizes == 1).all():
        probabilities = _rank_sum_probabilities(n)
        at = round(statistic)
        below, above = probabilities[: at + 1].sum(), probabilities[at:].sum()
    else:
        from scipy.special import ndtr  # noqa: PLC0415

        center = n * (n + 1) / 4
        spread = np.sqrt(n * (n + 1) * (2 * n + 1) / 24 - (sizes**3 - sizes).sum() / 48)
        below, above = ndtr((statistic - center + 0.5) / spread), ndtr(-(statistic - center - 0.5) / spread)
    return PairedTestResult(statistic, float(_p_value(alternative, below, above)))


def _rank_sum_probabilities(n: int) -> Floats:
    """Probability of each sum of ranks if each of 1..n is positive or negative with equal probability."""
    probabilities = np.zeros(n * (n + 1) // 2 + 1)
    probabilities[0] = 1.0
    for rank in range(1, n + 1):
        shifted = np.zeros_like(probabilities)
        shifted[rank:] = probabilities[:-rank]
        probabilities = (probabilities + shifted) / 2
    return probabilities


def sign(
    first: npt.ArrayLike, second: npt.ArrayLike, alternative: Alternative = "two-sided", *, tie: float = 0.0
) -> PairedTestResult:
    """Sign test: a binomial test of the queries won against the queries lost.

    The statistic is the number of positive differences; absolute differences up to ``tie`` are dropped.

    Parameters
    ----------
    first, second
        Values of the two systems, one for each query in the same order.
    alternative
        Which difference the test looks for: ``two-sided``, ``greater`` or ``less``.
    tie
        The largest absolute difference that counts as none.

    Examples
    --------
    >>> sign([0, 0, 0, 0, 0], [0.1, 0.3, 0.2, 0.4, -0.1])
    PairedTestResult(statistic=4.0, p=0.375)
    """
    check_alternative(alternative)
    differences = paired_differences(first, second, "sign")
    tie = check_number("tie", tie, 0, "sign")
    wins, losses = int((differences > tie).sum()), int((differences < -tie).sum())
    if wins + losses == 0:
        return PairedTestResult(0.0, 1.0)
    from scipy.special import bdtr, bdtrc  # noqa: PLC0415

    below = float(bdtr(wins, wins + losses, 0.5))
    above = float(bdtrc(wins - 1, wins + losses, 0.5)) if wins else 1.0
    return PairedTestResult(float(wins), float(_p_value(alternative, below, above)))


def _p_value(side: Alternative, below: Any, above: Any) -> Any:
    """Return the p-values from the probabilities of a statistic at most, and at least, as large."""
    if side == "greater":
        return above
    return below if side == "less" else np.minimum(1.0, 2 * np.minimum(below, above))


ENUMERATED = 20
"""With at most this many non-zero differences, all signs are enumerated."""
BLOCK = 10_000
"""Sign flips per block, a multiple of 8. The random sequence depends on it: another size gives another sample."""
COLUMNS = 32
"""Pairs per block, whose sums fit in the cache of a processor."""
MAX_SIGNS = 1_000_000_000
"""Maximum number of random signs per test; with many queries the sums are nearly normal and fewer flips suffice."""
MIN_FLIPS = 10_000
ROUNDING = 1e-12
"""Sums closer than this, relative to the sum of the absolute differences, are equal: the rest is rounding."""


class RandomisationResult(NamedTuple):
    """Result of a randomisation test."""

    statistic: float
    """Mean difference, second minus first."""
    p: float
    exact: bool
    """Whether all signs were enumerated."""


def randomisation(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    alternative: Alternative = "two-sided",
    *,
    permutations: int = 100_000,
    seed: int = 0,
) -> RandomisationResult:
    """Fisher's randomisation test of the mean difference.

    With at most 20 non-zero differences all signs are enumerated and p is exact. Otherwise
    p = (1 + sums as extreme as the observed one) / (1 + permutations), which is never 0; the random signs depend on the
    seed and the number of queries only.

    Parameters
    ----------
    first, second
        Values of the two systems, one for each query in the same order.
    alternative
        Which difference the test looks for: ``two-sided``, ``greater`` or ``less``.
    permutations
        Number of random assignments of signs.
    seed
        Seed of the random numbers; the same seed gives the same result.

    Examples
    --------
    >>> randomisation([0, 0, 0, 0, 0], [0.1, 0.3, 0.2, 0.4, -0.1]).p  # 6 of the 32 sums are as far from 0
    0.1875
    """
    differences = paired_differences(first, second, "randomisation")
    check_samples("permutations", permutations, "randomisation")
    check_whole("seed", seed, 0, "randomisation")
    p = randomisation_p(differences[:, None], permutations, seed, alternative)
    return RandomisationResult(float(differences.mean()), float(p[0]), is_exact(differences))


def is_exact(differences: Floats) -> bool:
    """Whether all signs of these differences are enumerated."""
    return int((differences != 0).sum()) <= ENUMERATED


def randomisation_p(
    differences: Floats, permutations: int = 100_000, seed: int = 0, alternative: Alternative = "two-sided"
) -> Floats:
    """P-value of each column of differences (queries x pairs).

    All pairs share the random signs, so a pair has the same p-value alone and among others.
    """
    check_alternative(alternative)
    both_sides = alternative == "two-sided"
    columns = -differences if alternative == "less" else differences
    total = columns.sum(axis=0)
    margin = ROUNDING * np.abs(columns).sum(axis=0)
    threshold = (np.abs(total) if both_sides else total) - margin
    few = (columns != 0).sum(axis=0) <= ENUMERATED
    p = np.empty(columns.shape[1])
    for column in np.flatnonzero(few):
        nonzero = columns[:, column][columns[:, column] != 0]
        count = _count_extreme(_signed_sums(nonzero[:, None]), threshold[[column]], both_sides)[0]
        p[column] = count / 2.0 ** len(nonzero)
    many = np.flatnonzero(~few)
    for start in range(0, len(many), COLUMNS):
        block = many[start : start + COLUMNS]
        count = _count_random(columns[:, block], threshold[block], both_sides, permutations, seed)
        p[block] = (1 + count) / (1 + permutations)
    return p


def flips_for(queries: int, permutations: int) -> int:
    """Number of random sign flips for this number of queries.

    >>> flips_for(7_000, 100_000), flips_for(100_000, 100_000)
    (100000, 10000)
    """
    return min(permutations, max(MIN_FLIPS, MAX_SIGNS // max(queries, 1)))


def smallest_p(queries: int) -> float:
    """Smallest two-sided p-value that this number of queries can give.

    >>> smallest_p(5)
    0.0625
    """
    return float(2.0 ** (1 - min(queries, 1000)))


def least_queries(alpha: float) -> int:
    """Number of queries from which a difference can be significant.

    >>> least_queries(0.05), least_queries(0.01)
    (6, 8)
    """
    return int(np.floor(1 - np.log2(alpha))) + 1


def is_significant(p: float, queries: int, alpha: float) -> bool:
    """Whether a p-value of the t test is below alpha, with enough queries that the sign-flip test could be, too.

    >>> is_significant(0.01, 6, 0.05), is_significant(0.01, 5, 0.05)
    (True, False)
    """
    return p < alpha and queries >= least_queries(alpha)


def _signed_sums(rows: Floats) -> Floats:
    """Return the sums of the rows under all 2^n combinations of signs."""
    sums = np.zeros((1, rows.shape[1]))
    for row in rows:
        sums = np.concatenate([sums - row, sums + row])
    return sums


def _count_random(columns: Floats, threshold: Floats, both_sides: bool, permutations: int, seed: int) -> Floats:
    """Count, per column, the random sums that are as extreme as the observed one."""
    padded = np.zeros((-(-len(columns) // 8) * 8, columns.shape[1]))
    padded[: len(columns)] = columns
    tables = [_signed_sums(eight) for eight in padded.reshape(-1, 8, columns.shape[1])]
    random = np.random.Philox(key=seed)  # raw numbers of Philox are the same in every version of NumPy
    count = np.zeros(columns.shape[1])
    for start in range(0, permutations, BLOCK):
        signs = random.random_raw(len(tables) * BLOCK // 8).astype("<u8").view(np.uint8).reshape(len(tables), BLOCK)
        sums, selected = np.zeros((BLOCK, columns.shape[1])), np.empty((BLOCK, columns.shape[1]))
        for table, byte in zip(tables, signs, strict=True):
            np.take(table, byte, axis=0, out=selected, mode="clip")
            sums += selected
        count += _count_extreme(sums[: permutations - start], threshold, both_sides)
    return count


def _count_extreme(sums: Floats, threshold: Floats, both_sides: bool) -> Floats:
    extreme: Bools = (np.abs(sums) if both_sides else sums) >= threshold
    return extreme.sum(axis=0)
