"""What a kernel returns: a sum over the rows, over a normaliser.

A contribution is the product of named factors (gain x discount, relevant x precision). Because a kernel
hands over the factors and the normaliser instead of their quotient, the value, its explanation, its curve
over k and its attribution to items all come from the one declaration.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from typing import NamedTuple

import numpy as np

from rankgauge.matching.judged_rankings import JudgedRankings
from rankgauge.segments import Bools, Floats, Numbers

Cut = Floats | float | None


class Normaliser(NamedTuple):
    """What a sum is divided by, with the name that an explanation shows."""

    name: str
    values: Floats
    steps: Sum | None = None


class Rest(NamedTuple):
    """What is added to the contributions, with the name that an explanation shows."""

    name: str
    values: Floats


class Last(NamedTuple):
    """What is done to the quotient at the end, with the name that an explanation shows."""

    name: str
    function: Callable[[Floats], Floats]


class Sum:
    """(rest + sum of the products of the factors) / normaliser, then perhaps a last function."""

    __slots__ = (
        "_contributions", "_totals", "_undefined", "cut", "factors", "judged", "last", "normaliser", "parts", "rest",
        "weight",
    )  # fmt: skip

    def __init__(self, judged: JudgedRankings, factors: Mapping[str, Numbers], cut: Cut) -> None:
        self.judged = judged
        self.factors = factors
        self.cut = cut
        self.rest: Rest | None = None
        self.normaliser: Normaliser | None = None
        self.last: Last | None = None
        self.parts: Mapping[str, Sum] = {}
        self.weight: Floats | None = None
        self._contributions: Numbers | None = None
        self._totals: Floats | None = None
        self._undefined: tuple[Floats, Bools | None] | None = None

    @property
    def contributions(self) -> Numbers:
        """Of each row, before the division; 0 outside the cut."""
        if self._contributions is None:
            product = reduce(np.multiply, self.factors.values()) if self.factors else np.zeros_like(self.judged.rank)
            self._contributions = product if self.cut is None else product * self.judged.within(self.cut)
        return self._contributions

    @property
    def totals(self) -> Floats:
        """The sum of each query, before the division."""
        if self._totals is None:
            total = self.judged.segments.sum(self.contributions)
            self._totals = total if self.rest is None else total + self.rest.values
        return self._totals

    @property
    def undefined(self) -> Bools | None:
        """The queries whose normaliser is 0; None where no query has such a one."""
        if self.normaliser is None:
            return None
        below = self.normaliser.values
        if self._undefined is None or self._undefined[0] is not below:
            zero = below == 0
            self._undefined = below, zero if zero.any() else None
        return self._undefined[1]

    def quotients(self) -> Floats:
        """The sum over the normaliser; NaN where that is 0."""
        if self.normaliser is None:
            return self.totals
        below, undefined = self.normaliser.values, self.undefined
        with np.errstate(invalid="ignore"):  # what is too large is said by the metric
            if undefined is None:
                return self.totals / below
            return np.divide(self.totals, below, out=np.full_like(self.totals, np.nan), where=~undefined)

    # A kernel adds these as it builds the sum.

    def over(self, name: str, below: Floats | Sum) -> Sum:
        """Divide by one number for each query, or by another sum."""
        self.normaliser = Normaliser(name, below.totals, below) if isinstance(below, Sum) else Normaliser(name, below)
        return self

    def plus(self, name: str, rest: Floats) -> Sum:
        """Add what does not come from any judged item that was returned."""
        self.rest = Rest(name, rest)
        return self

    def then(self, name: str, function: Callable[[Floats], Floats]) -> Sum:
        """Apply a function to the quotient at the end."""
        self.last = Last(name, function)
        return self

    def weighing(self, weight: Floats) -> Sum:
        """Let each query weigh so much where the values of queries become one (``summary="weighted"``)."""
        self.weight = weight
        return self

    def made_of(self, parts: Mapping[str, Sum]) -> Sum:
        """Show the parts that the value combines."""
        self.parts = parts
        return self


def total(judged: JudgedRankings, k: Cut = None, /, **factors: Numbers) -> Sum:
    """The sum of the products of the factors over the rows down to rank k."""
    return Sum(judged, factors, k)
