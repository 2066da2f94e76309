"""What an item of a grade is worth: the gain functions and their names.

A gain is written as a name, as a table from grade to gain, or as a function of an array of grades.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from numbers import Real
from typing import Any, TypeAlias

import numpy as np

from rankgauge.errors import InputError, ParameterError, UnknownNameError
from rankgauge.rendering.language import Phrase

Floats: TypeAlias = np.ndarray[Any, Any]
GainFunction: TypeAlias = Callable[[Floats], Floats]


def exponential(grade: Floats) -> Floats:
    """2^grade - 1; what is too large for a number becomes infinite, and the metric says so."""
    with np.errstate(over="ignore"):
        return np.exp2(grade) - 1.0


def exponential_from(rel: float) -> GainFunction:
    """2^(grade - rel + 1) - 1 from the relevance level on, else 0."""

    def gain(grade: Floats) -> Floats:
        return np.where(grade >= rel, exponential(grade - (rel - 1.0)), 0.0)

    return gain


FROM_REL = "exp2-rel"
NAMED_GAINS: dict[str, tuple[GainFunction, Phrase]] = {
    "linear": (lambda grade: grade, Phrase("the grade itself", "直接取相关性等级")),
    "exp2": (exponential, Phrase("2^grade - 1: high grades weigh much more", "2^等级 - 1：高等级的权重大得多")),
    "binary": (
        lambda grade: (grade > 0).astype(np.float64),
        Phrase("1 for every grade above 0, else 0", "等级大于 0 记 1，否则记 0"),
    ),
    FROM_REL: (
        exponential_from(1.0),
        Phrase(
            "2^(grade - rel + 1) - 1 from the relevance level rel on, else 0",
            "达到相关阈值 rel 的等级记 2^(等级 - rel + 1) - 1，否则记 0",
        ),
    ),
}


class GainTable(tuple[tuple[float, float], ...]):
    """A table from grade to gain as a hashable value that prints like the dict it was made from.

    >>> GainTable.of({2: 9, 1: 3})
    {1: 3, 2: 9}
    """

    __slots__ = ()

    @classmethod
    def of(cls, table: Mapping[Any, Any] | Sequence[Any]) -> GainTable:
        """From a dict of grade to gain, or a list whose positions are the grades 0, 1, 2, ..."""
        pairs = table.items() if isinstance(table, Mapping) else enumerate(table)
        checked = []
        for grade, gain in pairs:
            for what, value in (("grade", grade), ("gain", gain)):
                if not isinstance(value, Real) or not np.isfinite(float(value)):
                    raise ParameterError.of(f"each {what} of a gain table", value, "a finite number")
            checked.append((float(grade), float(gain)))
        if not checked:
            raise ParameterError.of("a gain table", table, "non-empty")
        return cls(sorted(checked))

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{grade:g}: {gain:g}" for grade, gain in self) + "}"

    __str__ = __repr__


def check_gain(value: Any) -> Any:
    """The gain in its canonical form: a name, a ``GainTable`` or a function."""
    if isinstance(value, str):
        if value not in NAMED_GAINS:
            raise UnknownNameError.closest("gain", value, NAMED_GAINS, "; or pass a table {grade: gain} or a function")
        return value
    if isinstance(value, GainTable) or callable(value):
        return value
    if isinstance(value, Mapping | Sequence) and not isinstance(value, bytes):
        return GainTable.of(value)
    raise ParameterError.of("gain", value, f"one of {', '.join(NAMED_GAINS)}, a table or a function")


@lru_cache(maxsize=256)
def gain_function(value: Any, rel: float = 1.0) -> GainFunction:
    """The function behind a gain in canonical form, for this relevance level."""
    if value == FROM_REL:
        return exponential_from(rel)
    if isinstance(value, str):
        return NAMED_GAINS[value][0]
    return table_function(value) if isinstance(value, GainTable) else checked_function(value, "gain")


def table_function(table: GainTable) -> GainFunction:
    """Look grades up; a grade of 0 or less that the table leaves out is worth 0, any other is an error."""
    columns = [np.array(column) for column in zip(*table, strict=True)]

    def look_up(grade: Floats) -> Floats:
        grades, gains = (np.zeros(len(column), like=grade) for column in columns)  # where the grades live
        grades[:], gains[:] = columns
        place = np.clip(np.searchsorted(grades, grade), 0, len(grades) - 1)
        listed = grades[place] == grade
        unknown = grade[~listed & (grade > 0)]
        if unknown.size:
            raise InputError(f"grade {float(unknown[0]):g} is not in the gain table {table}; add it to the table")
        return np.where(listed, gains[place], 0.0)

    return look_up


def checked_function(function: Callable[[Floats], Any], what: str) -> GainFunction:
    """A caller's function, its answers checked: one finite number for each number."""

    def call(values: Floats) -> Floats:
        answer = np.asarray(function(values), dtype=np.float64)
        if answer.shape != values.shape:
            raise ParameterError(
                f"the {what} function {name_of(function)} must return an array of shape {values.shape}, "
                f"one number for each it is given, not of shape {answer.shape}"
            )
        if not np.isfinite(answer).all():
            bad = values[~np.isfinite(answer)][0]
            raise ParameterError(f"the {what} function {name_of(function)} is not finite at {bad:g}")
        return answer

    return call


def name_of(function: Callable[..., Any]) -> str:
    """The name under which a caller's function is printed."""
    return getattr(function, "__name__", type(function).__name__)
