"""Reading and writing of formats stored by column (Parquet and Arrow), in slices of rows."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import polars as pl

from rankgauge.inputs.codes import Role
from rankgauge.inputs.columns import role_of_columns
from rankgauge.inputs.formats.codec import UNREADABLE, Codec, OpenFile, Sample, WriteOptions, row_columns
from rankgauge.inputs.io.compression import Source
from rankgauge.inputs.io.panics import hidden_panics
from rankgauge.inputs.table_rows import check_rows

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
        return Codec(self._guess_role, self._read, self._write, scan=self._scan_all)

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
            columns = row_columns(lazy.collect_schema().names(), context, file.columns, context.name)
            self.check(place, columns.names)
            lazy = lazy.select(pl.col(name).alias(kind) for kind, name in columns.by_kind().items())
            rows = lazy.select(pl.len()).collect().item()
        total = Path(path).stat().st_size if path else 0
        for start in range(0, rows, SLICE):
            with hidden_panics():
                raw = lazy.slice(start, SLICE).collect()
            ids_as_text = pl.col("query", "item").cast(pl.String)
            frame = check_rows(raw, context, columns.names, start).with_columns(ids_as_text)
            context.rows_begun = True
            stream.consumed = max(stream.consumed, total * min(start + SLICE, rows) // rows)
            yield frame.with_columns(-pl.col("score")) if columns.by_rank else frame

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
