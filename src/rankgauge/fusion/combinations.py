"""Combinations: from the values of an item in each list to its fused score."""

from __future__ import annotations

from collections.abc import Callable
from functools import cmp_to_key
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from rankgauge.fusion.aligned_lists import AlignedLists
from rankgauge.segments import Floats, Ints

Combination: TypeAlias = Callable[[Floats, Floats, float], Floats]
"""Takes the values (items x rankings, NaN where an item does not count), the weights and the method's parameter."""


def total(values: Floats) -> Floats:
    """Return the sum of each row, NaN left out.

    Values are added in ascending order: the same values in other lists give the same digits, so ties stay ties.

    >>> total(np.array([[0.1, 0.2, 0.3], [0.3, 0.1, 0.2], [np.nan, 1.0, np.nan]])).tolist()
    [0.6000000000000001, 0.6000000000000001, 1.0]
    """
    terms = np.where(np.isnan(values), 0.0, values)
    if terms.shape[1] > 2:  # noqa: PLR2004 (two terms have one sum)
        terms.sort(axis=1)
    result: Floats = np.zeros(len(values))
    for column in terms.T:
        result = result + column
    return result


def weighted_sum(values: Floats, weights: Floats, _: float) -> Floats:
    """Return the sum of weight x value: RRF, CombSUM, Borda and the weighted sum."""
    return total(values * weights)


def plain_sum(values: Floats, _weights: Floats, _: float) -> Floats:
    """Return the sum of values that contain their weights."""
    return total(values)


def mean(values: Floats, _weights: Floats, _: float) -> Floats:
    """Return the mean over the lists that count: CombANZ."""
    return total(values) / _count(values)


def multiplied(values: Floats, weights: Floats, _: float) -> Floats:
    """Return the sum times the number of lists that count: CombMNZ and ISR."""
    return total(values * weights) * _count(values)


def powered(values: Floats, _weights: Floats, gamma: float) -> Floats:
    """Return the sum times a power of the number of lists that count: CombGMNZ."""
    return total(values) * _count(values) ** gamma


def rooted(values: Floats, weights: Floats, _: float) -> Floats:
    """Return the weighted sum times the root of the number of lists that count."""
    return total(values * weights) * np.sqrt(_count(values))


def logarithmic(values: Floats, _weights: Floats, sigma: float) -> Floats:
    """Return the sum times the logarithm of the number of lists that count plus sigma: LogISR and LogNISR."""
    return total(values) * np.log(_count(values) + sigma)


def multiplied_by_weights(values: Floats, weights: Floats, _: float) -> Floats:
    """Return the sum of values times the sum of the weights of their lists: weighted CombMNZ."""
    return total(values) * total(np.where(np.isnan(values), 0.0, weights))


def lowest(values: Floats, _weights: Floats, _: float) -> Floats:
    """Return the least value: CombMIN."""
    return np.fmin.reduce(values, axis=1)


def highest(values: Floats, _weights: Floats, _: float) -> Floats:
    """Return the greatest value: CombMAX."""
    return np.fmax.reduce(values, axis=1)


def median(values: Floats, _weights: Floats, _: float) -> Floats:
    """Return the median of the lists that count: CombMED."""
    ascending, count = np.sort(values, axis=1), _count(values).astype(np.int64)
    rows = np.arange(len(values))
    return (ascending[rows, (count - 1) // 2] + ascending[rows, count // 2]) / 2


def arithmetic_mean(values: Floats, weights: Floats, _: float) -> Floats:
    """Return the weighted mean over values of at least 0: OpenSearch."""
    counted = np.where(values >= 0, weights, 0.0)
    return _ratio(total(np.where(values >= 0, values, 0.0) * weights), total(counted))


def geometric_mean(values: Floats, weights: Floats, _: float) -> Floats:
    """Return the weighted geometric mean over values above 0: OpenSearch."""
    above = values > 0
    logarithms = np.log(np.where(above, values, 1.0)) * weights
    weight = total(np.where(above, weights, 0.0))
    return np.where(weight == 0, 0.0, np.exp(_ratio(total(logarithms), weight)))


def harmonic_mean(values: Floats, weights: Floats, _: float) -> Floats:
    """Return the weighted harmonic mean over values above 0: OpenSearch."""
    above = values > 0
    inverse = weights / np.where(above, values, np.inf)
    return _ratio(total(np.where(above, weights, 0.0)), total(inverse))


def condorcet(lists: AlignedLists, weights: Floats) -> Floats:
    """Return the number of candidates from each place on in the order of Condorcet-fuse (Montague and Aslam 2002).

    An item comes before another if lists with at least half of all weight say so; a list that has neither says nothing
    for the first of them. Majorities can form circles; candidates then keep the order in which they were first seen.
    """
    ranks = np.nan_to_num(lists.ranks, nan=np.inf)
    result = np.empty(len(ranks))
    for start, end in pairwise(lists.rows.offsets.tolist()):
        order = _majority_order(ranks[start:end], weights)
        result[start + order] = np.arange(end - start, 0, -1)
    return result


def _majority_order(ranks: Floats, weights: Floats) -> Ints:
    needed = weights.sum() / 2

    def compare(first: int, second: int) -> int:
        return -1 if weights[ranks[first] < ranks[second]].sum() >= needed else 1

    return np.array(sorted(range(len(ranks)), key=cmp_to_key(compare)), dtype=np.int64)


def _count(values: Floats) -> Floats:
    return (~np.isnan(values)).sum(axis=1).astype(np.float64)


def _ratio(above: Floats, below: Floats) -> Floats:
    return np.divide(above, below, out=np.zeros_like(above), where=below != 0)
