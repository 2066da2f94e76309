"""The systems that could be the best (Hsu's multiple comparisons), and the corrected interval of repeated folds."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rankgauge.segments import Bools, Floats
from rankgauge.stats.intervals import Interval
from rankgauge.stats.samples import CELLS, check_matrix, check_sample, check_samples, check_share, check_whole


@dataclass(frozen=True, eq=False)
class BestResult:
    """Which systems could be the best, and how far each is behind the best of the others."""

    could_be_best: Bools
    behind: Floats
    """Upper limit of the mean of a system minus the best of the others; below 0 if it cannot be the best."""
    p: Floats
    """For each system the p-value of the hypothesis that it is the best."""


def hsu_best(
    values: npt.ArrayLike, *, alpha: float = 0.05, higher_is_better: bool = True, resamples: int = 10_000, seed: int = 0
) -> BestResult:
    """Multiple comparisons with the best (Hsu 1981), with the queries as blocks.

    Each system is compared with all others at once: it cannot be the best if another is better by more than the
    largest of all these differences would be by chance. Differences are studentised pair by pair, so that systems may
    vary differently and be correlated, and the largest is simulated from the multivariate t distribution with the
    correlations of the sample. With a probability of 1 - alpha the best system is among those that could be.

    Parameters
    ----------
    values
        A row per query and a column per system.
    alpha
        Significance level.
    higher_is_better
        Whether high values are good.
    resamples, seed
        Number of simulated differences, and the seed of the random numbers.

    Examples
    --------
    >>> chance = np.random.default_rng(0)
    >>> values = chance.normal(0, 0.1, (50, 3)) + [0.5, 0.5, 0.3]
    >>> hsu_best(values).could_be_best.tolist()
    [True, True, False]
    """
    matrix = check_matrix(values, "hsu_best") * (1.0 if higher_is_better else -1.0)
    check_share("alpha", alpha, "hsu_best")
    check_samples("resamples", resamples, "hsu_best")
    check_whole("seed", seed, 0, "hsu_best")
    n, systems = matrix.shape
    if n < 2 or systems < 2:  # noqa: PLR2004 (no spread, nothing to compare with)
        return BestResult(np.ones(systems, dtype=bool), np.full(systems, np.inf), np.ones(systems))
    means, centred = matrix.mean(axis=0), matrix - matrix.mean(axis=0)
    random = np.random.Generator(np.random.Philox(key=seed))
    covariance = centred.T @ centred / (n - 1)
    variance = np.diag(covariance)[:, None] + np.diag(covariance)[None, :] - 2 * covariance
    error = np.sqrt(np.maximum(variance, 0.0) / n)
    error[error <= math.sqrt(np.finfo(float).eps) * np.abs(matrix).max()] = 0.0
    differences = means[None, :] - means[:, None]  # [i, j]: how much better j is than i
    with np.errstate(divide="ignore", invalid="ignore"):
        observed = np.where(error > 0, differences / error, np.where(differences > 0, np.inf, -np.inf))
    np.fill_diagonal(observed, -np.inf)
    largest = _largest(centred, error, resamples, random)
    reached = (largest >= observed.max(axis=1)[None, :]).sum(axis=0)
    p = (1 + reached) / (1 + resamples)
    limit = np.quantile(largest, 1 - alpha, axis=0)
    behind = np.where(np.eye(systems, dtype=bool), np.inf, limit[:, None] * error - differences).min(axis=1)
    return BestResult(p > alpha, behind, p)


def _largest(centred: Floats, error: Floats, resamples: int, random: np.random.Generator) -> Floats:
    """Return the largest studentised difference to each system in samples without true differences."""
    n, systems = centred.shape
    result = np.empty((resamples, systems))
    inverse = np.divide(1.0, error, out=np.zeros_like(error), where=error > 0)
    block = max(1, CELLS // max(systems, n))
    for start in range(0, resamples, block):
        size = min(block, resamples - start)
        means = random.standard_normal((size, n)) @ centred / math.sqrt(n * (n - 1))
        scale = np.sqrt(random.chisquare(n - 1, size) / (n - 1))
        means /= scale[:, None]
        for system in range(systems):
            result[start : start + size, system] = ((means - means[:, [system]]) * inverse[system]).max(axis=1)
    return result


def repeated_folds_interval(values: npt.ArrayLike, test_share: float, level: float = 0.95) -> Interval:
    """Confidence interval of a mean over repeated folds, with the correction of Nadeau and Bengio (2003).

    Folds share queries, so that their values are correlated; the variance is that of the values times
    1/J + test/train. Intervals of tuned procedures are still a little short; ``rg.tune`` gives wider ones.

    Parameters
    ----------
    values
        The values of all J folds of all repeats.
    test_share
        The share of the queries that are tested in a fold, such as 0.2 for 5 folds.
    level
        Confidence level.

    Examples
    --------
    >>> low, high = repeated_folds_interval([0.1, 0.2, 0.15, 0.25, 0.3], 0.2)
    >>> round(low, 4), round(high, 4)
    (0.0528, 0.3472)
    """
    sample = check_sample(values, "repeated_folds_interval")
    share = check_share("test_share", test_share, "repeated_folds_interval")
    check_share("level", level, "repeated_folds_interval")
    if len(sample) < 2:  # noqa: PLR2004 (no spread)
        return Interval(math.nan, math.nan)
    from scipy.special import stdtrit  # noqa: PLC0415 (slow to load)

    variance = sample.var(ddof=1) * (1 / len(sample) + share / (1 - share))
    half = stdtrit(len(sample) - 1, (1 + level) / 2) * math.sqrt(variance)
    return Interval(float(sample.mean() - half), float(sample.mean() + half))
