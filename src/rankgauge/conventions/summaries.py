"""Rules for the value of a query, how values of queries are combined, and which queries count."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from rankgauge.conventions.rule import NO_NUMBER, Stage, number_or, rule_field, rule_group, whole_number
from rankgauge.errors import ParameterError
from rankgauge.rendering.language import Phrase

Undefined: TypeAlias = float | Literal["nan", "skip", "error"]
ShortList: TypeAlias = Literal["computed", "zero"]
Rounding: TypeAlias = int | Literal["none"]
Missing: TypeAlias = Literal["zero", "skip", "error"]
NoRelevant: TypeAlias = Literal["computed", "skip", "zero"]
NoQueries: TypeAlias = float | Literal["nan"]
Averaging: TypeAlias = Literal["mean", "geometric", "median", "weighted", "pooled"]
Counts: TypeAlias = Literal["sum", "mean"]

MOST_DECIMALS = 15


def decimals_or_none(name: str, value: Any) -> int | str:
    """Check that the value is ``none`` or a number of decimals."""
    if value == "none":
        return "none"
    if isinstance(value, str) or whole_number(name, value) > MOST_DECIMALS:
        raise ParameterError.of(
            name,
            value,
            (f"'none' or a number of decimals from 0 to {MOST_DECIMALS}", f"'none' 或 0 至 {MOST_DECIMALS} 的小数位数"),
        )
    return int(value)


@rule_group
class ValueRules:
    """Rules for the value of a query."""

    undefined: Undefined = rule_field(
        0,
        Phrase("0/0", "0/0"),
        Phrase(
            "What is the value if the denominator is 0, as when nothing is relevant?",
            "分母为 0（如没有相关物品）时取何值？",
        ),
        {
            "nan": Phrase(
                "not a number, and so is the mean, unless no_relevant='skip' leaves queries out of it",
                "非数值，均值也随之为非数值；no_relevant='skip' 时不计入均值",
            ),
            "skip": Phrase("excluded from the mean, and counted", "不计入均值，但报告个数"),
            "error": Phrase("an error", "报错"),
        },
        Phrase(
            "Most tools use 0; it keeps the number of queries the same for every metric.",
            "多数工具记 0；这样每个指标的查询数都相同。",
        ),
        check=number_or("nan", "skip", "error"),
        number=Phrase("it is {value}", "记为 {value}"),
        stage=Stage.AFTER,
        tried=(0, 1, 0.5),
        untried={"nan": NO_NUMBER, "error": NO_NUMBER},
    )
    short_list: ShortList = rule_field(
        "computed",
        Phrase("short lists", "短列表"),
        Phrase("What is the value at k if fewer than k items were returned?", "返回的物品不足 k 个时，@k 取何值？"),
        {
            "computed": Phrase("the formula applies; the missing ranks are empty", "按公式计算，缺少的名次视为空"),
            "zero": Phrase("0, whatever was returned", "一律为 0"),
        },
        Phrase(
            "A short list can be right; scripts of data sets with 0 leave its value out of a table.",
            "短列表也可能是对的；取 0 的是一些数据集的脚本，它们不输出短列表的值。",
        ),
        quiet=True,
        stage=Stage.AFTER,
        needs_k=True,
    )
    rounding: Rounding = rule_field(
        "none",
        Phrase("rounding", "舍入"),
        Phrase("Is the value of each query rounded before the mean?", "求均值之前，每个查询的值是否四舍五入？"),
        {
            "none": Phrase("not rounded", "不舍入"),
            "decimals": Phrase(
                "a whole number: to that many decimals, halves up", "一个整数：保留这么多位小数，四舍五入（逢半进一）"
            ),
        },
        Phrase("Rounding loses digits that a comparison needs.", "舍入会丢掉比较时需要的位数。"),
        check=decimals_or_none,
        number=Phrase("to {value} decimals", "保留 {value} 位小数"),
        quiet=True,
        stage=Stage.AFTER,
        unsearched=Phrase("a printed number is compared in its own digits", "给出的数按其自身的位数比较"),
    )
    no_relevant: NoRelevant = rule_field(
        "computed",
        Phrase("nothing relevant", "无相关物品"),
        Phrase("How is a query without relevant items treated?", "没有任何相关物品的查询如何处理？"),
        {
            "computed": Phrase(
                "each metric follows its formula; the rule for 0/0 applies where needed",
                "各指标按公式计算；若为 0/0，则按 0/0 的规则",
            ),
            "skip": Phrase("excluded from the mean of every metric, and counted", "所有指标的均值都不计入，但报告个数"),
            "zero": Phrase("0 for every metric, whatever its formula gives", "各指标均取 0，无论公式给出什么"),
        },
        Phrase(
            "The number of queries is then the same for every metric; most recommender libraries exclude such users.",
            "这样每个指标的查询数都相同；推荐库大多剔除这样的用户。",
        ),
        quiet=True,
        stage=Stage.AFTER,
    )


@rule_group
class SummaryRules:
    """Rules for which queries count and how their values are combined."""

    missing: Missing = rule_field(
        "zero",
        Phrase("missing queries", "缺失查询"),
        Phrase(
            "How is a judged query treated that the ranking lacks? One with an empty list counts under every rule.",
            "排序结果中没有的已标注查询如何处理？列表为空的查询在任何规则下都计入。",
        ),
        {
            "zero": Phrase("counted as an empty list", "按空结果计"),
            "skip": Phrase("excluded from the mean, and counted", "不计入均值，但报告个数"),
            "error": Phrase("an error", "报错"),
        },
        Phrase("A system must not gain by returning nothing.", "系统不应因不返回结果而得利。"),
        quiet=True,
        stage=Stage.SUMMARY,
        selects_queries=True,
        untried={"error": NO_NUMBER},
    )
    averaging: Averaging = rule_field(
        "mean",
        Phrase("averaging", "平均方式"),
        Phrase("How are the values of all queries combined?", "各查询的值如何汇总为一个？"),
        {
            "mean": Phrase("the arithmetic mean", "算术平均"),
            "geometric": Phrase("the geometric mean of max(value, 0.00001)", "max(值, 0.00001) 的几何平均"),
            "median": Phrase("the median", "中位数"),
            "weighted": Phrase("the mean weighted by the given query weights", "按给定的查询权重加权平均"),
            "pooled": Phrase(
                "the sum of the numerators over the sum of the denominators, as explain shows them (micro average)",
                "各查询分子之和除以分母之和，即 explain 所示的分子与分母（微平均）",
            ),
        },
        Phrase("Every query counts the same.", "每个查询权重相同。"),
        quiet=True,
        stage=Stage.SUMMARY,
        untried={"weighted": Phrase("the weights are not part of the judgments", "权重不在标注之中")},
    )
    counts: Counts = rule_field(
        "sum",
        Phrase("counts", "计数"),
        Phrase("How are the counts of all queries combined?", "各查询的计数如何汇总？"),
        {
            "sum": Phrase("they are added up", "相加"),
            "mean": Phrase(
                "as averaging says, like other metrics; with averaging='pooled' by their mean",
                "与其他指标一样，按平均方式；averaging='pooled' 时取平均",
            ),
        },
        Phrase("A count is about the total over all queries.", "计数的意义就在于总数。"),
        quiet=True,
        stage=Stage.SUMMARY,
    )
    no_queries: NoQueries = rule_field(
        "nan",
        Phrase("no queries", "没有查询"),
        Phrase("What is the mean if no query counts?", "没有任何查询计入时，均值取何值？"),
        {"nan": Phrase("not a number", "非数值"), "number": Phrase("a number: that number", "一个数：即该数")},
        Phrase("A number would look like a result.", "给出一个数会让人误以为有结果。"),
        check=number_or("nan"),
        number=Phrase("it is {value}", "记为 {value}"),
        quiet=True,
        stage=Stage.SUMMARY,
        untried={"nan": NO_NUMBER},
    )
