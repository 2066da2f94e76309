"""What the page says, in both languages: one table for the markup and for the script."""

from __future__ import annotations

from rankgauge.rendering.language import Phrase

PAGE = {
    "title": Phrase("Evaluation report", "评测报告"),
    "made of": Phrase(
        "{systems} systems · {queries} queries · {metrics}", "{systems} 个系统 · {queries} 个查询 · {metrics}"
    ),
    "made of one": Phrase("{system} · {queries} queries · {metrics}", "{system} · {queries} 个查询 · {metrics}"),
    "skip": Phrase("To the content", "跳到正文"),
    "metric": Phrase("Metric", "指标"),
    "metrics": Phrase("Metrics", "指标"),
    "language": Phrase("中文", "English"),
    "theme": Phrase("Light or dark", "明暗切换"),
    "verdict": Phrase("Verdict", "结论"),
    "one system": Phrase(
        "{system} has a mean {metric} of {mean} over {queries} queries{interval}. One system alone: nothing to "
        "compare.",
        "{system} 在 {queries} 个查询上的 {metric} 均值为 {mean}{interval}。只有一个系统，无可比较。",
    ),
    "its interval": Phrase(" ({level} interval {low} to {high})", "（{level} 区间 {low} 至 {high}）"),
    "leaderboard": Phrase("Leaderboard", "排行榜"),
    "groups of all": Phrase(
        "Systems that share a letter cannot be told apart. Intervals and rank intervals: what the value and the rank "
        "of a system become when the queries are drawn anew.",
        "字母相同的系统无法区分。区间与名次区间：重新抽取查询时系统的值与名次的范围。",
    ),
    "groups": Phrase(
        "Systems that share a letter cannot be told apart. Intervals are of the mean; rank interval: the ranks that a "
        "system takes when the queries are drawn anew.",
        "字母相同的系统无法区分。区间为均值的区间；名次区间：重新抽取查询时系统所占的名次。",
    ),
    "pairs": Phrase("Differences from {baseline}", "与 {baseline} 的差异"),
    "all pairs": Phrase("All {count} pairs", "全部 {count} 对比较"),
    "pictures": Phrase("Pictures", "图"),
    "queries": Phrase("Queries", "查询"),
    "definition": Phrase("Definition used", "所用定义"),
    "health": Phrase("Data health", "数据状况"),
    "yes": Phrase("yes", "是"),
    "no": Phrase("no", "否"),
    "real": Phrase("real?", "显著"),
    "rule": Phrase("rule", "规则"),
    "value": Phrase("value", "取值"),
    "meaning": Phrase("meaning", "含义"),
    "edge cases": Phrase("Edge cases: {text}", "特殊情形：{text}"),
    "reference": Phrase("Reference: {text}", "文献：{text}"),
    "judged queries": Phrase("{count} judged queries", "{count} 个有标注的查询"),
    "no missing": Phrase("Every system answered every judged query.", "每个系统都回答了全部有标注的查询。"),
    "missing": Phrase(
        "{system}: no ranking for {count} judged queries", "{system}：{count} 个有标注的查询没有返回结果"
    ),
    "nothing found": Phrase("Nothing was found in the files.", "文件中没有发现问题。"),
    "code": Phrase("code", "代码"),
    "severity": Phrase("severity", "程度"),
    "what": Phrase("what", "内容"),
    "count": Phrase("count", "次数"),
    "example": Phrase("first example", "第一个例子"),
    "remedy": Phrase("remedy", "处理办法"),
    "error": Phrase("error", "错误"),
    "warning": Phrase("warning", "警告"),
    "note": Phrase("note", "提示"),
    "lower": Phrase("Lower values are better.", "数值越低越好。"),
    "made by": Phrase(
        "Made by rankgauge {version}. This file needs no network; all numbers and their steps are inside.",
        "由 rankgauge {version} 生成。本文件无需联网；所有数字及其计算步骤均在其中。",
    ),
    "no script": Phrase(
        "Scripts are off: the single queries and the data behind the pictures cannot be shown.",
        "脚本已禁用：无法显示各查询的视图和图表背后的数据。",
    ),
}

