"""Count, sum and squared deviations of values that lie in many places: taken apart, put together, the same."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankgauge.segments import Floats


@dataclass(frozen=True)
class Moments:
    """What a mean and its interval need to know of values, without the values.

    >>> Moments.of(np.array([1.0, 2.0])) + Moments.of(np.array([6.0]))
    Moments(count=3, total=9.0, squares=14.0)
    """

    count: int = 0
    total: float = 0.0
    squares: float = 0.0
    """The sum of squared deviations from the mean."""

    @classmethod
    def of(cls, values: Floats) -> Moments:
        """The moments of values that are at hand."""
        if not len(values):
            return cls()
        deviation = values - values.mean()
        return cls(len(values), float(values.sum()), float((deviation * deviation).sum()))

    @classmethod
    def of_powers(cls, count: float, total: float, powers: float) -> Moments:
        """From the number, the sum and the sum of the squares, which many places can simply add up.

        Digits are lost where the values lie close together and far from 0: of values between 0 and 1 about as many as
        the deviation has zeros after the point, twice.

        >>> Moments.of_powers(3, 9.0, 41.0)
        Moments(count=3, total=9.0, squares=14.0)
        """
        return cls(round(count), total, max(0.0, powers - total * total / count)) if count else cls()

    @property
    def powers(self) -> tuple[float, float, float]:
        """The number, the sum and the sum of the squares.

        >>> Moments.of(np.array([1.0, 2.0, 6.0])).powers
        (3.0, 9.0, 41.0)
        """
        return float(self.count), self.total, self.squares + (self.total * self.mean if self.count else 0.0)

    def __add__(self, other: Moments) -> Moments:
        """Of both together (Chan, Golub and LeVeque, 1979): no difference of large numbers, so no digits are lost."""
        if not self.count or not other.count:
            return self if self.count else other
        count = self.count + other.count
        apart = other.mean - self.mean
        between = apart * apart * (self.count * other.count / count)
        return Moments(count, self.total + other.total, self.squares + other.squares + between)

    @property
    def mean(self) -> float:
        """The arithmetic mean; NaN of nothing."""
        return self.total / self.count if self.count else float("nan")

    @property
    def deviation(self) -> float:
        """The standard deviation of the sample; NaN where there are fewer than two values."""
        return float(np.sqrt(self.squares / (self.count - 1))) if self.count > 1 else float("nan")
