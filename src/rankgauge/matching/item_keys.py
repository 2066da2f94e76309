"""Keys of queries and items: one number for each pair, which of them repeat, and which may be judged."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.segments import Ints, Segments

if TYPE_CHECKING:
    import polars as pl

AT_A_TIME = 8_192
"""Keys examined together for repetitions: few enough that a table with 16 slots for each fits in the cache."""
SHORT = 16
"""Number of keys of a query up to which comparing all of them is faster than a table."""
SLOT_BITS = 17
MOST_SLOT_BITS = 22
"""Limit of the table of judged keys, which takes a byte for each slot."""
SPREADING = np.uint64(0x9E3779B97F4A7C15)
"""An odd multiplier that spreads small numbers over all bits (the golden ratio)."""


def item_keys(items: pl.Series, codes: Ints, sizes: Ints | None = None) -> Any:
    """Return one number for each query and item; different pairs almost never share one.

    ``codes`` are the numbers of the queries: of each row, or of each run of rows of these ``sizes``.
    """
    key = codes.astype(np.uint64) * SPREADING
    key = key if sizes is None else np.repeat(key, sizes)
    key ^= items.hash(0).to_numpy()
    return key


def ascend(items: Ints, offsets: Ints) -> bool:
    """Return whether numbers of items ascend in every query, so that none repeats."""
    larger = items[1:] > items[:-1]
    larger[offsets[(offsets > 0) & (offsets < len(items))] - 1] = True
    return bool(larger.all())


def repeat(items: Ints, runs: Segments) -> bool:
    """Return whether the number of an item repeats in a query."""
    if ascend(items, runs.offsets):
        return False
    bits = int(items.max(initial=0)).bit_length()
    pairs = (runs.query << bits) + items
    return any_equal(pairs.astype(np.uint64) * SPREADING, runs.offsets)


def any_equal(key: Ints, offsets: Ints) -> bool:
    """Return whether two keys of a query are equal, looking at some queries at a time.

    Keys of short queries are compared with each other. Otherwise every key writes its place into a slot. Keys that find
    another place there share their slot: one of them equals the key at that place, or two of them are equal, or none
    repeats.
    """
    longest = int(np.diff(offsets).max(initial=0))
    if longest <= SHORT:
        return any((key[step:] == key[:-step]).any() for step in range(1, longest))
    steps = np.arange(0, len(key), AT_A_TIME)
    edges = np.unique(np.append(offsets[np.searchsorted(offsets, steps)], len(key)))
    places = np.arange(np.diff(edges).max(initial=0), dtype=np.uint32)
    table = np.empty(1 << SLOT_BITS, dtype=np.uint32)
    for start, end in pairwise(edges.tolist()):
        keys, place = key[start:end], places[: end - start]
        slot = _slots(keys, SLOT_BITS)
        table[slot] = place
        last = table[slot]
        sharing = np.flatnonzero(last != place)
        shared = np.sort(keys[sharing])
        if (keys[sharing] == keys[last[sharing]]).any() or (shared[1:] == shared[:-1]).any():
            return True
    return False


def hash_prefilter(key: Ints, others: Ints) -> Ints:
    """Return the places of the keys that may be among the others: all that are, and a few that are not."""
    bits = min((16 * len(others)).bit_length(), MOST_SLOT_BITS)
    table = np.zeros(1 << bits, dtype=bool)
    table[_slots(others, bits)] = True
    return np.flatnonzero(table[_slots(key, bits)])


def _slots(key: Ints, bits: int) -> Ints:
    """Return the first bits of each key."""
    return (key >> np.uint64(64 - bits)).view(np.int64)
