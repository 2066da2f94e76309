"""Agreement of raters on grades: Cohen's and Conger's kappa, Krippendorff's alpha, and Gwet's AC1 and AC2.

All of them are functions of counts that add up over items, so that the counts of queries can be resampled.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from rankgauge.errors import ParameterError, check_choice
from rankgauge.segments import Floats, Ints
from rankgauge.stats.intervals import resampled_means, resamples_for
from rankgauge.value_checks import unmasked

Weights: TypeAlias = Literal["linear", "quadratic"] | None
"""How disagreements count: all alike, by the distance of the grades, or by its square."""
Level: TypeAlias = Literal["nominal", "ordinal", "interval", "ratio"]
MATRIX = 2
MAX_CATEGORIES = 200
"""More distinct grades than this are measurements, not categories."""


@dataclass(frozen=True, eq=False)
class RatingCounts:
    """Counts of ratings that add up over items, with one row for each group of items (such as a query)."""

    grades: Floats
    """The distinct grades, in ascending order."""
    pairs: Floats
    """By grade and grade: pairs of ratings of an item, divided by the number of its pairs."""
    paired: Floats
    """Number of items with two or more ratings."""
    shares: Floats
    """By grade: its share of the ratings of each item, added up."""
    rated: Floats
    """Number of items with a rating."""
    by_rater: Floats
    """By rater and grade: number of ratings."""
    coincidences: Floats
    """By grade and grade: pairs of ratings of an item, divided by the number of its ratings less one."""

    @classmethod
    def of(cls, grades: Floats, ratings: Floats, group: Ints, groups: int) -> RatingCounts:
        """Count a matrix of ratings with a row per item and a column per rater, NaN where there is none."""
        known = ~np.isnan(ratings)
        codes = np.searchsorted(grades, np.where(known, ratings, grades[0]))
        raters, size = ratings.shape[1], len(grades)
        counts = np.zeros((len(ratings), size))
        by_rater = np.zeros((groups, raters, size))
        for rater in range(raters):
            rows = np.flatnonzero(known[:, rater])
            counts[rows, codes[rows, rater]] += 1
            cells = np.bincount(group[rows] * size + codes[rows, rater], minlength=groups * size)
            by_rater[:, rater] = cells.reshape(groups, size)
        total = counts.sum(axis=1)
        several = np.flatnonzero(total > 1)
        products = counts[several, :, None] * counts[several, None, :]
        products[:, np.arange(size), np.arange(size)] -= counts[several]
        products /= (total[several] - 1)[:, None, None]

        def added(values: Floats, rows: Any) -> Floats:
            sums = np.zeros((groups, *values.shape[1:]))
            np.add.at(sums, group[rows], values)
            return sums

        shares = np.divide(counts, total[:, None], out=np.zeros_like(counts), where=total[:, None] > 0)
        return cls(
            grades,
            added(products / total[several][:, None, None], several),
            added(np.ones(len(several)), several),
            added(shares, slice(None)),
            added((total > 0).astype(np.float64), slice(None)),
            by_rater,
            added(products, several),
        )

    def _columns(self) -> list[Floats]:
        return [self.pairs, self.paired, self.shares, self.rated, self.by_rater, self.coincidences]

    def total(self) -> RatingCounts:
        """Return the counts of all groups together."""
        return RatingCounts(self.grades, *(column.sum(axis=0) for column in self._columns()))

    def resampled(self, resamples: int, seed: int) -> RatingCounts:
        """Return the counts of bootstrap samples of the groups, one row per sample."""
        columns, groups = self._columns(), len(self.paired)
        flat = np.concatenate([column.reshape(groups, -1) for column in columns], axis=1)
        means = resampled_means(flat, resamples_for(groups, resamples), seed)
        sizes = np.cumsum([column[0].size for column in columns])[:-1]
        parts = zip(np.split(means, sizes, axis=1), columns, strict=True)
        return RatingCounts(self.grades, *(part.reshape(len(part), *column.shape[1:]) for part, column in parts))


Statistic = Callable[[RatingCounts], Floats]


def distance_weights(grades: Floats, weights: Weights) -> Floats:
    """Return how far two grades agree, from 0 to 1.

    >>> distance_weights(np.array([0.0, 1.0, 2.0]), "linear").tolist()
    [[1.0, 0.5, 0.0], [0.5, 1.0, 0.5], [0.0, 0.5, 1.0]]
    """
    check_choice("weights", weights, ["linear", "quadratic", None])
    if weights is None or len(grades) == 1:
        return np.eye(len(grades))
    distance = np.abs(grades[:, None] - grades[None, :]) / (grades[-1] - grades[0])
    return 1 - (distance if weights == "linear" else distance**2)


def _above_chance(observed: Floats, expected: Floats) -> Floats:
    """Return agreement above that by chance, relative to the largest possible; NaN if chance alone agrees."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(expected < 1, (observed - expected) / (1 - expected), np.nan)


