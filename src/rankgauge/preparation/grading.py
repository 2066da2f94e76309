"""Grading: a rule from what users did to grades, as a value that can be joined, applied, printed and recorded."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from numbers import Real
from typing import Any

import numpy as np

from rankgauge.conventions.rule import plain_number
from rankgauge.errors import InputError, shown
from rankgauge.rendering.language import Lang, Phrase, check_lang

Floats = np.ndarray[Any, np.dtype[np.float64]]
Ints = np.ndarray[Any, np.dtype[np.int64]]

_THEN = Phrase("; then ", "；然后")


@dataclass(frozen=True)
class Signals:
    """What is known of each row: its number, and where there are such the user, the pair, the time, other numbers."""

    value: Floats
    user: Ints | None = None
    """The number of the user of each row."""
    pair: Ints | None = None
    """The number of the pair of user and item."""
    time: Floats | None = None
    dated: bool = False
    """Whether the times are dates, in seconds since 1970."""
    others: Mapping[str, Floats] = field(default_factory=dict)
    """Further columns of numbers by name."""
    row: Ints | None = None
    """The row of the data that each of these stands for; None: each for its own."""


class Grading(ABC):
    """A rule from what users did (ratings, clicks, plays, seconds) to grades.

    ``rule(data)`` applies it to a number, a list, an array, ``{item: number}``, ``{user: {item: number}}`` or a
    frame; ``first >> second`` joins two; ``repr`` is the call that makes it, ``say("zh")`` a sentence.
    """

    @abstractmethod
    def applied(self, signals: Signals) -> tuple[Signals, Grading]:
        """The rows with new numbers, and this rule with everything settled that it took from the data."""

    @abstractmethod
    def sentence(self, lang: Lang) -> str:
        """What the rule does, to be read."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of further columns that the rule reads."""
        return ()

    def render(self, lang: str = "en") -> str:
        """What the rule does, in English or Chinese."""
        return self.sentence(check_lang(lang))

    def __rshift__(self, then: Grading) -> Grading:
        if not isinstance(then, Grading):
            return NotImplemented
        return Joined((*_steps(self), *_steps(then)))

    def __str__(self) -> str:
        return self.render()

    def __call__(self, data: Any, *, columns: Mapping[str, str] | None = None) -> Any:
        """The data with grades in the place of numbers; a frame becomes one of query, item and grade."""
        return apply(self, data, columns)[0]


@dataclass(frozen=True, repr=False)
class Joined(Grading):
    """Several rules, one after the other."""

    steps: tuple[Grading, ...]

    def applied(self, signals: Signals) -> tuple[Signals, Grading]:
        """Each step on what the one before it made."""
        settled = []
        for step in self.steps:
            signals, step_settled = step.applied(signals)
            settled.append(step_settled)
        return signals, Joined(tuple(settled))

    def sentence(self, lang: Lang) -> str:
        """The sentences of the steps."""
        return _THEN.render(lang).join(step.sentence(lang) for step in self.steps)

    @property
    def columns(self) -> tuple[str, ...]:
        """All that any step reads."""
        return tuple(dict.fromkeys(name for step in self.steps for name in step.columns))

    def __repr__(self) -> str:
        return " >> ".join(map(repr, self.steps))


def _steps(rule: Grading) -> tuple[Grading, ...]:
    return rule.steps if isinstance(rule, Joined) else (rule,)


def apply(rule: Grading, data: Any, columns: Mapping[str, str] | None = None) -> tuple[Any, Grading]:
    """The data with grades in the place of numbers, and the rule as it was applied."""
    if isinstance(data, Real):
        signals, settled = rule.applied(_plain([data], str))
        return plain_number(signals.value[0]), settled
    if isinstance(data, np.ndarray):
        return _apply_to_array(rule, data)
    if isinstance(data, Mapping):
        return _apply_to_dict(rule, data)
    if isinstance(data, Sequence) and not isinstance(data, str | bytes):
        signals, settled = rule.applied(replace(_plain(data, "place {}".format), user=np.zeros(len(data), np.int64)))
        return [*map(plain_number, signals.value)], settled
    return _apply_to_frame(rule, data, columns)


