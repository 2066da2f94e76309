"""Rules for the order of items: ties, their seed, the precision of scores, units, and repeated items."""

from __future__ import annotations

from typing import Literal, TypeAlias

from rankgauge.conventions.relevance import BY_ID
from rankgauge.conventions.rule import NO_NUMBER, Stage, rule_field, rule_group, whole_number
from rankgauge.rendering.language import Phrase

Ties: TypeAlias = Literal[
    "id", "id-ascending", "input", "input-reversed", "mean", "best", "worst", "together", "mean-rank", "random"
]
TiedAtK: TypeAlias = Literal["cut", "all"]
ScorePrecision: TypeAlias = Literal["float64", "float32"]
Duplicates: TypeAlias = Literal["error", "first", "close-up", "again", "set"]
Units: TypeAlias = Literal["items", "rolled-up"]
KCounts: TypeAlias = Literal["places", "returned", "different"]

MANY_SEEDS = Phrase("a shuffle cannot be found by trying seeds", "无法靠尝试种子找出某种打乱")
"""Why reconcile does not try random orders."""
DECIDED_BY_GRADES = ("mean", "best", "worst", "together", "mean-rank")
"""Tie rules that need no order of the ids, so that a single metric can have one of its own."""
NO_ORDER = Phrase(
    "{verb}: ties={ties!r} gives no order of items; use 'id', 'id-ascending', 'input' or 'random'",
    "{verb}：ties={ties!r} 不能决定物品的次序；请用 'id'、'id-ascending'、'input' 或 'random'",
)
"""The error of a verb that needs one order of the items under one of these rules."""
DECIDED_BY_IDS = ("id", "id-ascending", "random")
"""Tie rules that order items by their ids; items without ids stay in input order."""
BY_PLACE = ("id", "id-ascending")
"""Those under which the items of an array, which are places, stay in input order."""
SHARED_RANK = ("together", "mean-rank")
"""Tie rules under which all tied items have the same rank."""


