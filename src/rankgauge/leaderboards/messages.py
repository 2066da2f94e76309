"""Texts of a leaderboard in English and Chinese."""

from __future__ import annotations

from rankgauge.rendering.language import Phrase

COLUMNS = {
    "rank": Phrase("rank", "名次"),
    "system": Phrase("system", "系统"),
    "interval": Phrase("{level} interval", "{level} 区间"),
    "bounds": Phrase("possible", "可能范围"),
    "elo": Phrase("Elo scale", "Elo 分"),
    "ranks": Phrase("possible ranks", "可能名次"),
    "drawing": Phrase("1–{count}", "1–{count}"),
    "marginal ranks": Phrase("percentile ranks", "百分位名次"),
    "without one": Phrase("without one data set", "去掉一个数据集"),
    "groups": Phrase("groups", "组"),
    "data sets": Phrase("data sets", "数据集数"),
    "baseline": Phrase("minus {baseline}", "减 {baseline}"),
}
BOARD = {
    "caption": Phrase(
        "{aggregate} of {systems:# system|# systems} over {data_sets:# data set|# data sets}{metric}",
        "{systems:,} 个系统在 {data_sets:,} 个数据集上的{aggregate}{metric}",
    ),
    "of metric": Phrase(" ({metric})", "（{metric}）"),
    "left out columns": Phrase("Columns left out: {columns}.", "未显示的列：{columns}。"),
    "top": Phrase(
        "Shown: the first {shown} of {count:# system|# systems}.", "仅显示 {count} 个系统中的前 {shown} 个。"
    ),
    "firsts": Phrase(
        "{count:# system|# systems} may be the best one. {pairs:,} of {all:# pair|# pairs} are separable; of "
        "neighbours in the order, {same} of {neighbours} are not ({level} for all pairs together, {target}).",
        "{count:,} 个系统都可能是最好的。全部 {all:,} 对中有 {pairs:,} 对可以区分；"
        "{neighbours} 对相邻系统中有 {same} 对无法区分"
        "（所有配对合计的置信水平为 {level}，{target}）。",
    ),
    "marginal": Phrase(
        "For one system or one pair at a time (marginal, percentiles of resamples): {count:# system|# systems} may be "
        "the best one; {pairs:,} of {all:# pair|# pairs} are separable, {same} of {neighbours} neighbours are not.",
        "逐个系统或逐对来看（边际，重抽样的百分位数）：{count:,} 个系统可能是最好的；"
        "全部 {all:,} 对中有 {pairs:,} 对可以区分，{neighbours} 对相邻系统中有 {same} 对无法区分。",
    ),
    "too few": Phrase(
        "No two systems can be separated with {count:# value|# values} to resample.",
        "可重抽样的只有 {count} 个值，无法区分任何两个系统。",
    ),
    "mark": Phrase(
        "* may be the best system; intervals are marginal, possible ranks hold for all systems together.",
        "* 可能是最好的系统；区间为边际区间，可能名次对所有系统同时成立。",
    ),
    "baseline": Phrase(
        "In the last column * means: separable from {baseline}.", "最后一列中 * 表示：与 {baseline} 可以区分。"
    ),
    "rule": Phrase("Missing values: {rule}.", "缺失值：{rule}。"),
    "aggregate rule": Phrase("Aggregate: {rule}.", "汇总方式：{rule}。"),
    "families": Phrase(
        "Families: {count} of {data_sets:# data set|# data sets} are in {families:# family|# families}.",
        "数据集族：{data_sets} 个数据集中有 {count} 个归入 {families:,} 个族。",
    ),
    "agreement": Phrase(
        "Agreement with other aggregates (Kendall's tau): {taus}.", "与其他汇总方式的一致性（Kendall tau）：{taus}。"
    ),
    "influence": Phrase("Data sets whose absence changes the board most", "去掉后对排行榜影响最大的数据集"),
    "not fitted": Phrase(
        "Some systems never lost to the others, or never met them: half a win and half a loss against an average "
        "system were added to every system.",
        "有的系统从未输给其他系统，或从未与其比较：已为每个系统加上对一个平均系统的半胜与半负。",
    ),
}
INFLUENCE = {
    "data set": Phrase("left out", "去掉的数据集"),
    "first": Phrase("best system then", "此时的最佳系统"),
    "tau": Phrase("tau", "tau"),
    "change": Phrase("largest change of a rank", "名次最大变化"),
    "system": Phrase("of", "变化的系统"),
}
TARGETS = {
    "queries": Phrase("other queries of these data sets", "同样的数据集、其他查询"),
    "queries from n and sd": Phrase(
        "other queries of these data sets, from the standard deviations as if systems were independent",
        "同样的数据集、其他查询，由标准差得出并视各系统为独立",
    ),
    "data sets": Phrase("other data sets", "其他数据集"),
}
MISSING = {
    "complete": Phrase(
        "complete: only systems with a value on every data set; {count:# system was|# systems were} left out",
        "complete：只保留在每个数据集上都有值的系统；排除了 {count:,} 个系统",
    ),
    "loses": Phrase(
        "loses: a missing value counts as the worst on its data set; {count:# system lacks|# systems lack} some",
        "loses：缺失的值按该数据集上最差计；{count:,} 个系统有缺失",
    ),
    "present": Phrase(
        "present: systems are compared on the data sets that both have; {count:# system lacks|# systems lack} some",
        "present：只在双方都有值的数据集上比较；{count:,} 个系统有缺失",
    ),
    "bounds": Phrase(
        "bounds: a missing value may be any between the worst and the best on its data set; {count:# system lacks|# "
        "systems lack} some",
        "bounds：缺失的值可以是该数据集上最差与最好之间的任何值；{count:,} 个系统有缺失",
    ),
    "none": Phrase("none", "无"),
}
RULES = {
    "mean": Phrase("mean over data sets", "对各数据集取均值"),
    "family mean": Phrase(
        "mean over families of the means of their data sets", "先在每族内对数据集取均值，再对各族取均值"
    ),
    "mean rank": Phrase(
        "mean over data sets of the rank, ties share their mean rank", "各数据集上名次的均值，并列者取平均名次"
    ),
    "borda": Phrase("sum over data sets of the number of systems minus the rank", "各数据集上（系统数减名次）之和"),
    "win rate": Phrase(
        "share of the other systems beaten, over data sets; a tie is half a win",
        "在各数据集上胜过其他系统的比例，并列算半胜",
    ),
    "z": Phrase(
        "mean over data sets of the distance from the mean system in standard deviations",
        "各数据集上与平均系统之差（以标准差为单位）的均值",
    ),
    "bradley-terry": Phrase(
        "strengths by maximum likelihood from wins on data sets, geometric mean 1; intervals to first order",
        "由各数据集上的胜负经最大似然得出的强度，几何均值为 1；区间取一阶近似",
    ),
}
PAIR = {
    "difference": Phrase(
        "{second} minus {first}: {difference} ({level} for all pairs together: {low} to {high}; this pair alone: "
        "{one_low} to {one_high}).",
        "{second} 减 {first}：{difference}（对所有配对同时成立的 {level} 区间：{low} 至 {high}；"
        "仅这一对：{one_low} 至 {one_high}）。",
    ),
    "separable": Phrase("The two systems are separable.", "这两个系统可以区分。"),
    "not separable": Phrase("The two systems are not separable.", "这两个系统无法区分。"),
    "wins": Phrase(
        "{second} is better on {wins:# data set|# data sets}, equal on {ties}, worse on {losses} (sign test p = {p}).",
        "{second} 在 {wins} 个数据集上更好，{ties} 个相等，{losses} 个更差（符号检验 p = {p}）。",
    ),
    "without one": Phrase(
        "With any one data set left out the difference lies between {without_low} and {without_high}.",
        "去掉任意一个数据集后，差异在 {without_low} 与 {without_high} 之间。",
    ),
    "data set": Phrase("data set", "数据集"),
    "first": Phrase("{name}", "{name}"),
    "second": Phrase("{name}", "{name}"),
    "change": Phrase("difference", "差异"),
    "winner": Phrase("better", "更好者"),
    "p": Phrase("p (Holm)", "p（Holm）"),
}
PAGE = {
    "title": Phrase("Leaderboard", "排行榜"),
    "board": Phrase("Board", "排行榜"),
    "search": Phrase("Search systems", "搜索系统"),
    "legend": Phrase(
        "The bar shows the ranks that a system may have, for all systems together; the thick line its percentile "
        "ranks, the dot its rank. Click on a title to sort, and on systems to compare two of them.",
        "浅色条为对所有系统同时成立的可能名次，粗线为百分位名次，圆点为名次。点击列名可排序，点击系统可比较其中两个。",
    ),
    "pair": Phrase("Two systems", "两个系统"),
    "first": Phrase("First system", "第一个系统"),
    "second": Phrase("Second system", "第二个系统"),
    "heat map": Phrase("Values by system and data set", "各系统在各数据集上的值"),
    "shades": Phrase(
        "The stronger the colour, the more systems a system beats on the data set; missing values are empty.",
        "颜色越浓，系统在该数据集上胜过的系统越多；缺失的值为空白。",
    ),
    "influence": Phrase("Influence of each data set", "每个数据集的影响"),
    "tau": Phrase(
        "How much the order of the systems changes if the data set is left out; a name at the bar is the best system "
        "then, where it is another one.",
        "去掉该数据集后系统次序的变化；条形旁的名称表示此时的最佳系统（与原来不同时）。",
    ),
    "one minus tau": Phrase("1 - Kendall's tau", "1 - Kendall tau"),
    "findings": Phrase("Findings", "检查结果"),
    "rank": Phrase("{system}: rank {best} to {worst}", "{system}：名次 {best} 至 {worst}"),
    "generated by": Phrase("Generated by rankgauge {version}.", "由 rankgauge {version} 生成。"),
}
SCRIPT = {
    "shown": Phrase("{count:# system|# systems}", "{count:,} 个系统"),
    "same system": Phrase("Choose two systems.", "请选择两个系统。"),
    "separable": Phrase(
        "{second} minus {first}: {difference}. The two systems are separable.",
        "{second} 减 {first}：{difference}。这两个系统可以区分。",
    ),
    "not separable": Phrase(
        "{second} minus {first}: {difference}. The two systems are not separable.",
        "{second} 减 {first}：{difference}。这两个系统无法区分。",
    ),
    "wins": Phrase(
        "{second} is better on {wins:# data set|# data sets}, worse on {losses} and equal on {ties}.",
        "{second} 在 {wins:,} 个数据集上更好，{losses} 个更差，{ties} 个相等。",
    ),
    "data set": Phrase("data set", "数据集"),
    "difference": Phrase("difference", "差异"),
    "cell": Phrase("{system} on {data_set}: {value}", "{system} 在 {data_set} 上：{value}"),
}
"""Texts of the script of the page."""
