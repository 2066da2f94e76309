"""Means of labels that exist for some queries only, with the help of a proxy that all queries have.

Two-phase regression with Student's t, whose residuals count one label that the proxy does not explain, and PPI++ as
ppi_py computes it. Labels are NaN where there is none. A finite target is the mean of these very queries, of which the
unlabelled ones are unknown; otherwise the queries are themselves a sample of queries like them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rankgauge.errors import ParameterError
from rankgauge.segments import Bools, Floats, Ints
from rankgauge.stats.samples import LARGEST, NO_SPREAD, check_lengths, check_sample, check_share

OWN_SLOPE = 10
"""Labelled queries from which a stratum has a slope of its own."""
FEWEST = 2
"""Labelled queries without which there is no variance."""
ENOUGH = 20
"""Labelled queries from which on the coverage of intervals was simulated."""


class MeanEstimate(NamedTuple):
    """An estimate of a mean with its confidence interval."""

    value: float
    low: float
    high: float
    variance: float
    freedom: float
    """Degrees of freedom of Student's t; infinite for the normal distribution."""
    slope: float
    """How much of a difference of the proxy is taken over, averaged over the strata."""
    residual: float
    """Variance of a label that the proxy does not explain, averaged over the strata."""


@dataclass(frozen=True, eq=False)
class TwoPhaseSample:
    """Labels of some queries, the proxy of all, and how the labelled ones were chosen."""

    labels: Floats
    """NaN where there is no label."""
    proxies: Floats
    finite: bool = True
    strata: Ints | None = None
    clusters: Ints | None = None
    inclusion: Floats | None = None
    """Probability that a query was labelled; None if all have the same."""

    @property
    def labelled(self) -> Bools:
        """Which queries have a label."""
        return ~np.isnan(self.labels)

    def parts(self) -> list[tuple[float, TwoPhaseSample]]:
        """Return the strata with their shares of the queries."""
        if self.strata is None:
            return [(1.0, self)]
        parts = []
        for stratum in np.unique(self.strata):
            rows = self.strata == stratum
            clusters, inclusion = (None if c is None else c[rows] for c in (self.clusters, self.inclusion))
            part = replace(
                self, labels=self.labels[rows], proxies=self.proxies[rows], strata=None, clusters=clusters,
                inclusion=inclusion,
            )  # fmt: skip
            parts.append((float(rows.mean()), part))
        return parts


class _Part(NamedTuple):
    """The estimate of one stratum."""

    value: float
    variance: float
    freedom: float
    slope: float
    shift: float
    """Mean of the proxy of all queries, minus that of the labelled ones."""
    residual: float


def regression_mean(sample: TwoPhaseSample, level: float = 0.95) -> MeanEstimate:
    """Return the two-phase regression estimate of a sample that was checked."""
    parts = sample.parts()
    has_slope = [sample.strata is None or part.labelled.sum() >= OWN_SLOPE for _, part in parts]
    common = _common_slope([part for _, part in parts]) if not all(has_slope) else (0.0, 0.0)
    units = _units(sample)
    estimates = [
        _regression(part, None if alone else common[0], units)
        for (_, part), alone in zip(parts, has_slope, strict=True)
    ]
    shares = [share for share, _ in parts]
    shift = sum(w * part.shift for w, part, alone in zip(shares, estimates, has_slope, strict=True) if not alone)
    return _combined(shares, estimates, level, common[1] * shift**2)


def people_mean(sample: TwoPhaseSample, level: float = 0.95) -> MeanEstimate:
    """Return the estimate from the labels alone, for the same target."""
    parts = sample.parts()
    return _combined([share for share, _ in parts], [_regression(part, 0.0, 1) for _, part in parts], level)


def with_unseen(residual: float, label_variance: float, labels: int) -> float:
    """Return the variance of residuals as if one more label were known, on which the proxy explains nothing.

    Few labels may contain none of the rare queries on which the proxy is far off. By the rule of succession the share
    of what was not seen is about 1 / (n + 1), and the variance of the labels is what the proxy can miss there: the
    posterior mean of the variance under a Dirichlet process of weight 1 around a useless proxy. A proxy without any
    error on the labels has none to extrapolate.
    """
    return (labels * residual + label_variance) / (labels + 1) if residual > 0 else residual


