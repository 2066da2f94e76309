"""A value of all users together, such as coverage, which is no mean of values of users; its interval by bootstrap."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from rankgauge.matching.judged_rankings import JudgedRankings
from rankgauge.segments import Floats, Ints

RESAMPLES = 1_000
CELLS = 200_000_000
"""Rows that are counted in one bootstrap at most; fewer samples are drawn where there are very many."""
FEWEST = 100


class CorpusValue:
    """What a kernel returns that looks at all lists at once: a function of how often each user counts."""

    __slots__ = ("_function", "places", "rows", "users")

    def __init__(self, users: int, rows: int, function: Callable[[Floats], float], places: Ints | None = None) -> None:
        self.users = users
        self.rows = rows
        self.places: Ints = np.arange(users) if places is None else places
        """The numbers of the users among all that were judged."""
        self._function = function

    @classmethod
    def known(cls, value: float) -> CorpusValue:
        """A value of which nothing else is known, such as one that was saved."""
        return cls(0, 0, lambda _: value)

    def among(self, numbers: Ints) -> CorpusValue:
        """The same, whose users have these numbers among all."""
        return CorpusValue(self.users, self.rows, self._function, numbers[self.places])

    @classmethod
    def weighted(cls, values: Floats, weights: Floats) -> CorpusValue:
        """The mean of values that weigh so much; what is NaN does not count.

        >>> CorpusValue.weighted(np.array([1.0, 0.0, np.nan]), np.array([3.0, 1.0, 5.0])).value
        0.75
        """
        kept = ~np.isnan(values)
        value, weight = values[kept], weights[kept]

        def mean(times: Floats) -> float:
            each = times * weight
            return float((each * value).sum() / each.sum()) if each.sum() > 0 else float("nan")

        return cls(len(value), len(value), mean, np.flatnonzero(kept))

    @property
    def value(self) -> float:
        """With every user counting once; NaN where there is no value."""
        return float(self._function(np.ones(self.users)))

    def interval(self, level: float, seed: int = 0, resamples: int = RESAMPLES) -> tuple[float, float]:
        """The interval that drawing as many users anew suggests, around the value.

        A sample drawn with repetition holds fewer different users, so that a count of different items is too small
        in every sample. The spread of the samples is therefore laid around the value, not around their own mean.
        """
        if self.users < 2:  # noqa: PLR2004 (one user has no spread)
            return float("nan"), float("nan")
        alone = CorpusValue(self.users, self.rows, self._function)
        return spread_around(self.value, resampled_values([alone], self.users, seed, resamples)[:, 0], level)

    def counting(self, times: Floats) -> float:
        """The value where each user, of all that were judged, counts so many times."""
        return float(self._function(times[self.places]))


def resampled_values(wholes: Sequence[CorpusValue], users: int, seed: int, resamples: int = RESAMPLES) -> Floats:
    """The values of several systems (columns) over users drawn anew (rows), the same users for all systems."""
    random = np.random.Generator(np.random.Philox(key=seed))
    count = min(resamples, max(FEWEST, CELLS // max(1, *(whole.rows for whole in wholes))))
    samples = np.empty((count, len(wholes)))
    for sample in samples:
        times = np.bincount(random.integers(0, users, users), minlength=users).astype(np.float64)
        sample[:] = [whole.counting(times) for whole in wholes]
    return samples


def spread_around(value: float, samples: Floats, level: float) -> tuple[float, float]:
    """The middle ``level`` of the samples, laid around the value and never beside it; NaN where there are none.

    >>> spread_around(0.5, np.array([0.25, 0.5, 0.75]), 1.0)
    (0.25, 0.75)
    """
    known = samples[~np.isnan(samples)]
    if len(known) == 0:
        return float("nan"), float("nan")
    low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2]) - known.mean() + value
    return min(float(low), value), max(float(high), value)


def corpus_value(lists: JudgedRankings, function: Callable[[Floats], float]) -> CorpusValue:
    """A value of these lists together, from how often each of them counts."""
    return CorpusValue(lists.segments.count, lists.segments.rows, function)
