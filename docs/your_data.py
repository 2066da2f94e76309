"""The texts of the page on input data: the forms it can have, how it is recognised, strict and lenient reading.

Formats and codes come from the library.
"""

from __future__ import annotations

from dataclasses import dataclass

from rankgauge.inputs.formats.registry import FORMATS, format_titles
from rankgauge.rendering.language import Phrase


@dataclass(frozen=True)
class Form:
    """A form of input data, with an example session."""

    title: Phrase
    text: Phrase
    code: tuple[str, ...]


TABLES = format_titles((row for row in FORMATS if row.named_columns), Phrase("and", "与"))

FORMS = (
    Form(
        Phrase("Dicts of dicts", "字典的字典"),
        Phrase(
            "Judgments are `{query: {item: grade}}`, a ranking is `{query: {item: score}}`. The highest score comes "
            "first; the order of the dict does not matter.",
            "标注写作 `{查询: {物品: 等级}}`，排序结果写作 `{查询: {物品: 分数}}`。分数最高的排在最前，"
            "与字典内的次序无关。",
        ),
        (
            "import rankgauge as rg",
            'judgments = {"q1": {"a": 3, "b": 1}, "q2": {"c": 2}}',
            'ranking = {"q1": {"a": 0.7, "x": 0.8, "b": 0.6}, "q2": {"c": 0.9}}',
            'rg.evaluate(judgments, ranking, "RR").per_query("RR")',
        ),
    ),
    Form(
        Phrase("Lists, best first", "列表，最好的在前"),
        Phrase(
            "A ranking without scores: the items of each query in order. It has no ties.",
            "没有分数的排序结果：按先后列出每个查询的物品。这种形式没有并列。",
        ),
        ('rg.evaluate(judgments, {"q1": ["x", "a", "b"], "q2": ["c"]}, "RR").per_query("RR")',),
    ),
    Form(
        Phrase("Sets of relevant items", "相关物品的集合"),
        Phrase(
            "Judgments without grades: every item listed has grade 1. A list works as well. A ranking needs an order: "
            "give a list or scores.",
            "没有等级的标注：列出的每个物品等级都是 1。用列表也可以。排序结果需要先后顺序，因此要用列表，或带上分数。",
        ),
        ('rg.evaluate({"q1": {"a", "b"}, "q2": {"c"}}, ranking, "RR").per_query("RR")',),
    ),
    Form(
        Phrase("Rows of tuples", "元组组成的行"),
        Phrase(
            "`(query, item, grade)` and `(query, item, score)`. Each row is a tuple: a list inside a list is a list of "
            "items, and the queries are then numbered from 0.",
            "`(查询, 物品, 等级)` 与 `(查询, 物品, 分数)`。每行必须是元组：列表中的列表会被当作物品列表，"
            "此时查询从 0 开始编号。",
        ),
        (
            'judged = [("q1", "a", 3), ("q1", "b", 1), ("q2", "c", 2)]',
            'returned = [("q1", "x", 0.8), ("q1", "a", 0.7), ("q2", "c", 0.9)]',
            'rg.evaluate(judged, returned, "RR").per_query("RR")',
            'rg.evaluate([{"a", "b"}, {"c"}], [["x", "a"], ["c", "y"]], "RR").per_query("RR")',
        ),
    ),
    Form(
        Phrase("Frames", "DataFrame"),
        Phrase(
            "polars, pandas, Arrow or DuckDB. Common column names are recognised (see [below](#columns)); "
            "`columns` names the others. Integer ids stay integers.",
            "polars、pandas、Arrow、DuckDB 均可。常见的列名会自动识别（见[下文](#columns)），其余用 `columns` 指明。"
            "整数标识保持为整数。",
        ),
        (
            "import polars as pl",
            'ratings = pl.DataFrame({"userId": [1, 1, 2], "movieId": [10, 11, 12], "rating": [4, 2, 5]})',
            'predicted = pl.DataFrame({"userId": [1, 1, 2], "movieId": [15, 10, 12], "p": [0.9, 0.4, 0.7]})',
            'rg.evaluate(ratings, predicted, "RR", columns={"score": "p"}).per_query("RR")',
        ),
    ),
    Form(
        Phrase("Matrices", "矩阵"),
        Phrase(
            "Two NumPy arrays of the same shape, labels and scores: one row per query, one column per item. A NaN "
            "label means that the item is not judged.",
            "两个形状相同的 NumPy 数组，标签与分数：每行一个查询，每列一个物品。标签为 NaN 表示未标注。",
        ),
        (
            "import numpy as np",
            "labels = np.array([[1, 0, 0], [0, 0, 1]])",
            "points = np.array([[0.2, 0.9, 0.1], [0.3, 0.1, 0.8]])",
            'rg.evaluate(labels, points, "RR").per_query("RR")',
        ),
    ),
    Form(
        Phrase("Flat arrays", "一维数组"),
        Phrase(
            "As in learning to rank: the items of all queries one after another. `groups` has the size of "
            "each query. Alternatively, `offsets` has the start of each query and the end of the last, or `query_ids` "
            "has the query of each item. Arrays of torch and JAX are read like NumPy's if the host can read them; "
            "tensors of a GPU are for [`rg.torch.evaluate`](scale.md#tensors-and-gpus).",
            "排序学习常用的形式：所有查询的物品首尾相接。`groups` 给出每个查询的物品数；也可以改用 `offsets`"
            "（每个查询的起点，外加终点）或 `query_ids`（每个物品所属的查询）。"
            "torch 与 JAX 的数组只要主机可读，就与 NumPy 数组一样读取；GPU 上的张量请用 `rg.torch.evaluate`。",
        ),
        (
            "labels, points = np.array([1, 0, 0, 1, 0]), np.array([0.2, 0.9, 0.1, 0.8, 0.4])",
            'rg.evaluate(labels, points, "RR", groups=[3, 2]).per_query("RR")',
            'rg.evaluate(labels, points, "RR", query_ids=["q1", "q1", "q1", "q2", "q2"]).per_query("RR")',
        ),
    ),
    Form(
        Phrase("TREC files", "TREC 文件"),
        Phrase(
            "A path, an open file, or `'-'` for standard input. Judgments have four columns: query, iteration, item, "
            "grade; a ranking has six: query, Q0, item, rank, score, tag. The score decides the order, not the rank.",
            "给出路径、已打开的文件，或表示标准输入的 `'-'`。标注文件有四列：查询、iteration、物品、等级；"
            "排序结果文件有六列：查询、Q0、物品、名次、分数、tag。次序由分数决定，而不是名次。",
        ),
        (
            "from pathlib import Path",
            "from tempfile import TemporaryDirectory",
            "temporary = TemporaryDirectory()",
            "folder = Path(temporary.name)",
            r'_ = (folder / "qrels.txt").write_text("q1 0 a 3\nq1 0 b 1\nq2 0 c 2\n")',
            r'lines = "q1 Q0 x 1 0.8 me\nq1 Q0 a 2 0.7 me\nq2 Q0 c 1 0.9 me\n"',
            '_ = (folder / "run.txt").write_text(lines)',
            'rg.evaluate(folder / "qrels.txt", folder / "run.txt", "RR").per_query("RR")',
        ),
    ),
    Form(
        Phrase("Compressed files", "压缩文件"),
        Phrase(
            "gzip, bzip2, xz and Zstandard are decompressed while reading; the content decides, not the name. Python "
            "before 3.14 needs `backports.zstd` for Zstandard; gzip is decompressed "
            "twice as fast if `isal` is installed (`pip install 'rankgauge[gzip]'`).",
            "gzip、bzip2、xz 与 Zstandard 边读边解压；依据的是内容，而不是文件名。3.14 之前的 Python 读 Zstandard "
            "需要 `backports.zstd`；安装 `isal`（`pip install 'rankgauge[gzip]'`）后，解压 gzip 的速度加倍。",
        ),
        (
            "import gzip",
            '_ = (folder / "run.txt.gz").write_bytes(gzip.compress(lines.encode()))',
            'rg.evaluate(folder / "qrels.txt", folder / "run.txt.gz", "RR").per_query("RR")',
        ),
    ),
    Form(
        Phrase("CSV, and other tables in files", "CSV 与其他表格文件"),
        Phrase(
            f"{TABLES.en} files have the same column names as frames. A CSV file without a header is read by position: "
            "`columns={'query': '1', 'item': '2', 'grade': '3'}`. Ids in files are text; 7 in a frame or dict matches "
            "7 in a file, with the warning [RG406](#rg406).",
            f"{TABLES.zh} 文件的列名规则与 DataFrame 相同。没有表头的 CSV 按位置读取："
            "`columns={'query': '1', 'item': '2', 'grade': '3'}`。文件中的标识都是文本；"
            "DataFrame 或字典中的 7 能与文件中的 7 匹配，并给出警告 [RG406](#rg406)。",
        ),
        (
            r'_ = (folder / "ratings.csv").write_text("user,item,rating\nq1,a,3\nq1,b,1\nq2,c,2\n")',
            'rg.evaluate(folder / "ratings.csv", ranking, "RR").per_query("RR")',
        ),
    ),
    Form(
        Phrase("Several systems at once", "同时评测多个系统"),
        Phrase(
            "Name the rankings in a dict; the judgments are read once. Each ranking may be a dict, a frame, a file or "
            "an array.",
            "用字典给各个排序结果命名；标注只读取一次。每个排序结果可以是字典、DataFrame、文件或数组。",
        ),
        (
            'scores = rg.evaluate(judgments, {"old": folder / "run.txt", "new": {"q1": ["a"], "q2": ["c"]}}, "RR")',
            '{name: scores.mean("RR", name) for name in scores.systems}',
        ),
    ),
)

