"""Rules that turn user behaviour into grades: tables, thresholds, quantiles, caps, logarithms, decay, combinations.

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

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Literal

import numpy as np

from rankgauge.conventions.rule import number_or, plain_number
from rankgauge.errors import InputError, ParameterError
from rankgauge.inputs.grading import Grading, GradingRule, Signals, value_rule
from rankgauge.preparation.event_rules import combine, decay, merge
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Floats

__all__ = ["cap", "combine", "decay", "log", "merge", "quantiles", "scale", "stars", "table", "thresholds"]


Number = int | float
GradePairs = tuple[tuple[Number, Number], ...]
_number = number_or()
_COMMA = Phrase(", ", "，")

WORDS = {
    "pair": Phrase("{value} gives grade {grade}", "{value} 对应等级 {grade}"),
    "otherwise": Phrase("anything else {grade}", "其他为 {grade}"),
    "first step": Phrase("values from {value} give grade {grade}", "数值从 {value} 起为等级 {grade}"),
    "step": Phrase("from {value} grade {grade}", "从 {value} 起为 {grade}"),
    "below": Phrase("lower values {grade}", "更低为 {grade}"),
    "quantiles user": Phrase(
        "the grade is the number of quantiles {shares} reached among the user's values",
        "等级为在该用户的数值中达到的分位点个数（{shares}）",
    ),
    "quantiles all": Phrase(
        "the grade is the number of quantiles {shares} reached among all values",
        "等级为在全部数值中达到的分位点个数（{shares}）",
    ),
    "cap": Phrase("values above {high} count as {high}", "大于 {high} 的数值按 {high} 计"),
    "log": Phrase("log{base}(1 + value)", "取 log{base}(1 + 数值)"),
    "scale": Phrase("times {factor}", "乘以 {factor}"),
}


def _pairs(name: str, mapping: object) -> GradePairs:
    if not isinstance(mapping, Mapping) or not mapping:
        raise ParameterError.of(
            name, mapping, ("a mapping from numbers to grades with at least one entry", "从数到等级的映射，至少有一项")
        )
    return tuple(sorted((_number(name, value), _number(name, grade)) for value, grade in mapping.items()))


def table(grade_of: Mapping[Number, Number] | Mapping[str, Number], *, otherwise: Number | None = None) -> Grading:
    """Look up grades in the table ``grade_of``; a value that is not in it is an error, or has the grade ``otherwise``.

    The values are numbers or texts, such as kinds of events; a table of texts is the first rule of a chain.

    >>> from rankgauge import grades
    >>> grades.table({5: 3, 4: 2, 3: 1, 2: 0, 1: 0})([5, 1, 4])
    [3, 0, 2]
    >>> grades.table({"view": 1, "purchase": 3})({"ann": {"a": "view", "b": "purchase"}})
    {'ann': {'a': 1, 'b': 3}}
    """
    texts = isinstance(grade_of, Mapping) and any(isinstance(value, str) for value in grade_of)
    pairs: Any = _text_pairs(grade_of) if texts else _pairs("grade_of", grade_of)
    meanings, option = [WORDS["pair"].fill(value=value, grade=grade) for value, grade in pairs], ""
    if otherwise is not None:
        otherwise = _number("otherwise", otherwise)
        meanings, option = [*meanings, WORDS["otherwise"].fill(grade=otherwise)], f", otherwise={otherwise}"
    call, meaning = f"table({dict(pairs)}{option})", _COMMA.join(meanings)
    if texts:
        return GradingRule(call, meaning, _unchanged, of_texts=partial(_looked_up_texts, dict(pairs), otherwise))
    return value_rule(call, meaning, partial(_looked_up, pairs, otherwise))


def _text_pairs(grade_of: Mapping[Any, Any]) -> tuple[tuple[str, Number], ...]:
    """Return the pairs of a table of texts in their order."""
    for value in grade_of:
        if not isinstance(value, str):
            raise ParameterError.of(
                "grade_of", value, ("a text, as another key is one", "文本（另有键为文本）"), "table"
            )
    return tuple((text, _number(f"grade_of[{text!r}]", grade)) for text, grade in grade_of.items())


def _looked_up_texts(grade_of: Mapping[str, Number], otherwise: Number | None, values: Sequence[object]) -> Floats:
    """Return the grades of texts, without surrounding blanks, and NaN where a value is missing."""
    missing = [value is None or value != value for value in values]  # noqa: PLR0124 (NaN)
    texts = [str(value).strip() for value in values]
    unknown = [text for text, none in zip(texts, missing, strict=True) if not none and text not in grade_of]
    if unknown and otherwise is None:
        raise _not_in_table(repr(unknown[0]), len(unknown), grade_of)
    grades = (np.nan if none else grade_of.get(text, otherwise) for text, none in zip(texts, missing, strict=True))
    return np.array([*grades], dtype=np.float64)


def _unchanged(signals: Signals) -> tuple[Signals, None]:
    return signals, None


def _not_in_table(value: str, count: int, known: Iterable[object]) -> InputError:
    return InputError(
        f"value {value} is not in the table of grades ({count} in total), which has "
        f"{', '.join(map(str, known))}; add it or pass otherwise=..."
    )


def _looked_up(pairs: GradePairs, otherwise: Number | None, values: Floats) -> Floats:
    keys, grades = (np.array(column, dtype=np.float64) for column in zip(*pairs, strict=True))
    place = np.minimum(np.searchsorted(keys, values), len(keys) - 1)
    known, missing = keys[place] == values, np.isnan(values)
    unknown = ~(known | missing)
    if unknown.any() and otherwise is None:
        raise _not_in_table(str(plain_number(values[unknown][0])), int(unknown.sum()), dict(pairs))
    others = np.where(missing, np.nan, 0.0 if otherwise is None else otherwise)
    return np.where(known, grades[place], others)


def thresholds(grade_from: Mapping[Number, Number], *, below: Number = 0) -> Grading:
    """Grade by thresholds: ``grade_from={3: 1, 4: 2}`` gives 1 from 3 and 2 from 4; lower values get ``below``.

    >>> from rankgauge import grades
    >>> grades.thresholds({10: 1, 60: 2})({"read for 5 s": 5, "for 61.5 s": 61.5})
    {'read for 5 s': 0, 'for 61.5 s': 2}
    """
    pairs, below = _pairs("grade_from", grade_from), _number("below", below)
    steps = [WORDS["step" if at else "first step"].fill(value=pair[0], grade=pair[1]) for at, pair in enumerate(pairs)]
    option = f", below={below}" if below else ""
    meaning = _COMMA.join([*steps, WORDS["below"].fill(grade=below)])
    return value_rule(f"thresholds({dict(pairs)}{option})", meaning, partial(_highest_reached, pairs, below))


def _highest_reached(pairs: GradePairs, below: Number, values: Floats) -> Floats:
    keys = np.array([value for value, _ in pairs])
    grades = np.array([below, *(grade for _, grade in pairs)], dtype=np.float64)
    return np.where(np.isnan(values), np.nan, grades[np.searchsorted(keys, values, side="right")])


stars = thresholds({3: 1, 4: 2, 5: 3})
"""Grades of star ratings: 3 for 5 stars, 2 from 4, 1 from 3, 0 below."""


def quantiles(shares: int | Sequence[Number], *, per: Literal["user", "all"] = "user") -> Grading:
    """Grade by the share of smaller values of the same user, since users use scales differently, or of all users.

    ``shares`` are increasing numbers in (0, 1), or a number of equal parts: 4 means [0.25, 0.5, 0.75].
    ``per`` names whose values are compared: those of the same ``user``, or ``all``.

    >>> from rankgauge import grades
    >>> grades.quantiles(4)({"strict": {"a": 1, "b": 2, "c": 3, "d": 3}, "kind": {"a": 4, "b": 5}})
    {'strict': {'a': 0, 'b': 1, 'c': 2, 'd': 2}, 'kind': {'a': 0, 'b': 2}}
    """
    if isinstance(shares, int) and not isinstance(shares, bool) and shares > 1:
        shares = [part / shares for part in range(1, shares)]
    allowed = "an integer above 1, or increasing numbers between 0 and 1"
    if not isinstance(shares, Sequence) or isinstance(shares, str) or not shares:
        raise ParameterError.of("shares", shares, allowed)
    numbers = tuple(_number("shares", share) for share in shares)
    if any(not 0 < share < 1 for share in numbers) or list(numbers) != sorted({*numbers}):
        raise ParameterError.of("shares", shares, allowed)
    if per not in {"user", "all"}:
        raise ParameterError.of("per", per, ("'user' or 'all'", "'user' 或 'all'"))
    listed = ", ".join(map(str, numbers))
    meaning = WORDS[f"quantiles {per}"].fill(shares=listed)
    return GradingRule(f"quantiles([{listed}], per={per!r})", meaning, partial(_quantiles_reached, numbers, per))


def _quantiles_reached(shares: tuple[Number, ...], per: str, signals: Signals) -> tuple[Signals, None]:
    """Count the quantiles that each value reaches; equal values have the same grade."""
    if per == "user" and signals.user is None:
        raise InputError("quantiles(per='user') needs users; pass {user: {item: value}} or a frame")
    group = np.zeros(len(signals.value), np.int64) if per == "all" else signals.user
    share = _share_below(signals.value, group)
    graded = (share[:, None] >= np.array(shares, dtype=np.float64)).sum(axis=1).astype(np.float64)
    return signals._replace(value=np.where(np.isnan(signals.value), np.nan, graded)), None


def _share_below(values: Floats, group: Any) -> Floats:
    """Return the share of smaller values in the group of each value; NaN values are ignored."""
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


def cap(high: Number) -> Grading:
    """Limit values to ``high``, so that a single user who leaves a song on repeat does not dominate.

    >>> from rankgauge import grades
    >>> grades.cap(10)([3, 5000])
    [3, 10]
    """
    high = _number("high", high)
    return value_rule(f"cap({high})", WORDS["cap"].fill(high=high), partial(np.minimum, high))


def log(base: Number = 2) -> Grading:
    """Take the logarithm of 1 + value to a base, for counts and durations: 1 to 3 plays is the same step as 3 to 7.

    >>> from rankgauge import grades
    >>> grades.log()([0, 1, 3, 7])
    [0, 1, 2, 3]
    """
    base = _number("base", base)
    if base <= 1:
        raise ParameterError.of("base", base, ("a number above 1", "大于 1 的数"))
    return value_rule(f"log({base})", WORDS["log"].fill(base=base), partial(_logarithms, base))


def _logarithms(base: Number, values: Floats) -> Floats:
    if (values < 0).any():
        lowest = plain_number(np.nanmin(values))
        raise InputError(f"log({base}): {lowest} is below 0; the values must be counts or durations")
    exact = {2.0: np.log2, 10.0: np.log10}.get(float(base))  # log2(8) is exactly 3, log(8) / log(2) may not be
    return exact(1 + values) if exact else np.log(1 + values) / np.log(base)


def scale(factor: Number) -> Grading:
    """Multiply by a factor, for example to change the unit.

    >>> from rankgauge import grades
    >>> grades.scale(0.5)([3])
    [1.5]
    """
    factor = _number("factor", factor)
    return value_rule(f"scale({factor})", WORDS["scale"].fill(factor=factor), partial(np.multiply, factor))
