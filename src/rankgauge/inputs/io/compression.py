"""Byte streams from a path, standard input or an open file, and the compressions they may have.

The content decides whether a source is compressed, not its name: a gzip file called ``run.txt`` is decompressed.
"""

from __future__ import annotations

import errno
import io
import math
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import IO, Any, NamedTuple

from rankgauge.errors import InputError, MissingExtraError, ParameterError, extra, shown
from rankgauge.inputs.findings import input_error
from rankgauge.inputs.io.paths import open_error
from rankgauge.rendering.language import Phrase
from rankgauge.rendering.text import neutral

RawFile = str | os.PathLike[str] | IO[bytes] | IO[str]
"""A path, ``"-"`` for standard input, or an open file."""

CHUNK = 1 << 18
"""Compressed bytes read at a time: large enough to make calls cheap, small enough for the cache."""
PIECE = 1 << 17
"""Decompressed bytes taken at a time: a block of Zstandard; larger ones are allocated again each time."""

MAX_EXPANSION = 100
"""How many times its size a source may expand to; rankings and judgments expand to 5 to 20 times their size."""
SMALL = 64 << 20
"""Decompressed bytes up to which any expansion is accepted."""
LIMIT_VARIABLE = "RANKGAUGE_MAX_EXPANSION"
"""Environment variable with another limit."""

_DAMAGE = (EOFError, OSError, ValueError)
_NAMES_OF_DAMAGE = {"error", "LZMAError", "ZstdError", "IsalError"}
"""Names of errors of modules that are loaded when a compression needs them; that of zlib is ``error``."""


def _zlib() -> Any:
    """Return the module that decompresses gzip: ISA-L, twice as fast, if it is installed, else Python's zlib."""
    with suppress(ModuleNotFoundError):
        return import_module("isal.isal_zlib")
    return import_module("zlib")


class _Gunzip:
    """zlib's decompressor with the interface of the others; it verifies the length and checksum of each member."""

    def __init__(self) -> None:
        self._inner = _zlib().decompressobj(wbits=31)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    @property
    def needs_input(self) -> bool:
        return not self._inner.unconsumed_tail

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._inner.decompress(self._inner.unconsumed_tail + data, max_length)


def _zstandard() -> Any:
    """Return the Zstandard module: Python's own since 3.14, or its backport."""
    with suppress(ModuleNotFoundError):
        return import_module("compression.zstd")
    with extra("zstd", "a Zstandard file"):
        return import_module("backports.zstd")


class Compression(NamedTuple):
    """A compression: how it is recognised, read and written."""

    name: str
    magic: bytes
    endings: tuple[str, ...]
    decompressor: Callable[[], Any]
    """Returns an object with the interface of ``bz2.BZ2Decompressor``."""
    compressor: Callable[[IO[bytes]], Any]
    """Wraps a binary file in one that compresses what is written to it."""


def _bzip2() -> Any:
    return import_module("bz2")


def _xz() -> Any:
    return import_module("lzma")


def _gzip_writer(file: IO[bytes]) -> Any:
    """Without a time in the header, gzip writes the same bytes again."""
    return import_module("gzip").GzipFile("", "wb", fileobj=file, mtime=0)


# The modules are loaded when a file needs them.
COMPRESSIONS = (
    Compression("gzip", b"\x1f\x8b", ("gz",), _Gunzip, _gzip_writer),
    Compression(
        "bzip2", b"BZh", ("bz2",), lambda: _bzip2().BZ2Decompressor(), lambda file: _bzip2().BZ2File(file, "wb")
    ),
    Compression(
        "xz", b"\xfd7zXZ\x00", ("xz",), lambda: _xz().LZMADecompressor(), lambda file: _xz().LZMAFile(file, "wb")
    ),
    Compression(
        "zstd",
        b"\x28\xb5\x2f\xfd",
        ("zst", "zstd"),
        lambda: _zstandard().ZstdDecompressor(),
        lambda file: _zstandard().ZstdFile(file, "wb"),
    ),
)
_LONGEST_MAGIC = max(len(compression.magic) for compression in COMPRESSIONS)


