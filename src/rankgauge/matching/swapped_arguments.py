"""Refuse judgments and a ranking that were passed in swapped order, whatever their form."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import chain, islice
from typing import Any

from rankgauge.errors import InputError, shown
from rankgauge.inputs.grade_checks import LARGE_GRADE

SOME = 200
"""Numbers of each side that are looked at."""
FEW = 3
"""Fewer numbers say too little, unless they are integers by type."""


def check_not_swapped(grades: Iterable[Any], lists: Iterable[Sequence[Any]]) -> None:
    """Raise an error if the judgments have fractions only and the ranking has small integers, as swapped data have.

    ``lists`` are the scores of the first queries.
    """
    scores = [*islice(chain.from_iterable(lists), SOME)]
    if not all(isinstance(score, int | float) and 0 <= score <= LARGE_GRADE and score % 1 == 0 for score in scores):
        return  # mostly the first says no
    known = [grade for grade in islice(grades, SOME) if not (isinstance(grade, float) and math.isnan(grade))]
    fractions = known and all(isinstance(grade, float) and grade % 1 for grade in known)
    enough = all(isinstance(score, int) for score in scores) or min(len(known), len(scores)) >= FEW
    if fractions and enough and scores and (0 in scores or len({*scores}) < len(scores)):
        fraction, integer = shown(known[0]), shown(scores[0])
        text = (
            f"the arguments look swapped: the judgments are fractions such as {fraction}, and the scores whole "
            f"numbers such as {integer}; pass the judgments first, or scores / 10 if they are scores: only their order "
            "counts"
        )
        chinese = (
            f"两个参数的顺序似乎反了：标注是 {fraction} 这样的小数，分数是 {integer} 这样的整数；"
            "请先给标注；如果确是分数，请传入分数 / 10：只有先后有影响"
        )
        raise InputError((text, chinese))
