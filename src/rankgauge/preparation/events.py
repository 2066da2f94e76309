"""Rules that look beyond one number: at its age, at the other rows of the same item, at other columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from numbers import Real
from typing import Any, Literal, get_args

import numpy as np

from rankgauge.conventions.rule import above_zero, number_or, plain_number
from rankgauge.errors import InputError, ParameterError, shown
from rankgauge.preparation.grading import Floats, Grading, Signals
from rankgauge.rendering.language import Lang, Phrase

Number = int | float
Moment = Number | date
How = Literal["sum", "max", "mean", "count", "last"]

WORDS = {
    "decay": Phrase("halved for every {half_life} before {now}", "时间每比 {now} 早 {half_life}，数值减半"),
    "latest": Phrase("the latest time in the data", "数据中最晚的时间"),
    "sum": Phrase("the sum over all rows of a user and item", "同一用户与物品的各行求和"),
    "max": Phrase("the largest of all rows of a user and item", "同一用户与物品的各行取最大值"),
    "mean": Phrase("the mean over all rows of a user and item", "同一用户与物品的各行取平均"),
    "count": Phrase("the number of rows of a user and item", "同一用户与物品的行数"),
    "last": Phrase("the latest row of a user and item", "同一用户与物品取最晚的一行"),
    "combine": Phrase("the sum of {parts}", "以下各项之和：{parts}"),
    "part": Phrase("{weight} × {name}", "{weight} × {name}"),
    "part by": Phrase("{weight} × {name} ({rule})", "{weight} × {name}（{rule}）"),
    "and": Phrase(", ", "、"),
}


@dataclass(frozen=True, repr=False)
class Decay(Grading):
    """What is old counts less."""

    half_life: Number | timedelta
    now: Moment | None

    def applied(self, signals: Signals) -> tuple[Signals, Grading]:
        """Halve for every half-life; without a time given, the latest in the data is now."""
        if signals.time is None:
            raise InputError(
                "decay needs the time of each interaction; give a frame with a column such as timestamp, or say "
                'columns={"time": "..."}'
            )
        half_life = self._half_life(signals)
        now = (
            seconds_of(self.now, signals.dated, "now")
            if self.now is not None
            else float(signals.time.max(initial=-np.inf))
        )
        late = signals.time > now
        if late.any():
            first = moment_of(float(signals.time[late][0]), signals.dated)
            raise InputError(
                f"decay: the time {first} lies after now={moment_of(now, signals.dated)} ({int(late.sum())} such); "
                "leave later interactions out, or say a later now"
            )
        settled = self if self.now is not None or not late.size else replace(self, now=moment_of(now, signals.dated))
        return replace(signals, value=signals.value * 0.5 ** ((now - signals.time) / half_life)), settled

    def _half_life(self, signals: Signals) -> float:
        if isinstance(self.half_life, timedelta) != signals.dated:
            wanted = "a timedelta (the times are dates)" if signals.dated else "a number in the unit of the times"
            raise ParameterError.of("half_life", self.half_life, wanted, "decay")
        return self.half_life.total_seconds() if isinstance(self.half_life, timedelta) else self.half_life

    def sentence(self, lang: Lang) -> str:
        """The half-life, and from when it is counted."""
        now = WORDS["latest"].render(lang) if self.now is None else str(self.now)
        return WORDS["decay"].render(lang, half_life=self.half_life, now=now)

    def __repr__(self) -> str:
        return f"decay({self.half_life!r}{'' if self.now is None else f', now={self.now!r}'})"


def seconds_of(moment: Moment, dated: bool, name: str) -> float:
    """A moment as the times of the data count it: seconds since 1970 where they are dates."""
    if isinstance(moment, date) != dated:
        wanted = "a date, because the times are dates" if dated else "a number in the unit of the times"
        raise ParameterError.of(name, moment, wanted)
    if not isinstance(moment, date):
        return float(moment)
    exact = moment if isinstance(moment, datetime) else datetime(moment.year, moment.month, moment.day, tzinfo=UTC)
    return exact.timestamp() if exact.tzinfo else exact.replace(tzinfo=UTC).timestamp()


def moment_of(seconds: float, dated: bool) -> Moment:
    """The moment that a time of the data stands for."""
    return datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None) if dated else plain_number(seconds)


def decay(half_life: Number | timedelta, *, now: Moment | None = None) -> Grading:
    """Recent interactions count more: the number is halved for every half-life that it is older than ``now``.

    Times that are numbers take a half-life in their unit; dates take a ``timedelta``, and are read as UTC where they
    name no zone. Without ``now`` it is the latest time in the data, and the rule that is recorded says which.

    >>> import polars as pl
    >>> from rankgauge import grades
    >>> events = pl.DataFrame({"user": [1, 1, 1], "item": ["a", "b", "c"], "rating": [4, 4, 4], "time": [0, 10, 20]})
    >>> grades.decay(10)(events)["grade"].to_list()  # 4 * 0.5^2, 4 * 0.5, 4
    [1.0, 2.0, 4.0]
    """
    if isinstance(half_life, timedelta):
        if half_life <= timedelta(0):
            raise ParameterError.of("half_life", half_life, "longer than nothing", "decay")
    else:
        half_life = above_zero("half_life", half_life)
    if now is not None and not isinstance(now, date):
        now = number_or()("now", now)
    return Decay(half_life, now)


@dataclass(frozen=True, repr=False)
class Merge(Grading):
    """One number for all rows of a user and item."""

    how: How

    def applied(self, signals: Signals) -> tuple[Signals, Grading]:
        """Gather the rows of each pair at its first row."""
        if signals.pair is None:
            raise InputError(f"merge({self.how!r}) needs users and items; give a frame or {{user: {{item: value}}}}")
        _, first, pair = np.unique(signals.pair, return_index=True, return_inverse=True)
        value = _gathered(self.how, signals, pair, len(first))
        order = np.argsort(first)
        time = signals.time
        if time is not None:
            latest = np.full(len(first), -np.inf)
            np.maximum.at(latest, pair, time)
            time = latest[order]
        rows = first[order]
        user = None if signals.user is None else signals.user[rows]
        origin = rows if signals.row is None else signals.row[rows]
        return Signals(value[order], user, np.arange(len(rows)), time, signals.dated, {}, origin), self

    def sentence(self, lang: Lang) -> str:
        """How the rows are gathered."""
        return WORDS[self.how].render(lang)

    def __repr__(self) -> str:
        return f"merge({self.how!r})"


def _gathered(how: How, signals: Signals, pair: Any, count: int) -> Floats:
    value = signals.value
    rows = np.bincount(pair, minlength=count).astype(np.float64)
    match how:
        case "count":
            return rows
        case "sum":
            # In the order of the numbers, so that the digits do not depend on the order of the rows.
            order = np.lexsort((value, pair))
            return np.bincount(pair[order], value[order], count).astype(np.float64)
        case "mean":
            return _gathered("sum", signals, pair, count) / rows
        case "max":
            largest = np.full(count, -np.inf)
            np.maximum.at(largest, pair, value)
            return largest
    if signals.time is None:
        raise InputError("merge('last') needs the time of each interaction")
    order = np.lexsort((value, signals.time))  # of rows at the same time, the larger number
    last = np.empty(count)
    last[pair[order]] = value[order]
    return last


def merge(how: How = "sum") -> Grading:
    """One number for all rows of a user and item: their ``sum``, ``max``, ``mean``, ``count``, or the ``last``.

    >>> import polars as pl
    >>> from rankgauge import grades
    >>> plays = pl.DataFrame({"user": ["u", "u", "u"], "item": ["a", "b", "a"], "weight": [1, 1, 2]})
    >>> (grades.merge() >> grades.log())(plays).rows()
    [('u', 'a', 2.0), ('u', 'b', 1.0)]
    """
    if how not in get_args(How):
        raise ParameterError.of("how", how, f"one of {', '.join(map(repr, get_args(How)))}", "merge")
    return Merge(how)


@dataclass(frozen=True, repr=False)
class Combine(Grading):
    """A weighted sum of columns."""

    parts: tuple[tuple[str, Number, Grading | None], ...]

    def applied(self, signals: Signals) -> tuple[Signals, Grading]:
        """Each column by its own rule, times its weight; a missing number adds nothing."""
        total = np.zeros(len(signals.value))
        settled = []
        for name, weight, rule in self.parts:
            if name not in signals.others:
                raise InputError(f"combine: there is no column {shown(name)}; give a frame that has it")
            part = replace(signals, value=signals.others[name])
            graded, rule_settled = (part, None) if rule is None else rule.applied(part)
            if len(graded.value) != len(total):
                raise ParameterError(f"combine: the rule of {shown(name)} merges rows; merge before or after, for all")
            total += weight * np.nan_to_num(graded.value, nan=0.0, posinf=np.inf, neginf=-np.inf)
            settled.append((name, weight, rule_settled))
        return replace(signals, value=total), Combine(tuple(settled))

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are added up, and those that their rules read."""
        inner = (name for _, _, rule in self.parts if rule for name in rule.columns)
        return tuple(dict.fromkeys([*(name for name, _, _ in self.parts), *inner]))

    def sentence(self, lang: Lang) -> str:
        """The weights and the rule of each column."""
        said = [
            WORDS["part by" if rule else "part"].render(
                lang, weight=weight, name=name, rule=rule.sentence(lang) if rule else ""
            )
            for name, weight, rule in self.parts
        ]
        return WORDS["combine"].render(lang, parts=WORDS["and"].render(lang).join(said))

    def __repr__(self) -> str:
        parts = (f"{name!r}: {f'({weight}, {rule!r})' if rule else weight}" for name, weight, rule in self.parts)
        return f"combine({{{', '.join(parts)}}})"


