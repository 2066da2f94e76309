"""Moments: count, sum and squared deviations of values, which add up over batches and processes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankgauge.segments import Floats


@dataclass(frozen=True)
class Moments:
    """The numbers from which a mean and its interval follow.

    >>> Moments.of(np.array([1.0, 2.0])) + Moments.of(np.array([6.0]))
    Moments(count=3, total=9.0, squares=14.0)
    """

    count: int = 0
    total: float = 0.0
    squares: float = 0.0
    """Sum of squared deviations from the mean."""

    @classmethod
    def of(cls, values: Floats) -> Moments:
        """The moments of an array of values."""
        if not len(values):
            return cls()
        deviation = values - values.mean()
        return cls(len(values), float(values.sum()), float((deviation * deviation).sum()))

    @classmethod
    def of_powers(cls, count: float, total: float, powers: float) -> Moments:
        """From the count, the sum and the sum of squares, which a distributed sum can add up.

        Digits are lost if the values lie close together and far from 0: for values between 0 and 1, about twice as many
        as the standard deviation has leading zeros.

        >>> Moments.of_powers(3, 9.0, 41.0)
        Moments(count=3, total=9.0, squares=14.0)
        """
        return cls(round(count), total, max(0.0, powers - total * total / count)) if count else cls()

    @property
    def powers(self) -> tuple[float, float, float]:
        """The count, the sum and the sum of squares.

        >>> Moments.of(np.array([1.0, 2.0, 6.0])).powers
        (3.0, 9.0, 41.0)
        """
        return float(self.count), self.total, self.squares + (self.total * self.mean if self.count else 0.0)

    def __add__(self, other: Moments) -> Moments:
        """Combine two sets of values without cancellation (Chan, Golub and LeVeque, 1979)."""
        if not self.count or not other.count:
            return self if self.count else other
        count = self.count + other.count
        difference = other.mean - self.mean
        between = difference * difference * (self.count * other.count / count)
        return Moments(count, self.total + other.total, self.squares + other.squares + between)

    @property
    def mean(self) -> float:
        """Arithmetic mean; NaN without values."""
        return self.total / self.count if self.count else float("nan")

    @property
    def deviation(self) -> float:
        """Sample standard deviation; NaN for fewer than two values."""
        return float(np.sqrt(self.squares / (self.count - 1))) if self.count > 1 else float("nan")
