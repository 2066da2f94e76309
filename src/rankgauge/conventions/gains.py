"""Gain functions: how much an item of a given grade is worth.

A gain is given as a name, as a table from grade to gain, or as a function of an array of grades.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, TypeAlias

import numpy as np

from rankgauge.conventions.function_names import name_of
from rankgauge.conventions.rule import OF_TOOLS_ONLY, Stage, latex_name, plain_number, rule_field, rule_group
from rankgauge.errors import InputError, ParameterError, UnknownNameError
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Array
from rankgauge.value_checks import is_finite

Floats: TypeAlias = Array
GainFunction: TypeAlias = Callable[[Floats], Floats]
GainName: TypeAlias = Literal["linear", "exp2", "binary", "exp2-rel", "binary-rel"]
Gain: TypeAlias = GainName | Mapping[float, float] | Sequence[float] | GainFunction


def exponential(grade: Floats) -> Floats:
    """Return 2^grade - 1; an overflow becomes infinite, which the metric reports as an error."""
    with np.errstate(over="ignore"):
        return np.exp2(grade) - 1.0


def exponential_from(rel: float) -> GainFunction:
    """Return the gain 2^(grade - rel + 1) - 1 for grades of at least ``rel``, else 0."""

    def gain(grade: Floats) -> Floats:
        with np.errstate(over="ignore"):
            return np.where(grade >= rel, exponential(grade - (rel - 1.0)), 0.0)

    return gain


def one_from(rel: float) -> GainFunction:
    """Return the gain 1 for grades of at least ``rel``, else 0."""

    def gain(grade: Floats) -> Floats:
        return (grade >= rel).astype(np.float64)

    return gain


GAINS_BY_REL: dict[str, Callable[[float], GainFunction]] = {"exp2-rel": exponential_from, "binary-rel": one_from}
"""Gains that depend on the relevance level, as functions of it."""
NAMED_GAINS: dict[str, tuple[GainFunction, Phrase, str]] = {
    "linear": (lambda grade: grade, Phrase("the grade itself", "直接取相关性等级"), "g"),
    "exp2": (
        exponential,
        Phrase("2^grade - 1: high grades count much more", "2^等级 - 1：高等级的权重大得多"),
        "2^g - 1",
    ),
    "binary": (
        lambda grade: (grade > 0).astype(np.float64),
        Phrase("1 for every grade above 0, else 0", "等级大于 0 记 1，否则记 0"),
        "[g > 0]",
    ),
    "exp2-rel": (
        exponential_from(1.0),
        Phrase(
            "2^(grade - rel + 1) - 1 for grades of at least rel, else 0",
            "达到相关阈值 rel 的等级记 2^(等级 - rel + 1) - 1，否则记 0",
        ),
        r"(2^{g - \text{rel} + 1} - 1) \, [g \ge \text{rel}]",
    ),
    "binary-rel": (
        one_from(1.0),
        Phrase("1 for every relevant item (grade of at least rel), else 0", "相关物品（等级达到 rel）记 1，否则记 0"),
        r"[g \ge \text{rel}]",
    ),
}
"""Gains as functions, with their meaning and their formula in LaTeX."""


OTHER = "other"
"""Key of a gain table for all grades that it does not name."""


class GainTable(tuple[tuple[Any, Any], ...]):
    """A hashable table from grade to gain that prints like a dict; ``other`` is the gain of the grades not named.

    >>> GainTable.of({2: 9, 1: 3})
    {1: 3, 2: 9}
    >>> GainTable.of({"other": "linear", 1: 3})
    {1: 3, other: linear}
    """

    __slots__ = ()

    @classmethod
    def of(cls, table: Mapping[Any, Any] | Sequence[Any]) -> GainTable:
        """Build from a dict of grade to gain, or from a list indexed by the grades 0, 1, 2, ..."""
        pairs = table.items() if isinstance(table, Mapping) else enumerate(table)
        named = [(_finite("grade", grade), _finite("gain", gain)) for grade, gain in pairs if grade != OTHER]
        if not named:
            raise ParameterError.of(
                "a gain table", table, ("a table that names one grade or more", "至少含一个等级的表")
            )
        others = [(OTHER, _check_other(gain)) for grade, gain in pairs if grade == OTHER]
        return cls((*sorted(named), *others))

    @property
    def named(self) -> list[tuple[float, float]]:
        """The grades with a gain of their own."""
        return [pair for pair in self if pair[0] != OTHER]

    @property
    def other(self) -> str | float | None:
        """The gain of all other grades: the name of a gain, a number, or None if they are an error."""
        return dict(self).get(OTHER)

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{_short(grade)}: {_short(gain)}" for grade, gain in self) + "}"

    __str__ = __repr__


def _finite(what: str, value: Any) -> float:
    if not is_finite(value):
        raise ParameterError.of(f"each {what} of a gain table", value, ("a finite number", "有限的数"))
    return float(value)


def _check_other(gain: object) -> str | float:
    names = [name for name in NAMED_GAINS if name not in GAINS_BY_REL]
    if isinstance(gain, str) and gain not in names:
        raise UnknownNameError.closest("gain of other grades", gain, names, "; or pass a number")
    return gain if isinstance(gain, str) else _finite("gain", gain)


def _short(value: str | float) -> str:
    return value if isinstance(value, str) else str(plain_number(value))


def check_gain(value: object) -> object:
    """Return the gain in canonical form: a name, a ``GainTable`` or a function."""
    if isinstance(value, str):
        if value not in NAMED_GAINS:
            raise UnknownNameError.closest(
                "gain",
                value,
                NAMED_GAINS,
                ("; or pass a table {grade: gain} or a function", "；也可以给出表 {等级: 增益} 或函数"),
            )
        return value
    if isinstance(value, GainTable) or callable(value):
        return value
    if isinstance(value, Mapping | Sequence) and not isinstance(value, bytes):
        return GainTable.of(value)
    allowed = Phrase(
        f"one of {', '.join(NAMED_GAINS)}, a table or a function", f"{'、'.join(NAMED_GAINS)} 之一，或一个表、一个函数"
    )
    raise ParameterError.of("gain", value, allowed)


def gain_formula(value: Any) -> str:
    """Return a gain in canonical form as LaTeX."""
    if isinstance(value, str):
        return NAMED_GAINS[value][2]
    if isinstance(value, GainTable):
        pairs = ", ".join(rf"{_short(grade)} \to {_short(gain)}" for grade, gain in value)
        return rf"\{{{pairs}\}}(g)"
    return f"{latex_name(value)}(g)"


def reads_rel(value: Any) -> bool:
    """Return whether a gain in canonical form depends on the relevance level."""
    return isinstance(value, str) and value in GAINS_BY_REL


@lru_cache(maxsize=256)
def gain_function(value: Any, rel: float = 1.0) -> GainFunction:
    """Return the function of a gain in canonical form, for this relevance level."""
    if reads_rel(value):
        return GAINS_BY_REL[value](rel)
    if isinstance(value, str):
        return NAMED_GAINS[value][0]
    return table_function(value) if isinstance(value, GainTable) else checked_function(value, "gain")


def table_function(table: GainTable) -> GainFunction:
    """Return a lookup of grades; without ``other``, a missing grade of 0 or less has gain 0, any other is an error."""
    columns = [np.array(column) for column in zip(*table.named, strict=True)]
    other = table.other
    rest = NAMED_GAINS[other][0] if isinstance(other, str) else lambda grade: np.full_like(grade, other or 0.0)

    def look_up(grade: Floats) -> Floats:
        grades, gains = (np.zeros(len(column), like=grade) for column in columns)  # on the device of the grades
        grades[:], gains[:] = columns
        place = np.clip(np.searchsorted(grades, grade), 0, len(grades) - 1)
        listed = grades[place] == grade
        unknown = grade[~listed & (grade > 0)]
        if unknown.size and other is None:
            raise InputError(
                f"grade {float(unknown[0]):g} is not in the gain table {table}; add it to the table, or add "
                "'other: linear' to use the grade itself for all grades that the table does not name"
            )
        return np.where(listed, gains[place], rest(grade))

    return look_up


def checked_function(function: Callable[[Floats], Any], what: str) -> GainFunction:
    """Wrap a user's function to check that it returns one finite number per input."""

    def call(values: Floats) -> Floats:
        returned = np.asarray(function(values), dtype=np.float64)
        if returned.shape != values.shape:
            raise ParameterError(
                f"the {what} function {name_of(function)} must return an array of shape {values.shape}, "
                f"one number per input, not of shape {returned.shape}"
            )
        if not np.isfinite(returned).all():
            bad = values[~np.isfinite(returned)][0]
            raise ParameterError(f"the {what} function {name_of(function)} is not finite at {bad:g}")
        return returned

    return call


