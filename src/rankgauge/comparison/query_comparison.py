"""Systems compared by a metric with a value per query."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from rankgauge.comparison.metric_comparison import Compared, MetricComparison, Places, family_p
from rankgauge.comparison.pair import Pair
from rankgauge.errors import InputError, shown
from rankgauge.segments import Floats
from rankgauge.stats.corrections import P_CORRECTIONS
from rankgauge.stats.intervals import Interval, bca_of_means, resampled_means, resamples_for, t_interval
from rankgauge.stats.paired_tests import paired_t
from rankgauge.stats.sign_flips import flips_for, randomisation_p
from rankgauge.stats.tukey import TUKEY_PERMUTATIONS, randomised_tukey_hsd, tukey_hsd


class Values(NamedTuple):
    """The queries for which every system has a value, and the matrix of queries x systems."""

    queries: tuple[Any, ...]
    matrix: Floats


class QueryComparison(MetricComparison):
    """Several systems compared by a metric with a value per query."""

    has_query_values = True

    def __init__(
        self, name: str, higher_is_better: bool, compared: Compared, queries: tuple[Any, ...], matrix: Floats
    ) -> None:
        super().__init__(name, higher_is_better, compared)
        self._queries = queries
        self._matrix = matrix
        """Queries x systems; NaN if a system has no value for a query."""

    @cached_property
    def values(self) -> Values:
        """The values of the queries for which every system has one."""
        complete = ~np.isnan(self._matrix).any(axis=1)
        if not complete.any():
            worst = self.compared.systems[int(np.isnan(self._matrix).sum(axis=0).argmax())]
            raise InputError(
                f"compare: no query has a value of {self.name} for all {len(self.compared.systems)} systems; "
                f"{shown(worst)} lacks most; leave it out or set missing='zero'"
            )
        return Values(tuple(self._queries[place] for place in np.flatnonzero(complete)), self._matrix[complete])

    @property
    def queries(self) -> int:
        """Number of queries for which every system has a value."""
        return len(self.values.queries)

    @property
    def left_out(self) -> dict[str, int]:
        """Number of queries without a value, by system; those queries are left out for all systems."""
        counts = np.isnan(self._matrix).sum(axis=0).tolist()
        return {name: count for name, count in zip(self.compared.systems, counts, strict=True) if count}

    @property
    def queries_left_out(self) -> int:
        """Number of queries for which at least one system has no value."""
        return int(np.isnan(self._matrix).any(axis=1).sum())

    @cached_property
    def means(self) -> Floats:
        """Mean of each system."""
        return self.values.matrix.mean(axis=0)

    @cached_property
    def samples(self) -> Floats:
        """Mean of each system (column) in each bootstrap sample (row)."""
        return resampled_means(self.values.matrix, self.resamples, self.settings.seed)

    @property
    def resamples(self) -> int:
        """Number of bootstrap samples for this number of queries."""
        return resamples_for(self.queries, self.settings.resamples)

    @property
    def flips(self) -> int:
        """Number of random sign flips for this number of queries."""
        return flips_for(self.queries, self.settings.permutations)

    def p_values(self, places: Sequence[Places]) -> Floats:
        """P-value of the t test of each pair, or of the randomisation test if that is not applicable."""
        matrix, settings = self.values.matrix, self.settings
        p = [paired_t(matrix[:, a], matrix[:, b]).p for a, b in places]
        for place, (a, b) in enumerate(places):
            if np.isnan(p[place]):
                differences = matrix[:, [b]] - matrix[:, [a]]
                p[place] = float(randomisation_p(differences, settings.permutations, settings.seed)[0])
        return np.array(p)

    def corrected_p_values(self, places: Sequence[Places]) -> Floats:
        """P-values of these pairs, corrected together; Tukey's corrections cover all pairs of systems."""
        matrix, settings = self.values.matrix, self.settings
        if settings.correction in P_CORRECTIONS:
            return P_CORRECTIONS[settings.correction](self.p_values(places))
        if settings.correction == "tukey":
            result = tukey_hsd(matrix)
        else:
            permutations = min(settings.permutations, TUKEY_PERMUTATIONS)
            result = randomised_tukey_hsd(matrix, permutations=permutations, seed=settings.seed)
        p = np.array([result.p[a, b] for a, b in places])
        return np.where(np.isnan(p), 1.0, p)

    def _pairs(self, places: Sequence[Places], family: Mapping[Places, float]) -> tuple[Pair, ...]:
        matrix, systems, settings = self.values.matrix, self.compared.systems, self.settings
        differences = np.column_stack([matrix[:, b] - matrix[:, a] for a, b in places])
        randomised = randomisation_p(differences, self.flips, settings.seed)
        size = len(family) if settings.correction in P_CORRECTIONS else len(self.compared.all_pairs)
        return tuple(
            Pair(
                systems[a],
                systems[b],
                self.name,
                matrix[:, a],
                matrix[:, b],
                settings,
                self.higher_is_better,
                shared_randomisation=float(p),
                shared_bootstrap=self._resampled_difference(a, b),
                corrected=family_p(family, (a, b)),
                family=size,
            )
            for (a, b), p in zip(places, randomised, strict=True)
        )

    def _resampled_difference(self, a: int, b: int) -> Callable[[], Floats]:
        return lambda: self.samples[:, b] - self.samples[:, a]

    def _row_numbers(self, place: int) -> tuple[float, float, Interval, Interval]:
        values, level = self.values.matrix[:, place], 1 - self.settings.alpha
        return (
            float(np.median(values)),
            float(values.std(ddof=1)) if len(values) > 1 else float("nan"),
            t_interval(values, level),
            bca_of_means(values, self.samples[:, place], level),
        )
