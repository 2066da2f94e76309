"""Every finding that rankgauge can report about data, by its stable code.

RG1xx  files, bytes and lines
RG2xx  single values
RG3xx  rows of one table
RG4xx  judgments against a ranking
RG5xx  training against test interactions
RG6xx  labels of people against model judgments
RG7xx  results of systems on data sets
RG8xx  rankings that are fused, settings that are tuned
"""

from __future__ import annotations

from typing import Literal

from rankgauge.inputs.confusion_codes import CONFUSION_CODES
from rankgauge.inputs.finding_kind import DROPS as _DROPS
from rankgauge.inputs.finding_kind import STOPS as _STOPS
from rankgauge.inputs.finding_kind import FindingKind, Severity
from rankgauge.inputs.fusion_codes import FUSION_CODES
from rankgauge.inputs.label_codes import LABEL_CODES
from rankgauge.inputs.result_codes import RESULT_CODES
from rankgauge.inputs.span_codes import SPAN_CODES
from rankgauge.inputs.split_codes import SPLIT_CODES
from rankgauge.rendering.language import Phrase

__all__ = ["CODES", "SITE", "Column", "FindingKind", "Role", "Severity", "page_of"]

Role = Literal["judgments", "ranking", "interactions"]
Column = Literal["", "system", "group", "span"]
"""What rows have besides query, item and number: the system, the group of an item, or spans instead of the item."""
"""What a source is read as."""
SITE = ""
"""Address of the documentation site, without a slash at its end; while it is empty, messages refer to a command."""

_REMOVE_DUPLICATE = Phrase("remove the duplicate", "删除重复的行")