@rule_group
class GainRules:
    """The rule for gains."""

    gain: Gain = rule_field(
        "linear",
        Phrase("gain", "增益"),
        Phrase("How much is an item of a given grade worth?", "某一等级的物品值多少？"),
        {name: phrase for name, (_, phrase, _) in NAMED_GAINS.items()}
        | {
            "{grade: gain}": Phrase(
                "a table from grade to gain; 'other' names the gain of all other grades, as in {1: 3, other: linear}",
                "等级到增益的对照表；other 指定其余等级的增益，如 {1: 3, other: linear}",
            ),
            "function": Phrase("your own function of an array of grades", "自定义函数：等级数组 → 增益数组"),
        },
        Phrase(
            "trec_eval, scikit-learn and Järvelin and Kekäläinen (2002) use the grade itself, "
            "and it does not explode on scales such as 0, 2, 4, 8, 16.",
            "trec_eval、scikit-learn 与 Järvelin–Kekäläinen（2002）都直接取等级，遇到 0,2,4,8,16 也不会爆炸。",
        ),
        check=lambda _, value: check_gain(value),
        symbol="G(g)",
        formula=gain_formula,
        stage=Stage.FORMULA,
        untried={"{grade: gain}": OF_TOOLS_ONLY, "function": OF_TOOLS_ONLY},
    )