SCRIPT = {
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
    "shown": Phrase("{count} of {all} queries", "共 {all} 个查询，显示 {count} 个"),
    "none": Phrase("No query matches.", "没有符合条件的查询。"),
    "of all": Phrase(
        "{metric} is one number of all queries together; single queries have no value of it.",
        "{metric} 是所有查询合在一起的一个数；单个查询没有它的值。",
    ),
    "first system": Phrase("Left", "左侧"),
    "second system": Phrase("Right", "右侧"),
    "compare with": Phrase("Compared with {baseline}", "与 {baseline} 比较"),
    "back": Phrase("All queries", "全部查询"),
    "previous": Phrase("Previous", "上一个"),
    "next": Phrase("Next", "下一个"),
    "unknown": Phrase("There is no query {query} in this report.", "本报告中没有查询 {query}。"),
    "rank": Phrase("rank", "名次"),
    "item": Phrase("item", "物品"),
    "grade": Phrase("grade", "等级"),
    "unjudged": Phrase("not judged", "未标注"),
    "contribution": Phrase("contribution", "贡献"),
    "running": Phrase("running sum", "累计"),
    "moved": Phrase("Lines join the same item in both lists.", "连线表示两个列表中的同一物品。"),
    "grades": Phrase("Grades:", "等级："),
    "how": Phrase("How {metric} of {system} comes about", "{system} 的 {metric} 如何得出"),
    "tail": Phrase("ranks after {rank}", "第 {rank} 名之后"),
    "sum": Phrase("sum", "合计"),
    "returned": Phrase("{count} items returned", "返回 {count} 个物品"),
    "nothing returned": Phrase("Nothing was returned for this query.", "此查询没有返回结果。"),
    "no rows": Phrase(
        "No judged item within the cutoff: nothing adds to the value.", "截断之内没有已标注的物品：没有任何贡献。"
    ),
    "not in": Phrase("Relevant, but in no top {depth}:", "相关，但不在任何系统的前 {depth} 名中："),
    "steps": Phrase("The steps of this number", "这个数字的计算步骤"),
    "close": Phrase("Close", "关闭"),
    "product": Phrase("The contribution is the product of its factors.", "贡献是各因子的乘积。"),
    "last": Phrase("Then: {name}", "然后：{name}"),
    "undefined": Phrase("The divisor is 0; the rule for 0/0 decides.", "除数为 0，由 0/0 规则决定。"),
    "no value": Phrase("no value", "没有值"),
    "ideal": Phrase("The ideal order", "理想排序"),
    "made of parts": Phrase("It combines:", "由以下各项组合而成："),
    "difference of": Phrase("{second} − {first}", "{second} − {first}"),
    "mean ties": Phrase(
        "Tied items stand in every order at once: a row is a position, and its numbers are exact means.",
        "并列物品同时取所有顺序：每行是一个位置，其数值为精确平均。",
    ),
    "point": Phrase("Point at the picture to see a query; click to open it.", "指向图中可查看查询，点击打开。"),
    "pair": Phrase("System", "系统"),
    "broken": Phrase("The data in this file are damaged: {reason}", "本文件中的数据已损坏：{reason}"),
    "old browser": Phrase(
        "This browser cannot unpack the data; any from 2024 on can.", "此浏览器无法解压数据，请使用 2024 年之后的版本。"
    ),
}

