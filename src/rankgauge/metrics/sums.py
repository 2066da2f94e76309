"""What a kernel returns: a sum over the rows, over a normaliser.

A contribution is the product of named factors (gain x discount, relevant x precision). Because a kernel
hands over the factors and the normaliser instead of their quotient, the value, its explanation, its curve
over k and its attribution to items all come from the one declaration.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce

import numpy as np

from rankgauge.match.judged import Judged
from rankgauge.match.segments import Floats, Numbers

Cut = Floats | float | None


@dataclass(frozen=True)
class Normaliser:
    """What a sum is divided by, with the name that an explanation shows."""

    name: str
    values: Floats
    steps: Sum | None = None


@dataclass(frozen=True, eq=False)
class Sum:
    """(rest + sum of the products of the factors) / normaliser, then perhaps a last function."""

    judged: Judged
    factors: Mapping[str, Numbers]
    cut: Cut = None
    rest: Floats | None = None
    rest_name: str = ""
    normaliser: Normaliser | None = None
    last_name: str = ""
    last: Callable[[Floats], Floats] | None = None
    parts: Mapping[str, Sum] = field(default_factory=dict)

    @cached_property
    def contributions(self) -> Numbers:
        """Of each row, before the division; 0 outside the cut."""
        product = reduce(np.multiply, self.factors.values())
        return product if self.cut is None else product * self.judged.within(self.cut)

    @cached_property
    def totals(self) -> Floats:
        """The sum of each query, before the division."""
        total = self.judged.segments.sum(self.contributions)
        return total if self.rest is None else total + self.rest

    @cached_property
    def quotients(self) -> Floats:
        """The sum over the normaliser; NaN where that is 0."""
        if self.normaliser is None:
            return self.totals
        below = self.normaliser.values
        return np.divide(self.totals, below, out=np.full(len(self.totals), np.nan), where=below != 0)

    def over(self, name: str, below: Floats | Sum) -> Sum:
        """Divide by one number for each query, or by another sum."""
        if isinstance(below, Sum):
            return replace(self, normaliser=Normaliser(name, below.totals, below))
        return replace(self, normaliser=Normaliser(name, below))

    def plus(self, name: str, rest: Floats) -> Sum:
        """Add what does not come from any judged item that was returned."""
        return replace(self, rest=rest, rest_name=name)

    def then(self, name: str, last: Callable[[Floats], Floats]) -> Sum:
        """Apply a function to the quotient at the end."""
        return replace(self, last_name=name, last=last)

    def made_of(self, **parts: Sum) -> Sum:
        """Show the parts that the value combines."""
        return replace(self, parts=parts)


def total(judged: Judged, k: Cut = None, /, **factors: Numbers) -> Sum:
    """The sum of the products of the factors over the rows down to rank k."""
    return Sum(judged, factors, k)
