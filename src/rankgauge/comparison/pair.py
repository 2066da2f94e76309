"""Pair: two systems and one metric; the difference first, then how sure it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from rankgauge.comparison.settings import DEFAULT, Settings
from rankgauge.segments import Floats
from rankgauge.stats.intervals import Interval, bca_of_means, resampled_means, resamples_for, shifted_p, t_interval
from rankgauge.stats.paired_tests import PairedTestResult, paired_t, sign, wilcoxon
from rankgauge.stats.power import detectable_effect, queries_needed
from rankgauge.stats.samples import deviation
from rankgauge.stats.sign_flips import flips_for, is_exact, randomisation_p, smallest_p


@dataclass(frozen=True, eq=False)
class Pair:
    """The difference of the second system from the first, query by query.

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
    shuffled: float | None = None
    """The p-value of the randomisation test, where many pairs were tested together."""
    resampled: Callable[[], Floats] | None = None
    """The bootstrap means of the difference, where one bootstrap serves many pairs."""
    corrected: float = float("nan")
    """The p-value corrected for all pairs of its family."""
    family: int = 1
    """How many pairs were corrected together."""

    @property
    def queries(self) -> int:
        """How many queries both systems have a value for."""
        return len(self.values_first)

    @cached_property
    def differences(self) -> Floats:
        """Second minus first, for each query."""
        return self.values_second - self.values_first

    @cached_property
    def difference(self) -> float:
        """The mean difference: second minus first."""
        return float(self.differences.mean())

    @property
    def gain(self) -> float:
        """How much better the second system is, whichever direction is better."""
        return self.difference if self.higher_is_better else -self.difference

    @property
    def mean_first(self) -> float:
        """The mean of the first system."""
        return float(self.values_first.mean())

    @property
    def mean_second(self) -> float:
        """The mean of the second system."""
        return float(self.values_second.mean())

    @cached_property
    def deviation(self) -> float:
        """The standard deviation of the differences; 0 where they are constant, NaN for one query."""
        return deviation(self.differences)

    @property
    def identical(self) -> bool:
        """Whether both systems have the same value for every query."""
        return not self.differences.any()

    @cached_property
    def interval(self) -> Interval:
        """The interval of the difference by Student's t."""
        return t_interval(self.differences, 1 - self.settings.alpha)

    @cached_property
    def bootstrap_interval(self) -> Interval:
        """The BCa bootstrap interval of the difference."""
        return bca_of_means(self.differences, self._resampled, 1 - self.settings.alpha)

    @cached_property
    def _resampled(self) -> Floats:
        if self.resampled is not None:
            return self.resampled()
        count = resamples_for(self.queries, self.settings.resamples)
        return resampled_means(self.differences[:, None], count, self.settings.seed)[:, 0]

    # Effect sizes

    @property
    def d_z(self) -> float:
        """The difference in standard deviations of the differences; NaN where they have no spread."""
        return self.difference / self.deviation if self.deviation > 0 else float("nan")

    @property
    def hedges_g(self) -> float:
        """d_z without its bias for few queries."""
        return self.d_z * (1 - 3 / (4 * (self.queries - 1) - 1)) if self.queries > 1 else float("nan")

    @property
    def wins(self) -> int:
        """The queries on which the second system is better by more than the tie threshold."""
        return int((self._gains > self.settings.tie).sum())

    @property
    def losses(self) -> int:
        """The queries on which the second system is worse by more than the tie threshold."""
        return int((self._gains < -self.settings.tie).sum())

    @property
    def ties(self) -> int:
        """The queries on which neither is."""
        return self.queries - self.wins - self.losses

    @property
    def _gains(self) -> Floats:
        return self.differences if self.higher_is_better else -self.differences

    # Tests

    @cached_property
    def t(self) -> PairedTestResult:
        """The paired t test."""
        return paired_t(self.values_first, self.values_second)

    @cached_property
    def randomisation(self) -> float:
        """The p-value of the randomisation test."""
        if self.shuffled is not None:
            return self.shuffled
        flips = flips_for(self.queries, self.settings.permutations)
        return float(randomisation_p(self.differences[:, None], flips, self.settings.seed)[0])

    @property
    def exact(self) -> bool:
        """Whether the randomisation test tried all signs."""
        return is_exact(self.differences)

    @cached_property
    def wilcoxon(self) -> PairedTestResult:
        """Wilcoxon's signed-rank test."""
        return wilcoxon(self.values_first, self.values_second)

    @cached_property
    def sign(self) -> PairedTestResult:
        """The sign test of wins against losses."""
        return sign(self.values_first, self.values_second, tie=self.settings.tie)

    @cached_property
    def bootstrap(self) -> float:
        """The p-value of the shifted bootstrap."""
        return shifted_p(self.difference, self._resampled)

    @property
    def p(self) -> float:
        """The p-value that counts: of the t test, or of the randomisation test where the t test says nothing."""
        return self.randomisation if np.isnan(self.t.p) else self.t.p

    @property
    def significant(self) -> bool:
        """Whether the corrected p-value is below alpha, and there are queries enough for any test to say so."""
        p = self.p if np.isnan(self.corrected) else self.corrected
        return bool(p < self.settings.alpha) and smallest_p(self.queries) < self.settings.alpha

    @cached_property
    def detectable(self) -> float:
        """The difference that these queries would have shown with the power of the settings; NaN without spread."""
        if not self.deviation > 0:
            return float("nan")
        return detectable_effect(self.queries, self.settings.alpha, self.settings.power) * self.deviation

    def queries_for(self, difference: float) -> int:
        """How many queries such as these would show a difference with the power of the settings.

        >>> Pair("A", "B", "AP", np.zeros(4), np.array([0.1, -0.1, 0.1, -0.1])).queries_for(0.05)
        44
        """
        return queries_needed(difference, self.deviation, self.settings.alpha, self.settings.power)

    def to_dict(self) -> dict[str, Any]:
        """Every number as plain data; what is not a number is None."""
        numbers = {
            "mean_first": self.mean_first,
            "mean_second": self.mean_second,
            "difference": self.difference,
            "interval_low": self.interval.low,
            "interval_high": self.interval.high,
            "bootstrap_low": self.bootstrap_interval.low,
            "bootstrap_high": self.bootstrap_interval.high,
            "deviation": self.deviation,
            "d_z": self.d_z,
            "hedges_g": self.hedges_g,
            "p_t": self.t.p,
            "t": self.t.statistic,
            "p_randomisation": self.randomisation,
            "p_wilcoxon": self.wilcoxon.p,
            "p_sign": self.sign.p,
            "p_bootstrap": self.bootstrap,
            "p_corrected": self.corrected,
            "detectable": self.detectable,
        }
        return {
            "metric": self.metric,
            "first": self.first,
            "second": self.second,
            "queries": self.queries,
            "wins": self.wins,
            "ties": self.ties,
            "losses": self.losses,
            "family": self.family,
            "significant": self.significant,
            "randomisation_exact": self.exact,
            **{name: None if np.isnan(value) else value for name, value in numbers.items()},
        }

    def __str__(self) -> str:
        from rankgauge.comparison.verdict import verdict  # noqa: PLC0415

        return verdict(self)
