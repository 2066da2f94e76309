"""Grades that are right, yet that tools treat differently: said once, whatever road they came by."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rankgauge.errors import ParameterError
from rankgauge.inputs.findings import SHOWN, Findings

LARGE_GRADE = 31.0
"""With the exponential gain, a grade above this outweighs everything else."""


def note_grades(grades: np.ndarray[Any, Any], place: Callable[[int], str], findings: Findings) -> None:
    """Report fractional, negative and very large grades, and judgments without non-relevant items.

    ``place`` tells where a grade stands, for the message.
    """
    note_odd_grades(grades, place, findings)
    if grades.size and (grades > 0).all():
        findings.add("RG405", f"all {grades.size:,} grades are above 0, first {grades[0]:g} {place(0)}")


def note_odd_grades(grades: np.ndarray[Any, Any], place: Callable[[int], str], findings: Findings) -> None:
    """Report fractional, negative and very large grades, of some or all of the judgments."""
    for code, found, word in (
        ("RG205", grades != np.floor(grades), "fractional"),
        ("RG206", grades < 0, "negative"),
        ("RG207", grades > LARGE_GRADE, "very large"),
    ):
        rows = np.flatnonzero(found)
        for row in rows[:SHOWN].tolist():
            findings.add(code, f"{word} grade {grades[row]:g} {place(row)}")
        if rows.size > SHOWN:
            findings.add(code, count=int(rows.size) - SHOWN)


UNJUDGED = {"", "-", "–", "−", "?", "none", "null", "nan"}
"""How people write that nobody judged an item."""


def parse_grades(text: str) -> list[float | None]:
    """Grades written as text, parted by commas or blanks; a dash stands for an item that nobody judged.

    >>> parse_grades("3, -, 0"), parse_grades("1 2.5")
    ([3.0, None, 0.0], [1.0, 2.5])
    """
    pieces = [piece.strip() for piece in (text.split(",") if "," in text else text.split())]
    try:
        return [None if piece.lower() in UNJUDGED else float(piece) for piece in pieces]
    except ValueError:
        raise ParameterError.of("grades", text, "a list of numbers such as 3,2,0") from None
