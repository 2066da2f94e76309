"""Pairs of systems compared by one metric: the difference, its interval and its tests."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from rankgauge.comparison.settings import DEFAULT, Settings
from rankgauge.rendering.plain import finite_or_none
from rankgauge.segments import Floats
from rankgauge.stats.intervals import Interval, bca_of_means, resampled_means, resamples_for, shifted_p, t_interval
from rankgauge.stats.paired_tests import PairedTestResult, paired_t, sign, wilcoxon
from rankgauge.stats.power import detectable_effect, queries_needed
from rankgauge.stats.samples import deviation
from rankgauge.stats.sign_flips import flips_for, is_exact, randomisation_p, smallest_p

QUERY_NUMBERS = ("deviation", "d_z", "hedges_g", "p_t", "t", "p_randomisation", "p_wilcoxon", "p_sign")
"""Keys of ``to_dict`` that need values per query."""


class SystemPair(ABC):
    """Two systems compared by one metric: what is known with and without values per query."""

    first: str
    second: str
    metric: str
    settings: Settings
    higher_is_better: bool
    corrected: float
    """P-value corrected for all pairs of the family; NaN if it is not corrected."""
    family: int
    """Number of pairs corrected together."""

    @property
    @abstractmethod
    def queries(self) -> int:
        """Number of queries compared."""

    @property
    @abstractmethod
    def mean_first(self) -> float:
        """Mean, or corpus-level value, of the first system."""

    @property
    @abstractmethod
    def mean_second(self) -> float:
        """Mean, or corpus-level value, of the second system."""

    @property
    @abstractmethod
    def difference(self) -> float:
        """Second minus first."""

    @property
    @abstractmethod
    def identical(self) -> bool:
        """Whether the systems cannot differ, whichever queries are used."""

    @property
    @abstractmethod
    def interval(self) -> Interval:
        """Confidence interval of the difference."""

    @property
    @abstractmethod
    def bootstrap_interval(self) -> Interval:
        """Bootstrap interval of the difference."""

    @property
    @abstractmethod
    def bootstrap(self) -> float:
        """P-value of the bootstrap."""

    @property
    @abstractmethod
    def p(self) -> float:
        """P-value on which the verdict is based, not corrected."""

    @property
    def gain(self) -> float:
        """Improvement of the second system over the first, whichever direction is better."""
        return self.difference if self.higher_is_better else -self.difference

    @property
    def significant(self) -> bool:
        """Whether the corrected p-value is below alpha and there are enough queries for any test to show it."""
        p = self.p if np.isnan(self.corrected) else self.corrected
        return bool(p < self.settings.alpha) and smallest_p(self.queries) < self.settings.alpha

    def _query_data(self) -> dict[str, Any]:
        """Return what needs values per query, by its key in ``to_dict``."""
        return {}

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data; None for what is not a number or not applicable."""
        per_query = self._query_data()
        data = {
            "metric": self.metric,
            "first": self.first,
            "second": self.second,
            "queries": self.queries,
            "wins": per_query.get("wins"),
            "ties": per_query.get("ties"),
            "losses": per_query.get("losses"),
            "family": self.family,
            "significant": self.significant,
            "randomisation_exact": per_query.get("randomisation_exact", False),
            "mean_first": self.mean_first,
            "mean_second": self.mean_second,
            "difference": self.difference,
            "interval_low": self.interval.low,
            "interval_high": self.interval.high,
            "bootstrap_low": self.bootstrap_interval.low,
            "bootstrap_high": self.bootstrap_interval.high,
            **{key: per_query.get(key) for key in QUERY_NUMBERS},
            "p_bootstrap": self.bootstrap,
            "p_corrected": self.corrected,
            "detectable": per_query.get("detectable"),
        }
        return finite_or_none(data)

    def __str__(self) -> str:
        from rankgauge.comparison.verdict import verdict  # noqa: PLC0415

        return verdict(self)


