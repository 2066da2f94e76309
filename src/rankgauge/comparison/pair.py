"""Pairs of systems compared by one metric: the difference, its interval and its tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from rankgauge.comparison.settings import DEFAULT, Settings
from rankgauge.comparison.statistics import PAIR_STATISTICS, Kind, plain_data
from rankgauge.metric_core.corpus_value import interval_around
from rankgauge.metric_core.summary import no_query_values
from rankgauge.rendering.plain import PlainData
from rankgauge.segments import Floats
from rankgauge.stats.intervals import NO_INTERVAL, Interval, bca_of_means, shifted_p, t_interval
from rankgauge.stats.paired_tests import PairedTestResult, is_exact, paired_t, sign, smallest_p, wilcoxon
from rankgauge.stats.power import detectable_effect, queries_needed
from rankgauge.stats.samples import deviation

ROUNDING = 1e-12
"""The same counts added in another order differ by less than this."""


@dataclass(frozen=True, eq=False, kw_only=True)
class SystemPair:
    """Two systems compared by one metric, by bootstrap samples of the queries.

    This is all that a corpus-level metric allows; ``Pair`` adds the tests that need a value per query.
    """

    kind: ClassVar[Kind] = "corpus"
    first: str
    second: str
    metric: str
    mean_first: float
    """Mean, or corpus-level value, of the first system."""
    mean_second: float
    queries: int
    """Number of queries compared."""
    resample: Callable[[], Floats]
    """Returns the difference in each bootstrap sample of the queries, which all pairs share."""
    settings: Settings = DEFAULT
    higher_is_better: bool = True
    widest: float = float("inf")
    """Largest difference that the bounds of the metric allow."""
    corrected: float = float("nan")
    """P-value corrected for all pairs of the family; NaN if it is not corrected."""
    family: int = 1
    """Number of pairs corrected together."""

    @cached_property
    def samples(self) -> Floats:
        """Difference in each bootstrap sample of the queries."""
        return self.resample()

    @cached_property
    def difference(self) -> float:
        """Second minus first."""
        return self.mean_second - self.mean_first

    @cached_property
    def identical(self) -> bool:
        """Whether the difference is 0, up to rounding, in every bootstrap sample."""
        differences = np.append(self.samples[~np.isnan(self.samples)], self.difference)
        return bool((np.abs(differences) <= ROUNDING).all())

    @cached_property
    def bootstrap_interval(self) -> Interval:
        """Bootstrap interval of the difference."""
        if self.queries < 2:  # noqa: PLR2004 (one query has no spread)
            return NO_INTERVAL
        return interval_around(self.difference, self.samples, 1 - self.settings.alpha, (-self.widest, self.widest))

    @property
    def interval(self) -> Interval:
        """Confidence interval of the difference."""
        return self.bootstrap_interval

    @cached_property
    def bootstrap(self) -> float:
        """P-value of the bootstrap."""
        return bootstrap_p(self.difference, self.samples)

    @property
    def p(self) -> float:
        """P-value on which the verdict is based, not corrected."""
        return self.bootstrap

    @property
    def gain(self) -> float:
        """Improvement of the second system over the first, whichever direction is better."""
        return self.difference if self.higher_is_better else -self.difference

    @property
    def significant(self) -> bool:
        """Whether the corrected p-value is below alpha and there are enough queries for any test to show it."""
        p = self.p if np.isnan(self.corrected) else self.corrected
        return bool(p < self.settings.alpha) and smallest_p(self.queries) < self.settings.alpha

    def to_dict(self) -> PlainData:
        """Return everything as plain data; None for what is not a number or not applicable."""
        return plain_data(PAIR_STATISTICS, self, self.kind)

    def queries_for(self, difference: float) -> int:
        """Return the number of such queries that detect a difference; an error without values per query."""
        raise no_query_values(self.metric, f"the number of queries that detect {difference:g} cannot be computed")

    def __str__(self) -> str:
        from rankgauge.comparison.verdict import verdict  # noqa: PLC0415

        return verdict(self)


@dataclass(frozen=True, eq=False, kw_only=True)
class Pair(SystemPair):
    """Two systems compared by a metric with a value per query.

    >>> import rankgauge as rg
    >>> pair = rg.Comparison.of({"A": {1: 0.2, 2: 0.4, 3: 0.3}, "B": {1: 0.3, 2: 0.8, 3: 0.4}}).pair("A", "B")
    >>> round(pair.difference, 6), pair.wins, pair.losses
    (0.2, 3, 0)
    >>> pair.randomisation, pair.exact  # 2 of the 8 ways to choose signs
    (0.25, True)
    """

    kind: ClassVar[Kind] = "query"
    values_first: Floats
    values_second: Floats
    randomisation: float
    """P-value of the randomisation test."""

    @cached_property
    def differences(self) -> Floats:
        """Second minus first, per query."""
        return self.values_second - self.values_first

    @cached_property
    def difference(self) -> float:
        """Mean difference: second minus first."""
        return float(self.differences.mean())

    @cached_property
    def deviation(self) -> float:
        """Standard deviation of the differences; 0 if they are constant, NaN for one query."""
        return deviation(self.differences)

    @cached_property
    def identical(self) -> bool:
        """Whether both systems have the same value for every query."""
        return not self.differences.any()

    @cached_property
    def interval(self) -> Interval:
        """Student's t interval of the difference, cut at the largest one that the metric allows."""
        interval = t_interval(self.differences, 1 - self.settings.alpha)
        return interval.cut(self.difference, (-self.widest, self.widest))

    @cached_property
    def bootstrap_interval(self) -> Interval:
        """BCa bootstrap interval of the difference."""
        return bca_of_means(self.differences, self.samples, 1 - self.settings.alpha)

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
        return shifted_p(self.difference, self.samples)

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

        >>> import rankgauge as rg
        >>> values = {"A": dict.fromkeys(range(4), 0.0), "B": {0: 0.1, 1: -0.1, 2: 0.1, 3: -0.1}}
        >>> rg.Comparison.of(values).pair("A", "B").queries_for(0.05)
        44
        """
        return queries_needed(difference, self.deviation, self.settings.alpha, self.settings.power)


def bootstrap_p(difference: float, samples: Floats) -> float:
    """Two-sided p-value: the share of samples as far from their own mean as the difference is from 0.

    >>> bootstrap_p(0.2, np.array([0.1, 0.2, 0.3]))
    0.25
    """
    valid = samples[~np.isnan(samples)]
    if np.isnan(difference) or len(valid) == 0:
        return float("nan")
    extreme = np.abs(valid - valid.mean()) >= abs(difference) * (1 - ROUNDING)
    return float((1 + extreme.sum()) / (1 + len(valid)))
