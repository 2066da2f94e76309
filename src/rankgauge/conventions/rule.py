"""A rule: one decision that can change a number, with its named values and the reason for its default."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rankgauge.conventions.function_names import distinct_name
from rankgauge.errors import ParameterError, allowed_names
from rankgauge.rendering.language import Phrase
from rankgauge.value_checks import is_finite, is_integer


@dataclass(frozen=True)
class Rule:
    """Documentation and check of one field of the Convention."""

    title: Phrase
    question: Phrase
    values: Mapping[str, Phrase]
    why: Phrase
    check: Callable[[str, Any], Any] = field(repr=False)
    number: Phrase | None = None
    """Meaning of a number, with ``{value}`` as placeholder; None if numbers are not allowed."""
    quiet: bool = False
    """Whether tables for people omit it at its default unless the data trigger it; few tools use another value."""


def rule_field(
    default: Any,
    title: Phrase,
    question: Phrase,
    values: Mapping[str, Phrase],
    why: Phrase,
    *,
    check: Callable[[str, Any], Any] | None = None,
    number: Phrase | None = None,
    quiet: bool = False,
) -> Any:
    """A field of the Convention; without ``check``, its value must be one of the named values."""
    rule = Rule(title, question, values, why, check or one_of(*values), number, quiet)
    return field(default=default, metadata={"rule": rule})


def one_of(*names: str) -> Callable[[str, Any], Any]:
    """Return a check that accepts the given names."""
    allowed = allowed_names(names)

    def check(name: str, value: Any) -> Any:
        if not isinstance(value, str) or value not in names:
            raise ParameterError.of(name, value, allowed)
        return value

    return check


def _or_names(numbers: Phrase, names: Iterable[str]) -> Phrase:
    return Phrase(" or ", " 或 ").join([numbers, *(Phrase(repr(name), repr(name)) for name in names)])


def number_or(*names: str) -> Callable[[str, Any], Any]:
    """Return a check that accepts finite numbers and the given names."""
    allowed = _or_names(Phrase("a finite number", "有限的数"), names)

    def check(name: str, value: Any) -> Any:
        if isinstance(value, str) and value in names:
            return value
        if not isinstance(value, bool) and is_finite(value):
            return plain_number(value)
        raise ParameterError.of(name, value, allowed)

    return check


finite_number = number_or()
"""Check that a value is a finite number."""


def above_zero_or(*names: str) -> Callable[[str, Any], Any]:
    """Return a check that accepts finite numbers above 0 and the given names."""
    allowed, finite = _or_names(Phrase("a number above 0", "大于 0 的数"), names), number_or(*names)

    def check(name: str, value: Any) -> Any:
        checked = finite(name, value)
        if not isinstance(checked, str) and checked <= 0:
            raise ParameterError.of(name, value, allowed)
        return checked

    return check


above_zero = above_zero_or()
"""Check that a value is a finite number above 0."""


def at_least_zero(name: str, value: Any) -> Any:
    """Check that a value is a finite number of at least 0."""
    checked = finite_number(name, value)
    if checked < 0:
        raise ParameterError.of(name, value, ("a number of at least 0", "不小于 0 的数"))
    return checked


class Above(float):
    """The smallest float above a bound, printed as the bound: ``>0.5``."""

    __slots__ = ("text",)
    text: str

    @classmethod
    def of(cls, text: str) -> Above:
        """Parse text such as ``>0.5``."""
        least = cls(np.nextafter(float(text[1:]), np.inf))
        least.text = f">{plain_number(float(text[1:]))}"
        return least

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return repr(self.text)

    def __reduce__(self) -> tuple[Any, ...]:
        return Above.of, (self.text,)


def level_or_above(name: str, value: Any) -> Any:
    """Check that the value is a finite number or text such as ``>0.5``."""
    if isinstance(value, Above):
        return value
    if isinstance(value, str) and re.fullmatch(r">\s*-?(\d+\.?\d*|\.\d+)", value):
        return Above.of(value)
    if isinstance(value, str):
        raise ParameterError.of(
            name, value, ("a finite number, or a text such as '>0.5'", "有限的数，或 '>0.5' 这样的文本")
        )
    return finite_number(name, value)


def whole_number(name: str, value: Any) -> int:
    """Check that the value is an integer from 0 to 2^64 - 1."""
    if not is_integer(value) or not 0 <= value < 1 << 64:
        raise ParameterError.of(
            name, value, ("a whole number of at least 0 and below 2^64", "不小于 0 且小于 2^64 的整数")
        )
    return int(value)


def integer_from(least: int, name: str, value: Any) -> int:
    """Check that the value is an integer of at least ``least`` that fits into 64 bits."""
    if not is_integer(value) or value < least:
        raise ParameterError.of(name, value, (f"an integer of at least {least}", f"不小于 {least} 的整数"))
    if value >= 1 << 63:
        raise ParameterError.of(name, value, ("below 2^63", "小于 2^63"))
    return int(value)


def whole_number_or(lowest: int, highest: int, *names: str) -> Callable[[str, Any], Any]:
    """Return a check that accepts integers in a range and the given names."""
    numbers = Phrase(f"a whole number from {lowest} to {highest}", f"{lowest} 至 {highest} 的整数")
    allowed = _or_names(numbers, names)

    def check(name: str, value: Any) -> Any:
        if isinstance(value, str) and value in names:
            return value
        if not is_integer(value) or not lowest <= value <= highest:
            raise ParameterError.of(name, value, allowed)
        return int(value)

    return check


def plain_number(value: Any) -> int | float:
    """Return a Python number, an int if it is integral: 2.0 and np.int64(2) become 2."""
    number = float(value)
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


def written(value: Any) -> str:
    """Format the value of a rule or parameter."""
    return f"<{distinct_name(value)}>" if callable(value) else str(value)
