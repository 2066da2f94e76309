"""Pairs of numbers: each once, in order, and whether others are among them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rankgauge.segments import Bools, Ints


class Pairs(NamedTuple):
    """Pairs of two kinds of numbers, each pair once, ordered by the first."""

    first: Ints
    second: Ints


def contains(pairs: Pairs, first: Ints, second: Ints, items: int) -> Bools:
    """Which of these pairs are among the pairs."""
    known = pairs.first * items + pairs.second
    asked = first * items + second
    if len(known) == 0:
        return np.zeros(len(asked), dtype=bool)
    place = np.minimum(np.searchsorted(known, asked), len(known) - 1)
    return known[place] == asked


def distinct_pairs(first: Ints, second: Ints) -> Pairs:
    """These pairs, each once, in their order."""
    bits = int(second.max(initial=0)).bit_length()
    both = np.sort((first << bits) + second)
    new = np.ones(len(both), dtype=bool)
    new[1:] = both[1:] != both[:-1]  # np.unique is many times slower on whole numbers
    once = both[new]
    return Pairs(once >> bits, once & ((1 << bits) - 1))
