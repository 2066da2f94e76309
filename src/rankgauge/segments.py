"""Segmented arrays: rows of many queries in one array, and the primitives that metrics are built from.

Sums add the rows of a query in order, so that a query has the same digits alone and among thousands.
"""

from __future__ import annotations

import math
from functools import reduce
from typing import Any, TypeAlias

import numpy as np

# The names document what an array holds; NumPy's dtype typing cannot express half of these expressions, so type
# checkers see arrays only.
Floats: TypeAlias = np.ndarray[Any, Any]
Ints: TypeAlias = np.ndarray[Any, Any]
Bools: TypeAlias = np.ndarray[Any, Any]
Numbers: TypeAlias = np.ndarray[Any, Any]
Array: TypeAlias = np.ndarray[Any, Any]
"""Anything: numbers, texts or objects."""


def as_single(numbers: Any) -> Any:
    """Return an array or a number in single precision; what is too large for it becomes infinite.

    >>> as_single(np.array([0.1, 1e39])).tolist()
    [0.10000000149011612, inf]
    """
    with np.errstate(over="ignore"):
        return numbers.astype(np.float32) if hasattr(numbers, "astype") else np.float32(numbers)


def all_right(right: Any) -> bool:
    """Return whether everything is right; a device may answer when its values are read (``PostponingTorch``)."""
    return right.all_right() if hasattr(right, "all_right") else bool(right.all())


def total_of(values: Floats) -> float:
    """Return the sum of the values of queries, rounded once, so that it is the same in every order.

    >>> total_of(np.array([1e16, 1.0, -1e16])), float(np.sum([1e16, 1.0, -1e16]))
    (1.0, 0.0)
    """
    try:
        return math.fsum(values.tolist())
    except (OverflowError, ValueError):  # beyond the largest number, or infinities of both signs
        return float(values.sum())


def by_number(numbers: Ints, count: int) -> Ints:
    """Return the rows by their numbers, all below ``count``, equal ones in input order: 16 bits at a time, by radix.

    >>> by_number(np.array([70_000, 2, 70_000, 0]), 70_001).tolist()
    [3, 1, 0, 2]
    """
    order = np.argsort(numbers.astype(np.uint16), kind="stable")
    for bits in range(16, (count - 1).bit_length(), 16):
        digits = (numbers[order] >> bits).astype(np.uint16)
        order = order[np.argsort(digits, kind="stable")]
    return order


