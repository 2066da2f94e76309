"""What these queries could have shown, and how many a wanted difference needs (Sakai 2016, for the paired t test)."""

from __future__ import annotations

import math

from rankgauge.errors import ParameterError

MOST = 10**9
"""Nobody has more queries than this."""


def power_of(effect: float, queries: int, alpha: float = 0.05) -> float:
    """The chance that the two-sided paired t test finds a difference of so many standard deviations.

    >>> round(power_of(0.5, 34), 3)
    0.808
    """
    if queries < 2:  # noqa: PLR2004 (one query has no spread)
        return 0.0
    from scipy.special import nctdtr, ndtr, stdtrit  # noqa: PLC0415

    freedom = queries - 1
    limit, shift = float(stdtrit(freedom, 1 - alpha / 2)), abs(effect) * math.sqrt(queries)
    if freedom > 10_000 or shift > 30:  # noqa: PLR2004 (the normal limit, where the series for t loses digits)
        return float(ndtr(shift - limit) + ndtr(-shift - limit))
    return float(1 - nctdtr(freedom, shift, limit) + nctdtr(freedom, shift, -limit))


def detectable_effect(queries: int, alpha: float = 0.05, power: float = 0.8) -> float:
    """The effect size (d_z) that so many queries find with the given power; infinite for a single query.

    >>> round(detectable_effect(34), 3)
    0.495
    """
    if queries < 2:  # noqa: PLR2004
        return math.inf
    low, high = 0.0, 1.0
    while power_of(high, queries, alpha) < power:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if power_of(middle, queries, alpha) < power else (low, middle)
    return high


def queries_needed(difference: float, deviation: float, alpha: float = 0.05, power: float = 0.8) -> int:
    """How many queries the paired t test needs to find a difference with the given power.

    ``deviation`` is the standard deviation of the differences of the queries.

    >>> queries_needed(0.05, 0.1), queries_needed(0.02, 0.1)  # Cohen's medium and small effect
    (34, 199)
    """
    if not difference or not deviation > 0 or not math.isfinite(difference) or not math.isfinite(deviation):
        raise ParameterError(
            "queries_needed: the difference must not be 0 and the standard deviation must be positive, "
            f"not {difference!r} and {deviation!r}"
        )
    effect, low, high = abs(difference) / deviation, 1, 2
    while power_of(effect, high, alpha) < power:
        low, high = high, high * 2
        if high > MOST:
            raise ParameterError(
                f"queries_needed: a difference of {effect:.3g} standard deviations needs more than {MOST:,}"
            )
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if power_of(effect, middle, alpha) < power else (low, middle)
    return high
