"""StreamMemory: the blocks of a stream that can be read only once, so that its rows can be read again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.inputs.io.frame_file import FrameFile, Place

REMEMBERED_ROWS = 2_000_000
"""Rows that are kept in memory; later ones are written to a file."""
MOST_BYTES = 16 << 30
"""Size of the file from which a stream is too long to be kept."""
TOO_LONG = (
    "ranking: the lines of a query are not contiguous, and the stream is too long to be kept; sort it by query, or "
    "pass a file"
)


class StreamMemory:
    """The blocks of a one-shot stream, in memory and then in a file; nothing of one that can be read again."""

    def __init__(self, keeps: bool, file: FrameFile) -> None:
        self.keeps = keeps
        self.forgot = False
        self._file = file
        self._rows = 0
        self._blocks: list[pl.DataFrame] = []
        self._places: list[Place] = []

    def watch(self, blocks: Iterator[pl.DataFrame]) -> Iterator[pl.DataFrame]:
        """Yield the blocks, and keep them."""
        for block in blocks:
            if self.keeps and not self.forgot:
                self._keep(block)
            yield block

    def _keep(self, block: pl.DataFrame) -> None:
        self._rows += block.height
        if self._rows <= REMEMBERED_ROWS:
            self._blocks.append(block)
        elif self._file.size < MOST_BYTES:
            self._places.append(self._file.write(block))
        else:
            self.forgot = True
            self._blocks.clear()

    def blocks(self) -> Iterator[pl.DataFrame]:
        """Return what was kept, in order; blocks in memory are released."""
        while self._blocks:
            yield self._blocks.pop(0)
        yield from map(self._file.read, self._places)