def observed_agreement(counts: RatingCounts, weights: Weights = None) -> Floats:
    """Return the weighted share of agreeing pairs of ratings, averaged over items."""
    with np.errstate(invalid="ignore"):
        return (counts.pairs * distance_weights(counts.grades, weights)).sum(axis=(-2, -1)) / counts.paired


def kappa_of(counts: RatingCounts, weights: Weights = None) -> Floats:
    """Return Cohen's kappa, for more than two raters Conger's."""
    agree = distance_weights(counts.grades, weights)
    with np.errstate(invalid="ignore"):
        rates = counts.by_rater / counts.by_rater.sum(axis=-1, keepdims=True)
    raters, mean = rates.shape[-2], rates.mean(axis=-2)
    products = np.einsum("...rk,...rl->...kl", rates, rates)
    outer = mean[..., :, None] * mean[..., None, :]
    covariance = (products - raters * outer) / (raters - 1)
    expected = (agree * (outer - covariance / raters)).sum(axis=(-2, -1))
    return _above_chance(observed_agreement(counts, weights), expected)


def gwet_of(counts: RatingCounts, weights: Weights = None) -> Floats:
    """Return Gwet's AC1, or AC2 with weights."""
    size = len(counts.grades)
    if size == 1:
        return np.ones_like(counts.paired)
    with np.errstate(invalid="ignore"):
        share = counts.shares / np.expand_dims(counts.rated, -1)
    scale = distance_weights(counts.grades, weights).sum() / (size * (size - 1))
    return _above_chance(observed_agreement(counts, weights), scale * (share * (1 - share)).sum(axis=-1))


def alpha_of(counts: RatingCounts, level: Level = "nominal") -> Floats:
    """Return Krippendorff's alpha."""
    check_choice("level", level, get_args(Level))
    grades, coincidences = counts.grades, counts.coincidences
    marginal = coincidences.sum(axis=-1)
    total = marginal.sum(axis=-1)
    if level == "ordinal":
        middle = np.cumsum(marginal, axis=-1) - marginal / 2
        difference = (middle[..., :, None] - middle[..., None, :]) ** 2
    elif level == "nominal":
        difference = 1 - np.eye(len(grades))
    else:
        difference = (grades[:, None] - grades[None, :]) ** 2
        if level == "ratio":
            if (grades < 0).any():
                raise ParameterError.of(
                    "level", level, ("another level where a grade is below 0", "其他尺度（有负等级）")
                )
            sums = grades[:, None] + grades[None, :]
            difference = np.divide(difference, sums**2, out=np.zeros_like(difference), where=sums > 0)
    seen = (coincidences * difference).sum(axis=(-2, -1))
    expected = (marginal[..., :, None] * marginal[..., None, :] * difference).sum(axis=(-2, -1))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(expected > 0, 1 - (total - 1) * seen / expected, np.nan)


def rating_matrix(ratings: npt.ArrayLike, owner: str) -> Floats:
    """Return ratings as a matrix of floats; raise an error for anything but numbers with two or more raters."""
    try:
        matrix = np.asarray(unmasked(ratings, f"{owner}: ratings", may_be_missing=True), dtype=np.float64)
    except (TypeError, ValueError):
        raise ParameterError.of("ratings", ratings, ("numbers", "数"), owner) from None
    if matrix.ndim != MATRIX or matrix.shape[1] < MATRIX:
        expected = "a matrix with a row per item and a column per rater, of two or more raters"
        raise ParameterError.of("ratings", ratings, (expected, "每行一个物品、每列一位评分者的矩阵，至少两列"), owner)
    if np.isinf(matrix).any():
        raise ParameterError.of("ratings", float(matrix[np.isinf(matrix)][0]), ("finite numbers", "有限的数"), owner)
    return matrix


