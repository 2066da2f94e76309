"""How robust a leaderboard is: one data set left out, subsets of data sets, and other aggregates."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, combinations, islice
from math import comb
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rankgauge.errors import ParameterError
from rankgauge.leaderboards.aggregates import AGGREGATES, weighted_means
from rankgauge.segments import Floats, Ints
from rankgauge.stats.rank_agreement import kendall_tau
from rankgauge.stats.rank_groups import ranks

if TYPE_CHECKING:
    from rankgauge.leaderboards.board import Leaderboard

ENUMERATED = 200_000
"""With at most this many subsets, all are counted."""
BLOCK = 20_000
DIGITS = 12
ROUNDING = 1e-12


class Influence(NamedTuple):
    """What changes if one data set (or family) is left out."""

    data_set: str
    first: str
    """The best system without it."""
    first_changes: bool
    largest_change: int
    """Largest change of a rank."""
    system: str
    """The system whose rank changes most."""
    tau: float
    """Kendall's tau between the orders with and without it."""


class SubsetShare(NamedTuple):
    """How often one system beats another on subsets of the data sets."""

    share: float
    """Share of the subsets in which the first system is better."""
    ties: float
    """Share of the subsets in which both are equal."""
    subsets: int
    """Number of subsets that were counted."""
    exact: bool
    """Whether these are all subsets of the size."""


def scores_without(board: Leaderboard) -> Floats:
    """Return the mean contributions of the systems without one unit each: a row per unit."""
    low, high, _ = board.contributions
    middle = low if high is low else (low + high) / 2
    rows = []
    for place in range(len(board.units)):
        kept = np.arange(len(board.units)) != place
        weights = board.unit_weights[kept]
        if board.aggregate == "family mean":
            families = [board.families.get(name, name) for name in board.units]
            others = [family for family, is_kept in zip(families, kept, strict=True) if is_kept]
            weights = np.array([1 / others.count(family) for family in others])
        rows.append(weighted_means(middle[:, kept], weights)[0] if kept.any() else np.full(len(middle), np.nan))
    return np.array(rows)


def rounded_ranks(scores: Floats) -> Ints:
    """Return the rank of each system (column) in each row; scores that differ by rounding are equal, NaN is last."""
    scale = np.nanmax(np.abs(scores), initial=1e-300)
    return ranks(np.nan_to_num(np.round(scores / scale, DIGITS), nan=-np.inf), higher_is_better=True)


def ranks_without(board: Leaderboard) -> Ints:
    """Return the ranks of the systems without one unit each: a row per unit."""
    return rounded_ranks(scores_without(board))


def influence(board: Leaderboard) -> list[Influence]:
    """Return what changes without each unit, the most influential first."""
    if len(board.units) == 1:
        return []
    scores, full = scores_without(board), board.scores
    entries = []
    for unit, row, places in zip(board.units, scores, ranks_without(board), strict=True):
        change = np.abs(places - board.ranks)
        most = int(np.argmax(change))
        best = int(np.nanargmax(row)) if np.isfinite(row).any() else int(board.order[0])
        known = np.isfinite(row) & np.isfinite(full)
        names = board.results.systems
        tau = kendall_tau(full[known], row[known]) if len(names) > 1 else float("nan")
        is_first = best == board.order[0] or bool(row[board.order[0]] >= row[best] - ROUNDING * abs(row[best]))
        first = names[board.order[0]] if is_first else names[best]
        entries.append(Influence(unit, first, not is_first, int(change[most]), names[most], tau))
    return sorted(entries, key=lambda entry: (not entry.first_changes, entry.tau if entry.tau == entry.tau else 1.0))


def subsets(board: Leaderboard, first: str, second: str, size: int, samples: int) -> SubsetShare:
    """Return how often the first system beats the second on subsets of the units that both have."""
    gaps = board.contributions.low[board.place(first)] - board.contributions.high[board.place(second)]
    known = ~np.isnan(gaps)
    gaps = (gaps * board.unit_weights)[known]
    if isinstance(size, bool) or not isinstance(size, int | np.integer) or not 1 <= size <= len(gaps):
        allowed = f"a whole number from 1 to {len(gaps)}", f"1 到 {len(gaps)} 的整数"
        raise ParameterError.of("size", size, allowed, "subsets")
    total, margin = comb(len(gaps), size), ROUNDING * np.abs(gaps).sum()
    exact = total <= ENUMERATED
    wins = ties = count = 0
    if exact:
        every = chain.from_iterable(combinations(range(len(gaps)), int(size)))
        while len(block := np.fromiter(islice(every, BLOCK * size), dtype=np.int64)):
            sums = gaps[block.reshape(-1, size)].sum(axis=1)
            wins, ties, count = wins + (sums > margin).sum(), ties + (np.abs(sums) <= margin).sum(), count + len(sums)
    else:
        random = np.random.Generator(np.random.Philox(key=board.resampling.seed))
        chosen = random.random((samples, len(gaps))).argsort(axis=1)[:, :size]
        sums = gaps[chosen].sum(axis=1)
        wins, ties, count = (sums > margin).sum(), (np.abs(sums) <= margin).sum(), samples
    return SubsetShare(float(wins / count), float(ties / count), int(count), exact)


def agreement(board: Leaderboard) -> dict[str, float]:
    """Return Kendall's tau between the board and every other aggregate of the same results."""
    taus: dict[str, float] = {}
    for name, aggregate in AGGREGATES.items():
        if name == board.aggregate or (board.missing == "bounds" and not aggregate.bounded):
            continue
        if name == "family mean" and not board.families:
            continue
        other = replace(board, aggregate=name).scores
        known = np.isfinite(other) & np.isfinite(board.scores)
        taus[name] = kendall_tau(board.scores[known], other[known]) if known.sum() > 1 else float("nan")
    return taus
