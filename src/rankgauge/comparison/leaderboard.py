"""Rows of a leaderboard, and results about metrics and orders of systems."""

from __future__ import annotations

from typing import Any, NamedTuple

from rankgauge.rendering.plain import finite_or_none
from rankgauge.stats.intervals import Interval


class LeaderboardRow(NamedTuple):
    """One system of a leaderboard."""

    system: str
    mean: float
    """Mean over queries, or the corpus-level value."""
    median: float
    deviation: float
    interval: Interval
    """Student's t interval of the mean; a bootstrap interval for a corpus-level metric."""
    bootstrap_interval: Interval
    """BCa bootstrap interval of the mean."""
    rank: int
    ranks: tuple[int, int]
    """Interval of the rank over bootstrap samples of the queries."""
    group: str
    """Letters; systems that share one do not differ significantly."""

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data; None for what is not a number."""
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
            **finite_or_none(numbers),
        }


class DiscriminativePower(NamedTuple):
    """How well a metric distinguishes systems."""

    share: float
    """Share of pairs with a p-value below alpha."""
    levels: tuple[float, ...]
    """P-values of all pairs, ascending: the curve of achieved significance levels."""


class Agreement(NamedTuple):
    """Agreement of two orders; 1 if they are the same."""

    tau_b: float
    tau_ap: float
    rbo: float
