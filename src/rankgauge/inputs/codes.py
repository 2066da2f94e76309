"""Every finding that rankgauge can report about data, by its stable code.

RG1xx  the file as bytes and lines
RG2xx  single values
RG3xx  rows of one table against each other
RG4xx  judgments against a ranking
RG5xx  training against test interactions
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rankgauge.rendering.language import Phrase

Role = Literal["judgments", "ranking", "interactions"]
"""What a source is read as."""
Severity = Literal["error", "warning", "note"]
"""``error``: cannot be evaluated as it is; ``warning``: can be, but look; ``note``: good to know."""


@dataclass(frozen=True)
class Kind:
    """One kind of finding: how bad it is, what it means, what to do, and what lenient reading does about it."""

    severity: Severity
    title: Phrase
    explanation: Phrase
    remedy: Phrase
    lenient: Phrase


def _kind(severity: Severity, title: str, title_zh: str, *parts: str) -> Kind:
    """A kind from its texts: explanation, remedy and lenient, each in English and Chinese."""
    explanation, explanation_zh, remedy, remedy_zh, lenient, lenient_zh = parts
    return Kind(
        severity,
        Phrase(title, title_zh),
        Phrase(explanation, explanation_zh),
        Phrase(remedy, remedy_zh),
        Phrase(lenient, lenient_zh),
    )


_DROPS = ("drops the line", "丢弃该行")
_KEEPS = ("changes nothing", "不作任何改变")
_STOPS = ("stops as well", "同样中止")

CODES: dict[str, Kind] = {
    "RG101": _kind(
        "error", "nothing in the file", "文件中没有内容",
        "The file is empty or holds only blank lines and comments; an evaluation of nothing would read as 0.",
        "文件为空，或只有空行和注释；对空内容的评测会被误读为 0 分。",
        "check the path and the step that wrote the file", "检查路径以及生成该文件的步骤", *_STOPS,
    ),
    "RG102": _kind(
        "error", "archive damaged or cut short", "压缩文件损坏或不完整",
        "The compressed data end too early or fail their check, so rows are missing.",
        "压缩数据提前结束或校验失败，因此缺少部分行。",
        "copy or download the file again", "重新复制或下载该文件", *_STOPS,
    ),
    "RG103": _kind(
        "error", "not UTF-8 text", "不是 UTF-8 文本",
        "Ids are compared as text; bytes that are not UTF-8 would never match the other file.",
        "标识按文本比较；非 UTF-8 的字节永远无法与另一个文件匹配。",
        "convert it: iconv -f LATIN1 -t UTF-8", "转换编码：iconv -f LATIN1 -t UTF-8",
        "reads these lines as Latin-1", "将这些行按 Latin-1 读取",
    ),
    "RG104": _kind(
        "error", "NUL byte", "含有 NUL 字节",
        "Text has no NUL bytes: the file is binary, UTF-16, or was damaged while it was written.",
        "文本中不会有 NUL 字节：该文件是二进制、UTF-16，或在写入时已损坏。",
        "write the file again as UTF-8 text", "将文件重新写为 UTF-8 文本", *_DROPS,
    ),
    "RG105": _kind(
        "note", "byte order mark removed", "已去除字节顺序标记",
        "Left in place, it would become part of the first query's id and hide that line.",
        "若保留，它会成为第一个查询标识的一部分，使该行失效。",
        "nothing to do", "无需处理", *_KEEPS,
    ),
    "RG106": _kind(
        "note", "format recognised from the content", "根据内容识别格式",
        "No format was given, so the first lines decided.", "未指定格式，由开头几行判定。",
        "say format=... to settle it", "用 format=... 明确指定", *_KEEPS,
    ),
    "RG107": _kind(
        "error", "header line", "表头行",
        "TREC files have no header; read as data, it becomes a query that lowers every mean.",
        "TREC 文件没有表头；若当作数据读取，会变成一个拉低所有均值的查询。",
        "remove the line, or say format='csv' or 'tsv'", "删除该行，或指定 format='csv' 或 'tsv'", *_DROPS,
    ),
    "RG108": _kind(
        "error", "wrong number of columns", "列数不对",
        "A value may be missing or split, so the others would be read from the wrong column.",
        "可能有值缺失或被拆开，其余的值会从错误的列读取。",
        "a line of a table has as many columns as its header; a ranking of TREC has query, Q0, item, rank, score, tag, "
        "judgments have query, iteration, item, grade",
        "表格每行的列数与表头相同；TREC 排序文件的列：query、Q0、item、rank、score、tag；"
        "标注文件的列：query、iteration、item、grade",
        *_DROPS,
    ),
    "RG109": _kind(
        "note", "ranking without the tag column", "排序文件缺少 tag 列",
        "The last of the six columns of a TREC ranking is not there; nothing else depends on it.",
        "TREC 排序文件六列中的最后一列不存在；其他内容不依赖于它。",
        "nothing to do", "无需处理", *_KEEPS,
    ),
    "RG110": _kind(
        "error", "record cannot be read", "记录无法解析",
        "The line is not a JSON object with each name once, or not a line of the stated format.",
        "该行不是每个名称只出现一次的 JSON 对象，或不符合所述格式。",
        "mend the line, or say another format=...", "修正该行，或改用其他 format=...", *_DROPS,
    ),
    "RG111": _kind(
        "error", "columns not recognised", "无法识别列",
        "The names of the columns do not say which is the query, the item and the number.",
        "列名无法说明哪一列是查询、物品和数值。",
        'say columns={"query": "...", "item": "...", ...}', '指定 columns={"query": "...", "item": "...", ...}',
        *_STOPS,
    ),
    "RG201": _kind(
        "error", "score is not a number", "分数不是数字",
        "Other tools read such a score as 0 or stop at the comma of 3,5; the order would be wrong.",
        "其他工具会把这种分数读作 0，或在 3,5 的逗号处截断；顺序就会出错。",
        "write scores like 3.5 or 1e-3", "分数应写成 3.5 或 1e-3 的形式", *_DROPS,
    ),
    "RG202": _kind(
        "error", "score is NaN", "分数为 NaN",
        "NaN has no place in an order; where it lands depends on the sort.",
        "NaN 在排序中没有位置；落在哪里取决于排序算法。",
        "mend the model's output, or leave the item out", "修正模型输出，或去掉该物品", *_DROPS,
    ),
    "RG203": _kind(
        "warning", "score is infinite", "分数为无穷大",
        "It has a place in the order, yet usually marks an overflow or a masked item.",
        "它在排序中有位置，但通常意味着溢出或被屏蔽的物品。",
        "check that these items are meant to be ranked", "确认这些物品确实应参与排序", *_KEEPS,
    ),
    "RG204": _kind(
        "error", "grade is not a number", "等级不是数字",
        "Other tools read such a grade as 0.", "其他工具会把这种等级读作 0。",
        "write grades as finite numbers", "等级应写成有限的数字", *_DROPS,
    ),
    "RG205": _kind(
        "note", "fractional grade", "带小数的等级",
        "It is used as it is; trec_eval cuts 1.7 to 1.", "按原值使用；trec_eval 会把 1.7 截断为 1。",
        "nothing to do unless whole grades were meant", "除非本意是整数等级，否则无需处理", *_KEEPS,
    ),
    "RG206": _kind(
        "note", "negative grade", "负的等级",
        "The convention's rule for negative grades decides what it means (junk, or not judged).",
        "其含义（垃圾内容或未标注）由约定中关于负等级的规则决定。",
        "check the rule `negative` of the convention", "检查约定中的 `negative` 规则", *_KEEPS,
    ),
    "RG207": _kind(
        "warning", "very large grade", "非常大的等级",
        "With the exponential gain 2^g - 1, a grade above 31 outweighs everything else.",
        "使用指数增益 2^g - 1 时，大于 31 的等级会压倒其他一切。",
        "use a linear gain, or map the grades", "使用线性增益，或映射等级", *_KEEPS,
    ),
    "RG208": _kind(
        "error", "id is empty", "标识为空",
        "A row without a query or an item cannot be matched.", "没有查询或物品的行无法匹配。",
        "fill in the id or remove the row", "补上标识或删除该行", *_DROPS,
    ),
    "RG209": _kind(
        "note", "very long id", "非常长的标识",
        "Ids of more than 1,000 bytes are usually texts or joined lines.",
        "超过 1,000 字节的标识通常是正文或被连在一起的行。",
        "check which column holds the id", "检查哪一列是标识", *_KEEPS,
    ),
    "RG210": _kind(
        "warning", "rank contradicts score", "名次与分数矛盾",
        "Items are ordered by score; the rank column says another order.",
        "物品按分数排序；而名次列给出了另一种顺序。",
        "check which of the two is meant", "确认以哪一个为准", *_KEEPS,
    ),
    "RG211": _kind(
        "note", "scores equal in single precision", "单精度下分数相等",
        "Scores that differ here are ties for tools that keep them as float32 (trec_eval 9).",
        "此处不同的分数，在以 float32 保存的工具（trec_eval 9）中是并列。",
        "expect small differences from such tools", "与这类工具相比会有细微差异", *_KEEPS,
    ),
    "RG212": _kind(
        "note", "tied scores at judged items", "已标注物品的分数并列",
        "The value depends on the rule for ties.", "数值取决于并列规则。",
        "see the rule `ties` of the convention", "参见约定中的 `ties` 规则", *_KEEPS,
    ),
    "RG213": _kind(
        "error", "time is missing or not a time", "时间缺失或不是时间",
        "Without a time nobody can tell what came last, or how old an interaction is.",
        "没有时间就无法判断先后，也无法判断交互的新旧。",
        "give the time as a number (such as seconds) or as a date", "时间应为数字（如秒）或日期", *_STOPS,
    ),
    "RG301": _kind(
        "error", "item twice in one ranking", "同一排序中物品重复",
        "Counted twice, one relevant item gives more than its gain.", "重复计数会使一个相关物品得到多于一次的增益。",
        "remove the repetition", "去除重复", "keeps the occurrence that ranks first", "保留排在最前的一次",
    ),
    "RG302": _kind(
        "error", "item judged twice with different grades", "同一物品有不同等级的重复标注",
        "Nothing says which of the grades holds.", "无法判断以哪个等级为准。",
        "keep one judgment for each query and item", "每个查询和物品只保留一条标注",
        "keeps the first", "保留第一条",
    ),
    "RG303": _kind(
        "warning", "item judged twice with the same grade", "同一物品有相同等级的重复标注",
        "It is counted once.", "只计一次。", "remove the repetition", "去除重复", *_KEEPS,
    ),
    "RG304": _kind(
        "note", "lines of a query not together", "同一查询的行不连续",
        "The file is read whole instead of query by query, which needs more memory.",
        "文件将整体读入而不是逐个查询读取，需要更多内存。",
        "sort the file by query to save memory", "按查询排序文件可节省内存", *_KEEPS,
    ),
    "RG401": _kind(
        "error", "no query in common", "没有共同的查询",
        "No query of the ranking is judged; any value would be meaningless.",
        "排序中的查询都没有标注；任何数值都没有意义。",
        "check that both files belong together and write ids alike", "确认两个文件属于同一套数据且标识写法一致",
        *_STOPS,
    ),
    "RG402": _kind(
        "warning", "judged query missing from the ranking", "已标注的查询不在排序中",
        "The rule for missing queries decides whether it counts as 0 or is left out.",
        "由缺失查询的规则决定计为 0 还是不计。",
        "check whether the system failed on it", "检查系统是否在该查询上失败", *_KEEPS,
    ),
    "RG403": _kind(
        "note", "query of the ranking without judgments", "排序中的查询没有标注",
        "It cannot be evaluated and is left out.", "无法评测，因此不计。",
        "nothing to do unless it should be judged", "除非应有标注，否则无需处理", *_KEEPS,
    ),
    "RG404": _kind(
        "note", "query without relevant items", "没有相关物品的查询",
        "Metrics that divide by the relevant items are 0/0 there; the convention decides.",
        "除以相关物品数的指标在此为 0/0；由约定决定。",
        "see the rule `undefined` of the convention", "参见约定中的 `undefined` 规则", *_KEEPS,
    ),
    "RG405": _kind(
        "note", "judgments without non-relevant items", "标注中没有不相关物品",
        "bpref, AUC and infAP need judged non-relevant items to mean anything.",
        "bpref、AUC 和 infAP 需要已标注的不相关物品才有意义。",
        "prefer other metrics on these judgments", "在这些标注上改用其他指标", *_KEEPS,
    ),
    "RG406": _kind(
        "warning", "ids are numbers on one side and text on the other", "标识一侧是数字另一侧是文本",
        "Ids are compared as text: 7, 7.0 and 007 are three ids.", "标识按文本比较：7、7.0 和 007 是三个标识。",
        "write the ids of both files alike", "使两个文件的标识写法一致", *_KEEPS,
    ),
    "RG407": _kind(
        "warning", "candidates look sampled", "候选物品疑似抽样",
        "All lists have nearly the same small number of items and exactly one relevant one, as when a few are drawn at "
        "random for each user. All metrics but AUC then differ from those of the whole catalogue, and may even order "
        "two systems the other way round.",
        "各列表的物品数几乎相同且很少，并且恰有一个相关物品，正如为每个用户随机抽取少量物品的做法。"
        "此时除 AUC 外的指标都不同于全量物品上的指标，甚至可能颠倒两个系统的优劣。",
        "rank the whole catalogue, or correct the values with rankgauge.full_catalogue",
        "对全部物品排序，或用 rankgauge.full_catalogue 修正数值", *_KEEPS,
    ),
    "RG501": _kind(
        "warning", "test item in training", "测试物品出现在训练数据中",
        "The model has seen this very pair of user and item; finding it again proves little.",
        "模型已经见过这一对用户与物品；再次找到它说明不了什么。",
        "remove the pair from one side (rankgauge.holdout.without_seen), unless repeated choices are the task",
        "从其中一侧去除该对（rankgauge.holdout.without_seen），除非任务就是预测重复行为", *_KEEPS,
    ),
    "RG502": _kind(
        "warning", "training after test for the same user", "同一用户的训练数据晚于测试数据",
        "The model learns from what this user did later; nobody could have at that time.",
        "模型学到了该用户之后的行为；而当时不可能知道。",
        "split by time, or hold out the last interactions", "按时间划分，或留出最后的交互", *_KEEPS,
    ),
    "RG503": _kind(
        "warning", "test user without training", "测试用户没有训练数据",
        "A model of past behaviour knows nothing of this user; the value mixes two questions.",
        "基于历史行为的模型对该用户一无所知；所得数值混淆了两个问题。",
        "leave such users out (known_users=True), or report them apart", "去掉这些用户（known_users=True），或单独报告",
        *_KEEPS,
    ),
    "RG504": _kind(
        "note", "training after the first test interaction", "训练数据晚于最早的测试交互",
        "What others did later shapes the model (trends, popularity), although each user's own order is kept.",
        "其他用户之后的行为会影响模型（趋势、流行度），尽管每个用户自身的先后顺序得到保持。",
        "split by time for all users at once (rankgauge.holdout.temporal)",
        "对所有用户按同一时间划分（rankgauge.holdout.temporal）", *_KEEPS,
    ),
    "RG505": _kind(
        "note", "user with too few interactions to be tested", "交互太少而无法测试的用户",
        "Holding an item out would leave nothing to learn from, so all stays in training.",
        "若留出物品就没有可学习的内容，因此全部留在训练数据中。",
        "nothing to do, or filter such users first (rankgauge.holdout.k_core)",
        "无需处理，或先过滤这些用户（rankgauge.holdout.k_core）", *_KEEPS,
    ),
}  # fmt: skip
"""Each code with its severity, title, explanation, remedy and what lenient reading does."""