class Segments:
    """A partition of rows: ``offsets[q]`` to ``offsets[q+1]`` belong to query q."""

    __slots__ = ("_query", "_sizes", "_starts", "count", "offsets", "rows", "width")

    def __init__(
        self, offsets: Ints, rows: int | None = None, query: Ints | None = None, width: int | None = None
    ) -> None:
        self.offsets = offsets
        self.width = width
        """Number of rows per query, if it is known to be the same for all and at least 1; else None."""
        self.count = len(offsets) - 1
        self.rows = int(offsets[-1]) if rows is None else rows
        self._query = query
        self._sizes: Ints | None = None
        self._starts: Ints | None = None

    @classmethod
    def of_sizes(cls, sizes: Ints, rows: int | None = None, query: Ints | None = None) -> Segments:
        """Build from the number of rows of each query; ``rows`` and ``query`` are reused if known."""
        if not isinstance(sizes, np.ndarray):
            offsets = np.zeros_like(sizes, dtype=np.int64, shape=len(sizes) + 1)
            offsets[1:] = np.cumsum(sizes, dtype=np.int64)
            return cls(offsets, rows, query)
        if len(sizes) == 1:
            return cls(np.array([0, sizes[0]]), rows, query)
        offsets = np.empty(len(sizes) + 1, dtype=np.int64)
        offsets[0] = 0
        sizes.cumsum(out=offsets[1:])
        return cls(offsets, rows, query)

    @classmethod
    def equal(cls, count: int, width: int, like: Any) -> Segments:
        """Build ``count`` queries of ``width`` rows each, in arrays like the given one."""
        if not count or not width:
            return cls.of_sizes(np.full(count, width, dtype=np.int64, like=like), count * width)
        return cls(np.arange(0, count * width + 1, width, like=like), count * width, width=width)

    @classmethod
    def of_rows(cls, query: Ints, count: int) -> Segments:
        """Build from the query of each row, in ascending order."""
        if count == 1 and isinstance(query, np.ndarray):
            return cls(np.array([0, len(query)]), len(query), query)
        return cls.of_sizes(np.bincount(query, minlength=count), len(query), query)

    @classmethod
    def of_runs(cls, *columns: Array) -> Segments:
        """Build from the runs of consecutive rows that are equal in every column.

        >>> Segments.of_runs(np.array([0, 0, 1, 1]), np.array([5, 5, 5, 3])).sizes.tolist()
        [2, 1, 1]
        """
        begins = np.ones_like(columns[0], dtype=bool)
        begins[1:] = reduce(np.logical_or, (column[1:] != column[:-1] for column in columns))
        return cls(np.append(np.flatnonzero(begins), len(begins)), len(begins))

    @property
    def sizes(self) -> Ints:
        """Number of rows of each query."""
        if self._sizes is None:
            if self.width is None:
                self._sizes = self.offsets[1:] - self.offsets[:-1]
            else:
                self._sizes = np.full(self.count, self.width, dtype=np.int64, like=self.offsets)
        return self._sizes

    @property
    def query(self) -> Ints:
        """The query of each row."""
        if self._query is None:
            if self.count == 1:
                self._query = np.zeros(self.rows, dtype=np.int64, like=self.offsets)
            else:
                times = self.sizes if self.width is None else self.width
                self._query = np.repeat(np.arange(self.count, like=self.offsets), times)
        return self._query

    @property
    def starts(self) -> Ints:
        """The first row of each query that has rows."""
        if self._starts is None:
            starts = self.offsets[:-1]
            self._starts = starts[np.flatnonzero(self.sizes > 0)] if self.width is None else starts
        return self._starts

    def place(self) -> Floats:
        """Return the place of each row within its query: 1, 2, 3, ..."""
        if self.count == 1:
            return np.arange(1.0, self.rows + 1.0, like=self.offsets)
        if self.width is not None:
            return self.in_each(np.arange(1.0, self.width + 1.0, like=self.offsets))
        return np.arange(1.0, self.rows + 1.0, like=self.offsets) - self.spread(self.offsets[:-1])

    def in_each(self, values: Numbers) -> Numbers:
        """Repeat the values for every query; all queries must have this many rows."""
        return np.broadcast_to(values, (self.count, len(values))).ravel()

    def sum(self, values: Numbers) -> Floats:
        """Return the sum over the rows of each query."""
        if self.rows == 0:  # bincount of an empty array returns integers
            return np.zeros(self.count, like=self.offsets)
        if self.width is not None and not isinstance(values, np.ndarray):  # devices do not add in order
            return values.reshape(self.count, self.width).sum(axis=1).astype(np.float64, copy=False)
        if self.width is not None and self.count > 1:
            # Adding row by row keeps the order; along a row NumPy adds pairwise, and bincount takes five times as long.
            transposed = np.ascontiguousarray(values.reshape(self.count, self.width).T)
            return np.add.reduce(transposed, axis=0, dtype=np.float64)
        return np.bincount(self.query, weights=values, minlength=self.count)

    def spread(self, per_query: Numbers) -> Numbers:
        """Return the value of the query at each of its rows."""
        return per_query[self.query]

    def above(self, values: Numbers) -> Numbers:
        """Return the sum over the earlier rows of the query."""
        if self.count > 1 and values.dtype.kind in "iub":  # integers: one running sum is exact
            if self.width is not None:
                return np.cumsum(values.reshape(self.count, self.width), axis=1).ravel() - values
            running = np.cumsum(values) - values
            return running - self.spread(np.append(running, 0)[self.offsets[:-1]])  # 0 for an empty last query
        return self._shift(self._accumulate(np.add, values), 0)

    def product_above(self, values: Numbers) -> Numbers:
        """Return the product over the earlier rows of the query."""
        return self._shift(self._accumulate(np.multiply, values), 1)

    def running(self, values: Numbers) -> Numbers:
        """Return the sum over the rows of the query up to and including this one."""
        return self._accumulate(np.add, values)

    def max_from(self, values: Numbers) -> Numbers:
        """Return the largest value at this row or a later one of the query."""
        return self._from_the_end(np.maximum, values)

    def sum_from(self, values: Numbers) -> Numbers:
        """Return the sum over this row and the later ones of the query."""
        return self._from_the_end(np.add, values)

    def _from_the_end(self, operation: np.ufunc, values: Numbers) -> Numbers:
        backward = Segments(self.rows - self.offsets[::-1])
        return backward._accumulate(operation, values[::-1])[::-1]

    def _shift(self, inclusive: Numbers, identity: int) -> Numbers:
        exclusive = np.empty_like(inclusive)
        if self.width is not None:
            exclusive = exclusive.reshape(self.count, self.width)
            exclusive[:, 1:] = inclusive.reshape(self.count, self.width)[:, :-1]
            exclusive[:, 0] = identity
            return exclusive.ravel()
        exclusive[1:] = inclusive[:-1]
        exclusive[0 if self.count == 1 and self.rows else self.starts] = identity
        return exclusive

    def _accumulate(self, operation: np.ufunc, values: Numbers) -> Numbers:
        """Accumulate within each query, row by row.

        Queries of similar length become rows of a padded matrix, so that the loop over queries runs in NumPy and the
        padding at most doubles the size.
        """
        if self.count == 1:
            result: Numbers = operation.accumulate(values)
            return result
        sizes = self.sizes
        if self.width is not None or (self.rows and (sizes == sizes[0]).all()):
            return operation.accumulate(values.reshape(self.count, -1), axis=1).ravel()
        result = np.empty_like(values)
        widths = np.where(sizes > 0, np.ceil(np.log2(np.maximum(sizes, 1))), -1).astype(np.int64)
        for width in np.unique(widths[widths >= 0]):
            queries = np.flatnonzero(widths == width)
            columns = np.arange(sizes[queries].max(), like=sizes)
            real = columns < sizes[queries, None]
            rows = (self.offsets[queries, None] + columns)[real]
            padded = np.zeros_like(values, shape=real.shape)
            padded[real] = values[rows]
            result[rows] = operation.accumulate(padded, axis=1)[real]
        return result
