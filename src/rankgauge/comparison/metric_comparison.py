"""Statistics of several systems by one metric: leaderboard, pairs and corrections."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from rankgauge.comparison.leaderboard import DiscriminativePower, LeaderboardRow
from rankgauge.comparison.pair import SystemPair
from rankgauge.comparison.settings import Settings
from rankgauge.segments import Floats
from rankgauge.stats.intervals import Interval
from rankgauge.stats.rank_groups import compact_letters, rank_intervals, ranks
from rankgauge.stats.sign_flips import smallest_p

Places = tuple[int, int]
"""A pair of systems by their positions."""


class Compared(NamedTuple):
    """What all metrics of a comparison share."""

    systems: tuple[str, ...]
    baseline: int
    settings: Settings

    @property
    def all_pairs(self) -> list[Places]:
        """Each system with every later one."""
        count = len(self.systems)
        return [(a, b) for a in range(count) for b in range(a + 1, count)]

    @property
    def baseline_pairs(self) -> list[Places]:
        """The baseline with every other system."""
        return [(self.baseline, b) for b in range(len(self.systems)) if b != self.baseline]


class MetricComparison(ABC):
    """Several systems compared by one metric."""

    has_query_values: bool
    """Whether the metric has a value per query."""

    def __init__(self, name: str, higher_is_better: bool, compared: Compared) -> None:
        self.name = name
        self.higher_is_better = higher_is_better
        self.compared = compared
        self.settings = compared.settings

    @property
    @abstractmethod
    def queries(self) -> int:
        """Number of queries compared."""

    @property
    @abstractmethod
    def means(self) -> Floats:
        """Mean, or corpus-level value, of each system."""

    @property
    @abstractmethod
    def samples(self) -> Floats:
        """Mean, or corpus-level value, of each system (column) in each bootstrap sample (row)."""

    @property
    def resamples(self) -> int:
        """Number of bootstrap samples."""
        return len(self.samples)

    @property
    def left_out(self) -> dict[str, int]:
        """Number of queries without a value, by system; those queries are left out for all systems."""
        return {}

    @abstractmethod
    def p_values(self, places: Sequence[Places]) -> Floats:
        """Uncorrected p-values of these pairs."""

    @abstractmethod
    def corrected_p_values(self, places: Sequence[Places]) -> Floats:
        """P-values of these pairs, corrected together; 1 if there is nothing to test."""

    @abstractmethod
    def _pairs(self, places: Sequence[Places], family: Mapping[Places, float]) -> tuple[SystemPair, ...]:
        """Return these pairs with their p-values in the family."""

    @abstractmethod
    def _row_numbers(self, place: int) -> tuple[float, float, Interval, Interval]:
        """Return the median, the standard deviation, the interval and the bootstrap interval of a system."""

    # Pairs

    @cached_property
    def _all_corrected(self) -> dict[Places, float]:
        places = self.compared.all_pairs
        return dict(zip(places, self.corrected_p_values(places).tolist(), strict=True))

    @cached_property
    def _baseline_corrected(self) -> dict[Places, float]:
        places = self.compared.baseline_pairs
        return dict(zip(places, self.corrected_p_values(places).tolist(), strict=True))

    @cached_property
    def all_pairs(self) -> tuple[SystemPair, ...]:
        """Each system against every later one."""
        return self._pairs(self.compared.all_pairs, self._all_corrected)

    @cached_property
    def baseline_pairs(self) -> tuple[SystemPair, ...]:
        """Each system against the baseline."""
        return self._pairs(self.compared.baseline_pairs, self._baseline_corrected)

    def pair(self, first: int, second: int) -> SystemPair:
        """Return one pair; its family are the pairs with the baseline if it is one of them, or all pairs."""
        with_baseline = self.compared.baseline in {first, second}
        return self._pairs([(first, second)], self._baseline_corrected if with_baseline else self._all_corrected)[0]

    def discriminative_power(self) -> DiscriminativePower:
        """Return the share of pairs that differ significantly, uncorrected (Sakai 2006)."""
        levels = np.sort(self.p_values(self.compared.all_pairs))
        return DiscriminativePower(float((levels < self.settings.alpha).mean()), tuple(levels.tolist()))

    # Leaderboard

    def _rankable(self) -> tuple[Floats, Floats]:
        """Return the means and the bootstrap samples in the form in which they are ranked."""
        return self.means, self.samples

    @cached_property
    def leaderboard(self) -> tuple[LeaderboardRow, ...]:
        """The systems, best first."""
        means, samples = self._rankable()
        rank = ranks(means[None, :], self.higher_is_better)[0]
        ranges = rank_intervals(samples, self.higher_is_better, 1 - self.settings.alpha)
        order = np.lexsort((np.arange(len(rank)), rank))
        groups = compact_letters(self._significant()[np.ix_(order, order)])
        rows = []
        for place, group in zip(order.tolist(), groups, strict=True):
            system, mean = self.compared.systems[place], float(self.means[place])
            numbers = self._row_numbers(place)
            rows.append(LeaderboardRow(system, mean, *numbers, int(rank[place]), ranges[place], group))
        return tuple(rows)

    def _significant(self) -> Floats:
        """Return the symmetric matrix that says which pairs differ significantly."""
        count, alpha = len(self.compared.systems), self.settings.alpha
        different = np.zeros((count, count), dtype=bool)
        for (a, b), p in self._all_corrected.items():
            different[a, b] = different[b, a] = smallest_p(self.queries) < alpha and p < alpha
        return different


def family_p(family: Mapping[Places, float], places: Places) -> float:
    """Return the corrected p-value of a pair, in either order; NaN if it is not in the family."""
    a, b = places
    return family.get((a, b), family.get((b, a), float("nan")))
