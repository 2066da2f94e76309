"""Grading rules that use times, several rows of the same user and item, or several columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import partial
from numbers import Real
from typing import Any, Literal, get_args

import numpy as np

from rankgauge.conventions.rule import above_zero, number_or, plain_number
from rankgauge.errors import InputError, ParameterError, check_choice, shown
from rankgauge.inputs.grading import Grading, GradingRule, Signals, meaning_of
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Floats

Number = int | float
Moment = Number | date | str
MergeMethod = Literal["sum", "max", "mean", "count", "last"]
WeightedColumn = tuple[str, Number, Grading | None]
"""A column with its weight and, optionally, the rule that grades it."""

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


def seconds_of(moment: Moment, dated: bool, name: str) -> float:
    """Convert a moment to the unit of the data: seconds since 1970 if the times are dates, which may be ISO 8601 text.

    >>> seconds_of("2001-09-09", True, "at"), seconds_of(5, False, "at")
    (999993600.0, 5.0)
    """
    if isinstance(moment, str):
        try:
            moment = datetime.fromisoformat(moment)
        except ValueError:
            raise ParameterError.of(
                name, moment, ("a number, or a date such as 2024-05-31", "数，或如 2024-05-31 的日期")
            ) from None
    if isinstance(moment, date) != dated:
        allowed = "a date, because the times are dates" if dated else "a number in the unit of the times"
        raise ParameterError.of(name, moment, allowed)
    if not isinstance(moment, date):
        return float(number_or()(name, moment))
    exact = moment if isinstance(moment, datetime) else datetime(moment.year, moment.month, moment.day, tzinfo=UTC)
    return exact.timestamp() if exact.tzinfo else exact.replace(tzinfo=UTC).timestamp()


def moment_of(seconds: float, dated: bool) -> Moment:
    """Convert a time of the data to a number or a date."""
    return datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None) if dated else plain_number(seconds)


def decay(half_life: Number | timedelta, *, now: Moment | None = None) -> Grading:
    """Halve the value for every ``half_life`` that an interaction is older than ``now``.

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
            raise ParameterError.of("half_life", half_life, ("longer than 0", "大于 0"), "decay")
    else:
        half_life = above_zero("half_life", half_life)
    if now is not None and not isinstance(now, date):
        now = number_or()("now", now)
    meaning = WORDS["decay"].fill(half_life=half_life, now=WORDS["latest"] if now is None else now)
    call = f"decay({half_life!r}{'' if now is None else f', now={now!r}'})"
    return GradingRule(call, meaning, partial(_decayed, half_life, now))


def _decayed(half_life: Number | timedelta, now: Moment | None, signals: Signals) -> tuple[Signals, Grading | None]:
    if signals.time is None:
        raise InputError(
            "decay needs the time of each interaction; pass a frame with a column such as timestamp, or "
            'columns={"time": "..."}'
        )
    if isinstance(half_life, timedelta) != signals.dated:
        allowed = "a timedelta (the times are dates)" if signals.dated else "a number in the unit of the times"
        raise ParameterError.of("half_life", half_life, allowed, "decay")
    unit = half_life.total_seconds() if isinstance(half_life, timedelta) else half_life
    end = float(signals.time.max(initial=-np.inf)) if now is None else seconds_of(now, signals.dated, "now")
    late = signals.time > end
    if late.any():
        first = moment_of(float(signals.time[late][0]), signals.dated)
        raise InputError(
            f"decay: the time {first} is after now={moment_of(end, signals.dated)} ({int(late.sum())} in total); "
            "remove later interactions or pass a later now"
        )
    resolved = decay(half_life, now=moment_of(end, signals.dated)) if now is None and late.size else None
    return signals._replace(value=signals.value * 0.5 ** ((end - signals.time) / unit)), resolved


def merge(how: MergeMethod = "sum") -> Grading:
    """Merge all rows of a user and item into one: ``how`` is ``sum``, ``max``, ``mean``, ``count`` or ``last``.

    >>> import polars as pl
    >>> from rankgauge import grades
    >>> plays = pl.DataFrame({"user": ["u", "u", "u"], "item": ["a", "b", "a"], "weight": [1, 1, 2]})
    >>> (grades.merge() >> grades.log())(plays).rows()
    [('u', 'a', 2.0), ('u', 'b', 1.0)]
    """
    check_choice("how", how, get_args(MergeMethod), "merge")
    return GradingRule(f"merge({how!r})", WORDS[how], partial(_merged, how))


