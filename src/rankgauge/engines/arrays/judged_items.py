"""Judgments of few items per row: their ranks are counted in one pass over the scores, and nothing is sorted.

On CUDA a Triton kernel reads every score once; elsewhere plain torch reads the scores once per judged item, and serves
as the reference for the kernel.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any, NamedTuple, cast

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.conventions.order import DECIDED_BY_GRADES
from rankgauge.engines.arrays.device_array import DeviceArray
from rankgauge.engines.arrays.libraries import Library, Native
from rankgauge.errors import InputError, ParameterError
from rankgauge.inputs.findings import Findings
from rankgauge.matching.matched import Matched, Plain
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Segments, all_right

MATRIX = 2
IN_ORDER = {"id", "input"}
"""Tie rules that order equal scores as their columns are."""


class JudgedItems(NamedTuple):
    """The judged items of each row: their column numbers, -1 for padding, and their grades."""

    items: Native
    grades: Native


class RankCounts(NamedTuple):
    """What a ranking says about its judged items, rows x items, and which rows hold NaN."""

    above: Native
    """Number of higher scores."""
    equal: Native
    """Number of equal scores, itself included."""
    before: Native
    """Number of equal scores in earlier columns; 0 if the tie rule does not ask for it."""
    has_nan: Native
    score: Native = None
    """None if no rule reads it."""


def count_ranks(scores: Native, judgments: JudgedItems, rules: Convention) -> RankCounts:
    """Count the scores above each judged item, equal to it, and equal in an earlier column.

    Scores are compared in the precision they have.
    """
    if not isinstance(rules.unjudged, str):
        reason = Phrase("unjudged={grade} gives every item a grade", "unjudged={grade} 使每个物品都有等级")
        if rules.tied_at_k == "all":
            reason = Phrase("tied_at_k='all' looks at every item", "tied_at_k='all' 要看所有物品")
        message = Phrase(
            "{reason}, but JudgedItems hold judged items only; pass judgments of the shape of the scores",
            "{reason}，而 JudgedItems 只含有标注的物品；请传入与 scores 形状相同的 judgments",
        )
        raise ParameterError(message.fill(reason=reason.fill(grade=repr(rules.unjudged))))
    length = scores.shape[1]
    if not length:
        shape = tuple(scores.shape)
        raise InputError(
            Phrase(f"scores have the shape {shape}, so no item has a score", f"scores 的形状为 {shape}，没有物品有分数")
        )
    if rules.score_precision == "float32":
        scores = scores.float()
    ordered = rules.ties not in DECIDED_BY_GRADES
    count = count_in_torch
    if scores.is_cuda and scores.is_floating_point() and find_spec("triton") is not None:
        from rankgauge.engines.arrays.counting_triton import count  # noqa: PLC0415
    items = judgments.items.contiguous()
    counts = count(scores, items, ordered=ordered)
    return RankCounts(*counts, score=None if rules.hit_if == "returned" else _scores_of(items, scores))


def check_judged_items(judgments: JudgedItems, scores: Native) -> None:
    """Refuse items and grades that are not of one shape, with a row for each row of scores."""
    items, grades, rows = tuple(judgments.items.shape), tuple(judgments.grades.shape), len(scores)
    if items != grades or len(items) != MATRIX or items[0] != rows:
        raise InputError(
            Phrase(
                f"JudgedItems: items have the shape {items} and grades {grades}; both need the same shape, and as many "
                f"rows as the scores ({rows}); fill short rows with the item -1",
                f"JudgedItems：items 的形状为 {items}，grades 为 {grades}；两者应同形，且与 scores 一样有 {rows} 行；"
                "较短的行请用物品 -1 补齐",
            )
        )


def _scores_of(items: Native, scores: Native) -> Native:
    return scores.gather(1, items.long().clamp(0, scores.shape[1] - 1))  # match_counts refuses larger ones


def count_in_torch(scores: Native, items: Native, *, ordered: bool) -> tuple[Native, Native, Native, Native]:
    """The counts of ``RankCounts`` in plain torch."""
    import torch  # noqa: PLC0415

    judged = _scores_of(items, scores)
    above, equal, before = torch.zeros((3, *judged.shape), dtype=torch.int64, device=scores.device)
    columns = torch.arange(scores.shape[1], device=scores.device)
    for place in range(judged.shape[1]):
        column = judged[:, place : place + 1]
        same = scores == column
        above[:, place], equal[:, place] = (scores > column).sum(1), same.sum(1)
        if ordered and bool((equal[:, place] > 1).any()):
            before[:, place] = (same & (columns < items[:, place : place + 1])).sum(1)
    return above, equal, before, scores.isnan().any(1)


class PlacedItems(NamedTuple):
    """Judged items of a device, rows x items, and what the device was asked about them."""

    items: Native
    grades: Native
    rows: Native
    """Places of the judged items among all, without the padding; None if there is no padding."""
    plain: bool
    """Whether no grade is NaN or negative, and there is no padding."""


def place_items(library: Library, judgments: JudgedItems, length: int) -> PlacedItems:
    """Ask the device about the judged items; after the counting began, each answer would wait for its end."""
    items, grades = (cast("Any", DeviceArray(array, library)) for array in judgments)
    if (items >= length).any():
        column_number, shape = int(items.max()), (len(items), length)
        en = f"items: {column_number} is not a column of scores of the shape {shape}"
        raise InputError((en, f"items：{column_number} 不是形状为 {shape} 的 scores 的列"))
    if items.shape[1] > 1:
        ordered = np.sort(items, axis=1)
        repeated = (ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] >= 0)
        if not all_right(~repeated):
            row, place = np.argwhere(np.asarray(repeated))[0]
            en = f"items: row {row} holds item {int(ordered[row, place])} twice; grade each item of a row once"
            zh = f"items：第 {row} 行中物品 {int(ordered[row, place])} 出现两次；每行的每个物品只标注一次"
            raise InputError((en, zh), ["RG302"])
    judged = items >= 0
    if judged.all():
        return PlacedItems(items, grades, None, (grades >= 0).all())
    return PlacedItems(items, grades, np.flatnonzero(judged.ravel()), False)


def match_counts(
    library: Library, placed: PlacedItems, counts: RankCounts, length: int, rules: Convention, findings: Findings
) -> Matched:
    """Match the judged items of rows of this length by their counts."""
    column: dict[str, Any] = {
        name: DeviceArray(array, library) for name, array in counts._asdict().items() if array is not None
    }
    if not all_right(~(has_nan := column.pop("has_nan"))):
        wrong = np.flatnonzero(np.asarray(has_nan))
        findings.add("RG202", Phrase(f"scores[{wrong[0]}] holds nan", f"scores[{wrong[0]}] 中有 nan"), len(wrong))
    if rules.ties == "input-reversed":
        column["before"] = column["equal"] - 1 - column["before"]
    column["grade"] = placed.grades
    queries, width = placed.items.shape
    query = np.repeat(np.arange(queries, like=placed.items), width)
    plain = None
    if placed.plain and width and rules.unjudged == "nonrelevant":
        plain = _in_rank_order(column, rules)
    flat = {name: values.ravel() for name, values in column.items()}
    if placed.rows is not None:
        query, flat = query[placed.rows], {name: values[placed.rows] for name, values in flat.items()}
    grade = flat["grade"].astype(np.float64)
    return Matched(
        query=query,
        grade=grade,
        above=flat["above"],
        tied=flat["equal"],
        before=flat["before"],
        returned=np.full(queries, length, like=placed.items),
        pool_query=query,
        pool_grade=grade,
        positive=None if rules.hit_if == "returned" else flat["score"] > 0,
        plain=plain,
    )


def _in_rank_order(column: dict[str, Any], rules: Convention) -> Plain:
    """Sort each row by rank; where ties keep this order, the device is not asked whether there are any."""
    ties = (rules.ties in IN_ORDER and not rules.per_metric) or bool((column["equal"] > 1).any())
    rank = column["above"] + column["before"]
    order = np.argsort(rank, axis=1)
    for name, values in column.items():
        column[name] = np.take_along_axis(values, order, axis=1)
    rows = Segments.equal(len(rank), rank.shape[1], rank)
    return Plain(rows, rows, ties, by_place=False)
