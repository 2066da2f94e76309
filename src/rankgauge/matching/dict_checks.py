"""Checks of dicts of scores and grades: ids that are missing, and values that are not numbers."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice
from numbers import Real
from typing import Any

import numpy as np

from rankgauge.errors import InputError, shown
from rankgauge.inputs.findings import Findings, with_ids
from rankgauge.inputs.grade_checks import note_grades
from rankgauge.inputs.records import is_missing_id
from rankgauge.matching.copies import ScoresWithCopies, item_of
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Floats
from rankgauge.value_checks import fits_double, is_finite

Judgments = Mapping[Any, Mapping[Any, Any]]
NotANumberError = struct.error


def has_missing_id(scores: Mapping[object, object]) -> bool:
    """Whether an item is None or empty text, or NaN among numbers."""
    if "" in scores or None in scores:
        return True
    return isinstance(next(iter(scores), None), float) and any(map(is_missing_id, scores))


def only_numbers(query: object, scores: Mapping[object, object], findings: Findings) -> dict[Any, Any]:
    """Return the scores that are numbers; the others are reported."""
    kept = type(scores)() if isinstance(scores, ScoresWithCopies) else {}
    for item, score in scores.items():
        text = shown(score)
        if is_missing_id(item_of(item)):
            problem = "RG208", "an item id is empty", "物品的标识为空"
        elif not isinstance(score, Real) or isinstance(score, np.timedelta64):
            problem = "RG201", f"score {text} is not a number", f"分数 {text} 不是数字"
        elif not fits_double(score):
            problem = "RG201", f"score {text} is too large for double precision", f"分数 {text} 超出双精度的范围"
        elif score != score:  # noqa: PLR0124 (only NaN differs from itself)
            problem = "RG202", "score is nan", "分数为 nan"
        else:
            kept[item] = score
            continue
        (code, en, zh), place = problem, findings.place("ranking", query)
        findings.add(code, with_ids(f"{place}: {en}", f"{place}：{zh}", query, item))
    return kept


def check_grades(judgments: Judgments, findings: Findings) -> Judgments:
    """Return the judgments whose grades are finite numbers; the others are reported."""
    try:
        all_grades = numbers_of([*judgments.values()])
        ids = chain([judgments], judgments.values())
        if np.isfinite(all_grades).all() and not any(map(has_missing_id, ids)):
            note_grades(all_grades, lambda row: _place(judgments, row), findings)
            return judgments
    except (AttributeError, TypeError, NotANumberError):
        pass
    checked: dict[object, dict[object, object]] = {}
    for query, grades in judgments.items():
        if not isinstance(grades, Mapping):
            raise InputError(f"query {shown(query)}: its judgments are {shown(grades)}; they must be {{item: grade}}")
        if is_missing_id(query):
            name = shown(query)
            findings.add("RG208", (f"judgments: the query id is {name}", f"标注：查询的标识为 {name}"))
            continue
        checked[query] = {}
        for item, grade in grades.items():
            if is_missing_id(item):
                findings.add("RG208", with_ids("judgments: an item id is empty", "标注：物品的标识为空", query, item))
            elif is_finite(grade):
                checked[query][item] = grade
            else:
                en, zh = f"grade {shown(grade)} is not a finite number", f"等级 {shown(grade)} 不是有限的数"
                findings.add("RG204", with_ids(f"judgments: {en}", f"标注：{zh}", query, item))
    note_grades(numbers_of([*checked.values()]), lambda row: _place(checked, row), findings)
    return checked


def _place(judgments: Judgments, row: int) -> Phrase:
    pairs = ((query, item) for query, grades in judgments.items() for item in grades)
    query, item = map(shown, next(islice(pairs, row, None)))
    return Phrase(f"(query {query}, item {item})", f"（查询 {query}，物品 {item}）")


def numbers_of(mappings: Sequence[Mapping[object, object]]) -> Floats:
    """Return the values of all mappings in one array."""
    numbers = np.empty(sum(map(len, mappings)))
    put_numbers(numbers, 0, len(numbers), chain.from_iterable(mapping.values() for mapping in mappings))
    return numbers


def put_numbers(array: Floats, start: int, count: int, values: Iterable[object]) -> None:
    """Write this many values into the array, from a row on; raise ``NotANumberError`` if one is not a number.

    NumPy would convert text, dates and None as well, and takes longer: 15 instead of 10 ns per value.
    """
    struct.pack_into(f"{count}d", array.data, array.itemsize * start, *values)
