"""Tests of a pair of systems on the differences of the same queries: t, Wilcoxon, sign.

All take the differences (second minus first) and return two-sided p-values unless told otherwise.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

import numpy as np

from rankgauge.errors import ParameterError
from rankgauge.segments import Floats

Alternative = Literal["two-sided", "greater", "less"]
"""Which difference counts as evidence; ``greater``: the second system is better."""
NO_SPREAD = 1e-12
"""Differences that vary less than this, relative to their size, are constant: the rest is rounding."""
EXACT_WILCOXON = 50
"""Below so many queries, without ties, Wilcoxon's distribution is enumerated."""


class Outcome(NamedTuple):
    """A statistic and its p-value; NaN where the test says nothing."""

    statistic: float
    p: float


def check_alternative(alternative: str) -> Alternative:
    """The alternative, or an error that lists what there is."""
    for known in get_args(Alternative):
        if alternative == known:
            return known
    raise ParameterError.of("alternative", alternative, " or ".join(map(repr, get_args(Alternative))))


def spread(differences: Floats) -> float:
    """The standard deviation of the differences; exactly 0 where they are constant but for rounding, NaN for one."""
    if len(differences) < 2:  # noqa: PLR2004 (one value has no spread)
        return float("nan")
    deviation = float(differences.std(ddof=1))
    return 0.0 if deviation <= NO_SPREAD * float(np.abs(differences).max()) else deviation


def t_test(differences: Floats, alternative: str = "two-sided") -> Outcome:
    """Student's paired t test.

    Identical systems have p = 1. Where the differences are constant but not zero, or there is one query, the test
    says nothing (NaN).

    >>> found = t_test(np.array([0.1, 0.3, -0.1, 0.2]))
    >>> round(found.statistic, 4), round(found.p, 4)
    (1.4639, 0.2394)
    """
    side, n, deviation = check_alternative(alternative), len(differences), spread(differences)
    mean = float(differences.mean())
    if not differences.any():
        return Outcome(0.0, 1.0)
    if not deviation > 0:
        return Outcome(float("nan"), float("nan"))
    from scipy.special import stdtr  # noqa: PLC0415

    statistic = mean / (deviation / float(np.sqrt(n)))
    below, above = float(stdtr(n - 1, statistic)), float(stdtr(n - 1, -statistic))
    return Outcome(statistic, _sided(side, below, above))


def wilcoxon(differences: Floats, alternative: str = "two-sided") -> Outcome:
    """Wilcoxon's signed-rank test: zeros are left out, ties have their mean rank.

    Enumerated below 50 queries without ties or zeros; otherwise the normal approximation with correction for ties and
    continuity, as R does. The statistic is the sum of the ranks of the positive differences.

    >>> wilcoxon(np.array([0.1, 0.3, -0.2, 0.4])).p
    0.375
    """
    side = check_alternative(alternative)
    moved = differences[differences != 0]
    n = len(moved)
    if n == 0:
        return Outcome(0.0, 1.0)
    _, group, sizes = np.unique(np.abs(moved), return_inverse=True, return_counts=True)
    ranks = (np.cumsum(sizes) - (sizes - 1) / 2)[group]
    positive = float(ranks[moved > 0].sum())
    if n < EXACT_WILCOXON and n == len(differences) and (sizes == 1).all():
        chances = _rank_sums(n)
        place = round(positive)
        return Outcome(positive, _sided(side, float(chances[: place + 1].sum()), float(chances[place:].sum())))
    from scipy.special import ndtr  # noqa: PLC0415

    middle = n * (n + 1) / 4
    deviation = np.sqrt(n * (n + 1) * (2 * n + 1) / 24 - (sizes**3 - sizes).sum() / 48)
    below = float(ndtr((positive - middle + 0.5) / deviation))
    above = float(ndtr(-(positive - middle - 0.5) / deviation))
    return Outcome(positive, _sided(side, below, above))


def _rank_sums(n: int) -> Floats:
    """The chance of every sum of ranks when each of 1..n has either sign with equal chance."""
    chances = np.zeros(n * (n + 1) // 2 + 1)
    chances[0] = 1.0
    for rank in range(1, n + 1):
        shifted = np.zeros_like(chances)
        shifted[rank:] = chances[:-rank]
        chances = (chances + shifted) / 2
    return chances


def sign_test(differences: Floats, alternative: str = "two-sided", tie: float = 0.0) -> Outcome:
    """The sign test: a fair coin for each query whose difference exceeds the tie threshold.

    The statistic is the number of positive differences.

    >>> sign_test(np.array([0.1, 0.3, 0.2, 0.4, -0.1])).p
    0.375
    """
    side = check_alternative(alternative)
    wins, losses = int((differences > tie).sum()), int((differences < -tie).sum())
    if wins + losses == 0:
        return Outcome(0.0, 1.0)
    from scipy.special import bdtr, bdtrc  # noqa: PLC0415

    below = float(bdtr(wins, wins + losses, 0.5))
    above = float(bdtrc(wins - 1, wins + losses, 0.5)) if wins else 1.0
    return Outcome(float(wins), _sided(side, below, above))


def _sided(side: Alternative, below: float, above: float) -> float:
    """The p-value from the chance of a statistic at most, and at least, as large."""
    if side == "greater":
        return above
    return below if side == "less" else min(1.0, 2 * min(below, above))