def combine(weights: Mapping[str, Number | tuple[Number, Grading]]) -> Grading:
    """A weighted sum of several columns, each by a rule of its own where one is given.

    >>> import polars as pl
    >>> from rankgauge import grades
    >>> seen = pl.DataFrame({"user": ["u"], "item": ["a"], "clicks": [7], "bought": [1], "seconds": [None]})
    >>> interest = grades.combine({"clicks": (0.5, grades.log()), "bought": 3, "seconds": 0.01})
    >>> interest(seen)["grade"].to_list()  # 0.5 * log2(8) + 3 * 1, and nothing for what is missing
    [4.5]
    >>> print(interest)
    the sum of 0.5 × clicks (log2(1 + value)), 3 × bought, 0.01 × seconds
    """
    if not isinstance(weights, Mapping) or not weights:
        raise ParameterError.of("weights", weights, "a mapping from columns to weights", "combine")
    parts: list[tuple[str, Number, Grading | None]] = []
    for name, given in weights.items():
        weight, rule = given if isinstance(given, tuple) and len(given) == 2 else (given, None)  # noqa: PLR2004 (a pair)
        if not isinstance(weight, Real) or (rule is not None and not isinstance(rule, Grading)):
            raise ParameterError.of(str(name), given, "a weight, or a weight and a rule", "combine")
        parts.append((str(name), number_or()(str(name), weight), rule))
    return Combine(tuple(parts))
