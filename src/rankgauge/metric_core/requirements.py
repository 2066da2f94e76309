"""Side information that metrics need in addition to judgments and rankings."""

from __future__ import annotations

from typing import NamedTuple

from rankgauge.rendering.language import Phrase


class Need(NamedTuple):
    """A kind of side information: the tables that provide it, and how to pass one."""

    tables: tuple[str, ...]
    what: Phrase
    how: str


NEEDS = {
    "items": Need(
        ("items", "training"),
        Phrase("the catalogue of items", "可推荐的全部物品"),
        "items=[every item] or their number, or training=a log, whose items are used",
    ),
    "popularity": Need(
        ("popularity", "training"),
        Phrase("the number of users of each item in training", "训练数据中每个物品的用户数"),
        "training=rows of (user, item), a frame or a file, or popularity={item: users}",
    ),
    "training": Need(
        ("training",),
        Phrase("the items of each user in training", "训练数据中每个用户的物品"),
        "training=rows of (user, item), {user: [items]}, a frame or a file",
    ),
    "vectors": Need(
        ("features", "categories"),
        Phrase("features or categories of the items", "物品的特征或类别"),
        "features={item: vector}, a frame of numbers, (ids, matrix), or categories={item: [categories]}",
    ),
    "categories": Need(
        ("categories",),
        Phrase("the categories of the items", "物品的类别"),
        "categories={item: [categories]}, or a frame of item and category",
    ),
    "item_groups": Need(
        ("item_groups",),
        Phrase("the group of each item", "每个物品所属的组"),
        "item_groups={item: group}, or a frame of item and group",
    ),
    "subtopics": Need(
        ("subtopics",),
        Phrase("the subtopics that each item is relevant to", "每个物品与查询的哪些子主题相关"),
        "subtopics={query: {item: {subtopic: grade}}}, rows of (query, subtopic, item, grade), or a TREC qrels file",
    ),
    "scores": Need((), Phrase("scores on one scale for all users", "所有用户同一尺度的分数"), "ranking"),
    "judged items": Need((), Phrase("the judged items", "有标注的物品"), "judgments"),
    "baseline": Need(
        ("baseline",),
        Phrase("the recommendations of a baseline", "基线系统的推荐"),
        "baseline={user: [items]} or another ranking",
    ),
}
"""Every kind of side information by name."""
