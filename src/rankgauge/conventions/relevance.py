"""Rules for grades: what a judged item is, what counts as relevant, and what unjudged items and grades below 0 mean."""

from __future__ import annotations

import re
from typing import Any, Literal, TypeAlias

import numpy as np

from rankgauge.conventions.rule import (
    NO_NUMBER,
    Above,
    Stage,
    above_zero_or,
    level_or_above,
    number_or,
    rule_field,
    rule_group,
)
from rankgauge.errors import ParameterError
from rankgauge.rendering.language import Phrase

Rel: TypeAlias = float | Any
"""A grade, or text such as ``">0.5"``, which is stored as a number."""
MaxGrade: TypeAlias = float | Literal["largest"]
RecallPoint: TypeAlias = Literal["ceil", "trec_eval-9", "round"]
Unjudged: TypeAlias = float | Literal["nonrelevant", "removed", "removed-after-cut"]
UnjudgedInIdeal: TypeAlias = Literal["yes", "no"]
Fractions: TypeAlias = Literal["keep", "cut"]
Negative: TypeAlias = Literal["unjudged", "zero", "keep", "error"]
Match: TypeAlias = Literal["id", "contained"] | Any
"""``id``, ``contained``, or text such as ``similar>=0.5``."""
BY_ID = Phrase("reconcile compares ids", "reconcile 按 id 比较")
"""Why reconcile tries no other idea of what an item is."""
SIMILAR = re.compile(r"similar\s*(>=|>)\s*(1(?:\.0*)?|0?\.\d+|0)")


def match_rule(name: str, value: object) -> str:
    """Check that the value says when a returned item is a judged one."""
    if isinstance(value, str) and value in {"id", "contained"}:
        return value
    if isinstance(value, str) and (similar := SIMILAR.fullmatch(value)):
        return f"similar{similar[1]}{float(similar[2]):g}"
    allowed = (
        "'id', 'contained', or a text such as 'similar>=0.5' or 'similar>0.5'",
        "'id'、'contained'，或 'similar>=0.5'、'similar>0.5' 这样的文本",
    )
    raise ParameterError.of(name, value, allowed)


def similarity_level(match: str) -> float:
    """Return the least similarity that ``similar>=x`` or ``similar>x`` accepts.

    >>> similarity_level("similar>=0.5")
    0.5
    """
    operator, number = match.removeprefix("similar").rpartition("=")[::2] if ">=" in match else ("", match[8:])
    return float(number) if operator else float(Above.of(f">{number}"))


ABOVE = Phrase("grades {value}", "等级 {value}")
"""Meaning of ``rel`` given as text such as ``>0.5``."""


def cut_fractions(grades: Any, value: str) -> object:
    """Return the grades without fractions."""
    return np.trunc(grades) + 0.0 if value == "cut" else grades  # + 0.0: no negative zero


@rule_group
class RelevanceRules:
    """Rules for what counts as relevant."""

    rel: Rel = rule_field(
        1,
        Phrase("relevant from", "相关阈值"),
        Phrase("From which grade on does an item count as relevant?", "等级达到多少算相关？"),
        {">x": Phrase("text such as '>0.5': only grades above that", "文本，如 '>0.5'：只有大于该值的等级")},
        Phrase(
            "Grade 1 and above, as in trec_eval; ratings on a 1-5 scale need another threshold.",
            "等级 ≥ 1，与 trec_eval 相同；1–5 分的评分需另设阈值。",
        ),
        check=level_or_above,
        number=Phrase("grade {value} and above", "等级 ≥ {value}"),
        stage=Stage.FORMULA,
    )
    max_grade: MaxGrade = rule_field(
        4,
        Phrase("top grade", "最高等级"),
        Phrase("What is the top of the grade scale (ERR, graded RBP)?", "等级的上限是多少（用于 ERR 与分级 RBP）？"),
        {
            "largest": Phrase(
                "the largest grade judged for the query, or 1 if none is above 0",
                "该查询标注中的最大等级；没有大于 0 的等级时取 1",
            )
        },
        Phrase("ERR was designed for the grades 0-4 of the TREC web tracks.", "ERR 最初用于 0–4 级标注。"),
        check=above_zero_or("largest"),
        number=Phrase("grades go up to {value}", "等级最高为 {value}"),
        stage=Stage.FORMULA,
    )
    recall_point: RecallPoint = rule_field(
        "ceil",
        Phrase("recall point", "召回点"),
        Phrase(
            "How many of R relevant items make a recall of p (interpolated precision)?",
            "R 个相关物品中多少个算达到召回率 p（插值精确率）？",
        ),
        {
            "ceil": Phrase("p x R rounded up: the recall is actually reached", "p × R 向上取整：确实达到该召回率"),
            "trec_eval-9": Phrase(
                "the integer part of p x R + 0.9, as trec_eval 9", "p × R + 0.9 的整数部分（trec_eval 9）"
            ),
            "round": Phrase("p x R rounded to the nearest integer, as trec_eval 10", "p × R 四舍五入（trec_eval 10）"),
        },
        Phrase(
            "Rounding up is the definition; the others are implementations.", "向上取整是定义本身，其余是各工具的实现。"
        ),
        stage=Stage.FORMULA,
    )


