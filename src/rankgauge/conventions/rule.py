"""A rule: one decision that can change a number, with its named values and the reason for its default."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, TypeVar, dataclass_transform

import numpy as np

from rankgauge.conventions.function_names import distinct_name, name_of
from rankgauge.errors import ParameterError, allowed_names
from rankgauge.rendering.language import Phrase
from rankgauge.value_checks import is_finite, is_integer

T = TypeVar("T")


class Stage(Enum):
    """Where a rule acts on the way from data to a number, in this order."""

    READING = Phrase("what an item is, before anything is matched", "什么算一个物品（在匹配之前）")
    MATCHING = Phrase("how scores are compared while items are matched", "匹配物品时如何比较分数")
    GRADES = Phrase("the grades of the items", "物品的等级")
    ORDER = Phrase("the order of the items", "物品的顺序")
    FORMULA = Phrase("the formula of the metric", "指标的公式")
    AFTER = Phrase("the value of a query, after the formula", "公式之后每个查询的值")
    SUMMARY = Phrase("the summary over all queries", "对全部查询的汇总")


NO_NUMBER = Phrase("it gives no number", "它不给出数")
"""Why reconcile does not try a value such as ``error``."""
OF_TOOLS_ONLY = Phrase("there are too many; only those of tools are tried", "数量太多；只尝试各工具采用的")
"""Why reconcile does not try functions and tables."""


@dataclass(frozen=True)
class Rule:
    """The declaration of one field of the Convention: what it means, what it takes, and where it acts.

    Whatever lists rules (printed definitions, ``per_metric``, reconcile, engines, documentation) follows from it.
    """

    title: Phrase
    question: Phrase
    values: Mapping[str, Phrase]
    why: Phrase
    stage: Stage | None
    """Where it acts; None for ``per_metric``, whose rules act where each of them does."""
    check: Callable[[str, Any], Any] = field(repr=False)
    number: Phrase | None = None
    """Meaning of a number, with ``{value}`` as placeholder; None if numbers are not allowed."""
    symbol: str = ""
    """Its symbol in the formulas of metrics, in LaTeX."""
    formula: Callable[[Any], str] = field(default=str, repr=False)
    """What the symbol stands for under a value, in LaTeX."""
    quiet: bool = False
    """Whether tables for people omit it at its default unless the data trigger it; few tools use another value."""
    every_metric: bool = False
    """Whether every metric reads it; a rule of the formula is else read by kernels that have it as parameter."""
    needs_k: bool = False
    """Whether it acts at a cutoff k only."""
    selects_queries: bool = False
    """Whether it decides which queries count rather than how their values are combined."""
    decides_rows: bool = False
    """Whether matching returns other rows or columns under another value."""
    changes: Callable[[Any, Any], Any] | None = field(default=None, repr=False)
    """The effect of a rule on grades: from an array of grades and the value of the rule to other grades."""
    used: Callable[[Any], bool] | None = field(default=None, repr=False)
    """Whether it has any effect under the other rules of a convention; None if always."""
    tried: tuple[Any, ...] = ()
    """Values that reconcile tries in addition to the named ones."""
    untried: Mapping[str, Phrase] = field(default_factory=dict)
    """Why reconcile does not try some of the named values."""
    unsearched: Phrase | None = None
    """Why reconcile tries no value of it; None if it does."""

    @property
    def is_common(self) -> bool:
        """Whether it is a rule of every metric, whatever its kernel reads."""
        return self.every_metric or self.stage not in {Stage.FORMULA, None}

    @property
    def is_per_metric(self) -> bool:
        """Whether a single metric can have a value of its own."""
        return self.selects_queries or self.stage in {Stage.GRADES, Stage.ORDER, Stage.FORMULA, Stage.AFTER}

    @property
    def forms_lists(self) -> bool:
        """Whether it forms the list that a metric evaluates, so that metrics with other values need other lists."""
        return self.stage in {Stage.GRADES, Stage.ORDER} or (self.decides_rows and self.is_per_metric)


def rule_field(
    default: Any,
    title: Phrase,
    question: Phrase,
    values: Mapping[str, Phrase],
    why: Phrase,
    *,
    check: Callable[[str, Any], Any] | None = None,
    **declared: Any,
) -> Any:
    """A field of the Convention, declared as a ``Rule``; without ``check``, it must be one of the named values."""
    rule = Rule(title, question, values, why, check=check or one_of(*values), **declared)
    return field(default=default, metadata={"rule": rule})


@dataclass_transform(frozen_default=True)
def rule_group(group: type[T]) -> type[T]:
    """Make a class of rules whose fields the Convention inherits, with what else a dataclass has."""
    return dataclass(frozen=True, init=False, repr=False, eq=False)(group)


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


def at_least_zero(name: str, value: object) -> Any:
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


def level_or_above(name: str, value: object) -> Any:
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


def latex_name(function: Callable[..., Any]) -> str:
    """Return the name of a function in LaTeX."""
    return r"\_".join(rf"\text{{{part}}}" for part in re.sub(r"\W", "", name_of(function)).split("_"))


def written(value: object) -> str:
    """Format the value of a rule or parameter."""
    return f"<{distinct_name(value)}>" if callable(value) else str(value)
