"""A number with its confidence interval, which also works as a plain float."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

from rankgauge.rendering.document import Table
from rankgauge.rendering.frame_result import FrameResult, columns_of
from rankgauge.rendering.language import Lang, Phrase
from rankgauge.rendering.plain import decimal, finite_or_none

TITLES = (Phrase("measure", "指标"), Phrase("value", "值"), Phrase("interval", "区间"))


@dataclass(frozen=True)
class Number:
    """A value with its confidence interval; ``float(number)`` is the value.

    >>> kappa = Number(0.4, 0.3, 0.5)
    >>> float(kappa) + 0.1, str(kappa)
    (0.5, '0.4000 [0.3000, 0.5000]')
    """

    value: float
    low: float
    high: float

    def __float__(self) -> float:
        return self.value

    @property
    def half_width(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    @property
    def excludes_zero(self) -> bool:
        """Whether the interval excludes 0."""
        return self.low > 0 or self.high < 0

    def to_dict(self) -> dict[str, float | None]:
        """Return plain data."""
        return {name: finite_or_none(getattr(self, name)) for name in ("value", "low", "high")}

    def cells(self, digits: int = 4, *, signed: bool = False) -> Sequence[str]:
        """Return the value and the interval as cells of a table."""
        sign = "+" if signed else ""
        value, low, high = (
            f"{number:{sign}.{digits}f}" if signed else decimal(number, digits)
            for number in (self.value, self.low, self.high)
        )
        return value, "–" if isnan(self.low) else f"{low} … {high}"

    def __str__(self) -> str:
        return f"{self.value:.4f} [{self.low:.4f}, {self.high:.4f}]"


class NamedNumbers(FrameResult):
    """Base class of results that are numbers with names."""

    def numbers(self) -> Mapping[str, Number]:
        """Return the numbers by name."""
        raise NotImplementedError

    def frame_columns(self) -> dict[str, list[Any]]:
        """Return a row for each number, as columns: measure, value, low and high."""
        return columns_of({"measure": name, **number.to_dict()} for name, number in self.numbers().items())


def number_table(numbers: Mapping[str, Number], lang: Lang, digits: int) -> Table:
    """Return a table of numbers with their intervals, by label."""
    rows = [[label, *number.cells(digits)] for label, number in numbers.items()]
    return Table([title.render(lang) for title in TITLES], rows, align="lrr")
