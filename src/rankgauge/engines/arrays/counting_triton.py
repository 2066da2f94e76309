"""The CUDA kernels of ``count_ranks``: a score that is read is compared with all judged items of its row.

Where no judged score is tiny or infinite, the weight of a score is a subtraction and a multiplication that saturates:
both run at twice the rate of comparisons, and the sign of a difference of floats is exact. The product is 1.0 for a
higher score and the smallest float for an equal one, whose bits are the integers 127 * 2^23 and 1. Each lane keeps both
counts in one sum of such integers, because one instruction adds two of them.
"""

from __future__ import annotations

import math
from typing import Any

import torch
import triton
import triton.language as tl

BLOCKS = {2: (1024, 8), 4: (512, 4), 8: (128, 2), 12: (128, 4), 16: (128, 2), 24: (64, 2), 32: (128, 2)}
"""Judged items up to a number: scores per tile and warps, tuned on an H200."""
SHORT_ROW, SHORT_BLOCK = 2048, (32, 1)
"""Rows up to a length, in which adding up the lanes takes longer than counting: one score per lane of one warp."""
MAX_JUDGED = 32
"""Judged items per pass."""
MAX_TILES = 508
"""Tiles of a row per program, so that a lane counts less than 512; longer rows are divided among several."""
HALF_PRECISION = 2
"""Bytes of a score in half precision, where nearly every score has equals."""
PROGRAMS, MOST_ROWS = 8192, 32
"""Where ties are rare, programs that look for rows with ties, and rows of each."""
LANES = 32
"""Lanes of a warp; each takes one score of a tile in half precision, where several would have to be rearranged."""
HIGHER = tl.constexpr(127 << 23)
"""The weight of a higher score."""
EQUAL = tl.constexpr(0x7FFFFF)
"""The bits of a sum of weights that count equal scores."""
TINY = tl.constexpr(2.0**-100)
"""Different scores differ by at least 2^-124 if one of them is larger than this."""


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def _weights(here, score, EXACT: tl.constexpr):  # type: ignore[no-untyped-def]
    """``HIGHER`` for a higher score, 1 for an equal one, 0 for a lower one or NaN."""
    if EXACT:
        return tl.where(here > score, HIGHER, (here == score).to(tl.int32))
    saturate: tl.constexpr = "fma.rn.sat.f32 $0, $1, 0f7F000000, 0f00000001;"  # difference * 2^127 + 2^-149
    return tl.inline_asm_elementwise(saturate, "=r,f", [here - score], dtype=tl.int32, is_pure=True, pack=1)


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def _above(weights):  # type: ignore[no-untyped-def]
    """The number of higher scores in a sum of weights: 127 * 383 = 1 (mod 512)."""
    return ((weights >> 23) * 383) & 511


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def _four_weights(here1, here2, here3, here4, score, EXACT: tl.constexpr):  # type: ignore[no-untyped-def]
    """The sum of the weights of four scores."""
    first = _weights(here1[None, :], score, EXACT) + _weights(here2[None, :], score, EXACT)
    return first + (_weights(here3[None, :], score, EXACT) + _weights(here4[None, :], score, EXACT))


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def _largest(first, second):  # type: ignore[no-untyped-def]
    """The larger of two, or NaN if one is NaN."""
    return tl.maximum(first, second, propagate_nan=tl.PropagateNan.ALL)


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
    """Add up weights from tile ``first`` to column ``limit``: the full tiles before ``last``, then a part of that one.

    If ``ORDERED``, the full tiles are added in steps that end at the tile of a judged item, to keep its sum. Four tiles
    are loaded before any is used, because a load takes as long as many additions.
    """
    sums1 = tl.zeros([FIRST, BLOCK], tl.int32)
    sums2 = tl.zeros([SECOND, BLOCK], tl.int32)
    earlier1, earlier2 = sums1, sums2
    largest = tl.zeros([BLOCK], DTYPE)
    columns = tl.arange(0, BLOCK)
    start, previous = first, first - 1
    steps: tl.constexpr = FIRST + SECOND + 1 if ORDERED else 1
    for _ in range(steps):
        stop = last
        if ORDERED:
            stop = tl.minimum(stop, tl.min(tl.where(tile1 > previous, tile1, last)))
            stop = tl.minimum(stop, tl.min(tl.where(tile2 > previous, tile2, last)))
        fours = start + (stop - start) // 4 * 4
        for tile in range(start, fours, 4):
            place = scores + tile * BLOCK + columns
            here1 = tl.load(place).to(DTYPE)
            here2 = tl.load(place + BLOCK).to(DTYPE)
            here3 = tl.load(place + 2 * BLOCK).to(DTYPE)
            here4 = tl.load(place + 3 * BLOCK).to(DTYPE)
            largest = _largest(largest, _largest(_largest(here1, here2), _largest(here3, here4)))
            sums1 += _four_weights(here1, here2, here3, here4, score1, EXACT)
            sums2 += _four_weights(here1, here2, here3, here4, score2, EXACT)
        for tile in range(fours, stop):
            here = tl.load(scores + tile * BLOCK + columns).to(DTYPE)
            largest = _largest(largest, here)
            sums1 += _weights(here[None, :], score1, EXACT)
            sums2 += _weights(here[None, :], score2, EXACT)
        if ORDERED:
            earlier1 = tl.where(tile1 == stop, sums1, earlier1)
            earlier2 = tl.where(tile2 == stop, sums2, earlier2)
        start, previous = stop, stop
    inside = last * BLOCK + columns < limit
    here = tl.load(scores + last * BLOCK + columns, mask=inside, other=0.0).to(DTYPE)
    largest = _largest(largest, here)
    sums1 += tl.where(inside[None, :], _weights(here[None, :], score1, EXACT), 0)
    sums2 += tl.where(inside[None, :], _weights(here[None, :], score2, EXACT), 0)
    return sums1, earlier1, sums2, earlier2, largest


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def _judged(items, length, width, first, WIDTH: tl.constexpr):  # type: ignore[no-untyped-def]
    """Columns of some judged items of a row, -1 for padding."""
    places = first + tl.arange(0, WIDTH)
    item = tl.load(items + places, mask=places < width, other=-1).to(tl.int32)
    return tl.minimum(tl.maximum(item, -1), length - 1)


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def _scores_of(scores, item, width, first, WIDTH: tl.constexpr, DTYPE: tl.constexpr):  # type: ignore[no-untyped-def]
    """Scores of judged items, 1 for padding of the width."""
    given = first + tl.arange(0, WIDTH) < width
    return tl.load(scores + tl.maximum(item, 0), mask=given, other=1.0)[:, None].to(DTYPE)


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def _ties(  # type: ignore[no-untyped-def]
    equal, step, items, items_stride, several, rows, width, place, first, end, WIDTH: tl.constexpr, BLOCK: tl.constexpr
):
    """For each of several rows, the judged items with equal scores besides themselves in the tiles from ``first``."""
    places = place + tl.arange(0, WIDTH)[None, :]
    inside = (several[:, None] < rows) & (places < width)
    item = tl.load(items + several[:, None] * items_stride + places, mask=inside, other=-1).to(tl.int32)
    others = tl.load(equal + several[:, None] * step + places, mask=inside, other=0)
    tile = item // BLOCK
    others -= ((tile >= first) & (tile < end)).to(tl.int32)
    return tl.sum(((others > 0) & (item >= 0)).to(tl.int32), axis=1)


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def _store(  # type: ignore[no-untyped-def]
    sums,
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
    tl.store(target + places, tl.sum(_above(sums), axis=1))
    tl.store(target + PADDED + places, tl.sum(sums & EQUAL, axis=1))
    before = tl.zeros([WIDTH], tl.int32)
    if ORDERED:
        tile = item // BLOCK
        earlier = tl.where(tile[:, None] >= end, sums, earlier)
        columns = tile[:, None] * BLOCK + tl.arange(0, BLOCK)[None, :]
        inside = (columns < item[:, None]) & ((tile >= first) & (tile < end))[:, None]
        here = tl.load(scores + columns, mask=inside, other=0.0).to(DTYPE)
        before = tl.sum(earlier & EQUAL, axis=1) + tl.sum(((here == score) & inside).to(tl.int32), axis=1)
    tl.store(target + 2 * PADDED + places, before)


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def _count_row(  # type: ignore[no-untyped-def]
    row,
    scores,
    items,
    counts,
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
):
    """Count in a part of a row."""
    part = row * tl.num_programs(1) + tl.program_id(1)
    padded: tl.constexpr = FIRST + SECOND
    target = counts + part * (3 * padded + 1)
    scores += row * stride
    items += row * items_stride
    item1, item2 = _judged(items, length, width, 0, FIRST), _judged(items, length, width, FIRST, SECOND)
    first = tl.program_id(1) * most
    end = tl.minimum(first + most, tl.cdiv(length, BLOCK))
    score1 = _scores_of(scores, item1, width, 0, FIRST, DTYPE)
    score2 = _scores_of(scores, item2, width, FIRST, SECOND, DTYPE)
    tile1, tile2 = (item1 // BLOCK)[:, None], (item2 // BLOCK)[:, None]
    limit = tl.minimum(length, end * BLOCK)
    last = limit // BLOCK
    smallest = tl.minimum(tl.min(tl.abs(score1)), tl.min(tl.abs(score2)))
    largest = tl.maximum(tl.max(tl.abs(score1)), tl.max(tl.abs(score2)))
    if (smallest > TINY) & (largest < float("inf")):
        sums1, earlier1, sums2, earlier2, top = _scan(
            scores, first, last, limit, score1, tile1, score2, tile2, FIRST, SECOND, BLOCK, DTYPE, ORDERED, EXACT
        )
    else:
        sums1, earlier1, sums2, earlier2, top = _scan(
            scores, first, last, limit, score1, tile1, score2, tile2, FIRST, SECOND, BLOCK, DTYPE, ORDERED, True
        )
    _store(sums1, earlier1, scores, score1, item1, first, end, target, FIRST, padded, BLOCK, DTYPE, ORDERED)
    _store(sums2, earlier2, scores, score2, item2, first, end, target + FIRST, SECOND, padded, BLOCK, DTYPE, ORDERED)
    tl.store(target + 3 * padded, tl.max((top != top).to(tl.int32)))  # noqa: PLR0124 (NaN)


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def _count(  # type: ignore[no-untyped-def]
    scores,
    items,
    counts,
    rows,
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
    AGAIN: tl.constexpr,
):
    """Count in a part of a row; or, with ``AGAIN`` rows a program, where a judged item ties."""
    row = tl.program_id(0).to(tl.int64)
    if AGAIN == 0:
        _count_row(
            row, scores, items, counts, length, width, stride, items_stride, most,
            FIRST, SECOND, BLOCK, DTYPE, ORDERED, EXACT,
        )  # fmt: skip
    else:
        padded: tl.constexpr = FIRST + SECOND
        equal = counts + tl.program_id(1) * (3 * padded + 1) + padded
        step = tl.num_programs(1) * (3 * padded + 1)
        first = tl.program_id(1) * most
        end = tl.minimum(first + most, tl.cdiv(length, BLOCK))
        several = row * AGAIN + tl.arange(0, AGAIN)
        tied = _ties(equal, step, items, items_stride, several, rows, width, 0, first, end, FIRST, BLOCK)
        tied += _ties(equal, step, items, items_stride, several, rows, width, FIRST, first, end, SECOND, BLOCK)
        if tl.max(tied) == 0:
            return
        for place in range(AGAIN):
            again = row * AGAIN + place
            if tl.sum(tl.where(several == again, tied, 0)) != 0:
                _count_row(
                    again, scores, items, counts, length, width, stride, items_stride, most,
                    FIRST, SECOND, BLOCK, DTYPE, ORDERED, EXACT,
                )  # fmt: skip


def count(scores: Any, items: Any, *, ordered: bool) -> tuple[Any, Any, Any, Any]:
    """Count the higher scores, the equal ones, and the equal ones in earlier columns, for each judged item."""
    if scores.stride(1) != 1:
        scores = scores.contiguous()
    if items.shape[1] <= MAX_JUDGED:
        return _count_some(scores, items, ordered=ordered)
    passes = [_count_some(scores, part, ordered=ordered) for part in torch.split(items, MAX_JUDGED, dim=1)]
    above, equal, before = (torch.cat(columns, 1) for columns in [*zip(*passes, strict=True)][:3])
    return above, equal, before, passes[0][3]


def _count_some(scores: Any, items: Any, *, ordered: bool) -> tuple[object, object, object, object]:
    """The counts of some judged items, and which rows hold NaN.

    Where ties are rare, the order of equal scores is counted afterwards, in parts of rows that have some.
    """
    rows, length = scores.shape
    width = items.shape[1]
    parts = _parts(width)
    ties_are_rare = scores.element_size() > HALF_PRECISION
    block, warps = SHORT_BLOCK
    if length > SHORT_ROW:
        block, warps = next(tile for most, tile in BLOCKS.items() if width <= most)
    block = block if ties_are_rare else min(block, LANES * warps)
    programs = max(1, math.ceil(length / (block * MAX_TILES)))
    counts = scores.new_empty((rows, programs, 3 * sum(parts) + 1), dtype=torch.int64)
    double = scores.dtype == torch.float64
    kind = tl.float64 if double else tl.float32  # single precision represents half precision exactly
    exact = double or not scores.is_cuda  # Triton's interpreter knows no instructions

    def launch(*, ordered: bool, again: int) -> None:
        """Count in all parts of rows, or again in those with ties, ``again`` rows per program."""
        if rows:
            _count[(math.ceil(rows / max(again, 1)), programs)](
                scores,
                items,
                counts,
                rows,
                length,
                width,
                scores.stride(0),
                items.stride(0),
                MAX_TILES,
                *parts,
                block,
                kind,
                ordered,
                exact,
                again,
                num_warps=warps,
            )

    launch(ordered=ordered and not ties_are_rare, again=0)
    if ordered and ties_are_rare:
        launch(ordered=True, again=min(1 << (rows // PROGRAMS).bit_length(), MOST_ROWS))
    summed = counts[:, 0] if programs == 1 else counts.sum(1)
    above, equal, before = (summed[:, start : start + width] for start in range(0, 3 * sum(parts), sum(parts)))
    return above, equal, before, summed[:, -1] > 0


def _parts(width: int) -> tuple[int, int]:
    """Two powers of 2 that hold this many judged items.

    >>> [_parts(width) for width in (0, 1, 3, 4, 7, 10, 32)]
    [(1, 1), (1, 1), (2, 1), (2, 2), (4, 4), (8, 2), (16, 16)]
    """
    first = 1 << max(width.bit_length() - 1, 0)
    if first >= width:
        return max(first // 2, 1), max(first // 2, 1)
    return first, 1 << (width - first - 1).bit_length()
