"""Statistics of several systems by one metric: leaderboard, pairs and corrections.

A metric with a value per query is tested by query, a corpus-level metric by bootstrap.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import combinations
from typing import Any, ClassVar, NamedTuple

import numpy as np

from rankgauge.comparison.pair import Pair, SystemPair, bootstrap_p
from rankgauge.comparison.settings import Settings
from rankgauge.comparison.statistics import SYSTEM_STATISTICS, Kind, plain_data
from rankgauge.errors import InputError, ParameterError, shown
from rankgauge.metric_core.corpus_value import UNBOUNDED, CorpusValue, interval_around, resampled_values
from rankgauge.rendering.language import Phrase
from rankgauge.rendering.plain import PlainData
from rankgauge.segments import Bools, Floats
from rankgauge.stats.corrections import P_CORRECTIONS
from rankgauge.stats.intervals import (
    NO_INTERVAL,
    Interval,
    bca_of_means,
    bounded_interval,
    resampled_means,
    resamples_for,
)
from rankgauge.stats.paired_tests import flips_for, is_significant, least_queries, paired_t_p, randomisation_p
from rankgauge.stats.rank_groups import compact_letters, rank_intervals, ranks
from rankgauge.stats.samples import deviation
from rankgauge.stats.tukey import TUKEY_PERMUTATIONS, randomised_tukey_hsd, tukey_hsd

Places = tuple[int, int]
"""A pair of systems by their positions."""


class LeaderboardRow(NamedTuple):
    """One system of a leaderboard."""

    system: str
    mean: float
    """Mean over queries, or the corpus-level value."""
    median: float
    deviation: float
    interval: Interval
    """Interval of the mean, between the bounds of the metric; a bootstrap interval for a corpus-level metric."""
    bootstrap_interval: Interval
    """BCa bootstrap interval of the mean."""
    rank: int
    ranks: tuple[int, int]
    """Interval of the rank over bootstrap samples of the queries."""
    group: str
    """Letters; systems that share one do not differ significantly, corrected among all pairs."""

    def to_dict(self) -> PlainData:
        """Return everything as plain data; None for what is not a number."""
        return plain_data(SYSTEM_STATISTICS, self, "query")


class DiscriminativePower(NamedTuple):
    """How well a metric distinguishes systems."""

    share: float
    """Share of pairs with a p-value below alpha."""
    levels: tuple[float, ...]
    """P-values of all pairs, ascending: the curve of achieved significance levels."""


class Compared(NamedTuple):
    """What all metrics of a comparison share."""

    systems: tuple[str, ...]
    baseline: int
    settings: Settings
    against_baseline: bool = False
    """Whether a baseline was named: p-values are then corrected among the pairs with it, else among all pairs."""

    @property
    def all_pairs(self) -> list[Places]:
        """Each system with every later one."""
        return [*combinations(range(len(self.systems)), 2)]

    @property
    def baseline_pairs(self) -> list[Places]:
        """The baseline with every other system."""
        return [(self.baseline, b) for b in range(len(self.systems)) if b != self.baseline]


class MetricComparison(ABC):
    """Several systems compared by one metric."""

    kind: ClassVar[Kind]
    bounds: tuple[float, float] = UNBOUNDED
    """Lowest and highest value that the metric can have."""

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
        """Return the uncorrected p-values of these pairs."""

    def corrected_p_values(self, places: Sequence[Places]) -> Floats:
        """Return the p-values of these pairs, corrected together; 1 if there is nothing to test."""
        if self.settings.correction in P_CORRECTIONS:
            return P_CORRECTIONS[self.settings.correction](np.nan_to_num(self.p_values(places), nan=1.0))
        p = self._tukey_p()
        return np.nan_to_num(np.array([p[pair] for pair in places]), nan=1.0)

    @abstractmethod
    def _tukey_p(self) -> Floats:
        """Return the p-value of every pair of systems, corrected as the settings say, as a matrix."""

    @abstractmethod
    def _pairs(self, places: Sequence[Places], family: Mapping[Places, float]) -> Sequence[SystemPair]:
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
        if not self.compared.against_baseline:
            return self._all_corrected
        places = self.compared.baseline_pairs
        return dict(zip(places, self.corrected_p_values(places).tolist(), strict=True))

    def _shared(self, places: Places, family: Mapping[Places, float]) -> dict[str, Any]:
        """Return the fields that both kinds of pairs have; Tukey's corrections cover all pairs of systems."""
        a, b = places
        by_pair = self.settings.correction in P_CORRECTIONS
        return {
            "first": self.compared.systems[a],
            "second": self.compared.systems[b],
            "metric": self.name,
            "queries": self.queries,
            "resample": lambda: self.samples[:, b] - self.samples[:, a],
            "settings": self.settings,
            "higher_is_better": self.higher_is_better,
            "widest": self.bounds[1] - self.bounds[0],
            "corrected": family.get((a, b), family.get((b, a), float("nan"))),
            "family": len(family) if by_pair else len(self.compared.all_pairs),
        }

    @cached_property
    def all_pairs(self) -> tuple[SystemPair, ...]:
        """Each system against every later one."""
        return tuple(self._pairs(self.compared.all_pairs, self._all_corrected))

    @cached_property
    def baseline_pairs(self) -> tuple[SystemPair, ...]:
        """Each system against the baseline."""
        return tuple(self._pairs(self.compared.baseline_pairs, self._baseline_corrected))

    def pair(self, first: int, second: int) -> SystemPair:
        """Return one pair; its family are the pairs with the baseline if one was named and is among the two, or all."""
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
        if self.queries < least_queries(self.settings.alpha):  # which say as little about ranks as about pairs
            ranges = [(1, len(ranges))] * len(ranges)
        order = np.argsort(rank, kind="stable")
        groups = compact_letters(self.significant[np.ix_(order, order)])
        systems, values = self.compared.systems, self.means.tolist()
        return tuple(
            LeaderboardRow(systems[at], values[at], *self._row_numbers(at), int(rank[at]), ranges[at], group)
            for at, group in zip(order.tolist(), groups, strict=True)
        )

    @cached_property
    def significant(self) -> Bools:
        """The symmetric matrix that says which pairs differ significantly."""
        count, alpha = len(self.compared.systems), self.settings.alpha
        different = np.zeros((count, count), dtype=bool)
        for (a, b), p in self._all_corrected.items():
            different[a, b] = different[b, a] = is_significant(p, self.queries, alpha)
        return different


