"""Messages of the report, for the markup and for its script."""

from __future__ import annotations

from rankgauge.metric_core.words import WORDS
from rankgauge.rendering.language import Phrase

_PAGE = {
    "title": Phrase("Evaluation report", "评测报告"),
    "contents": Phrase(
        "{systems:# system|# systems} · {queries:# query|# queries} · {metrics}",
        "{systems} 个系统 · {queries:,} 个查询 · {metrics}",
    ),
    "contents of one": Phrase(
        "{system} · {queries:# query|# queries} · {metrics}", "{system} · {queries:,} 个查询 · {metrics}"
    ),
    "metrics": Phrase("Metrics", "指标"),
    "summary": Phrase("Summary", "摘要"),
    "date": Phrase("Date", "日期"),
    "judgments": Phrase("Judgments", "标注"),
    "judgments of": Phrase(
        "{count:# judgment|# judgments} of {queries:# query|# queries} ({source})",
        "{queries:,} 个查询的 {count:,} 条标注（{source}）",
    ),
    "rankings": Phrase("Rankings", "排序结果"),
    "values": Phrase("Values", "值"),
    "values of": Phrase(
        "computed elsewhere, of {queries:# query|# queries}; without rankings there are no lists, ties or unjudged "
        "items",
        "由其他工具算出，{queries:,} 个查询；没有排序结果，因此没有列表、并列与未标注物品",
    ),
    "memory": Phrase("passed from memory", "内存数据"),
    "standard input": Phrase("standard input", "标准输入"),
    "baseline": Phrase("Baseline", "基线"),
    "first system": Phrase("{name}, the first system, since none was named", "{name}（未指定基线，取第一个系统）"),
    "disagree": Phrase("The metrics disagree on the best system: {list}.", "各指标对最好的系统看法不一：{list}。"),
    "best by": Phrase("{system} by {metrics}", "按 {metrics} 为 {system}"),
    "systems": Phrase("Systems and metrics", "系统与指标"),
    "marks": Phrase(
        "Below each value is its {level} interval. The systems are in the order of {metric}, best first.",
        "每个值下方为其 {level} 区间。系统按 {metric} 从好到差排列。",
    ),
    "details": Phrase("{metric} in detail", "{metric} 的详情"),
    "verdict": Phrase("Verdict", "结论"),
    "one system": Phrase(
        "{system} has a mean {metric} of {mean} over {queries:# query|# queries}{interval}. With one system there is "
        "nothing to compare.",
        "{system} 在 {queries:,} 个查询上的 {metric} 均值为 {mean}{interval}。只有一个系统，无可比较。",
    ),
    "its interval": Phrase(" ({level} interval {low} to {high})", "（{level} 区间 {low} 至 {high}）"),
    "leaderboard": Phrase("Leaderboard", "排行榜"),
    "corpus groups": Phrase(
        "Systems that share a group do not differ significantly. Intervals and rank intervals: the range of the value "
        "and of the rank of a system when the queries are resampled.",
        "同组的系统之间无显著差异。区间与名次区间：对查询重抽样时系统的值与名次的范围。",
    ),
    "ranks": Phrase(
        "Intervals are those of the value; rank interval: the range of the rank of a system when the queries are "
        "resampled.",
        "区间为值的区间；名次区间：对查询重抽样时系统名次的范围。",
    ),
    "groups": Phrase(
        "Systems that share a group do not differ significantly. Intervals are those of the mean; rank interval: the "
        "range of the rank of a system when the queries are resampled.",
        "同组的系统之间无显著差异。区间为均值的区间；名次区间：对查询重抽样时系统名次的范围。",
    ),
    "corrected": Phrase(
        "A difference is significant if the corrected p-value is below {alpha:g} ({how}).",
        "校正后的 p 值低于 {alpha:g} 时差异显著（{how}）。",
    ),
    "pairs": Phrase("Differences from {baseline}", "与 {baseline} 的差异"),
    "all pairs": Phrase("All pairs ({count:,})", "全部 {count:,} 对系统"),
    "many pairs": Phrase(
        "The table of all pairs ({count:,}): rankgauge compare --all-pairs -t csv",
        "全部 {count:,} 对系统的表格：rankgauge compare --all-pairs -t csv",
    ),
    "pictures": Phrase("Pictures", "图"),
    "queries": Phrase("Queries", "查询"),
    "tuning": Phrase("Tuning", "调参"),
    "definition": Phrase("Definition used", "所用定义"),
    "history": Phrase("Results over time", "结果的历史"),
    "people": Phrase("By the judge, corrected by people", "评判模型的值，经人的标签修正"),
    "health": Phrase("Data health", "数据状况"),
    "yes": Phrase("yes", "是"),
    "no": Phrase("no", "否"),
    "significant": Phrase("significant?", "是否显著"),
    "rule": Phrase("rule", "规则"),
    "value": Phrase("value", "取值"),
    "meaning": Phrase("meaning", "含义"),
    "every metric": Phrase("Every metric", "所有指标"),
    "rules of": Phrase("Rules of {metric}", "{metric} 的规则"),
    "rules of every metric": Phrase("Rules of every metric", "所有指标的规则"),
    "parameters": Phrase("Parameters: {text}", "参数：{text}"),
    "edge cases": Phrase("Edge cases: {text}", "特殊情形的处理：{text}"),
    "reference": Phrase("Reference: {text}", "文献：{text}"),
    "judged queries": Phrase("{count:# judged query|# judged queries}", "{count:,} 个有标注的查询"),
    "no missing": Phrase(
        "Every system returned results for every judged query.", "每个系统都为全部有标注的查询返回了结果。"
    ),
    "missing": Phrase(
        "{system}: no results for {count:# judged query|# judged queries}",
        "{system}：{count:,} 个有标注的查询没有返回结果",
    ),
    "no findings": Phrase("No problems were found in the data.", "数据中没有发现问题。"),
    "lower": Phrase("Lower values are better.", "数值越低越好。"),
    "generated by": Phrase(
        "Generated by rankgauge {version}. This file needs no network; it contains all numbers and their steps.",
        "由 rankgauge {version} 生成。本文件无需联网；所有数字及其计算步骤均在其中。",
    ),
    "no script": Phrase(
        "Scripts are disabled: single queries and the data of the pictures cannot be shown.",
        "脚本已禁用：无法显示单个查询和图中的数据。",
    ),
}

