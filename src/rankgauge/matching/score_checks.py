"""Checks of scores: too close, too large, ascending as distances do, or grades in their place."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, pairwise
from math import lgamma, log
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.errors import InputError, Texts, shown, texts
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.grade_checks import LARGE_GRADE
from rankgauge.inputs.records import RepeatedItems
from rankgauge.rendering.language import Phrase, plural
from rankgauge.segments import Array, Bools, Floats, Ints, as_single

if TYPE_CHECKING:
    import polars as pl


EXACT = 2.0**53
"""Below this, every whole number is a score of its own in double precision."""


def collapses(ordered: Floats, first: Ints, last: Ints, start: Ints, end: Ints) -> Bools:
    """Return which rows have a neighbour with another score that is the same in single precision.

    The scores of a query are ``ordered[start:end]``, descending, and ``ordered[first:last]`` are equal to that of the
    row.
    """
    if not len(ordered):
        return np.zeros(len(first), dtype=bool)
    single = as_single(ordered[first])
    above = (first > start) & (as_single(ordered[np.maximum(first - 1, 0)]) == single)
    below = (last < end) & (as_single(ordered[np.minimum(last, len(ordered) - 1)]) == single)
    return above | below


def note_large_scores(scores: Array, place: Callable[[int], str | Texts], findings: Findings) -> None:
    """Report finite scores from 2^53 on, where different whole numbers are the same score.

    ``place`` describes the place of a row for the message.
    """
    if not scores.size or max(scores.max(), -scores.min()) < EXACT:
        return
    large = (np.abs(scores) >= EXACT) & np.isfinite(scores)
    if large.any():
        row = int(np.argmax(large))
        (en, zh), score = texts(place(row)), f"{scores.flat[row]:.17g}"
        findings.add("RG214", (f"{en}: score {score}", f"{zh}：分数 {score}"), int(large.sum()))


SAMPLE = 2_000
"""Items that are looked at; a ranking is written one way from its beginning to its end."""
COINCIDENCE = log(1e6)
"""Lists whose orders would all ascend by chance once in a million times."""


def note_ascending_scores(scores: Iterator[list[Any]], place: Phrase, findings: Findings) -> None:
    """Report lists that all ascend, once there are too many for chance."""
    lengths = []
    for of_query in scores:
        if not all(isinstance(score, Real) for score in of_query):  # which is reported where the scores are read
            return
        numbers = np.asarray(of_query)
        if numbers.dtype.kind not in "iuf" or not (numbers[1:] > numbers[:-1]).all():
            return
        lengths.append(len(numbers))
    note_ascending(lengths, place, findings)


def note_ascending(lengths: Sequence[int], place: Phrase, findings: Findings) -> None:
    """Report that lists of these lengths ascend, once there are too many for chance."""
    lists = sum(length > 1 for length in lengths)
    if sum(lgamma(length + 1) for length in lengths) > COINCIDENCE:  # each in one of n! orders
        example = Phrase(
            plural(lists, "the scores of the list ascend", "the scores ascend in each of the first # lists"),
            f"前 {lists:,} 个列表的分数递增" if lists > 1 else "列表的分数递增",
        )
        findings.add("RG410", (f"{place.en}{example.en}", f"{place.zh}{example.zh}"))


def scores_of_records(rankings: Mapping[Any, Any]) -> Iterator[list[Any]]:
    """Yield the scores of the first queries of dicts, as given; a list without scores is in rank order."""
    left = SAMPLE
    for ranking in rankings.values():
        scores = ranking.scores if isinstance(ranking, RepeatedItems) else ranking
        values = scores.values() if isinstance(scores, Mapping) else scores
        if ranking is scores and not isinstance(ranking, Mapping):
            return
        listed = [*islice(values, left)]
        yield listed
        left -= len(listed)
        if left <= 0:
            return


def scores_of_frame(frame: pl.DataFrame) -> list[list[Any]]:
    """Return the scores of the first queries of rows, as given."""
    head = frame.select("query", "score").head(SAMPLE)
    return head.group_by("query", maintain_order=True).agg("score")["score"].to_list()


def scores_of_array(scores: Array, offsets: Array | None) -> Iterator[list[Any]]:
    """Yield the scores of the first rows of a matrix, or of the first groups of a flat array."""
    left = SAMPLE
    borders = None if offsets is None else pairwise(offsets.tolist())
    for of_query in scores if borders is None else (scores[start:end] for start, end in borders):
        yield of_query[:left].tolist()
        left -= len(of_query)
        if left <= 0:
            return


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