PICTURES = {
    "intervals": Phrase("Mean and {level} interval", "均值与 {level} 区间"),
    "intervals of all": Phrase("Value and {level} interval", "值与 {level} 区间"),
    "curve": Phrase("Over the cutoff k, with {level} bands", "随截断 k 的变化（{level} 带）"),
    "curve of all": Phrase("Over the cutoff k", "随截断 k 的变化"),
    "differences": Phrase("Difference of each query, sorted", "各查询的差异（排序）"),
    "scatter": Phrase("Query by query", "逐查询散点"),
    "distribution": Phrase("Distribution over queries", "各查询得分的分布"),
    "unjudged": Phrase("Share of unjudged items in the top k", "前 k 个中未标注物品的比例"),
    "bounds": Phrase("What unjudged items could do", "未标注物品的可能影响"),
    "slices": Phrase("Difference by {by}", "按 {by} 分组的差异"),
    "k": Phrase("cutoff k", "截断 k"),
    "queries": Phrase("queries, sorted by difference", "查询，按差异排序"),
    "share": Phrase("share unjudged", "未标注比例"),
    "difference from": Phrase("difference from {baseline}", "与 {baseline} 的差异"),
    "by judgments": Phrase("number of judgments", "标注数"),
    "by difficulty": Phrase("difficulty", "难度"),
    "queries count": Phrase("n = {count}", "n = {count}"),
    "better here": Phrase("{second} better: {count}", "{second} 更好：{count}"),
    "worse here": Phrase("{second} worse: {count}", "{second} 更差：{count}"),
}

SAYS = {
    "intervals": Phrase(
        "Mean {metric} of each system with its {level} interval: {list}.",
        "各系统 {metric} 的均值及 {level} 区间：{list}。",
    ),
    "intervals of all": Phrase(
        "{metric} of each system, of all queries together, with its {level} interval: {list}.",
        "各系统在全部查询上的 {metric} 及 {level} 区间：{list}。",
    ),
    "curve of all": Phrase(
        "{metric} of each system, of all queries together, for cutoffs from {low} to {high}. At {high}: {list}.",
        "各系统在全部查询上、截断 {low} 至 {high} 处的 {metric}。在 {high} 处：{list}。",
    ),
    "curve": Phrase(
        "Mean {metric} of each system for cutoffs from {low} to {high}. At {high}: {list}.",
        "各系统在截断 {low} 至 {high} 处的 {metric} 均值。在 {high} 处：{list}。",
    ),
    "differences": Phrase(
        "{metric} of {second} minus that of {first} for each query, sorted: {wins} better, {ties} the same, {losses} "
        "worse; from {low} to {high}.",
        "每个查询上 {second} 与 {first} 的 {metric} 之差，已排序：{wins} 个更好，{ties} 个相同，{losses} 个更差；"
        "从 {low} 到 {high}。",
    ),
    "scatter": Phrase(
        "{metric} of {first} (across) and {second} (up); a query above the diagonal is better under {second}. Darker "
        "squares hold more queries.",
        "横轴为 {first}、纵轴为 {second} 的 {metric}；对角线以上的查询在 {second} 下更好。颜色越深的方块查询越多。",
    ),
    "distribution": Phrase(
        "How many queries have which {metric}, for each system; the line is the mean: {list}.",
        "各系统中每个 {metric} 区间的查询数；竖线为均值：{list}。",
    ),
    "unjudged": Phrase(
        "Mean share of items in the top k that nobody judged, for each system. At {high}: {list}.",
        "各系统前 k 个物品中未标注的平均比例。在 {high} 处：{list}。",
    ),
    "bounds": Phrase(
        "The mean {metric} of each system and how far unjudged items could move it, if each were worth anything up to "
        "grade {grade}: {list}.",
        "各系统的 {metric} 均值，以及未标注物品（等级不超过 {grade}）可能使其变动的范围：{list}。",
    ),
    "slices": Phrase(
        "Difference of {metric} from {baseline} with its interval for kinds of queries, by {by}: {list}.",
        "按 {by} 分组，各组查询上与 {baseline} 的 {metric} 差异及区间：{list}。",
    ),
    "more": Phrase("and {count} more", "等另外 {count} 项"),
}
