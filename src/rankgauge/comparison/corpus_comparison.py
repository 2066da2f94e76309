"""Systems compared by a corpus-level metric: one value for all queries together, tested by bootstrap."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rankgauge.comparison.metric_comparison import Compared, MetricComparison, Places, family_p
from rankgauge.comparison.pair import SystemPair
from rankgauge.comparison.settings import Settings
from rankgauge.errors import ParameterError
from rankgauge.metric_core.corpus_value import CorpusValue, interval_around, resampled_values
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.summary import no_query_values
from rankgauge.segments import Floats
from rankgauge.stats.corrections import P_CORRECTIONS
from rankgauge.stats.intervals import NO_INTERVAL, Interval

ROUNDING = 1e-12
"""The same counts added in another order differ by less than this."""


def bootstrap_p(difference: float, samples: Floats) -> float:
    """Two-sided p-value: the share of samples as far from their own mean as the difference is from 0.

    >>> bootstrap_p(0.2, np.array([0.1, 0.2, 0.3]))
    0.25
    """
    valid = samples[~np.isnan(samples)]
    if np.isnan(difference) or len(valid) == 0:
        return float("nan")
    extreme = np.abs(valid - valid.mean()) >= abs(difference) * (1 - 1e-12)
    return float((1 + extreme.sum()) / (1 + len(valid)))


@dataclass(frozen=True, eq=False)
class CorpusPair(SystemPair):
    """Two systems compared by a corpus-level metric."""

    first: str
    second: str
    metric: str
    value_first: float
    value_second: float
    samples: Floats
    """Difference in each bootstrap sample of the queries, which both systems share."""
    query_count: int
    settings: Settings
    higher_is_better: bool
    corrected: float
    family: int

    @property
    def queries(self) -> int:
        """Number of queries that are resampled."""
        return self.query_count

    @property
    def mean_first(self) -> float:
        """Value of the first system."""
        return self.value_first

    @property
    def mean_second(self) -> float:
        """Value of the second system."""
        return self.value_second

    @property
    def difference(self) -> float:
        """Second minus first."""
        return self.value_second - self.value_first

    @property
    def identical(self) -> bool:
        """Whether the difference is 0, up to rounding, in every bootstrap sample."""
        differences = np.append(self.samples[~np.isnan(self.samples)], self.difference)
        return bool((np.abs(differences) <= ROUNDING).all())

    @cached_property
    def interval(self) -> Interval:
        """Bootstrap interval of the difference."""
        if self.queries < 2:  # noqa: PLR2004 (one query has no spread)
            return NO_INTERVAL
        return interval_around(self.difference, self.samples, 1 - self.settings.alpha)

    @property
    def bootstrap_interval(self) -> Interval:
        """Bootstrap interval of the difference."""
        return self.interval

    @cached_property
    def bootstrap(self) -> float:
        """P-value of the bootstrap."""
        return bootstrap_p(self.difference, self.samples)

    @property
    def p(self) -> float:
        """P-value of the bootstrap."""
        return self.bootstrap

    def queries_for(self, difference: float) -> int:
        """Raise an error: the number of queries needed is known for metrics with a value per query only."""
        raise no_query_values(self.metric, f"the number of queries that detect {difference:g} cannot be computed")


class CorpusComparison(MetricComparison):
    """Several systems compared by a corpus-level metric."""

    has_query_values = False

    def __init__(self, metric: Metric, compared: Compared, values: Sequence[CorpusValue], queries: int) -> None:
        super().__init__(str(metric), metric.definition.higher_is_better, compared)
        self._values = values
        self._queries = queries

    @property
    def queries(self) -> int:
        """Number of queries that are resampled."""
        return self._queries

    @cached_property
    def means(self) -> Floats:
        """Value of each system."""
        return np.array([value.value for value in self._values])

    @cached_property
    def samples(self) -> Floats:
        """Value of each system (column) in each bootstrap sample (row)."""
        return resampled_values(self._values, self.queries, self.settings.seed)

    def p_values(self, places: Sequence[Places]) -> Floats:
        """Bootstrap p-values of these pairs; NaN if a system has no value."""
        means, samples = self.means, self.samples
        return np.array([bootstrap_p(float(means[b] - means[a]), samples[:, b] - samples[:, a]) for a, b in places])

    def corrected_p_values(self, places: Sequence[Places]) -> Floats:
        """P-values of these pairs, corrected together; 1 if a system has no value."""
        if self.settings.correction not in P_CORRECTIONS:
            raise ParameterError(
                f"correction={self.settings.correction!r} needs a value for each query, and {self.name} is a "
                f"corpus-level metric; use one of {', '.join(map(repr, P_CORRECTIONS))}"
            )
        return P_CORRECTIONS[self.settings.correction](np.nan_to_num(self.p_values(places), nan=1.0))

    def _pairs(self, places: Sequence[Places], family: Mapping[Places, float]) -> tuple[CorpusPair, ...]:
        systems = self.compared.systems
        return tuple(
            CorpusPair(
                systems[a],
                systems[b],
                self.name,
                float(self.means[a]),
                float(self.means[b]),
                self.samples[:, b] - self.samples[:, a],
                self.queries,
                self.settings,
                self.higher_is_better,
                corrected=family_p(family, (a, b)),
                family=len(family),
            )
            for a, b in places
        )

    def _rankable(self) -> tuple[Floats, Floats]:
        """Return values and samples without rounding errors; systems without a value are the worst."""
        worst = -np.inf if self.higher_is_better else np.inf
        means, samples = (np.where(np.isnan(values), worst, values.round(12)) for values in (self.means, self.samples))
        return means, samples

    def _row_numbers(self, place: int) -> tuple[float, float, Interval, Interval]:
        interval = NO_INTERVAL
        if self.queries > 1:
            interval = interval_around(float(self.means[place]), self.samples[:, place], 1 - self.settings.alpha)
        return float("nan"), float("nan"), interval, interval
