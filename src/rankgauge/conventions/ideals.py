"""Rules for the ideal ranking."""

from __future__ import annotations

from typing import Literal, TypeAlias

from rankgauge.conventions.rule import rule_field
from rankgauge.rendering.language import Phrase

Ideal: TypeAlias = Literal["judged", "returned", "full", "given"]
IdealCut: TypeAlias = Literal["k", "none", "returned"]

IDEAL = rule_field(
    "judged",
    Phrase("ideal", "理想集合"),
    Phrase("Which items make up the ideal ranking?", "理想排序由哪些物品组成？"),
    {
        "judged": Phrase("all judged items, returned or not", "所有有标注的物品，无论是否被返回"),
        "returned": Phrase("only the returned items", "只用被返回的物品"),
        "full": Phrase(
            "k items as good as the best judged one, however many there are",
            "k 个与最好的已标注物品同样好的物品，无论实际有多少",
        ),
        "given": Phrase("grades passed by the caller (ideal=...)", "由调用者给出（ideal=...）"),
    },
    Phrase(
        "With the returned items alone, a system that returns a single poor item scores 1.",
        "若只用返回的物品，系统只返回一个很差的物品也能得 1 分。",
    ),
)
IDEAL_CUT = rule_field(
    "k",
    Phrase("ideal cut", "理想截断"),
    Phrase("Where does the ideal ranking end?", "理想排序截断在哪里？"),
    {
        "k": Phrase("at the metric's cutoff k", "在指标的截断 k 处"),
        "none": Phrase("nowhere: the whole ideal ranking counts", "不截断：理想排序全部计入"),
        "returned": Phrase(
            "at the number of returned items (or at k if that is smaller)", "在返回的物品数处（k 更小时在 k 处）"
        ),
    },
    Phrase(
        "Cut at k, a perfect top k scores 1; cut at the number returned, short lists look better than they are.",
        "在 k 处截断，完美的前 k 个得 1 分；若按返回数截断，短的结果会显得过好。",
    ),
)
