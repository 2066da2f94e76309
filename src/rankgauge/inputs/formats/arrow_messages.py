"""Check the messages of an Arrow file or stream: polars aborts the process at a buffer that is longer than memory."""

from __future__ import annotations

import io
import os
import struct
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import IO, Any

import numpy as np

from rankgauge.inputs.formats.codec import DamagedFileError
from rankgauge.inputs.io.compression import check_expansion
from rankgauge.segments import Array

MAGIC = b"ARROW1"
CONTINUATION = 0xFFFFFFFF
"""The start of a message; older files start with the length of its metadata."""
MAX_EXPANSION = 1 << 17
"""Bytes that one compressed byte can become, of LZ4 and Zstandard."""
BLOCK = np.dtype({"names": ["offset", "metadata", "body"], "formats": ["<i8", "<i4", "<i8"], "offsets": [0, 8, 16]})
BUFFER = np.dtype([("offset", "<i8"), ("length", "<i8")])
DICTIONARY, RECORDS = 2, 3
"""Types of the messages that have buffers."""


def check_messages(place: Any) -> None:
    """Raise an error if a buffer lies outside of its message or cannot expand to its size; a path or BytesIO."""
    with nullcontext(place) if isinstance(place, io.BytesIO) else Path(place).open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(0)
        try:
            messages = _blocks(file, size) if file.read(len(MAGIC)) == MAGIC else _stream(file, size)
            expanded = sum(_check_message(file, at, size) for at in messages)
        except (struct.error, ValueError, OverflowError):
            raise DamagedFileError("its metadata are not valid") from None
        finally:
            file.seek(0)
    check_expansion(place, size, expanded)


def _blocks(file: IO[bytes], size: int) -> Iterator[int]:
    """Yield where the messages are that the footer lists."""
    file.seek(max(0, size - 10))
    trailer = file.read(10)
    if trailer[4:] != MAGIC:
        raise DamagedFileError("it does not end as an Arrow file does; it may be truncated")
    length = int.from_bytes(trailer[:4], "little")
    if length > size - 10:
        raise DamagedFileError("its footer is longer than the file")
    file.seek(size - 10 - length)
    footer = _Table.root(file.read(length))
    for field in (2, 3):  # dictionaries, record batches
        blocks = footer.vector(field, BLOCK)
        yield from blocks["offset"].tolist()


def _stream(file: IO[bytes], size: int) -> Iterator[int]:
    """Yield where the messages of a stream start."""
    at = 0
    while at < size:
        start, metadata = _prefix(file, at)
        if not metadata:  # the end of the stream
            return
        yield at
        file.seek(start)
        body = _Table.root(file.read(min(metadata, size))).integer(3)
        if body < 0:
            raise DamagedFileError("the length of a message is negative")
        at = start + metadata + body


def _prefix(file: IO[bytes], at: int) -> tuple[int, int]:
    """Return where the metadata of a message start, and their length."""
    file.seek(at)
    first, second = struct.unpack("<Ii", file.read(8).ljust(8, b"\0"))
    return (at + 8, second) if first == CONTINUATION else (at + 4, first)


def _check_message(file: IO[bytes], at: int, size: int) -> int:
    """Check the buffers of a message, and return how many bytes the compressed ones expand to."""
    start, metadata = _prefix(file, at) if 0 <= at < size else (0, -1)
    if metadata < 0 or start + metadata > size:
        raise DamagedFileError(
            f"the message at byte {at} is longer than the file; it may be truncated, or no Arrow file"
        )
    file.seek(start)
    message = _Table.root(file.read(metadata))
    if (kind := message.integer(1, "<B")) not in {DICTIONARY, RECORDS}:
        return 0
    batch = message.table(2) if kind == RECORDS else message.table(2).table(1)
    buffers, body = batch.vector(2, BUFFER), start + metadata
    numbers = buffers.view("<i8")
    beyond = len(numbers) and (numbers.min() < 0 or numbers.max() > size)
    if beyond or (buffers["offset"] + buffers["length"] > size - body).any():
        raise DamagedFileError(f"a buffer of the message at byte {at} is outside of the file")
    if not batch.has(3):
        return 0
    return sum(_expanded(file, body + offset, length) for offset, length in buffers.tolist())


def _expanded(file: IO[bytes], at: int, length: int) -> int:
    """Return the size that a compressed buffer expands to, which comes before its bytes: -1 if it is not compressed."""
    if not length:
        return 0
    file.seek(at)
    (expanded,) = struct.unpack("<q", file.read(8))
    if expanded < -1 or expanded > length * MAX_EXPANSION:
        raise DamagedFileError(f"the compressed buffer at byte {at} cannot have {expanded} bytes")
    return max(expanded, 0)


class _Table:
    """A table of FlatBuffers: fields are found through a list of offsets."""

    def __init__(self, data: bytes, at: int) -> None:
        self._data = data
        self._at = at
        (back,) = struct.unpack_from("<i", data, at)
        self._fields = at - back
        if self._fields < 0:
            raise ValueError
        (size,) = struct.unpack_from("<H", data, self._fields)
        self._count = (size - 4) // 2

    @classmethod
    def root(cls, data: bytes) -> _Table:
        return cls(data, *struct.unpack_from("<I", data))

    def _place(self, field: int) -> int:
        """Return where a field is; 0 if the table does not have it."""
        if field >= self._count:
            return 0
        (offset,) = struct.unpack_from("<H", self._data, self._fields + 4 + 2 * field)
        return self._at + offset if offset else 0

    def has(self, field: int) -> bool:
        return bool(self._place(field))

    def integer(self, field: int, kind: str = "<q") -> int:
        place = self._place(field)
        return int(struct.unpack_from(kind, self._data, place)[0]) if place else 0

    def table(self, field: int) -> _Table:
        place = self._place(field)
        return _Table(self._data, place + struct.unpack_from("<I", self._data, place)[0])

    def vector(self, field: int, kind: np.dtype[np.generic]) -> Array:
        """Return the structs of a vector."""
        place = self._place(field)
        if not place:
            return np.empty(0, kind)
        start = place + struct.unpack_from("<I", self._data, place)[0]
        (count,) = struct.unpack_from("<I", self._data, start)
        if count * kind.itemsize > len(self._data):
            raise ValueError
        return np.frombuffer(self._data, kind, count, start + 4)
