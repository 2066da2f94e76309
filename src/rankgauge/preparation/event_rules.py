"""Grading rules that use times, several rows of the same user and item, or several columns."""

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
MergeMethod = Literal["sum", "max", "mean", "count", "last"]

WORDS = {
    "decay": Phrase("halved for every {half_life} before {now}", "时间每比 {now} 早 {half_life}，数值减半"),
    "latest": Phrase("the latest time in the data", "数据中最晚的时间"),
    "sum": Phrase("the sum over all rows of a user and item", "同一用户与物品的各行求和"),
    "max": Phrase("the largest of all rows of a user and item", "同一用户与物品的各行取最大值"),
    "mean": Phrase("the mean over all rows of a user and item", "同一用户与物品的各行取均值"),
    "count": Phrase("the number of rows of a user and item", "同一用户与物品的行数"),
    "last": Phrase("the latest row of a user and item", "同一用户与物品取最晚的一行"),
    "combine": Phrase("the sum of {parts}", "以下各项之和：{parts}"),
    "part": Phrase("{weight} × {name}", "{weight} × {name}"),
    "part by": Phrase("{weight} × {name} ({rule})", "{weight} × {name}（{rule}）"),
    "and": Phrase(", ", "、"),
}


@dataclass(frozen=True, repr=False)
class DecayRule(Grading):
    """Exponential decay with the age of an interaction."""

    half_life: Number | timedelta
    now: Moment | None

    def apply(self, signals: Signals) -> tuple[Signals, Grading]:
        """Halve the value for every half-life of age; ``now`` defaults to the latest time in the data."""
        if signals.time is None:
            raise InputError(
                "decay needs the time of each interaction; pass a frame with a column such as timestamp, or "
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
                f"decay: the time {first} is after now={moment_of(now, signals.dated)} ({int(late.sum())} in total); "
                "remove later interactions or pass a later now"
            )
        resolved = self if self.now is not None or not late.size else replace(self, now=moment_of(now, signals.dated))
        return replace(signals, value=signals.value * 0.5 ** ((now - signals.time) / half_life)), resolved

    def _half_life(self, signals: Signals) -> float:
        if isinstance(self.half_life, timedelta) != signals.dated:
            allowed = "a timedelta (the times are dates)" if signals.dated else "a number in the unit of the times"
            raise ParameterError.of("half_life", self.half_life, allowed, "decay")
        return self.half_life.total_seconds() if isinstance(self.half_life, timedelta) else self.half_life

    def describe(self, lang: Lang) -> str:
        """Name the half-life and the reference time."""
        now = WORDS["latest"].render(lang) if self.now is None else str(self.now)
        return WORDS["decay"].render(lang, half_life=self.half_life, now=now)

    def __repr__(self) -> str:
        return f"decay({self.half_life!r}{'' if self.now is None else f', now={self.now!r}'})"


def seconds_of(moment: Moment, dated: bool, name: str) -> float:
    """Convert a moment to the unit of the data: seconds since 1970 if the times are dates."""
    if isinstance(moment, date) != dated:
        allowed = "a date, because the times are dates" if dated else "a number in the unit of the times"
        raise ParameterError.of(name, moment, allowed)
    if not isinstance(moment, date):
        return float(moment)
    exact = moment if isinstance(moment, datetime) else datetime(moment.year, moment.month, moment.day, tzinfo=UTC)
    return exact.timestamp() if exact.tzinfo else exact.replace(tzinfo=UTC).timestamp()


def moment_of(seconds: float, dated: bool) -> Moment:
    """Convert a time of the data to a number or a date."""
    return datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None) if dated else plain_number(seconds)


def decay(half_life: Number | timedelta, *, now: Moment | None = None) -> Grading:
    """Halve the value for every half-life that an interaction is older than ``now``.

    Numeric times take a half-life in the same unit; dates take a ``timedelta`` and are read as UTC unless they have a
    time zone. ``now`` defaults to the latest time in the data, which the recorded rule then names.

    >>> import polars as pl
    >>> from rankgauge import grades
    >>> events = pl.DataFrame({"user": [1, 1, 1], "item": ["a", "b", "c"], "rating": [4, 4, 4], "time": [0, 10, 20]})
    >>> grades.decay(10)(events)["grade"].to_list()  # 4 * 0.5^2, 4 * 0.5, 4
    [1.0, 2.0, 4.0]
    """
    if isinstance(half_life, timedelta):
        if half_life <= timedelta(0):
            raise ParameterError.of("half_life", half_life, "longer than 0", "decay")
    else:
        half_life = above_zero("half_life", half_life)
    if now is not None and not isinstance(now, date):
        now = number_or()("now", now)
    return DecayRule(half_life, now)


@dataclass(frozen=True, repr=False)
class MergeRule(Grading):
    """One value for all rows of a user and item."""

    how: MergeMethod

    def apply(self, signals: Signals) -> tuple[Signals, Grading]:
        """Aggregate the rows of each pair of user and item, in the order of their first rows."""
        if signals.pair is None:
            raise InputError(f"merge({self.how!r}) needs users and items; pass a frame or {{user: {{item: value}}}}")
        _, first, pair = np.unique(signals.pair, return_index=True, return_inverse=True)
        value = _aggregated(self.how, signals, pair, len(first))
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

    def describe(self, lang: Lang) -> str:
        """Name the aggregation."""
        return WORDS[self.how].render(lang)

    def __repr__(self) -> str:
        return f"merge({self.how!r})"


