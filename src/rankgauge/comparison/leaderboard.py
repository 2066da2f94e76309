"""What a comparison says of one system, of a metric, and of two orders."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rankgauge.stats.intervals import Interval


class LeaderboardRow(NamedTuple):
    """One line of the leaderboard."""

    system: str
    mean: float
    median: float
    deviation: float
    interval: Interval
    """Of the mean, by Student's t."""
    bootstrap_interval: Interval
    """Of the mean, by the BCa bootstrap."""
    rank: int
    ranks: tuple[int, int]
    """The ranks that the system takes when the queries are drawn anew."""
    group: str
    """Systems that share a letter cannot be told apart."""

    def to_dict(self) -> dict[str, Any]:
        """Every number as plain data; what is not a number is None."""
        numbers = {
            "mean": self.mean,
            "median": self.median,
            "deviation": self.deviation,
            "interval_low": self.interval.low,
            "interval_high": self.interval.high,
            "bootstrap_low": self.bootstrap_interval.low,
            "bootstrap_high": self.bootstrap_interval.high,
        }
        return {
            "system": self.system,
            "rank": self.rank,
            "rank_low": self.ranks[0],
            "rank_high": self.ranks[1],
            "group": self.group,
            **{name: None if np.isnan(value) else value for name, value in numbers.items()},
        }


class DiscriminativePower(NamedTuple):
    """How well a metric tells systems apart."""

    share: float
    """The share of pairs with a p-value below alpha."""
    levels: tuple[float, ...]
    """The p-values of all pairs, rising: the curve of achieved significance levels."""


class Agreement(NamedTuple):
    """How much two orders agree; 1 when they are the same."""

    tau_b: float
    tau_ap: float
    rbo: float
