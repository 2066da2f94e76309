"""Blocks of rows that end where a query ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

import numpy as np
import polars as pl

Lengths: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]


def run_lengths(queries: pl.Series) -> Lengths:
    """How many rows each query has whose rows lie together."""
    return queries.rle().struct.field("len").to_numpy().astype(np.int64)


def whole_queries(blocks: Iterable[pl.DataFrame]) -> Iterator[tuple[pl.DataFrame, Lengths]]:
    """The same rows in blocks that end where a query ends, with the number of rows of each query."""
    waiting: list[pl.DataFrame] = []
    rows_waiting = 0
    for block, is_last in _with_the_last_marked(block for block in blocks if block.height):
        lengths = run_lengths(block["query"])
        if waiting:
            if waiting[-1]["query"][-1] == block["query"][0]:
                lengths[0] += rows_waiting
            else:
                lengths = np.concatenate(([rows_waiting], lengths))
        if is_last:
            yield pl.concat([*waiting, block]), lengths
        elif len(lengths) == 1:  # one query so long that it fills a block
            waiting.append(block)
        else:
            tail = int(lengths[-1])
            yield pl.concat([*waiting, block.head(block.height - tail)]), lengths[:-1]
            waiting = [block.tail(tail)]
        rows_waiting = int(lengths[-1])


def _with_the_last_marked(blocks: Iterator[pl.DataFrame]) -> Iterator[tuple[pl.DataFrame, bool]]:
    """So that what comes in one block leaves in one."""
    block = next(blocks, None)
    while block is not None:
        following = next(blocks, None)
        yield block, following is None
        block = following
