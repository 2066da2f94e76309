"""Regroup blocks of rows so that each ends where a query ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, pairwise
from typing import Any, TypeAlias

import numpy as np
import polars as pl

Lengths: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]


def run_lengths(queries: pl.Series) -> Lengths:
    """Return the number of consecutive rows of each query."""
    if not queries.dtype.is_integer() or not len(queries):
        return queries.rle().struct.field("len").to_numpy().astype(np.int64)
    numbers = queries.to_numpy()
    return np.diff(np.flatnonzero(numbers[1:] != numbers[:-1]) + 1, prepend=0, append=len(numbers))


def whole_queries(blocks: Iterable[pl.DataFrame]) -> Iterator[tuple[pl.DataFrame, Lengths]]:
    """Yield the same rows in blocks that end where a query ends, with the number of rows of each query."""
    pending: list[pl.DataFrame] = []
    pending_rows = 0
    filled = (block for block in blocks if block.height)
    for block, following in pairwise(chain(filled, [pl.DataFrame()])):
        lengths = run_lengths(block["query"])
        if pending:
            if pending[-1]["query"][-1] == block["query"][0]:
                lengths[0] += pending_rows
            else:
                lengths = np.concatenate(([pending_rows], lengths))
        if not following.height:  # the last block is not split
            yield pl.concat([*pending, block]), lengths
        elif len(lengths) == 1:  # a single query fills the block
            pending.append(block)
        else:
            tail = int(lengths[-1])
            yield pl.concat([*pending, block.head(block.height - tail)]), lengths[:-1]
            pending = [block.tail(tail)]
        pending_rows = int(lengths[-1])
