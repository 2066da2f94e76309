"""The laws that a ranking metric may be expected to satisfy.

A metric declares those it violates, with the reason (``breaks=``); the tests check all others and search for a
counterexample to each declared one.
"""

from __future__ import annotations

from rankgauge.rendering.language import Lang, Phrase

LAWS = {
    "bounded": Phrase("The value lies between 0 and 1.", "取值在 0 与 1 之间。"),
    "ideal_is_one": Phrase("The judged items in the best order score 1.", "只返回已标注物品且顺序最佳时，值为 1。"),
    "swap": Phrase(
        "Moving a better item up past its worse neighbour never lowers the value.",
        "把更好的物品与前面相邻的更差物品交换，值不会降低。",
    ),
    "strict_swap": Phrase(
        "Moving a better item up past its worse neighbour, to a rank within the cutoff, raises the value.",
        "把更好的物品与前面相邻的更差物品交换（换到截断之内），值会升高。",
    ),
    "equal_swap": Phrase(
        "Swapping neighbours of the same grade changes nothing; an unjudged item has grade 0.",
        "交换两个等级相同的相邻物品，值不变；未标注的物品按等级 0 计。",
    ),
    "replace": Phrase(
        "Replacing a non-relevant item by a relevant one never lowers the value.",
        "用相关物品替换不相关物品，值不会降低。",
    ),
    "append": Phrase("Appending a relevant item never lowers the value.", "在末尾添加相关物品，值不会降低。"),
    "tail": Phrase(
        "Appending a non-relevant or unjudged item changes nothing.", "在末尾添加不相关或未标注的物品，值不变。"
    ),
    "drop": Phrase("Removing a non-relevant item never lowers the value.", "移除不相关物品，值不会降低。"),
    "grows_with_k": Phrase("A larger cutoff never lowers the value.", "截断 k 变大，值不会降低。"),
    "localised": Phrase("Relevant items that were not returned do not matter.", "未返回的相关物品不影响取值。"),
    "added_relevant": Phrase(
        "One more relevant item that was not returned never raises the value.", "多一个未返回的相关物品，值不会升高。"
    ),
    "raised_grade": Phrase(
        "A higher grade of a returned item never lowers the value.", "返回的物品等级提高，值不会降低。"
    ),
    "unreturned_nonrelevant": Phrase(
        "Judged non-relevant items that were not returned do not matter.", "未返回的、已标注为不相关的物品不影响取值。"
    ),
    "defined": Phrase("The value is defined even if nothing is relevant.", "没有相关物品时也有值。"),
}
"""Every law by name."""
CHINESE_NAMES = {
    "bounded": "有界", "ideal_is_one": "最佳为 1", "swap": "交换不降", "strict_swap": "交换必升",
    "equal_swap": "同级可换", "replace": "替换不降", "append": "追加不降", "tail": "末尾无关", "drop": "移除不降",
    "grows_with_k": "随 k 不降", "localised": "只看返回", "added_relevant": "遗漏不升", "raised_grade": "升级不降",
    "unreturned_nonrelevant": "未返回的不相关物品无关", "defined": "总有定义",
}  # fmt: skip
"""What the laws are called in Chinese, beside their names in code."""


def law_name(law: str, lang: Lang) -> str:
    """Return the name of a law, in Chinese with what it is called there.

    >>> law_name("bounded", "zh")
    '有界（bounded）'
    """
    return law if lang == "en" else f"{CHINESE_NAMES[law]}（{law}）"


def broken(laws: str, en: str, zh: str) -> dict[str, Phrase]:
    """Return the reason why a metric violates these laws, separated by spaces, for its ``breaks``."""
    return dict.fromkeys(laws.split(), Phrase(en, zh))


# Reasons that several metrics share

EMPTY_LIST = broken("defined", "without a cutoff, an empty list is 0/0", "没有截断时，空结果为 0/0")
EVERY_ITEM = broken("tail drop", "it counts every item", "每个物品都计入")
JUDGMENTS_ALONE = broken("localised added_relevant", "it depends on the judgments alone", "只取决于标注")
LOGARITHM = broken("bounded ideal_is_one", "it is a logarithm: the best value is 0", "它是对数，最大值为 0")
THRESHOLD = broken("strict_swap", "all grades above the threshold count the same", "高于阈值的等级视为相同")
UNORDERED = broken("strict_swap", "the order within the top k does not matter", "与前 k 个内部的顺序无关")
