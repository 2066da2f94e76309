"""Power of the paired t test: detectable effects and the number of queries needed (Sakai 2016)."""

from __future__ import annotations

import math
from functools import lru_cache

from rankgauge.errors import ParameterError
from rankgauge.stats.quadrature import REACH, normal_points, relative_errors
from rankgauge.stats.samples import check_number, check_share, check_whole

MAX_QUERIES = 10**9
FEW, NORMAL = 30, 10_000
"""Degrees of freedom up to which the error of the standard deviation is wide, and above which it is negligible."""


def paired_t_power(effect: float, queries: int, alpha: float = 0.05) -> float:
    """Power of the two-sided paired t test for a difference of ``effect`` standard deviations.

    Parameters
    ----------
    effect
        The mean difference, in standard deviations of the differences (d_z).
    queries
        Number of queries.
    alpha
        Significance level.

    Examples
    --------
    >>> round(paired_t_power(0.5, 34), 3)
    0.808
    """
    effect = check_number("effect", effect, -math.inf, "paired_t_power")
    check_whole("queries", queries, 0, "paired_t_power")
    alpha = check_share("alpha", alpha, "paired_t_power")
    if queries < 2:  # noqa: PLR2004 (one query has no spread)
        return 0.0
    from scipy.special import chdtr, ndtr, stdtrit  # noqa: PLC0415

    freedom = queries - 1
    critical, shift = -float(stdtrit(freedom, alpha / 2)), abs(effect) * math.sqrt(queries)
    if freedom > NORMAL:
        return float(ndtr(shift - critical) + ndtr(-shift - critical))
    # P(|z + shift| > critical * error), by quadrature over the one of the two whose distribution is the wider.
    if freedom > FEW:
        error, probability = relative_errors(freedom)
        return min(1.0, float((ndtr(shift - critical * error) + ndtr(-shift - critical * error)) @ probability))
    power, edge = 0.0, max(-shift, -REACH)
    for low, high in ((-REACH, edge), (edge, REACH)):
        z, probability = normal_points(low, high)
        power += float(chdtr(freedom, freedom * ((z + shift) / critical) ** 2) @ probability)
    return min(1.0, power)


def detectable_effect(queries: int, alpha: float = 0.05, power: float = 0.8) -> float:
    """Smallest effect size (d_z) detected with the given power; infinite for a single query.

    Parameters
    ----------
    queries
        Number of queries.
    alpha
        Significance level.
    power
        Probability that the test finds the effect.

    Examples
    --------
    >>> round(detectable_effect(34), 3)
    0.495
    """
    check_whole("queries", queries, 0, "detectable_effect")
    check_power(alpha, power, "detectable_effect")
    return math.inf if queries < 2 else _detectable(int(queries), float(alpha), float(power))  # noqa: PLR2004


@lru_cache(maxsize=256)  # all pairs of a comparison ask for the same
def _detectable(queries: int, alpha: float, power: float) -> float:
    low, high = 0.0, 1.0
    while paired_t_power(high, queries, alpha) < power:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if paired_t_power(middle, queries, alpha) < power else (low, middle)
    return high


def queries_needed(difference: float, deviation: float, alpha: float = 0.05, power: float = 0.8) -> int:
    """Number of queries the paired t test needs to detect a difference of the means with the given power.

    ``deviation`` is the standard deviation of the differences per query, ``alpha`` the significance level.

    >>> queries_needed(0.05, 0.1), queries_needed(0.02, 0.1)  # Cohen's medium and small effect
    (34, 199)
    """
    check_power(alpha, power, "queries_needed")
    difference = check_number("difference", difference, -math.inf, "queries_needed")
    deviation = check_number("deviation", deviation, 0, "queries_needed")
    if not difference or not deviation > 0:
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


def check_power(alpha: float, power: float, owner: str) -> None:
    """Raise an error if the significance level or the power is not between 0 and 1, or the power is not the larger."""
    check_share("alpha", alpha, owner)
    check_share("power", power, owner)
    if power <= alpha:
        raise ParameterError.of("power", power, (f"more than alpha ({alpha})", f"大于 alpha（{alpha}）"), owner)
