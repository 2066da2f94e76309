"""Tests of two systems on the same queries: t, Wilcoxon and sign."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from rankgauge.errors import ParameterError
from rankgauge.segments import Floats
from rankgauge.stats.samples import check_number, deviation, paired_differences

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

    >>> result = paired_t([0.2, 0.4, 0.3, 0.5], [0.3, 0.7, 0.2, 0.7])
    >>> round(result.statistic, 4), round(result.p, 4)
    (1.4639, 0.2394)
    """
    check_alternative(alternative)
    differences = paired_differences(first, second, "paired_t")
    n, spread = len(differences), deviation(differences)
    if not differences.any():
        return PairedTestResult(0.0, 1.0)
    if not spread > 0:
        return PairedTestResult(float("nan"), float("nan"))
    from scipy.special import stdtr  # noqa: PLC0415

    statistic = float(differences.mean()) / (spread / float(np.sqrt(n)))
    below, above = float(stdtr(n - 1, statistic)), float(stdtr(n - 1, -statistic))
    return PairedTestResult(statistic, _p_value(alternative, below, above))


def wilcoxon(first: npt.ArrayLike, second: npt.ArrayLike, alternative: Alternative = "two-sided") -> PairedTestResult:
    """Wilcoxon's signed-rank test: zero differences are dropped, tied ones share their mean rank.

    Exact with fewer than 50 queries and no ties or zeros; otherwise the normal approximation with corrections for ties
    and continuity, as in R. The statistic is the sum of the ranks of the positive differences.

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
    return PairedTestResult(statistic, _p_value(alternative, float(below), float(above)))


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
    return PairedTestResult(float(wins), _p_value(alternative, below, above))


def _p_value(side: Alternative, below: float, above: float) -> float:
    """Return the p-value from the probabilities of a statistic at most, and at least, as large."""
    if side == "greater":
        return above
    return below if side == "less" else min(1.0, 2 * min(below, above))
