"""FrameFile: frames in a temporary file without a name, which the system removes however the process ends."""

from __future__ import annotations

import io
from tempfile import TemporaryFile, gettempdir
from types import TracebackType
from typing import Self, TypeAlias

import polars as pl

from rankgauge.errors import InputError
from rankgauge.rendering.language import Phrase

Place: TypeAlias = tuple[int, int]
"""Where a frame is in the file: its first byte and its length."""


class FrameFile:
    """Frames that are written once and read again in any order; the file is created with the first of them."""

    def __init__(self) -> None:
        self._file: io.BufferedRandom | None = None
        self.size = 0
        """Bytes written so far."""

    @property
    def is_closed(self) -> bool:
        """Whether no file is open any more, or was ever needed."""
        return self._file is None or self._file.closed

    def write(self, frame: pl.DataFrame) -> Place:
        """Write a frame, and return its place."""
        content = io.BytesIO()
        frame.write_ipc(content, compression="uncompressed")
        try:
            if self._file is None:
                self._file = TemporaryFile(prefix="rankgauge-")  # noqa: SIM115 (closed by __exit__)
            self._file.seek(self.size)
            length = self._file.write(content.getbuffer())
            self._file.flush()
        except OSError as error:
            folder, reason = gettempdir(), error.strerror or str(error)
            message = Phrase(
                f"rows are kept in a temporary file, which cannot be written in {folder}: {reason}; set TMPDIR to a "
                "folder with more space, or sort the ranking by query",
                f"需要用临时文件暂存各行，但无法写入 {folder}：{reason}；请把 TMPDIR 设为空间更大的文件夹，"
                "或将排序结果按查询排序",
            )
            raise InputError(message, ["RG110"]) from error
        place = self.size, length
        self.size += length
        return place

    def read(self, place: Place) -> pl.DataFrame:
        """Return the frame at a place."""
        start, length = place
        if self._file is None:
            raise ValueError("nothing was written")
        self._file.seek(start)
        return pl.read_ipc(io.BytesIO(self._file.read(length)))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._file is not None:
            self._file.close()