CODES: dict[str, FindingKind] = dict(sorted({
    "RG101": FindingKind(
        "error", Phrase("no data", "没有数据"),
        Phrase("The source is empty, has only blank lines and comments, or no valid row; an evaluation of nothing "
               "would look like 0.",
               "数据为空，只有空行和注释，或没有一行有效；若照常评测，结果会被误读为 0 分。"),
        Phrase("check the path and the step that wrote the file", "检查路径以及生成该文件的步骤"), _STOPS,
    ),
    "RG102": FindingKind(
        "error", Phrase("file damaged, truncated or changed", "文件损坏、不完整或已改变"),
        Phrase("Compressed data end too early or fail their checksum, or a file changed while it was read, so rows are "
               "missing.",
               "压缩数据提前结束或校验失败，或文件在读取期间改变，缺少部分行。"),
        Phrase("copy or download the file again", "重新复制或下载该文件"), _STOPS,
    ),
    "RG103": FindingKind(
        "error", Phrase("not UTF-8 text", "不是 UTF-8 文本"),
        Phrase("Ids are compared as text; bytes that are not UTF-8 would never match the other file.",
               "标识按文本比较；非 UTF-8 的字节永远无法与另一个文件匹配。"),
        Phrase("save it as UTF-8 in the program that wrote it, or convert it: iconv -f CP1252 -t UTF-8, with GB18030 "
               "for Chinese and UTF-16 for files of PowerShell",
               "在写出它的程序中另存为 UTF-8，或转换编码：中文文件用 iconv -f GB18030 -t UTF-8，"
               "西文用 CP1252，PowerShell 写的文件用 UTF-16"), _STOPS,
    ),
    "RG104": FindingKind(
        "error", Phrase("NUL, or half of a surrogate pair", "含有 NUL 或不成对的代理字符"),
        Phrase("Text has neither: the file is binary, UTF-16, or was damaged when it was written.",
               "文本中不会有这样的字符：该文件是二进制、UTF-16，或在写入时损坏。"),
        Phrase("write the file again as UTF-8 text", "将文件重新写为 UTF-8 文本"), _DROPS,
    ),
    "RG105": FindingKind(
        "note", Phrase("byte order mark removed", "已去除字节顺序标记（BOM）"),
        Phrase("If kept, it would become part of the id at the start of the line, which would then match nothing.",
               "若保留，它会成为行首标识的一部分，使该行无法匹配。"),
    ),
    "RG106": FindingKind(
        "note", Phrase("format recognised from the content", "根据内容识别格式"),
        Phrase("No format was given, so it was recognised from the first lines.", "未指定格式，根据开头几行识别。"),
        Phrase("pass format=... to specify it", "用 format=... 明确指定"),
    ),
    "RG107": FindingKind(
        "error", Phrase("header line", "表头行"),
        Phrase("TREC files have no header; read as data, it becomes a query that lowers every mean.",
               "TREC 文件没有表头；若当作数据读取，会变成一个拉低所有均值的查询。"),
        Phrase("remove the line, or pass format='csv' or 'tsv'", "删除该行，或指定 format='csv' 或 'tsv'"), _DROPS,
    ),
    "RG108": FindingKind(
        "error", Phrase("wrong number of columns", "列数不对"),
        Phrase("A value may be missing or split, so that others would be read from the wrong column.",
               "可能有值缺失或被拆开，导致其余的值从错误的列读取。"),
        Phrase("give each line of a table as many columns as its header; a TREC ranking has query, Q0, item, rank, "
               "score, tag, and TREC judgments have query, iteration, item, grade",
               "表格每行的列数应与表头相同；TREC 排序结果的列为 query、Q0、item、rank、score、tag；"
               "TREC 标注的列为 query、iteration、item、grade"),
        _DROPS,
    ),
    "RG109": FindingKind(
        "note", Phrase("ranking without the tag column", "排序结果缺少 tag 列"),
        Phrase("The last of the six columns of a TREC ranking is missing; nothing depends on it.",
               "缺少 TREC 排序结果六列中的最后一列；评测不依赖该列。"),
    ),
    "RG110": FindingKind(
        "error", Phrase("file or record cannot be parsed", "文件或记录无法解析"),
        Phrase("The file is damaged, or a line is not valid in this format, or is a JSON object with a repeated key.",
               "文件已损坏，或某行不符合所用的格式，或是含有重复键的 JSON 对象。"),
        Phrase("fix the line or write the file again, or pass another format=...",
               "修正该行或重新写出文件，或改用其他 format=..."), _DROPS,
    ),
    "RG111": FindingKind(
        "error", Phrase("columns not recognised", "无法识别列"),
        Phrase("The column names do not show which is the query, the item and the number.",
               "从列名看不出哪一列是查询、物品和数值。"),
        Phrase('pass columns={"query": "...", "item": "...", ...}',
               '指定 columns={"query": "...", "item": "...", ...}'),
        _STOPS,
    ),
    "RG112": FindingKind(
        "error", Phrase("compressed file expands too much", "压缩文件膨胀过大"),
        Phrase("The compressed data, or the columns of a Parquet or Arrow file, expand to more than 100 times their "
               "size, which rankings and judgments do not, and could fill the memory. Up to 64 MiB anything is "
               "accepted.",
               "压缩数据（或 Parquet、Arrow 文件的各列）展开后超过原大小的 100 倍，"
               "排序结果与标注不会如此，且可能耗尽内存。"
               "展开后不超过 64 MiB 时不作限制。"),
        Phrase("decompress the file yourself, or set RANKGAUGE_MAX_EXPANSION=1000 if you trust it",
               "自行解压该文件；若确信无误，可设置 RANKGAUGE_MAX_EXPANSION=1000"),
        _STOPS,
    ),
    "RG113": FindingKind(
        "warning", Phrase("line skipped as a comment reads like a row", "被当作注释跳过的行看似数据"),
        Phrase("A line that begins with # is a comment. This one has the columns of a row, so its query id may begin "
               "with #.",
               "以 # 开头的行是注释；这一行的各列却像一行数据，可能是查询标识以 # 开头。"),
        Phrase("rename the query in both files if the line is data", "若确为数据，请在两个文件中改用其他查询标识"),
    ),
    "RG114": FindingKind(
        "error", Phrase("several readings fit", "有多种读法"),
        Phrase("The content fits several known shapes, or could be judgments as well as a ranking, or holds several "
               "rankings.",
               "内容符合多种已知的形式，或既可能是标注也可能是排序结果，或含有多个排序结果。"),
        Phrase("pass format=... with one of the names, or say what the file holds: role='judgments' or role='ranking' "
               "(--role); as an argument of a call, its position says so",
               "用 format=... 指明其中一种形式，或用 role='judgments'、role='ranking'（--role）说明文件内容；"
               "作为函数参数时，由位置决定"),
        _STOPS,
    ),
    "RG115": FindingKind(
        "note", Phrase("groups of relevant items", "相关物品分组"),
        Phrase("The relevant items of a query are lists inside a list: groups of which any member will do. A group is "
               "one relevant item, found by its first member in the ranking; doctor and convert show all members.",
               "查询的相关物品是列表中的列表，即若干组，命中组内任一成员即可。一组算一个相关物品，"
               "以排序中最先出现的成员计；doctor 与 convert 给出全部成员。"),
        Phrase("say what further members of a group count: duplicates='first' or 'again', or preset='autorag'; if "
               "every item is wanted, give one list",
               "说明同组其余成员如何计：duplicates='first' 或 'again'，或 preset='autorag'；若每个物品都要命中，"
               "请给出一个不分组的列表"),
    ),
    "RG116": FindingKind(
        "note", Phrase("only returned items are judged", "只有返回的物品有标注"),
        Phrase("The file has the grades of returned items only. Relevant items that were not returned are unknown, so "
               "recall and the ideal ranking look better than they are.",
               "文件只含返回物品的等级；未返回的相关物品不得而知，因此召回率与理想排序会显得偏好。"),
        Phrase("pass complete judgments if you have them, such as the request of _rank_eval",
               "如有完整的标注请一并给出，例如 _rank_eval 的请求"),
    ),
    "RG117": FindingKind(
        "note", Phrase("letters read as gains", "字母读作增益"),
        Phrase("The labels are the letters of ESCI, and the grades are their gains: E 1, S 0.1, C 0.01, I 0. A linear "
               "gain, which is the default, leaves them as they are.",
               "标签是 ESCI 的字母，等级即其增益：E 为 1，S 为 0.1，C 为 0.01，I 为 0。默认的线性增益保持其不变。"),
        Phrase("nothing to do; for the presets esci and esci-2022-script write the labels as 4, 3, 2 and 1",
               "无需处理；若用预设 esci 或 esci-2022-script，请把标签写成 4、3、2、1"),
    ),
    "RG118": FindingKind(
        "note", Phrase("measure in a file of values left out", "值文件中有未读取的指标"),
        Phrase("The measure is not known, or its value over all queries is not the mean of its values: a count, a "
               "geometric mean, or a text.",
               "该指标未知，或其总体值不是各查询值的均值：计数、几何平均或文本。"),
        Phrase("nothing to do, unless it should be compared", "无需处理，除非要比较该指标"),
    ),
    "RG201": FindingKind(
        "error", Phrase("score is not a number", "分数不是数字"),
        Phrase("Other tools read such a score as 0, or stop at the comma of 3,5; the order would be wrong.",
               "其他工具会把这种分数读作 0，或在 3,5 的逗号处截断，使顺序出错。"),
        Phrase("write scores as 3.5 or 1e-3", "分数应写成 3.5 或 1e-3 的形式"), _DROPS,
    ),
    "RG202": FindingKind(
        "error", Phrase("score is NaN", "分数为 NaN"),
        Phrase("NaN cannot be ordered; where it ends up depends on the sorting algorithm.",
               "NaN 无法比较大小；它排在哪里取决于排序算法。"),
        Phrase("fix the model's output, or leave the item out", "修正模型输出，或去掉该物品"), _DROPS,
    ),
    "RG203": FindingKind(
        "warning", Phrase("score is infinite", "分数为无穷大"),
        Phrase("It can be ordered, but usually indicates an overflow or a masked item.",
               "它可以参与排序，但通常意味着溢出或被屏蔽的物品。"),
        Phrase("check that these items are meant to be ranked", "确认这些物品确实应参与排序"),
    ),
    "RG204": FindingKind(
        "error", Phrase("grade is not a number", "等级不是数字"),
        Phrase("Other tools read such a grade as 0.", "其他工具会把这种等级读作 0。"),
        Phrase("write grades as finite numbers; leave an item out that is not judged, or pass --lenient "
               "(lenient=True), which leaves such rows out",
               "等级应写成有限的数字；未标注的物品请去掉，或用 --lenient（lenient=True），这些行将不计入"), _DROPS,
    ),
    "RG205": FindingKind(
        "note", Phrase("fractional grade", "带小数的等级"),
        Phrase("It is used unchanged; trec_eval truncates 1.7 to 1.", "按原值使用；trec_eval 会把 1.7 截断为 1。"),
        Phrase("nothing to do, unless integer grades were intended", "无需处理，除非本意是整数等级"),
    ),
    "RG206": FindingKind(
        "note", Phrase("negative grade", "负的等级"),
        Phrase("The rule 'negative' of the convention decides what it means (junk, or not judged).",
               "其含义（垃圾内容或未标注）由约定中的 negative 规则决定。"),
        Phrase("check the rule 'negative' of the convention", "检查约定中的 negative 规则"),
    ),
    "RG207": FindingKind(
        "warning", Phrase("very large grade", "非常大的等级"),
        Phrase("With the exponential gain 2^g - 1, a grade above 31 outweighs everything else.",
               "使用指数增益 2^g - 1 时，大于 31 的等级会压倒其他一切。"),
        Phrase("use a linear gain, or map the grades", "改用线性增益，或映射等级"),
    ),
    "RG208": FindingKind(
        "error", Phrase("id is empty", "标识为空"),
        Phrase("A row without a query or an item cannot be matched.", "没有查询或物品的行无法匹配。"),
        Phrase("fill in the id, or remove the row", "补上标识，或删除该行"), _DROPS,
    ),
    "RG209": FindingKind(
        "note", Phrase("very long id", "非常长的标识"),
        Phrase("Ids of more than 1,000 bytes are usually texts or joined lines.",
               "超过 1,000 字节的标识通常是正文，或连在一起的多行。"),
        Phrase("check which column contains the id", "检查哪一列是标识"),
    ),
    "RG210": FindingKind(
        "warning", Phrase("rank contradicts score", "名次与分数矛盾"),
        Phrase("Items are ordered by score, as trec_eval does; the rank column gives another order and is not used.",
               "物品按分数排序（与 trec_eval 相同）；名次列给出了另一种顺序，未被采用。"),
        Phrase("check which of the two is intended", "确认应以哪一个为准"),
    ),
    "RG211": FindingKind(
        "note", Phrase("scores equal in single precision", "单精度下分数相等"),
        Phrase("These different scores are ties for tools that store them as float32 (trec_eval 9).",
               "这些分数并不相同，但在以 float32 保存分数的工具（trec_eval 9）中视为并列。"),
        Phrase("expect small differences from such tools", "与这类工具的结果可能略有差异"),
    ),
    "RG212": FindingKind(
        "note", Phrase("tied scores at judged items", "已标注物品的分数并列"),
        Phrase("The value depends on the rule for ties.", "数值取决于处理并列的规则。"),
        Phrase("see the rule 'ties' of the convention", "参见约定中的 ties 规则"),
    ),
    "RG213": FindingKind(
        "error", Phrase("time missing or invalid", "时间缺失或无效"),
        Phrase("Without a time, neither the order nor the age of interactions is known.",
               "没有时间就无法判断交互的先后与新旧。"),
        Phrase("give the time as a number (such as seconds), as a date, or as text with the year first such as "
               "2024-05-31 18:30:00 or 2024/5/31; other texts become dates by pd.to_datetime(frame[name], "
               "format='%d.%m.%Y')",
               "时间应为数字（如秒）、日期，或 2024-05-31 18:30:00、2024/5/31、2024年5月31日 "
               "这样年份在前的文本；其他文本用 pd.to_datetime(frame[列名], format='%d.%m.%Y') 转换为日期"), _STOPS,
    ),
    "RG214": FindingKind(
        "note", Phrase("score of 2^53 or more", "分数达到或超过 2^53"),
        Phrase("From 2^53 on, double precision skips whole numbers: different integer scores may have become ties.",
               "从 2^53 起，双精度无法表示每一个整数，不同的整数分数可能变成并列。"),
        Phrase("give scores as ranks or differences", "改用名次或差值作为分数"),
    ),
    "RG302": FindingKind(
        "error", Phrase("item judged twice with different grades", "同一物品重复标注且等级不同"),
        Phrase("It is unclear which grade is valid.", "无法判断以哪个等级为准。"),
        Phrase("keep one judgment per query and item, or merge the rows of a frame or file: "
               "grades=rankgauge.grades.merge('max') in Python",
               "每个查询的每个物品只保留一条标注；在 Python 中也可用 grades=rankgauge.grades.merge('max') "
               "合并数据框或文件中的重复行"),
        Phrase("keeps the first", "保留第一条"),
    ),
    "RG303": FindingKind(
        "warning", Phrase("item judged twice with the same grade", "同一物品重复标注且等级相同"),
        Phrase("It is counted once.", "只计一次。"), _REMOVE_DUPLICATE,
    ),
    "RG304": FindingKind(
        "note", Phrase("lines of a query not together", "同一查询的行不连续"),
        Phrase("The rows are gathered by query first, in a temporary file if they are many, which takes longer.",
               "会先按查询归拢各行，行数很多时借助临时文件，因此耗时更长。"),
        Phrase("sort the file by query to save time", "将文件按查询排序可节省时间"),
    ),
    "RG305": FindingKind(
        "note", Phrase("duplicate item in a ranking, counted by the rule duplicates",
                       "同一排序结果中物品重复，按规则 duplicates 计入"),
        Phrase("With first, set and close-up a relevant item counts once; with again each copy counts, and values can "
               "exceed their bounds, such as 1.",
               "取 first、set 或 close-up 时相关物品只计一次；取 again 时每个副本都计入，取值可能超出上界（如 1）。"),
        Phrase("remove the duplicates if the ranking should have none", "若排序结果不应有重复，请删除重复的行"),
    ),
    "RG306": FindingKind(
        "error", Phrase("query with more than one list", "同一查询有多个列表"),
        Phrase("Each record holds the whole list of its query, so two lists of one query cannot both be its ranking.",
               "每条记录是一个查询的完整列表，同一查询的两个列表不可能都是它的排序结果。"),
        Phrase("keep one list per query, or give the queries different ids",
               "每个查询只保留一个列表，或使用不同的查询标识"),
        Phrase("keeps the first", "保留第一个"),
    ),
    "RG401": FindingKind(
        "error", Phrase("no query in common", "没有共同的查询"),
        Phrase("No query of the ranking is judged, so any value would be meaningless.",
               "排序结果中的查询都没有标注，任何数值都没有意义。"),
        Phrase("check that the two files belong together and write ids the same way",
               "确认两个文件属于同一套数据，且标识的写法一致"),
        _STOPS,
    ),
    "RG402": FindingKind(
        "warning", Phrase("judged query without results", "已标注的查询没有结果"),
        Phrase("It was not searched, or nothing was returned. The rule for missing queries says whether one that is "
               "not in the ranking counts; one with an empty list always does.",
               "该查询未经检索，或没有返回任何结果。排序结果中没有的查询，由处理缺失查询的规则决定计为 0 还是不计入；"
               "列表为空的查询总是计入。"),
        Phrase("check whether the system failed on it", "检查系统在该查询上是否失败"),
    ),
    "RG403": FindingKind(
        "note", Phrase("query of the ranking without judgments", "排序结果中的查询没有标注"),
        Phrase("It cannot be evaluated and is left out.", "无法评测，因此不计入。"),
        Phrase("nothing to do, unless it should be judged", "无需处理，除非它应有标注"),
    ),
    "RG404": FindingKind(
        "note", Phrase("query without relevant items", "没有相关物品的查询"),
        Phrase("Metrics that divide by the number of relevant items are 0/0 here; the convention decides their value.",
               "除以相关物品数的指标在此为 0/0，取值由约定决定。"),
        Phrase("see the rule 'undefined' of the convention", "参见约定中的 undefined 规则"),
    ),
    "RG405": FindingKind(
        "note", Phrase("judgments without non-relevant items", "标注中没有不相关物品"),
        Phrase("bpref, AUC and infAP are only meaningful with judged non-relevant items.",
               "bpref、AUC 和 infAP 需要有标注为不相关的物品才有意义。"),
        Phrase("prefer metrics that need relevant items only: nDCG, AP, RR, HR or R at a cutoff",
               "改用只需要相关物品的指标：带截断的 nDCG、AP、RR、HR 或 R"),
    ),
    "RG406": FindingKind(
        "warning", Phrase("ids are numbers on one side and text on the other", "标识在一侧是数字、在另一侧是文本"),
        Phrase("Ids are compared as text: 7, 7.0 and 007 are three different ids.",
               "标识按文本比较：7、7.0 和 007 是三个不同的标识。"),
        Phrase("write the ids of both files the same way", "使两个文件的标识写法一致"),
    ),
    "RG407": FindingKind(
        "warning", Phrase("candidates look sampled", "候选物品疑似抽样"),
        Phrase("All lists have nearly the same small number of items and exactly one relevant item, as when a few "
               "candidates are sampled at random for each user. All metrics except AUC then differ from those of the "
               "full catalogue, and may even reverse the order of two systems.",
               "各排序结果的物品数都很少且几乎相同，并且恰有一个相关物品，正如为每个用户随机抽取少量候选物品的做法。"
               "此时除 AUC 外的指标都不同于全量物品上的指标，甚至可能颠倒两个系统的优劣。"),
        Phrase("rank the full catalogue, or correct the values with rankgauge.correct_sampled",
               "对全部物品排序，或用 rankgauge.correct_sampled 修正数值"),
    ),
    "RG408": FindingKind(
        "warning", Phrase("no item in common", "没有共同的物品"),
        Phrase("No returned item of any query is judged, so every value is that of an empty list.",
               "没有任何一个查询返回的物品有标注，所有数值都与空的排序结果相同。"),
        Phrase("write the items of both sides the same way", "使两侧的物品标识写法一致"),
    ),
    "RG409": FindingKind(
        "warning", Phrase("many unjudged items in the top ranks", "前列有许多未标注的物品"),
        Phrase("More than a fifth of the top items (of 20 or more, or of 10 queries) have no judgment, although "
               "non-relevant items are judged. A system that was not part of the pool looks worse than it is.",
               "标注中有不相关的物品，但排在前列的物品（不少于 20 个，或不少于 10 个查询）有五分之一以上未标注。"
               "未参与标注池的系统会显得比实际更差。"),
        Phrase("judge these items (of users: rank only what they rated, or set unjudged='removed'), or see how far "
               "they could move the values with rankgauge.unjudged_bounds",
               "补充标注（对用户：只对其评过分的物品排序，或设 unjudged='removed'），或用 rankgauge.unjudged_bounds "
               "查看它们最多能使数值改变多少"),
    ),
    "RG410": FindingKind(
        "warning", Phrase("scores ascend from the first item to the last", "分数从第一个物品到最后一个递增"),
        Phrase("Items are ordered by score, the highest first. Here the last item of every list has the highest score, "
               "as when distances or ranks are given as scores. A column of scores whose name is that of a distance is "
               "refused.",
               "物品按分数从高到低排序。而这里每个列表都是最后一个物品分数最高，就像把距离或名次当作分数。"
               "名称为距离的分数列会被拒绝。"),
        Phrase("pass minus the distance as the score, or lists of items, best first, without scores",
               "以距离的相反数作为分数，或只给出从优到劣的物品列表"),
    ),
    **SPLIT_CODES,
    **CONFUSION_CODES,
    **LABEL_CODES,
    **RESULT_CODES,
    **SPAN_CODES,
    **FUSION_CODES,
}.items()))  # fmt: skip
"""Each code with its severity, title, explanation, remedy, and the effect of lenient reading."""


def page_of(code: str, lang: str) -> str:
    """Return where the page of a code is: its address, or the command that prints it.

    >>> page_of("RG301", "en")
    'rankgauge codes RG301'
    """
    return f"{SITE}/{lang}/codes/{code.lower()}.html" if SITE else f"rankgauge codes {code}"