def split_compression(name: str) -> tuple[str, Compression | None]:
    """Split the ending of a compression off a file name.

    >>> stem, compression = split_compression("run.jsonl.gz")
    >>> stem, compression.name
    ('run.jsonl', 'gzip')
    """
    stem, _, ending = name.rpartition(".")
    for compression in COMPRESSIONS:
        if stem and ending.lower() in compression.endings:
            return stem, compression
    return name, None


class ByteStream(io.RawIOBase):
    """The decompressed bytes of a source, readable forward only."""

    def __init__(self, file: IO[bytes], name: str, *, owned: bool) -> None:
        self.name = name
        """The name for messages."""
        self.consumed = 0
        """Bytes read from the source so far, before decompression."""
        self._produced = 0
        self._file = file
        self._owned = owned
        self._ended = False
        self._peeked = b""
        self._start = start = b""
        while len(start) < _LONGEST_MAGIC and (more := self._take(_LONGEST_MAGIC - len(start))):
            start += more
        self._start = start  # to be read again
        self._compression = next((row for row in COMPRESSIONS if start.startswith(row.magic)), None)
        self.compression = self._compression.name if self._compression else ""
        """Name of the compression: gzip, bzip2, xz or zstd; empty if the source is not compressed."""
        try:
            self._decompressor: Any = self._compression.decompressor() if self._compression else None
        except MissingExtraError as reason:
            self.close()
            raise InputError(f"{name}: {reason}") from None

    def readable(self) -> bool:
        """Return True."""
        return True

    def peek(self, size: int) -> bytes:
        """Return up to ``size`` bytes without consuming them."""
        data, self._peeked = self._peeked, b""
        while len(data) < size and (more := self.read(size - len(data))):
            data += more
        self._peeked = data
        return data[:size]

    def readinto(self, buffer: Any, /) -> int:
        """Read some bytes into the buffer and return their number; 0 at the end."""
        view = memoryview(buffer).cast("B")
        if not view:
            return 0
        if self._peeked:
            data, self._peeked = self._peeked[: len(view)], self._peeked[len(view) :]
        elif self._compression is not None:
            data = self._decompress(self._compression, min(len(view), PIECE))
            if self._produced > SMALL and self._produced > max_expansion() * self.consumed:
                raise self._expanding()
        elif not self._start and isinstance(self._file, io.RawIOBase | io.BufferedIOBase):
            count = 0 if self._ended else self._file.readinto(view) or 0
            self.consumed += count
            if not count:
                self._end()
            return count
        else:
            data = self._take(len(view))
        view[: len(data)] = data
        return len(data)

    def _take(self, size: int) -> bytes:
        """Return up to ``size`` bytes of the source."""
        if self._start:
            data, self._start = self._start[:size], self._start[size:]
            return data
        data = b"" if self._ended else self._file.read(size) or b""
        self.consumed += len(data)
        if not data:
            self._end()
        return data

    def _end(self) -> None:
        """Close a file that was opened here, however long the stream is kept."""
        if self._owned:
            self._ended = True
            self._file.close()

    def _decompress(self, compression: Compression, size: int) -> bytes:
        """Return up to ``size`` decompressed bytes; none only at the end."""
        try:
            while True:
                data = b""
                if self._decompressor.eof:
                    data = self._next_member(self._decompressor.unused_data)
                    if not data:
                        return b""
                    self._decompressor = compression.decompressor()
                elif self._decompressor.needs_input and not (data := self._take(CHUNK)):
                    raise EOFError("it ends before its last block")  # noqa: TRY301 (reported as damage below)
                plain: bytes = self._decompressor.decompress(data, size)
                if plain:
                    self._produced += len(plain)
                    return plain
        except Exception as reason:
            if isinstance(reason, _DAMAGE) or type(reason).__name__ in _NAMES_OF_DAMAGE:
                raise self._damaged(reason) from None
            raise

    def _next_member(self, data: bytes) -> bytes:
        """Return the start of the next member of an archive that holds several; zeros between them are padding."""
        data = data.lstrip(b"\0")
        while not data and (chunk := self._take(CHUNK)):
            data = chunk.lstrip(b"\0")
        return data

    def _damaged(self, reason: Exception) -> InputError:
        return input_error(
            "RG102",
            Phrase(
                f"{self.name}: the {self.compression} archive is damaged or truncated: {reason} "
                f"({self.consumed:,} bytes read, {self._produced:,} bytes decompressed)",
                f"{self.name}：{self.compression} 压缩文件已损坏或不完整：{reason}"
                f"（已读 {self.consumed:,} 字节，解压出 {self._produced:,} 字节）",
            ),
        )

    def _expanding(self) -> InputError:
        return input_error(
            "RG112",
            Phrase(
                f"{self.name}: the {self.compression} archive expands to more than {max_expansion():,g} times its size "
                f"({self.consumed:,} bytes read, {self._produced:,} bytes decompressed)",
                f"{self.name}：{self.compression} 压缩文件解压后超过原大小的 {max_expansion():,g} 倍"
                f"（已读 {self.consumed:,} 字节，解压出 {self._produced:,} 字节）",
            ),
        )

    def close(self) -> None:
        """Close the source unless the caller opened it."""
        if self._owned and not self.closed:
            self._file.close()
        super().close()


