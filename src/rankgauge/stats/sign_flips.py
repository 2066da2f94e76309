"""Randomisation test of a pair: under the null hypothesis the sign of each difference is random.

Eight queries are handled at a time: the 256 sums that their signs can give are tabulated once, and a random byte
selects one. This takes an eighth of the additions and gives the same digits as a plain sum.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rankgauge.segments import Bools, Floats
from rankgauge.stats.paired_tests import Alternative, check_alternative
from rankgauge.stats.samples import check_samples, check_whole, paired_differences

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
