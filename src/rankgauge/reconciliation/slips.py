"""Slips: values that arise when one term of a single list is computed wrongly, as in calculations by hand."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.conventions.gains import gain_function
from rankgauge.errors import RankgaugeError
from rankgauge.metric_core.sums import Sum
from rankgauge.metric_core.words import factor_name
from rankgauge.rendering.language import Lang, Phrase
from rankgauge.rendering.plain import PlainData
from rankgauge.segments import Floats

Place = Literal["list", "ideal", "both"]
MAX_TERMS = 20
"""Terms of a sum that are examined: nobody adds up more by hand."""
PLACES: dict[Place, Phrase] = {
    "list": Phrase("of the list", "排序结果中"),
    "ideal": Phrase("of the ideal order", "理想排序中"),
    "both": Phrase("of the list and of the ideal order", "排序结果与理想排序中"),
}
KINDS = {
    "omitted": Phrase("rank {rank} {place} left out", "{place}漏掉第 {rank} 位"),
    "without": Phrase("rank {rank} {place} without its {factor}", "{place}第 {rank} 位漏乘{factor}"),
    "neighbour": Phrase(
        "rank {rank} {place} with the {factor} of rank {other}", "{place}第 {rank} 位误用第 {other} 位的{factor}"
    ),
    "base": Phrase("rank {rank} {place} with {other} instead of log2", "{place}第 {rank} 位误用 {other} 而非 log2"),
    "grade": Phrase("grade of rank {rank} {place} read as {other}", "{place}第 {rank} 位的等级误读为 {other}"),
    "relevant": Phrase("rank {rank} {place} counted as relevant", "{place}第 {rank} 位误计为相关"),
    "tail": Phrase("nothing {place} added after rank {rank}", "{place}第 {rank} 位之后未计入"),
}
WRONG = Phrase("{what}: {wrong:.4g} instead of {term:.4g}", "{what}：{wrong:.4g}，应为 {term:.4g}")
LOGARITHMS = {"ln": 1 / math.log(2), "log10": 1 / math.log10(2)}


@dataclass(frozen=True)
class Slip:
    """A wrong term, and the value that it gives."""

    kind: str
    place: Place
    rank: int
    term: float
    """The right contribution of the term (of the left-out terms)."""
    wrong: float
    """The contribution with the slip."""
    value: float
    factor: str = ""
    other: Any = ""

    def render(self, lang: Lang) -> str:
        """Describe the slip."""
        factor = factor_name(self.factor).render(lang) if self.factor else ""
        place = PLACES[self.place].render(lang)
        what = KINDS[self.kind].render(lang, rank=self.rank, place=place, factor=factor, other=self.other)
        return WRONG.render(lang, what=what, wrong=self.wrong, term=self.term)

    def to_dict(self) -> PlainData:
        """Return the slip as plain data."""
        return {"kind": self.kind, "of": self.place, "rank": self.rank, "right": self.term, "wrong": self.wrong}


@dataclass(frozen=True)
class NeededTerm:
    """What a term would have to be if it alone were wrong."""

    place: Place
    rank: int
    term: float
    needed: float


@dataclass(frozen=True)
class _Variant:
    """A term computed wrongly."""

    kind: str
    row: int
    right: float
    wrong: float
    factor: str = ""
    other: Any = ""

    @property
    def off(self) -> float:
        """Change of the sum."""
        return self.wrong - self.right


@dataclass(frozen=True)
class _Terms:
    """The first terms of a sum over a single list."""

    ranks: Floats
    grades: Floats
    terms: Floats
    factors: dict[str, Floats]
    total: float
    rules: Convention = field(repr=False)

    @classmethod
    def of(cls, computed: Sum, rules: Convention) -> _Terms | None:
        """Return the terms up to the cutoff; None if the sum has other parts than terms."""
        if computed.rest is not None or len(computed.totals) != 1 or computed.judged.tie_first is not None:
            return None
        judged = computed.judged
        inside = np.ones(len(judged.rank), dtype=bool) if computed.cut is None else judged.within(computed.cut) > 0
        rows = np.flatnonzero(inside)[:MAX_TERMS]
        factors = {name: np.broadcast_to(column, judged.rank.shape)[rows] for name, column in computed.factors.items()}
        terms = computed.contributions[rows]
        return cls(judged.rank[rows], judged.grade[rows], terms, factors, float(computed.totals[0]), rules)

    def variants(self) -> Iterator[_Variant]:
        """Yield every term as it would be with a slip."""
        for row, term in enumerate(self.terms.tolist()):
            if term:
                yield _Variant("omitted", row, term, 0.0)
            for name, column in self.factors.items():
                others = math.prod(float(other[row]) for factor, other in self.factors.items() if factor != name)
                yield from self._factor_variants(row, name, column, others)
        for row in range(1, len(self.terms) - 1):
            yield _Variant("tail", row, self.total - float(self.terms[: row + 1].sum()), 0.0)

    def _factor_variants(self, row: int, name: str, column: Floats, others: float) -> Iterator[_Variant]:
        factor, term = float(column[row]), float(self.terms[row])
        if factor not in {0.0, 1.0}:
            yield _Variant("without", row, term, others, name)
        for other in (row - 1, row + 1):
            if 0 <= other < len(column) and column[other] != factor:
                yield _Variant("neighbour", row, term, others * float(column[other]), name, int(self.ranks[other]))
        if name == "relevant" and not factor and others:
            yield _Variant("relevant", row, term, others, name)
        if name == "gain":
            yield from self._grade_variants(row, others)
        if name == "discount" and str(self.rules.discount).startswith("log2") and factor != 1:
            for base, scale in LOGARITHMS.items():
                yield _Variant("base", row, term, term * scale, name, base)

    def _grade_variants(self, row: int, others: float) -> Iterator[_Variant]:
        grade = float(self.grades[row])
        for misread in (grade - 1, grade + 1):
            if misread >= 0:
                try:
                    gain = gain_function(self.rules.gain, self.rules.rel)(np.array([misread]))
                except RankgaugeError:  # a grade that the gain does not know
                    continue
                yield _Variant("grade", row, float(self.terms[row]), others * float(gain[0]), other=f"{misread:g}")


def slips(computed: Sum, rules: Convention) -> Iterator[Slip]:
    """Yield the values that a slip in one term of a single list gives."""
    sums = _sums(computed, rules)
    if sums is None:
        return
    above, below, divisor = sums
    in_ideal = {} if below is None else {(v.kind, v.row, v.factor, v.other): v for v in below.variants()}
    for variant in above.variants():
        yield from _slip(variant, above, "list", above.total + variant.off, divisor)
        same = in_ideal.get((variant.kind, variant.row, variant.factor, variant.other))
        if same is not None and variant.factor == "discount":  # a table of discounts serves both sums
            yield from _slip(variant, above, "both", above.total + variant.off, divisor + same.off)
    if below is not None:
        for variant in in_ideal.values():
            yield from _slip(variant, below, "ideal", above.total, divisor + variant.off)


def needed_terms(computed: Sum, rules: Convention, value: float) -> list[NeededTerm]:
    """Return what each term would have to be if it alone were wrong; impossible ones are left out."""
    sums = _sums(computed, rules)
    if sums is None or value <= 0:
        return []
    above, below, divisor = sums
    off: list[tuple[Place, _Terms, float]] = [("list", above, value * divisor - above.total)]
    if below:
        off.append(("ideal", below, above.total / value - divisor))
    return [
        NeededTerm(place, int(rank), float(term), float(term) + missing)
        for place, terms, missing in off
        for rank, term in zip(terms.ranks, terms.terms, strict=True)
        if term > 0 and 0 <= term + missing <= terms.factors.get("gain", terms.terms).max()
    ]


def _sums(computed: Sum, rules: Convention) -> tuple[_Terms, _Terms | None, float] | None:
    """Return the terms of the list, those of its divisor if it is a sum, and the divisor."""
    above, normaliser = _Terms.of(computed, rules), computed.normaliser
    if above is None or computed.last is not None:
        return None
    if normaliser is None:
        return above, None, 1.0
    divisor = float(normaliser.values[0])
    below = _Terms.of(normaliser.steps, rules) if normaliser.steps is not None else None
    return (above, below, divisor) if divisor else None


def _slip(variant: _Variant, terms: _Terms, place: Place, above: float, below: float) -> Iterator[Slip]:
    if below > 0 and variant.off:
        rank, right, wrong = int(terms.ranks[variant.row]), variant.right, variant.wrong
        yield Slip(variant.kind, place, rank, right, wrong, above / below, variant.factor, variant.other)
