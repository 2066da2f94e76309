"""Ids and lists of ids of many records at once, where no value needs a look of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple, Protocol

import numpy as np
import polars as pl

from rankgauge.inputs.shapes.fields import at
from rankgauge.segments import Ints


class Lists(NamedTuple):
    """The lists of all records, one after another."""

    items: pl.Series
    sizes: Ints


class ListColumns(Protocol):
    """The fields of records; a method returns None if some value must be looked at."""

    def ids(self, path: str) -> pl.Series | None:
        """Return a field with an id in each record."""

    def lists(self, path: str) -> Lists | None:
        """Return a field with a list of ids, all of one type, in each record."""

    def has_lists(self, path: str) -> bool:
        """Whether a field has a list of ids, all of one type, in each record."""

    def is_missing(self, path: str) -> bool:
        """Whether no record has a value."""


class RecordColumns:
    """The fields of parsed records."""

    def __init__(self, records: Sequence[Mapping[str, Any]]) -> None:
        self._records = records

    def ids(self, path: str) -> pl.Series | None:
        """Return a field with an id in each record."""
        return _as_ids(self._cells(path))

    def lists(self, path: str) -> Lists | None:
        """Return a field with a list of ids, all of one type, in each record."""
        cells = self._cells(path)
        if {*map(type, cells)} != {list}:
            return None
        items = _as_ids([*chain.from_iterable(cells)])
        return None if items is None else Lists(items, np.fromiter(map(len, cells), np.int64, len(cells)))

    def has_lists(self, path: str) -> bool:
        """Whether a field has a list of ids, all of one type, in each record."""
        cells = self._cells(path)
        if {*map(type, cells)} != {list}:
            return False
        kinds = {*map(type, chain.from_iterable(cells))}
        return kinds <= {int} or (kinds == {str} and all(map(all, cells)))

    def is_missing(self, path: str) -> bool:
        """Whether no record has a value."""
        return all(cell is None for cell in self._cells(path))

    def _cells(self, path: str) -> list[Any]:
        if "." in path:
            return [at(record, path) for record in self._records]
        return [record.get(path) for record in self._records]


class FrameColumns:
    """The columns of a frame of records."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self._frame = frame

    def ids(self, path: str) -> pl.Series | None:
        """Return a column with an id in each record."""
        return _clean(self._frame[path]) if path in self._frame.columns else None

    def lists(self, path: str) -> Lists | None:
        """Return a column with a list of ids in each record."""
        if not isinstance(self._frame.schema.get(path), pl.List) or (column := self._frame[path]).null_count():
            return None
        sizes = column.list.len()
        items = _clean(column.filter(sizes > 0).explode())
        return None if items is None else Lists(items, sizes.to_numpy().astype(np.int64))

    def has_lists(self, path: str) -> bool:
        """Whether a column has a list of ids in each record."""
        return self.lists(path) is not None

    def is_missing(self, path: str) -> bool:
        """Whether no record has a value."""
        return path not in self._frame.columns or self._frame[path].null_count() == self._frame.height


def _as_ids(values: list[Any]) -> pl.Series | None:
    """Return ids as a column of texts or of whole numbers."""
    is_text = not values or type(values[0]) is str
    if not is_text and {*map(type, values)} != {int}:
        return None
    try:
        return _clean(pl.Series(values, dtype=pl.String if is_text else pl.Int64))
    except (TypeError, OverflowError, UnicodeEncodeError):  # other types, more than 64 bits, half of a surrogate pair
        return None


def _clean(column: pl.Series) -> pl.Series | None:
    """Return a column of texts or whole numbers; None if an id is missing, empty or contains a NUL."""
    if column.null_count():
        return None
    if column.dtype.is_integer():
        numbers = column.cast(pl.Int64, strict=False)
        return None if numbers.null_count() else numbers
    if column.dtype != pl.String or (column == "").any() or column.str.contains("\0", literal=True).any():
        return None
    return column
