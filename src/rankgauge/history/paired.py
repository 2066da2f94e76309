"""Paired tests between runs of a window, corrected for all pairs of comparable runs in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from rankgauge.history.run import LoggedRun, comparable_key, stored_convention
from rankgauge.metric_core.notation import parse
from rankgauge.segments import Floats
from rankgauge.stats.intervals import NO_INTERVAL, t_interval
from rankgauge.stats.paired_tests import paired_t
from rankgauge.stats.samples import deviation

LAST = 60
"""Runs of a window, unless another number is given."""


class PairedChange(NamedTuple):
    """The change from one run to another: the mean difference, its interval, and p corrected for the family."""

    difference: float
    low: float
    high: float
    p: float
    queries: int


def count_pairs(keys: Iterable[Hashable]) -> int:
    """Return the number of pairs of comparable runs.

    >>> count_pairs(["a", "a", "a", "b", "b"])
    4
    """
    return sum(count * (count - 1) // 2 for count in Counter(keys).values())


def _places_before(keys: Iterable[Hashable]) -> list[int | None]:
    """Return where each key occurred last.

    >>> _places_before(["a", "b", "a", "a"])
    [None, None, 0, 2]
    """
    latest: dict[Hashable, int] = {}
    places = []
    for place, key in enumerate(keys):
        places.append(latest.get(key))
        latest[key] = place
    return places


def paired_change(
    before: Floats, after: Floats, family: int, alpha: float, bounds: tuple[float, float]
) -> PairedChange | None:
    """Return the change between values of the same queries; None if no query has both.

    The p-value of the paired t test is multiplied by the size of the family (Bonferroni), and the interval has the
    level 1 - alpha / family, cut at the largest change that the bounds of the values allow. Queries that all changed by
    the same amount count as significant, as in the gate.
    """
    both = ~(np.isnan(before) | np.isnan(after))
    old, new = before[both], after[both]
    if not len(old):
        return None
    differences = new - old
    mean = float(differences.mean())
    if len(old) > 1 and mean and deviation(differences) == 0:
        return PairedChange(mean, mean, mean, 0.0, len(old))
    p = paired_t(old, new).p if len(old) > 1 else np.nan
    interval = t_interval(differences, 1 - alpha / max(family, 1)) if len(old) > 1 else NO_INTERVAL
    low, high = interval.cut(mean, (bounds[0] - bounds[1], bounds[1] - bounds[0]))
    return PairedChange(mean, low, high, float(np.minimum(1.0, p * max(family, 1))), len(old))


class Window:
    """Comparable runs and the values of their queries, which are read when they are first needed."""

    def __init__(
        self, runs: Sequence[LoggedRun], metric: str, values: Callable[[LoggedRun, str], dict[str, float] | None]
    ) -> None:
        self.runs = runs
        self.metric = metric
        self.keys = [comparable_key(run, metric) for run in runs]
        self.family = count_pairs(self.keys)
        self.before = _places_before(self.keys)
        """The place of the latest comparable run before each run; None if there is none."""
        self._read = values
        self._values: dict[str | None, dict[str, float] | None] = {}
        self._means: dict[Hashable, bool] = {}

    def values(self, place: int) -> dict[str, float] | None:
        """Return the value of each query of a run; None if they were not stored."""
        run = self.runs[place]
        if run.values not in self._values:
            self._values[run.values] = self._read(run, self.metric)
        return self._values[run.values]

    def change(self, before: int, after: int, alpha: float) -> PairedChange | None:
        """Return the change between two runs; None if it cannot be tested.

        The values of their queries may not have been stored, or the metric is not their plain mean.
        """
        if not self._is_mean(after):
            return None
        old, new = self.values(before), self.values(after)
        if old is None or new is None:
            return None
        queries = [query for query in old if query in new]
        first, second = (np.array([values[query] for query in queries]) for values in (old, new))
        return paired_change(first, second, self.family, alpha, parse(self.metric).definition.bounds)

    def _is_mean(self, place: int) -> bool:
        """Return whether the metric of a run is the plain mean of its queries, which comparable runs have in common."""
        key = self.keys[place]
        if key not in self._means:
            run = self.runs[place]
            convention = stored_convention(run.convention)
            summary = parse(self.metric).definition.summary.under(convention)
            self._means[key] = run.weights is None and summary.is_mean(convention)
        return self._means[key]
