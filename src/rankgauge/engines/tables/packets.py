"""Packets: hundreds of rows in one cell, so that a cluster moves and sorts bytes instead of rows.

All rows of a query have the same bin, a number from 0. A worker lays the rows of a bin together and packs them; the
cluster brings the packets of a bin to one place, where they are rows again. Nothing is done for a single row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np
import polars as pl
import pyarrow as pa

ROWS_PACKED_TOGETHER = 1_000_000
"""Rows that a worker holds before it packs them: the more, the larger are the packets."""
BYTES_TOGETHER = 1 << 28
"""What is held at most of rows with long ids; columns of texts end at eight times as much."""
PACKET_BYTES = 50_000
"""At most, or one row: a batch of 10,000 packets, as Spark cuts them, then has 500 MB, however long ids are."""


def pack(batches: Iterable[pa.RecordBatch], columns: pa.Schema, *, is_judgment: bool) -> Iterator[pa.RecordBatch]:
    """Rows of one side, which have these columns and a ``bin``, as packets of one bin each."""
    for rows in gathered(batches, ROWS_PACKED_TOGETHER):
        bins = rows.column("bin").to_numpy()
        order = pa.array(np.argsort(bins.astype(np.uint16) if bins.max() < 1 << 16 else bins, kind="stable"))
        laid = rows.select(columns.names).cast(columns).combine_chunks().take(order).to_batches()[0]
        sizes = np.bincount(bins)
        in_a_packet = max(1, PACKET_BYTES * laid.num_rows // laid.nbytes)
        packed, ends, owners = pa.BufferOutputStream(), [0], []
        for owner, end in zip(np.flatnonzero(sizes).tolist(), np.cumsum(sizes[sizes > 0]).tolist(), strict=True):
            for start in range(end - int(sizes[owner]), end, in_a_packet):
                packed.write(laid.slice(start, min(in_a_packet, end - start)).serialize())
                ends.append(packed.tell())
                owners.append(owner)
        cells = [None, pa.py_buffer(np.array(ends, dtype=np.int32)), packed.getvalue()]
        yield pa.RecordBatch.from_pydict(
            {
                "bin": pa.array(owners, pa.int32()),
                "is_judgment": pa.array([is_judgment] * len(owners)),
                "packet": pa.Array.from_buffers(pa.binary(), len(owners), cells),
            }
        )


def unpack(
    batches: Iterable[pa.RecordBatch], columns: Mapping[bool, pa.Schema], rows_at_a_time: int
) -> Iterator[pl.DataFrame]:
    """Packets that lie together by bin as rows of both sides, which have a column ``is_judgment``.

    Some whole bins at a time, with so many rows or a few more; ``columns`` are those of judgments (True) and of the
    ranking (False).
    """
    waiting: dict[bool, list[pa.RecordBatch]] = {True: [], False: []}
    rows, last = 0, -1
    for batch in batches:
        owners, sides, packets = (batch.column(name) for name in ("bin", "is_judgment", "packet"))
        for owner, side, packet in zip(owners.to_pylist(), sides.to_pylist(), packets, strict=True):
            if owner != last and rows >= rows_at_a_time:
                yield _rows(waiting, columns)
                rows = 0
            some = pa.ipc.read_record_batch(packet.as_buffer(), columns[side])
            waiting[side].append(some)
            rows, last = rows + some.num_rows, owner
    if rows:
        yield _rows(waiting, columns)


def _rows(packets: Mapping[bool, list[pa.RecordBatch]], columns: Mapping[bool, pa.Schema]) -> pl.DataFrame:
    """The rows of the packets, which are let go, so that nothing is held twice while the rows are matched."""
    both = []
    for side, some in packets.items():
        both.append(pl.DataFrame(pa.Table.from_batches(some, columns[side])).with_columns(is_judgment=pl.lit(side)))
        some.clear()
    return pl.concat(both, how="diagonal")


def gathered(batches: Iterable[pa.RecordBatch], rows_at_a_time: int) -> Iterator[pa.Table]:
    """Batches one after the other, so many rows together or a few more; fewer where they are long."""
    waiting: list[pa.RecordBatch] = []
    rows, size = 0, 0
    for batch in batches:
        waiting.append(batch)
        rows, size = rows + batch.num_rows, size + batch.nbytes
        if rows >= rows_at_a_time or size >= BYTES_TOGETHER:
            yield pa.Table.from_batches(waiting)
            waiting, rows, size = [], 0, 0
    if rows:
        yield pa.Table.from_batches(waiting)