_SCRIPT = {
    **{key: WORDS[key] for key in ("rank", "item", "grade", "contribution", "running", "ideal")},
    "csv": Phrase("CSV", "CSV"),
    "json": Phrase("JSON", "JSON"),
    "table": Phrase("Data as a table", "数据表"),
    "search": Phrase("Find a query", "查找查询"),
    "show": Phrase("Show", "显示"),
    "sort": Phrase("Sort by", "排序"),
    "all": Phrase("all", "全部"),
    "better": Phrase("better", "更好"),
    "worse": Phrase("worse", "更差"),
    "equal": Phrase("no difference", "无差异"),
    "by order": Phrase("order of the judgments", "标注文件中的顺序"),
    "by gain": Phrase("largest gain first", "提升最大者在前"),
    "by loss": Phrase("largest loss first", "下降最大者在前"),
    "by size": Phrase("largest difference first", "差异最大者在前"),
    "by value": Phrase("lowest value first", "得分最低者在前"),
    "by query": Phrase("query id", "查询 id"),
    "query": Phrase("query", "查询"),
    "difference": Phrase("difference", "差异"),
    "shown": Phrase("{count:#|#} of {all:# query|# queries}", "共 {all:,} 个查询，显示 {count:,} 个"),
    "none": Phrase("No query matches.", "没有符合条件的查询。"),
    "corpus": Phrase(
        "{metric} is a corpus-level value; single queries have no value of it.",
        "{metric} 是全部查询的总体值；单个查询没有该值。",
    ),
    "first system": Phrase("Left", "左侧"),
    "second system": Phrase("Right", "右侧"),
    "compare with": Phrase("Compared with {baseline}", "与 {baseline} 比较"),
    "back": Phrase("All queries", "全部查询"),
    "previous": Phrase("Previous", "上一个"),
    "next": Phrase("Next", "下一个"),
    "unknown": Phrase("There is no query {query} in this report.", "本报告中没有查询 {query}。"),
    "unjudged": Phrase("not judged", "未标注"),
    "moved": Phrase("Lines connect the same item in both rankings.", "连线表示两个排序结果中的同一物品。"),
    "grades": Phrase("Grades:", "等级："),
    "how": Phrase("How {metric} of {system} is computed", "{system} 的 {metric} 的计算过程"),
    "tail": Phrase("ranks after {rank}", "第 {rank} 名之后"),
    "sum": Phrase("sum", "合计"),
    "returned": Phrase("{count:# item|# items} returned", "返回 {count:,} 个物品"),
    "nothing returned": Phrase("No results for this query.", "此查询没有返回结果。"),
    "no rows": Phrase(
        "No judged item within the cutoff: nothing contributes to the value.",
        "截断之内没有已标注的物品：没有任何贡献。",
    ),
    "not in": Phrase("Relevant, but in the top {depth} of no system:", "相关，但不在任何系统的前 {depth} 名中："),
    "steps": Phrase("How this number is computed", "这个数的计算步骤"),
    "close": Phrase("Close", "关闭"),
    "product": Phrase("The contribution is the product of its factors.", "贡献是各因子的乘积。"),
    "last": Phrase("Then: {name}", "然后：{name}"),
    "undefined": Phrase("The divisor is 0; the rule for 0/0 applies.", "除数为 0，按 0/0 的规则处理。"),
    "no value": Phrase("no value", "没有值"),
    "parts": Phrase("Combines:", "由以下各项组合而成："),
    "difference of": Phrase("{second} − {first}", "{second} − {first}"),
    "mean ties": Phrase(
        "Tied items are averaged over all their orders: a row is a position, and its numbers are exact means.",
        "并列物品按所有可能的顺序取平均：每行是一个位置，其数值为精确平均。",
    ),
    "point": Phrase("Point at the picture to see a query; click to open it.", "将指针移到图上可查看查询，点击可打开。"),
    "tap": Phrase("Tap the picture to see a query.", "点按图中的位置可查看查询。"),
    "pair": Phrase("System", "系统"),
    "broken": Phrase("The data in this file are corrupt: {reason}", "本文件中的数据已损坏：{reason}"),
    "old browser": Phrase(
        "This browser cannot decompress the data; use a version from 2024 or later.",
        "此浏览器无法解压数据，请使用 2024 年或之后的版本。",
    ),
}

