"""Power of the paired t test: detectable effects and the number of queries needed (Sakai 2016)."""

from __future__ import annotations

import math

from rankgauge.errors import ParameterError

MAX_QUERIES = 10**9


def paired_t_power(effect: float, queries: int, alpha: float = 0.05) -> float:
    """Power of the two-sided paired t test for a difference of ``effect`` standard deviations.

    >>> round(paired_t_power(0.5, 34), 3)
    0.808
    """
    if queries < 2:  # noqa: PLR2004 (one query has no spread)
        return 0.0
    from scipy.special import nctdtr, ndtr, stdtrit  # noqa: PLC0415

    freedom = queries - 1
    critical, shift = float(stdtrit(freedom, 1 - alpha / 2)), abs(effect) * math.sqrt(queries)
    if freedom > 10_000 or shift > 30:  # noqa: PLR2004 (the normal limit, where the series for t loses digits)
        return float(ndtr(shift - critical) + ndtr(-shift - critical))
    return float(1 - nctdtr(freedom, shift, critical) + nctdtr(freedom, shift, -critical))


def detectable_effect(queries: int, alpha: float = 0.05, power: float = 0.8) -> float:
    """Smallest effect size (d_z) detected with the given power; infinite for a single query.

    >>> round(detectable_effect(34), 3)
    0.495
    """
    if queries < 2:  # noqa: PLR2004
        return math.inf
    low, high = 0.0, 1.0
    while paired_t_power(high, queries, alpha) < power:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if paired_t_power(middle, queries, alpha) < power else (low, middle)
    return high


def queries_needed(difference: float, deviation: float, alpha: float = 0.05, power: float = 0.8) -> int:
    """Number of queries the paired t test needs to detect a difference of the means with the given power.

    ``deviation`` is the standard deviation of the differences per query.

    >>> queries_needed(0.05, 0.1), queries_needed(0.02, 0.1)  # Cohen's medium and small effect
    (34, 199)
    """
    if not difference or not deviation > 0 or not math.isfinite(difference) or not math.isfinite(deviation):
        raise ParameterError(
            "queries_needed: the difference must not be 0 and the standard deviation must be positive, "
            f"not {difference!r} and {deviation!r}"
        )
    effect, low, high = abs(difference) / deviation, 1, 2
    while paired_t_power(effect, high, alpha) < power:
        low, high = high, high * 2
        if high > MAX_QUERIES:
            raise ParameterError(
                f"queries_needed: a difference of {effect:.3g} standard deviations needs too many queries "
                f"(more than {MAX_QUERIES:,})"
            )
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if paired_t_power(effect, middle, alpha) < power else (low, middle)
    return high
