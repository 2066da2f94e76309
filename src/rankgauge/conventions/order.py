"""Rules for the order of items: ties, the seed that shuffles them, and the precision of scores."""

from __future__ import annotations

from typing import Literal, TypeAlias

from rankgauge.conventions.rule import rule_field, whole_number
from rankgauge.rendering.language import Phrase

Ties: TypeAlias = Literal[
    "id", "id-ascending", "input", "input-reversed", "mean", "best", "worst", "together", "random"
]
ScorePrecision: TypeAlias = Literal["float64", "float32"]

TIES = rule_field(
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
        "best": Phrase("the better grade first (optimistic)", "等级高者在前（乐观）"),
        "worst": Phrase("the worse grade first (pessimistic)", "等级低者在前（悲观）"),
        "together": Phrase(
            "all at the rank of the last one, as if the score were a threshold",
            "都取其中最后一个的名次，即把分数当作阈值",
        ),
        "random": Phrase("shuffled by item id and seed, reproducibly", "按 id 与随机种子打乱，结果可重复"),
    },
    Phrase(
        "It does not depend on the row order, and all TREC results were computed this way.",
        "与行的顺序无关，且 TREC 的所有数字都是这样算出来的。",
    ),
)
SEED = rule_field(
    0,
    Phrase("seed", "随机种子"),
    Phrase("Which shuffle does ties='random' use?", "ties='random' 用哪一种打乱？"),
    {},
    Phrase("Any fixed number makes the result reproducible.", "固定任意数即可重复结果。"),
    check=whole_number,
    number=Phrase("shuffle number {value}", "第 {value} 种打乱"),
)
SCORE_PRECISION = rule_field(
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
)
