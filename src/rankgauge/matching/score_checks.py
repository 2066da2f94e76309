"""Checks of valid scores: those that single precision cannot distinguish, and those too large to be exact."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rankgauge.errors import Texts, texts
from rankgauge.inputs.findings import Findings
from rankgauge.segments import Array, Bools, Floats, Ints, as_single

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