def _units(sample: TwoPhaseSample) -> int:
    """Return the number of labelled queries, or of clusters with one."""
    rows = sample.labelled
    return int(rows.sum()) if sample.clusters is None else len(np.unique(sample.clusters[rows]))


def _effective(inclusion: Floats) -> float:
    """Return the number of labels of equal weight whose variance is known as well as that of these (Satterthwaite)."""
    weights = (1 - inclusion) / inclusion**2
    return float(weights.sum() ** 2 / (weights @ weights)) if weights.any() else float(len(weights))


def _combined(shares: list[float], parts: list[_Part], level: float, more: float = 0.0) -> MeanEstimate:
    """Return the weighted sum of the strata, with the degrees of freedom of Satterthwaite."""
    value = float(sum(share * part.value for share, part in zip(shares, parts, strict=True)))
    variances = np.array([share**2 * part.variance for share, part in zip(shares, parts, strict=True)])
    freedoms = np.array([part.freedom for part in parts])
    total = float(variances.sum())
    slope, residual = (
        float(sum(share * getattr(part, name) for share, part in zip(shares, parts, strict=True)))
        for name in ("slope", "residual")
    )
    if len(parts) == 1 or not 0 < total < np.inf:
        freedom = float(freedoms.min())
    else:
        with np.errstate(divide="ignore", invalid="ignore"):
            freedom = float(total**2 / np.nansum(np.where(variances > 0, variances**2 / freedoms, 0.0)))
    return _interval(value, total + more, freedom, (slope, residual), level)


def _interval(value: float, variance: float, freedom: float, about: tuple[float, float], level: float) -> MeanEstimate:
    from scipy.special import ndtri, stdtrit  # noqa: PLC0415

    if not freedom > 0:
        return MeanEstimate(value, np.nan, np.nan, np.nan, freedom, *about)
    tail = (1 + check_share("level", level)) / 2
    reach = float(ndtri(tail) if np.isinf(freedom) else stdtrit(freedom, tail)) * float(np.sqrt(variance))
    return MeanEstimate(value, value - reach, value + reach, variance, freedom, *about)


def _regression(part: TwoPhaseSample, slope: float | None, labels: int) -> _Part:
    """Return the estimate of one stratum with a slope of its own, or with a given one.

    ``labels`` is the number of independent labels of all strata together.
    """
    rows = part.labelled
    y, f, n, size = part.labels[rows], part.proxies[rows], int(rows.sum()), len(rows)
    weights = np.full(n, size / n) if part.inclusion is None else 1 / part.inclusion[rows]
    shares = weights / weights.sum()
    mean_y, mean_f, mean_all = shares @ y, shares @ f, float(part.proxies.mean())
    spread = float(shares @ (f - mean_f) ** 2)
    fitted = slope is None and n > FEWEST and spread > (NO_SPREAD * max(1.0, float(np.abs(f).max()))) ** 2
    b = float(shares @ ((f - mean_f) * (y - mean_y)) / spread) if fitted else slope or 0.0
    residuals = y - mean_y - b * (f - mean_f)
    residuals[np.abs(residuals) <= NO_SPREAD * max(1.0, float(np.abs(y).max()))] = 0.0
    units = _units(part)
    freedom = (units if part.inclusion is None else _effective(part.inclusion[rows])) - 1 - fitted
    shift = mean_all - mean_f
    value = float(mean_y + b * shift)
    if freedom < 1:
        return _Part(value, np.nan, freedom, b, shift, np.nan)
    inflation = n / (n - 1 - fitted) if n > 1 + fitted else np.nan
    residual = float(shares @ residuals**2) * inflation
    influence = shares * (1 + (shift * (f - mean_f) / spread if fitted else 0.0)) * residuals
    left = 1 - n / size if part.finite else 1.0
    if part.clusters is not None:
        sums = np.bincount(np.unique(part.clusters[rows], return_inverse=True)[1], influence)
        variance = left * float(sums @ sums) * units / (units - 1) * inflation * (n - 1) / n
    elif part.inclusion is not None:
        variance = float((1 - part.inclusion[rows]) @ influence**2) * inflation
        variance += 0.0 if part.finite else residual / size
    else:
        variance = residual * left / n + (residual / n * shift**2 / spread if fitted else 0.0)
    if residual > 0:
        variance *= with_unseen(residual, float(shares @ (y - mean_y) ** 2) * n / (n - 1), labels) / residual
    variance += 0.0 if part.finite else b**2 * _first_phase(part)
    return _Part(value, variance, freedom, b, shift, residual)