def _merged(how: MergeMethod, signals: Signals) -> tuple[Signals, None]:
    """Aggregate the rows of each pair of user and item, in the order of their first rows."""
    if signals.pair is None:
        raise InputError(f"merge({how!r}) needs users and items; pass a frame or {{user: {{item: value}}}}")
    _, first, pair = np.unique(signals.pair, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rows = first[order]
    value = _aggregated(how, signals, pair, len(first))[order]
    time = None if signals.time is None else _largest(signals.time, pair, len(first))[order]
    user = None if signals.user is None else signals.user[rows]
    origin = rows if signals.row is None else signals.row[rows]
    return Signals(value, user, np.arange(len(rows)), time, signals.dated, {}, origin), None


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
            return _largest(value, pair, count)
    if signals.time is None:
        raise InputError("merge('last') needs the time of each interaction")
    order = np.lexsort((value, signals.time))  # for equal times, the larger value
    last = np.empty(count)
    last[pair[order]] = value[order]
    return last


def _largest(values: Floats, pair: Any, count: int) -> Floats:
    largest = np.full(count, -np.inf)
    np.maximum.at(largest, pair, values)
    return largest


def combine(weights: Mapping[str, Number | tuple[Number, Grading]]) -> Grading:
    """Return a weighted sum of columns, each optionally graded by its own rule.

    ``weights`` has the weight of each column, or a pair of its weight and the rule that grades it.

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
        raise ParameterError.of(
            "weights", weights, ("a mapping from columns to weights", "从列到权重的映射"), "combine"
        )
    parts: list[WeightedColumn] = []
    for name, entry in weights.items():
        weight, rule = entry if isinstance(entry, tuple) and len(entry) == 2 else (entry, None)  # noqa: PLR2004 (a pair)
        if not isinstance(weight, Real) or (rule is not None and not isinstance(rule, Grading)):
            raise ParameterError.of(
                str(name), entry, ("a weight, or a weight and a rule", "一个权重，或一个权重与一条规则"), "combine"
            )
        if rule is not None and rule.of_texts is not None:
            raise ParameterError.of(str(name), rule, ("a rule of numbers", "数值的规则"), "combine")
        parts.append((str(name), number_or()(str(name), weight), rule))
    return _combination(parts)


def _combination(parts: Sequence[WeightedColumn]) -> Grading:
    calls = (f"{name!r}: {f'({weight}, {rule!r})' if rule else weight}" for name, weight, rule in parts)
    meanings = [
        WORDS["part by"].fill(weight=weight, name=name, rule=meaning_of(rule))
        if rule
        else WORDS["part"].fill(weight=weight, name=name)
        for name, weight, rule in parts
    ]
    columns = [*(name for name, _, _ in parts), *(name for _, _, rule in parts if rule for name in rule.columns)]
    meaning = WORDS["combine"].fill(parts=WORDS["and"].join(meanings))
    call = f"combine({{{', '.join(calls)}}})"
    return GradingRule(call, meaning, partial(_combined, parts), tuple(dict.fromkeys(columns)))


def _combined(parts: Sequence[WeightedColumn], signals: Signals) -> tuple[Signals, Grading]:
    """Apply the rule of each column and add the weighted results; missing values add nothing."""
    total, resolved = np.zeros(len(signals.value)), []
    for name, weight, rule in parts:
        if name not in signals.others:
            raise InputError(f"combine: no column {shown(name)}; pass a frame that has it")
        part = signals._replace(value=signals.others[name])
        graded, resolved_rule = (part, None) if rule is None else rule.apply(part)
        if len(graded.value) != len(total):
            raise ParameterError(f"combine: the rule of {shown(name)} merges rows; merge before or after combine")
        total += weight * np.nan_to_num(graded.value, nan=0.0, posinf=np.inf, neginf=-np.inf)
        resolved.append((name, weight, resolved_rule))
    return signals._replace(value=total), _combination(resolved)
