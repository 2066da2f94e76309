"""Probability samples: single items with a floor, and whole queries within strata, each with its exact chance."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rankgauge.segments import Bools, Floats, Ints

MOST_STRATA = 5
FEWEST_OF_A_STRATUM = 2
"""Queries that are drawn from each stratum at least, so that its spread can be estimated."""


class Draw(NamedTuple):
    """What was drawn, and the probability of everything that could have been."""

    chosen: Bools
    inclusion: Floats


def item_chances(size: Floats, budget: float, floor: float) -> Floats:
    """Return inclusion probabilities that add up to the budget.

    A share ``floor`` of the budget is spread evenly, the rest in proportion to size; none exceeds 1.

    >>> item_chances(np.array([8.0, 1.0, 1.0, 0.0]), 2, 0.2).round(4).tolist()
    [1.0, 0.4194, 0.4194, 0.1613]
    """
    count = len(size)
    if budget >= count:
        return np.ones(count)
    total = float(size.sum())
    share = np.full(count, 1 / count) if total <= 0 else floor / count + (1 - floor) * size / total
    chance = np.zeros(count)
    certain = np.zeros(count, dtype=bool)
    while True:  # what exceeds 1 is certain, and its excess is spread over the rest
        left = budget - certain.sum()
        rest = float(share[~certain].sum())
        chance = np.where(certain, 1.0, share * left / rest if rest > 0 else 0.0)
        exceeds = (chance > 1) & ~certain
        if not exceeds.any():
            return chance
        certain |= exceeds


def draw_items(size: Floats, budget: float, floor: float, random: np.random.Generator) -> Draw:
    """Draw items independently of each other, so that the number drawn is the budget on average."""
    chance = item_chances(size, budget, floor)
    return Draw(random.random(len(size)) < chance, chance)


def strata_of(values: Floats | None, count: int, wanted: int) -> Ints:
    """Return the stratum of each query: equal parts in the order of a value, one stratum if there is none.

    Each stratum is large enough that ``FEWEST_OF_A_STRATUM`` of it can be drawn.
    """
    most = min(MOST_STRATA, wanted // FEWEST_OF_A_STRATUM, count // FEWEST_OF_A_STRATUM)
    if values is None or most < FEWEST_OF_A_STRATUM:
        return np.zeros(count, dtype=np.int64)
    order = np.argsort(np.nan_to_num(values, nan=-np.inf), kind="stable")
    strata = np.empty(count, dtype=np.int64)
    strata[order] = np.arange(count) * most // count
    return strata


def draw_queries(strata: Ints, spread: Floats, wanted: int, floor: float, random: np.random.Generator) -> Draw:
    """Draw whole queries at random within strata.

    ``spread`` is the standard deviation in each stratum; strata with more get more, after a share ``floor`` that is in
    proportion to their sizes.
    """
    sizes = np.bincount(strata)
    counts = stratum_counts(sizes, spread, wanted, floor)
    chosen = np.zeros(len(strata), dtype=bool)
    for stratum, count in enumerate(counts.tolist()):
        chosen[random.permutation(np.flatnonzero(strata == stratum))[:count]] = True
    return Draw(chosen, (counts / sizes)[strata])


def stratum_counts(sizes: Ints, spread: Floats, wanted: int, floor: float) -> Ints:
    """Return how many queries are drawn from each stratum.

    >>> stratum_counts(np.array([50, 50]), np.array([0.1, 0.3]), 20, 0.2).tolist()
    [6, 14]
    """
    need = sizes * spread
    share = sizes / sizes.sum()
    if need.sum() > 0:
        share = floor * share + (1 - floor) * need / need.sum()
    counts = np.minimum(sizes, FEWEST_OF_A_STRATUM)
    for _ in range(min(wanted, int(sizes.sum())) - int(counts.sum())):
        lacking = np.where(counts < sizes, wanted * share - counts, -np.inf)
        counts[int(lacking.argmax())] += 1
    return counts
