"""Rules for variants of single metrics that only a few tools use."""

from __future__ import annotations

from typing import Literal, TypeAlias

from rankgauge.conventions.rule import Stage, rule_field, rule_group, whole_number_or
from rankgauge.rendering.language import Phrase

AveragePrecisionAt: TypeAlias = Literal["relevant", "every"]
ReciprocalRankOf: TypeAlias = Literal["relevant", "best", "hits", "all"]
HitIf: TypeAlias = Literal["returned", "score>0"]
Stop: TypeAlias = Literal["exp2", "grade"]
IntentOver: TypeAlias = Literal["definition", "ndeval"]
UserDepth: TypeAlias = int | Literal["endless", "lists"]
TiedPairs: TypeAlias = Literal["half", "lost", "won", "order"]


@rule_group
class VariantRules:
    """Rules for variants of single metrics."""

    ap_at: AveragePrecisionAt = rule_field(
        "relevant",
        Phrase("AP at", "AP 取值处"),
        Phrase("At which ranks does AP take the precision?", "AP 在哪些名次上取精确率？"),
        {
            "relevant": Phrase("at the ranks of the relevant items", "相关物品所在的名次"),
            "every": Phrase("at every rank up to k", "前 k 个名次的每一个"),
        },
        Phrase(
            "This is average precision; the mean over all ranks, as in Elliot, is another metric of the same name.",
            "这才是平均精确率；对每个名次取平均（如 Elliot）是同名的另一个指标。",
        ),
        quiet=True,
        stage=Stage.FORMULA,
    )
    rr_of: ReciprocalRankOf = rule_field(
        "relevant",
        Phrase("RR of", "RR 对象"),
        Phrase("Which item's rank does the reciprocal rank use?", "倒数排名取哪个物品的名次？"),
        {
            "relevant": Phrase("the first relevant item", "首个相关物品"),
            "best": Phrase("the first item with the best grade judged", "首个等级最高的物品"),
            "hits": Phrase(
                "every relevant item in the top k: the mean of 1/rank over them",
                "前 k 个中的每个相关物品：取 1/名次 的平均",
            ),
            "all": Phrase(
                "every relevant item: the mean of 1/rank over all of them, 0 for those not in the top k",
                "每个相关物品：取 1/名次 的平均，不在前 k 个中的计 0",
            ),
        },
        Phrase(
            "It measures when the first relevant item is found, not the best one.",
            "它衡量何时找到首个相关物品，而不是最好的物品。",
        ),
        quiet=True,
        stage=Stage.FORMULA,
    )
    hit_if: HitIf = rule_field(
        "returned",
        Phrase("hit if", "命中条件"),
        Phrase(
            "Which returned items can be hits of P, R, F, AP and RR?", "返回的哪些物品可以算作 P、R、F、AP、RR 的命中？"
        ),
        {
            "returned": Phrase("every returned item can be", "返回的物品都可以"),
            "score>0": Phrase("only those with a score above 0", "只有分数大于 0 的"),
        },
        Phrase(
            "Scores only order items; their sign means nothing, especially for logits.",
            "分数只用来排序；其正负没有意义，对 logits 尤其如此。",
        ),
        quiet=True,
        stage=Stage.FORMULA,
        decides_rows=True,
    )
    stop: Stop = rule_field(
        "exp2",
        Phrase("stop chance", "停止概率"),
        Phrase(
            "With what probability does an item satisfy the user, who then stops (ERR)?",
            "用户在某物品处满意而停下的概率是多少（ERR）？",
        ),
        {
            "exp2": Phrase("(2^grade - 1) / 2^top grade", "(2^等级 - 1) / 2^最高等级"),
            "grade": Phrase("the grade itself, which must be from 0 to 1", "等级本身，须在 0 与 1 之间"),
        },
        Phrase("This is the definition of Chapelle et al. (2009).", "这是 Chapelle 等（2009）的定义。"),
        quiet=True,
        stage=Stage.FORMULA,
    )
    tied_pairs: TiedPairs = rule_field(
        "half",
        Phrase("tied pairs", "并列的对"),
        Phrase(
            "How does a pair of a relevant and a non-relevant item with equal scores count (AUC)?",
            "相关与不相关的物品分数相同时，这一对计多少（AUC）？",
        ),
        {
            "half": Phrase("as half won: the ROC curve is a straight line there", "计一半：ROC 曲线在此处为直线"),
            "lost": Phrase("as lost: only a strictly higher score wins", "不计：分数严格更高才算赢"),
            "won": Phrase("as won: an equal score is enough", "全计：分数不低即算赢"),
            "order": Phrase("by the order that the rule for ties gives", "按并列规则排出的先后"),
        },
        Phrase(
            "AUC then does not depend on the row order, and equal scores for all items give 1/2.",
            "这样 AUC 与行的顺序无关，分数全部相同时为 1/2。",
        ),
        symbol=r"\tau",
        formula=lambda value: {"lost": "0", "won": "1"}.get(value, "1/2"),
        stage=Stage.FORMULA,
    )
    user_depth: UserDepth = rule_field(
        "endless",
        Phrase("user depth", "浏览深度"),
        Phrase(
            "At which rank does every user stop at the latest (RBP, INST, INSQ, NERR10, NERR11, Compat)?",
            "用户最多看到第几名（RBP、INST、INSQ、NERR10、NERR11、Compat）？",
        ),
        {
            "endless": Phrase(
                "at none: ranks after the end of the list count as not relevant", "不限：末尾之后视为不相关"
            ),
            "lists": Phrase(
                "at the end of the list, or of the list of all relevant items if that is longer",
                "到列表末尾；若全部相关物品构成的列表更长，则到其末尾",
            ),
        },
        Phrase(
            "The metrics are defined for endless lists; cwl_eval computes the first 1,000 ranks.",
            "这些指标按无限长的列表定义；cwl_eval 只计算前 1000 名。",
        ),
        check=whole_number_or(1, 1_000_000, "endless", "lists"),
        number=Phrase("at rank {value}", "第 {value} 名"),
        quiet=True,
        stage=Stage.FORMULA,
    )
    intent_over: IntentOver = rule_field(
        "definition",
        Phrase("ERR-IA over", "ERR-IA 分母"),
        Phrase("What are ERR-IA and alpha-DCG divided by?", "ERR-IA 与 alpha-DCG 除以什么？"),
        {
            "definition": Phrase(
                "as in the papers: ERR-IA by the number of subtopics, alpha-DCG by nothing",
                "按论文：ERR-IA 除以子主题数，alpha-DCG 不作除法",
            ),
            "ndeval": Phrase(
                "by the value of a list of items that are all relevant to every subtopic; at cutoff 1 by nothing, and "
                "ERR-IA without the factor alpha",
                "除以「每个物品都与所有子主题相关」的列表的值；截断为 1 时不作除法；ERR-IA 省略因子 alpha",
            ),
        },
        Phrase(
            "Chapelle et al. (2011) and Clarke et al. (2008) define them so; ndeval's value at cutoff 1 can exceed 1.",
            "这是 Chapelle 等（2011）与 Clarke 等（2008）的定义；ndeval 在截断 1 处的值可能超过 1。",
        ),
        quiet=True,
        stage=Stage.FORMULA,
    )
