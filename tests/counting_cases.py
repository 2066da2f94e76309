"""The counting kernel compared with plain torch: interpreted on the CPU, compiled on a GPU.

``TRITON_INTERPRET=1 python tests/counting_cases.py``, or ``python tests/counting_cases.py`` on a machine with CUDA; it
needs torch, Triton and array-api-compat, and prints how many cases it compared.
"""

from __future__ import annotations

from collections.abc import Iterator

import torch

from devices import CLOSE, RULES, largest_difference
from rankgauge.engines.arrays import counting_triton, judged_items

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
BLOCKS, MAX_JUDGED = counting_triton.BLOCKS, counting_triton.MAX_JUDGED
LIMITS = {name: getattr(counting_triton, name) for name in ("HALF_PRECISION", "MAX_TILES", "PROGRAMS", "SHORT_ROW")}
"""What decides how the kernel divides its work: some cases lower it."""
KINDS = (torch.float32, torch.float64, torch.bfloat16, torch.float16)


def cases() -> Iterator[tuple[str, torch.Tensor, torch.Tensor]]:
    """Scores and the columns of judged items: row lengths around a block, ties, infinities, NaN, close numbers."""
    generator = torch.Generator().manual_seed(3)
    for width, (block, _) in BLOCKS.items() if DEVICE == "cuda" else [*BLOCKS.items()][::3]:
        for length in (1, block - 1, block, 2 * block + 3) if DEVICE == "cuda" else (1, block, block + 3):
            for items in {width, width // 2 + 1}:
                for kind in KINDS if DEVICE == "cuda" else KINDS[length % 4 :: 4]:
                    scores = (torch.randn(2, length, generator=generator) * 4).round().to(kind) / 4
                    yield _case(scores, items, generator)
    for items in (0, 1, MAX_JUDGED - 1, MAX_JUDGED, MAX_JUDGED + 1, 2 * MAX_JUDGED + 5):
        yield _case(torch.randn(3, 300, generator=generator), items, generator)
    infinite = torch.randn(3, 200, generator=generator)
    infinite[0, ::3], infinite[1, 5], infinite[2] = -torch.inf, torch.inf, -torch.inf
    yield _case(infinite, 16, generator)
    missing = torch.randn(3, 500, generator=generator)
    missing[1, 499] = missing[2, 3] = torch.nan
    yield _case(missing, 5, generator)
    tiny = torch.randint(0, 3, (2, 300), generator=generator) * torch.tensor([[2.0**-149], [2.0**-126]])
    yield _case(tiny, 6, generator)
    yield _case((1 + torch.randint(0, 3, (2, 300), generator=generator) * 2.0**-23) * 2.0**-99, 6, generator)
    yield _case(torch.randint(0, 2, (2, 4000), generator=generator) * 3e38 - 1e38, 6, generator)  # differences overflow
    close = 1 + 1e-12 * torch.randperm(150, generator=generator, dtype=torch.float64)[None, :]
    yield _case(close, 4, generator)
    wide = torch.randn(6, 400, generator=generator)
    yield _case(wide[:, 7:300], 4, generator)
    yield _case(wide[::2], 4, generator)
    yield _case(wide[:, :40].T, 4, generator)
    yield _case(wide[:0], 4, generator)
    yield _case(torch.full((2, 700), 0.5), 3, generator)
    longest = BLOCKS[24][0] * LIMITS["MAX_TILES"]
    yield "most counts of a lane", torch.arange(1.0, longest + 3).to(DEVICE)[None], torch.arange(17).to(DEVICE)[None]


def _case(scores: torch.Tensor, items: int, generator: torch.Generator) -> tuple[str, torch.Tensor, torch.Tensor]:
    shape = (len(scores), items)
    columns = torch.randint(0, scores.shape[1], shape, generator=generator)
    return f"{scores.dtype} {tuple(scores.shape)} {items}", scores.to(DEVICE), columns.to(DEVICE)


def compare(name: str, scores: torch.Tensor, columns: torch.Tensor, *, ordered: bool) -> None:
    """Raise an error if a count differs from that of plain torch."""
    expected = judged_items.count_in_torch(scores, columns, ordered=ordered)
    for counts, wanted in zip(counting_triton.count(scores, columns, ordered=ordered), expected, strict=True):
        if counts.dtype != wanted.dtype or not torch.equal(counts, wanted):
            raise AssertionError(f"{name}: {counts.tolist()} instead of {wanted.tolist()}")


def main() -> None:
    """Compare all cases, then evaluations whose judged items are counted by the kernel."""
    compared = 0
    for number, (name, scores, columns) in enumerate(cases()):
        lowered = {
            "MAX_TILES": 2 if number % 4 == 1 else None,  # rows are divided among programs
            "SHORT_ROW": 0 if number % 2 else None,  # short rows in the tiles of long ones
            "PROGRAMS": 1 if number % 7 < 4 else None,  # a program looks for ties in several rows
            "HALF_PRECISION": 8 if number % 5 == 2 else None,  # ties are counted in one launch
        }
        for limit, value in lowered.items():
            setattr(counting_triton, limit, LIMITS[limit] if value is None else value)
        ordered = number % 3 > 0
        compare(f"{name}, {ordered=}", scores, columns, ordered=ordered)
        compared += 1
    judged_items.count_in_torch = counting_triton.count
    difference, metric = largest_difference("torch cuda" if DEVICE == "cuda" else "torch", RULES["default"])
    if difference > CLOSE:
        raise AssertionError(f"{metric} differs from NumPy by {difference}")
    print(f"{compared} cases on {DEVICE}")  # noqa: T201


if __name__ == "__main__":
    main()
