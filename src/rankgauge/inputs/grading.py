"""Grading: a rule that turns user behaviour into grades, as a value that can be chained, applied and recorded."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from numbers import Real
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from rankgauge.conventions.rule import plain_number
from rankgauge.errors import InputError, ParameterError, shown
from rankgauge.rendering.language import Lang, Phrase, check_lang
from rankgauge.segments import Array, Floats, Ints
from rankgauge.value_checks import fits_double, unmasked

_THEN = Phrase("; then ", "；然后")


class Signals(NamedTuple):
    """Values to grade, with the user, pair, time and further columns of each row if known."""

    value: Floats
    user: Ints | None = None
    """Integer code of the user of each row."""
    pair: Ints | None = None
    """Integer code of the pair of user and item."""
    time: Floats | None = None
    dated: bool = False
    """Whether the times are dates, stored as seconds since 1970."""
    others: Mapping[str, Floats] = MappingProxyType({})
    """Further numeric columns by name."""
    row: Ints | None = None
    """Row of the original data for each of these rows; None if unchanged."""


class Grading(ABC):
    """A rule that turns user behaviour (ratings, clicks, plays, seconds) into grades.

    ``rule(data)`` applies it to a number, a list, an array, ``{item: number}``, ``{user: {item: number}}`` or a
    frame; ``first >> second`` chains two rules; ``repr`` is the call that creates it, ``render("zh")`` a description.
    """

    @abstractmethod
    def apply(self, signals: Signals) -> tuple[Signals, Grading]:
        """Return the graded rows, and this rule with every parameter that it took from the data filled in."""

    @abstractmethod
    def describe(self, lang: Lang) -> str:
        """Describe the rule."""

    columns: tuple[str, ...] = ()
    """Names of further columns that the rule reads."""
    of_texts: Callable[[Sequence[object]], Floats] | None = None
    """Turns texts into the numbers that the rule starts from; None for a rule of numbers."""

    def render(self, lang: str = "en") -> str:
        """Describe the rule in English or Chinese."""
        return self.describe(check_lang(lang))

    def __rshift__(self, then: Grading) -> Grading:
        if not isinstance(then, Grading):
            return NotImplemented
        if then.of_texts is not None:
            raise ParameterError.of(
                ">>", then, ("a rule of numbers; a table of texts comes first", "数值的规则；文本的对照表须放在最前")
            )
        meaning = _THEN.join([meaning_of(self), meaning_of(then)])
        columns = tuple(dict.fromkeys([*self.columns, *then.columns]))
        return GradingRule(f"{self!r} >> {then!r}", meaning, partial(_apply_both, self, then), columns, self.of_texts)

    def __str__(self) -> str:
        return self.render()

    def __call__(self, data: Any, *, columns: Mapping[str, str] | None = None) -> Any:
        """Return the data with grades instead of values; a frame is returned with columns query, item and grade."""
        return apply_grading(self, data, columns)[0]


@dataclass(frozen=True, repr=False)
class GradingRule(Grading):
    """A rule given by the call that creates it, its meaning, and a function of the rows to grade.

    The function returns the graded rows, and the rule with parameters taken from the data, or None if there are none.
    """

    call: str
    meaning: Phrase
    compute: Callable[[Signals], tuple[Signals, Grading | None]] = field(compare=False)
    columns: tuple[str, ...] = ()
    of_texts: Callable[[Sequence[object]], Floats] | None = field(default=None, compare=False)

    def apply(self, signals: Signals) -> tuple[Signals, Grading]:
        """Return the graded rows and the rule as it was applied."""
        graded, resolved = self.compute(signals)
        return graded, resolved or self

    def describe(self, lang: Lang) -> str:
        """Return the meaning."""
        return self.meaning.render(lang)

    def __repr__(self) -> str:
        return self.call


def value_rule(call: str, meaning: Phrase, function: Callable[[Floats], Floats]) -> Grading:
    """Return a rule that is a function of the values alone."""
    return GradingRule(call, meaning, partial(_apply_to_values, function))


def _apply_to_values(function: Callable[[Floats], Floats], signals: Signals) -> tuple[Signals, None]:
    return signals._replace(value=function(signals.value)), None


def _apply_both(first: Grading, second: Grading, signals: Signals) -> tuple[Signals, Grading]:
    signals, resolved_first = first.apply(signals)
    signals, resolved_second = second.apply(signals)
    return signals, resolved_first >> resolved_second


def meaning_of(rule: Grading) -> Phrase:
    """Return the description of a rule in both languages."""
    return Phrase(rule.describe("en"), rule.describe("zh"))


def apply_grading(rule: Grading, data: object, columns: Mapping[str, str] | None = None) -> tuple[Any, Grading]:
    """Return the data with grades instead of values, and the rule as it was applied."""
    if isinstance(data, Real) or (isinstance(data, str) and rule.of_texts is not None):
        signals, resolved = rule.apply(_signals(rule, [data], str))
        return plain_number(signals.value[0]), resolved
    if isinstance(data, np.ndarray):
        return _apply_to_array(rule, unmasked(data, "numbers", may_be_missing=True))
    if isinstance(data, Mapping):
        return _apply_to_dict(rule, data)
    if isinstance(data, Sequence) and not isinstance(data, str | bytes):
        signals, resolved = rule.apply(
            _signals(rule, data, "index {}".format)._replace(user=np.zeros(len(data), np.int64))
        )
        return [*map(plain_number, signals.value)], resolved
    return _apply_to_frame(rule, data, columns)


def _signals(rule: Grading, numbers: Sequence[object], place: Callable[[int], str]) -> Signals:
    if rule.of_texts is not None:
        return Signals(rule.of_texts(numbers))
    for row, number in enumerate(numbers):
        if isinstance(number, bool) or not fits_double(number):
            raise InputError(f"{place(row)}: {shown(number)} is not a number and cannot be graded")
    return Signals(np.array(numbers, dtype=np.float64))


def _apply_to_array(rule: Grading, numbers: Array) -> tuple[Any, Grading]:
    if numbers.dtype.kind not in "iufb" and rule.of_texts is None:
        raise InputError(f"cannot grade an array of {numbers.dtype}; pass numbers")
    rows = len(numbers) if numbers.ndim > 1 else 1
    user = np.repeat(np.arange(rows), numbers.size // max(rows, 1))
    flat = numbers.ravel()
    values = flat.astype(np.float64) if rule.of_texts is None else rule.of_texts(flat.tolist())
    signals, resolved = rule.apply(Signals(values, user))
    return signals.value.reshape(numbers.shape), resolved


def _apply_to_dict(rule: Grading, data: Mapping[Any, Any]) -> tuple[Any, Grading]:
    nested = bool(data) and all(isinstance(inner, Mapping) for inner in data.values())
    users = data if nested else {None: data}
    cells = [(user, item, number) for user, numbers in users.items() for item, number in numbers.items()]

    def place(row: int) -> str:
        user, item, _ = cells[row]
        return f"item {shown(item)}" + (f" of {shown(user)}" if nested else "")

    signals = _signals(rule, [number for _, _, number in cells], place)
    sizes = [len(numbers) for numbers in users.values()]
    user = np.repeat(np.arange(len(sizes)), sizes)
    graded, resolved = rule.apply(signals._replace(user=user, pair=np.arange(len(cells))))
    values = iter(map(plain_number, graded.value))
    mapped = {name: {item: next(values) for item in numbers} for name, numbers in users.items()}
    return mapped if nested else mapped[None], resolved


def _apply_to_frame(rule: Grading, data: object, columns: Mapping[str, str] | None) -> tuple[Any, Grading]:
    import polars as pl  # noqa: PLC0415 (slow to import)

    from rankgauge.inputs.frames import read_interactions  # noqa: PLC0415

    read = read_interactions(data, columns)
    missing = [name for name in rule.columns if name not in read.frame.columns]
    if missing:
        raise InputError(
            f"interactions: no column {shown(missing[0])}, which the grading rule needs; the columns are "
            f"{', '.join(map(shown, read.frame.columns))}"
        )
    if read.grade is None and not rule.columns:
        raise InputError(
            "interactions: no column with the values to grade was recognised; pass "
            'columns={"grade": "..."}; the columns are ' + ", ".join(map(shown, read.frame.columns))
        )
    pairs = pl.DataFrame({"query": read.query, "item": read.item})
    user = _codes(pairs["query"])
    if read.grade is None or read.grade_name is None:
        values = np.full(pairs.height, np.nan)
    else:
        values = _filled(read.grade) if rule.of_texts is None else rule.of_texts(read.frame[read.grade_name].to_list())
    graded, resolved = rule.apply(
        Signals(
            values,
            user,
            user * pairs.height + _codes(pairs["item"]),
            None if read.time is None else read.time.to_numpy(),
            read.dated,
            {name: _filled(read.frame[name].cast(pl.Float64, strict=False)) for name in rule.columns},
        )
    )
    kept = pairs if graded.row is None else pairs[graded.row]
    return kept.with_columns(pl.Series("grade", graded.value)), resolved


def _filled(column: Any) -> Floats:
    return column.fill_null(float("nan")).to_numpy()


def _codes(column: Any) -> Ints:
    """Return an integer code for each distinct value."""
    return column.rank("dense").to_numpy().astype(np.int64) - 1
