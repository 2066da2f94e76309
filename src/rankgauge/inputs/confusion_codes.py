"""Findings about searches, histories, and items, ids and scores that may be taken for others, by their codes."""

from __future__ import annotations

from rankgauge.inputs.finding_kind import DROPS, FindingKind
from rankgauge.rendering.language import Phrase

CONFUSION_CODES: dict[str, FindingKind] = {
    "RG119": FindingKind(
        "warning", Phrase("value of a query is missing", "查询的值缺失"),
        Phrase("The file has NaN or an empty cell for this query, which is left out of the mean.",
               "文件中该查询的值为 NaN 或空，不计入均值。"),
        Phrase("write 0 if the query failed, and compare systems on the same queries",
               "若查询失败请写 0，并在相同的查询上比较系统"),
    ),
    "RG120": FindingKind(
        "warning", Phrase("value outside the range of the metric", "值超出指标的取值范围"),
        Phrase("Such values are percentages, or those of another metric, or items were counted twice.",
               "这种值可能是百分数、属于其他指标，或有物品被重复计数。"),
        Phrase("divide percentages by 100; otherwise check which metric the column holds",
               "百分数请除以 100；否则请检查该列是哪个指标"),
    ),
    "RG121": FindingKind(
        "note", Phrase("hits in the order shown", "按返回的次序排列命中"),
        Phrase("The hits of a search response are in the order in which the engine showed them. Equal scores, and "
               "scores of hits that were sorted by something else, keep that order.",
               "检索响应中的命中按搜索引擎返回的次序排列。分数相同时，或命中按其他依据排序时，均保持该次序。"),
        Phrase("to apply the rule 'ties' instead, pass rows of query, item and score",
               "若要改用 ties 规则，请给出由查询、物品与分数组成的行"),
    ),
    "RG122": FindingKind(
        "error", Phrase("search failed", "检索失败"),
        Phrase("A search response has an error in place of hits, or the trace of a retriever has no output. The rule "
               "for missing queries would count the query as if the engine had found nothing.",
               "检索响应中只有错误，没有命中，或检索器的跟踪记录没有输出。按处理缺失查询的规则，该查询会像什么都没找到一样计入。"),
        Phrase("search again", "重新检索"),
        Phrase("leaves the search out: its query has no results", "忽略该检索：其查询没有结果"),
    ),
    "RG123": FindingKind(
        "warning", Phrase("search incomplete", "检索不完整"),
        Phrase("The engine timed out or could not search all shards (timed_out, _shards.failed), so that hits may be "
               "missing.",
               "搜索引擎超时，或未能检索所有分片（timed_out、_shards.failed），可能缺少命中。"),
        Phrase("search again", "重新检索"),
    ),
    "RG124": FindingKind(
        "note", Phrase("search returned nothing", "检索没有返回结果"),
        Phrase("The search succeeded and has no hits. The rule for missing queries decides whether its query counts as "
               "0 or is left out.",
               "检索成功但没有命中。由处理缺失查询的规则决定该查询计为 0 还是不计入。"),
        Phrase("nothing to do, unless the query should have results", "无需处理，除非该查询应有结果"),
    ),
    "RG125": FindingKind(
        "warning", Phrase("line of the history cut short", "历史记录的一行不完整"),
        Phrase("A program ended while it wrote the line, so that it holds no run. It is skipped.",
               "写入该行的程序中途结束，其中没有完整的记录。读取时跳过该行。"),
        Phrase("remove the line, and log the result again if it is missing", "删除该行；若缺少该结果，请重新记录"),
    ),
    "RG126": FindingKind(
        "warning", Phrase("group without rows", "分组没有任何行"),
        Phrase("A size of 0 in groups, or two equal offsets. In arrays it counts as a query without items; LightGBM "
               "accepts no such group.",
               "groups 中有 0，或两个偏移量相同。在数组中它计为没有物品的查询；LightGBM 不接受这样的分组。"),
        Phrase("remove the zeros, unless these queries returned nothing", "删除这些 0，除非这些查询确实没有返回结果"),
    ),
    "RG215": FindingKind(
        "error", Phrase("id is a float beyond exactness", "标识是超出精确范围的浮点数"),
        Phrase("From 2^53 on (2^24 in single precision) a float stands for several whole numbers: ids have changed "
               "already, and would match those of their neighbours.",
               "从 2^53 起（单精度为 2^24），一个浮点数代表多个整数：标识已经改变，并会与相邻的标识误配。"),
        Phrase("read the ids as integers or text from the start, such as dtype='Int64' in pandas",
               "从一开始就把标识读作整数或文本，例如在 pandas 中使用 dtype='Int64'"),
        DROPS,
    ),
    "RG216": FindingKind(
        "error", Phrase("id is neither text nor a number", "标识既非文本也非数字"),
        Phrase("True and False equal 1 and 0 in Python, and would match these ids.",
               "在 Python 中 True、False 等于 1、0，会与这些标识误配。"),
        Phrase("write ids as text or integers", "标识应写成文本或整数"),
        DROPS,
    ),
    "RG301": FindingKind(
        "error", Phrase("duplicate item in a ranking", "同一排序结果中物品重复"),
        Phrase("Counted twice, a relevant item contributes more than its gain.",
               "重复计数会使一个相关物品得到不止一次的增益。"),
        Phrase("remove the duplicate, or say how copies count: --rule duplicates=first (or close-up, again, set), "
               "Convention(duplicates='first') in Python; for chunks of documents: --units \"before last #\"; for "
               "several systems: pass their files one by one, or name the column of a table: --columns system=NAME",
               "删除重复的行，或指定副本如何计入：--rule duplicates=first（或 close-up、again、set），Python 中为 "
               "Convention(duplicates='first')；文档的文本块可用 --units \"before last #\"；若含多个系统："
               "逐个给出各自的文件，或指明表格中的系统列：--columns system=列名"),
        Phrase("keeps the occurrence that ranks first", "保留排在最前的一次"),
    ),
    "RG411": FindingKind(
        "warning", Phrase("ids match only in part", "只有部分标识能够匹配"),
        Phrase("Some ids of the two sides differ only in how they are written: blanks, case, Unicode form, leading "
               "zeros or bytes. They do not match, so that relevant items count as not returned.",
               "两侧有些标识仅写法不同：空格、大小写、Unicode 形式、前导零或字节串。它们无法匹配，"
               "相关物品因此被当作没有返回。"),
        Phrase("write the ids of both sides the same way", "使两侧的标识写法一致"),
    ),
    "RG412": FindingKind(
        "warning", Phrase("side information about other data", "附加信息与数据不符"),
        Phrase("A table that a metric reads has fewer than half of the recommended items or of the users, or nothing "
               "in common with the lists. An item that training does not know counts as one that nobody chose: novelty "
               "is then at its highest, popularity and coverage are 0.",
               "指标所读的表只含不到一半的推荐物品或用户，或与列表毫无共同之处。训练数据中没有的物品按无人选择计："
               "新颖性因此最高，流行度与覆盖率为 0。"),
        Phrase("check that the table belongs to these data and writes ids the same way",
               "确认该表属于这套数据，且标识的写法一致"),
    ),
    "RG127": FindingKind(
        "note", Phrase("only the judgments given count, not those beside a ranking",
                       "只以另外给出的标注为准，不使用排序结果文件中的标注"),
        Phrase("The file of the ranking holds judgments, too, and other judgments were given. Only those given count: "
               "what only the file judges is unjudged, and so are the items that a pool left out because the file "
               "judges them.",
               "排序结果的文件中也有标注，而另外给出了标注。只有另外给出的标注有效：只在该文件中标注的物品视为未标注，"
               "标注池因该文件已有标注而略去的物品也是如此。"),
        Phrase("to use both, merge them first: rankgauge judges export RANKING LABELS --to csv > merged.csv; to use "
               "those of the file, pass it without other judgments",
               "若要同时使用，请先合并：rankgauge judges export 排序结果 标签 --to csv > merged.csv；"
               "若要使用文件中的标注，请不要另给标注"),
    ),
    "RG413": FindingKind(
        "warning", Phrase("metric is 0/0 although items are relevant", "有相关物品，但指标为 0/0"),
        Phrase("The metric divides by something that this query lacks, as AUC by pairs of a relevant and a "
               "non-relevant item. The rule 'undefined' decides its value: 0 by default, which looks like the value of "
               "a bad list.",
               "该查询缺少此指标的除数，例如 AUC 需要由相关与不相关物品组成的物品对。其值由规则 undefined 决定，"
               "默认为 0，看起来像是很差的结果。"),
        Phrase("set the rule 'rel' so that it separates the grades, or leave such queries out with undefined='skip'",
               "用规则 rel 设定能区分等级的门槛，或用 undefined='skip' 不计入这些查询"),
    ),
    "RG414": FindingKind(
        "warning", Phrase("metric that the preset does not cover", "预设不包含该指标"),
        Phrase("A preset has the rules by which a tool computes certain metrics. The tool computes this one by other "
               "rules, for which there may be another preset, or does not have it; the value is that of the preset's "
               "rules and need not be the tool's.",
               "预设给出某个工具计算某些指标的规则。该工具按另一套规则计算这个指标（可能另有预设），"
               "或没有这个指标；此处的值按该预设的规则算出，未必等于该工具的值。"),
        Phrase("pass the preset that is named, or a Convention if these are the rules you mean: "
               "convention=rankgauge.preset('...')",
               "改用所列的预设；若确要采用这些规则，请传入约定：convention=rankgauge.preset('...')"),
    ),
    "RG415": FindingKind(
        "warning", Phrase("no grade reaches the relevance threshold", "没有等级达到相关阈值"),
        Phrase("An item is relevant from the grade rel, which is 1 unless it is set. Grades that are rates or "
               "probabilities, or labels whose highest grade is below rel, leave no item relevant: the metrics are 0 "
               "or 0/0 for every query, whatever the ranking is.",
               "等级达到 rel 的物品才算相关，rel 默认为 1。若等级是比率或概率，或最高等级低于 rel，则没有任何相关物品："
               "无论排序如何，指标在每个查询上都是 0 或 0/0。"),
        Phrase("set rel to the lowest relevant grade, for one metric AP(rel=0.5) or for all Convention(rel=0.5), or "
               "use metrics of grades such as nDCG",
               "将 rel 设为相关物品的最低等级：单个指标用 AP(rel=0.5)，全部指标用 Convention(rel=0.5)；"
               "或改用 nDCG 等按等级计算的指标"),
    ),
}  # fmt: skip
