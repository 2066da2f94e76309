"""Sum: what a kernel returns, a sum of products of named factors over a normaliser; and the rules after the formula.

Because a kernel returns the factors (gain x discount, relevant x precision) and the normaliser instead of their
quotient, the value, its explanation, its curve over k and its attribution to items follow from one declaration.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import NamedTuple

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.matching.judged_rankings import JudgedRankings
from rankgauge.segments import Bools, Floats, Numbers

Cut = Floats | float | None


class Normaliser(NamedTuple):
    """The denominator of a sum, with its name in explanations."""

    name: str
    values: Floats
    steps: Sum | None = None


class Rest(NamedTuple):
    """A term added to the contributions, with its name in explanations."""

    name: str
    values: Floats


class Last(NamedTuple):
    """A function applied to the quotient, with its name in explanations."""

    name: str
    function: Callable[[Floats], Floats]


@dataclass(eq=False, repr=False, slots=True)
class Sum:
    """(rest + sum of products of the factors) / normaliser, with an optional final function."""

    judged: JudgedRankings
    factors: Mapping[str, Numbers]
    cut: Cut
    rest: Rest | None = None
    normaliser: Normaliser | None = None
    last: Last | None = None
    parts: Mapping[str, Sum] = field(default_factory=dict)
    weight: Floats | None = None
    returned: Floats | None = None
    """Number of items returned for each query, set once the sum is complete."""
    enlarged: Floats | int | None = None
    """The cutoff of each query if ties enlarged it."""
    _contributions: Numbers | None = None
    _totals: Floats | None = None
    _undefined: tuple[Floats, Bools | None] | None = None

    @property
    def contributions(self) -> Numbers:
        """The product of the factors of each row; 0 after the cutoff."""
        if self._contributions is None:
            product = reduce(np.multiply, self.factors.values() or [np.zeros_like(self.judged.rank)])
            self._contributions = product if self.cut is None else product * self.judged.within(self.cut)
        return self._contributions

    @property
    def totals(self) -> Floats:
        """The sum of each query, before division."""
        if self._totals is None:
            total = self.judged.segments.sum(self.contributions)
            self._totals = total if self.rest is None else total + self.rest.values
        return self._totals

    @property
    def undefined(self) -> Bools | None:
        """Which queries have a normaliser of 0; None if there are none."""
        if self.normaliser is None:
            return None
        below = self.normaliser.values
        if self._undefined is None or self._undefined[0] is not below:
            zero = below == 0
            known = isinstance(zero, np.ndarray)  # asking a device would wait for it
            self._undefined = below, zero if not known or zero.any() else None
        return self._undefined[1]

    def quotients(self) -> Floats:
        """Return the sums divided by the normaliser; NaN where it is 0."""
        if self.normaliser is None:
            return self.totals
        undefined = self.undefined
        with np.errstate(divide="ignore", invalid="ignore"):  # Metric.values_of reports overflow
            quotients = self.totals / self.normaliser.values
        return quotients if undefined is None else np.where(undefined, np.nan, quotients)

    # Used by kernels to build the sum.

    def over(self, name: str, below: Floats | Sum) -> Sum:
        """Divide by one number per query, or by another sum."""
        self.normaliser = Normaliser(name, below.totals, below) if isinstance(below, Sum) else Normaliser(name, below)
        return self

    def adding_below(self, constant: float) -> Sum:
        """Add a constant to the denominator, if there is one."""
        if self.normaliser is not None:
            name, values, steps = self.normaliser
            self.normaliser = Normaliser(f"{name} + {constant:g}", values + constant, steps)
        return self

    def plus(self, name: str, rest: Floats) -> Sum:
        """Add a term that does not come from a judged item of the list."""
        self.rest = Rest(name, rest)
        return self

    def then(self, name: str, function: Callable[[Floats], Floats]) -> Sum:
        """Apply a function to the quotient."""
        self.last = Last(name, function)
        return self

    def weighing(self, weight: Floats) -> Sum:
        """Set the weight of each query for ``summary="weighted"``."""
        self.weight = weight
        return self

    def made_of(self, parts: Mapping[str, Sum]) -> Sum:
        """Show the parts that make up the value."""
        self.parts = parts
        return self


def total(judged: JudgedRankings, k: Cut = None, /, **factors: Numbers) -> Sum:
    """Return the sum of products of the factors over the rows of ``judged`` up to rank k."""
    return Sum(judged, factors, k)


def ranks_up_to(j: JudgedRankings, k: Floats | int | None) -> tuple[str, Floats]:
    """Return k for each query, or the number of returned items n if there is no cutoff, with its name."""
    return ("n", j.shown(None)) if k is None else ("k", 0.0 * j.returned + k)


def adjusted_values(values: Floats, computed: Sum, k: int | None, rules: Convention) -> Iterator[tuple[str, Floats]]:
    """Yield the name of each rule that is set, and the values after it."""
    if rules.short_list == "zero" and k is not None and computed.returned is not None:
        values = np.where(computed.returned < (k if computed.enlarged is None else computed.enlarged), 0.0, values)
        yield "short_list", values
    if rules.rounding != "none":
        unit = 10.0**rules.rounding
        values = np.floor(values * unit + 0.5) / unit
        yield "rounding", values
    if rules.no_relevant != "computed":
        instead = np.nan if rules.no_relevant == "skip" else 0.0
        yield "no_relevant", np.where(computed.judged.relevant_judged(rules.rel) > 0, values, instead)
