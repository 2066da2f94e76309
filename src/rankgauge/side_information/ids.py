"""Ids as numbers: each id has one, in the order in which it was first seen."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import chain, count, repeat
from typing import Any

import numpy as np

from rankgauge.segments import Ints

ROOMY = 1 << 20
"""CorpusValue numbers that lie this close together are told apart by a table instead of a sort."""


class Ids:
    """Ids and their numbers; more can be added.

    >>> ids = Ids()
    >>> ids.add(["b", "a", "b"]).tolist(), ids.names
    ([0, 1, 0], ['b', 'a'])
    >>> ids.find({"a": 7, "c": 8}).tolist()  # where each id stands among these keys
    [-1, 0]
    """

    def __init__(self, names: Iterable[Any] = ()) -> None:
        # Whoever is looked up and not there gets the next number: numbering runs at the speed of look-ups.
        self._number: dict[Any, int] = defaultdict(count().__next__)
        self.add([*names])

    def __len__(self) -> int:
        return len(self._number)

    @property
    def names(self) -> list[Any]:
        """All ids in the order of their numbers."""
        return [*self._number]

    def add(self, ids: Any) -> Ints:
        """The numbers of these ids (a list, an array or a series), new ones for those not seen before."""
        if isinstance(ids, list | tuple):
            return _looked_up(self._number, ids)
        distinct, at_each_place = _distinct(ids)
        return at_each_place(_looked_up(self._number, distinct))

    def copy(self) -> Ids:
        """The same ids, to which others can be added."""
        twin = Ids()
        twin._number = defaultdict(count(len(self)).__next__, self._number)
        return twin

    def add_as(self, ids: Any) -> Ints:
        """The numbers of these ids; one that was not seen before as it is, is looked for as text (7 and '7')."""
        theirs = Ids()
        place = theirs.add(ids)
        number = theirs._places(self._number)
        new = np.flatnonzero(number < 0)
        names = theirs.names
        number[new] = self.add([names[one] for one in new.tolist()])
        return number[place]

    def find_in(self, others: Ids, numbers: Ints) -> Ints:
        """What these numbers are among other ids, -1 where the other ids lack them."""
        return self.find(others.names)[numbers]

    def find(self, keys: Iterable[Any]) -> Ints:
        """Of each id, the place of its equal among the keys, -1 where there is none.

        An id that is not among the keys as it is, is looked for as text (7 and '7').
        """
        return self._places(dict(zip(keys, count(), strict=False)))

    def _places(self, place: Mapping[Any, int]) -> Ints:
        found = _found(place, self._number)
        lacking = np.flatnonzero(found < 0)
        if place and len(lacking):
            names = self.names
            as_text = {str(key): number for key, number in place.items()}
            found[lacking] = _found(as_text, [str(names[number]) for number in lacking.tolist()])
        return found


def _looked_up(number: Mapping[Any, int], ids: Collection[Any]) -> Ints:
    return np.fromiter(map(number.__getitem__, ids), dtype=np.int64, count=len(ids))


def _found(place: Mapping[Any, int], names: Collection[Any]) -> Ints:
    return np.fromiter(map(place.get, names, repeat(-1)), dtype=np.int64, count=len(names))


def _distinct(ids: Any) -> tuple[Sequence[Any], Callable[[Ints], Ints]]:
    """The different ids of an array or a series, and what turns their numbers into the number at each place."""
    if hasattr(ids, "to_physical") and not ids.dtype.is_integer():  # a series of polars
        import polars as pl  # noqa: PLC0415

        frame = pl.DataFrame({"id": ids})
        distinct = frame.unique(maintain_order=True).with_row_index("place")
        place = frame.join(distinct, on="id", how="left", maintain_order="left")["place"].to_numpy().astype(np.int64)
        return distinct["id"].to_list(), lambda number: number[place]
    values = np.asarray(ids)
    if len(values) == 0:
        return [], lambda number: number
    if values.dtype.kind in "iu" and (span := int(values.max()) - int(values.min()) + 1) <= ROOMY + 8 * len(values):
        shifted = values - values.min()
        there = np.zeros(span, dtype=bool)
        there[shifted] = True
        once = np.flatnonzero(there)
        table = np.empty(span, dtype=np.int64)

        def spread(number: Ints) -> Ints:
            table[once] = number
            return table[shifted]

        return (once + values.min()).tolist(), spread
    once, inverse = np.unique(values, return_inverse=True)
    return once.tolist(), lambda number: number[inverse]


def one_after_another(parts: Sequence[Any]) -> Any:
    """Ids that came as several lists, arrays or series, as one."""
    filled = [part for part in parts if len(part)]
    if any(isinstance(part, list | tuple) for part in filled) or not filled:
        return [*chain.from_iterable(filled)]
    if isinstance(filled[0], np.ndarray):
        return np.concatenate(filled)
    import polars as pl  # noqa: PLC0415

    return pl.concat(filled)