def _aggregated(how: MergeMethod, signals: Signals, pair: Any, count: int) -> Floats:
    value = signals.value
    rows = np.bincount(pair, minlength=count).astype(np.float64)
    match how:
        case "count":
            return rows
        case "sum":
            # Added in sorted order, so that the sum does not depend on the order of the rows.
            order = np.lexsort((value, pair))
            return np.bincount(pair[order], value[order], count).astype(np.float64)
        case "mean":
            return _aggregated("sum", signals, pair, count) / rows
        case "max":
            largest = np.full(count, -np.inf)
            np.maximum.at(largest, pair, value)
            return largest
    if signals.time is None:
        raise InputError("merge('last') needs the time of each interaction")
    order = np.lexsort((value, signals.time))  # for equal times, the larger value
    last = np.empty(count)
    last[pair[order]] = value[order]
    return last


def merge(how: MergeMethod = "sum") -> Grading:
    """Merge all rows of a user and item into their ``sum``, ``max``, ``mean``, ``count``, or the ``last`` value.

    >>> import polars as pl
    >>> from rankgauge import grades
    >>> plays = pl.DataFrame({"user": ["u", "u", "u"], "item": ["a", "b", "a"], "weight": [1, 1, 2]})
    >>> (grades.merge() >> grades.log())(plays).rows()
    [('u', 'a', 2.0), ('u', 'b', 1.0)]
    """
    if how not in get_args(MergeMethod):
        raise ParameterError.of("how", how, f"one of {', '.join(map(repr, get_args(MergeMethod)))}", "merge")
    return MergeRule(how)


@dataclass(frozen=True, repr=False)
class CombineRule(Grading):
    """A weighted sum of columns."""

    parts: tuple[tuple[str, Number, Grading | None], ...]

    def apply(self, signals: Signals) -> tuple[Signals, Grading]:
        """Apply the rule of each column and add the weighted results; missing values add nothing."""
        total = np.zeros(len(signals.value))
        resolved = []
        for name, weight, rule in self.parts:
            if name not in signals.others:
                raise InputError(f"combine: no column {shown(name)}; pass a frame that has it")
            part = replace(signals, value=signals.others[name])
            graded, resolved_rule = (part, None) if rule is None else rule.apply(part)
            if len(graded.value) != len(total):
                raise ParameterError(f"combine: the rule of {shown(name)} merges rows; merge before or after combine")
            total += weight * np.nan_to_num(graded.value, nan=0.0, posinf=np.inf, neginf=-np.inf)
            resolved.append((name, weight, resolved_rule))
        return replace(signals, value=total), CombineRule(tuple(resolved))

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the combined columns and of those that their rules read."""
        inner = (name for _, _, rule in self.parts if rule for name in rule.columns)
        return tuple(dict.fromkeys([*(name for name, _, _ in self.parts), *inner]))

    def describe(self, lang: Lang) -> str:
        """Name the weight and rule of each column."""
        parts = [
            WORDS["part by" if rule else "part"].render(
                lang, weight=weight, name=name, rule=rule.describe(lang) if rule else ""
            )
            for name, weight, rule in self.parts
        ]
        return WORDS["combine"].render(lang, parts=WORDS["and"].render(lang).join(parts))

    def __repr__(self) -> str:
        parts = (f"{name!r}: {f'({weight}, {rule!r})' if rule else weight}" for name, weight, rule in self.parts)
        return f"combine({{{', '.join(parts)}}})"


def combine(weights: Mapping[str, Number | tuple[Number, Grading]]) -> Grading:
    """Return a weighted sum of columns, each optionally graded by its own rule.

    >>> import polars as pl
    >>> from rankgauge import grades
    >>> seen = pl.DataFrame({"user": ["u"], "item": ["a"], "clicks": [7], "bought": [1], "seconds": [None]})
    >>> interest = grades.combine({"clicks": (0.5, grades.log()), "bought": 3, "seconds": 0.01})
    >>> interest(seen)["grade"].to_list()  # 0.5 * log2(8) + 3 * 1; the missing value adds nothing
    [4.5]
    >>> print(interest)
    the sum of 0.5 × clicks (log2(1 + value)), 3 × bought, 0.01 × seconds
    """
    if not isinstance(weights, Mapping) or not weights:
        raise ParameterError.of("weights", weights, "a mapping from columns to weights", "combine")
    parts: list[tuple[str, Number, Grading | None]] = []
    for name, entry in weights.items():
        weight, rule = entry if isinstance(entry, tuple) and len(entry) == 2 else (entry, None)  # noqa: PLR2004 (a pair)
        if not isinstance(weight, Real) or (rule is not None and not isinstance(rule, Grading)):
            raise ParameterError.of(str(name), entry, "a weight, or a weight and a rule", "combine")
        parts.append((str(name), number_or()(str(name), weight), rule))
    return CombineRule(tuple(parts))
