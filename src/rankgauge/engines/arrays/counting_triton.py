"""The counting kernel for CUDA: each score is read once and compared with the scores of all judged items of its row."""

from __future__ import annotations

from typing import Any

import torch
import triton
import triton.language as tl

TILES = {1: (2048, 4), 2: (512, 2), 4: (256, 8), 8: (128, 8), 16: (256, 2), 32: (128, 2)}
"""Scores and warps at a time for so many judged items, measured on an H200."""
MOST = 32
"""Judged items that one pass takes."""


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def _count(  # type: ignore[no-untyped-def] # noqa: ANN202
    scores,  # noqa: ANN001
    judged,  # noqa: ANN001
    above,  # noqa: ANN001
    equal,  # noqa: ANN001
    length,  # noqa: ANN001
    stride,  # noqa: ANN001
    JUDGED: tl.constexpr,  # noqa: N803
    BLOCK: tl.constexpr,  # noqa: N803
    KIND: tl.constexpr,  # noqa: N803
):
    row = tl.program_id(0).to(tl.int64)
    places = tl.arange(0, JUDGED)
    score = tl.load(judged + row * JUDGED + places)[:, None].to(KIND)
    # Counts as floats: exact up to 2^24 for each lane, and added at full rate, which whole numbers are not.
    higher = tl.zeros([JUDGED, BLOCK], tl.float32)
    as_high = tl.zeros([JUDGED, BLOCK], tl.float32)
    columns = tl.arange(0, BLOCK)
    start_of_row = scores + row * stride
    whole = (length // BLOCK) * BLOCK
    for start in range(0, whole, BLOCK):
        here = tl.load(start_of_row + start + columns)[None, :].to(KIND)
        higher += tl.where(here > score, 1.0, 0.0)
        as_high += tl.where(here >= score, 1.0, 0.0)
    last = whole + columns
    inside = (last < length)[None, :]
    here = tl.load(start_of_row + last, mask=last < length, other=0.0)[None, :].to(KIND)
    higher += tl.where((here > score) & inside, 1.0, 0.0)
    as_high += tl.where((here >= score) & inside, 1.0, 0.0)
    found = tl.sum(higher.to(tl.int32), axis=1)
    tl.store(above + row * JUDGED + places, found)
    tl.store(equal + row * JUDGED + places, tl.sum(as_high.to(tl.int32), axis=1) - found)


def count(scores: Any, judged: Any) -> tuple[Any, Any]:
    """Counts above and equal for each judged item."""
    if not judged.shape[1]:
        nothing = torch.empty((len(scores), 0), dtype=torch.int32, device=scores.device)
        return nothing, nothing
    wide = [_pass(scores, part) for part in torch.split(judged, MOST, dim=1)]
    return torch.cat([above for above, _ in wide], 1), torch.cat([equal for _, equal in wide], 1)


def _pass(scores: Any, judged: Any) -> tuple[Any, Any]:
    rows, length = scores.shape
    if scores.stride(1) != 1:
        scores = scores.contiguous()
    asked = judged.shape[1]
    width = triton.next_power_of_2(asked)
    padded = torch.nn.functional.pad(judged, (0, width - asked), value=float("inf")).contiguous()
    above = torch.empty((rows, width), dtype=torch.int32, device=scores.device)
    equal = torch.empty_like(above)
    block, warps = TILES[width]
    kind = tl.float64 if scores.dtype == torch.float64 else tl.float32  # holds half precision exactly
    if rows:
        _count[(rows,)](
            scores,
            padded,
            above,
            equal,
            length,
            scores.stride(0),
            JUDGED=width,
            BLOCK=block,
            KIND=kind,
            num_warps=warps,
        )
    return above[:, :asked], equal[:, :asked]
