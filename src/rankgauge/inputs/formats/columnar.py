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

from rankgauge.inputs.codes import Role
from rankgauge.inputs.column_roles import role_of_columns
from rankgauge.inputs.columns import find_column
from rankgauge.inputs.formats.codec import UNREADABLE, Codec, Content, OpenFile, WriteOptions
from rankgauge.inputs.io.panics import hidden_panics
from rankgauge.inputs.item_rows import is_item_row, row_columns
from rankgauge.inputs.shapes.by_query import SOME, role_of_numbers
from rankgauge.inputs.shapes.entry_rows import EntryRows
from rankgauge.inputs.shapes.list_columns import FrameColumns
from rankgauge.inputs.shapes.recognition import Recognised, recognise_record
from rankgauge.inputs.table_rows import check_rows
from rankgauge.rendering.language import Phrase

SLICE = 1 << 20
"""Rows in memory at a time."""
LISTS = 1 << 11
"""The same for rows that hold lists."""


@dataclass(frozen=True)
class Columnar:
    """A columnar format: how polars scans a path or a file in memory and sinks to a binary file."""

    scan: Callable[[Any], pl.LazyFrame]
    sink: Callable[[pl.LazyFrame, IO[bytes]], Any]
    check: Callable[[Any, Collection[str] | None], None] = lambda *_: None
    """Raises an error for a file, or columns of it, at which polars would abort the process."""

    def codec(self) -> Codec:
        """Return the codec of the format."""
        return Codec(self._read, write=self._write, scan=self._scan_all, inspect=self._inspect)

    def _scan_all(self, place: object) -> pl.LazyFrame:
        self.check(place, None)
        return self.scan(place)

    def _inspect(self, file: OpenFile, role: Role | None) -> Content:
        with hidden_panics():
            lazy = self.scan(file.source)
            recognised = self._recognise(lazy, file, file.source)
            if recognised is not None:
                return Content.of(recognised, file.context.name, role)
            name, names = file.context.name, lazy.collect_schema().names()
            return Content.of_rows(names, name, role, file.columns, lambda: _role(lazy, name))

    def _recognise(self, lazy: pl.LazyFrame, file: OpenFile, place: object) -> Recognised | None:
        """Return the shape of the rows; None for rows with one item, whose types tell so without reading a row."""
        if file.recognised is not None:
            return file.recognised
        schema = lazy.collect_schema()
        nested = any(kind.is_nested() for kind in schema.values())
        if not nested and file.shape is None and (file.columns or is_item_row(dict.fromkeys(schema, 0))):
            return None
        self.check(place, None)
        rows = lazy.head(1).collect().to_dicts()
        record = rows[0] if rows else dict.fromkeys(schema)
        return recognise_record(record, file.context.name, file.shape, file.columns)

    def _read(self, file: OpenFile) -> Iterator[pl.DataFrame]:
        """Yield a frame for each slice of rows."""
        stream = file.stream
        path = os.fspath(file.source) if isinstance(file.source, str | os.PathLike) else ""
        path = path if Path(path).is_file() else ""  # standard input or a pipe
        place = path if path and not stream.compression else io.BytesIO(stream.read() or b"")
        with hidden_panics():
            lazy = self.scan(place)
            recognised = self._recognise(lazy, file, place)
            rows = lazy.select(pl.len()).collect().item()
        total = Path(path).stat().st_size if path else 0
        read = self._item_rows(lazy, file, place) if recognised is None else self._entries(lazy, file, recognised)
        step = _step(recognised)
        for start in range(0, rows, step):
            file.context.rows_begun = True
            frame = read(start)
            stream.consumed = max(stream.consumed, total * min(start + step, rows) // rows)
            yield frame

    def _item_rows(self, lazy: pl.LazyFrame, file: OpenFile, place: object) -> Callable[[int], pl.DataFrame]:
        """Return the function that reads a slice of rows with one item each."""
        context = file.context
        with hidden_panics():
            columns = row_columns(lazy.collect_schema().names(), context, file.columns, context.name)
            self.check(place, columns.names)
        lazy = columns.select(lazy)

        def read(start: int) -> pl.DataFrame:
            with hidden_panics():
                raw = lazy.slice(start, SLICE).collect()
            ids_as_text = pl.col("query", "item").cast(pl.String)
            frame = check_rows(raw, context, columns.names, start).with_columns(ids_as_text)
            return frame.with_columns(-pl.col("score")) if columns.by_rank else frame

        return read

    def _entries(self, lazy: pl.LazyFrame, file: OpenFile, recognised: Recognised) -> Callable[[int], pl.DataFrame]:
        """Return the function that reads a slice of rows of a known shape."""
        recognised.check_role(file.context.role, file.context.name)
        entries, step = EntryRows(file.context, recognised.fit, place_of=_row), _step(recognised)
        names = {path.partition(".")[0] for path in recognised.fit.list_fields}
        if names and file.context.span_ids is None:  # which looks for documents in all fields
            lazy = lazy.select(name for name in lazy.collect_schema() if name in names)

        def read(start: int) -> pl.DataFrame:
            with hidden_panics():
                frame = lazy.slice(start, step).collect()
                numbers = np.arange(start + 1, start + 1 + frame.height)
                rows = entries.rows_of(frame)
                rows = entries.rows_of_lists(FrameColumns(frame), numbers) if rows is None else rows
                if rows is not None:
                    return rows
                entries.add_records(frame.to_dicts(), numbers.tolist())
            return entries.take()

        return read

    def _write(self, blocks: Iterator[pl.DataFrame], file: IO[bytes], options: WriteOptions) -> None:
        """Stream the blocks into a file, and raise what they raise: polars would raise an exception of its own."""
        from polars.io.plugins import register_io_source  # noqa: PLC0415

        raised: list[Exception] = []

        def rows(*_: object) -> Iterator[pl.DataFrame]:
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


def _row(number: int) -> Phrase:
    return Phrase(f"row {number}", f"第 {number} 行")


def _role(lazy: pl.LazyFrame, name: str) -> Role:
    """Return what rows with one item are; a score of small whole numbers that occur again is a grade, as of ranx."""
    schema = lazy.collect_schema()
    role = role_of_columns(schema.names(), name)
    score, rank = (find_column(kind, schema.names(), name, "ranking") for kind in ("score", "rank"))
    if role == "judgments" or rank is not None or score is None or not schema[score].is_integer():
        return role
    return role_of_numbers(lazy.select(score).head(SOME).collect().to_series().drop_nulls().to_list()) or role


def _step(recognised: Recognised | None) -> int:
    """Return the number of rows that are read at a time."""
    return LISTS if recognised is not None and recognised.fit.in_columns is None else SLICE
