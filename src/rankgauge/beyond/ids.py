"""Ids as numbers: each id has one, in the order in which it was first seen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from rankgauge.match.segments import Ints

ROOMY = 1 << 20
"""Whole numbers that lie this close together are told apart by a table instead of a sort."""


class Ids:
    """Ids and their numbers; more can be added.

    >>> ids = Ids()
    >>> ids.add(["b", "a", "b"]).tolist(), ids.names
    ([0, 1, 0], ['b', 'a'])
    >>> ids.find({"a": 7, "c": 8}).tolist()  # where each id stands among these keys
    [-1, 0]
    """

    def __init__(self, names: Iterable[Any] = ()) -> None:
        self._number: dict[Any, int] = {}
        self.add([*names])

    def __len__(self) -> int:
        return len(self._number)

    @property
    def names(self) -> list[Any]:
        """All ids in the order of their numbers."""
        return [*self._number]

    def add(self, ids: Any) -> Ints:
        """The numbers of these ids (a list, an array or a series), new ones for those not seen before."""
        distinct, place = _distinct(ids)
        number = self._number
        return np.array([number.setdefault(one, len(number)) for one in distinct], dtype=np.int64)[place]

    def find_in(self, others: Ids, numbers: Ints) -> Ints:
        """What these numbers are among other ids, -1 where the other ids lack them."""
        return self.find(others.names)[numbers]

    def find(self, keys: Iterable[Any]) -> Ints:
        """Of each id, the place of its equal among the keys, -1 where there is none.

        An id that is not among the keys as it is, is looked for as text (7 and '7').
        """
        place = {key: number for number, key in enumerate(keys)}
        found = _looked_up(place, self._number)
        lacking = np.flatnonzero(found < 0)
        if place and len(lacking):
            names = self.names
            as_text = {str(key): number for key, number in place.items()}
            found[lacking] = _looked_up(as_text, [str(names[number]) for number in lacking.tolist()])
        return found


def _looked_up(place: Mapping[Any, int], names: Iterable[Any]) -> Ints:
    return np.array([place.get(name, -1) for name in names], dtype=np.int64)


def _distinct(ids: Any) -> tuple[Sequence[Any], Ints]:
    """The different ids, and which of them stands at each place."""
    if isinstance(ids, list | tuple):
        number: dict[Any, int] = {}
        place = np.array([number.setdefault(one, len(number)) for one in ids], dtype=np.int64)
        return [*number], place
    if hasattr(ids, "to_physical") and not ids.dtype.is_integer():  # a series of polars
        import polars as pl  # noqa: PLC0415

        frame = pl.DataFrame({"id": ids})
        distinct = frame.unique(maintain_order=True).with_row_index("place")
        places = frame.join(distinct, on="id", how="left", maintain_order="left")["place"]
        return distinct["id"].to_list(), places.to_numpy().astype(np.int64)
    values = np.asarray(ids)
    if len(values) == 0:
        return [], np.zeros(0, dtype=np.int64)
    if values.dtype.kind in "iu" and (span := int(values.max()) - int(values.min()) + 1) <= ROOMY + 8 * len(values):
        low = values.min()
        there = np.zeros(span, dtype=bool)
        there[values - low] = True
        return (np.flatnonzero(there) + low).tolist(), (np.cumsum(there) - 1)[values - low]
    once, inverse = np.unique(values, return_inverse=True)
    return once.tolist(), inverse
