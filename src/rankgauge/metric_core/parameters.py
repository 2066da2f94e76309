"""The kinds of parameters that a metric can declare, each with its check and its words.

A kernel's signature is the declaration: ``k: Cutoff = None`` is checked as a cutoff wherever it is written,
and ``gain: GainFunction = rule()`` is taken from the convention unless the metric sets it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real
from typing import Annotated, Any

import numpy as np

from rankgauge.conventions import RULES, Convention
from rankgauge.conventions.discounts import discount_function
from rankgauge.conventions.gains import FROM_REL, gain_function
from rankgauge.conventions.rule import plain_number
from rankgauge.errors import ParameterError


@dataclass(frozen=True)
class Domain:
    """What a parameter may be: a description for messages and help, and the test."""

    allowed: str
    accepts: Callable[[Any], bool]

    def check(self, name: str, value: Any, owner: str) -> Any:
        """The value in its plain form, or an error that names the metric, the parameter and the value."""
        if isinstance(value, bool) != (self is FLAG) or not self.accepts(value):
            raise ParameterError.of(name, value, self.allowed, owner)
        return plain_number(value) if isinstance(value, Real) and not isinstance(value, bool) else value


def _finite(value: Any) -> bool:
    return isinstance(value, Real) and bool(np.isfinite(float(value)))


FLAG = Domain("True or False", lambda value: isinstance(value, bool))
Cutoff = Annotated[
    int | None,
    Domain(
        "a whole number of at least 1, or None for no cutoff",
        lambda value: value is None or (isinstance(value, int | np.integer) and value >= 1),
    ),
]
Number = Annotated[float, Domain("a number", _finite)]
Positive = Annotated[float, Domain("a number above 0", lambda value: _finite(value) and value > 0)]
NonNegative = Annotated[float, Domain("a number of at least 0", lambda value: _finite(value) and value >= 0)]
Probability = Annotated[float, Domain("a number between 0 and 1", lambda value: _finite(value) and 0 < value < 1)]
Share = Annotated[float, Domain("a number from 0 to 1", lambda value: _finite(value) and 0 <= value <= 1)]
Flag = Annotated[bool, FLAG]


def one_of(*names: str) -> Domain:
    """A kind for a parameter that has one of these names."""
    return Domain(f"one of {', '.join(names)}", lambda value: value in names)


@dataclass(frozen=True)
class FromConvention:
    """The default of a parameter that the convention decides."""

    rule: str = ""


def rule(name: str = "") -> Any:
    """The rule of the convention with this name, or with the name of the parameter."""
    return FromConvention(name)


@dataclass(frozen=True)
class Parameter:
    """One parameter of a metric, as its kernel declares it."""

    name: str
    default: Any
    domain: Domain | None
    rule: str | None

    @property
    def allowed(self) -> str:
        """What may be given, in words."""
        if self.rule is None:
            return self.domain.allowed if self.domain else "anything"
        return " | ".join(RULES[self.rule].values) or "a number"

    def check(self, value: Any, owner: str) -> Any:
        """The value in its plain form, or an error."""
        if self.rule is None:
            return self.domain.check(self.name, value, owner) if self.domain else value
        if value is None:
            return None
        try:
            return RULES[self.rule].check(self.name, value)
        except ParameterError as error:
            raise type(error)(f"{owner}: {error}") from None

    def bind(self, value: Any, convention: Convention) -> Any:
        """What the kernel receives: the metric's own value, else the convention's, functions for names."""
        if self.rule is None:
            return value
        chosen = getattr(convention, self.rule) if value is None else value
        if self.rule == "gain":
            return gain_function(chosen, convention.rel if chosen == FROM_REL else 1.0)
        if self.rule == "discount":
            return discount_function(chosen)
        return chosen
