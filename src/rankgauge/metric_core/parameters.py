"""Parameters of metrics, and the domains that check their values.

A kernel's signature is the declaration: ``k: Cutoff = None`` is checked as a cutoff, and
``gain: GainFunction = rule()`` is taken from the convention unless the metric sets it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from rankgauge.conventions import RULES, Convention
from rankgauge.conventions.budget import Budget
from rankgauge.conventions.discounts import discount_function
from rankgauge.conventions.gains import gain_function, reads_rel
from rankgauge.conventions.rule import plain_number
from rankgauge.errors import ParameterError
from rankgauge.rendering.language import Phrase
from rankgauge.value_checks import fits_double, is_finite, is_integer


@dataclass(frozen=True)
class Domain:
    """The values that a parameter accepts: a description for messages and help, and the test."""

    allowed: Phrase
    accepts: Callable[[Any], bool]

    def check(self, name: str, value: Any, owner: str) -> Any:
        """Return the value in plain form, or raise an error that names the metric, the parameter and the value."""
        if isinstance(value, bool) != (self is FLAG) or not self.accepts(value):
            raise ParameterError.of(name, value, self.allowed, owner)
        return plain_number(value) if fits_double(value) and not isinstance(value, bool) else value


def number(en: str, zh: str, accepts: Callable[[float], bool]) -> Domain:
    """Return a domain of finite numbers."""
    return Domain(Phrase(en, zh), lambda value: is_finite(value) and accepts(float(value)))


FLAG = Domain(Phrase("True or False", "True 或 False"), lambda value: isinstance(value, bool))
Cutoff = Annotated[
    int | None,
    Domain(
        Phrase(
            "a whole number of at least 1 and below 2^53, or None for no cutoff",
            "不小于 1 且小于 2^53 的整数；None 表示不截断",
        ),
        lambda value: value is None or isinstance(value, Budget) or (is_integer(value) and 1 <= value < 2**53),
    ),
]
"""The type of a parameter of a metric: the cutoff k, or None for no cutoff."""
Number = Annotated[float, number("a number", "一个数", lambda _: True)]
Level = Annotated[
    float | None,
    Domain(
        Phrase("a number, or None for all items", "一个数；None 表示全部物品"),
        lambda value: value is None or is_finite(value),
    ),
]
Positive = Annotated[float, number("a number above 0", "大于 0 的数", lambda value: value > 0)]
"""The type of a parameter of a metric: a number above 0."""
NonNegative = Annotated[float, number("a number of at least 0", "不小于 0 的数", lambda value: value >= 0)]
"""The type of a parameter of a metric: a number of at least 0."""
Probability = Annotated[
    float, number("a number between 0 and 1", "0 与 1 之间的数，不含端点", lambda value: 0 < value < 1)
]
"""The type of a parameter of a metric: a number between 0 and 1."""
Share = Annotated[float, number("a number from 0 to 1", "0 到 1 的数，含端点", lambda value: 0 <= value <= 1)]
"""The type of a parameter of a metric: a number from 0 to 1."""
Flag = Annotated[bool, FLAG]


def choice(*names: str) -> Domain:
    """Return the domain of the given names."""
    return Domain(Phrase(f"one of {', '.join(names)}", f"{'、'.join(names)} 之一"), lambda value: value in names)


@dataclass(frozen=True)
class FromConvention:
    """The default of a parameter that is a rule of the convention."""

    rule: str = ""


def rule(name: str = "") -> Any:
    """Take a parameter from the convention: the rule of this name, by default that of the parameter."""
    return FromConvention(name)


@dataclass(frozen=True)
class Parameter:
    """One parameter of a metric, as declared by its kernel."""

    name: str
    default: Any
    domain: Domain | None
    rule: str | None

    @property
    def allowed(self) -> Phrase:
        """Description of the accepted values of a parameter that is not a rule."""
        return self.domain.allowed if self.domain else Phrase("anything", "任意值")

    def check(self, value: Any, owner: str) -> Any:
        """Return the value in plain form, or raise an error."""
        if self.rule is None:
            return self.domain.check(self.name, value, owner) if self.domain else value
        if value is None:
            return None
        try:
            return RULES[self.rule].check(self.name, value)
        except ParameterError as error:
            en, zh = error.texts
            raise type(error)((f"{owner}: {en}", f"{owner}: {zh}")) from None

    def bind(self, value: object, convention: Convention) -> object:
        """Return what the kernel receives: the metric's own value or the convention's, and functions for names."""
        if self.rule is None:
            return value
        chosen = getattr(convention, self.rule) if value is None else value
        if self.rule == "gain":
            return gain_function(chosen, convention.rel if reads_rel(chosen) else 1.0)
        if self.rule == "discount":
            return discount_function(chosen)
        return chosen


JUDGED_ONLY = Parameter("judged_only", False, FLAG, None)
"""Parameter of all metrics with a value per query that see grades: remove unjudged items before ranks are counted."""
