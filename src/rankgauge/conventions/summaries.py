"""Rules for how values of queries are combined, and which queries count."""

from __future__ import annotations

from typing import Literal, TypeAlias

from rankgauge.conventions.rule import number_or, rule_field
from rankgauge.rendering.language import Phrase

Undefined: TypeAlias = float | Literal["nan", "skip", "error"]
Missing: TypeAlias = Literal["zero", "skip", "error"]
NoRelevant: TypeAlias = Literal["computed", "skip"]
Averaging: TypeAlias = Literal["mean", "geometric", "median", "weighted"]
Counts: TypeAlias = Literal["sum", "mean"]

UNDEFINED = rule_field(
    0,
    Phrase("0/0", "0/0"),
    Phrase(
        "What is the value if the denominator is 0, as when nothing is relevant?",
        "分母为 0（如没有相关物品）时取何值？",
    ),
    {
        "nan": Phrase("not a number, and so is the mean", "非数值，均值也随之为非数值"),
        "skip": Phrase("excluded from the mean, and counted", "不计入均值，但报告个数"),
        "error": Phrase("an error", "报错"),
    },
    Phrase(
        "Most tools use 0; it keeps the number of queries the same for every metric.",
        "多数工具记 0；这样每个指标的查询数都相同。",
    ),
    check=number_or("nan", "skip", "error"),
    number=Phrase("it is {value}", "记为 {value}"),
)
MISSING = rule_field(
    "zero",
    Phrase("missing queries", "缺失查询"),
    Phrase("How is a judged query without results treated?", "有标注但没有返回结果的查询如何处理？"),
    {
        "zero": Phrase("as an empty list", "按空结果计"),
        "skip": Phrase("excluded from the mean, and counted", "不计入均值，但报告个数"),
        "error": Phrase("an error", "报错"),
    },
    Phrase("A system must not gain by returning nothing.", "系统不应因不返回结果而得利。"),
    quiet=True,
)
NO_RELEVANT = rule_field(
    "computed",
    Phrase("nothing relevant", "无相关物品"),
    Phrase("How is a query without relevant items treated?", "没有任何相关物品的查询如何处理？"),
    {
        "computed": Phrase(
            "each metric follows its formula; the rule for 0/0 applies where needed",
            "各指标按公式计算；若为 0/0，则按 0/0 的规则",
        ),
        "skip": Phrase("excluded from the mean of every metric, and counted", "所有指标的均值都不计入，但报告个数"),
    },
    Phrase(
        "The number of queries is then the same for every metric; most recommender libraries exclude such users.",
        "这样每个指标的查询数都相同；推荐库大多剔除这样的用户。",
    ),
    quiet=True,
)
AVERAGING = rule_field(
    "mean",
    Phrase("averaging", "平均方式"),
    Phrase("How are the values of all queries combined?", "各查询的值如何汇总为一个？"),
    {
        "mean": Phrase("the arithmetic mean", "算术平均"),
        "geometric": Phrase("the geometric mean of max(value, 0.00001)", "max(值, 0.00001) 的几何平均"),
        "median": Phrase("the median", "中位数"),
        "weighted": Phrase("the mean weighted by the given query weights", "按给定的查询权重加权平均"),
    },
    Phrase("Every query counts the same.", "每个查询权重相同。"),
    quiet=True,
)
COUNTS = rule_field(
    "sum",
    Phrase("counts", "计数"),
    Phrase("How are the counts of all queries combined?", "各查询的计数如何汇总？"),
    {
        "sum": Phrase("they are added up", "相加"),
        "mean": Phrase("by their mean, like other metrics", "与其他指标一样取平均"),
    },
    Phrase("A count is about the total over all queries.", "计数的意义就在于总数。"),
    quiet=True,
)
