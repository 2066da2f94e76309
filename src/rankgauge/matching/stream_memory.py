"""StreamMemory: the first blocks of a stream that can be read only once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

REMEMBERED_ROWS = 4_000_000
"""Rows of a one-shot stream that are kept, so that a query whose rows are scattered can still be put together."""


class StreamMemory:
    """The blocks of a one-shot stream, as long as they are few."""

    def __init__(self, keeps: bool) -> None:
        self.keeps = keeps
        self.blocks: list[pl.DataFrame] = []
        self.forgot = False
        self._rows = 0

    def watch(self, blocks: Iterator[pl.DataFrame]) -> Iterator[pl.DataFrame]:
        """Yield the blocks, and keep them."""
        for block in blocks:
            self._rows += block.height
            if self.keeps and self._rows > REMEMBERED_ROWS:
                self.blocks, self.forgot = [], True
            elif self.keeps:
                self.blocks.append(block)
            yield block
