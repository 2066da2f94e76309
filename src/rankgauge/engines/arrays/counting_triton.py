"""The CUDA kernel of ``count_ranks``: a score that is read is compared with all judged items of its row.

Each lane keeps two counts in one float, the higher scores as ones and the equal scores as multiples of 2^-12, which is
exact for the 2,048 scores that it sees at most. Where no judged score is tiny or infinite, the weight of a score is a
subtraction and a multiplication that saturates: both run at twice the rate of comparisons, and the sign of a
difference of floats is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
import triton
import triton.language as tl

BLOCKS = {2: (1024, 4), 8: (256, 8), 12: (128, 4), 16: (64, 1), 24: (64, 2), 32: (128, 1)}
"""Judged items up to a number: scores per tile and warps, tuned on an H200."""
MAX_JUDGED = 32
"""Judged items per pass."""
MAX_TILES = 2048
"""Tiles of a row per program; longer rows are divided among several."""
HALF_PRECISION = 2
"""Bytes of a score in half precision, where nearly every score has equals."""
EQUAL = tl.constexpr(2.0**-12)
"""The weight of an equal score."""
TINY = tl.constexpr(2.0**-100)
"""Different scores differ by at least 2^-124 if one of them is larger than this."""


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def _weights(here, score, EXACT: tl.constexpr):  # type: ignore[no-untyped-def]
    """1 for a higher score, ``EQUAL`` for an equal one, 0 for a lower one or NaN."""
    if EXACT:
        return tl.where(here > score, 1.0, tl.where(here == score, EQUAL, 0.0))
    saturate: tl.constexpr = "fma.rn.sat.f32 $0, $1, 0f7F000000, 0f39800000;"  # difference * 2^127 + 2^-12
    return tl.inline_asm_elementwise(saturate, "=f,f", [here - score], dtype=tl.float32, is_pure=True, pack=1)


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def _scan(  # type: ignore[no-untyped-def]
    scores,
    first,
    last,
    limit,
    score1,
    tile1,
    score2,
    tile2,
    FIRST: tl.constexpr,
    SECOND: tl.constexpr,
    BLOCK: tl.constexpr,
    DTYPE: tl.constexpr,
    ORDERED: tl.constexpr,
    EXACT: tl.constexpr,
):
    """Count from tile ``first`` to column ``limit``: the full tiles before ``last``, then a part of that one.

    If ``ORDERED``, the full tiles are counted in steps that end at the tile of a judged item, to keep its counts.
    """
    counts1 = tl.zeros([FIRST, BLOCK], tl.float32)
    counts2 = tl.zeros([SECOND, BLOCK], tl.float32)
    earlier1, earlier2 = counts1, counts2
    nan = tl.zeros([BLOCK], tl.float32)
    columns = tl.arange(0, BLOCK)
    start, previous = first, first - 1
    steps: tl.constexpr = FIRST + SECOND + 1 if ORDERED else 1
    for _ in range(steps):
        stop = last
        if ORDERED:
            stop = tl.minimum(stop, tl.min(tl.where(tile1 > previous, tile1, last)))
            stop = tl.minimum(stop, tl.min(tl.where(tile2 > previous, tile2, last)))
        for tile in range(start, stop):
            here = tl.load(scores + tile * BLOCK + columns).to(DTYPE)
            nan += tl.where(here != here, 1.0, 0.0)  # noqa: PLR0124 (NaN)
            counts1 += _weights(here[None, :], score1, EXACT)
            counts2 += _weights(here[None, :], score2, EXACT)
        if ORDERED:
            earlier1 = tl.where(tile1 == stop, counts1, earlier1)
            earlier2 = tl.where(tile2 == stop, counts2, earlier2)
        start, previous = stop, stop
    inside = last * BLOCK + columns < limit
    here = tl.load(scores + last * BLOCK + columns, mask=inside, other=0.0).to(DTYPE)
    nan += tl.where(here != here, 1.0, 0.0)  # noqa: PLR0124 (NaN)
    counts1 += tl.where(inside[None, :], _weights(here[None, :], score1, EXACT), 0.0)
    counts2 += tl.where(inside[None, :], _weights(here[None, :], score2, EXACT), 0.0)
    return counts1, earlier1, counts2, earlier2, nan


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def _judged(  # type: ignore[no-untyped-def]
    scores, items, length, width, first, WIDTH: tl.constexpr, DTYPE: tl.constexpr
):
    """Columns and scores of some judged items of a row; padding of the width has column 0 and score 1."""
    places = first + tl.arange(0, WIDTH)
    given = places < width
    item = tl.load(items + places, mask=given, other=0).to(tl.int32)
    item = tl.minimum(tl.maximum(item, 0), length - 1)
    return item, tl.load(scores + item, mask=given, other=1.0)[:, None].to(DTYPE)


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def _store(  # type: ignore[no-untyped-def]
    counts,
    earlier,
    scores,
    score,
    item,
    first,
    end,
    target,
    WIDTH: tl.constexpr,
    PADDED: tl.constexpr,
    BLOCK: tl.constexpr,
    DTYPE: tl.constexpr,
    ORDERED: tl.constexpr,
):
    """Write the counts of one part of the judged items: above, equal, and equal in earlier columns."""
    places = tl.arange(0, WIDTH)
    higher = tl.floor(counts)
    tl.store(target + places, tl.sum(higher.to(tl.int32), axis=1))
    tl.store(target + PADDED + places, tl.sum(((counts - higher) / EQUAL).to(tl.int32), axis=1))
    if ORDERED:
        tile = item // BLOCK
        earlier = tl.where(tile[:, None] >= end, counts, earlier)
        before = tl.sum(((earlier - tl.floor(earlier)) / EQUAL).to(tl.int32), axis=1)
        columns = tile[:, None] * BLOCK + tl.arange(0, BLOCK)[None, :]
        inside = (columns < item[:, None]) & ((tile >= first) & (tile < end))[:, None]
        here = tl.load(scores + columns, mask=inside, other=0.0).to(DTYPE)
        before += tl.sum(((here == score) & inside).to(tl.int32), axis=1)
        tl.store(target + 2 * PADDED + places, before)


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def _count(  # type: ignore[no-untyped-def]
    scores,
    items,
    counts,
    wanted,
    length,
    width,
    stride,
    items_stride,
    most,
    FIRST: tl.constexpr,
    SECOND: tl.constexpr,
    BLOCK: tl.constexpr,
    DTYPE: tl.constexpr,
    ORDERED: tl.constexpr,
    EXACT: tl.constexpr,
    SOME: tl.constexpr,
):
    row = tl.program_id(0).to(tl.int64)
    if SOME:  # noqa: SIM102 (known to the compiler)
        if tl.load(wanted + row) == 0:
            return
    part = row * tl.num_programs(1) + tl.program_id(1)
    padded: tl.constexpr = FIRST + SECOND
    scores += row * stride
    item1, score1 = _judged(scores, items + row * items_stride, length, width, 0, FIRST, DTYPE)
    item2, score2 = _judged(scores, items + row * items_stride, length, width, FIRST, SECOND, DTYPE)
    tile1, tile2 = (item1 // BLOCK)[:, None], (item2 // BLOCK)[:, None]
    first = tl.program_id(1) * most
    end = tl.minimum(first + most, tl.cdiv(length, BLOCK))
    limit = tl.minimum(length, end * BLOCK)
    last = limit // BLOCK
    smallest = tl.minimum(tl.min(tl.abs(score1)), tl.min(tl.abs(score2)))
    largest = tl.maximum(tl.max(tl.abs(score1)), tl.max(tl.abs(score2)))
    if (smallest > TINY) & (largest < float("inf")):
        counts1, earlier1, counts2, earlier2, missing = _scan(
            scores, first, last, limit, score1, tile1, score2, tile2, FIRST, SECOND, BLOCK, DTYPE, ORDERED, EXACT
        )
    else:
        counts1, earlier1, counts2, earlier2, missing = _scan(
            scores, first, last, limit, score1, tile1, score2, tile2, FIRST, SECOND, BLOCK, DTYPE, ORDERED, True
        )
    target = counts + part * (3 * padded + 1)
    _store(counts1, earlier1, scores, score1, item1, first, end, target, FIRST, padded, BLOCK, DTYPE, ORDERED)
    _store(counts2, earlier2, scores, score2, item2, first, end, target + FIRST, SECOND, padded, BLOCK, DTYPE, ORDERED)
    tl.store(target + 3 * padded, tl.sum(missing).to(tl.int32))


def count(scores: Any, items: Any, *, ordered: bool) -> tuple[Any, Any, Any, Any]:
    """Count the higher scores, the equal ones, and the equal ones in earlier columns, for each judged item."""
    if scores.stride(1) != 1:
        scores = scores.contiguous()
    passes = [_count_some(scores, part, ordered=ordered) for part in torch.split(items, MAX_JUDGED, dim=1)]
    above, equal, before = (torch.cat(columns, 1) for columns in zip(*(counts for counts, _ in passes), strict=True))
    return above, equal, before, passes[0][1]


def _count_some(scores: Any, items: Any, *, ordered: bool) -> tuple[Sequence[Any], Any]:
    """The counts of some judged items, and which rows hold NaN.

    Where ties are rare, the order of equal scores is counted afterwards, in rows that have some.
    """
    rows, length = scores.shape
    width = items.shape[1]
    parts = _parts(width)
    block, warps = next(tile for most, tile in BLOCKS.items() if width <= most)
    programs = max(1, triton.cdiv(triton.cdiv(length, block), MAX_TILES))
    counts = scores.new_zeros((rows, programs, 3 * sum(parts) + 1), dtype=torch.int32)
    double = scores.dtype == torch.float64

    def launch(*, ordered: bool, wanted: Any = None) -> None:
        """Count in all rows, or in those that are wanted."""
        if rows:
            _count[(rows, programs)](
                scores,
                items,
                counts,
                wanted,
                length,
                width,
                scores.stride(0),
                items.stride(0),
                MAX_TILES,
                *parts,
                block,
                tl.float64 if double else tl.float32,  # single precision represents half precision exactly
                ordered,
                double or not scores.is_cuda,  # Triton's interpreter knows no instructions
                wanted is not None,
                num_warps=warps,
            )

    def columns() -> Sequence[Any]:
        """Above, equal and before of each item, and the number of NaN of each row."""
        summed = counts[:, 0] if programs == 1 else counts.sum(1, dtype=torch.int32)
        return [*summed[:, :-1].unflatten(1, (3, -1))[:, :, :width].unbind(1), summed[:, -1]]

    ties_are_rare = scores.element_size() > HALF_PRECISION
    launch(ordered=ordered and not ties_are_rare)
    if ordered and ties_are_rare:
        launch(ordered=True, wanted=(columns()[1] > 1).any(1))
    *found, nan = columns()
    return found, nan > 0


def _parts(width: int) -> tuple[int, int]:
    """Two powers of 2 that hold this many judged items.

    >>> [_parts(width) for width in (0, 1, 3, 4, 7, 10, 32)]
    [(1, 1), (1, 1), (2, 1), (2, 2), (4, 4), (8, 2), (16, 16)]
    """
    first = 1 << max(width.bit_length() - 1, 0)
    if first >= width:
        return max(first // 2, 1), max(first // 2, 1)
    return first, triton.next_power_of_2(width - first)
