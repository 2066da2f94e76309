"""A value of all users together, such as coverage, which is no mean of values of users; its interval by bootstrap."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rankgauge.match.judged import Judged
from rankgauge.match.segments import Floats

RESAMPLES = 1_000
CELLS = 200_000_000
"""Rows that are counted in one bootstrap at most; fewer samples are drawn where there are very many."""
FEWEST = 100


class Whole:
    """What a kernel returns that looks at all lists at once: a function of how often each user counts."""

    __slots__ = ("_function", "rows", "users")

    def __init__(self, users: int, rows: int, function: Callable[[Floats], float]) -> None:
        self.users = users
        self.rows = rows
        self._function = function

    @classmethod
    def weighted(cls, values: Floats, weights: Floats) -> Whole:
        """The mean of values that weigh so much; what is NaN does not count.

        >>> Whole.weighted(np.array([1.0, 0.0, np.nan]), np.array([3.0, 1.0, 5.0])).value
        0.75
        """
        kept = ~np.isnan(values)
        value, weight = values[kept], weights[kept]

        def mean(times: Floats) -> float:
            each = times * weight
            return float((each * value).sum() / each.sum()) if each.sum() > 0 else float("nan")

        return cls(len(value), len(value), mean)

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
        random = np.random.Generator(np.random.Philox(key=seed))
        count = min(resamples, max(FEWEST, CELLS // max(self.rows, 1)))
        values = np.array([self._function(self._drawn(random)) for _ in range(count)])
        values = values[~np.isnan(values)]
        if len(values) == 0:
            return float("nan"), float("nan")
        low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2]) - values.mean() + self.value
        return float(low), float(high)

    def _drawn(self, random: np.random.Generator) -> Floats:
        return np.bincount(random.integers(0, self.users, self.users), minlength=self.users).astype(np.float64)


def whole_of(lists: Judged, function: Callable[[Floats], float]) -> Whole:
    """A value of these lists together, from how often each of them counts."""
    return Whole(lists.segments.count, lists.segments.rows, function)