STRICT_CODE = (
    r'bad = "q1 Q0 x 1 0.8 me\nq1 Q0 a 2 high me\nq2 Q0 c 1 0,9 me\nq2 Q0 y 2 0.5 me\n"',
    '_ = (folder / "bad.txt").write_text(bad)',
    'rg.evaluate(folder / "qrels.txt", folder / "bad.txt", "RR")',
)
LENIENT_CODE = (
    'scores = rg.evaluate(folder / "qrels.txt", folder / "bad.txt", "RR", lenient=True)',
    'scores.per_query("RR")',
    '[(finding.code, finding.title.render("en"), finding.count) for finding in scores.findings]',
    "next(iter(scores.findings)).examples[0]",
    "temporary.cleanup()",
)

WORDS = {
    "your data": Phrase("What happens to your data", "你的数据会如何处理"),
    "your data intro": Phrase(
        "`rg.evaluate(judgments, ranking, metrics)` accepts data in many forms. This page shows them, how columns and "
        "formats are recognised, what happens when something is wrong, and what each code means. Later examples use "
        "variables from earlier ones.",
        "`rg.evaluate(judgments, ranking, metrics)` 接受多种形式的数据。本页说明有哪些形式、"
        "列与格式如何识别、数据有问题时会怎样，以及每个代码的含义。后面的示例会用到前面的变量。",
    ),
    "forms": Phrase("Forms of input", "数据的形式"),
    "forms text": Phrase(
        "Judgments and ranking need not have the same form: judgments from a file work with a ranking in a dict. "
        "Arrays are the exception: give both as arrays.",
        "标注与排序结果的形式不必相同：标注是文件时，排序结果可以是字典。数组例外：两者都要用数组。",
    ),
    "columns": Phrase("How columns are recognised", "列如何识别"),
    "columns text": Phrase(
        "By their names. Case, spaces, `_`, `-` and `.` are ignored: `Query_ID`, `query-id` and `queryId` are the same "
        "name. Names in the second column of this table take precedence over those in the third, so that `query_id` "
        "is the query if `query` is its text.",
        "依据列名。忽略大小写、空格、`_`、`-` 与 `.`：`Query_ID`、`query-id`、`queryId` 是同一个名称。"
        "下表第二列的名称优先于第三列，因此同时有 `query_id` 与 `query`（查询文本）时，以 `query_id` 为查询。",
    ),
    "column": Phrase("column", "列"),
    "names": Phrase("names", "名称"),
    "weaker names": Phrase("otherwise", "没有这些名称时"),
    "columns notes": Phrase(
        "Without a score, a ranking is ordered by its rank. An ambiguous or missing column is an error "
        "([RG111](#rg111)); `columns={'query': 'who'}` names it for the judgments and the ranking, "
        "`columns={'ranking': {'query': 'who'}}` for one side. A ranking with a column of systems that has several "
        "values is several rankings, named after them; names from `run` on count only if items are repeated otherwise, "
        "and any other if `columns={'system': 'variant'}` (`--columns system=variant`) says so. "
        "`FILE/SYSTEM` is one of them: `rankgauge explain judgments.csv runs.csv/BM25 --query q1`, in Python also "
        '`rg.read("runs.csv").rankings["BM25"]`. A frame of judgments '
        "with a query, an item, at most a "
        "time and no other column is a log in which every row is relevant. With other columns, or in a file, say so: "
        "`columns={'grade': None}`, on the command line `--columns grade=`.",
        "排序结果没有分数列时按名次排列。所需的列缺失，或有多列都可能是所需的列，都会报错（[RG111](#rg111)）；"
        "用 `columns={'query': 'who'}` 指明即可，对标注与排序结果同时有效；"
        "`columns={'ranking': {'query': 'who'}}` 只对其中一方有效。"
        "排序结果若有系统列且取值不止一个，则为多个排序结果，以其取值命名；自 `run` 起的各列名仅在物品否则会重复时视为"
        "系统列，其他列用 `columns={'system': 'variant'}`（`--columns system=variant`）指明。"
        "`文件/系统` 指其中一个：`rankgauge explain judgments.csv runs.csv/BM25 --query q1`，Python 中也可写 "
        '`rg.read("runs.csv").rankings["BM25"]`。'
        "作为标注的 DataFrame 若只有查询、物品与（可选的）时间列，则视为日志，每行都相关；若还有其他列，或是文件，"
        "请写明 `columns={'grade': None}`，命令行上写 `--columns grade=`。",
    ),
    "formats": Phrase("How formats are recognised", "格式如何识别"),
    "formats text": Phrase(
        "By the content: the first bytes, or the first line that is neither blank nor a comment (`#`). "
        "`format='csv'` specifies it for the judgments and the ranking, `format={'ranking': 'csv'}` for one side. "
        "The recognised format is reported as [RG106](#rg106).",
        "依据内容：文件开头的字节，或第一个既非空行也非注释（`#`）的行。用 `format='csv'` 可明确指定，"
        "对标注与排序结果同时有效；`format={'ranking': 'csv'}` 只对其中一方有效。识别的结果记为 [RG106](#rg106)。",
    ),
    "format": Phrase("format", "格式"),
    "recognised by": Phrase("recognised by", "识别依据"),
    "meaning": Phrase("One meaning in every form", "各种形式，同一含义"),
    "meaning text": Phrase(  # lines of a table
        """Data that could be misread get the same answer in every form of input.

| data | answer |
| :--- | :--- |
| a query with an empty gold list | judged, without relevant items: it counts by the rule `undefined` \
([RG404](#rg404)). A missing list (null, an empty cell) is no judgment ([RG403](#rg403)) |
| judgments and ranking swapped: fractions as grades, small whole numbers as scores | refused |
| scores that ascend in the order of the items, as ranks and distances do | used, with the warning [RG410](#rg410) |
| objects in a list: `relevant`, `is_relevant`, `weight`, `grade`; \
true or false as `gold`, `correct`, `is_supporting` and the like; `rank` without a score | grades; grades; the order |
| a list of lists | judgments: groups of which any member will do ([RG115](#rg115)); a ranking is refused |
| a hit without a score among others with one | refused ([RG201](#rg201)) |
| ids that differ in blanks, case, Unicode form, leading zeros or bytes | never matched; [RG408](#rg408) if no item \
matches, [RG411](#rg411) if some do (looked for in the first 100 queries and 50 items of each) |
| float ids from 2^53 on (2^24 in single precision) | refused ([RG215](#rg215)); `True` and `False`, too \
([RG216](#rg216)) |
| tuples of two or four fields | refused: tuples are rows of query, item and number |
| a text cell that is no clean list, such as `[1 2 ... 9]`, `nan`, a sentence or words such as `New York` \
| refused with its row; a cell of a column of texts, such as `retrieved_contexts`, is one text |
""",
        """可能被误读的数据，无论以何种形式给出，处理都相同。

| 数据 | 处理 |
| :--- | :--- |
| 相关物品列表为空的查询 | 视为已标注、没有相关物品，按规则 `undefined` 计入（[RG404](#rg404)）。列表缺失（null、\
空单元格）则视为没有标注（[RG403](#rg403)） |
| 标注与排序结果的顺序颠倒：等级全是小数，分数是小整数 | 报错 |
| 分数按物品先后递增，如名次或距离 | 照用，并给出警告 [RG410](#rg410) |
| 列表中的对象：`relevant`、`is_relevant`、`weight`、`grade`；\
值为真假的 `gold`、`correct`、`is_supporting` 等；没有分数的 `rank` | 读作等级；读作等级；读作先后 |
| 列表的列表 | 标注：若干组，命中组内任一成员即可（[RG115](#rg115)）；排序结果则拒绝 |
| 有的物品有分数，有的没有 | 报错（[RG201](#rg201)） |
| 仅空格、大小写、Unicode 形式、前导零或字节串不同的标识 | 不匹配；全部不匹配时为 [RG408](#rg408)，部分不匹配时为 \
[RG411](#rg411)（检查前 100 个查询、每个查询前 50 个物品） |
| 从 2^53 起（单精度为 2^24）的浮点数标识 | 报错（[RG215](#rg215)）；`True` 与 `False` 也报错（[RG216](#rg216)） |
| 两个或四个字段的元组 | 报错：元组是由查询、物品与数值组成的行 |
| 不是规范列表的单元格，如 `[1 2 ... 9]`、`nan`、句子或 `New York` 这样的词 | 报错并指出所在行；文本列（如 \
`retrieved_contexts`）的单元格是一段文本 |
""",
    ),
    "strict and lenient": Phrase("Strict and lenient", "严格与宽松"),
    "strict text": Phrase(
        "Strict is the default: invalid data raise an `InputError`, and no value is computed from them. One error "
        "reports all problems together: the first {shown} of each kind with place, value and reason, the number of "
        "others, and what to do. Judgments are checked first, then the ranking. A file is read about {size} MiB at a "
        "time, and the error is raised after the first part that has a problem.",
        "默认是严格模式：数据有误就抛出 `InputError`，不会据此算出任何数值。一次报出全部问题：每一类列出前 {shown} 个，"
        "附位置、值与原因，再给出其余的个数与处理办法。先检查标注，再检查排序结果。文件每次约读 {size} MiB，"
        "读完第一个有问题的部分就报错。",
    ),
    "lenient text": Phrase(
        "`lenient=True` drops invalid lines, counts them, and continues. Check `scores.findings` before you use the "
        "values: below, item a of q1 and item c of q2 are lost, so both values are 0.",
        "`lenient=True` 会丢弃并统计有误的行，然后继续。使用数值之前先看 `scores.findings`："
        "下例中 q1 的物品 a 与 q2 的物品 c 被丢弃，因此两个值都是 0。",
    ),
    "lenient notes": Phrase(
        "Some problems leave nothing to evaluate, such as an empty file or no query in common; they raise an error in "
        "lenient mode, too. Warnings and notes never do, and are in `scores.findings` in both modes. "
        "`scores.findings.document()` shows them all as a table, `document('zh')` in Chinese.\n\n"
        "In Python, every finding of the severity *warning* is also a warning of the class `rg.DataWarning`, at the "
        "line of your code: no item in common, judged queries that are missing, many unjudged items in the top ranks, "
        "scores that ascend, and others. Its text has the code and the remedy, `warning.code` the code alone. Python "
        "shows it once for each line and text. `warnings.filterwarnings('ignore', category=rg.DataWarning)` turns "
        "these warnings off; with `'error'` they stop a program.",
        "有些问题使评测无从谈起，如空文件或没有共同的查询；宽松模式下同样报错。警告与提示在两种模式下都不会中止，"
        "都记录在 `scores.findings` 中。`scores.findings.document('zh')` 把它们列成表格。\n\n"
        "在 Python 中，级别为*警告*的检查结果同时会以 `rg.DataWarning` 类的警告给出，并指向你自己代码中的那一行："
        "没有共同的物品、缺少有标注的查询、前列有许多未标注的物品、分数递增等。警告文本含代码与处理办法，"
        "`warning.code` 是其代码。同一行、同一文本 Python 只显示一次。"
        "`warnings.filterwarnings('ignore', category=rg.DataWarning)` 可关闭这类警告；改用 `'error'` 则会中止程序。",
    ),
    "codes": Phrase("All codes", "全部代码"),
    "codes text": Phrase(
        "Every finding has a stable code. An *error* prevents the evaluation; a *warning* should be checked; a *note* "
        "is for information.",
        "每个问题都有固定不变的代码。“错误”：无法评测；“警告”：可以评测，但应核实；“提示”：仅供参考。",
    ),
    "finding forms": Phrase("Findings and forms of data", "检查结果与数据形式"),
    "finding forms text": Phrase(
        "A finding about numbers, rows and pairs (codes {first} to {last}) is the same decision in every form of data "
        "and in every engine: {forms}. The following table has what a form does not report, and why; the tests try "
        "every finding in every form.",
        "关于数值、行与配对的检查结果（代码 {first} 至 {last}）在每种数据形式与每个引擎中判断相同：{forms}。"
        "下表列出某种形式不报告的内容及原因；测试在每种形式中逐一检验每项检查结果。",
    ),
    "finding codes": Phrase("findings", "检查结果"),
    "not in forms": Phrase("not reported in", "不报告的形式"),
    "reason": Phrase("reason", "原因"),
    "code": Phrase("code", "代码"),
    "severity": Phrase("severity", "级别"),
    "what": Phrase("finding", "问题"),
    "family": Phrase("{family}xx: {meaning}", "{family}xx：{meaning}"),
    "finding": Phrase("**{title}** ({severity}). {explanation}", "**{title}**（{severity}）。{explanation}"),
    "remedy": Phrase("What to do: {remedy}", "处理办法：{remedy}"),
    "lenient": Phrase("With `lenient=True`: {does}", "`lenient=True` 时：{does}"),
}
