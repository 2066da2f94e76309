"""Judgments of few items per row: their ranks are counted in one pass over the scores, and nothing is sorted.

On CUDA a Triton kernel reads every score once; elsewhere plain torch reads the scores once per judged item, and serves
as the reference for the kernel.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.engines.arrays.device_array import DeviceArray
from rankgauge.engines.arrays.libraries import Library
from rankgauge.errors import InputError, ParameterError
from rankgauge.inputs.findings import Findings
from rankgauge.matching.matched import Chunk, Matched


class JudgedItems(NamedTuple):
    """The judged items of each row: their column numbers, -1 for padding, and their grades."""

    items: Any
    grades: Any


def match_judged_items(
    library: Library, scores: Any, judgments: JudgedItems, rules: Convention, findings: Findings, chunk_items: int
) -> Chunk:
    """Match the judged items of every row of torch scores; rows that tie are read ``chunk_items`` scores at a time."""
    import torch  # noqa: PLC0415

    _check(scores, judgments, rules, findings)
    if rules.score_precision == "float32":
        scores = scores.float()
    judged_scores = scores.gather(1, judgments.items.clamp(min=0))
    above, equal = count_ranks(scores, judged_scores)
    query, place = (judgments.items >= 0).nonzero(as_tuple=True)
    grade = judgments.grades[query, place].double()
    columns = {
        "query": query,
        "grade": grade,
        "above": above[query, place].long(),
        "tied": equal[query, place].long(),
        "before": _count_before(scores, judgments.items[query, place], query, equal[query, place], rules, chunk_items),
        "returned": torch.full((len(scores),), scores.shape[1], device=scores.device),
        "pool_query": query,
        "pool_grade": grade,
    }
    if rules.hit_if != "returned":
        columns["positive"] = judged_scores[query, place] > 0
    on_device: dict[str, Any] = {name: DeviceArray(column, library) for name, column in columns.items()}
    return np.arange(len(scores)), Matched(**on_device)


def _check(scores: Any, judgments: JudgedItems, rules: Convention, findings: Findings) -> None:
    if not isinstance(rules.unjudged, str):
        every = "tied_at_k='all' looks at every item"
        reason = every if rules.tied_at_k == "all" else f"unjudged={rules.unjudged!r} gives every item a grade"
        raise ParameterError(
            f"{reason}, but JudgedItems hold judged items only; pass judgments of the shape of the scores"
        )
    if bool((judgments.items >= scores.shape[1]).any()):
        raise InputError(
            f"items: {int(judgments.items.max())} is not a column of scores of the shape {tuple(scores.shape)}"
        )
    has_nan = scores.amax(1).isnan()  # the maximum of a row with NaN is NaN
    if bool(has_nan.any()):
        row = int(has_nan.nonzero()[0])
        findings.add("RG202", f"scores[{row}] holds nan", int(has_nan.sum()))


def _count_before(scores: Any, item: Any, query: Any, equal: Any, rules: Convention, chunk_items: int) -> Any:
    """Number of tied items ranked before each item by their columns; only rows with ties are read again."""
    import torch  # noqa: PLC0415

    before = torch.zeros_like(query)
    if rules.ties in {"mean", "best", "worst", "together"}:
        return before  # these rules order ties by grade
    columns = torch.arange(scores.shape[1], device=scores.device)
    for part in (equal > 1).nonzero().squeeze(1).split(max(1, chunk_items // max(scores.shape[1], 1))):
        rows, column = scores[query[part]], item[part, None]
        earlier = columns > column if rules.ties == "input-reversed" else columns < column
        before[part] = ((rows == rows.gather(1, column)) & earlier).sum(1)
    return before


def count_ranks(scores: Any, judged: Any) -> tuple[Any, Any]:
    """Count the higher and the equal scores (itself included) for each judged item; both int32, rows x judged items.

    ``judged`` holds the scores of the judged items in the precision of ``scores``, so that comparisons are exact.
    """
    if scores.is_cuda and scores.is_floating_point() and find_spec("triton") is not None:
        from rankgauge.engines.arrays.counting_triton import count  # noqa: PLC0415

        return count(scores, judged)
    return count_ranks_in_torch(scores, judged)


def count_ranks_in_torch(scores: Any, judged: Any) -> tuple[Any, Any]:
    """``count_ranks`` in plain torch."""
    above, equal = judged.new_zeros((2, *judged.shape)).int()
    for place in range(judged.shape[1]):
        column = judged[:, place : place + 1]
        above[:, place], equal[:, place] = (scores > column).sum(1), (scores == column).sum(1)
    return above, equal
