"""Ranks by counting: for each judged item, how many scores of its row are higher and how many are equal.

Nothing is sorted, and only the counts leave the device. On CUDA a Triton kernel reads every score once; elsewhere plain
torch reads the scores once per judged item, and serves as the reference for the kernel.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any


def count_ranks(scores: Any, judged: Any) -> tuple[Any, Any]:
    """Count the higher and the equal scores (itself included) for each judged item; both int32, rows x judged items.

    ``judged`` holds the scores of the judged items in the precision of ``scores``, so that comparisons are exact.
    """
    if scores.is_cuda and scores.is_floating_point() and find_spec("triton") is not None:
        from rankgauge.engines.arrays.counting_triton import count  # noqa: PLC0415

        return count(scores, judged)
    return count_ranks_in_torch(scores, judged)


def count_ranks_in_torch(scores: Any, judged: Any) -> tuple[Any, Any]:
    """``count_ranks`` in plain torch."""
    import torch  # noqa: PLC0415

    columns = [judged[:, place : place + 1] for place in range(judged.shape[1])]
    above = [(scores > column).sum(1, dtype=torch.int32) for column in columns]
    equal = [(scores == column).sum(1, dtype=torch.int32) for column in columns]
    empty = torch.empty((len(scores), 0), dtype=torch.int32, device=scores.device)
    return (torch.stack(above, 1), torch.stack(equal, 1)) if columns else (empty, empty)
