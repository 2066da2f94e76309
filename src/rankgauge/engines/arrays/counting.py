"""How many scores of a row are higher than each of a few, and how many are the same: one pass over the scores.

Nothing is sorted and nothing but the counts leaves the device. On CUDA a Triton kernel reads every score once;
elsewhere plain torch does, once for each judged item, and is the reference for the kernel.
"""

from __future__ import annotations

from typing import Any


def counted(scores: Any, judged: Any) -> tuple[Any, Any]:
    """Counts above and equal (itself included) for the score of each judged item; both int32, rows by judged items.

    ``judged`` holds scores, of the same precision as ``scores``: comparing is exact, whatever the precision is.
    """
    if scores.is_cuda and scores.is_floating_point() and _has_triton():
        from rankgauge.engines.arrays.counting_triton import count  # noqa: PLC0415

        return count(scores, judged)
    return counted_plainly(scores, judged)


def counted_plainly(scores: Any, judged: Any) -> tuple[Any, Any]:
    """The same in plain torch."""
    import torch  # noqa: PLC0415

    columns = [judged[:, place : place + 1] for place in range(judged.shape[1])]
    above = [(scores > column).sum(1, dtype=torch.int32) for column in columns]
    equal = [(scores == column).sum(1, dtype=torch.int32) for column in columns]
    nothing = torch.empty((len(scores), 0), dtype=torch.int32, device=scores.device)
    return (torch.stack(above, 1), torch.stack(equal, 1)) if columns else (nothing, nothing)


def _has_triton() -> bool:
    from importlib.util import find_spec  # noqa: PLC0415

    return find_spec("triton") is not None
