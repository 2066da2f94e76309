"""The CUDA kernel of ``count_ranks``: every score is read once and compared with all judged items of its row."""

from __future__ import annotations

from typing import Any

import torch
import triton
import triton.language as tl

TILES = {1: (2048, 4), 2: (512, 2), 4: (256, 8), 8: (128, 8), 16: (256, 2), 32: (128, 2)}
"""Number of judged items: block size and warps, tuned on an H200."""
MAX_JUDGED = 32
"""Judged items per pass."""


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def _count(scores, judged, above, equal, length, stride, WIDTH: tl.constexpr, BLOCK: tl.constexpr, DTYPE: tl.constexpr):  # type: ignore[no-untyped-def]
    row = tl.program_id(0).to(tl.int64)
    places = tl.arange(0, WIDTH)
    score = tl.load(judged + row * WIDTH + places)[:, None].to(DTYPE)
    # Counts are floats: exact up to 2^24 per lane, and float additions run at full rate, unlike integer ones.
    higher = tl.zeros([WIDTH, BLOCK], tl.float32)
    as_high = tl.zeros([WIDTH, BLOCK], tl.float32)
    columns = tl.arange(0, BLOCK)
    row_start = scores + row * stride
    full_blocks = (length // BLOCK) * BLOCK
    for start in range(0, full_blocks, BLOCK):
        here = tl.load(row_start + start + columns)[None, :].to(DTYPE)
        higher += tl.where(here > score, 1.0, 0.0)
        as_high += tl.where(here >= score, 1.0, 0.0)
    last = full_blocks + columns
    inside = (last < length)[None, :]
    here = tl.load(row_start + last, mask=last < length, other=0.0)[None, :].to(DTYPE)
    higher += tl.where((here > score) & inside, 1.0, 0.0)
    as_high += tl.where((here >= score) & inside, 1.0, 0.0)
    n_higher = tl.sum(higher.to(tl.int32), axis=1)
    tl.store(above + row * WIDTH + places, n_higher)
    tl.store(equal + row * WIDTH + places, tl.sum(as_high.to(tl.int32), axis=1) - n_higher)


def count(scores: Any, judged: Any) -> tuple[Any, Any]:
    """Count the higher and the equal scores for each judged item."""
    if not judged.shape[1]:
        empty = torch.empty((len(scores), 0), dtype=torch.int32, device=scores.device)
        return empty, empty
    passes = [_pass(scores, part) for part in torch.split(judged, MAX_JUDGED, dim=1)]
    return torch.cat([above for above, _ in passes], 1), torch.cat([equal for _, equal in passes], 1)


def _pass(scores: Any, judged: Any) -> tuple[Any, Any]:
    rows, length = scores.shape
    if scores.stride(1) != 1:
        scores = scores.contiguous()
    items = judged.shape[1]
    width = triton.next_power_of_2(items)
    padded = torch.nn.functional.pad(judged, (0, width - items), value=float("inf")).contiguous()
    above = torch.empty((rows, width), dtype=torch.int32, device=scores.device)
    equal = torch.empty_like(above)
    block, warps = TILES[width]
    dtype = tl.float64 if scores.dtype == torch.float64 else tl.float32  # represents half precision exactly
    if rows:
        _count[(rows,)](scores, padded, above, equal, length, scores.stride(0), width, block, dtype, num_warps=warps)
    return above[:, :items], equal[:, :items]
