"""Aggregates: one number of a system over data sets, as a weighted mean of what each data set contributes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from rankgauge.rendering.language import Phrase
from rankgauge.segments import Bools, Floats
from rankgauge.stats.strengths import PHANTOM, bradley_terry, bradley_terry_gradient, bradley_terry_information

AggregateName = Literal["mean", "family mean", "mean rank", "borda", "win rate", "z", "bradley-terry"]
MissingRule = Literal["complete", "loses", "present", "bounds"]


class Contributions(NamedTuple):
    """What each data set contributes to a system, higher is better: a row per system, a column per data set."""

    low: Floats
    high: Floats
    """The same, or the largest contributions possible where values are missing (``missing="bounds"``)."""
    fits: bool = True
    """Whether the model of the aggregate could be fitted without an additional assumption."""


@dataclass(frozen=True)
class Aggregate:
    """A way to turn the values of a system on many data sets into one number."""

    title: Phrase
    contributions: Callable[[Floats, MissingRule], Contributions]
    """From values (systems x data sets, higher is better, NaN is missing)."""
    shown: Callable[[Floats, int, int], Floats] = lambda score, _systems, _data_sets: score
    """From mean contributions, the number of systems and that of data sets to the number that is shown."""
    higher_is_better: bool | None = True
    """None where it is that of the values."""
    of_queries: bool = False
    """Whether it is a mean over queries, so that resampled queries tell how certain it is."""
    bounded: bool = True
    """Whether ``missing="bounds"`` has a meaning."""
    digits: int = 4


def filled(values: Floats, with_highest: bool = False) -> Floats:
    """Return the values with the lowest value of the data set, or the highest, where one is missing."""
    extreme = np.nanmax(values, axis=0) if with_highest else np.nanmin(values, axis=0)
    return np.where(np.isnan(values), extreme, values)


def _values(values: Floats, missing: MissingRule) -> Contributions:
    kept = filled(values) if missing == "loses" else values
    return Contributions(kept, kept)


def _standardised(values: Floats, missing: MissingRule) -> Contributions:
    kept = filled(values) if missing == "loses" else values
    center, scale = standard_scale(kept)
    scores = (kept - center) * scale
    return Contributions(scores, scores)


def standard_scale(values: Floats) -> tuple[Floats, Floats]:
    """Return the mean of each data set over the systems, and 1 over their standard deviation; 0 if all are equal."""
    center, spread = np.nanmean(values, axis=0), np.nanstd(values, axis=0)
    constant = spread <= 1e-12 * np.maximum(np.abs(center), 1e-300)
    return center, np.where(constant, 0.0, 1 / np.where(constant, 1.0, spread))


def _win_shares(values: Floats, missing: MissingRule) -> Contributions:
    """Return the share of the other systems that a system beats on a data set; a tie is half a win."""
    systems = len(values)
    present = ~np.isnan(values)
    counts = present.sum(axis=0)
    beaten = np.where(present, _beaten(values), np.nan)
    others = max(systems - 1, 1)
    if missing == "loses":
        low = np.where(present, beaten + systems - counts, 0.0) / others
        return Contributions(low, low)
    if missing == "bounds":
        low = np.where(present, beaten, 0.0) / others
        high = np.where(present, beaten + systems - counts, others) / others
        return Contributions(low, low if present.all() else high)
    shares = np.where(counts > 1, beaten / np.maximum(counts - 1, 1), np.nan if systems > 1 else 0.0)
    return Contributions(shares, shares)


def _beaten(values: Floats) -> Floats:
    """Return how many systems with a value each system beats on each data set; a tie counts half."""
    result = np.empty(values.shape)
    for place, column in enumerate(values.T):
        ordered = np.sort(column[~np.isnan(column)])
        lower, higher = np.searchsorted(ordered, column), np.searchsorted(ordered, column, side="right")
        result[:, place] = lower + (higher - lower - 1) / 2
    return result


def wins_of(column: Floats, missing: MissingRule) -> Floats:
    """Return who beats whom on a data set: 1, and 1/2 for a tie; a missing value loses, or is not compared."""
    if missing == "loses":
        known = ~np.isnan(column)
        value = np.where(known, column, -np.inf)
        both = known[:, None] | known
    else:
        value = column
        both = ~np.isnan(column)[:, None] & ~np.isnan(column)
    return np.where(both, (value[:, None] > value) + 0.5 * (value[:, None] == value), 0.0)


def _strengths(values: Floats, missing: MissingRule) -> Contributions:
    """Return contributions whose mean are the logarithms of the strengths: the influence of each data set on them."""
    wins = [wins_of(column, missing) for column in values.T]
    for matrix in wins:
        np.fill_diagonal(matrix, 0.0)
    total = np.sum(wins, axis=0)
    fitted = bradley_terry(total)
    phantom = PHANTOM * fitted.regularised
    information = bradley_terry_information(total + total.T, fitted.logs, phantom) + 1 / len(values)
    gradients = np.stack([bradley_terry_gradient(matrix, fitted.logs) for matrix in wins], axis=1)
    gradients -= gradients.mean(axis=1, keepdims=True)
    scores: Floats = fitted.logs[:, None] + len(wins) * np.linalg.solve(information, gradients)
    return Contributions(scores, scores, not fitted.regularised)


AGGREGATES: Mapping[AggregateName, Aggregate] = {
    "mean": Aggregate(Phrase("mean", "均值"), _values, higher_is_better=None, of_queries=True),
    "family mean": Aggregate(
        Phrase("mean of family means", "各族均值的均值"), _values, higher_is_better=None, of_queries=True
    ),
    "mean rank": Aggregate(
        Phrase("mean rank", "平均名次"), _win_shares, lambda score, systems, _: systems - (systems - 1) * score,
        higher_is_better=False, digits=2,
    ),
    "borda": Aggregate(
        Phrase("Borda points", "Borda 积分"), _win_shares,
        lambda score, systems, data_sets: score * (systems - 1) * data_sets, digits=1,
    ),
    "win rate": Aggregate(Phrase("win rate", "胜率"), _win_shares),
    "z": Aggregate(Phrase("mean z score", "平均 z 分数"), _standardised, of_queries=True, bounded=False),
    "bradley-terry": Aggregate(
        Phrase("Bradley-Terry strength", "Bradley-Terry 强度"), _strengths,
        lambda score, _systems, _data_sets: np.exp(score), bounded=False,
    ),
}  # fmt: skip
"""The aggregates by name."""


def weighted_means(contributions: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Return the mean contribution of each system, and the effect of each data set that was taken out of it.

    Where contributions are missing, systems are compared on a common footing: the effect of a data set (least squares)
    is taken out, so that a system gains nothing by lacking a hard one.
    """
    known = ~np.isnan(contributions)
    if known.all():
        equal = (weights == weights[0]).all()
        means = contributions.mean(axis=1) if equal else contributions @ weights / weights.sum()
        return means, np.zeros(contributions.shape[1])
    effects = _data_set_effects(np.nan_to_num(contributions), known, weights)
    totals = (np.nan_to_num(contributions - effects) * known) @ weights
    covered = known @ weights
    means = np.where(covered > 0, totals / np.where(covered > 0, covered, 1.0), np.nan)
    return means + effects @ weights / weights.sum(), effects


def _data_set_effects(values: Floats, known: Bools, weights: Floats) -> Floats:
    """Return the least-squares effects of the data sets in the model value = system + data set."""
    heavy = known * weights
    rows = np.maximum(heavy.sum(axis=1), 1e-300)
    shares = heavy / rows[:, None]
    normal = np.diag(heavy.sum(axis=0)) - heavy.T @ shares
    right = (heavy * (values - (shares * values).sum(axis=1, keepdims=True))).sum(axis=0)
    effects: Floats = np.linalg.lstsq(normal, right, rcond=None)[0]
    return effects - effects @ weights / weights.sum()