def check_expansion(source: Any, size: int, expanded: int) -> None:
    """Raise an error if the columns of a file expand out of all proportion; ``expanded`` is their size in memory."""
    if expanded > SMALL and expanded > max_expansion() * size:
        name, times = source_name(source), f"{max_expansion():,g}"
        raise input_error(
            "RG112",
            Phrase(
                f"{name}: its columns expand to more than {times} times its size ({size:,} bytes in the file, "
                f"{expanded:,} bytes in memory)",
                f"{name}：各列展开后超过文件大小的 {times} 倍（文件 {size:,} 字节，内存中 {expanded:,} 字节）",
            ),
        )


def max_expansion() -> float:
    """Return how many times its size a compressed source may expand to."""
    text = os.environ.get(LIMIT_VARIABLE, "")
    if not text:
        return MAX_EXPANSION
    try:
        limit = float(text)
    except ValueError:
        limit = math.nan
    if not limit >= 1:
        raise ParameterError.of(
            LIMIT_VARIABLE, text, ("a number of at least 1, or inf for no limit", "不小于 1 的数；inf 表示不限")
        )
    return limit


def source_name(source: RawFile) -> str:
    """Return the name of a source for messages, which cannot control the terminal."""
    if isinstance(source, str | os.PathLike):
        path = os.fspath(source)
        return "<stdin>" if path == "-" else path if path.isprintable() else neutral(path)
    name = getattr(source, "name", "")
    return neutral(name) if isinstance(name, str) and name else "<file>"


def open_bytes(source: RawFile) -> ByteStream:
    """Open a source as a stream of decompressed bytes.

    An open binary or text file is left open.
    """
    path = os.fspath(source) if isinstance(source, str | os.PathLike) and os.fspath(source) != "-" else None
    if not isinstance(source, str | os.PathLike) and not hasattr(source, "read"):
        message = Phrase(
            "cannot read from {source}: give a path, '-' for standard input, or an open file",
            "无法从 {source} 读取：请给出路径、表示标准输入的 '-'，或已打开的文件",
        )
        raise InputError(message.fill(source=shown(source)))
    name = source_name(source)
    file: Any = None
    try:
        if path is not None:
            file = open(path, "rb", buffering=0)  # noqa: PTH123, SIM115 (an empty path is not the current folder)
        elif isinstance(source, str | os.PathLike):
            if sys.stdin is None:
                raise OSError(errno.EBADF, "standard input is closed")  # noqa: TRY301 (reported below)
            file = sys.stdin.buffer
        elif isinstance(source, io.StringIO):  # a lone surrogate becomes invalid UTF-8, which the line reader reports
            file = io.BytesIO(source.read().encode("utf-8", "surrogatepass"))
        else:  # the binary buffer of a text file, if it has one: its encoding may be a wrong guess
            file = getattr(source, "buffer", source)
        return ByteStream(file, name, owned=path is not None)
    except InputError:
        raise
    except (OSError, ValueError) as reason:
        if path is not None and file is not None:
            file.close()
        raise open_error(name if path is None else path, reason) from None
