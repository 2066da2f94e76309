"""Roles of tables by the names of their columns: judgments, a ranking, or both."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from rankgauge.errors import listed
from rankgauge.inputs.codes import Role
from rankgauge.inputs.columns import COLUMN_NAMES, given_columns, is_log, normalise_name
from rankgauge.inputs.findings import input_error
from rankgauge.inputs.list_names import names_of
from rankgauge.rendering.language import Phrase

_GRADE = COLUMN_NAMES["judgments"]["grade"]
_SCORE, _RANK = COLUMN_NAMES["ranking"]["score"], COLUMN_NAMES["ranking"]["rank"]
PREDICTIONS = {*names_of("prediction predicted pred 预测得分 预测分数 预测分")}
"""Names of scores beside which a rating is a grade."""


def has_both_numbers(names: Collection[str], declared: Mapping[str, str]) -> bool:
    """Whether each row of a table has a grade and a score or rank, by names that leave no doubt or are declared.

    A rating beside a prediction is a grade; beside a score or a rank it could be either.

    >>> (
    ...     has_both_numbers(["query", "item", "label", "score"], {}),
    ...     has_both_numbers(["user", "rating", "prediction"], {}),
    ... )
    (True, True)
    >>> has_both_numbers(["user", "item", "rating", "score"], {})
    False
    """
    words, lowered = {normalise_name(name) for name in names}, {name.strip().lower() for name in names}
    named = {kind for kind, column in declared.items() if str(column).strip().lower() in lowered}
    has_score = bool({"score", "rank"} & named or words & {*_SCORE[0], *_RANK[0]})
    is_rated = "rating" in words and bool(words & PREDICTIONS)
    return has_score and ("grade" in named or bool(words & {*_GRADE[0]}) or is_rated)


def role_of_columns(names: Sequence[str], place: str) -> Role:
    """Return the role that column names suggest: a grade means judgments, a score or rank means a ranking.

    Without any of these, a rating or weight is a grade, and a log without other columns is judgments.
    """
    words = {normalise_name(name) for name in names}
    if words & {*_GRADE[0]}:
        return "judgments"
    if words & {*_SCORE[0], *_RANK[0]}:
        return "ranking"
    if words & {*_GRADE[1], *_GRADE[2]}:
        return "judgments"
    if words & {*_SCORE[2], *_RANK[1]}:
        return "ranking"
    if is_log(names, {}, place):
        return "judgments"
    raise input_error(
        "RG111",
        Phrase(
            f"{place}: no grade, score or rank among the columns {listed(names)}: neither judgments nor a ranking",
            f"{place}：各列 {listed(names)} 中没有等级、分数或名次，既不是标注，也不是排序结果",
        ),
        Phrase(
            "name the column: {judgments} for judgments, {ranking} for a ranking",
            "指明该列：标注用 {judgments}，排序结果用 {ranking}",
        ).fill(judgments=given_columns({"grade": "..."}), ranking=given_columns({"score": "..."})),
    )
