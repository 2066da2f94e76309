"""Reading and writing of formats stored by column (Parquet and Arrow), in slices of rows."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import polars as pl

from rankgauge.errors import shown
from rankgauge.inputs.codes import Role
from rankgauge.inputs.columns import role_of_columns
from rankgauge.inputs.findings import input_error
from rankgauge.inputs.formats.codec import UNREADABLE, Codec, OpenFile, Sample, WriteOptions, row_columns
from rankgauge.inputs.io.compression import Source
from rankgauge.inputs.io.lines import FileContext
from rankgauge.inputs.io.panics import hidden_panics

SLICE = 1 << 20
"""Rows in memory at a time."""


@dataclass(frozen=True)
class Columnar:
    """A columnar format: how polars scans a path or a file in memory and sinks to a binary file."""

    scan: Callable[[Any], pl.LazyFrame]
    sink: Callable[[pl.LazyFrame, IO[bytes]], Any]
    check: Callable[[Any, Collection[str] | None], None] = lambda *_: None
    """Raises an error for a file, or columns of it, at which polars would abort the process."""

    def codec(self) -> Codec:
        """Return the codec of the format."""
        return Codec(self._guess_role, self._read, self._write, self._scan_all)

    def _scan_all(self, place: Any) -> pl.LazyFrame:
        self.check(place, None)
        return self.scan(place)

    def _guess_role(self, sample: Sample, source: Source) -> Role:
        with hidden_panics():
            names = self.scan(source).collect_schema().names()
        return role_of_columns(names, sample.name)

    def _read(self, file: OpenFile) -> Iterator[pl.DataFrame]:
        """Yield a frame for each slice of rows."""
        context, stream = file.context, file.stream
        path = os.fspath(file.source) if isinstance(file.source, str | os.PathLike) else ""
        path = path if Path(path).is_file() else ""  # standard input or a pipe
        place = path if path and not stream.compression else io.BytesIO(stream.read() or b"")
        with hidden_panics():
            lazy = self.scan(place)
            columns, by_rank = row_columns(lazy.collect_schema().names(), context, file.columns, context.name)
            self.check(place, columns)
            lazy = lazy.select(query=pl.col(columns[0]), item=pl.col(columns[1]), number=pl.col(columns[2]))
            rows = lazy.select(pl.len()).collect().item()
        total = Path(path).stat().st_size if path else 0
        for start in range(0, rows, SLICE):
            with hidden_panics():
                raw = lazy.slice(start, SLICE).collect()
            frame = _check_rows(raw, start, context, columns)
            context.rows_begun = True
            stream.consumed = max(stream.consumed, total * min(start + SLICE, rows) // rows)
            yield frame.with_columns(-pl.col("score")) if by_rank else frame

    def _write(self, blocks: Iterator[pl.DataFrame], file: IO[bytes], options: WriteOptions) -> None:
        """Stream the blocks into a file, and raise what they raise: polars would raise an exception of its own."""
        from polars.io.plugins import register_io_source  # noqa: PLC0415

        raised: list[Exception] = []

        def rows(*_: Any) -> Iterator[pl.DataFrame]:
            try:
                yield from blocks
            except Exception as error:  # noqa: BLE001 (raised again below)
                raised.append(error)

        number = "grade" if options.role == "judgments" else "score"
        schema = {"query": pl.String, "item": pl.String, number: pl.Float64}
        try:
            self.sink(register_io_source(rows, schema=schema), file)
        except UNREADABLE as error:
            if not raised:  # only writing can have failed: the disk is full, for example
                raise OSError(str(error)) from None
        if raised:
            raise raised[0]


def _check_rows(raw: pl.DataFrame, start: int, context: FileContext, names: tuple[str, str, str]) -> pl.DataFrame:
    """Return a slice with ids as text and numbers as float64; invalid rows are reported and left out."""
    frame = pl.DataFrame(
        {
            "query": _ids(raw["query"], names[0], context),
            "item": _ids(raw["item"], names[1], context),
            context.number: _numbers(raw["number"], names[2], context),
        }
    )
    has_ids = frame.select(pl.all_horizontal(pl.col("query", "item").fill_null("") != "")).to_series()
    keep = has_ids.to_numpy(writable=True)
    for row in np.flatnonzero(~keep).tolist():
        context.report("RG208", f"row {start + row + 1}", "an id is empty")
    finite = frame[context.number].is_finite().fill_null(value=False).to_numpy()
    for row in np.flatnonzero(keep & ~finite).tolist():
        query, item, value = frame.row(row)
        text = "" if raw["number"][row] is None else str(raw["number"][row])
        keep[row] = context.accepts(value, text, f"row {start + row + 1}", query, item)
    return frame if keep.all() else frame.filter(pl.Series(keep))


def _ids(column: pl.Series, name: str, context: FileContext) -> pl.Series:
    """Return ids as text; integers that pandas stored as floats, because one was missing, lose their ``.0``."""
    dtype = column.dtype
    if dtype == pl.String or dtype.is_integer() or isinstance(dtype, pl.Categorical | pl.Enum):
        return column.cast(pl.String)
    if dtype.is_float() and bool(((column == column.floor()) | column.is_null() | column.is_nan()).all()):
        return column.fill_nan(None).cast(pl.Int64).cast(pl.String)
    raise input_error("RG111", f"{context.name}: column {shown(name)} has type {dtype}; ids must be text or integers")


def _numbers(column: pl.Series, name: str, context: FileContext) -> pl.Series:
    dtype = column.dtype
    if dtype.is_numeric() or dtype == pl.Boolean:
        return column.cast(pl.Float64)
    if dtype == pl.String:
        return column.str.strip_chars(" ").cast(pl.Float64, strict=False)
    raise input_error("RG111", f"{context.name}: column {shown(name)} has type {dtype}, not a number type")
