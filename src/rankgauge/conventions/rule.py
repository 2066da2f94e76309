"""A rule: one decision that can move a number, with its named values and the reason for its default."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

import numpy as np

from rankgauge.conventions.gains import name_of
from rankgauge.errors import ParameterError
from rankgauge.rendering.language import Phrase


@dataclass(frozen=True)
class Rule:
    """One field of the Convention as people read it."""

    title: Phrase
    question: Phrase
    values: Mapping[str, Phrase]
    why: Phrase
    check: Callable[[str, Any], Any] = field(repr=False)
    number: Phrase | None = None
    """What a number means, with ``{value}`` for it; None where a number is not allowed."""
    quiet: bool = False
    """Whether it is left out of the line of rules where it is as by default: few tools know another value."""


def choice(
    default: str, title: Phrase, question: Phrase, values: dict[str, Phrase], why: Phrase, *, quiet: bool = False
) -> Any:
    """A field of the Convention that is one of some named values."""
    return field(default=default, metadata={"rule": Rule(title, question, values, why, one_of(*values), quiet=quiet)})


def number(
    default: float,
    title: Phrase,
    question: Phrase,
    meaning: Phrase,
    why: Phrase,
    words: dict[str, Phrase] | None = None,
    check: Callable[[str, Any], Any] | None = None,
) -> Any:
    """A field of the Convention that is a number or one of some words."""
    words = words or {}
    return field(
        default=default, metadata={"rule": Rule(title, question, words, why, check or number_or(*words), meaning)}
    )


def one_of(*names: str) -> Callable[[str, Any], Any]:
    """A check that lets the named values pass."""
    allowed = f"one of {', '.join(map(repr, names))}"

    def check(name: str, value: Any) -> Any:
        if not isinstance(value, str) or value not in names:
            raise ParameterError.of(name, value, allowed)
        return value

    return check


def number_or(*names: str) -> Callable[[str, Any], Any]:
    """A check that lets finite numbers and the named values pass."""
    allowed = " or ".join(("a finite number", *map(repr, names)))

    def check(name: str, value: Any) -> Any:
        if isinstance(value, str) and value in names:
            return value
        if isinstance(value, Real) and not isinstance(value, bool) and np.isfinite(float(value)):
            return plain_number(value)
        raise ParameterError.of(name, value, allowed)

    return check


def above_zero(name: str, value: Any) -> Any:
    """A check that lets finite numbers above 0 pass."""
    number = number_or()(name, value)
    if number <= 0:
        raise ParameterError.of(name, value, "a number above 0")
    return number


class Above(float):
    """The least number above another one, which prints as what it is: ``>0.5``."""

    __slots__ = ("text",)
    text: str

    @classmethod
    def of(cls, text: str) -> Above:
        """From text such as ``>0.5``."""
        least = cls(np.nextafter(float(text[1:]), np.inf))
        least.text = f">{plain_number(float(text[1:]))}"
        return least

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return repr(self.text)

    def __reduce__(self) -> tuple[Any, ...]:
        """By its text."""
        return Above.of, (self.text,)


ABOVE = Phrase("grades {value}", "等级 {value}")


def level_or_above(name: str, value: Any) -> Any:
    """A check that lets finite numbers and texts such as ``>0.5`` pass."""
    if isinstance(value, Above):
        return value
    if isinstance(value, str) and re.fullmatch(r">\s*-?(\d+\.?\d*|\.\d+)", value):
        return Above.of(value)
    if isinstance(value, str):
        raise ParameterError.of(name, value, "a finite number, or a text such as '>0.5'")
    return number_or()(name, value)


def whole_number(name: str, value: Any) -> int:
    """A check that lets whole numbers from 0 to 2^64 - 1 pass."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not 0 <= value < 1 << 64:
        raise ParameterError.of(name, value, "a whole number of at least 0 and below 2^64")
    return int(value)


def plain_number(value: Any) -> int | float:
    """A Python number, whole where it is whole: 2.0 and np.int64(2) become 2."""
    number = float(value)
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


def written(value: Any) -> str:
    """The value of a rule or parameter as text."""
    return f"<{name_of(value)}>" if callable(value) else str(value)
