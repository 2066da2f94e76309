"""Ids: numbers for ids, in order of first appearance, and sorted pairs of such numbers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import chain, count, repeat
from typing import Any, NamedTuple

import numpy as np

from rankgauge.segments import Bools, Ints
from rankgauge.value_checks import unhashable_id

TABLE_SPAN = 1 << 20
"""Integers within this span are numbered by a lookup table instead of a sort."""


class Ids:
    """A growing numbering of ids.

    >>> ids = Ids()
    >>> ids.add(["b", "a", "b"]).tolist(), ids.names
    ([0, 1, 0], ['b', 'a'])
    >>> ids.find({"a": 7, "c": 8}).tolist()  # the place of each id among these keys
    [-1, 0]
    """

    def __init__(self, names: Iterable[Any] = ()) -> None:
        # A missing id gets the next number on lookup, so that numbering is as fast as a lookup.
        self._number: dict[Any, int] = defaultdict(count().__next__)
        self.add([*names])

    def __len__(self) -> int:
        return len(self._number)

    @property
    def names(self) -> list[Any]:
        """All ids in order of their numbers."""
        return [*self._number]

    def add(self, ids: object) -> Ints:
        """Return the numbers of these ids (a list, an array or a series), adding those not seen before."""
        if isinstance(ids, list | tuple):
            return _looked_up(self._number, ids)
        distinct, at_each_place = _distinct(ids)
        return at_each_place(_looked_up(self._number, distinct))

    def add_as(self, ids: object) -> Ints:
        """Return the numbers of these ids; an unknown id is also looked up as text (7 and '7') before it is added."""
        distinct, at_each_place = _distinct(ids)
        number = _places(distinct, self._number)
        new = np.flatnonzero(number < 0)
        number[new] = self.add([distinct[place] for place in new.tolist()])
        return at_each_place(number)

    def continued_with(self, ids: object) -> Ints:
        """Return the same numbers as ``add_as`` without adding the ids."""
        distinct, at_each_place = _distinct(ids)
        number = _places(distinct, self._number)
        new = np.flatnonzero(number < 0)
        number[new] = len(self) + np.arange(len(new))
        return at_each_place(number)

    def find_in(self, others: Ids, numbers: Ints) -> Ints:
        """Translate numbers of these ids to numbers of other ids, -1 for ids that are missing there."""
        return self.places_in(others)[numbers]

    def places_in(self, others: Ids) -> Ints:
        """Return the number of each id among other ids, -1 if it is missing."""
        return _places(self._number, others._number)

    def find(self, keys: Iterable[object]) -> Ints:
        """Return the place of each id among the keys, -1 if it is missing.

        An id that is not found is looked up as text (7 and '7').
        """
        return _places(self._number, dict(zip(keys, count(), strict=False)))


def _places(ids: Collection[Any], place: Mapping[Any, int]) -> Ints:
    """Return the place of each id; one that is not found is looked up as text (7 and '7'), -1 if it is missing."""
    places = _places_of(place, ids)
    missing = np.flatnonzero(places < 0)
    if place and len(missing):
        names = [*ids]
        as_text = {str(key): number for key, number in place.items()}
        places[missing] = _places_of(as_text, [str(names[number]) for number in missing.tolist()])
    return places


def _looked_up(number: Mapping[object, int], ids: Collection[object]) -> Ints:
    try:
        return np.fromiter(map(number.__getitem__, ids), dtype=np.int64, count=len(ids))
    except TypeError:
        raise unhashable_id(ids, "ids") from None


def _places_of(place: Mapping[Any, int], names: Collection[Any]) -> Ints:
    return np.fromiter(map(place.get, names, repeat(-1)), dtype=np.int64, count=len(names))


def _distinct(ids: Any) -> tuple[Sequence[Any], Callable[[Ints], Ints]]:
    """Return the distinct ids of a list, an array or a series, and a function that spreads numbers to every place."""
    if isinstance(ids, list | tuple):
        names = Ids()
        places = names.add(ids)
        return names.names, lambda number: number[places]
    if hasattr(ids, "to_physical") and not ids.dtype.is_integer():  # a series of polars
        import polars as pl  # noqa: PLC0415

        frame = pl.DataFrame({"id": ids})
        distinct = frame.unique(maintain_order=True).with_row_index("place")
        place = frame.join(distinct, on="id", how="left", maintain_order="left")["place"].to_numpy().astype(np.int64)
        return distinct["id"].to_list(), lambda number: number[place]
    values = np.asarray(ids)
    if len(values) == 0:
        return [], lambda number: number
    if values.dtype.kind in "iu":
        low, high = int(values.min()), int(values.max())
        if high - low < TABLE_SPAN + 8 * len(values):
            return _distinct_in_table(values, 0 if 0 <= low <= high < TABLE_SPAN else low, high)
    once, inverse = np.unique(values, return_inverse=True)
    return once.tolist(), lambda number: number[inverse]


def _distinct_in_table(values: Ints, low: int, high: int) -> tuple[Sequence[Any], Callable[[Ints], Ints]]:
    """Do the same for integers from ``low`` to ``high`` with a table that has a place for each."""
    places = values - low if low else values
    there = np.zeros(high - low + 1, dtype=bool)
    there[places] = True
    once = np.flatnonzero(there)
    table = np.empty(len(there), dtype=np.int64)

    def spread(number: Ints) -> Ints:
        table[once] = number
        return table[places]

    return (once + low).tolist(), spread


def concatenate_ids(parts: Sequence[Any]) -> object:
    """Concatenate ids that come as several lists, arrays or series."""
    filled = [part for part in parts if len(part)]
    if any(isinstance(part, list | tuple) for part in filled) or not filled:
        return [*chain.from_iterable(filled)]
    if isinstance(filled[0], np.ndarray):
        return np.concatenate(filled)
    import polars as pl  # noqa: PLC0415

    return pl.concat(filled)


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
    both = (first << bits) + second
    if (both[1:] > both[:-1]).all():
        return IdPairs(first, second)
    both.sort()
    new = np.ones(len(both), dtype=bool)
    new[1:] = both[1:] != both[:-1]  # np.unique is many times slower on integers
    once = both[new]
    return IdPairs(once >> bits, once & ((1 << bits) - 1))
