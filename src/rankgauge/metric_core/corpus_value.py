"""Corpus-level values, such as catalogue coverage: one value for all queries, with a bootstrap interval."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from rankgauge.matching.judged_rankings import JudgedRankings
from rankgauge.segments import Floats, Ints, total_of

if TYPE_CHECKING:
    from rankgauge.stats.intervals import Interval

RESAMPLES = 1_000
MAX_ROWS = 200_000_000
"""Maximum number of rows processed in one bootstrap; with very many rows there are fewer samples."""
MIN_RESAMPLES = 100
UNBOUNDED = (-np.inf, np.inf)


class CorpusValue:
    """A value of all queries together, as a function of the number of times each query counts."""

    __slots__ = ("_function", "places", "queries", "rows", "weights")

    def __init__(
        self, queries: int, rows: int, function: Callable[[Floats], float], places: Ints | None = None
    ) -> None:
        self.queries = queries
        self.rows = rows
        self.places: Ints = np.arange(queries) if places is None else places
        """Positions of the queries among all judged ones."""
        self._function = function
        self.weights: Floats | None = None
        """Weight of each query, for a weighted mean of values per query."""

    @classmethod
    def constant(cls, value: float) -> CorpusValue:
        """Return a value that cannot be resampled, such as one that was saved."""
        return cls(0, 0, lambda _: value)

    def among(self, places: Ints) -> CorpusValue:
        """Return the same value with its queries at these positions among all judged ones."""
        return CorpusValue(self.queries, self.rows, self._function, places[self.places])

    @classmethod
    def weighted(cls, values: Floats, weights: Floats, undefined: float = np.nan) -> CorpusValue:
        """Return the weighted mean of values per query, without those that are NaN; ``undefined`` if no weight is left.

        >>> CorpusValue.weighted(np.array([1.0, 0.0, np.nan]), np.array([3.0, 1.0, 5.0])).value
        0.75
        """
        valid = ~np.isnan(values)
        value, weight = values[valid], weights[valid]

        def mean(counts: Floats) -> float:
            products = counts * weight
            total = total_of if (counts == 1).all() else np.sum  # samples need not be alike in every order
            with np.errstate(invalid="ignore"):  # a denominator beyond double precision gives no number
                return float(total(products * value) / total(products)) if products.sum() > 0 else undefined

        weighted = cls(len(value), len(value), mean, np.flatnonzero(valid))
        weighted.weights = weight
        return weighted

    @property
    def value(self) -> float:
        """The value with every query counting once; NaN if it is undefined."""
        return float(self._function(np.ones(self.queries)))

    def interval(
        self, level: float, seed: int = 0, resamples: int = RESAMPLES, bounds: tuple[float, float] = UNBOUNDED
    ) -> Interval:
        """Bootstrap interval over queries, between the bounds of the metric; NaN for a single query.

        A sample with replacement contains fewer distinct queries, so a count of distinct items is too small in every
        sample. The spread of the samples is therefore centred on the value, not on their own mean.
        """
        own_places = CorpusValue(self.queries, self.rows, self._function)
        count = resamples if self.queries > 1 else 0  # one query has no spread
        samples = resampled_values([own_places], self.queries, seed, count)[:, 0]
        return interval_around(self.value, samples, level, bounds)

    def with_counts(self, counts: Floats) -> float:
        """Return the value if each judged query counts this number of times."""
        return float(self._function(counts[self.places]))


def resampled_values(values: Sequence[CorpusValue], queries: int, seed: int, resamples: int = RESAMPLES) -> Floats:
    """Values of several systems (columns) in bootstrap samples of the queries (rows), shared by all systems."""
    random = np.random.Generator(np.random.Philox(key=seed))
    count = min(resamples, max(MIN_RESAMPLES, MAX_ROWS // max(1, *(value.rows for value in values))))
    samples = np.empty((count, len(values)))
    for sample in samples:
        counts = np.bincount(random.integers(0, queries, queries), minlength=queries).astype(np.float64)
        sample[:] = [value.with_counts(counts) for value in values]
    return samples


def interval_around(value: float, samples: Floats, level: float, bounds: tuple[float, float] = UNBOUNDED) -> Interval:
    """Interval of the central ``level`` of the samples, centred on the value, cut at the bounds; NaN if none.

    No value is beyond the bounds, so the cut takes nothing from the coverage.

    >>> interval_around(0.5, np.array([0.25, 0.5, 0.75]), 1.0)
    Interval(low=0.25, high=0.75)
    >>> interval_around(0.9, np.array([0.25, 0.5, 0.75]), 1.0, (0.0, 1.0))
    Interval(low=0.65, high=1.0)
    """
    from rankgauge.stats.intervals import NO_INTERVAL, Interval  # noqa: PLC0415 (loads all statistics)

    valid = samples[~np.isnan(samples)]
    if len(valid) == 0:
        return NO_INTERVAL
    low, high = np.quantile(valid, [(1 - level) / 2, (1 + level) / 2]) - valid.mean() + value
    return Interval(min(float(low), value), max(float(high), value)).cut(value, bounds)


def corpus_value(lists: JudgedRankings, function: Callable[[Floats], float]) -> CorpusValue:
    """Return a value of these lists, as a function of the number of times each of them counts."""
    return CorpusValue(lists.segments.count, lists.segments.rows, function)
