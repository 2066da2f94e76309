"""Bytes from anywhere: a path, standard input or an open file, packed or not, always as a stream.

The content says whether it is packed, not the name: a gzip file called ``run.txt`` is read all the same.
"""

from __future__ import annotations

import bz2
import io
import lzma
import os
import sys
import zlib
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import IO, Any, Protocol, cast

from rankgauge.errors import InputError, MissingExtraError, shown
from rankgauge.extras import extra
from rankgauge.inputs.findings import input_error

Source = str | os.PathLike[str] | IO[bytes] | IO[str]
"""What can be read: a path, ``"-"`` for standard input, or an open file."""

CHUNK = 1 << 20
"""Packed bytes read at a time: large enough that the calls cost nothing, small enough for the cache."""

_LONGEST_MAGIC = 6


class _Unpacker(Protocol):
    """What the decompressors of bz2, lzma and zstd have in common."""

    eof: bool
    unused_data: bytes
    needs_input: bool

    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


class _Gzip:
    """zlib's decompressor with the interface of the others; checks length and checksum of each member."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(wbits=31)

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    @property
    def needs_input(self) -> bool:
        return not self._inner.unconsumed_tail

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        return self._inner.decompress(self._inner.unconsumed_tail + data, max(max_length, 0))


def zstandard() -> Any:
    """The module that reads and writes Zstandard: Python's own since 3.14, or its backport."""
    with suppress(ModuleNotFoundError):
        return import_module("compression.zstd")
    with extra("zstd", "a Zstandard file"):
        return import_module("backports.zstd")


_FORMATS: list[tuple[bytes, str, Callable[[], Any]]] = [
    (b"\x1f\x8b", "gzip", _Gzip),
    (b"BZh", "bzip2", bz2.BZ2Decompressor),
    (b"\xfd7zXZ\x00", "xz", lzma.LZMADecompressor),
    (b"\x28\xb5\x2f\xfd", "zstd", lambda: zstandard().ZstdDecompressor()),
]


