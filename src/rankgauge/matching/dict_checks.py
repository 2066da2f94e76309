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
from rankgauge.value_checks import fits_double, inexact_id, is_finite, is_inexact_id

Judgments = Mapping[Any, Mapping[Any, Any]]
NotANumberError = struct.error


def has_unusable_id(scores: Mapping[object, object]) -> bool:
    """Whether an item is None or empty text, or among numbers NaN, a bool or a float beyond exactness."""
    if "" in scores or None in scores:
        return True
    if isinstance(next(iter(scores), None), str) and True not in scores and False not in scores:
        return False
    kinds = {*map(type, scores)}
    return not kinds <= {int, str} and any(problem_of_id(item_of(item)) for item in scores)


def problem_of_id(item: object) -> tuple[str, str, str] | None:
    """Return the code and the texts of what is wrong with an id; None for text, numbers and any other object."""
    if isinstance(item, str | int) and not isinstance(item, bool) and item != "":
        return None
    if isinstance(item, bool | np.bool_):
        return "RG216", f"the id is {item}", f"标识为 {item}"
    if is_missing_id(item):
        return "RG208", "an item id is empty", "物品的标识为空"
    return ("RG215", *inexact_id(item)) if is_inexact_id(item) else None


def only_numbers(query: object, scores: Mapping[object, object], findings: Findings) -> dict[Any, Any]:
    """Return the scores that are numbers; the others are reported."""
    kept = type(scores)() if isinstance(scores, ScoresWithCopies) else {}
    for item, score in scores.items():
        text = shown(score)
        if (wrong := problem_of_id(item_of(item))) is not None:
            problem = wrong
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
        findings.add(code, with_ids(f"{place.en}: {en}", f"{place.zh}：{zh}", query, item))
    return kept


def check_grades(judgments: Judgments, findings: Findings) -> tuple[Judgments, Floats]:
    """Return the judgments whose grades are finite numbers, and those grades; the others are reported."""
    try:
        all_grades = numbers_of([*judgments.values()])
        ids = chain([judgments], judgments.values())
        if np.isfinite(all_grades).all() and not any(map(has_unusable_id, ids)):
            note_grades(all_grades, lambda row: _place(judgments, row), findings)
            return judgments, all_grades
    except (AttributeError, TypeError, NotANumberError):
        pass
    checked: dict[object, dict[object, object]] = {}
    for query, grades in judgments.items():
        if not isinstance(grades, Mapping):
            raise InputError(f"query {shown(query)}: its judgments are {shown(grades)}; they must be {{item: grade}}")
        if (wrong := problem_of_id(query)) is not None:
            name = shown(query)
            findings.add(wrong[0], (f"judgments: the query id is {name}", f"标注：查询的标识为 {name}"))
            continue
        checked[query] = {}
        for item, grade in grades.items():
            if (wrong := problem_of_id(item)) is not None:
                code, en, zh = wrong
                findings.add(code, with_ids(f"judgments: {en}", f"标注：{zh}", query, item))
            elif is_finite(grade):
                checked[query][item] = grade
            else:
                en, zh = f"grade {shown(grade)} is not a finite number", f"等级 {shown(grade)} 不是有限的数"
                findings.add("RG204", with_ids(f"judgments: {en}", f"标注：{zh}", query, item))
    kept_grades = numbers_of([*checked.values()])
    note_grades(kept_grades, lambda row: _place(checked, row), findings)
    return checked, kept_grades


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
