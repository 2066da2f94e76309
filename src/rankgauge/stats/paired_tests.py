"""Tests of two systems on the same queries: t, Wilcoxon and sign."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from rankgauge.errors import ParameterError
from rankgauge.segments import Floats
from rankgauge.stats.samples import CELLS, check_matrix, check_number, deviations, paired_differences

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