def _first_phase(part: TwoPhaseSample) -> float:
    """Return the variance of the mean of the proxy over all queries."""
    deviations, size = part.proxies - part.proxies.mean(), len(part.proxies)
    if part.clusters is None:
        return float(deviations @ deviations) / max(size - 1, 1) / size
    sums = np.bincount(np.unique(part.clusters, return_inverse=True)[1], deviations)
    return float(sums @ sums) / size**2 * len(sums) / max(len(sums) - 1, 1)


def _common_slope(parts: list[TwoPhaseSample]) -> tuple[float, float]:
    """Return the slope within the strata, shared by all, and its variance."""
    products = squares = rest = freedom = 0.0
    for part in parts:
        rows = part.labelled
        y, f = part.labels[rows], part.proxies[rows]
        f, y = f - f.mean(), y - y.mean()
        products, squares, rest = products + float(f @ y), squares + float(f @ f), rest + float(y @ y)
        freedom += len(y) - 1
    if squares <= NO_SPREAD or freedom <= 1:
        return 0.0, 0.0
    slope = products / squares
    return slope, max(rest - slope * products, 0.0) / (freedom - 1) / squares


def ppi_plus_mean(sample: TwoPhaseSample, level: float, *, ddof: int = 0, clip: bool = True) -> MeanEstimate:
    """Return the PPI++ estimate of a sample that was checked, by default as ppi_py does."""
    parts = sample.parts()
    estimates = [_ppi(part, ddof, clip) for _, part in parts]
    return _combined([share for share, _ in parts], estimates, level)


def _ppi(part: TwoPhaseSample, ddof: int, clip: bool) -> _Part:
    rows = part.labelled
    y, f, others, n, size = part.labels[rows], part.proxies[rows], part.proxies[~rows], int(rows.sum()), len(rows)
    if not len(others):  # nothing is left to predict
        variance = 0.0 if part.finite else float(y.var(ddof=1)) / n
        return _Part(float(y.mean()), variance, np.inf, 0.0, 0.0, float(y.var(ddof=1)))
    spread = float(part.proxies.var(ddof=1))
    covariance = float((y - y.mean()) @ (f - f.mean())) / (n - ddof)
    slope = covariance / ((1 + n / len(others)) * spread) if spread > 0 else 0.0
    slope = float(np.clip(slope, 0, 1)) if clip else slope
    shift = float(others.mean() - f.mean())
    value = float(y.mean()) + slope * shift
    if part.finite:
        variance = float((y - slope * size / len(others) * f).var(ddof=ddof)) * (1 / n - 1 / size)
    else:
        variance = float((y - slope * f).var(ddof=ddof)) / n + slope**2 * float(others.var(ddof=ddof)) / len(others)
    return _Part(value, variance, np.inf, slope, shift, float((y - slope * f).var(ddof=1)))


def checked_sample(
    labels: npt.ArrayLike,
    proxies: npt.ArrayLike,
    owner: str,
    *,
    finite: bool = True,
    strata: npt.ArrayLike | None = None,
    clusters: npt.ArrayLike | None = None,
    inclusion: npt.ArrayLike | None = None,
) -> TwoPhaseSample:
    """Return the arguments of an estimator as a sample; raise an error for those that do not fit together."""
    proxy = check_sample(proxies, owner)
    label = np.asarray(labels, dtype=np.float64)
    check_lengths(label, proxy, owner)
    if (np.abs(label) > LARGEST).any():
        raise ParameterError.of("labels", float(np.nanmax(np.abs(label))), f"at most {LARGEST:g}", owner)
    stratum, cluster = (None if given is None else _codes(given, len(proxy), owner) for given in (strata, clusters))
    chance = None if inclusion is None else check_sample(inclusion, owner)
    if chance is not None:
        check_lengths(chance, proxy, owner)
        if ((chance <= 0) | (chance > 1)).any():
            wrong = float(chance[(chance <= 0) | (chance > 1)][0])
            raise ParameterError.of("each of inclusion", wrong, ("above 0 and at most 1", "大于 0 且不超过 1"), owner)
    sample = TwoPhaseSample(label, proxy, finite, stratum, cluster, chance)
    for _, part in sample.parts():
        if part.labelled.sum() < FEWEST:
            found, where = int(part.labelled.sum()), ("", "") if strata is None else (" in every stratum", "每层")
            en = f"{owner}: expected two labels or more{where[0]}, found {found}"
            raise ParameterError((en, f"{owner}：{where[1]}至少需要两个标签，实有 {found} 个"))
    return sample