class _Encoded(io.RawIOBase):
    """A text file without bytes below it (StringIO) as UTF-8."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self._rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        # A lone surrogate passes as bytes that are not UTF-8, and is reported where lines are read.
        data = self._rest or self._file.read(len(buffer)).encode("utf-8", "surrogatepass")
        count = min(len(buffer), len(data))
        buffer[:count] = data[:count]
        self._rest = data[count:]
        return count


class ByteStream(io.RawIOBase):
    """A plain or packed source as plain bytes, read forward only."""

    def __init__(self, file: IO[bytes], name: str, *, owned: bool) -> None:
        self.name = name
        self.consumed = 0
        """Bytes taken from the source so far, packed where it is packed."""
        self._file = file
        self._owned = owned
        self._peeked = b""
        self._unread = b""
        while len(self._unread) < _LONGEST_MAGIC and (more := self._take(_LONGEST_MAGIC - len(self._unread))):
            self._unread += more
        self._kind = ""
        self._make: Callable[[], _Unpacker] | None = None
        for magic, kind, make in _FORMATS:
            if self._unread.startswith(magic):
                self._kind, self._make = kind, make
        try:
            self._unpacker: _Unpacker | None = self._make() if self._make else None
        except MissingExtraError as reason:
            self.close()
            raise InputError(f"{name}: {reason}") from None
        self._produced = 0

    @property
    def compression(self) -> str:
        """How the source is packed: gzip, bzip2, xz or zstd; empty where it is not."""
        return self._kind

    @property
    def packed(self) -> bool:
        """Whether the source is compressed."""
        return self._unpacker is not None

    def readable(self) -> bool:
        """Whether it can be read: yes."""
        return True

    def peek(self, size: int) -> bytes:
        """The next plain bytes, up to ``size`` of them, which the next reads give again."""
        known, self._peeked = self._peeked, b""
        while len(known) < size and (more := self.read(size - len(known))):
            known += more
        self._peeked = known
        return known[:size]

    def readinto(self, buffer: Any, /) -> int:
        """Fill the buffer as far as one step goes; 0 at the end."""
        view = memoryview(buffer).cast("B")
        if self._peeked:
            data, self._peeked = self._peeked[: len(view)], self._peeked[len(view) :]
        elif self._unpacker is not None:
            data = self._unpack(len(view))
        elif self._unread:
            data, self._unread = self._unread[: len(view)], self._unread[len(view) :]
        elif isinstance(self._file, io.RawIOBase | io.BufferedIOBase):
            count = self._file.readinto(view) or 0
            self.consumed += count
            return count
        else:
            data = self._take(len(view))
        view[: len(data)] = data
        return len(data)

    def _take(self, size: int) -> bytes:
        data = self._file.read(size) or b""
        self.consumed += len(data)
        return data

    def _unpack(self, size: int) -> bytes:
        """Up to ``size`` plain bytes; empty at the true end only."""
        unpacker = cast("_Unpacker", self._unpacker)
        try:
            while True:
                if unpacker.eof:
                    # Archives may hold several members one after another; zeros after the last are padding.
                    packed = (unpacker.unused_data or self._next()).lstrip(b"\0")
                    while not packed:
                        packed = self._next()
                        if not packed:
                            return b""
                        packed = packed.lstrip(b"\0")
                    unpacker = self._unpacker = cast("Callable[[], _Unpacker]", self._make)()
                else:
                    packed = self._next() if unpacker.needs_input else b""
                    if not packed and unpacker.needs_input:
                        return self._cut_short()
                data = unpacker.decompress(packed, size)
                if data:
                    self._produced += len(data)
                    return data
        except (EOFError, OSError, ValueError, zlib.error, lzma.LZMAError) as reason:
            raise self._damaged(reason) from None
        except Exception as reason:
            if type(reason).__name__ != "ZstdError":  # its module may be absent, so it cannot be named above
                raise
            raise self._damaged(reason) from None

    def _next(self) -> bytes:
        if self._unread:
            data, self._unread = self._unread, b""
            return data
        return self._take(CHUNK)

    def _cut_short(self) -> bytes:
        raise EOFError("it ends before its last block")

    def _damaged(self, reason: Exception) -> InputError:
        return input_error(
            "RG102",
            f"{self.name}: the {self._kind} archive is damaged or cut short: {reason} "
            f"({self.consumed:,} bytes read, {self._produced:,} bytes unpacked)",
        )

    def close(self) -> None:
        """Close the source, unless it was opened by the caller."""
        if self._owned and not self.closed:
            self._file.close()
        super().close()


def open_bytes(source: Source) -> tuple[ByteStream, str]:
    """Open a source as a stream of plain bytes.

    Parameters
    ----------
    source
        A path, ``"-"`` for standard input, or an open binary or text file, which is left open.

    Returns
    -------
    stream, name
        The plain bytes, unpacked while they are read; ``stream.consumed`` counts the bytes taken from the
        source. The name is for messages.
    """
    if isinstance(source, str | os.PathLike):
        if os.fspath(source) == "-":
            return ByteStream(sys.stdin.buffer, "<stdin>", owned=False), "<stdin>"
        name = os.fspath(source)
        try:
            file = Path(source).open("rb", buffering=0)  # noqa: SIM115 (the stream closes it)
        except (OSError, ValueError) as reason:
            raise _unreadable(name, reason) from None
        return _opened(file, name, owned=True)
    if not hasattr(source, "read"):
        raise InputError(f"cannot read from {shown(source)}: give a path, '-' for standard input, or an open file")
    name = getattr(source, "name", "")
    name = name if isinstance(name, str) and name else "<file>"
    # The bytes below a text file are taken where it has them: its encoding may be a wrong guess.
    binary: Any = _Encoded(source) if isinstance(source, io.StringIO) else getattr(source, "buffer", source)
    return _opened(binary, name, owned=False)


def _opened(file: IO[bytes], name: str, *, owned: bool) -> tuple[ByteStream, str]:
    try:
        return ByteStream(file, name, owned=owned), name
    except OSError as reason:
        if owned:
            file.close()
        raise _unreadable(name, reason) from None


def _unreadable(name: str, reason: Exception) -> InputError:
    text = reason.strerror if isinstance(reason, OSError) and reason.strerror else str(reason)
    return InputError(f"{name}: cannot be read: {text}")
