"""How certain a leaderboard is: simultaneous differences of all pairs, and marginal intervals beside them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from rankgauge.segments import Bools, Floats, Ints
from rankgauge.stats.intervals import resampled_means, resamples_for
from rankgauge.stats.simultaneous_pairs import AllPairsResult, compare_all, merged_strata

BLOCK = 200
"""Resamples whose pairs are counted at a time."""


class Rows(NamedTuple):
    """What is resampled: data sets or queries, a row each, with what they contribute to every system."""

    low: Floats
    high: Floats
    weights: Floats
    strata: Ints
    effects: Floats
    """Effect of each row that is taken out of systems that lack others."""


class Resampling(NamedTuple):
    """Settings of the random samples."""

    alpha: float
    permutations: int
    resamples: int
    seed: int


@dataclass(frozen=True)
class Uncertainty:
    """Differences of all pairs with their standard errors, and resampled aggregates."""

    pairs: AllPairsResult
    low: Floats
    high: Floats
    """Resampled mean contributions, a row per resample and a column per system."""
    alpha: float

    @cached_property
    def better(self) -> Bools:
        """Whether the system of a row is separably better than that of a column, simultaneously over all pairs."""
        return self.pairs.higher.T

    @cached_property
    def marginally_better(self) -> Bools:
        """Whether the system of a row is better than that of a column in all but a share of alpha / 2 resamples."""
        count = np.zeros((self.low.shape[1],) * 2)
        for start in range(0, len(self.low), BLOCK):
            low, high = self.low[start : start + BLOCK], self.high[start : start + BLOCK]
            count += (low[:, :, None] > high[:, None, :]).sum(axis=0)
        return count > (1 - self.alpha / 2) * len(self.low)

    @cached_property
    def marginal_ranks(self) -> tuple[Ints, Ints]:
        """Best and worst rank of each system in the central 1 - alpha of the resamples."""
        systems = self.low.shape[1]
        best, worst = np.empty(self.low.shape, dtype=np.int64), np.empty(self.low.shape, dtype=np.int64)
        for place, (low, high) in enumerate(zip(self.low, self.high, strict=True)):
            best[place] = 1 + systems - np.searchsorted(np.sort(low), high, side="right")
            worst[place] = systems - np.searchsorted(np.sort(high), low)
        ends = self.alpha / 2, 1 - self.alpha / 2
        return (
            np.quantile(best, ends[0], axis=0, method="lower").astype(np.int64),
            np.quantile(worst, ends[1], axis=0, method="higher").astype(np.int64),
        )

    def marginal_ends(self) -> tuple[Floats, Floats]:
        """Return the ends of the percentile interval of each system's mean contribution."""
        ends = self.alpha / 2, 1 - self.alpha / 2
        return np.quantile(self.low, ends[0], axis=0), np.quantile(self.high, ends[1], axis=0)


def of_rows(rows: Rows, settings: Resampling) -> Uncertainty:
    """Return the uncertainty of means over rows."""
    pairs = compare_all(
        rows.low, rows.high, rows.weights, rows.strata, settings.alpha, settings.permutations, settings.seed
    )
    low = _resampled(rows, rows.low, settings)
    high = low if rows.high is rows.low else _resampled(rows, rows.high, settings)
    return Uncertainty(pairs, low, high, settings.alpha)


def _resampled(rows: Rows, values: Floats, settings: Resampling) -> Floats:
    """Return the mean contributions of resampled rows, the same for all systems; strata keep their sizes."""
    known = ~np.isnan(values)
    weights = rows.weights[:, None]
    deviations = np.where(known, weights * (values - rows.effects[:, None]), 0.0)
    common = weights * rows.effects[:, None]
    columns = np.concatenate([deviations, common] if known.all() else [deviations, common, weights * known], axis=1)
    resamples, systems = resamples_for(len(values), settings.resamples), values.shape[1]
    total = np.zeros((resamples, columns.shape[1]))
    strata = merged_strata(rows.strata)
    for stratum in np.unique(strata):
        mine = columns[strata == stratum]
        seed = int(np.random.SeedSequence([settings.seed, int(stratum)]).generate_state(1)[0])
        total += len(mine) * resampled_means(mine, resamples, seed)
    heavy = rows.weights.sum()
    covered = heavy if known.all() else total[:, systems + 1 :]
    with np.errstate(invalid="ignore", divide="ignore"):
        return total[:, :systems] / covered + total[:, systems : systems + 1] / heavy


def of_deviations(means: Floats, variances: Floats, settings: Resampling) -> Uncertainty:
    """Return the uncertainty of means of which only the variances are known, as if systems were independent."""
    random = np.random.Generator(np.random.Philox(key=settings.seed))
    noise = random.standard_normal((settings.permutations, len(means))) * np.sqrt(variances)
    first, second = np.triu_indices(len(means), 1)
    spread = np.sqrt(variances[first] + variances[second])
    varied = spread > 0
    first, second, spread = first[varied], second[varied], spread[varied]
    largest = np.zeros(len(noise))
    for start in range(0, len(first), BLOCK):
        block = slice(start, start + BLOCK)
        gaps = np.abs(noise[:, first[block]] - noise[:, second[block]]) / spread[block]
        np.maximum(largest, gaps.max(axis=1), out=largest)
    critical = float(np.quantile(largest, 1 - settings.alpha, method="higher"))
    error = np.sqrt(variances[:, None] + variances)
    samples = means + noise
    return Uncertainty(AllPairsResult(means - means[:, None], error, critical), samples, samples, settings.alpha)


def without_rows(means: Floats, alpha: float) -> Uncertainty:
    """Return the uncertainty where nothing can be resampled: no two systems are separable."""
    size = len(means), len(means)
    pairs = AllPairsResult(means - means[:, None], np.full(size, np.nan), np.inf)
    return Uncertainty(pairs, means[None, :], means[None, :], alpha)
