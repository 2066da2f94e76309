"""The counting kernel beside plain torch: interpreted on the CPU, compiled where there is a GPU.

``TRITON_INTERPRET=1 python tests/counting_cases.py``, or ``python tests/counting_cases.py`` on a machine with CUDA; it
needs torch, Triton and array-api-compat, and prints how many cases it compared.
"""

from __future__ import annotations

from collections.abc import Iterator

import torch

from devices import CLOSE, RULES, furthest
from rankgauge.engines.arrays import tensors
from rankgauge.engines.arrays.counting import counted_plainly
from rankgauge.engines.arrays.counting_triton import MOST, TILES, count

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
KINDS = (torch.float32, torch.float64, torch.bfloat16, torch.float16)


def cases() -> Iterator[tuple[str, torch.Tensor, torch.Tensor]]:
    """Scores and the scores of judged items: rows of all lengths around a block, ties, infinities, close numbers."""
    made = torch.Generator().manual_seed(3)
    for width, (block, _) in TILES.items():
        for length in (1, block - 1, block, 2 * block + 3):
            for asked in {width, width // 2 + 1}:
                for kind in KINDS:
                    scores = (torch.randn(2, length, generator=made) * 4).round().to(kind) / 4
                    yield _case(scores, asked, made)
    for asked in (0, 1, MOST - 1, MOST, MOST + 1, 2 * MOST + 5):
        yield _case(torch.randn(3, 300, generator=made), asked, made)
    infinite = torch.randn(3, 200, generator=made)
    infinite[0, ::3], infinite[1, 5], infinite[2] = -torch.inf, torch.inf, -torch.inf
    yield _case(infinite, 16, made)
    close = 1 + 1e-12 * torch.randperm(150, generator=made, dtype=torch.float64)[None, :]
    yield _case(close, 4, made)
    wide = torch.randn(6, 400, generator=made)
    yield _case(wide[:, 7:300], 4, made)
    yield _case(wide[::2], 4, made)
    yield _case(wide.T, 4, made)
    yield _case(wide[:0], 4, made)
    yield _case(torch.full((2, 700), 0.5), 3, made)


def _case(scores: torch.Tensor, asked: int, made: torch.Generator) -> tuple[str, torch.Tensor, torch.Tensor]:
    shape = (len(scores), asked)
    judged = scores.gather(1, torch.randint(0, scores.shape[1], shape, generator=made))
    return f"{scores.dtype} {tuple(scores.shape)} {asked}", scores.to(DEVICE), judged.to(DEVICE)


def main() -> None:
    """Compare all cases, then whole evaluations of ragged rows of judged items that are counted by the kernel."""
    compared = 0
    for name, scores, judged in cases():
        for found, expected in zip(count(scores, judged), counted_plainly(scores, judged), strict=True):
            if found.dtype != torch.int32 or not torch.equal(found, expected):
                raise AssertionError(f"{name}: {found.tolist()} instead of {expected.tolist()}")
        compared += 1
    tensors.counted = count
    apart, metric = furthest("torch cuda" if DEVICE == "cuda" else "torch", RULES["default"])
    if apart > CLOSE:
        raise AssertionError(f"{metric} is {apart} from NumPy")
    print(f"{compared} cases on {DEVICE}")  # noqa: T201


if __name__ == "__main__":
    main()
