"""Rules for grades: what a judged item is, what counts as relevant, and what unjudged items and grades below 0 mean."""

from __future__ import annotations

import re
from typing import Any, Literal, NamedTuple, TypeAlias

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
Match: TypeAlias = Literal["id", "contained", "overlaps", "contains", "contains of chunk", "contains joint"] | Any
"""``id``, ``contained``, a rule for spans, or text such as ``similar>=0.5`` or ``covers>=0.5 joint``."""
BY_ID = Phrase("reconcile compares ids", "reconcile 按 id 比较")
"""Why reconcile tries no other idea of what an item is."""
SIMILAR = re.compile(r"similar\s*(>=|>)\s*(1(?:\.0*)?|0?\.\d+|0)")

SPANS = re.compile(r"(?:contains|covers\s*>=\s*(1(?:\.0*)?|0?\.\d+))(?:\s+(of chunk|joint))?")
BudgetEnd: TypeAlias = Literal["cut", "left-out", "kept"]
SPANS_BY_DEFAULT = "covers>=0.5 joint"
"""How spans match if no rule says so: they are not compared as ids."""


def match_rule(name: str, value: object) -> str:
    """Check that the value says when a returned item is a judged one."""
    if isinstance(value, str) and value in {"id", "contained"}:
        return value
    if isinstance(value, str) and (similar := SIMILAR.fullmatch(value)):
        return f"similar{similar[1]}{float(similar[2]):g}"
    if isinstance(value, str) and (rule := span_rule(value)) is not None:
        return str(rule)
    allowed = Phrase(
        "'id', 'contained', a text such as 'similar>=0.5' or 'similar>0.5', or for spans 'overlaps', 'contains' or "
        "'covers>=0.5', the last two also with 'of chunk' or 'joint' after them",
        "'id'、'contained'，'similar>=0.5'、'similar>0.5' 这样的文本，或用于片段的 'overlaps'、'contains'、"
        "'covers>=0.5'，后两者之后还可加 'of chunk' 或 'joint'",
    )
    raise ParameterError.of(name, value, allowed)


def similarity_level(match: str) -> float:
    """Return the least similarity that ``similar>=x`` or ``similar>x`` accepts.

    >>> similarity_level("similar>=0.5")
    0.5
    """
    operator, number = match.removeprefix("similar").rpartition("=")[::2] if ">=" in match else ("", match[8:])
    return float(number) if operator else float(Above.of(f">{number}"))


class SpanRule(NamedTuple):
    """When a returned span finds a judged one: the least share of it that must be covered."""

    level: float
    """0 for any overlap."""
    of_chunk: bool = False
    """Whether the share is that of the returned span."""
    joint: bool = False
    """Whether what several returned spans cover is added up."""

    def __str__(self) -> str:
        if not self.level:
            return "overlaps"
        suffix = " of chunk" if self.of_chunk else " joint" if self.joint else ""
        return f"{'contains' if self.level == 1 else f'covers>={self.level:g}'}{suffix}"


def span_rule(match: str) -> SpanRule | None:
    """Return the rule for spans that a value of ``match`` names, None if it is for ids or texts.

    >>> span_rule("covers>=0.5 joint"), span_rule("contained")
    (SpanRule(level=0.5, of_chunk=False, joint=True), None)
    """
    if match == "overlaps":
        return SpanRule(0.0)
    rule = SPANS.fullmatch(match)
    if rule is None or (rule[1] is not None and float(rule[1]) == 0):
        return None
    return SpanRule(float(rule[1] or 1), rule[2] == "of chunk", rule[2] == "joint")


ABOVE = Phrase("grades {value}", "等级 {value}")
"""Meaning of ``rel`` given as text such as ``>0.5``."""


def cut_fractions(grades: Any, value: str) -> object:
    """Return the grades without fractions."""
    return np.trunc(grades) + 0.0 if value == "cut" else grades  # + 0.0: no negative zero


SPAN_MATCHES = {
    "overlaps": Phrase("if the two spans share a character", "两个片段有共同的字符"),
    "contains": Phrase("if the returned span contains all of the judged one", "返回的片段包含整个已标注片段"),
    "contains of chunk": Phrase(
        "if all of the returned span is inside the judged one", "返回的片段整个位于已标注片段之内"
    ),
    "contains joint": Phrase(
        "if this span and those above it contain all of the judged one together",
        "该片段与排在它前面的片段合起来包含整个已标注片段",
    ),
    "covers>=x": Phrase(
        "text such as 'covers>=0.5': if the returned span covers at least that share of the characters of the judged "
        "one",
        "文本，如 'covers>=0.5'：返回的片段至少覆盖已标注片段中该比例的字符",
    ),
    "covers>=x of chunk": Phrase(
        "text such as 'covers>=0.5 of chunk': if at least that share of the returned span is inside the judged one",
        "文本，如 'covers>=0.5 of chunk'：返回的片段中至少该比例的字符位于已标注片段之内",
    ),
    "covers>=x joint": Phrase(
        "text such as 'covers>=0.5 joint': if this span and those above it together cover at least that share of the "
        "judged one",
        "文本，如 'covers>=0.5 joint'：该片段与排在它前面的片段合起来至少覆盖已标注片段的该比例",
    ),
}
"""The values of ``match`` for spans; a judged span is found once, by the first span that fulfils the rule."""


@rule_group
class RelevanceRules:
    """Rules for what counts as relevant."""

    rel: Rel = rule_field(
        1,
        Phrase("relevant from", "相关阈值"),
        Phrase("From which grade on does an item count as relevant?", "等级达到多少算相关？"),
        {">x (such as >0.5)": Phrase("text: only grades above that", "文本：只有大于该值的等级")},
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
                "and articles; each Chinese character and kana is a word",
                "返回的文本以完整的词包含已标注的文本（转为小写，去掉标点与冠词；词以空白分隔，每个汉字与假名各为一词）",
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
            **SPAN_MATCHES,
        },
        Phrase(
            "Ids are exact; texts match by degrees. Chunk ids change with every chunking, so spans of documents match "
            "as 'covers>=0.5 joint' unless another rule for spans is set.",
            "id 是精确的；文本匹配则有程度之分。重新切块后文本块的 id 会变，因此未指定片段规则时，"
            "文档片段按 'covers>=0.5 joint' 匹配。",
        ),
        check=match_rule,
        quiet=True,
        stage=Stage.READING,
        unsearched=BY_ID,
    )
    budget_end: BudgetEnd = rule_field(
        "cut",
        Phrase("budget end", "预算末尾"),
        Phrase(
            "What becomes of the item that crosses a budget, as in R@4000chars?",
            "跨越预算（如 R@4000chars）末尾的物品如何处理？",
        ),
        {
            "cut": Phrase(
                "it is cut there if it is a span or a text, and left out if only its length is known",
                "物品为片段或文本时在此截断；只知其长度时去掉",
            ),
            "left-out": Phrase("it is left out", "去掉"),
            "kept": Phrase("it is kept whole", "完整保留"),
        },
        Phrase(
            "A context window is filled to its end; what half an item of known length says is not known.",
            "上下文窗口会一直填到末尾；只知长度的物品，其一半无从判断。",
        ),
        quiet=True,
        stage=Stage.READING,
        unsearched=BY_ID,
    )
