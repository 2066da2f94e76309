"""The randomisation test of a pair: under the null hypothesis each difference may have had the other sign.

Eight queries at a time: the 256 sums that their signs can give are written into a table once, and a random byte picks
one. That is an eighth of the additions, exact to the last digit of a plain sum, and needs no random number per query.
"""

from __future__ import annotations

import numpy as np

from rankgauge.segments import Bools, Floats
from rankgauge.stats.paired import check_alternative

ENUMERATED = 20
"""With at most so many differences that are not zero, all signs are tried."""
BLOCK = 10_000
"""Sign flips at a time, a multiple of 8. A part of the random sequence: another size is another sample."""
FLIPS = 1_000_000_000
"""Signs drawn for one test at most; with many queries the sums are close to normal and fewer tell enough."""
FEWEST = 10_000
ROUNDING = 1e-12
"""Sums closer than this, relative to the sum of the absolute differences, are equal: the rest is rounding."""


def randomisation(
    differences: Floats, permutations: int = 100_000, seed: int = 0, alternative: str = "two-sided"
) -> Floats:
    """The p-value of each column of differences (queries by pairs); one p-value for one column.

    With at most 20 differences that are not zero all signs are tried and p is exact. Otherwise
    p = (1 + sums as extreme as the observed one) / (1 + permutations), which is never 0. The signs depend on the seed
    and the number of queries alone, so a pair has the same p-value alone and among others.

    >>> randomisation(np.array([0.1, 0.3, 0.2, 0.4, -0.1])).tolist()  # 6 of the 32 sums are as far from 0
    [0.1875]
    """
    side = check_alternative(alternative)
    columns = differences.reshape(len(differences), -1)
    if side == "less":
        columns = -columns
    total = columns.sum(axis=0)
    margin = ROUNDING * np.abs(columns).sum(axis=0)
    least = (np.abs(total) if side == "two-sided" else total) - margin
    few = (columns != 0).sum(axis=0) <= ENUMERATED
    p = np.empty(columns.shape[1])
    for place in np.flatnonzero(few):
        moved = columns[:, place][columns[:, place] != 0]
        p[place] = _extreme(_signed_sums(moved[:, None]), least[[place]], side == "two-sided")[0] / 2.0 ** len(moved)
    if not few.all():
        count = _count_random(columns[:, ~few], least[~few], side == "two-sided", permutations, seed)
        p[~few] = (1 + count) / (1 + permutations)
    return p


def flips_for(queries: int, wanted: int) -> int:
    """How many random sign flips are made.

    >>> flips_for(7_000, 100_000), flips_for(100_000, 100_000)
    (100000, 10000)
    """
    return min(wanted, max(FEWEST, FLIPS // max(queries, 1)))


def smallest_p(queries: int) -> float:
    """The smallest two-sided p-value that this many queries can give.

    >>> smallest_p(5)
    0.0625
    """
    return float(2.0 ** (1 - min(queries, 1000)))


def _signed_sums(rows: Floats) -> Floats:
    """The sums of the rows under all 2^n combinations of signs."""
    sums = np.zeros((1, rows.shape[1]))
    for row in rows:
        sums = np.concatenate([sums - row, sums + row])
    return sums


def _count_random(columns: Floats, least: Floats, both_sides: bool, permutations: int, seed: int) -> Floats:
    """How many random sums are as extreme as the observed one, for each column."""
    whole = -(-len(columns) // 8) * 8
    padded = np.zeros((whole, columns.shape[1]))
    padded[: len(columns)] = columns
    tables = [_signed_sums(eight) for eight in padded.reshape(-1, 8, columns.shape[1])]
    random = np.random.Philox(key=seed)  # its raw numbers are the same in every version of NumPy, unlike others
    count = np.zeros(columns.shape[1])
    for start in range(0, permutations, BLOCK):
        signs = random.random_raw(len(tables) * BLOCK // 8).astype("<u8").view(np.uint8).reshape(len(tables), BLOCK)
        sums, picked = np.zeros((BLOCK, columns.shape[1])), np.empty((BLOCK, columns.shape[1]))
        for table, byte in zip(tables, signs, strict=True):
            np.take(table, byte, axis=0, out=picked, mode="clip")
            sums += picked
        count += _extreme(sums[: permutations - start], least, both_sides)
    return count


def _extreme(sums: Floats, least: Floats, both_sides: bool) -> Floats:
    far: Bools = (np.abs(sums) if both_sides else sums) >= least
    return far.sum(axis=0)
