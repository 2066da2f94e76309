"""Rules for denominators: the ideal ranking, and what precision, recall and average precision are divided by."""

from __future__ import annotations

from typing import Literal, TypeAlias

from rankgauge.conventions.rule import Stage, at_least_zero, rule_field, rule_group
from rankgauge.rendering.language import Phrase

Ideal: TypeAlias = Literal["judged", "returned", "full", "given"]
IdealCut: TypeAlias = Literal["k", "none", "returned", "k or n"]
PrecisionOver: TypeAlias = Literal["k", "min(k,n)", "returned", "min(k,R)"]
RecallOver: TypeAlias = Literal["R", "min(k,R)"]
AveragePrecisionOver: TypeAlias = Literal["R", "min(R,k)", "hits", "k", "min(R,k,n)"]


@rule_group
class DenominatorRules:
    """Rules for denominators."""

    ideal: Ideal = rule_field(
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
        stage=Stage.FORMULA,
        untried={"given": Phrase("the ideal is not part of the judgments", "理想排序不在标注之中")},
    )
    ideal_cut: IdealCut = rule_field(
        "k",
        Phrase("ideal cut", "理想截断"),
        Phrase("Where does the ideal ranking end?", "理想排序截断在哪里？"),
        {
            "k": Phrase("at the metric's cutoff k", "在指标的截断 k 处"),
            "none": Phrase("nowhere: the whole ideal ranking counts", "不截断：理想排序全部计入"),
            "returned": Phrase(
                "at the number of returned items (or at k if that is smaller)", "在返回的物品数处（k 更小时在 k 处）"
            ),
            "k or n": Phrase(
                "at the metric's cutoff k; without a cutoff, k is the number of returned items",
                "在指标的截断 k 处；没有截断时，k 取返回的物品数",
            ),
        },
        Phrase(
            "Cut at k, a perfect top k scores 1; cut at the number returned, short lists look better than they are.",
            "在 k 处截断，完美的前 k 个得 1 分；若按返回数截断，短的结果会显得过好。",
        ),
        stage=Stage.FORMULA,
    )
    p_over: PrecisionOver = rule_field(
        "k",
        Phrase("P over", "精确率分母"),
        Phrase("What is precision at k divided by?", "P@k 除以什么？"),
        {
            "k": Phrase(
                "k, even if fewer items were returned; without a cutoff, the number of returned items",
                "k，即使返回的物品不足 k 个；没有截断时为返回的物品数",
            ),
            "min(k,n)": Phrase("k, or the number returned n if that is smaller", "k 与返回数 n 中较小者"),
            "returned": Phrase("all returned items, including those after k", "全部返回的物品数，包括 k 之后的"),
            "min(k,R)": Phrase("k, or the number of relevant items R if that is smaller", "k 与相关物品数 R 中较小者"),
        },
        Phrase(
            "Dividing by k does not reward returning fewer items; trec_eval and most recommender libraries do so.",
            "除以 k 不会奖励少返回的系统；trec_eval 与多数推荐库都这样做。",
        ),
        stage=Stage.FORMULA,
    )
    r_over: RecallOver = rule_field(
        "R",
        Phrase("R over", "召回率分母"),
        Phrase("What is recall at k divided by?", "R@k 除以什么？"),
        {
            "R": Phrase("all relevant items R", "全部相关物品数 R"),
            "min(k,R)": Phrase("R, or k if that is smaller (capped recall)", "R 与 k 中较小者（封顶召回率）"),
        },
        Phrase(
            "This is what recall means; the capped form is another metric.",
            "这就是召回率的本义；封顶形式是另一个指标。",
        ),
        stage=Stage.FORMULA,
    )
    ap_over: AveragePrecisionOver = rule_field(
        "R",
        Phrase("AP over", "AP 分母"),
        Phrase("What is the sum of precisions divided by?", "各精确率之和除以什么？"),
        {
            "R": Phrase("all relevant items R", "全部相关物品数 R"),
            "min(R,k)": Phrase("R, or k if that is smaller", "R 与 k 中较小者"),
            "hits": Phrase("the relevant items found in the top k", "前 k 个中命中的相关物品数"),
            "k": Phrase("k; without a cutoff, the number of returned items", "k；没有截断时为返回的物品数"),
            "min(R,k,n)": Phrase("R, k or the number returned n, whichever is smallest", "R、k 与返回数 n 中最小者"),
        },
        Phrase(
            "Only R penalises every missed relevant item; divided by hits, finding one more relevant item "
            "can lower the value.",
            "只有除以 R 才会为每个漏掉的相关物品扣分；若除以命中数，多找到一个相关物品反而可能降低得分。",
        ),
        stage=Stage.FORMULA,
    )
    denominator_plus: float = rule_field(
        0,
        Phrase("denominator plus", "分母附加值"),
        Phrase(
            "Which constant is added to the denominator of a metric that has one, as explain shows it?",
            "有分母的指标，其分母（如 explain 所示）另加多少？",
        ),
        {},
        Phrase(
            "A constant keeps even a perfect list below 1, and 0/0 has a rule of its own.",
            "附加常数会使完美的结果也低于 1；而 0/0 自有其规则。",
        ),
        check=at_least_zero,
        number=Phrase("{value} is added", "加 {value}"),
        quiet=True,
        stage=Stage.FORMULA,
        every_metric=True,
    )
