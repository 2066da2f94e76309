"""Confidence intervals of means over queries: Student's t, bounded values, two bootstraps (BCa and t), and Wilson's."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rankgauge.errors import ParameterError
from rankgauge.segments import Floats, Ints
from rankgauge.stats.samples import (
    CELLS,
    NO_SPREAD,
    check_sample,
    check_samples,
    check_share,
    check_whole,
    deviation,
    paired_differences,
)

MAX_SAMPLED = 20_000_000
"""Maximum number of queries sampled in one bootstrap; with many queries the means are nearly normal and fewer samples
suffice."""
MIN_RESAMPLES = 1_000
ROUNDING = 1e-9
"""A variance that exceeds the largest possible one by less is a rounding error."""


class Interval(NamedTuple):
    """A confidence interval."""

    low: float
    high: float

    def cut(self, value: float, bounds: tuple[float, float]) -> Interval:
        """Return the interval of a value without what is beyond its bounds, which takes nothing from its coverage.

        It stays as it is if the value itself is beyond them, and where an end is NaN.

        >>> Interval(0.6, 1.2).cut(0.9, (-1.0, 1.0))
        Interval(low=0.6, high=1.0)
        """
        least, most = bounds
        return Interval(max(self.low, least), min(self.high, most)) if least <= value <= most else self


NO_INTERVAL = Interval(float("nan"), float("nan"))


class BootstrapResult(NamedTuple):
    """Result of a paired bootstrap."""

    statistic: float
    """Mean difference, second minus first."""
    p: float
    """Two-sided p-value of the bootstrap shifted to the null hypothesis, never 0."""
    interval: Interval
    """BCa interval of the mean difference."""


def _check_bootstrap(resamples: int, seed: int, owner: str) -> None:
    check_samples("resamples", resamples, owner)
    check_whole("seed", seed, 0, owner)


def student_interval(
    mean: float, spread: float, count: int, level: float = 0.95, freedom: int | None = None
) -> Interval:
    """Student's t interval of a mean of ``count`` values with standard deviation ``spread``; NaN for one value.

    ``freedom`` are the degrees of freedom, ``count - 1`` by default.
    """
    level = check_share("level", level)
    freedom = count - 1 if freedom is None else freedom
    if freedom < 1:
        return NO_INTERVAL
    from scipy.special import stdtrit  # noqa: PLC0415

    reach = float(stdtrit(freedom, (1 + level) / 2)) * spread / np.sqrt(count)
    return Interval(float(mean - reach), float(mean + reach))


def bounded_interval(
    mean: float, spread: float, count: int, level: float = 0.95, bounds: tuple[float, float] = (0.0, 1.0)
) -> Interval:
    """Interval of a mean of values between bounds, which stays between them; NaN for one value.

    Wilson's score interval with the effective number of values, mean x (1 - mean) / variance x count on the scale
    from 0 to 1, and Student's t instead of the normal quantile. It contains the mean more often than Student's interval
    where values pile up at a bound (docs/compare.md). If a bound is infinite, it is Student's interval, cut at the
    other bound: a mean cannot be beyond it, so the cut takes nothing from the coverage. It is Student's interval, too,
    if the bounds do not allow the mean or the spread.

    Parameters
    ----------
    mean, spread, count
        Mean, standard deviation and number of the values.
    level
        Confidence level of the interval.
    bounds
        The smallest and the largest possible value.

    Examples
    --------
    >>> [round(end, 4) for end in bounded_interval(0.94, 0.16, 10)]  # Student's ends at 1.0545
    [0.7247, 0.9894]
    >>> [round(end, 4) for end in bounded_interval(1.0, 0.0, 10)]
    [0.6615, 1.0]
    """
    student = student_interval(mean, spread, count, level)
    low, high = bounds
    scale = high - low
    if np.isnan(student.low) or not low <= mean <= high or scale <= 0:
        return student
    if not np.isfinite(scale):
        return student.cut(mean, bounds)
    share, variance = (mean - low) / scale, (spread / scale) ** 2
    largest = share * (1 - share) * count / (count - 1)
    if variance > largest * (1 + ROUNDING) + ROUNDING:
        return student
    at_bound = share in {0.0, 1.0}
    if variance == 0 and not at_bound:
        return student
    from scipy.special import stdtrit  # noqa: PLC0415

    effective = count if at_bound else share * (1 - share) / variance * count
    square = float(stdtrit(count - 1, (1 + check_share("level", level)) / 2)) ** 2 / effective
    center = (share + square / 2) / (1 + square)
    reach = np.sqrt(square * (share * (1 - share) + square / 4)) / (1 + square)
    ends = np.clip([center - reach, center + reach], 0.0, 1.0) * scale + low
    return Interval(min(float(ends[0]), mean), max(float(ends[1]), mean))


def t_interval(values: npt.ArrayLike, level: float = 0.95) -> Interval:
    """Student's t interval of the mean of values, or differences, per query; NaN for a single value.

    ``level`` is the confidence level.

    >>> [round(end, 4) for end in t_interval([0.1, 0.3, -0.1, 0.2])]
    [-0.1468, 0.3968]
    """
    sample = check_sample(values, "t_interval")
    return student_interval(float(sample.mean()), deviation(sample), len(sample), level)


def bca_interval(values: npt.ArrayLike, level: float = 0.95, *, resamples: int = 10_000, seed: int = 0) -> Interval:
    """Bias-corrected and accelerated bootstrap interval of a mean over queries (Efron 1987); NaN for a single value.

    Too narrow for few queries: simulated intervals of the level 0.95 contain the mean of normal values in 84 % of all
    samples of 5 queries, 90 % of 10, 92 % of 20 and 94 % of 50; that of differences of RR, half of them 0, in 84 % of
    10 and 88 % of 20 (docs/compare.md). Use ``t_interval`` or ``bootstrap_t_interval`` below 50 queries.

    Parameters
    ----------
    values
        Values of the queries.
    level
        Confidence level of the interval.
    resamples
        Number of bootstrap samples.
    seed
        Seed of the random numbers; the same seed gives the same result.

    Examples
    --------
    >>> low, high = bca_interval([0.1, 0.3, -0.1, 0.2, 0.5, 0.0])
    >>> -0.02 < low < 0.04 < 0.28 < high < 0.36
    True
    """
    sample = check_sample(values, "bca_interval")
    _check_bootstrap(resamples, seed, "bca_interval")
    return bca_of_means(sample, resampled_means(sample[:, None], resamples, seed)[:, 0], level)


def bootstrap_t_interval(
    values: npt.ArrayLike, level: float = 0.95, *, resamples: int = 10_000, seed: int = 0
) -> Interval:
    """Bootstrap-t (studentized) interval of a mean over queries (Efron 1981); NaN for a single value.

    Every resampled mean is divided by its own standard error, so the interval has the right width for few queries and
    follows skewed values. An end is infinite if too many resamples have no spread, as with very few or mostly equal
    values.

    Parameters
    ----------
    values
        Values of the queries.
    level
        Confidence level of the interval.
    resamples
        Number of bootstrap samples.
    seed
        Seed of the random numbers; the same seed gives the same result.

    Examples
    --------
    >>> low, high = bootstrap_t_interval([0.1, 0.3, -0.1, 0.2, 0.5, 0.0])
    >>> -0.08 < low < 0.0 < 0.38 < high < 0.50
    True
    """
    sample = check_sample(values, "bootstrap_t_interval")
    _check_bootstrap(resamples, seed, "bootstrap_t_interval")
    return bootstrap_t_of_means(sample, *resampled_moments(sample[:, None], resamples, seed), level)


def wilson_interval(values: npt.ArrayLike, level: float = 0.95) -> Interval:
    """Wilson's score interval of a share at a confidence level: values are 0 or 1, such as HR@10 (Wilson 1927).

    >>> [round(end, 4) for end in wilson_interval([1, 1, 1, 1, 1])]  # the t interval has no width here
    [0.5655, 1.0]
    """
    sample = check_sample(values, "wilson_interval")
    level = check_share("level", level)
    if not np.isin(sample, (0, 1)).all():
        wrong = sample[~np.isin(sample, (0, 1))][0]
        raise ParameterError.of("each value", float(wrong), ("0 or 1", "0 或 1"), "wilson_interval")
    from scipy.special import ndtri  # noqa: PLC0415

    n, share, z = len(sample), float(sample.mean()), float(ndtri((1 + level) / 2))
    center = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    reach = z / (1 + z**2 / n) * np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    return Interval(max(0.0, float(center - reach)), min(1.0, float(center + reach)))


def bootstrap(
    first: npt.ArrayLike, second: npt.ArrayLike, level: float = 0.95, *, resamples: int = 10_000, seed: int = 0
) -> BootstrapResult:
    """Paired bootstrap of the mean difference: p-value and BCa interval.

    Parameters
    ----------
    first, second
        Values of the two systems, one for each query in the same order.
    level
        Confidence level of the interval.
    resamples
        Number of bootstrap samples.
    seed
        Seed of the random numbers; the same seed gives the same result.

    Examples
    --------
    >>> result = bootstrap([0.2, 0.4, 0.3, 0.5, 0.1, 0.3], [0.3, 0.8, 0.4, 0.7, 0.4, 0.5])
    >>> round(result.statistic, 4), result.p < 0.05, result.interval.low > 0
    (0.2167, True, True)
    """
    differences = paired_differences(first, second, "bootstrap")
    _check_bootstrap(resamples, seed, "bootstrap")
    if len(differences) == 1:  # nothing to resample
        return BootstrapResult(float(differences[0]), float("nan"), NO_INTERVAL)
    means = resampled_means(differences[:, None], resamples, seed)[:, 0]
    mean = float(differences.mean())
    return BootstrapResult(mean, shifted_p(mean, means), bca_of_means(differences, means, level))


def resamples_for(queries: int, resamples: int) -> int:
    """Number of bootstrap samples for this number of queries.

    >>> resamples_for(50, 10_000), resamples_for(100_000, 10_000)
    (10000, 1000)
    """
    return min(resamples, max(MIN_RESAMPLES, MAX_SAMPLED // max(queries, 1)))


def resampled_means(matrix: Floats, resamples: int, seed: int) -> Floats:
    """Means of every column over resampled rows, one row per bootstrap sample; all columns share the samples.

    >>> resampled_means(np.array([[1.0, 2.0], [1.0, 2.0]]), 3, seed=0).tolist()
    [[1.0, 2.0], [1.0, 2.0], [1.0, 2.0]]
    """
    n, random = len(matrix), np.random.Generator(np.random.Philox(key=seed))
    means = np.empty((resamples, matrix.shape[1]))
    block = max(1, CELLS // n)
    for start in range(0, resamples, block):
        size = min(block, resamples - start)
        rows = random.integers(0, n, size=(size, n), dtype=np.int32)
        counts: Ints = np.bincount(
            (rows + np.arange(size, dtype=np.int64)[:, None] * n).ravel(), minlength=size * n
        ).reshape(size, n)
        means[start : start + size] = counts.astype(np.float64) @ matrix / n
    return means


def resampled_moments(matrix: Floats, resamples: int, seed: int) -> tuple[Floats, Floats]:
    """Means of every column over resampled rows, minus the mean of the column, and their standard errors."""
    columns, residuals = matrix.shape[1], matrix - matrix.mean(axis=0)
    moments = resampled_means(np.concatenate([residuals, residuals**2], axis=1), resamples, seed)
    means, squares = moments[:, :columns], moments[:, columns:]
    variances = squares - means**2
    variances[variances <= NO_SPREAD * squares] = 0.0
    return means, np.sqrt(variances / max(len(matrix) - 1, 1))


def bootstrap_t_of_means(values: Floats, means: Floats, errors: Floats, level: float = 0.95) -> Interval:
    """Bootstrap-t interval of the mean of the values, from ``resampled_moments``."""
    level = check_share("level", level)
    if len(values) < 2:  # noqa: PLR2004 (one value has no spread)
        return NO_INTERVAL
    mean, spread = float(values.mean()), deviation(values)
    if spread == 0:
        return Interval(mean, mean)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.nan_to_num(means.ravel() / errors.ravel(), nan=0.0, posinf=np.inf, neginf=-np.inf)
    error = spread / np.sqrt(len(values))
    low = float(np.quantile(t, (1 - level) / 2, method="lower") * error)
    high = float(np.quantile(t, (1 + level) / 2, method="higher") * error)
    return Interval(mean - high, mean - low)


def bca_of_means(values: Floats, means: Floats, level: float = 0.95) -> Interval:
    """BCa interval of the mean of the values, from the means of bootstrap samples."""
    level = check_share("level", level)
    if len(values) < 2:  # noqa: PLR2004 (one value has no spread)
        return NO_INTERVAL
    mean = float(values.mean())
    if deviation(values) == 0:
        return Interval(mean, mean)
    from scipy.special import ndtr, ndtri  # noqa: PLC0415

    below = float((means < mean).mean() + (means <= mean).mean()) / 2
    bias = float(ndtri(np.clip(below, 0.5 / len(means), 1 - 0.5 / len(means))))
    residuals = values - mean
    acceleration = float((residuals**3).sum() / (6 * (residuals**2).sum() ** 1.5))
    ends = bias + ndtri([(1 - level) / 2, (1 + level) / 2])
    low, high = np.quantile(means, ndtr(bias + ends / (1 - acceleration * ends)))
    return Interval(float(low), float(high))


def shifted_p(mean: float, means: Floats) -> float:
    """Two-sided p-value of the bootstrap whose means are shifted to the null hypothesis, never 0.

    >>> shifted_p(0.0, np.array([0.1, -0.1, 0.2]))
    1.0
    """
    rounding = 1e-12 * max(abs(mean), float(np.abs(means).max()))
    return float((1 + (np.abs(means - mean) >= abs(mean) - rounding).sum()) / (1 + len(means)))
