"""Where the list of each query was read first, in few bytes for each query of a long file."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np
import polars as pl

from rankgauge.inputs.shapes.shape import Id
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Bools, Ints

Place: TypeAlias = str | int | Phrase
"""A line number, or another place of a file."""
_SEEDS = 0, 1


class _HashedQueries(NamedTuple):
    """Queries by their hashes, in the order of the first one, and the numbers of their records."""

    key: Ints
    other: Ints
    number: Ints

    @classmethod
    def of(cls, queries: pl.Series, numbers: Ints) -> _HashedQueries:
        key, other = (queries.hash(seed).to_numpy() for seed in _SEEDS)
        return cls(key, other, numbers).sorted()

    def sorted(self) -> _HashedQueries:
        order = np.argsort(self.key, kind="stable")
        return _HashedQueries(*(column[order] for column in self))

    def with_rows(self, more: _HashedQueries) -> _HashedQueries:
        return _HashedQueries(*map(np.concatenate, zip(self, more, strict=True))).sorted()

    def among(self, known: _HashedQueries) -> Bools:
        """Return which of the queries are known."""
        place = np.minimum(np.searchsorted(known.key, self.key), len(known.key) - 1)
        return (known.key[place] == self.key) & (known.other[place] == self.other)


class FirstPlaces:
    """Where the list of each query was read first, by system.

    Queries that are added many at a time are kept as hashes; two hashes of different queries are almost never equal.
    """

    def __init__(self, place_of: Callable[[int], Place]) -> None:
        self.systems: set[str] = set()
        self._place_of = place_of
        self._places: dict[tuple[str, Id], Place] = {}
        self._tables: list[_HashedQueries] = []
        """Each at least twice as long as the next."""

    def add(self, system: str, query: Id, place: Place) -> Place:
        """Return where the list of a query was read first: at this place if it was not read before."""
        self.systems.add(system)
        if not system and self._tables and (not isinstance(query, int) or -(2**63) <= query < 2**63):
            row = _HashedQueries.of(
                pl.Series([query], dtype=pl.Int64 if isinstance(query, int) else pl.String), np.zeros(1)
            )
            for table in self._tables:
                if row.among(table).any():
                    return self._place_of(int(table.number[np.searchsorted(table.key, row.key[0])]))
        return self._places.setdefault((system, query), place)

    def add_all(self, queries: pl.Series, numbers: Ints) -> bool:
        """Add the queries of many records without a system; False, and none is added, if one of them is known."""
        table = _HashedQueries.of(queries, numbers)
        if (table.key[1:] == table.key[:-1]).any():
            return False
        if any(table.among(known).any() for known in self._tables):
            return False
        if self._places and not {("", query) for query in queries.to_list()}.isdisjoint(self._places):
            return False
        self.systems.add("")
        while self._tables and len(self._tables[-1].key) < 2 * len(table.key):
            table = self._tables.pop().with_rows(table)
        self._tables.append(table)
        return True
