"""Tables that are stored by column: Parquet and Arrow IPC, read in slices of rows."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import polars as pl

from rankgauge.errors import shown
from rankgauge.inputs.columns import recognise_columns
from rankgauge.inputs.findings import input_error
from rankgauge.inputs.formats.sniff import Format
from rankgauge.inputs.formats.text_tables import ids_and_number
from rankgauge.inputs.io.compression import ByteStream, Source
from rankgauge.inputs.io.lines import FileContext

SLICE = 1 << 20
"""Rows in memory at a time."""


def column_slices(
    source: Source,
    stream: ByteStream,
    format: Format,  # noqa: A002
    reading: FileContext,
    columns: Mapping[str, str] | None,
) -> Iterator[pl.DataFrame]:
    """Query, item and number slice by slice."""
    try:
        lazy = _scan(source, stream, format)
        names = lazy.collect_schema().names()
    except (pl.exceptions.PolarsError, OSError) as reason:
        raise _unreadable(reading, format, reason) from None
    query, item, number, by_rank = ids_and_number(
        reading, recognise_columns(names, reading.role, columns, reading.name)
    )
    lazy = lazy.select(query=pl.col(query), item=pl.col(item), number=pl.col(number))
    total = _size(source)
    try:
        rows = lazy.select(pl.len()).collect().item()
        for start in range(0, rows, SLICE):
            raw = lazy.slice(start, SLICE).collect()
            frame = _checked(raw, start, reading, (query, item, number))
            reading.rows_begun = True
            stream.consumed = max(stream.consumed, total * min(start + SLICE, rows) // rows)
            yield frame.with_columns(-pl.col("score")) if by_rank else frame
    except (pl.exceptions.PolarsError, OSError) as reason:
        raise _unreadable(reading, format, reason) from None


def _scan(source: Source, stream: ByteStream, format: Format) -> pl.LazyFrame:  # noqa: A002
    """The table, not yet read: from its path where that can be, otherwise from memory."""
    is_file = stream.peek(6) == b"ARROW1"  # rather than a stream of record batches
    at_path = isinstance(source, str | os.PathLike) and os.fspath(source) != "-" and not stream.packed
    place = os.fspath(source) if at_path else io.BytesIO(stream.read() or b"")  # type: ignore[arg-type]
    if format == "parquet":
        return pl.scan_parquet(place, glob=False)
    if is_file:
        return pl.scan_ipc(place, glob=False)
    return pl.read_ipc_stream(place).lazy()


def _size(source: Source) -> int:
    """Bytes of the file at a path, for progress; 0 where there is no path."""
    return Path(source).stat().st_size if isinstance(source, str | os.PathLike) and os.fspath(source) != "-" else 0


def _unreadable(reading: FileContext, format: Format, reason: Exception) -> Exception:  # noqa: A002
    return input_error("RG110", f"{reading.name}: cannot be read as {format}: {shown(str(reason), 200)}")


def _checked(raw: pl.DataFrame, start: int, reading: FileContext, theirs: tuple[str, str, str]) -> pl.DataFrame:
    """A slice with ids as text and numbers as float64; rows that are wrong are reported and left out."""
    frame = pl.DataFrame(
        {
            "query": _ids(raw["query"], theirs[0], reading),
            "item": _ids(raw["item"], theirs[1], reading),
            reading.number: _numbers(raw["number"], theirs[2], reading),
        }
    )
    number = frame[reading.number]
    empty = np.zeros(frame.height, np.bool_)
    for name in ("query", "item"):
        empty |= (frame[name].is_null() | (frame[name] == "").fill_null(value=True)).to_numpy()
    for at in np.flatnonzero(empty).tolist():
        reading.add("RG208", _row(start, at), "an id is empty")
    odd = ~empty & (number.is_null() | ~number.is_finite().fill_null(value=False)).to_numpy()
    keep = ~empty
    for at in np.flatnonzero(odd).tolist():
        keep[at] = _settled(frame.row(at), raw["number"][at], _row(start, at), reading)
    return frame if keep.all() else frame.filter(pl.Series(keep))


def _settled(row: tuple[str, str, float | None], value: object, place: str, reading: FileContext) -> bool:
    """Whether a number that is missing or not finite may stay."""
    query, item, number = row
    if number is None:
        reading.add_bad_number(place, None if value is None else str(value), query, item)
        return False
    return reading.accepts(number, place, str(value), query, item)


def _row(start: int, at: int) -> str:
    return f"row {start + at + 1}"


def _ids(column: pl.Series, name: str, reading: FileContext) -> pl.Series:
    """Ids as text. CorpusValue numbers that pandas stored as floats, because one was missing, lose their ``.0``."""
    dtype = column.dtype
    if dtype == pl.String or dtype.is_integer() or dtype in {pl.Categorical, pl.Enum}:
        return column.cast(pl.String)
    if dtype.is_float() and bool(((column == column.floor()) | column.is_null() | column.is_nan()).all()):
        return column.fill_nan(None).cast(pl.Int64).cast(pl.String)
    raise input_error("RG111", f"{reading.name}: column {shown(name)} holds {dtype}, not ids: text or whole numbers")


def _numbers(column: pl.Series, name: str, reading: FileContext) -> pl.Series:
    dtype = column.dtype
    if dtype.is_numeric() or dtype == pl.Boolean:
        return column.cast(pl.Float64)
    if dtype == pl.String:
        return column.str.strip_chars(" ").cast(pl.Float64, strict=False)
    raise input_error("RG111", f"{reading.name}: column {shown(name)} holds {dtype}, not numbers")
