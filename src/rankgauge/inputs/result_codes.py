"""Findings about results of systems on data sets, by their code."""

from __future__ import annotations

from rankgauge.inputs.finding_kind import STOPS, FindingKind
from rankgauge.rendering.language import Phrase

RESULT_CODES: dict[str, FindingKind] = {
    "RG701": FindingKind(
        "error", Phrase("result is not a number", "结果不是数"),
        Phrase("A value of a leaderboard is infinite, a text, or of a kind that holds no value. An empty cell, - and "
               "NaN are missing values.",
               "排行榜中的某个值为无穷大、是文本，或不含数值。空单元格、- 与 NaN 表示缺失。"),
        Phrase("correct the value, or leave the cell empty if it is missing", "更正该值；若缺失，请留空"), STOPS,
    ),
    "RG702": FindingKind(
        "error", Phrase("name repeats in the results", "结果中的名称重复"),
        Phrase("A system has two values on one data set, or on one query of it, or two rows or columns have one name.",
               "某个系统在同一数据集或其中同一查询上有两个值，或两行、两列同名。"),
        Phrase("remove one of them, or give the systems different names", "删去其中一个，或为系统取不同的名称"), STOPS,
    ),
    "RG703": FindingKind(
        "warning", Phrase("only one system", "只有一个系统"),
        Phrase("A leaderboard compares systems; there is nothing to compare this one with.",
               "排行榜用于比较系统；没有可与之比较的系统。"),
        Phrase("add the results of other systems", "加入其他系统的结果"),
    ),
    "RG704": FindingKind(
        "warning", Phrase("only one data set", "只有一个数据集"),
        Phrase("With one data set nothing can be said about other data sets; values of queries allow conclusions about "
               "other queries.",
               "只有一个数据集时，无法推断其他数据集；有各查询的值时可推断其他查询。"),
        Phrase("add other data sets, or compare the systems query by query: rg.compare",
               "加入其他数据集，或逐查询比较系统：rg.compare"),
    ),
    "RG705": FindingKind(
        "warning", Phrase("data set with one query", "数据集只有一个查询"),
        Phrase("The spread of one query cannot be estimated; under target='queries' it is pooled with that of other "
               "data sets.",
               "只有一个查询时无法估计其离散程度；target='queries' 时与其他数据集合并估计。"),
        Phrase("check that no queries are missing, or use target='data sets'",
               "检查是否缺少查询，或使用 target='data sets'"),
    ),
    "RG706": FindingKind(
        "warning", Phrase("query without a value of every system", "查询并非每个系统都有值"),
        Phrase("Systems are compared on the same queries; a query that one of them lacks is left out for all.",
               "各系统须在相同的查询上比较；有系统缺少的查询对所有系统都不计入。"),
        Phrase("compute the missing values, or give them the value that a missing query has under your rules",
               "补上缺少的值，或按规则给出缺失查询的值"),
    ),
    "RG707": FindingKind(
        "warning", Phrase("values on different scales", "值的量纲不同"),
        Phrase("Some data sets have values between 0 and 1 and others larger ones, such as percentages: these decide "
               "the mean alone.",
               "有的数据集的值在 0 与 1 之间，有的更大（如百分数）：均值将由后者决定。"),
        Phrase("bring all values to one scale, or use an aggregate of ranks or z scores",
               "统一量纲，或改用基于名次或 z 分数的汇总方式"),
    ),
    "RG708": FindingKind(
        "warning", Phrase("scores computed under different rules", "分数所用的规则不同"),
        Phrase("Scores of one leaderboard were computed under different conventions, so that they may differ without "
               "the systems being different.",
               "同一排行榜中的分数按不同的约定计算，系统相同时值也可能不同。"),
        Phrase("evaluate all systems under one convention", "用同一约定评测所有系统"),
    ),
    "RG709": FindingKind(
        "warning", Phrase("system left out: it lacks data sets", "系统因缺少数据集而被排除"),
        Phrase("Under missing='complete' a leaderboard has only systems with a value on every data set.",
               "missing='complete' 时，排行榜只含在每个数据集上都有值的系统。"),
        Phrase("add the missing results, or choose another rule: missing='loses', 'present' or 'bounds'",
               "补上缺少的结果，或改用其他规则：missing='loses'、'present' 或 'bounds'"),
    ),
    "RG710": FindingKind(
        "note", Phrase("system lacks data sets", "系统缺少数据集"),
        Phrase("The rule for missing values decides what the missing results count.", "缺少的结果按缺失值规则处理。"),
    ),
    "RG711": FindingKind(
        "error", Phrase("no system has a value on every data set", "没有系统在每个数据集上都有值"),
        Phrase("Under missing='complete' the leaderboard would be empty.", "missing='complete' 时排行榜将为空。"),
        Phrase("choose another rule: missing='loses', 'present' or 'bounds'; or leave out data sets",
               "改用其他规则：missing='loses'、'present' 或 'bounds'；或去掉一些数据集"), STOPS,
    ),
}  # fmt: skip
