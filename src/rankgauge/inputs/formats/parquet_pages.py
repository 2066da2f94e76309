"""Check the page headers of a Parquet file: polars aborts at a negative number of values, and may fill the memory."""

from __future__ import annotations

import io
import os
from collections.abc import Collection, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import IO, Any

from rankgauge.inputs.formats.codec import DamagedFileError
from rankgauge.inputs.io.compression import check_expansion

MAGIC = b"PAR1"
TRAILER = 8
"""Bytes of the length of the footer and the magic at the end of a file."""
HEADER_BYTES = 1 << 10
"""Bytes read at the start of a page; a header that is longer is read again with more."""
VALUE_BYTES = 8
"""Bytes of a value in memory, of which a run of equal values has none in the file."""
MAX_DEPTH = 12
"""Depth of the structs of a valid file; deeper ones are damage."""

# Types of the compact protocol of Thrift
_TRUE, _FALSE, _BYTE, _DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT = 1, 2, 3, 7, 8, 9, 10, 11, 12
_LONG_LIST = 15

# Field numbers of the structs of Parquet
_ROWS, _ROW_GROUPS = 3, 4
_CHUNKS, _CHUNK = 1, 3
_PATH, _VALUES, _COMPRESSED, _DATA_OFFSET, _DICTIONARY_OFFSET = 3, 5, 7, 9, 11
_PAGE_SIZES = (2, 3)
_DATA, _DICTIONARY, _DATA_V2 = 5, 7, 8


def check_pages(place: Any, columns: Collection[str] | None = None) -> None:
    """Raise an error if a page header of these columns (all if None) is not valid; ``place`` is a path or BytesIO."""
    with nullcontext(place) if isinstance(place, io.BytesIO) else Path(place).open("rb") as file:
        try:
            footer, start = _footer(file)
            expanded = sum(_check_chunk(file, chunk, start) for chunk in _chunks(footer, columns))
        except (IndexError, KeyError, TypeError, AttributeError):
            raise DamagedFileError("its metadata are not valid") from None
        finally:
            size = file.seek(0, os.SEEK_END)
            file.seek(0)
    check_expansion(place, size, expanded)


def _footer(file: IO[bytes]) -> tuple[dict[int, object], int]:
    """Return the metadata of a file, and where they start."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - TRAILER))
    trailer = file.read(TRAILER)
    if trailer[4:] != MAGIC:
        raise DamagedFileError("it does not end as a Parquet file does; it may be truncated")
    length = int.from_bytes(trailer[:4], "little")
    if length > size - TRAILER - len(MAGIC):
        raise DamagedFileError("its footer is longer than the file")
    start = file.seek(size - TRAILER - length)
    return _struct(file.read(length), 0)[0], start


def _chunks(footer: dict[int, Any], columns: Collection[str] | None) -> Iterator[dict[int, object]]:
    """Yield the metadata of the column chunks of these columns."""
    groups = footer[_ROW_GROUPS]
    if footer[_ROWS] < 0 or sum(group[_ROWS] for group in groups) != footer[_ROWS]:
        raise DamagedFileError("the numbers of rows in its footer contradict one another")
    for group in groups:
        if group[_ROWS] < 0:
            raise DamagedFileError("the numbers of rows in its footer contradict one another")
        for chunk in group[_CHUNKS]:
            if columns is None or chunk[_CHUNK][_PATH][0].decode("utf-8", "replace") in columns:
                yield chunk[_CHUNK]


def _check_chunk(file: IO[bytes], chunk: dict[int, Any], end_of_data: int) -> int:
    """Go from page to page of a column chunk, and return its size in memory: decompressed pages, and all values."""
    start = min(offset for offset in (chunk.get(_DICTIONARY_OFFSET), chunk[_DATA_OFFSET]) if offset)
    end, values, decompressed = start + chunk[_COMPRESSED], 0, 0
    if not len(MAGIC) <= start <= end <= end_of_data:
        raise DamagedFileError(f"a column is at {start} to {end} of {end_of_data} bytes")
    while start < end:
        header, length = _header(file, start, end)
        counts = [header[kind][1] for kind in (_DATA, _DICTIONARY, _DATA_V2) if kind in header]
        if min([*counts, *(header[field] for field in _PAGE_SIZES)]) < 0:
            raise DamagedFileError(f"a number of the page at byte {start} is negative")
        values += 0 if _DICTIONARY in header else sum(counts)
        decompressed += header[_PAGE_SIZES[0]]
        start += length + header[_PAGE_SIZES[1]]
    if start != end or values != chunk[_VALUES]:
        raise DamagedFileError(
            f"the pages of a column do not have the number of values in its footer: {values}, not {chunk[_VALUES]}"
        )
    return decompressed + VALUE_BYTES * values


def _header(file: IO[bytes], start: int, end: int) -> tuple[dict[int, Any], int]:
    """Return the header of a page and its length."""
    size = HEADER_BYTES
    while True:
        file.seek(start)
        data = file.read(min(size, end - start))
        try:
            return _struct(data, 0)
        except IndexError:
            if len(data) < size:
                raise
            size *= 16


def _struct(data: bytes, at: int, depth: int = 0) -> tuple[dict[int, object], int]:
    """Return the fields of a struct by their numbers, and where it ends."""
    if depth > MAX_DEPTH:
        raise DamagedFileError("its metadata are nested too deeply")
    fields: dict[int, object] = {}
    number = 0
    while kind := data[at]:
        at += 1
        if kind >> 4:
            number += kind >> 4
        else:
            number, at = _integer(data, at)
        fields[number], at = _value(data, at, kind & 15, depth)
    return fields, at + 1


def _value(data: bytes, at: int, kind: int, depth: int) -> tuple[Any, int]:
    if kind in {_TRUE, _FALSE}:
        return kind == _TRUE, at
    if _BYTE < kind < _DOUBLE:
        return _integer(data, at)
    if kind == _BINARY:
        length, at = _unsigned(data, at)
        if at + length > len(data):
            raise IndexError
        return data[at : at + length], at + length
    if kind == _STRUCT:
        return _struct(data, at, depth + 1)
    if kind in {_LIST, _SET}:
        return _list(data, at, depth + 1)
    if kind in {_BYTE, _DOUBLE}:
        end = at + (1 if kind == _BYTE else 8)
        return data[at:end], end
    raise DamagedFileError(f"its metadata have a value of unknown type {kind}")  # no struct of Parquet has a map


def _list(data: bytes, at: int, depth: int) -> tuple[list[Any], int]:
    size, kind = data[at] >> 4, data[at] & 15
    at += 1
    if size == _LONG_LIST:
        size, at = _unsigned(data, at)
    if size > len(data) or depth > MAX_DEPTH:
        raise IndexError
    values = []
    for _ in range(size):
        if kind in {_TRUE, _FALSE}:  # in a list, a boolean is a byte
            value, at = data[at], at + 1
        else:
            value, at = _value(data, at, kind, depth)
        values.append(value)
    return values, at


def _integer(data: bytes, at: int) -> tuple[int, int]:
    """Return a signed integer, which is stored with its sign in the last bit."""
    number, at = _unsigned(data, at)
    return (number >> 1) ^ -(number & 1), at


def _unsigned(data: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        byte = data[at]
        at += 1
        number |= (byte & 127) << shift
        if byte < 128:  # noqa: PLR2004 (the high bit means that more follows)
            return number, at
        shift += 7
        if shift > 63:  # noqa: PLR2004 (bits of the largest integer)
            raise DamagedFileError("an integer of its metadata is too long")
