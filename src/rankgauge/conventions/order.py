"""In which order items of equal score stand."""

from __future__ import annotations

from rankgauge.conventions.rule import choice
from rankgauge.rendering.language import Phrase

TIES = choice(
    "id",
    Phrase("ties", "并列"),
    Phrase("In which order do items of equal score stand?", "分数相同的物品如何排序？"),
    {
        "id": Phrase(
            "by item id, descending byte order, as trec_eval (input order where there are no ids)",
            "按物品 id 的字节序降序，同 trec_eval（没有 id 时按输入顺序）",
        ),
        "id-ascending": Phrase("by item id, ascending byte order", "按物品 id 的字节序升序"),
        "input": Phrase("in the order of the input", "按输入顺序"),
        "input-reversed": Phrase("in the reverse order of the input", "按输入的逆序"),
        "mean": Phrase("the exact mean over all orders of the tied items", "对并列物品的所有排列取精确平均"),
        "best": Phrase("the better grade first", "等级高者在前（乐观）"),
        "worst": Phrase("the worse grade first", "等级低者在前（悲观）"),
        "together": Phrase(
            "all at the place of the last of them, as where a score is a threshold",
            "全部排在其中最后一个的位置，即把分数当作阈值",
        ),
        "random": Phrase("shuffled by item id and seed, the same every time", "按 id 与随机种子打乱，每次结果相同"),
    },
    Phrase(
        "It does not depend on the order of the rows and is what every TREC number was made with.",
        "与行的顺序无关，且 TREC 的所有数字都是这样算出来的。",
    ),
)