@rule_group
class GradeRules:
    """Rules for what a judged item is, and for the grades of items."""

    unjudged: Unjudged = rule_field(
        "nonrelevant",
        Phrase("unjudged items", "未标注物品"),
        Phrase("How is a returned item without a judgment treated?", "返回了但没有标注的物品如何处理？"),
        {
            "nonrelevant": Phrase("as not relevant", "视为不相关"),
            "removed": Phrase("removed, and the items below move up", "移除，后面的物品前移"),
            "removed-after-cut": Phrase(
                "removed from the top k: the list is what remains of it", "从前 k 个中移除：只计其中剩下的物品"
            ),
            "grade": Phrase("a number: as judged at that grade", "一个数：按该等级处理"),
        },
        Phrase(
            "Most unjudged items are not relevant; the share of unjudged items is reported.",
            "未标注的大多不相关；未标注的比例会另行报告。",
        ),
        check=number_or("nonrelevant", "removed", "removed-after-cut"),
        number=Phrase("judged at grade {value}", "按等级 {value} 处理"),
        stage=Stage.GRADES,
        decides_rows=True,
    )
    unjudged_in_ideal: UnjudgedInIdeal = rule_field(
        "yes",
        Phrase("unjudged in ideal", "理想排序含未标注"),
        Phrase(
            "If unjudged items have a grade, do they count as judged, and so belong to the ideal ranking and to R?",
            "未标注物品按某一等级处理时，是否算作已标注，从而计入理想排序与 R？",
        ),
        {
            "yes": Phrase("yes", "是"),
            "no": Phrase(
                "no: the ideal and R are those of the judgments, and values can exceed 1",
                "否：理想排序与 R 只取自标注，取值可能超过 1",
            ),
        },
        Phrase("An item that can earn a gain must be part of the best order.", "能带来增益的物品理应属于最佳排序。"),
        quiet=True,
        stage=Stage.GRADES,
        used=lambda rules: not isinstance(rules.unjudged, str),
    )
    fractions: Fractions = rule_field(
        "keep",
        Phrase("fractional grades", "小数等级"),
        Phrase("What does a grade such as 1.7 mean?", "1.7 这样的等级如何处理？"),
        {
            "keep": Phrase("kept as it is", "保持原值"),
            "cut": Phrase("cut to an integer, towards 0: 1.7 becomes 1", "去掉小数部分：1.7 变为 1"),
        },
        Phrase(
            "Cutting makes every grade below 1 worthless; tools that read integers do it silently.",
            "去掉小数会使小于 1 的等级都变为 0；只读整数的工具会悄悄这样做。",
        ),
        quiet=True,
        stage=Stage.GRADES,
        changes=cut_fractions,
    )
    negative: Negative = rule_field(
        "unjudged",
        Phrase("negative grades", "负等级"),
        Phrase("What does a grade below 0 mean?", "小于 0 的等级表示什么？"),
        {
            "unjudged": Phrase("in the pool but not judged, as in TREC", "在标注池中但未标注，同 TREC"),
            "zero": Phrase("0", "0"),
            "keep": Phrase("kept: it has a negative gain", "保持原值：增益为负"),
            "error": Phrase("an error", "报错"),
        },
        Phrase(
            "TREC files use -1 and -2 for items that were not judged and for spam.",
            "TREC 文件用 -1、-2 表示未标注或垃圾内容。",
        ),
        stage=Stage.GRADES,
        untried={"error": NO_NUMBER},
    )
    match: Match = rule_field(
        "id",
        Phrase("match", "匹配"),
        Phrase("When is a returned item a judged one?", "返回的物品何时算作某个已标注的物品？"),
        {
            "id": Phrase("if their ids, or texts, are equal", "id（或文本）相同"),
            "contained": Phrase(
                "if the returned text contains the judged one as whole words, in lower case and without punctuation "
                "and articles",
                "返回的文本以完整的词包含已标注的文本（转为小写，去掉标点与冠词；词以空白分隔）",
            ),
            "similar>=x": Phrase(
                "text such as 'similar>=0.5': if their edit similarity (1 - Levenshtein distance / longer length) is "
                "at least that",
                "文本，如 'similar>=0.5'：编辑相似度（1 - 编辑距离 / 较长文本的长度）不小于该值",
            ),
            "similar>x": Phrase(
                "text such as 'similar>0.5': if their edit similarity is above that",
                "文本，如 'similar>0.5'：编辑相似度大于该值",
            ),
        },
        Phrase("Ids are exact; texts match by degrees.", "id 是精确的；文本匹配则有程度之分。"),
        check=match_rule,
        quiet=True,
        stage=Stage.READING,
        unsearched=BY_ID,
    )