_PICTURES = {
    "intervals": Phrase("Mean and {level} interval", "均值与 {level} 区间"),
    "baseline": Phrase("baseline", "基线"),
    "legend intervals": Phrase(
        "Lines: {level} intervals, each system on its own.", "横线：{level} 区间，各系统单独计算。"
    ),
    "legend groups": Phrase(
        "Systems that share a letter do not differ significantly:", "字母相同的系统之间无显著差异："
    ),
    "legend baseline": Phrase(
        "+ and −: significantly better and worse than the baseline:", "+ 与 −：显著优于与显著差于基线："
    ),
    "legend test": Phrase("p < {alpha:g}, {family}.", "p < {alpha:g}，{family}。"),
    "corpus intervals": Phrase("Value and {level} interval", "值与 {level} 区间"),
    "curve": Phrase("Over the cutoff", "随截断的变化"),
    "differences": Phrase("Difference of each query, sorted", "各查询的差异（已排序）"),
    "scatter": Phrase("Query by query", "逐查询散点"),
    "distribution": Phrase("Distribution over queries", "各查询得分的分布"),
    "unjudged": Phrase("Share of unjudged items in the top k", "前 k 个中未标注物品的比例"),
    "bounds": Phrase("Possible effect of unjudged items", "未标注物品的可能影响"),
    "slices": Phrase("Difference by {by}", "按{by}分组的差异"),
    "k": Phrase("cutoff k", "截断 k"),
    "chars": Phrase("budget in characters", "预算（字符）"),
    "tokens": Phrase("budget in tokens", "预算（词元）"),
    "queries": Phrase("queries, sorted by difference", "查询，按差异排序"),
    "share": Phrase("share unjudged", "未标注比例"),
    "difference from": Phrase("difference from {baseline}", "与 {baseline} 的差异"),
    "by judgments": Phrase("number of judgments", "标注数"),
    "by difficulty": Phrase("difficulty", "难度"),
    "queries count": Phrase("n = {count:,}", "n = {count:,}"),
    "better here": Phrase("better: {count:,}", "更好：{count:,}"),
    "worse here": Phrase("worse: {count:,}", "更差：{count:,}"),
    "topics": Phrase("All queries and systems", "全部查询与系统"),
    "hardest first": Phrase("queries, hardest first", "查询，最难的在前"),
}

