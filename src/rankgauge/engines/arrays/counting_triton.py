"""The CUDA kernel of ``count_ranks``: every score is read once and compared with all judged items of its row.

Each lane keeps two counts in one float, the higher scores as ones and the equal scores as multiples of 2^-12, which is
exact for the 2,048 scores that it sees at most. Where no judged score is tiny or infinite, the weight of a score is a
subtraction and a multiplication that saturates: both run at twice the rate of comparisons, and the sign of a
difference of floats is exact.
"""

from __future__ import annotations

from typing import Any

import torch
import triton
import triton.language as tl

BLOCKS = {1: (1024, 4), 2: (1024, 4), 4: (256, 8), 8: (256, 8), 16: (128, 4), 32: (128, 2)}
"""Number of judged items, rounded up to a power of 2: scores per tile and warps, tuned on an H200."""
MAX_JUDGED = 32
"""Judged items per pass."""
MAX_TILES = 2048
"""Tiles of a row per program; longer rows are divided among several."""
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
    judged,
    items,
    counts,
    nan,
    length,
    stride,
    most,
    FIRST: tl.constexpr,
    SECOND: tl.constexpr,
    BLOCK: tl.constexpr,
    DTYPE: tl.constexpr,
    ORDERED: tl.constexpr,
    EXACT: tl.constexpr,
):
    row = tl.program_id(0).to(tl.int64)
    part = row * tl.num_programs(1) + tl.program_id(1)
    padded: tl.constexpr = FIRST + SECOND
    places1, places2 = row * padded + tl.arange(0, FIRST), row * padded + FIRST + tl.arange(0, SECOND)
    score1, score2 = tl.load(judged + places1)[:, None].to(DTYPE), tl.load(judged + places2)[:, None].to(DTYPE)
    item1, item2 = tl.load(items + places1), tl.load(items + places2)
    tile1, tile2 = (item1 // BLOCK)[:, None], (item2 // BLOCK)[:, None]
    scores += row * stride
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
    target = counts + part * 3 * padded
    _store(counts1, earlier1, scores, score1, item1, first, end, target, FIRST, padded, BLOCK, DTYPE, ORDERED)
    _store(counts2, earlier2, scores, score2, item2, first, end, target + FIRST, SECOND, padded, BLOCK, DTYPE, ORDERED)
    tl.store(nan + part, tl.sum(missing).to(tl.int32))


def count(scores: Any, judged: Any, items: Any, *, ordered: bool) -> tuple[Any, Any, Any, Any]:
    """Count the higher scores, the equal ones, and the equal ones in earlier columns, for each judged item."""
    passes = [
        _pass(scores, *part, ordered=ordered)
        for part in zip(torch.split(judged, MAX_JUDGED, dim=1), torch.split(items, MAX_JUDGED, dim=1), strict=True)
    ]
    above, equal, before = torch.cat([counts for counts, _ in passes], 2).unbind(1)
    return above, equal, before if ordered else torch.zeros_like(above), passes[0][1]


def _pass(scores: Any, judged: Any, items: Any, *, ordered: bool) -> tuple[Any, Any]:
    """The counts of some judged items, rows x 3 x items, and which rows hold NaN."""
    rows, length = scores.shape
    if scores.stride(1) != 1:
        scores = scores.contiguous()
    width = judged.shape[1]
    first, second = _parts(width)
    padding = (0, first + second - width)
    judged = torch.nn.functional.pad(judged, padding, value=1.0).contiguous()
    items = torch.nn.functional.pad(items.int(), padding).contiguous()
    block, warps = BLOCKS[triton.next_power_of_2(max(width, 1))]
    programs = max(1, triton.cdiv(triton.cdiv(length, block), MAX_TILES))
    counts = torch.empty((rows, programs, 3, first + second), dtype=torch.int32, device=scores.device)
    nan = torch.empty((rows, programs), dtype=torch.int32, device=scores.device)
    double = scores.dtype == torch.float64
    dtype = tl.float64 if double else tl.float32  # single precision represents half precision exactly
    exact = double or not scores.is_cuda  # Triton's interpreter knows no instructions
    if rows:
        _count[(rows, programs)](
            scores,
            judged,
            items,
            counts,
            nan,
            length,
            scores.stride(0),
            MAX_TILES,
            first,
            second,
            block,
            dtype,
            ordered,
            exact,
            num_warps=warps,
        )
    return counts.sum(1, dtype=torch.int32)[:, :, :width], nan.sum(1) > 0


def _parts(width: int) -> tuple[int, int]:
    """Two powers of 2 that hold this many judged items.

    >>> [_parts(width) for width in (0, 1, 3, 4, 7, 10, 32)]
    [(1, 1), (1, 1), (2, 1), (2, 2), (4, 4), (8, 2), (16, 16)]
    """
    first = 1 << max(width.bit_length() - 1, 0)
    if first >= width:
        return max(first // 2, 1), max(first // 2, 1)
    return first, triton.next_power_of_2(width - first)
