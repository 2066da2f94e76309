"""Side information that metrics need in addition to judgments and rankings."""

from __future__ import annotations

from typing import NamedTuple

from rankgauge.rendering.language import Phrase

VERDICTS = "verdicts"


class Need(NamedTuple):
    """A kind of side information: the tables that provide it, and how to pass one."""

    tables: tuple[str, ...]
    what: Phrase
    how: Phrase


NEEDS = {
    "items": Need(
        ("items", "training"),
        Phrase("the catalogue of items", "可推荐的全部物品"),
        Phrase(
            "items=[every item] or their number, or training=a log, whose items are used",
            "items=[全部物品] 或其数目，或 training=交互记录（取其中的物品）",
        ),
    ),
    "popularity": Need(
        ("popularity", "training"),
        Phrase("the number of users of each item in training", "训练数据中每个物品的用户数"),
        Phrase(
            "training=rows of (user, item), a frame or a file, or popularity={item: users}",
            "training=(用户, 物品) 的各行、数据表或文件，或 popularity={物品: 用户数}",
        ),
    ),
    "training": Need(
        ("training",),
        Phrase("the items of each user in training", "训练数据中每个用户的物品"),
        Phrase(
            "training=rows of (user, item), {user: [items]}, a frame or a file",
            "training=(用户, 物品) 的各行、{用户: [物品]}、数据表或文件",
        ),
    ),
    "vectors": Need(
        ("features", "categories"),
        Phrase("features or categories of the items", "物品的特征或类别"),
        Phrase(
            "features={item: vector}, a frame of numbers, (ids, matrix), or categories={item: [categories]}",
            "features={物品: 向量}、数值表、(标识, 矩阵)，或 categories={物品: [类别]}",
        ),
    ),
    "categories": Need(
        ("categories",),
        Phrase("the categories of the items", "物品的类别"),
        Phrase(
            "categories={item: [categories]}, or a frame of item and category",
            "categories={物品: [类别]}，或含物品与类别的数据表",
        ),
    ),
    "item_groups": Need(
        ("item_groups",),
        Phrase("the group of each item", "每个物品所属的组"),
        Phrase(
            "item_groups={item: group}, or a frame of item and group", "item_groups={物品: 组}，或含物品与组的数据表"
        ),
    ),
    "subtopics": Need(
        ("subtopics",),
        Phrase("the subtopics that each item is relevant to", "每个物品与查询的哪些子主题相关"),
        Phrase(
            "subtopics={query: {item: {subtopic: grade}}}, rows of (query, subtopic, item, grade), or a TREC qrels "
            "file",
            "subtopics={查询: {物品: {子主题: 等级}}}、(查询, 子主题, 物品, 等级) 的各行，或 TREC qrels 文件",
        ),
    ),
    "spans": Need((), Phrase("spans of documents as judgments", "以文档片段为标注"), Phrase("judgments", "标注")),
    "scores": Need(
        (), Phrase("scores on one scale for all users", "所有用户同一尺度的分数"), Phrase("ranking", "排序结果")
    ),
    VERDICTS: Need(
        (), Phrase("verdicts on answers, read from a file", "对回答的判定（从文件读取）"), Phrase("values", "值文件")
    ),
    "judged items": Need((), Phrase("the judged items", "有标注的物品"), Phrase("judgments", "标注")),
    "baseline": Need(
        ("baseline",),
        Phrase("the recommendations of a baseline", "基线系统的推荐"),
        Phrase("baseline={user: [items]} or another ranking", "baseline={用户: [物品]}，或另一个排序结果"),
    ),
}
"""Every kind of side information by name."""
