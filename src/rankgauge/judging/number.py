"""A number with its confidence interval, which works as a plain float, shares of counts, and biases of groups."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any, NamedTuple

import numpy as np

from rankgauge.rendering.document import Table
from rankgauge.rendering.language import Lang, Phrase
from rankgauge.rendering.number_texts import decimal
from rankgauge.rendering.plain import FrameResult, columns_of, finite_or_none
from rankgauge.segments import Floats, Ints
from rankgauge.stats.corrections import holm
from rankgauge.stats.samples import check_share, check_whole

FEWEST = 2
"""Queries without which there is no spread."""
TITLES = (Phrase("measure", "指标"), Phrase("value", "值"), Phrase("interval", "区间"))


def interval_settings(alpha: float, resamples: int, seed: int, verb: str) -> dict[str, Any]:
    """Return the settings of bootstrap intervals; raise an error for one that is not allowed."""
    level = 1 - check_share("alpha", alpha, verb)
    check_whole("resamples", resamples, 100, verb)
    check_whole("seed", seed, 0, verb)
    return {"level": level, "resamples": resamples, "seed": seed}


@dataclass(frozen=True)
class Number:
    """A value with its confidence interval; ``float(number)`` is the value.

    >>> kappa = Number(0.4, 0.3, 0.5)
    >>> float(kappa) + 0.1, str(kappa)
    (0.5, '0.4000 [0.3000, 0.5000]')
    """

    value: float
    low: float
    high: float

    def __float__(self) -> float:
        return self.value

    @property
    def half_width(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    @property
    def excludes_zero(self) -> bool:
        """Whether the interval excludes 0."""
        return self.low > 0 or self.high < 0

    def to_dict(self) -> dict[str, float | None]:
        """Return plain data."""
        return {name: finite_or_none(getattr(self, name)) for name in ("value", "low", "high")}

    def cells(self, digits: int = 4, *, signed: bool = False) -> Sequence[str]:
        """Return the value and the interval as cells of a table."""
        value, low, high = (
            decimal(number, digits, "+" if signed else "") for number in (self.value, self.low, self.high)
        )
        return value, "–" if isnan(self.low) else f"{low} … {high}"

    def __str__(self) -> str:
        return f"{decimal(self.value, 4)} [{decimal(self.low, 4)}, {decimal(self.high, 4)}]"


class NamedNumbers(FrameResult):
    """Base class of results that are numbers with names."""

    def numbers(self) -> Mapping[str, Number]:
        """Return the numbers by name."""
        raise NotImplementedError

    def frame_columns(self) -> dict[str, list[Any]]:
        """Return a row for each number, as columns: measure, value, low and high."""
        return columns_of({"measure": name, **number.to_dict()} for name, number in self.numbers().items())


def number_table(numbers: Mapping[str, Number], lang: Lang, digits: int) -> Table:
    """Return a table of numbers with their intervals, by label."""
    rows = [[label, *number.cells(digits)] for label, number in numbers.items()]
    return Table([title.render(lang) for title in TITLES], rows, align="lrr")


def number_of(
    value: float, samples: Floats, groups: int, level: float, bounds: tuple[float, float] = (-1.0, 1.0)
) -> Number:
    """Return a value with Student's t interval from the standard error of its bootstrap samples, within bounds."""
    from scipy.special import stdtrit  # noqa: PLC0415

    valid = samples[~np.isnan(samples)]
    if groups < FEWEST or len(valid) < FEWEST or np.isnan(value):
        return Number(value, np.nan, np.nan)
    reach = float(stdtrit(groups - 1, (1 + level) / 2) * valid.std(ddof=1))
    return Number(value, max(value - reach, bounds[0]), min(value + reach, bounds[1]))


@dataclass(frozen=True, eq=False)
class ResampledCounts:
    """Counts over all queries, and over bootstrap samples of the queries."""

    total: Floats
    samples: Floats
    queries: int
    level: float

    @classmethod
    def of(cls, by_query: Floats, level: float, resamples: int, seed: int) -> ResampledCounts:
        """Return the sums of counts with a row for each query."""
        from rankgauge.stats.intervals import resampled_means, resamples_for  # noqa: PLC0415

        samples = resampled_means(by_query, resamples_for(len(by_query), resamples), seed)
        return cls(by_query.sum(axis=0), samples, len(by_query), level)

    def number(self, function: Callable[[Floats], Floats]) -> Number:
        """Return a share that follows from the counts, with its interval."""
        return number_of(float(function(self.total)), function(self.samples), self.queries, self.level, (0.0, 1.0))


def share(part: int, *whole: int) -> Callable[[Floats], Floats]:
    """Return a function from counts to one of them over the sum of others; NaN where there is nothing to divide by."""

    def share_of(cells: Floats) -> Floats:
        below = cells[..., whole].sum(axis=-1)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(below > 0, cells[..., part] / below, np.nan)

    return share_of


CLUSTERS = 2
"""Clusters without which there is no spread."""


class Bias(NamedTuple):
    """How much higher the second rater grades than the first, in one group of items or queries."""

    group: str
    size: int
    """Number of pairs or queries."""
    difference: Number
    p: float
    """p-value of no difference, corrected by Holm's method over all groups."""


def clustered_mean(values: Floats, clusters: Ints, level: float) -> tuple[Number, float]:
    """Return the mean of values whose errors depend on each other within clusters, and the p-value of 0."""
    from scipy.special import stdtr, stdtrit  # noqa: PLC0415

    mean, codes = float(values.mean()) if len(values) else np.nan, np.unique(clusters, return_inverse=True)[1]
    count = int(codes.max(initial=-1)) + 1
    if count < CLUSTERS:
        return Number(mean, np.nan, np.nan), np.nan
    sums = np.bincount(codes, values - mean)
    error = float(np.sqrt(sums @ sums * count / (count - 1))) / len(values)
    reach = float(stdtrit(count - 1, (1 + level) / 2)) * error
    p = 2 * float(stdtr(count - 1, -abs(mean) / error)) if error > 0 else float(mean == 0)
    return Number(mean, mean - reach, mean + reach), p


def with_holm(biases: Iterable[tuple[str, int, Number, float]]) -> tuple[Bias, ...]:
    """Return biases with p-values corrected by Holm's method."""
    rows = [*biases]
    known = [place for place, row in enumerate(rows) if not np.isnan(row[-1])]
    corrected = dict(zip(known, holm([rows[place][-1] for place in known]).tolist(), strict=True)) if known else {}
    return tuple(Bias(*row[:3], corrected.get(place, float("nan"))) for place, row in enumerate(rows))
