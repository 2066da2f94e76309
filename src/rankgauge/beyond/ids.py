"""Ids as numbers: each id has one, in the order in which it was first seen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from rankgauge.match.segments import Ints


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
    """The different ids in order of appearance, and which of them stands at each place."""
    if isinstance(ids, list | tuple):
        number: dict[Any, int] = {}
        place = np.array([number.setdefault(one, len(number)) for one in ids], dtype=np.int64)
        return [*number], place
    if hasattr(ids, "to_physical"):  # a series of polars
        import polars as pl  # noqa: PLC0415

        frame = pl.DataFrame({"id": ids})
        distinct = frame.unique(maintain_order=True).with_row_index("place")
        return distinct["id"].to_list(), frame.join(distinct, on="id", how="left", maintain_order="left")[
            "place"
        ].to_numpy().astype(np.int64)
    values, first, inverse = np.unique(np.asarray(ids), return_index=True, return_inverse=True)
    order = np.argsort(first)
    place_of = np.empty(len(order), dtype=np.int64)
    place_of[order] = np.arange(len(order))
    return values[order].tolist(), place_of[inverse]
