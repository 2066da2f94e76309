"""InputFile: a path, a stream or several files, opened once: looked at to recognise it, and read on from there."""

from __future__ import annotations

import io
import os
import stat
from typing import Any

from rankgauge.errors import InputError
from rankgauge.inputs.io.compression import ByteStream, RawFile, open_bytes, source_name
from rankgauge.inputs.io.paths import file_name

SMALL_FILE = 1 << 20
"""Bytes up to which a file is parsed without a thread, and its rows are kept for a later step."""


class InputFile:
    """A file that a caller passed. What it is was asked of the system once; its beginning is read once.

    ``stream`` is at the start until it is taken. A regular file, or one in memory, is opened again after that.
    """

    def __init__(self, source: RawFile, files: tuple[InputFile, ...] = ()) -> None:
        self.name = source_name(source)
        """The name for messages."""
        self.path = os.fspath(source) if isinstance(source, str | os.PathLike) and os.fspath(source) != "-" else ""
        """The path as it was passed; empty for standard input and open files."""
        self.files = files
        """The files of a folder or pattern, which are read one after another."""
        self.folder = ""
        """The folder whose files these are."""
        try:
            status = None if files or not self.path else os.stat(self.path)  # noqa: PTH116 (an empty path is no folder)
        except (OSError, ValueError):  # it does not exist, or cannot be a path
            status = None
        self.is_regular = status is not None and stat.S_ISREG(status.st_mode)
        self.is_one_shot = not files and (not self.path or (status is not None and stat.S_ISFIFO(status.st_mode)))
        """Whether it can be read only once: a stream, standard input or a pipe."""
        self.size: int = sum(file.size for file in files) + (status.st_size if status is not None else 0)
        self.is_small = self.is_regular and self.size <= SMALL_FILE
        """Whether it is a regular file of few bytes."""
        self.state: tuple[int, int]
        """Size and time when it was opened, which change if a file is written while it is read."""
        self.recognised: dict[Any, Any] = {}
        """What the readers recognised: formats, and the shape of the records."""
        self._source, self._content = source, b""
        self._stream: ByteStream | None = None
        self._failure: InputError | None = None

    @property
    def base_name(self) -> str:
        """The name without its folder; empty for an open file without a name."""
        name = self.path or getattr(self._source, "name", "") or self._source
        return file_name(os.fsdecode(name)) if isinstance(name, str | bytes | os.PathLike) else ""

    @property
    def holds_both(self) -> bool:
        """Whether its records were recognised as judgments and a ranking."""
        _, records = self.recognised.get("records", (None, None))
        return records is not None and len(records.fit.sides) > 1 and not records.fit.by_role

    @property
    def is_loaded(self) -> bool:
        """Whether its content is in memory."""
        return bool(self._content)

    @property
    def source(self) -> RawFile:
        """What formats that read at random places open: the path, the open file, or its content in memory."""
        if not self._content:
            return self._source
        memory = io.BytesIO(self._content)
        memory.name = self.name
        return memory

    @property
    def stream(self) -> ByteStream:
        """The decompressed bytes, from which nothing was read yet."""
        if self._failure is not None:
            raise self._failure
        if self._stream is None:
            self.state = file_state(self.path)
            try:
                self._stream = open_bytes(self.source)
            except InputError as error:
                self._failure = error if self.is_one_shot else None  # its first bytes are gone
                raise
        return self._stream

    def take(self) -> ByteStream:
        """Return the stream to the one who reads it to the end."""
        stream, self._stream = self.stream, None
        return stream

    def load(self) -> None:
        """Read a stream into memory, from where it can be read any number of times."""
        if not self._content:
            self._content = self.take().read() or b""

    def close(self) -> None:
        """Close a regular file; a stream that was looked at is kept."""
        if self._stream is not None and self.is_regular:
            self._stream.close()
            self._stream = None
        for file in self.files:
            file.close()

    def __str__(self) -> str:
        return self.path or str(self._source)


def file_state(path: str) -> tuple[int, int]:
    """Return size and time of a file."""
    try:
        status = os.stat(path)  # noqa: PTH116 (as above)
    except (OSError, ValueError):  # it was removed, or cannot be a path, which opening it says
        return 0, 0
    return status.st_size, status.st_mtime_ns
