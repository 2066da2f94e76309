"""Sorted distinct pairs of ids by number, such as the user and item of each interaction."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rankgauge.segments import Bools, Ints


class IdPairs(NamedTuple):
    """Distinct pairs of two kinds of ids by number, sorted."""

    first: Ints
    second: Ints


def contains(pairs: IdPairs, first: Ints, second: Ints, items: int) -> Bools:
    """Return which of the given pairs are in ``pairs``."""
    known = pairs.first * items + pairs.second
    wanted = first * items + second
    if len(known) == 0:
        return np.zeros(len(wanted), dtype=bool)
    place = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    return known[place] == wanted


def distinct_pairs(first: Ints, second: Ints) -> IdPairs:
    """Return the distinct pairs, sorted."""
    bits = int(second.max(initial=0)).bit_length()
    both = np.sort((first << bits) + second)
    new = np.ones(len(both), dtype=bool)
    new[1:] = both[1:] != both[:-1]  # np.unique is many times slower on integers
    once = both[new]
    return IdPairs(once >> bits, once & ((1 << bits) - 1))
