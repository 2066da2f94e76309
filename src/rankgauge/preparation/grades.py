"""The rules from what users did to grades: tables, thresholds, quantiles, caps, logarithms, decay, several signals.

>>> from rankgauge import grades
>>> grades.stars([5, 4, 3, 1])
[3, 2, 1, 0]
>>> plays = grades.cap(100) >> grades.log(2) >> grades.thresholds({1: 1, 3: 2, 5: 3})
>>> plays({"song a": 0, "song b": 1, "song c": 40})
{'song a': 0, 'song b': 1, 'song c': 3}
>>> plays
cap(100) >> log(2) >> thresholds({1: 1, 3: 2, 5: 3})
>>> print(plays.render("zh"))
大于 100 的数值按 100 计；然后取 log2(1 + 数值)；然后数值从 1 起为等级 1，从 3 起为 2，从 5 起为 3，更低为 0
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from rankgauge.conventions.rule import number_or, plain_number
from rankgauge.errors import InputError, ParameterError
from rankgauge.preparation.events import combine, decay, merge
from rankgauge.preparation.grading import Floats, Grading, Signals
from rankgauge.rendering.language import Lang, Phrase

__all__ = ["cap", "combine", "decay", "log", "merge", "quantiles", "scale", "stars", "table", "thresholds"]

Number = int | float
Pairs = tuple[tuple[Number, Number], ...]
_number = number_or()

WORDS = {
    "pair": Phrase("{value} gives grade {grade}", "{value} 对应等级 {grade}"),
    "otherwise": Phrase(", anything else {grade}", "，其他为 {grade}"),
    "first step": Phrase("values from {value} give grade {grade}", "数值从 {value} 起为等级 {grade}"),
    "step": Phrase("from {value} grade {grade}", "从 {value} 起为 {grade}"),
    "below": Phrase("lower ones {grade}", "更低为 {grade}"),
    "comma": Phrase(", ", "，"),
    "quantiles user": Phrase(
        "the grade is the number of the shares {shares} that are reached by the share of the user's values below it",
        "等级为所达到的分位数：在该用户的数值中，低于该值者所占比例达到 {shares} 中的几个",
    ),
    "quantiles all": Phrase(
        "the grade is the number of the shares {shares} that are reached by the share of all values below it",
        "等级为所达到的分位数：在全部数值中，低于该值者所占比例达到 {shares} 中的几个",
    ),
    "cap": Phrase("values above {high} count as {high}", "大于 {high} 的数值按 {high} 计"),
    "log": Phrase("log{base}(1 + value)", "取 log{base}(1 + 数值)"),
    "scale": Phrase("times {factor}", "乘以 {factor}"),
}


def _pairs(name: str, mapping: Any) -> Pairs:
    if not isinstance(mapping, Mapping) or not mapping:
        raise ParameterError.of(name, mapping, "a mapping from numbers to grades with at least one entry")
    return tuple(sorted((_number(name, value), _number(name, grade)) for value, grade in mapping.items()))


@dataclass(frozen=True, repr=False)
class Table(Grading):
    """Certain values have certain grades."""

    pairs: Pairs
    otherwise: Number | None

    def applied(self, signals: Signals) -> tuple[Signals, Grading]:
        """Look every value up."""
        keys, grades = (np.array(column, dtype=np.float64) for column in zip(*self.pairs, strict=True))
        place = np.minimum(np.searchsorted(keys, signals.value), len(keys) - 1)
        known, missing = keys[place] == signals.value, np.isnan(signals.value)
        unknown = ~(known | missing)
        if unknown.any() and self.otherwise is None:
            value, count = plain_number(signals.value[unknown][0]), int(unknown.sum())
            raise InputError(
                f"value {value} is not in the table of grades ({count} such); it has "
                f"{', '.join(str(key) for key, _ in self.pairs)}; add it, or say otherwise=..."
            )
        others = np.where(missing, np.nan, 0.0 if self.otherwise is None else self.otherwise)
        return replace(signals, value=np.where(known, grades[place], others)), self

    def sentence(self, lang: Lang) -> str:
        """The pairs one by one."""
        said = [WORDS["pair"].render(lang, value=value, grade=grade) for value, grade in self.pairs]
        rest = "" if self.otherwise is None else WORDS["otherwise"].render(lang, grade=self.otherwise)
        return WORDS["comma"].render(lang).join(said) + rest

    def __repr__(self) -> str:
        rest = "" if self.otherwise is None else f", otherwise={self.otherwise}"
        return f"table({dict(self.pairs)}{rest})"


def table(grade_of: Mapping[Number, Number], *, otherwise: Number | None = None) -> Grading:
    """Grades by a table; a value that is not in it is an error, or has the grade ``otherwise``.

    >>> from rankgauge import grades
    >>> grades.table({5: 3, 4: 2, 3: 1, 2: 0, 1: 0})([5, 1, 4])
    [3, 0, 2]
    """
    return Table(_pairs("grade_of", grade_of), None if otherwise is None else _number("otherwise", otherwise))


@dataclass(frozen=True, repr=False)
class Thresholds(Grading):
    """From a value on there is a certain grade."""

    pairs: Pairs
    below: Number

    def applied(self, signals: Signals) -> tuple[Signals, Grading]:
        """The grade of the highest threshold that is reached."""
        keys = np.array([value for value, _ in self.pairs])
        grades = np.array([self.below, *(grade for _, grade in self.pairs)], dtype=np.float64)
        graded = grades[np.searchsorted(keys, signals.value, side="right")]
        return replace(signals, value=np.where(np.isnan(signals.value), np.nan, graded)), self

    def sentence(self, lang: Lang) -> str:
        """The thresholds one by one."""
        (value, grade), *rest = self.pairs
        said = [WORDS["first step"].render(lang, value=value, grade=grade)]
        said += [WORDS["step"].render(lang, value=value, grade=grade) for value, grade in rest]
        return WORDS["comma"].render(lang).join([*said, WORDS["below"].render(lang, grade=self.below)])

    def __repr__(self) -> str:
        below = f", below={self.below}" if self.below else ""
        return f"thresholds({dict(self.pairs)}{below})"


def thresholds(grade_from: Mapping[Number, Number], *, below: Number = 0) -> Grading:
    """Grades from a value on: ``{3: 1, 4: 2}`` gives 1 from 3 and 2 from 4; lower values have the grade ``below``.

    >>> from rankgauge import grades
    >>> grades.thresholds({10: 1, 60: 2})({"read for 5 s": 5, "for 61.5 s": 61.5})
    {'read for 5 s': 0, 'for 61.5 s': 2}
    """
    return Thresholds(_pairs("grade_from", grade_from), _number("below", below))


stars = thresholds({3: 1, 4: 2, 5: 3})
"""Stars as film recommenders grade them: 5 is 3, from 4 is 2, from 3 is 1, fewer are 0."""


@dataclass(frozen=True, repr=False)
class Quantiles(Grading):
    """The grade tells how many values are smaller."""

    shares: tuple[Number, ...]
    per: Literal["user", "all"]

    def applied(self, signals: Signals) -> tuple[Signals, Grading]:
        """Count the smaller values of the group; equal values have one grade."""
        if self.per == "user" and signals.user is None:
            raise InputError("quantiles(per='user') needs to know the users; give {user: {item: value}} or a frame")
        group = np.zeros(len(signals.value), np.int64) if self.per == "all" else signals.user
        share = _share_below(signals.value, group)
        graded = (share[:, None] >= np.array(self.shares, dtype=np.float64)).sum(axis=1).astype(np.float64)
        return replace(signals, value=np.where(np.isnan(signals.value), np.nan, graded)), self

    def sentence(self, lang: Lang) -> str:
        """The shares, and of whose values."""
        return WORDS[f"quantiles {self.per}"].render(lang, shares=", ".join(map(str, self.shares)))

    def __repr__(self) -> str:
        return f"quantiles([{', '.join(map(str, self.shares))}], per={self.per!r})"


def _share_below(values: Floats, group: Any) -> Floats:
    """For each value, the share of the values of its group that are smaller; NaN stands outside."""
    known = np.flatnonzero(~np.isnan(values))
    order = known[np.lexsort((values[known], group[known]))]
    kept, ordered = group[order], values[order]
    starts_group = np.diff(kept, prepend=-1) != 0
    starts_run = starts_group | (np.diff(ordered, prepend=np.nan) != 0)
    place = np.arange(len(order))
    first_of_group = np.maximum.accumulate(np.where(starts_group, place, 0))
    first_of_run = np.maximum.accumulate(np.where(starts_run, place, 0))
    size = np.bincount(np.cumsum(starts_group) - 1)[np.cumsum(starts_group) - 1]
    share = np.full(len(values), np.nan)
    share[order] = (first_of_run - first_of_group) / size
    return share


def quantiles(shares: int | Sequence[Number], *, per: Literal["user", "all"] = "user") -> Grading:
    """Grades by how many values of the same user (or of all) are smaller: people use scales differently.

    ``shares`` are rising numbers in (0, 1), or the number of equal parts: 4 is [0.25, 0.5, 0.75].

    >>> from rankgauge import grades
    >>> grades.quantiles(4)({"strict": {"a": 1, "b": 2, "c": 3, "d": 3}, "kind": {"a": 4, "b": 5}})
    {'strict': {'a': 0, 'b': 1, 'c': 2, 'd': 2}, 'kind': {'a': 0, 'b': 2}}
    """
    if isinstance(shares, int) and not isinstance(shares, bool) and shares > 1:
        shares = [part / shares for part in range(1, shares)]
    allowed = "a whole number above 1, or rising numbers between 0 and 1"
    if not isinstance(shares, Sequence) or isinstance(shares, str) or not shares:
        raise ParameterError.of("shares", shares, allowed)
    found = tuple(_number("shares", share) for share in shares)
    if any(not 0 < share < 1 for share in found) or list(found) != sorted({*found}):
        raise ParameterError.of("shares", shares, allowed)
    if per not in {"user", "all"}:
        raise ParameterError.of("per", per, "'user' or 'all'")
    return Quantiles(found, per)


@dataclass(frozen=True, repr=False)
class Cap(Grading):
    """No value is larger."""

    high: Number

    def applied(self, signals: Signals) -> tuple[Signals, Grading]:
        """The smaller of value and cap."""
        return replace(signals, value=np.minimum(signals.value, self.high)), self

    def sentence(self, lang: Lang) -> str:
        """The cap."""
        return WORDS["cap"].render(lang, high=self.high)

    def __repr__(self) -> str:
        return f"cap({self.high})"


def cap(high: Number) -> Grading:
    """No value is larger than this: one user who leaves a song on repeat must not decide everything.

    >>> from rankgauge import grades
    >>> grades.cap(10)([3, 5000])
    [3, 10]
    """
    return Cap(_number("high", high))


@dataclass(frozen=True, repr=False)
class Log(Grading):
    """The logarithm of one more."""

    base: Number

    def applied(self, signals: Signals) -> tuple[Signals, Grading]:
        """Counts and durations on a scale on which doubling is a step."""
        if (signals.value < 0).any():
            lowest = plain_number(np.nanmin(signals.value))
            raise InputError(f"log({self.base}): {lowest} is below 0; counts and durations are not")
        exact = {2.0: np.log2, 10.0: np.log10}.get(float(self.base))  # log2(8) is 3, log(8) / log(2) need not be
        more = 1 + signals.value
        return replace(signals, value=exact(more) if exact else np.log(more) / np.log(self.base)), self

    def sentence(self, lang: Lang) -> str:
        """The base."""
        return WORDS["log"].render(lang, base=self.base)

    def __repr__(self) -> str:
        return f"log({self.base})"


def log(base: Number = 2) -> Grading:
    """The logarithm of 1 + value, for counts and durations: the step from 1 to 3 plays counts like that from 3 to 7.

    >>> from rankgauge import grades
    >>> grades.log()([0, 1, 3, 7])
    [0, 1, 2, 3]
    """
    if _number("base", base) <= 1:
        raise ParameterError.of("base", base, "a number above 1")
    return Log(_number("base", base))


@dataclass(frozen=True, repr=False)
class Scale(Grading):
    """A multiple."""

    factor: Number

    def applied(self, signals: Signals) -> tuple[Signals, Grading]:
        """Multiply."""
        return replace(signals, value=signals.value * self.factor), self

    def sentence(self, lang: Lang) -> str:
        """The factor."""
        return WORDS["scale"].render(lang, factor=self.factor)

    def __repr__(self) -> str:
        return f"scale({self.factor})"


def scale(factor: Number) -> Grading:
    """A multiple of the value, to change the unit.

    >>> from rankgauge import grades
    >>> grades.scale(0.5)([3])
    [1.5]
    """
    return Scale(_number("factor", factor))
