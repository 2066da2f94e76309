"""Findings about rankings that are fused and settings that are tuned, by their stable codes."""

from __future__ import annotations

from rankgauge.inputs.finding_kind import STOPS, FindingKind
from rankgauge.rendering.language import Phrase

FUSION_CODES: dict[str, FindingKind] = {
    "RG801": FindingKind(
        "error", Phrase("rankings of other queries", "排序结果的查询互不相同"),
        Phrase("A ranking shares no query with any other, so that nothing can be fused; its ids may be written in "
               "another way.",
               "某个排序结果与其他排序结果没有共同的查询，无从融合；其标识的写法可能不同。"),
        Phrase("pass rankings of the same queries, with the same ids", "给出同一组查询的排序结果，并使用相同的标识"),
        STOPS,
    ),
    "RG802": FindingKind(
        "warning", Phrase("query that a ranking lacks", "排序结果缺少的查询"),
        Phrase("The fused list of the query consists of the other rankings alone.",
               "该查询的融合列表只来自其余的排序结果。"),
        Phrase("check whether the system returned nothing or the file is incomplete",
               "检查该系统是否确实没有返回结果，或文件是否不完整"),
    ),
    "RG803": FindingKind(
        "warning", Phrase("equal scores that are normalised", "归一化的分数全部相同"),
        Phrase("A list whose scores are all equal has no range to be normalised by: every item gets one fixed value.",
               "列表中的分数全部相同，没有可供归一化的范围，每个物品都得到同一个固定值。"),
        Phrase("check the scores of the ranking, or fuse by ranks (method rrf)",
               "检查该排序结果的分数，或按名次融合（方法 rrf）"),
    ),
    "RG804": FindingKind(
        "error", Phrase("scores that cannot be normalised", "无法归一化的分数"),
        Phrase("Infinite scores have no scale, and dividing by a highest score that is not above 0 turns the list "
               "upside down.",
               "无穷大的分数没有尺度；除以不大于 0 的最高分会使列表颠倒。"),
        Phrase("use another norm (min-max or z), or fuse by ranks (method rrf)",
               "改用其他归一化（min-max 或 z），或按名次融合（方法 rrf）"), STOPS,
    ),
    "RG805": FindingKind(
        "error", Phrase("weights that cannot be used", "无法使用的权重"),
        Phrase("A negative weight prefers what a ranking puts last, and weights that are all 0 leave no order.",
               "负权重会偏好排在最后的物品；权重全为 0 则没有次序。"),
        Phrase("pass weights from 0, at least one of them above 0", "给出不小于 0 的权重，且至少有一个大于 0"), STOPS,
    ),
    "RG806": FindingKind(
        "error", Phrase("a single ranking", "只有一个排序结果"),
        Phrase("Fusion merges two rankings or more.", "融合需要至少两个排序结果。"),
        Phrase("pass another ranking of the same queries", "再给出一个同一组查询的排序结果"), STOPS,
    ),
    "RG807": FindingKind(
        "note", Phrase("rankings sorted on disk", "排序结果已在磁盘上排序"),
        Phrase("The queries of large files come in different orders, so the files were sorted by query in a temporary "
               "folder; the fused ranking is in the order of the query ids.",
               "大文件中查询的次序不同，因此在临时目录中按查询排序；融合结果按查询标识排列。"),
        Phrase("nothing to do, or write the files in one order of queries, which is faster",
               "无需处理；按同一查询次序写出文件会更快"),
    ),
    "RG811": FindingKind(
        "error", Phrase("a single setting", "只有一个设置"),
        Phrase("There is nothing to choose from: the grid has one value for each parameter, or there is one ranking.",
               "没有可供选择的设置：网格中每个参数只有一个值，或只有一个排序结果。"),
        Phrase("give at least two settings, or use evaluate", "给出至少两个设置，或使用 evaluate"), STOPS,
    ),
    "RG812": FindingKind(
        "error", Phrase("fewer queries than folds", "查询少于折数"),
        Phrase("Each fold needs a query (or a cluster of queries) of its own.",
               "每一折至少需要一个查询（或一组查询）。"),
        Phrase("judge more queries, or pass a smaller number of folds", "标注更多查询，或减少折数"), STOPS,
    ),
    "RG813": FindingKind(
        "error", Phrase("query without a cluster", "没有分组的查询"),
        Phrase("Queries of one cluster stay in one fold; a query of unknown cluster could be in both parts.",
               "同组的查询须在同一折内；分组未知的查询可能同时出现在两部分。"),
        Phrase("add the query to the clusters", "为该查询补充分组"), STOPS,
    ),
    "RG814": FindingKind(
        "error", Phrase("setting without its cost", "缺少成本的设置"),
        Phrase("The table of costs has no number for a setting, names none of the settings, or names one twice.",
               "成本表中某个设置没有数值，没有任何设置，或某个设置出现两次。"),
        Phrase("give one row for each setting, with its name or its parameters, and a number in each column",
               "每个设置给出一行：其名称或参数，以及每列的数值"), STOPS,
    ),
    "RG815": FindingKind(
        "error", Phrase("no setting within the limits", "没有设置满足限制"),
        Phrase("Every setting exceeds a limit, so that none can be chosen.", "所有设置都超出了限制，无可选择。"),
        Phrase("relax the limit, or add cheaper settings", "放宽限制，或加入成本更低的设置"), STOPS,
    ),
    "RG816": FindingKind(
        "error", Phrase("file name that does not fit the pattern", "文件名与模式不符"),
        Phrase("The settings are read from the names of the files, and one of them does not have the given form.",
               "设置由文件名读出，而其中一个文件名不符合给定的形式。"),
        Phrase("change the pattern, or leave the file out", "修改模式，或去掉该文件"), STOPS,
    ),
    "RG817": FindingKind(
        "note", Phrase("query without a value under every setting", "并非在每个设置下都有值的查询"),
        Phrase("Settings are compared on the queries for which each of them has a value; the others are left out.",
               "各设置只在都有值的查询上比较；其余查询未计入。"),
    ),
}  # fmt: skip