def _plain(numbers: Sequence[Any], place: Callable[[int], str]) -> Signals:
    for row, number in enumerate(numbers):
        if isinstance(number, bool) or not isinstance(number, Real):
            raise InputError(f"{place(row)}: {shown(number)} is not a number, so it has no grade")
    return Signals(np.array(numbers, dtype=np.float64))


def _apply_to_array(rule: Grading, numbers: np.ndarray[Any, Any]) -> tuple[Any, Grading]:
    if numbers.dtype.kind not in "iufb":
        raise InputError(f"an array of {numbers.dtype} has no grades; give numbers")
    rows = len(numbers) if numbers.ndim > 1 else 1
    user = np.repeat(np.arange(rows), numbers.size // max(rows, 1))
    signals, settled = rule.applied(Signals(numbers.astype(np.float64).ravel(), user))
    return signals.value.reshape(numbers.shape), settled


def _apply_to_dict(rule: Grading, data: Mapping[Any, Any]) -> tuple[Any, Grading]:
    nested = bool(data) and all(isinstance(inner, Mapping) for inner in data.values())
    users = data if nested else {None: data}
    cells = [(user, item, number) for user, numbers in users.items() for item, number in numbers.items()]

    def place(row: int) -> str:
        user, item, _ = cells[row]
        return f"item {shown(item)}" + (f" of {shown(user)}" if nested else "")

    signals = _plain([number for _, _, number in cells], place)
    sizes = [len(numbers) for numbers in users.values()]
    user = np.repeat(np.arange(len(sizes)), sizes)
    graded, settled = rule.applied(replace(signals, user=user, pair=np.arange(len(cells))))
    values = iter(map(plain_number, graded.value))
    mapped = {name: {item: next(values) for item in numbers} for name, numbers in users.items()}
    return mapped if nested else mapped[None], settled


def _apply_to_frame(rule: Grading, data: Any, columns: Mapping[str, str] | None) -> tuple[Any, Grading]:
    import polars as pl  # noqa: PLC0415 (half of the time that the import of this package would take)

    from rankgauge.inputs.frames import read_interactions  # noqa: PLC0415

    read = read_interactions(data, columns)
    lacking = [name for name in rule.columns if name not in read.frame.columns]
    if lacking:
        raise InputError(
            f"interactions: no column {shown(lacking[0])}, which the grades need; the columns are "
            f"{', '.join(map(shown, read.frame.columns))}"
        )
    if read.grade is None and not rule.columns:
        raise InputError(
            "interactions: no column has the number that the grades are made of; say which: "
            'columns={"grade": "..."}; the columns are ' + ", ".join(map(shown, read.frame.columns))
        )
    pairs = pl.DataFrame({"query": read.query, "item": read.item})
    user = _codes(pairs["query"])
    numbers = pl.Series([None] * pairs.height, dtype=pl.Float64) if read.grade is None else read.grade
    graded, settled = rule.applied(
        Signals(
            _filled(numbers),
            user,
            user * pairs.height + _codes(pairs["item"]),
            None if read.time is None else read.time.to_numpy(),
            read.dated,
            {name: _filled(read.frame[name].cast(pl.Float64, strict=False)) for name in rule.columns},
        )
    )
    kept = pairs if graded.row is None else pairs[graded.row]
    return kept.with_columns(pl.Series("grade", graded.value)), settled


def _filled(column: Any) -> Floats:
    return column.fill_null(float("nan")).to_numpy()


def _codes(column: Any) -> Ints:
    """The number of each value among the different ones."""
    return column.rank("dense").to_numpy().astype(np.int64) - 1