class Values(NamedTuple):
    """The queries for which every system has a value, and the matrix of queries x systems."""

    queries: tuple[Any, ...]
    matrix: Floats


class QueryComparison(MetricComparison):
    """Several systems compared by a metric with a value per query."""

    kind = "query"

    def __init__(
        self, name: str, higher_is_better: bool, compared: Compared, queries: Sequence[Any], matrix: Floats
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
            message = Phrase(
                "compare: no query has a value of {metric} for all {count:# system|# systems}; {worst} lacks most; "
                "leave it out or set missing='zero'",
                "compare：没有一个查询在全部 {count} 个系统上都有 {metric} 的值；{worst} 缺得最多；请去掉它，"
                "或用 missing='zero'",
            )
            count = len(self.compared.systems)
            raise InputError(message.fill(metric=self.name, count=count, worst=shown(worst)))
        return Values(
            tuple(self._queries[place] for place in np.flatnonzero(complete).tolist()), self._matrix[complete]
        )

    @cached_property
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
        """Return the p-value of each pair: of the t test, or of the randomisation test if that is not applicable."""
        matrix, settings = self.values.matrix, self.settings
        p = paired_t_p(matrix, places)
        for place in np.flatnonzero(np.isnan(p)).tolist():
            a, b = places[place]
            differences = matrix[:, [b]] - matrix[:, [a]]
            p[place] = randomisation_p(differences, settings.permutations, settings.seed)[0]
        return p

    def _tukey_p(self) -> Floats:
        matrix, settings = self.values.matrix, self.settings
        if settings.correction == "tukey":
            return tukey_hsd(matrix).p
        permutations = min(settings.permutations, TUKEY_PERMUTATIONS)
        return randomised_tukey_hsd(matrix, permutations=permutations, seed=settings.seed).p

    def _pairs(self, places: Sequence[Places], family: Mapping[Places, float]) -> list[Pair]:
        matrix = self.values.matrix
        differences = np.column_stack([matrix[:, b] - matrix[:, a] for a, b in places])
        randomised = randomisation_p(differences, self.flips, self.settings.seed)
        means = [float(column.mean()) for column in matrix.T]
        return [
            Pair(
                **self._shared((a, b), family),
                mean_first=means[a],
                mean_second=means[b],
                values_first=matrix[:, a],
                values_second=matrix[:, b],
                randomisation=float(p),
            )
            for (a, b), p in zip(places, randomised, strict=True)
        ]

    def _row_numbers(self, place: int) -> tuple[float, float, Interval, Interval]:
        values, level = self.values.matrix[:, place], 1 - self.settings.alpha
        spread = float(values.std(ddof=1)) if len(values) > 1 else float("nan")
        interval = bounded_interval(float(values.mean()), deviation(values), len(values), level, self.bounds)
        bootstrap = bca_of_means(values, self.samples[:, place], level)
        return float(np.median(values)), spread, interval, bootstrap


class CorpusComparison(MetricComparison):
    """Several systems compared by a corpus-level metric: one value for all queries together, which are resampled."""

    kind = "corpus"

    def __init__(
        self, name: str, higher_is_better: bool, compared: Compared, queries: int, values: Sequence[CorpusValue]
    ) -> None:
        super().__init__(name, higher_is_better, compared)
        self._queries = queries
        self._values = values

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
        """Return the bootstrap p-values of these pairs; NaN if a system has no value."""
        means, samples = self.means, self.samples
        return np.array([bootstrap_p(float(means[b] - means[a]), samples[:, b] - samples[:, a]) for a, b in places])

    def _tukey_p(self) -> Floats:
        raise ParameterError(
            f"correction={self.settings.correction!r} needs a value for each query, and {self.name} is a "
            f"corpus-level metric; use one of {', '.join(map(repr, P_CORRECTIONS))}"
        )

    def _pairs(self, places: Sequence[Places], family: Mapping[Places, float]) -> list[SystemPair]:
        means = self.means.tolist()
        return [
            SystemPair(**self._shared((a, b), family), mean_first=means[a], mean_second=means[b]) for a, b in places
        ]

    def _rankable(self) -> tuple[Floats, Floats]:
        """Return values and samples without rounding errors; systems without a value are the worst."""
        worst = -np.inf if self.higher_is_better else np.inf
        means, samples = (np.where(np.isnan(values), worst, values.round(12)) for values in (self.means, self.samples))
        return means, samples

    def _row_numbers(self, place: int) -> tuple[float, float, Interval, Interval]:
        interval = NO_INTERVAL
        if self.queries > 1:
            value, level = float(self.means[place]), 1 - self.settings.alpha
            interval = interval_around(value, self.samples[:, place], level, self.bounds)
        return float("nan"), float("nan"), interval, interval
