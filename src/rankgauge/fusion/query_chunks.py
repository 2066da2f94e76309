"""Chunks of complete queries from several streams of rows: in one pass if their order agrees, else sorted on disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

import numpy as np
import polars as pl

from rankgauge.inputs.table_rows import whole_queries

Stream: TypeAlias = Iterator[pl.DataFrame]
CHUNK_ROWS = 300_000
"""Rows that are read ahead from each stream."""
PATIENCE = 8
"""How many times as many rows are read ahead where streams have no query in common, before they are sorted instead."""


class DifferentOrderError(Exception):
    """The streams have their queries in different orders."""


class Buffer:
    """The rows of a stream that were read ahead; it ends where a query ends."""

    def __init__(self, stream: Stream) -> None:
        self._blocks = (block for block, _ in whole_queries(stream))
        self.rows = pl.DataFrame()
        self.ended = False

    def fill(self, rows: int) -> None:
        """Read until there are this many rows, or the stream ends."""
        blocks = [self.rows][: self.rows.height]
        height = self.rows.height
        while height < rows and not self.ended:
            block = next(self._blocks, None)
            self.ended = block is None
            if block is not None:
                blocks.append(block)
                height += block.height
        if len(blocks) > 1 or not self.rows.height:
            self.rows = pl.concat(blocks) if blocks else self.rows

    def take(self, rows: int) -> pl.DataFrame:
        """Return the first rows and remove them."""
        taken, self.rows = self.rows.head(rows), self.rows.slice(rows)
        return taken

    @property
    def queries(self) -> pl.Series:
        """The queries of these rows, in order."""
        return self.rows["query"].unique(maintain_order=True)


def chunks_in_order(streams: Sequence[Stream], chunk_rows: int = CHUNK_ROWS) -> Iterator[list[pl.DataFrame]]:
    """Yield the rows of the same queries from each stream, some queries at a time.

    A frame may lack a query, or have no rows at all. If a query comes after it was yielded, or the rows that were read
    ahead have no query in common, a ``DifferentOrderError`` is raised. Streams that end within the first rows need no
    order.
    """
    buffers, seen = [Buffer(stream) for stream in streams], np.empty(0, dtype=np.uint64)
    while True:
        for buffer in buffers:
            buffer.fill(chunk_rows)
        chunk = _common_rows(buffers, PATIENCE * chunk_rows)
        queries = pl.concat([frame["query"].unique().cast(pl.String) for frame in chunk if frame.height])
        hashes = np.unique(queries.hash(0).to_numpy())
        if np.isin(hashes, seen, kind="sort").any():
            raise DifferentOrderError
        yield chunk
        if all(buffer.ended and not buffer.rows.height for buffer in buffers):
            return
        seen = np.concatenate((seen, hashes))


def _common_rows(buffers: Sequence[Buffer], most: int) -> list[pl.DataFrame]:
    """Return the rows up to the last query that all buffers have; all rows once every stream has ended."""
    rows = max(buffer.rows.height for buffer in buffers)
    while not all(buffer.ended for buffer in buffers):
        present = [buffer for buffer in buffers if buffer.rows.height or not buffer.ended]
        first, *others = (buffer.queries.cast(pl.String) for buffer in present)
        for other in others:
            first = first.filter(first.is_in(other.implode()))
        if len(first):
            return [_up_to(buffer, first[-1]) for buffer in buffers]
        rows *= 2
        if rows > most:
            raise DifferentOrderError
        for buffer in buffers:
            buffer.fill(rows)
    return [buffer.take(buffer.rows.height) for buffer in buffers]


def _up_to(buffer: Buffer, query: str) -> pl.DataFrame:
    """Return the rows of a buffer up to the end of a query."""
    if not buffer.rows.height:
        return buffer.rows
    last = (buffer.rows["query"].cast(pl.String) == query).arg_true()
    return buffer.take(int(last[-1]) + 1)


def chunks_sorted(
    streams: Sequence[Callable[[], Stream]], chunk_rows: int = CHUNK_ROWS
) -> Iterator[list[pl.DataFrame]]:
    """Yield the rows of the same queries from each stream, in the order of the ids, after sorting them on disk.

    Each stream is read once: sorted pieces of it are written into a temporary folder and merged.
    """
    with TemporaryDirectory(prefix="rankgauge-") as folder:
        pieces = [
            [
                Buffer(_slices(path, chunk_rows))
                for path in _sorted_pieces(open_stream(), Path(folder, str(number)), PATIENCE * chunk_rows)
            ]
            for number, open_stream in enumerate(streams)
        ]
        everything = [piece for of_stream in pieces for piece in of_stream]
        while True:
            for piece in everything:
                piece.fill(chunk_rows // len(everything) + 1)
            unfinished = [piece.rows["query"][-1] for piece in everything if not piece.ended]
            last = min(unfinished) if unfinished else None
            yield [pl.concat([_through(piece, last) for piece in of_stream]) for of_stream in pieces]
            if last is None:
                return


def _sorted_pieces(stream: Stream, folder: Path, rows: int) -> Iterator[Path]:
    """Write the rows of a stream, sorted by query, as files of at most about this many rows."""
    folder.mkdir()
    pending: list[pl.DataFrame] = []
    number = 0

    def write() -> Path:
        frame = pl.concat(pending).with_columns(pl.col("query").cast(pl.String))
        path = folder / f"{number}.arrow"
        frame.sort("query", maintain_order=True).write_ipc(path, compression="uncompressed")
        pending.clear()
        return path

    for block in stream:
        pending.append(block)
        if sum(frame.height for frame in pending) >= rows:
            yield write()
            number += 1
    if pending:
        yield write()


def _slices(path: Path, rows: int) -> Stream:
    """Yield the rows of a file, which the system reads as they are used."""
    frame = pl.scan_ipc(path)
    for start in range(0, frame.select(pl.len()).collect().item(), rows):
        yield frame.slice(start, rows).collect()


def _through(piece: Buffer, last: str | None) -> pl.DataFrame:
    """Return the rows of a sorted piece up to and including a query; all rows for None."""
    if last is None or not piece.rows.height:
        return piece.take(piece.rows.height)
    return piece.take(int(piece.rows["query"].search_sorted(last, side="right")))
