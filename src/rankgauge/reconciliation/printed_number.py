"""A printed number, and the kinds of rounding that turn a value into it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from rankgauge.errors import ParameterError, shown
from rankgauge.metric_core.sums import Sum
from rankgauge.rendering.language import Lang, Phrase
from rankgauge.rendering.number_texts import decimal
from rankgauge.segments import Floats
from rankgauge.value_checks import fits_double

VALUE = "value (--value)"
"""What messages call a number to be explained."""
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,4})?%?", re.IGNORECASE)
RoundingKind = Literal["rounded", "truncated", "single", "sums", "terms"]
SLACK = 1e-6
"""Tolerance in units of the last digit, since tools add in different orders."""
SINGLE = 1e-6
"""Error of tools that compute in single precision."""
LARGEST = 1e300
"""Largest number, and reciprocal of the smallest unit of a last digit, so that neither overflows when scaled."""
NOISE = 1e-9
"""Values that differ by less count as equal, since tools add in different orders."""
PERCENTAGES = 2.0
"""Numbers from here on are percentages of a metric that ends at 1; one between 1 and 2 is rather a wrong value."""
AS_PERCENTAGE = Phrase("{number} is read as a percentage: {share}.", "{number} 按百分数理解，即 {share}。")
TOO_LARGE = Phrase(
    "The metric is at most 1; if {number} is a percentage, write {number}%.",
    "该指标不超过 1；若 {number} 是百分数，请写作 {number}%。",
)
MOST_BY_HAND = 1e9
"""Largest term of a calculation whose sums may have been rounded by hand."""
DIGITS_BEFORE = (1, 2, 3, 4)
"""Digits to which sums may be rounded before dividing."""
ROUNDING_NAMES: dict[RoundingKind, Phrase] = {
    "rounded": Phrase("rounded", "四舍五入"),
    "truncated": Phrase("truncated instead of rounded", "直接截断，未四舍五入"),
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
class Rounding:
    """How a value was turned into a printed number."""

    how: RoundingKind
    extra: int = 0
    """Number of unusual operations, each weighed like one more differing rule."""
    digits: int = 0
    above: float = 0.0
    below: float = 0.0
    last: RoundingKind | None = "rounded"
    """How the quotient was rounded after early rounding; None if it does not give the number."""

    @property
    def fits(self) -> bool:
        """Whether the rounding gives the number."""
        return self.last is not None

    @property
    def truncated(self) -> bool:
        """Whether digits of an exact value were cut off, which a tool rarely does."""
        return self.how == "truncated"

    def render(self, lang: Lang) -> str:
        """Describe the rounding."""
        if not self.below:
            return ROUNDING_NAMES[self.how].render(lang)
        numbers = {"above": self.above, "below": self.below, "quotient": self.above / self.below}
        return ROUNDING_NAMES[self.how].render(
            lang, step=10.0**-self.digits, last=ROUNDING_NAMES[self.last or "rounded"].render(lang), **numbers
        )


@dataclass(frozen=True)
class PrintedNumber:
    """A number with the digits that were printed.

    >>> number = PrintedNumber.of("0.4537")
    >>> [number.rounding_of(value) and number.rounding_of(value).how for value in (0.45374, 0.45376, 0.4538)]
    ['rounded', 'truncated', None]
    """

    text: str
    value: float
    unit: float
    """One unit of the last digit."""
    is_share: bool = False
    """Whether a number without a percent sign was taken as a percentage, since the metric ends at 1."""
    ends_at_1: bool = False
    """Whether the metric has values from 0 to 1."""

    @property
    def reading(self) -> Phrase | None:
        """How a number above 1 is read if the metric ends at 1."""
        if self.is_share:
            share = decimal(self.value, self.decimals)
            return AS_PERCENTAGE.fill(number=self.text, share=share)
        return TOO_LARGE.fill(number=self.text) if self.ends_at_1 and self.value > 1 else None

    @property
    def decimals(self) -> int:
        """Number of decimals; of the share, if it was a percentage."""
        return max(0, -math.floor(math.log10(self.unit) + 0.5))

    @classmethod
    def of(cls, number: str | float, *, share: bool = False) -> PrintedNumber:
        """Parse text, whose digits count, or a number; with ``share``, values from PERCENTAGES on are percentages."""
        text = (
            number.strip() if isinstance(number, str) else repr(float(number)) if fits_double(number) else shown(number)
        )
        if not NUMBER.fullmatch(text):
            raise ParameterError.of(
                VALUE, number, ("a number as it was printed, such as '0.4537'", "原样书写的数，如 '0.4537'")
            )
        mantissa, _, exponent = text.rstrip("%").lower().partition("e")
        unit = float(f"1e{int(exponent or 0) - len(mantissa.partition('.')[2])}")
        value = float(text.rstrip("%"))
        if abs(value) > LARGEST or not 1 / LARGEST <= unit <= LARGEST:
            expected = (
                f"a number within the range of floats, up to {LARGEST:g} and with a last digit from {1 / LARGEST:g}"
            )
            raise ParameterError.of(VALUE, number, expected)
        if text.endswith("%") or (share and abs(value) >= PERCENTAGES):
            return cls(text, value / 100, unit / 100, is_share=not text.endswith("%"))
        return cls(text, value, unit, ends_at_1=share)

    def is_rounded(self, finer: PrintedNumber) -> bool:
        """Whether this is the other number with fewer decimals.

        >>> PrintedNumber.of("0.83").is_rounded(PrintedNumber.of("0.8296"))
        True
        """
        rounding = self.rounding_of(finer.value)
        return finer.unit < self.unit * (1 - SLACK) and rounding is not None and rounding.how == "rounded"

    def distances(self, values: Floats) -> Floats:
        """Return how far each value is from the number."""
        with np.errstate(over="ignore"):  # values near the end of the range
            return np.abs(values - self.value)

    def rounding_of(self, value: float) -> Rounding | None:
        """Return how this value can have been turned into the number; None if it cannot."""
        off = abs(value - self.value) / self.unit
        if off <= 0.5 + SLACK:
            return Rounding("rounded")
        if abs(value - self.value) <= SINGLE * max(1.0, abs(value)) and self.unit < SINGLE:
            return Rounding("single")
        further = abs(value) > abs(self.value) and value * self.value >= 0
        return Rounding("truncated", extra=1) if further and off < 1.0 - SLACK else None

    def is_rounding_of(self, value: float) -> bool:
        """Whether the number is this value, rounded and not truncated."""
        rounding = self.rounding_of(value)
        return rounding is not None and not rounding.extra

    def early_roundings(self, computed: Sum) -> Iterator[Rounding]:
        """Yield the ways to round the sums of a single list before dividing, whether or not they give the number."""
        for how, digits, above, below in _rounded_early(computed):
            last = self.rounding_of(above / below)
            extra = 1 + (last.extra if last else 0)
            yield Rounding(how, extra, digits, above, below, last.how if last else None)


def _rounded_early(computed: Sum) -> Iterator[tuple[RoundingKind, int, float, float]]:
    """Yield the numerator and denominator of a single list, rounded as in a calculation by hand."""
    below = computed.normaliser
    if below is None or computed.last is not None or len(below.values) != 1:
        return
    if max(float(np.max(np.abs(part), initial=0.0)) for part in (computed.contributions, below.values)) > MOST_BY_HAND:
        return
    for digits in DIGITS_BEFORE:
        sums = [round(float(totals[0]), digits) for totals in (computed.totals, below.values)]
        if sums[1]:
            yield "sums", digits, sums[0], sums[1]
        if below.steps is not None and computed.rest is None and below.steps.rest is None:
            parts = (np.round(part.contributions, digits).tolist() for part in (computed, below.steps))
            terms = [round(math.fsum(part), digits) for part in parts]
            if terms[1]:
                yield "terms", digits, terms[0], terms[1]


def decimals(values: list[float], least: int = 4, most: int = 8) -> int:
    """Return the fewest digits that distinguish these values, up to rounding errors of sums."""
    distinct: list[float] = []
    for value in sorted(values):
        if not distinct or value - distinct[-1] > NOISE:
            distinct.append(value)
    enough = (n for n in range(least, most) if len({f"{value:.{n}f}" for value in distinct}) == len(distinct))
    return next(enough, least)


def nearly_equal(first: float, second: float) -> bool:
    """Whether two values are equal up to rounding errors of sums; NaN equals NaN."""
    if math.isnan(first) or math.isnan(second):
        return math.isnan(first) and math.isnan(second)
    return abs(first - second) <= NOISE * max(1.0, abs(first), abs(second))
