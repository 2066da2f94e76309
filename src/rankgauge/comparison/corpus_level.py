"""Systems by a metric that is one number of all queries together: what drawing the queries anew says of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from rankgauge.comparison.leaderboard import LeaderboardRow
from rankgauge.comparison.pair import Pair
from rankgauge.comparison.settings import Settings
from rankgauge.errors import ParameterError
from rankgauge.evaluation.scores import Scores
from rankgauge.metric_core.corpus_value import CorpusValue, resampled_values, spread_around
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import parse
from rankgauge.segments import Floats
from rankgauge.stats.corrections import P_CORRECTIONS
from rankgauge.stats.intervals import NO_INTERVAL, Interval
from rankgauge.stats.paired_tests import PairedTestResult
from rankgauge.stats.rank_groups import compact_letters, rank_intervals, ranks
from rankgauge.stats.sign_flips import smallest_p

UNKNOWN = float("nan")
ROUNDING = 1e-12
"""The same counts added up in another order differ by less."""
NO_OUTCOME = PairedTestResult(UNKNOWN, UNKNOWN)
NO_VALUES: Floats = np.zeros(0)


def bootstrap_p(difference: float, samples: Floats) -> float:
    """The two-sided p-value: how often samples lie as far from their own mean as the difference lies from 0.

    >>> bootstrap_p(0.2, np.array([0.1, 0.2, 0.3]))
    0.25
    """
    known = samples[~np.isnan(samples)]
    if np.isnan(difference) or len(known) == 0:
        return UNKNOWN
    far = np.abs(known - known.mean()) >= abs(difference) * (1 - 1e-12)
    return float((1 + far.sum()) / (1 + len(known)))


@dataclass(frozen=True, eq=False)
class CorpusPair(Pair):
    """The difference of two systems where there are no values of queries: all that a bootstrap can say of it."""

    value_first: float = UNKNOWN
    value_second: float = UNKNOWN
    samples: Floats = field(default_factory=lambda: NO_VALUES)
    """The difference over queries drawn anew, the same for both systems."""
    drawn: int = 0
    """How many queries are drawn."""

    @property
    def queries(self) -> int:
        """How many queries are drawn."""
        return self.drawn

    @property
    def mean_first(self) -> float:
        """The value of the first system."""
        return self.value_first

    @property
    def mean_second(self) -> float:
        """The value of the second system."""
        return self.value_second

    @cached_property
    def difference(self) -> float:
        """Second minus first."""
        return self.value_second - self.value_first

    @property
    def identical(self) -> bool:
        """Whether there is no difference but for rounding, whichever queries are drawn."""
        every = np.append(self.samples[~np.isnan(self.samples)], self.difference)
        return bool((np.abs(every) <= ROUNDING).all())

    @cached_property
    def interval(self) -> Interval:
        """The interval of the difference by drawing the queries anew."""
        if self.drawn < 2:  # noqa: PLR2004 (one query has no spread)
            return NO_INTERVAL
        return Interval(*spread_around(self.difference, self.samples, 1 - self.settings.alpha))

    @property
    def bootstrap_interval(self) -> Interval:
        """The same."""
        return self.interval

    @cached_property
    def bootstrap(self) -> float:
        """The p-value by drawing the queries anew."""
        return bootstrap_p(self.difference, self.samples)

    @property
    def p(self) -> float:
        """The only p-value there is."""
        return self.bootstrap

    # Whatever looks at each query has nothing to look at.

    t = wilcoxon = sign = NO_OUTCOME
    randomisation = deviation = detectable = UNKNOWN
    wins = losses = ties = 0
    exact = False

    def queries_for(self, difference: float) -> int:
        """Not known: how the value depends on the number of queries is not known either."""
        raise ParameterError(
            f"{self.metric} is one number of all queries together, so how many queries would show a difference of "
            f"{difference:g} is not known"
        )

    def to_dict(self) -> dict[str, Any]:
        """Every number as plain data; what is not a number, or not known, is None."""
        return {**super().to_dict(), "wins": None, "ties": None, "losses": None}


class CorpusComparison:
    """All systems by one such metric."""

    def __init__(
        self, metric: Metric, systems: Sequence[str], wholes: Sequence[CorpusValue], queries: int, settings: Settings
    ) -> None:
        if settings.correction not in P_CORRECTIONS:
            raise ParameterError(
                f"correction={settings.correction!r} needs a value for each query, and {metric} is one number of all "
                f"queries together; use one of {', '.join(map(repr, P_CORRECTIONS))}"
            )
        self.name = str(metric)
        self.systems = tuple(systems)
        self.settings = settings
        self.queries = queries
        self.higher_is_better = metric.definition.higher_is_better
        self.values = np.array([whole.value for whole in wholes])
        self._wholes = wholes

    @classmethod
    def of(cls, scores: Scores, metric: str, settings: Settings) -> CorpusComparison:
        """All systems of the scores."""
        each = [scores.whole(metric, name) for name in scores.systems]
        return cls(parse(metric), scores.systems, each, len(scores.queries), settings)

    @cached_property
    def samples(self) -> Floats:
        """The value of each system (column) over queries drawn anew (row)."""
        return resampled_values(self._wholes, self.queries, self.settings.seed)

    def pairs(self, places: Sequence[tuple[int, int]], family: Sequence[tuple[int, int]]) -> tuple[Pair, ...]:
        """The differences of these pairs of systems, corrected for all of the family."""
        p = dict(zip(family, self.corrected(family), strict=True))
        return tuple(
            CorpusPair(
                self.systems[a],
                self.systems[b],
                self.name,
                NO_VALUES,
                NO_VALUES,
                self.settings,
                self.higher_is_better,
                corrected=float(p.get((a, b), p.get((b, a), UNKNOWN))),
                family=len(family),
                value_first=float(self.values[a]),
                value_second=float(self.values[b]),
                samples=self.samples[:, b] - self.samples[:, a],
                drawn=self.queries,
            )
            for a, b in places
        )

    def corrected(self, family: Sequence[tuple[int, int]]) -> Floats:
        """The corrected p-values of pairs; 1 where there is nothing to tell."""
        values, samples = self.values, self.samples
        p = [bootstrap_p(float(values[b] - values[a]), samples[:, b] - samples[:, a]) for a, b in family]
        return P_CORRECTIONS[self.settings.correction](np.nan_to_num(np.array(p), nan=1.0))

    def leaderboard(self) -> tuple[LeaderboardRow, ...]:
        """The systems, best first; those without a value last."""
        level, count = 1 - self.settings.alpha, len(self.systems)
        worst = -np.inf if self.higher_is_better else np.inf
        values, samples = (np.where(np.isnan(some), worst, some.round(12)) for some in (self.values, self.samples))
        rank = ranks(values[None, :], self.higher_is_better)[0]
        taken = rank_intervals(samples, self.higher_is_better, level)
        order = np.lexsort((np.arange(count), rank))
        different = np.zeros((count, count), dtype=bool)
        every = [(a, b) for a in range(count) for b in range(a + 1, count)]
        enough = smallest_p(self.queries) < self.settings.alpha
        for (a, b), p in zip(every, self.corrected(every).tolist(), strict=True):
            different[a, b] = different[b, a] = enough and p < self.settings.alpha
        shared = compact_letters(different[np.ix_(order, order)])
        ends = [
            Interval(*spread_around(float(value), column, level)) if self.queries > 1 else NO_INTERVAL
            for value, column in zip(self.values, self.samples.T, strict=True)
        ]
        return tuple(
            LeaderboardRow(
                self.systems[at],
                float(self.values[at]),
                UNKNOWN,
                UNKNOWN,
                ends[at],
                ends[at],
                int(rank[at]),
                taken[at],
                group,
            )
            for at, group in zip(order.tolist(), shared, strict=True)
        )
