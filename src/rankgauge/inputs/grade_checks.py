"""Checks of grades: report valid grades that tools treat differently, and parse grades typed as text."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from rankgauge.errors import InputError, Texts, shown
from rankgauge.inputs.findings import SHOWN, Findings
from rankgauge.rendering.language import Phrase, plural
from rankgauge.segments import Array

if TYPE_CHECKING:
    import polars as pl

LARGE_GRADE = 31.0
"""With the exponential gain, a larger grade outweighs everything else."""


def note_grades(grades: Array, place: Callable[[int], Texts], findings: Findings) -> None:
    """Report fractional, negative and very large grades, and judgments without non-relevant items.

    ``place`` describes the place of a row for the message.
    """
    note_unusual_grades(grades, place, findings)
    if grades.size and (grades > 0).all():
        grades_are = plural(grades.size, "the only grade is", "all # grades are")
        (en, zh), every = place(0), "唯一的等级" if grades.size == 1 else f"全部 {grades.size:,} 个等级"
        chinese = f"{every}均大于 0，首个为 {grades[0]:g}{zh}"
        findings.add("RG405", (f"{grades_are} above 0, first {grades[0]:g} {en}", chinese))


def note_labels(labels: Array, findings: Findings) -> None:
    """Report what is unusual about an array of labels, in which NaN is no judgment."""
    if labels.dtype.kind not in "iufb" or not labels.size:
        return
    flat = labels.ravel()
    if labels.dtype.kind != "f" and flat.min() == 0 and flat.max() <= LARGE_GRADE:
        return  # the usual labels, without a copy
    known = np.isfinite(flat) if labels.dtype.kind == "f" else np.ones(flat.size, dtype=bool)

    def place(row: int) -> Texts:
        label = f"labels{[int(axis[row]) for axis in np.nonzero(known.reshape(labels.shape))]}"
        return f"({label})", f"（{label}）"

    note_grades((flat if known.all() else flat[known]).astype(np.float64, copy=False), place, findings)


def note_unusual_grades(grades: Array, place: Callable[[int], Texts], findings: Findings) -> None:
    """Report fractional, negative and very large grades."""
    if not ((grades != np.floor(grades)) | (grades < 0) | (grades > LARGE_GRADE)).any():
        return
    for code, unusual, word in (
        ("RG205", grades != np.floor(grades), Phrase("fractional grade", "小数等级")),
        ("RG206", grades < 0, Phrase("negative grade", "负等级")),
        ("RG207", grades > LARGE_GRADE, Phrase("very large grade", "过大的等级")),
    ):
        rows = np.flatnonzero(unusual)
        for row in rows[:SHOWN].tolist():
            en, zh = place(row)
            findings.add(code, (f"{word.en} {grades[row]:g} {en}", f"{word.zh} {grades[row]:g}{zh}"))
        if rows.size > SHOWN:
            findings.add(code, count=int(rows.size) - SHOWN)


def row_place(frame: pl.DataFrame, row: int, file: str = "") -> Texts:
    """Return the place of a row of query, item and number for a message."""
    query, item, *_ = frame.row(row)
    query, item = shown(query), shown(item)
    english = f"({file}{', ' if file else ''}query {query}, item {item})"
    return english, f"（{file}{'，' if file else ''}查询 {query}，物品 {item}）"


def note_judged(frame: pl.DataFrame, findings: Findings, file: str = "") -> None:
    """Report unusual grades; a query without relevant items has a row without an item and a grade."""
    judged = frame.drop_nulls("item") if frame["item"].null_count() else frame
    note_grades(judged["grade"].to_numpy(), lambda row: row_place(judged, row, file), findings)


UNJUDGED = {"-", "–", "−", "?", "none", "null"}
"""Texts that mean that an item is not judged."""
BRACKETS = ("[]", "()")
"""What may enclose a list pasted from a program."""
SEPARATORS = re.compile(r"\s*[,，、;；]\s*|\s+")
NO_GRADE = Phrase(
    "entry {place} is {reason}; separate numbers by commas, semicolons or spaces, and write - for an item without a "
    "judgment",
    "第 {place} 项{reason}；请用逗号、分号或空格分隔各数，未标注的物品写作 -",
)
EMPTY = Phrase("empty", "为空")


def parse_grades(text: str) -> list[float | None]:
    """Parse grades separated by commas, semicolons or whitespace; a dash means that the item is not judged.

    >>> parse_grades("3, -, 0"), parse_grades("1 2.5"), parse_grades("5;3;2")
    ([3.0, None, 0.0], [1.0, 2.5], [5.0, 3.0, 2.0])
    >>> parse_grades("[3, None, 0,]")  # as Python prints or takes a list
    [3.0, None, 0.0]
    >>> parse_grades("５，３、-")  # as typed on a Chinese keyboard
    [5.0, 3.0, None]
    """
    text = text.strip()
    text = text[1:-1].strip() if text[:1] + text[-1:] in BRACKETS else text
    fields = SEPARATORS.split(text) if text else []
    if len(fields) > 1 and not fields[-1]:
        fields.pop()  # after the last comma
    return [_grade(field, place) for place, field in enumerate(fields, 1)]


def _grade(field: str, place: int) -> float | None:
    if field.lower() in UNJUDGED:
        return None
    try:
        grade = float(field)
    except ValueError:
        grade = math.nan
    if math.isnan(grade):
        reason = Phrase(f"{shown(field)}, not a number", f" {shown(field)} 不是数") if field else EMPTY
        raise InputError(NO_GRADE.fill(place=place, reason=reason))
    return grade