@dataclass(frozen=True, eq=False)
class Pair(SystemPair):
    """Two systems compared by a metric with a value per query.

    >>> pair = Pair("A", "B", "AP", np.array([0.2, 0.4, 0.3]), np.array([0.3, 0.8, 0.4]))
    >>> round(pair.difference, 6), pair.wins, pair.losses
    (0.2, 3, 0)
    >>> pair.randomisation, pair.exact  # 2 of the 8 ways to choose signs
    (0.25, True)
    """

    first: str
    second: str
    metric: str
    values_first: Floats
    values_second: Floats
    settings: Settings = DEFAULT
    higher_is_better: bool = True
    shared_randomisation: float | None = None
    """P-value of the randomisation test, if several pairs were tested together."""
    shared_bootstrap: Callable[[], Floats] | None = None
    """Bootstrap means of the difference, if one bootstrap serves several pairs."""
    corrected: float = float("nan")
    family: int = 1

    @property
    def queries(self) -> int:
        """Number of queries for which both systems have a value."""
        return len(self.values_first)

    @cached_property
    def differences(self) -> Floats:
        """Second minus first, per query."""
        return self.values_second - self.values_first

    @cached_property
    def difference(self) -> float:
        """Mean difference: second minus first."""
        return float(self.differences.mean())

    @property
    def mean_first(self) -> float:
        """Mean of the first system."""
        return float(self.values_first.mean())

    @property
    def mean_second(self) -> float:
        """Mean of the second system."""
        return float(self.values_second.mean())

    @cached_property
    def deviation(self) -> float:
        """Standard deviation of the differences; 0 if they are constant, NaN for one query."""
        return deviation(self.differences)

    @property
    def identical(self) -> bool:
        """Whether both systems have the same value for every query."""
        return not self.differences.any()

    @cached_property
    def interval(self) -> Interval:
        """Student's t interval of the difference."""
        return t_interval(self.differences, 1 - self.settings.alpha)

    @cached_property
    def bootstrap_interval(self) -> Interval:
        """BCa bootstrap interval of the difference."""
        return bca_of_means(self.differences, self._resampled, 1 - self.settings.alpha)

    @cached_property
    def _resampled(self) -> Floats:
        if self.shared_bootstrap is not None:
            return self.shared_bootstrap()
        count = resamples_for(self.queries, self.settings.resamples)
        return resampled_means(self.differences[:, None], count, self.settings.seed)[:, 0]

    # Effect sizes

    @property
    def d_z(self) -> float:
        """Difference in standard deviations of the differences; NaN if they have no spread."""
        return self.difference / self.deviation if self.deviation > 0 else float("nan")

    @property
    def hedges_g(self) -> float:
        """d_z corrected for its bias with few queries."""
        return self.d_z * (1 - 3 / (4 * (self.queries - 1) - 1)) if self.queries > 1 else float("nan")

    @property
    def wins(self) -> int:
        """Number of queries on which the second system is better by more than the tie threshold."""
        return int((self._gains > self.settings.tie).sum())

    @property
    def losses(self) -> int:
        """Number of queries on which the second system is worse by more than the tie threshold."""
        return int((self._gains < -self.settings.tie).sum())

    @property
    def ties(self) -> int:
        """Number of the other queries."""
        return self.queries - self.wins - self.losses

    @property
    def _gains(self) -> Floats:
        return self.differences if self.higher_is_better else -self.differences

    # Tests

    @cached_property
    def t(self) -> PairedTestResult:
        """Paired t test."""
        return paired_t(self.values_first, self.values_second)

    @cached_property
    def randomisation(self) -> float:
        """P-value of the randomisation test."""
        if self.shared_randomisation is not None:
            return self.shared_randomisation
        flips = flips_for(self.queries, self.settings.permutations)
        return float(randomisation_p(self.differences[:, None], flips, self.settings.seed)[0])

    @property
    def exact(self) -> bool:
        """Whether the randomisation test enumerated all signs."""
        return is_exact(self.differences)

    @cached_property
    def wilcoxon(self) -> PairedTestResult:
        """Wilcoxon's signed-rank test."""
        return wilcoxon(self.values_first, self.values_second)

    @cached_property
    def sign(self) -> PairedTestResult:
        """Sign test of wins against losses."""
        return sign(self.values_first, self.values_second, tie=self.settings.tie)

    @cached_property
    def bootstrap(self) -> float:
        """P-value of the shifted bootstrap."""
        return shifted_p(self.difference, self._resampled)

    @property
    def p(self) -> float:
        """P-value of the t test, or of the randomisation test if the t test is not applicable."""
        return self.randomisation if np.isnan(self.t.p) else self.t.p

    @cached_property
    def detectable(self) -> float:
        """Smallest difference that these queries detect with the power of the settings; NaN without spread."""
        if not self.deviation > 0:
            return float("nan")
        return detectable_effect(self.queries, self.settings.alpha, self.settings.power) * self.deviation

    def queries_for(self, difference: float) -> int:
        """Return the number of such queries that detect a difference with the power of the settings.

        >>> Pair("A", "B", "AP", np.zeros(4), np.array([0.1, -0.1, 0.1, -0.1])).queries_for(0.05)
        44
        """
        return queries_needed(difference, self.deviation, self.settings.alpha, self.settings.power)

    def _query_data(self) -> dict[str, Any]:
        return {
            "wins": self.wins,
            "ties": self.ties,
            "losses": self.losses,
            "randomisation_exact": self.exact,
            "deviation": self.deviation,
            "d_z": self.d_z,
            "hedges_g": self.hedges_g,
            "p_t": self.t.p,
            "t": self.t.statistic,
            "p_randomisation": self.randomisation,
            "p_wilcoxon": self.wilcoxon.p,
            "p_sign": self.sign.p,
            "detectable": self.detectable,
        }