def distinct_grades(ratings: Floats, owner: str) -> Floats:
    """Return the distinct grades; raise an error if there are none, or too many to be categories."""
    grades = np.unique(ratings[~np.isnan(ratings)])
    if not len(grades):
        raise ParameterError(f"{owner}: there are no ratings")
    if len(grades) > MAX_CATEGORIES:
        en = f"{owner}: {len(grades):,} different grades are measurements, not categories; round them"
        raise ParameterError((en, f"{owner}：{len(grades):,} 种不同的等级是测量值而非类别；请先取整"))
    return grades


def _one_value(ratings: npt.ArrayLike, owner: str, statistic: Statistic) -> float:
    matrix = rating_matrix(ratings, owner)
    counts = RatingCounts.of(distinct_grades(matrix, owner), matrix, np.zeros(len(matrix), dtype=np.int64), 1)
    return float(statistic(counts.total()))


def cohen_kappa(first: npt.ArrayLike, second: npt.ArrayLike, weights: Weights = None) -> float:
    """Cohen's kappa of two raters (Cohen 1960), weighted by the distance of the grades if asked for (Cohen 1968).

    Parameters
    ----------
    first, second
        Grades of the two raters, one for each item in the same order.
    weights
        None, ``"linear"`` or ``"quadratic"``. Distances are those of the grades, not of their positions on the scale.

    Examples
    --------
    >>> round(cohen_kappa([0, 0, 1, 1], [0, 1, 1, 1]), 6)  # 3/4 agree, 1/2 by chance
    0.5
    """
    columns = [np.asarray(side) for side in (first, second)]
    if columns[0].shape != columns[1].shape or columns[0].ndim != 1:
        raise ParameterError(
            f"cohen_kappa: expected two lists of one length, found {columns[0].shape} and {columns[1].shape}"
        )
    return _one_value(np.column_stack(columns), "cohen_kappa", lambda counts: kappa_of(counts, weights))


def krippendorff_alpha(ratings: npt.ArrayLike, level: Level = "nominal") -> float:
    """Krippendorff's alpha of two or more raters (Krippendorff 2011); NaN if all ratings are equal.

    Parameters
    ----------
    ratings
        A row per item and a column per rater, NaN where a rater gave no grade.
    level
        What a difference of grades means: ``"nominal"``, ``"ordinal"``, ``"interval"`` or ``"ratio"``.

    Examples
    --------
    >>> round(krippendorff_alpha([[0, 0], [1, 1], [0, 1], [1, 1]]), 6)  # 1 - 7 * 2 / (2 * 3 * 5)
    0.533333
    """
    return _one_value(ratings, "krippendorff_alpha", lambda counts: alpha_of(counts, level))


def gwet_ac1(ratings: npt.ArrayLike) -> float:
    """Gwet's AC1 of two or more raters (Gwet 2008), which does not fall where one grade is frequent.

    ``ratings`` has a row per item and a column per rater, NaN where a rater gave no grade.

    >>> round(gwet_ac1([[0, 0], [0, 0], [0, 0], [0, 1]]), 6)  # 3/4 agree, 2 * 1/8 * 7/8 by chance
    0.68
    """
    return _one_value(ratings, "gwet_ac1", gwet_of)


def gwet_ac2(ratings: npt.ArrayLike, weights: Weights = "quadratic") -> float:
    """Gwet's AC2: AC1 in which near misses count in part (Gwet 2014).

    Parameters
    ----------
    ratings
        A row per item and a column per rater, NaN where a rater gave no grade.
    weights
        ``"linear"`` or ``"quadratic"``.

    Examples
    --------
    >>> round(gwet_ac2([[0, 0], [1, 1], [2, 2], [2, 1]]), 6)
    0.818182
    """
    return _one_value(ratings, "gwet_ac2", lambda counts: gwet_of(counts, weights))
