"""Packets: hundreds of rows serialised into one cell, so that a cluster shuffles cells instead of rows.

All rows of a query belong to the same bin, a number from 0. A worker groups its rows by bin and serialises them; the
cluster moves the packets of a bin to one worker, which restores the rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np
import polars as pl
import pyarrow as pa

PACK_ROWS = 1_000_000
"""Rows that a worker collects before it packs them; more rows give larger packets."""
PACK_BYTES = 1 << 28
"""Limit for rows with long ids; Arrow text columns end at eight times as much."""
PACKET_BYTES = 50_000
"""Largest packet, unless a single row is larger: a batch of 10,000 packets, Spark's default, is then 500 MB at most."""


def pack(batches: Iterable[pa.RecordBatch], columns: pa.Schema, *, is_judgment: bool) -> Iterator[pa.RecordBatch]:
    """Serialise rows of one side, with these columns and a ``bin``, into packets of one bin each."""
    for rows in gather(batches, PACK_ROWS):
        bins = rows.column("bin").to_numpy()
        order = pa.array(np.argsort(bins.astype(np.uint16) if bins.max() < 1 << 16 else bins, kind="stable"))
        by_bin = rows.select(columns.names).cast(columns).combine_chunks().take(order).to_batches()[0]
        sizes = np.bincount(bins)
        packet_rows = max(1, PACKET_BYTES * by_bin.num_rows // by_bin.nbytes)
        buffer, ends, owners = pa.BufferOutputStream(), [0], []
        for owner, end in zip(np.flatnonzero(sizes).tolist(), np.cumsum(sizes[sizes > 0]).tolist(), strict=True):
            for start in range(end - int(sizes[owner]), end, packet_rows):
                buffer.write(by_bin.slice(start, min(packet_rows, end - start)).serialize())
                ends.append(buffer.tell())
                owners.append(owner)
        cells = [None, pa.py_buffer(np.array(ends, dtype=np.int32)), buffer.getvalue()]
        yield pa.RecordBatch.from_pydict(
            {
                "bin": pa.array(owners, pa.int32()),
                "is_judgment": pa.array([is_judgment] * len(owners)),
                "packet": pa.Array.from_buffers(pa.binary(), len(owners), cells),
            }
        )


def unpack(
    batches: Iterable[pa.RecordBatch], columns: Mapping[bool, pa.Schema], block_rows: int
) -> Iterator[pl.DataFrame]:
    """Restore the rows of both sides, with a column ``is_judgment``, from packets ordered by bin.

    Yields complete bins, at least ``block_rows`` rows at a time; ``columns`` has the schema of the judgments (True) and
    of the ranking (False).
    """
    waiting: dict[bool, list[pa.RecordBatch]] = {True: [], False: []}
    rows, last = 0, -1
    for batch in batches:
        owners, sides, packets = (batch.column(name) for name in ("bin", "is_judgment", "packet"))
        for owner, side, packet in zip(owners.to_pylist(), sides.to_pylist(), packets, strict=True):
            if owner != last and rows >= block_rows:
                yield _join(waiting, columns)
                rows = 0
            restored = pa.ipc.read_record_batch(packet.as_buffer(), columns[side])
            waiting[side].append(restored)
            rows, last = rows + restored.num_rows, owner
    if rows:
        yield _join(waiting, columns)


def _join(waiting: Mapping[bool, list[pa.RecordBatch]], columns: Mapping[bool, pa.Schema]) -> pl.DataFrame:
    """Join the waiting batches into one frame and empty the lists, so that rows are held only once."""
    frames = []
    for side, batches in waiting.items():
        table = pa.Table.from_batches(batches, columns[side])
        frames.append(pl.DataFrame(table).with_columns(is_judgment=pl.lit(side)))
        batches.clear()
    return pl.concat(frames, how="diagonal")


def gather(batches: Iterable[pa.RecordBatch], block_rows: int) -> Iterator[pa.Table]:
    """Join consecutive batches to at least ``block_rows`` rows, or fewer rows if they are long."""
    waiting: list[pa.RecordBatch] = []
    rows, size = 0, 0
    for batch in batches:
        waiting.append(batch)
        rows, size = rows + batch.num_rows, size + batch.nbytes
        if rows >= block_rows or size >= PACK_BYTES:
            yield pa.Table.from_batches(waiting)
            waiting, rows, size = [], 0, 0
    if rows:
        yield pa.Table.from_batches(waiting)