_CAPTIONS = {
    "intervals": Phrase(
        "{best} has the best {what} {metric}, {mean}; its interval overlaps with {overlapping} of {others} others.",
        "{best} 的 {metric} {what}最好，为 {mean}；其余 {others} 个区间中有 {overlapping} 个与它的区间重叠。",
    ),
    "two intervals": Phrase(
        "{best} has the best {what} {metric}, {mean}; its interval overlaps with the other one.",
        "{best} 的 {metric} {what}最好，为 {mean}；两个区间重叠。",
    ),
    "apart": Phrase(
        "{best} has the best {what} {metric}, {mean}; its interval overlaps with no other.",
        "{best} 的 {metric} {what}最好，为 {mean}；它的区间不与其他区间重叠。",
    ),
    "no intervals": Phrase(
        "{best} has the best {what} {metric}, {mean}.", "{best} 的 {metric} {what}最好，为 {mean}。"
    ),
    "one interval": Phrase(
        "The {what} {metric} of {best} is {mean}; with other queries of the same kind it would plausibly lie between "
        "{low} and {high}.",
        "{best} 的 {metric} {what}为 {mean}；换一批同类查询，它大致会在 {low} 与 {high} 之间。",
    ),
    "mean": Phrase("mean", "均值"),
    "corpus value": Phrase("corpus-level", "总体值"),
    "ahead": Phrase(
        "{best} is best at every cutoff from {low} to {high}.", "从截断 {low} 到 {high}，{best} 始终最好。"
    ),
    "overtaken": Phrase(
        "{best} is best at a cutoff of {high}, but {other} at {k}.",
        "截断为 {high} 时 {best} 最好，但截断为 {k} 时 {other} 最好。",
    ),
    "one curve": Phrase(
        "{metric} of {best} is {first} at a cutoff of {low} and {last} at {high}.",
        "{best} 的 {metric} 在截断为 {low} 时为 {first}，为 {high} 时为 {last}。",
    ),
    "bands": Phrase("{reading} Bands: {level} intervals of {names}.", "{reading}色带为 {names} 的 {level} 区间。"),
    "differences": Phrase(
        "{second} is better on {wins:,}, equal on {ties:,} and worse on {losses:# query|# queries}; the differences in "
        "{metric} range from {low} to {high}.",
        "{second} 在 {wins:,} 个查询上更好，{ties:,} 个相同，{losses:,} 个更差；{metric} 的差异从 {low} 到 {high}。",
    ),
    "scatter": Phrase(
        "Each point is a query: above the diagonal {second} has the higher {metric} ({above:,}), below it the lower "
        "({below:,}). Points of a stronger colour hold more queries.",
        "每个点是一个查询：对角线以上 {second} 的 {metric} 更高（{above:,} 个），以下更低（{below:,} 个）。"
        "颜色越浓的点包含的查询越多。",
    ),
    "distribution": Phrase(
        "Half of the queries of {best} score {median} or more, a quarter {quarter} or less; vertical lines mark "
        "the means.",
        "{best} 有一半查询的得分不低于 {median}，四分之一不高于 {quarter}；竖线为均值。",
    ),
    "unjudged": Phrase(
        "Of the top {high}, between {least} ({first}) and {most} ({last}) are unjudged.",
        "前 {high} 个物品中，未标注的比例在 {least}（{first}）与 {most}（{last}）之间。",
    ),
    "one unjudged": Phrase(
        "Of the top {high} of {first}, {least} are unjudged.", "{first} 的前 {high} 个物品中有 {least} 未标注。"
    ),
    "bounds": Phrase(
        "Unjudged items of any grade up to {grade} could move the {metric} of {system} by up to {size}{orders}.",
        "若未标注物品的等级不超过 {grade}，{system} 的 {metric} 最多可能变动 {size}{orders}。",
    ),
    "reversible": Phrase(
        " and could reverse the order of {count} of {all:# pair|# pairs} of systems",
        "，并可能逆转 {all} 对系统中 {count} 对的次序",
    ),
    "safe": Phrase(", but cannot reverse the order of any two systems", "，但不会逆转任何两个系统的次序"),
    "slices": Phrase(
        "The difference of {system} from {baseline} in {metric} is largest for {most} ({high}) and smallest for "
        "{least} ({low}).",
        "{system} 与 {baseline} 的 {metric} 差异在“{most}”上最大（{high}），在“{least}”上最小（{low}）。",
    ),
    "topics": Phrase(
        "Columns are {what}, hardest first; shades as in the scale. {reading}",
        "每列是{what}，最难的在前；深浅见图例。{reading}",
    ),
    "hard and easy": Phrase(
        "On {hard:# query|# queries} every system is below {low}, on {easy:# query|# queries} every system is above "
        "{high}.",
        "有 {hard:,} 个查询所有系统都低于 {low}，有 {easy:,} 个查询所有系统都高于 {high}。",
    ),
    "hard": Phrase(
        "On {hard:# query|# queries} every system is below {low}.", "有 {hard:,} 个查询所有系统都低于 {low}。"
    ),
    "easy": Phrase(
        "On {easy:# query|# queries} every system is above {high}.", "有 {easy:,} 个查询所有系统都高于 {high}。"
    ),
    "neither": Phrase(
        "On no query are all systems below {low} or all above {high}.",
        "没有任何查询使所有系统都低于 {low}，或都高于 {high}。",
    ),
    "single queries": Phrase("queries", "一个查询"),
    "groups of queries": Phrase("groups of {count:# query|# queries}", "一组查询（{count:,} 个）"),
}


class Texts(dict[str, Phrase]):
    """Phrases by name, which say users in place of queries inside ``naming_users``."""

    def __getitem__(self, name: str) -> Phrase:
        return super().__getitem__(name).fill()


PAGE, SCRIPT, PICTURES, CAPTIONS = Texts(_PAGE), Texts(_SCRIPT), Texts(_PICTURES), Texts(_CAPTIONS)
