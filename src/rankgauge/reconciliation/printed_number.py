"""A number as somebody printed it, and the ways in which a value can have become it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rankgauge.errors import ParameterError
from rankgauge.metric_core.sums import Sum
from rankgauge.rendering.language import Lang, Phrase

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,4})?%?", re.IGNORECASE)
SLACK = 1e-6
"""How much of the last digit a value may be off: the order of additions differs from tool to tool."""
SINGLE = 1e-6
"""How far a tool that computes in single precision may be off."""
NOISE = 1e-9
"""Values that differ by less are the same: the order of additions differs."""
DIGITS_BEFORE = (1, 2, 3, 4)
"""To how many digits people round before they divide."""
HOW = {
    "rounded": Phrase("rounded", "四舍五入"),
    "truncated": Phrase("cut off instead of rounded", "截断而非四舍五入"),
    "single": Phrase("computed in single precision", "以单精度计算"),
    "sums": Phrase(
        "rounding before dividing: {above:g} / {below:g} = {quotient:.6f}, {last}",
        "先舍入再相除：{above:g} / {below:g} = {quotient:.6f}，{last}",
    ),
    "terms": Phrase(
        "rounding before dividing: each term to the nearest {step:g}, "
        "then {above:g} / {below:g} = {quotient:.6f}, {last}",
        "先舍入再相除：各项先舍入到 {step:g}，再算 {above:g} / {below:g} = {quotient:.6f}，{last}",
    ),
}


@dataclass(frozen=True)
class Fit:
    """How a value became a printed number."""

    how: str
    extra: int = 0
    """How many unusual things were done to it, each as unlikely as one more rule that differs."""
    digits: int = 0
    above: float = 0.0
    below: float = 0.0
    last: str = "rounded"

    def render(self, lang: Lang) -> str:
        """In words."""
        if not self.below:
            return HOW[self.how].render(lang)
        numbers = {"above": self.above, "below": self.below, "quotient": self.above / self.below}
        return HOW[self.how].render(lang, step=10.0**-self.digits, last=HOW[self.last].render(lang), **numbers)


@dataclass(frozen=True)
class Printed:
    """A number with as many digits as were printed.

    >>> number = Printed.of("0.4537")
    >>> number.fit(0.45374), number.fit(0.45376), number.fit(0.4538)
    (Fit(how='rounded', extra=0, digits=0, above=0.0, below=0.0, last='rounded'), \
Fit(how='truncated', extra=1, digits=0, above=0.0, below=0.0, last='rounded'), None)
    """

    text: str
    value: float
    unit: float
    """One of the last digit."""

    @classmethod
    def of(cls, given: str | float, *, share: bool = True) -> Printed:
        """From text, whose digits count, or from a number; ``share``: what is above 1 is in percent."""
        text = given.strip() if isinstance(given, str) else repr(float(given))
        if not NUMBER.fullmatch(text):
            raise ParameterError.of("value", given, "a number as it was printed, such as '0.4537'")
        mantissa, _, exponent = text.rstrip("%").lower().partition("e")
        unit = float(f"1e{int(exponent or 0) - len(mantissa.partition('.')[2])}")
        value = float(text.rstrip("%"))
        if not (math.isfinite(value) and 0 < unit < math.inf):
            raise ParameterError.of("value", given, "a number that a computer can hold")
        if text.endswith("%") or (share and abs(value) > 1 and unit < 1):
            return cls(text, value / 100, unit / 100)
        return cls(text, value, unit)

    def fit(self, value: float) -> Fit | None:
        """How this value can have become the number; None where it cannot."""
        off = abs(value - self.value) / self.unit
        if off <= 0.5 + SLACK:
            return Fit("rounded")
        if abs(value - self.value) <= SINGLE * max(1.0, abs(value)) and self.unit < SINGLE:
            return Fit("single")
        further = abs(value) > abs(self.value) and value * self.value >= 0
        return Fit("truncated", extra=1) if further and off < 1.0 - SLACK else None

    def fit_early(self, computed: Sum) -> Fit | None:
        """How the number comes about when the sums of one list are rounded before they are divided."""
        fits = [
            Fit(how, 1 + last.extra, digits, above, below, last.how)
            for how, digits, above, below in rounded_early(computed)
            if (last := self.fit(above / below)) is not None
        ]
        return min(fits, key=lambda fit: fit.extra, default=None)


def rounded_early(computed: Sum) -> Iterator[tuple[str, int, float, float]]:
    """Numerator and denominator of one list, rounded as people do by hand."""
    below = computed.normaliser
    if below is None or computed.last is not None or len(below.values) != 1:
        return
    for digits in DIGITS_BEFORE:
        sums = [round(float(one[0]), digits) for one in (computed.totals, below.values)]
        if sums[1]:
            yield "sums", digits, sums[0], sums[1]
        if below.steps is not None and computed.rest is None and below.steps.rest is None:
            terms = [_sum_rounded(one, digits) for one in (computed, below.steps)]
            if terms[1]:
                yield "terms", digits, terms[0], terms[1]


def _sum_rounded(computed: Sum, digits: int) -> float:
    return round(math.fsum(np.round(computed.contributions, digits).tolist()), digits)


def decimals(values: list[float], least: int = 4, most: int = 8) -> int:
    """The fewest digits at which these values can be told apart, but for the noise of additions."""
    unlike: list[float] = []
    for value in sorted(values):
        if not unlike or value - unlike[-1] > NOISE:
            unlike.append(value)
    for digits in range(least, most):
        if len({f"{value:.{digits}f}" for value in unlike}) == len(unlike):
            return digits
    return least
