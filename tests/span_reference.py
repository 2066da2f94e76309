"""Metrics of covered text as slow, obvious loops over sets of characters, and hand-worked values of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from math import log2
from typing import NamedTuple


class Stretch(NamedTuple):
    """A span of a document."""

    document: str
    start: int
    end: int

    @property
    def characters(self) -> list[tuple[str, int]]:
        return [(self.document, place) for place in range(self.start, self.end)]

    def __str__(self) -> str:
        return f"{self.document}[{self.start}:{self.end}]"


def characters(spans: Sequence[Stretch], overlaps: str) -> float:
    """The number of characters, each once or in each span that has it."""
    every = [character for span in spans for character in span.characters]
    return len(every if overlaps == "each" else set(every))


def found(gold: Sequence[Stretch], chunks: Sequence[Stretch]) -> set[tuple[str, int]]:
    return {c for span in gold for c in span.characters} & {c for span in chunks for c in span.characters}


def quotient(above: float, below: float) -> float:
    return above / below if below else math.nan


def SpanRecall(gold, chunks, *, k=None, overlaps="once"):
    return quotient(len(found(gold, chunks[:k])), characters(gold, overlaps))


def SpanPrecision(gold, chunks, *, k=None, overlaps="once"):
    return quotient(len(found(gold, chunks[:k])), characters(chunks[:k], overlaps))


def SpanIoU(gold, chunks, *, k=None, overlaps="once", which="all"):
    def counts(span: Stretch) -> bool:
        if which == "bordering":
            span = Stretch(span.document, span.start - 1, span.end + 1)
        return which == "all" or bool(found(gold, [span]))

    covered = {character for span in chunks[:k] for character in span.characters}
    missed = [character for span in gold for character in span.characters if character not in covered]
    rest = len(missed if overlaps == "each" else set(missed))
    below = characters([span for span in chunks[:k] if counts(span)], overlaps) + rest
    return quotient(len(found(gold, chunks[:k])), below)


def SpannDCG(gold, chunks, *, k=None, discount: Callable[[float], float] = lambda rank: log2(rank + 1)):
    total = 0.0
    for place, span in enumerate(chunks[:k]):
        new = found(gold, [span]) - found(gold, chunks[:place])
        total += len(new) / discount(place + 1)
    return quotient(total * discount(1), characters(gold, "once"))


SPAN_REFERENCES = {"SpanRecall": SpanRecall, "SpanPrecision": SpanPrecision, "SpanIoU": SpanIoU, "SpannDCG": SpannDCG}

GOLD = [Stretch("d", 0, 40), Stretch("d", 30, 50), Stretch("e", 0, 10)]
CHUNKS = [Stretch("d", 20, 60), Stretch("x", 0, 5), Stretch("d", 10, 30)]


class SpanCase(NamedTuple):
    """A metric and its value for ``GOLD`` and ``CHUNKS``."""

    metric: str
    expected: float


SPAN_CASES = [
    SpanCase("SpanRecall@1", 30 / 60),  # d[20:50] of d[0:50] and e[0:10]
    SpanCase("SpanRecall", 40 / 60),
    SpanCase("SpanRecall(overlaps='each')", 40 / 70),
    SpanCase("SpanPrecision@1", 30 / 40),
    SpanCase("SpanPrecision", 40 / (40 + 5 + 10)),
    SpanCase("SpanPrecision(overlaps='each')", 40 / (40 + 5 + 20)),
    SpanCase("SpanIoU", 40 / (55 + 20)),
    SpanCase("SpanIoU(overlaps='each')", 40 / (65 + 10 + 10)),
    SpanCase("SpanIoU(chunks='touching')", 40 / (50 + 20)),
    SpanCase("SpannDCG", (30 + 10 / log2(4)) / 60),
]


def random_world(random):
    """Gold and chunks over few short documents, so that spans overlap, nest and repeat."""

    def span():
        start = int(random.integers(0, 18))
        return str(random.choice(["d", "e", "f[0:3]", "日😀"])), start, start + int(random.integers(1, 8))

    gold = {(f"q{number % 3}", *span()): int(random.integers(1, 4)) for number in range(int(random.integers(1, 9)))}
    chunks = list(dict.fromkeys((f"q{random.integers(0, 3)}", *span()) for _ in range(int(random.integers(1, 14)))))
    return gold, chunks