@rule_group
class OrderRules:
    """Rules for the order of items."""

    ties: Ties = rule_field(
        "id",
        Phrase("ties", "并列"),
        Phrase("How are items of equal score ordered?", "分数相同的物品如何排序？"),
        {
            "id": Phrase(
                "by item id, descending byte order, as trec_eval (input order if there are no ids)",
                "按物品 id 的字节序降序，同 trec_eval（没有 id 时按输入顺序）",
            ),
            "id-ascending": Phrase("by item id, ascending byte order", "按物品 id 的字节序升序"),
            "input": Phrase("in input order", "按输入顺序"),
            "input-reversed": Phrase("in reverse input order", "按输入的逆序"),
            "mean": Phrase("the exact mean over all orders of the tied items", "对并列物品的所有排列取精确平均"),
            "best": Phrase(
                "the better grade first (optimistic); unjudged items right after grade 0",
                "等级高者在前（乐观）；未标注的物品紧随等级 0 之后",
            ),
            "worst": Phrase(
                "the worse grade first (pessimistic); unjudged items right before grade 0",
                "等级低者在前（悲观）；未标注的物品紧排在等级 0 之前",
            ),
            "together": Phrase(
                "all at the rank of the last one, as if the score were a threshold",
                "都取其中最后一个的名次，即把分数当作阈值",
            ),
            "mean-rank": Phrase(
                "all at the mean of their ranks, halfway between the optimistic and the pessimistic one, with half of "
                "the other tied items above: two items tied at the top both have rank 1.5, which is below k = 1",
                "都取其名次的平均，即乐观名次与悲观名次的中点，其余并列物品有一半算在其前：并列第一的两个物品名次均为 "
                "1.5，k = 1 时都不在内",
            ),
            "random": Phrase("shuffled by item id and seed, reproducibly", "按 id 与随机种子打乱，结果可重复"),
        },
        Phrase(
            "It does not depend on the row order, and all TREC results were computed this way.",
            "与行的顺序无关，且 TREC 的所有数字都是这样算出来的。",
        ),
        stage=Stage.ORDER,
        untried={"random": MANY_SEEDS},
        decides_rows=True,
    )
    tied_at_k: TiedAtK = rule_field(
        "cut",
        Phrase("ties at k", "k 处并列"),
        Phrase(
            "Which of the items tied with the k-th one are in the top k?", "与第 k 个并列的物品，哪些算在前 k 个之内？"
        ),
        {
            "cut": Phrase("as many as fit, in the order of the rule for ties", "按并列规则排序，取满 k 个为止"),
            "all": Phrase("all of them: k grows to the end of the tie", "全部：k 延伸到这一组并列的末尾"),
        },
        Phrase(
            "The first k items are k items; otherwise equal scores for all items make any cutoff the whole list.",
            "前 k 个就应是 k 个；否则分数全部相同时，任何截断都成了整个列表。",
        ),
        quiet=True,
        stage=Stage.ORDER,
        needs_k=True,
    )
    seed: int = rule_field(
        0,
        Phrase("seed", "随机种子"),
        Phrase("Which shuffle does ties='random' use?", "ties='random' 用哪一种打乱？"),
        {},
        Phrase("Any fixed number makes the result reproducible.", "固定任意数即可重复结果。"),
        check=whole_number,
        number=Phrase("shuffle number {value}", "第 {value} 种打乱"),
        stage=Stage.MATCHING,
        unsearched=MANY_SEEDS,
        used=lambda rules: rules.ties == "random",
    )
    score_precision: ScorePrecision = rule_field(
        "float64",
        Phrase("score precision", "分数精度"),
        Phrase("At which precision are scores compared?", "分数以何种精度比较？"),
        {
            "float64": Phrase("double precision", "双精度"),
            "float32": Phrase(
                "single precision: close scores become ties, as in trec_eval 9",
                "单精度：相近的分数变成并列，同 trec_eval 9",
            ),
        },
        Phrase("Single precision silently ties scores that differ.", "单精度会把不同的分数悄悄变成并列。"),
        quiet=True,
        stage=Stage.MATCHING,
        decides_rows=True,
    )
    units: Units = rule_field(
        "items",
        Phrase("units", "计数单位"),
        Phrase(
            "What is counted: the returned items, or the units that they belong to, such as the documents of chunks?",
            "以什么计数：返回的物品本身，还是其所属的单位（如文本块所属的文档）？",
        ),
        {
            "items": Phrase("the returned items", "返回的物品"),
            "rolled-up": Phrase(
                "the units, given by units=: each item counts as its unit, and a further item of the same unit is "
                "a copy",
                "单位，由 units= 给出：每个物品视为其所属单位，同一单位的其余物品视为副本",
            ),
        },
        Phrase("Judgments and rankings usually name the same things.", "标注与排序结果通常指同一种对象。"),
        quiet=True,
        stage=Stage.READING,
        unsearched=BY_ID,
    )
    duplicates: Duplicates = rule_field(
        "error",
        Phrase("repeated items", "重复物品"),
        Phrase(
            "How is an item that is returned more than once for a query treated (items without ids are all different)?",
            "同一查询中多次返回的物品如何处理（没有 id 的物品视为各不相同）？",
        ),
        {
            "error": Phrase("an error", "报错"),
            "first": Phrase(
                "it counts at its first place; later copies keep their places and count as unjudged and not relevant, "
                "whatever grade unjudged items have (metrics of the items themselves leave copies out, and "
                "unjudged='removed' removes copies of unjudged items only)",
                "只在首次出现的位置计入；之后的副本保留名次，按未标注且不相关处理，与未标注物品的等级规则无关"
                "（衡量物品本身的指标不计副本；unjudged='removed' 只移除未标注物品的副本）",
            ),
            "close-up": Phrase(
                "later copies are removed, and the items below move up; copies with equal scores are one item before "
                "ties are ordered",
                "移除之后的副本，后面的物品前移；分数相同的副本先并为一个物品，再排并列",
            ),
            "again": Phrase(
                "each copy counts again at its place with its grade, R and the ideal count an item once: values can "
                "exceed their bounds, such as 1 (ties='best' and 'worst' put later copies after items of the same "
                "grade)",
                "每个副本都按其名次和等级重复计入，而 R 与理想排序中每个物品只计一次：取值可能超出上界（如 1）"
                "（ties='best' 与 'worst' 把之后的副本排在同等级的物品之后）",
            ),
            "set": Phrase(
                "as 'first', and the number of returned items (in the top k) counts each item once, as a set of them "
                "does",
                "同 'first'，且（前 k 个中）返回的物品数按集合计算，每个物品只计一次",
            ),
        },
        Phrase(
            "Tools disagree, and repeated items are nearly always a fault of the ranking.",
            "各工具做法不一，而重复物品几乎总是排序结果本身的错误。",
        ),
        quiet=True,
        stage=Stage.ORDER,
        untried={"error": NO_NUMBER},
        decides_rows=True,
    )
    k_counts: KCounts = rule_field(
        "places",
        Phrase("k counts", "k 的计数"),
        Phrase("What does the cutoff k count if items repeat?", "有重复物品时，截断 k 数的是什么？"),
        {
            "places": Phrase(
                "places of the list that is evaluated: with copies, or without those that duplicates='close-up' "
                "removes",
                "参与评测的列表的名次：含副本；duplicates='close-up' 移除的副本除外",
            ),
            "returned": Phrase(
                "places of the list as returned: copies are removed after the cut (duplicates='close-up'), and k is "
                "smaller by their number, also where a metric divides by k: P@3 of d1, d1 is 1/2 if d1 is relevant",
                "原列表的名次：先截断，再移除副本（duplicates='close-up'），k 减去所移除的个数，除以 k 时也是如此："
                "若 d1 相关，则 d1、d1 的 P@3 为 1/2",
            ),
            "different": Phrase(
                "different items: k grows until k of them are seen (duplicates='first', 'again' or 'set')",
                "不同的物品：k 增大到出现 k 个不同物品为止（duplicates='first'、'again' 或 'set'）",
            ),
        },
        Phrase("The metric is that of the list as the other rules leave it.", "指标针对的是其他规则处理之后的列表。"),
        quiet=True,
        stage=Stage.ORDER,
        needs_k=True,
    )
