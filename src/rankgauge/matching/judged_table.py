"""JudgedTable: the judgments of all queries as columns, ready to be joined with blocks of rankings."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np
import polars as pl

from rankgauge.inputs.findings import Findings
from rankgauge.inputs.records import judged_again
from rankgauge.matching.item_keys import any_equal, ascend, item_keys
from rankgauge.segments import Ints, Segments, by_number

MOST_PER_QUERY, FEW_NUMBERS = 16, 1 << 20
"""An array by number replaces a search if it has at most 16 entries for each query, or a million in all."""


class JudgedTable:
    """The judgments of all queries, ready to be joined with blocks of any number of rankings."""

    def __init__(self, frame: pl.DataFrame, findings: Findings, queries: pl.Series | None = None) -> None:
        """Take the judgments; ``queries`` lists all queries in order, if some have none."""
        lengths, values = frame["query"].rle().struct.unnest().select("len", "value")
        self.queries = (values if queries is None else queries).unique(maintain_order=True)
        self.codes_of = _codes(self.queries)
        together = queries is None and len(values) == len(self.queries)
        runs = np.arange(len(values)) if together else self.codes_of_rows(values)
        sizes = lengths.to_numpy().astype(np.int64)
        if (runs[1:] < runs[:-1]).any():
            frame = frame[by_number(np.repeat(runs, sizes), len(self.queries))]
        self._take(frame, np.bincount(runs, sizes, len(self.queries)).astype(np.int64))
        ascending = self.item.dtype.is_integer() and ascend(self.item.to_numpy(), self._offsets)
        if not ascending and any_equal(self.key, self._offsets):
            frame, code = _without_repetition(frame, self.code, findings)
            self._take(frame, np.bincount(code, minlength=len(self.queries)))

    @cached_property
    def codes_of_rows(self) -> Callable[[pl.Series], Ints]:
        """A function from many queries in any order to their numbers, -1 if not judged."""
        return numbers_of(self.queries)

    def _take(self, frame: pl.DataFrame, sizes: Ints) -> None:
        """Take the rows, ordered by query, with the number of rows of each query."""
        self.item = frame["item"]
        self.grade = frame["grade"].to_numpy()
        self._offsets = Segments.of_sizes(sizes).offsets
        for name in ("code", "key"):
            self.__dict__.pop(name, None)

    @cached_property
    def code(self) -> Ints:
        """The number of the query of each row."""
        return np.repeat(np.arange(len(self.queries), dtype=np.int32), np.diff(self._offsets))

    @cached_property
    def key(self) -> Ints:
        """The key of each query and item."""
        return item_keys(self.item, self.code)

    def as_text(self, name: str) -> None:
        """Convert the ids of queries or items to text."""
        if name == "query":
            self.queries = self.queries.cast(pl.String)
            self.codes_of = _codes(self.queries)
            self.__dict__.pop("codes_of_rows", None)
        else:
            self.item = self.item.cast(pl.String)
            self.__dict__.pop("key", None)

    def with_like_types(self, frame: pl.DataFrame, findings: Findings) -> pl.DataFrame:
        """Return rows, or their queries, with ids of the types of the judgments; both become text where they differ."""
        for name, kind in (("query", self.queries.dtype), ("item", self.item.dtype)):
            if frame.height and (theirs := frame.schema.get(name, kind)) != kind:
                en = f"{name} ids are {kind} in the judgments and {theirs} in the ranking"
                findings.add("RG406", (en, f"{name} 的标识在标注中为 {kind}，在排序结果中为 {theirs}"))
                self.as_text(name)
                frame = frame.with_columns(pl.col(name).cast(pl.String))
        return frame

    def items_of(self, code: int) -> pl.Series:
        """Return the judged items of one query."""
        return self.item[int(self._offsets[code]) : int(self._offsets[code + 1])]

    def sizes_of(self, codes: Ints) -> Ints:
        """Return the number of judgments of these queries."""
        return self._offsets[codes + 1] - self._offsets[codes]

    def rows_of(self, codes: Ints) -> Ints:
        """Return the judgments of these queries, in their order."""
        runs = Segments.of_sizes(self.sizes_of(codes))
        return np.arange(runs.rows) + runs.spread(self._offsets[codes] - runs.offsets[:-1])


def _codes(queries: pl.Series) -> Callable[[pl.Series], Ints]:
    """Return a function from queries to their numbers, -1 if not judged."""
    if not queries.dtype.is_integer():
        code = {query: number for number, query in enumerate(queries.to_list())}
        return lambda wanted: np.array([code.get(query, -1) for query in wanted.to_list()], dtype=np.int64)
    order = np.argsort(queries.to_numpy())
    ordered = queries.to_numpy()[order]

    def bisect(wanted: pl.Series) -> Ints:
        numbers = wanted.to_numpy()
        start = int(np.searchsorted(ordered, numbers[0])) if len(numbers) else 0
        if np.array_equal(ordered[start : start + len(numbers)], numbers):  # in the same order
            return order[start : start + len(numbers)]
        place = np.minimum(np.searchsorted(ordered, numbers), len(ordered) - 1)
        return np.where(ordered[place] == numbers, order[place], -1)

    return bisect


def numbers_of(queries: pl.Series) -> Callable[[pl.Series], Ints]:
    """Return a function from many queries in any order to their numbers: by a hash table, for integers by an array."""
    if queries.dtype == pl.String:
        kinds = pl.Enum(queries)
        return lambda wanted: wanted.cast(kinds, strict=False).to_physical().cast(pl.Int64).fill_null(-1).to_numpy()
    numbers = queries.cast(pl.Int64, strict=False)
    low, high = int(numbers.min() or 0), int(numbers.max() or 0)  # type: ignore[arg-type]
    if numbers.null_count() or high - low > MOST_PER_QUERY * len(queries) + FEW_NUMBERS:
        return _codes(queries)
    table = np.full(high - low + 1, -1, dtype=np.int64)
    table[numbers.to_numpy() - low] = np.arange(len(queries))

    def looked_up(wanted: pl.Series) -> Ints:
        place = wanted.to_numpy().astype(np.int64)
        known = (place >= low) & (place <= high)
        return np.where(known, table[np.where(known, place - low, 0)], -1)

    return looked_up


def _without_repetition(frame: pl.DataFrame, code: Ints, findings: Findings) -> tuple[pl.DataFrame, Ints]:
    """Return the judgments with the first grade of each query and item; repetitions are reported."""
    grades = frame.group_by("query", "item", maintain_order=True).agg(kinds=pl.col("grade").n_unique(), times=pl.len())
    for finding, condition in (
        ("RG302", pl.col("kinds") > 1),
        ("RG303", (pl.col("kinds") == 1) & (pl.col("times") > 1)),
    ):
        repeated = grades.filter(condition)
        if repeated.height:
            pair = repeated.row(0, named=True)
            query, item = pair["query"], pair["item"]
            given = frame.filter(pl.col("query") == query, pl.col("item") == item)["grade"].unique(maintain_order=True)
            place = findings.place("judgments", query, item, 2)
            findings.add(finding, judged_again(place, query, item, given.to_list()), repeated.height)
    first = frame.select(pl.struct("query", "item").is_first_distinct()).to_series()
    return frame.filter(first), code[first.to_numpy()]