def _codes(values: object, length: int, owner: str) -> Ints:
    codes: Ints = np.unique(np.asarray(values), return_inverse=True)[1].astype(np.int64)
    if codes.shape != (length,):
        raise ParameterError(f"{owner}: strata and clusters must have one entry for each query ({length:,})")
    return codes


def two_phase_mean(
    labels: npt.ArrayLike,
    proxies: npt.ArrayLike,
    level: float = 0.95,
    *,
    finite: bool = True,
    strata: npt.ArrayLike | None = None,
    clusters: npt.ArrayLike | None = None,
    inclusion: npt.ArrayLike | None = None,
) -> MeanEstimate:
    """Two-phase regression estimate of the mean of labels that only some queries have, with Student's t.

    The variance s2 of the n residuals is taken as (n s2 + v) / (n + 1), where v is the variance of the labels, unless
    it is 0: few labels may contain none of the rare queries on which the proxy is far off.

    Parameters
    ----------
    labels
        Values of the queries, NaN where there is none.
    proxies
        Values of another source, which every query has, such as a judge's.
    level
        Confidence level of the interval.
    finite
        Whether the mean of these very queries is estimated, rather than that of queries like them.
    strata
        The stratum of each query; from 10 labels on a stratum has a slope of its own.
    clusters
        The cluster of each query, if queries of a cluster resemble each other.
    inclusion
        The probability with which each query was chosen to be labelled, if they differ.

    Examples
    --------
    >>> nan = float("nan")
    >>> estimate = two_phase_mean([0.2, 0.5, 0.4, 0.9, nan, nan], [0.1, 0.5, 0.3, 0.8, 0.2, 0.6])
    >>> [round(number, 4) for number in estimate[:3]]
    [0.4919, 0.3149, 0.6689]
    """
    options = {"finite": finite, "strata": strata, "clusters": clusters, "inclusion": inclusion}
    return regression_mean(checked_sample(labels, proxies, "two_phase_mean", **options), check_share("level", level))  # type: ignore[arg-type]


def ppi_mean(
    labels: npt.ArrayLike,
    proxies: npt.ArrayLike,
    level: float = 0.95,
    *,
    finite: bool = False,
    strata: npt.ArrayLike | None = None,
    ddof: int = 0,
    clip: bool = True,
) -> MeanEstimate:
    """PPI++ estimate of the mean of labels that only some queries have (Angelopoulos et al. 2023), as in ppi_py.

    Its interval is that of the normal distribution and too narrow for few labels; see ``two_phase_mean``.

    Parameters
    ----------
    labels
        Values of the queries, NaN where there is none.
    proxies
        Values of another source, which every query has, such as a judge's.
    level
        Confidence level of the interval.
    finite
        Whether the mean of these very queries is estimated, which ppi_py does not offer.
    strata
        The stratum of each query (Fisch et al. 2024).
    ddof, clip
        Divisor of variances, n - ddof, and whether the slope stays within 0 and 1: 0 and True in ppi_py, 1 and False in
        GLIDE.

    Examples
    --------
    >>> nan = float("nan")
    >>> estimate = ppi_mean([0.2, 0.5, 0.4, 0.9, nan, nan], [0.1, 0.5, 0.3, 0.8, 0.2, 0.6])
    >>> [round(number, 4) for number in estimate[:3]]
    [0.4922, 0.2993, 0.6852]
    """
    sample = checked_sample(labels, proxies, "ppi_mean", finite=finite, strata=strata)
    return ppi_plus_mean(sample, check_share("level", level), ddof=ddof, clip=clip)
