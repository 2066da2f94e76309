"""What the page about your data says: the forms that data can have, how they are recognised, strict and lenient.

The codes themselves come from the library.
"""

from __future__ import annotations

from dataclasses import dataclass

from rankgauge.inputs.codes import Severity
from rankgauge.inputs.formats.sniff import Format
from rankgauge.rendering.language import Phrase


@dataclass(frozen=True)
class Form:
    """One form that data can have: what it is, and a session that uses it."""

    title: Phrase
    text: Phrase
    code: tuple[str, ...]


FORMS = (
    Form(
        Phrase("Dicts of dicts", "字典的字典"),
        Phrase(
            "Judgments are `{query: {item: grade}}`, a ranking is `{query: {item: score}}`. The highest score comes "
            "first, whatever the order of the dict.",
            "标注写作 `{查询: {物品: 等级}}`，排序写作 `{查询: {物品: 分数}}`。分数最高的排在最前，"
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
            "没有分数的排序：按先后列出每个查询的物品。这种形式没有并列。",
        ),
        ('rg.evaluate(judgments, {"q1": ["x", "a", "b"], "q2": ["c"]}, "RR").per_query("RR")',),
    ),
    Form(
        Phrase("Sets of relevant items", "相关物品的集合"),
        Phrase(
            "Judgments without grades: every item named has grade 1. A list works as well. A ranking needs an order: "
            "give it as a list or with scores.",
            "没有等级的标注：列出的每个物品等级都是 1。用列表也可以。排序需要先后，因此要用列表，或带上分数。",
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
            "polars, pandas, Arrow, DuckDB. Usual names of columns are recognised (see [below](#columns)); "
            "`columns` names the others. CorpusValue numbers stay whole numbers as ids.",
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
            "Two NumPy arrays of one shape, labels and scores: a row for each query, a column for each item. A label "
            "that is NaN is no judgment.",
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
            "As learning to rank holds them: the items of all queries one after the other. `groups` has the size of "
            "each query. In its place, `offsets` has where each begins, and the end; or `query_ids` has the query of "
            "each item.",
            "排序学习常用的形式：所有查询的物品首尾相接。`groups` 给出每个查询的物品数；也可以改用 `offsets`"
            "（每个查询的起点，外加终点）或 `query_ids`（每个物品所属的查询）。",
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
            "排序文件有六列：查询、Q0、物品、名次、分数、tag。次序由分数决定，而不是名次。",
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
        Phrase("Packed files", "压缩文件"),
        Phrase(
            "gzip, bzip2, xz and Zstandard are unpacked while they are read; the content decides, not the name. Python "
            "before 3.14 needs `backports.zstd` for Zstandard.",
            "gzip、bzip2、xz 与 Zstandard 边读边解压；依据的是内容，而不是文件名。3.14 之前的 Python 读 Zstandard "
            "需要 `backports.zstd`。",
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
            "CSV, TSV, JSONL, Parquet and Arrow, with the same names of columns as frames. A CSV file without a header "
            "is read by position: `columns={'query': '1', 'item': '2', 'grade': '3'}`. Ids in files are text; 7 "
            "in a frame or dict matches a 7 in a file, with the warning [RG406](#rg406).",
            "CSV、TSV、JSONL、Parquet 与 Arrow，列名规则与 DataFrame 相同。没有表头的 CSV 按位置读取："
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
            "Name the rankings in a dict; the judgments are read once. A ranking may be a dict, a frame, a file or an "
            "array here.",
            "用字典给各个排序命名；标注只读取一次。每个排序可以是字典、DataFrame、文件或数组。",
        ),
        (
            'scores = rg.evaluate(judgments, {"old": folder / "run.txt", "new": {"q1": ["a"], "q2": ["c"]}}, "RR")',
            '{name: scores.mean("RR", name) for name in scores.systems}',
        ),
    ),
)

FORMATS: dict[Format, Phrase] = {
    "trec": Phrase(
        "the fourth column (judgments) or the fifth (ranking) is a number; taken also when nothing else fits",
        "第四列（标注）或第五列（排序）是数字；其他格式都不符合时也取它",
    ),
    "csv": Phrase(
        "a header with commas or semicolons that names a query and an item; or the name ends in `.csv`; or the line "
        "has commas in place of blanks",
        "以逗号或分号分隔的表头，含查询与物品的列名；或文件名以 `.csv` 结尾；或该行以逗号代替空格",
    ),
    "tsv": Phrase(
        "a header with tabs that names a query and an item; or the name ends in `.tsv`",
        "以制表符分隔的表头，含查询与物品的列名；或文件名以 `.tsv` 结尾",
    ),
    "jsonl": Phrase("the line begins with `{`: one object a line", "该行以 `{` 开头：每行一个对象"),
    "parquet": Phrase("the file begins with `PAR1`", "文件以 `PAR1` 开头"),
    "arrow": Phrase(
        "the file begins with `ARROW1`, or is a stream of record batches", "文件以 `ARROW1` 开头，或是 record batch 流"
    ),
    "letor": Phrase("the line is like `2 qid:10 1:0.5`; judgments only", "该行形如 `2 qid:10 1:0.5`；只用于标注"),
}
"""By what each format is recognised."""

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

FAMILIES = {
    "RG1": Phrase("the file as bytes and lines", "文件的字节与行"),
    "RG2": Phrase("single values", "单个值"),
    "RG3": Phrase("rows of one table against each other", "同一张表内各行之间"),
    "RG4": Phrase("judgments against a ranking", "标注与排序之间"),
    "RG5": Phrase("training against test interactions", "训练与测试交互之间"),
}
"""What the first digit of a code stands for."""

SEVERITIES: dict[Severity, Phrase] = {
    "error": Phrase("error", "错误"),
    "warning": Phrase("warning", "警告"),
    "note": Phrase("note", "提示"),
}

WORDS = {
    "your data": Phrase("What happens with your data", "你的数据会如何处理"),
    "your data intro": Phrase(
        "`rg.evaluate(judgments, ranking, metrics)` takes data in the form in which you hold them. This page shows the "
        "forms, how columns and formats are recognised, what happens when something is wrong, and what each code "
        "means. Later examples use names from earlier ones.",
        "数据是什么形式，`rg.evaluate(judgments, ranking, metrics)` 就按什么形式接收。本页说明有哪些形式、"
        "列与格式如何识别、数据有问题时会怎样，以及每个代码的含义。后面的示例会用到前面的变量。",
    ),
    "forms": Phrase("What you can give", "可以给出什么"),
    "forms text": Phrase(
        "Judgments and ranking need not have the same form: a file of judgments goes with a dict. Arrays are the "
        "exception: give both as arrays.",
        "标注与排序的形式不必相同：标注是文件，排序可以是字典。数组例外：两者都要用数组。",
    ),
    "columns": Phrase("How columns are recognised", "列如何识别"),
    "columns text": Phrase(
        "By their names. Case, blanks, `_`, `-` and `.` do not count: `Query_ID`, `query-id` and `queryId` are one "
        "name. Names in the second column of this table win over those in the third, so that `query_id` is the query "
        "where `query` holds its text.",
        "依据列名。大小写、空格、`_`、`-` 与 `.` 都不计：`Query_ID`、`query-id`、`queryId` 是同一个名称。"
        "下表第二列的名称优先于第三列，因此同时有 `query_id` 与 `query`（查询文本）时，以 `query_id` 为查询。",
    ),
    "column": Phrase("column", "列"),
    "names": Phrase("names", "名称"),
    "weaker names": Phrase("if there is none of these", "没有这些名称时"),
    "columns notes": Phrase(
        "Without a score, a ranking is ordered by its rank. Two columns that could both be meant are an error, as is "
        "one that is missing ([RG111](#rg111)); `columns={'query': 'who'}` settles it, for the judgments and for the "
        "ranking; `columns={'ranking': {'query': 'who'}}` speaks of one side alone.",
        "排序没有分数列时按名次排列。有两列都可能是所需的列，或缺少所需的列，都会报错（[RG111](#rg111)）；"
        "用 `columns={'query': 'who'}` 指明即可，对标注与排序同时有效；"
        "`columns={'ranking': {'query': 'who'}}` 只指其中一方。",
    ),
    "formats": Phrase("How formats are recognised", "格式如何识别"),
    "formats text": Phrase(
        "The content decides: the first bytes, or the first line that is neither blank nor a comment (`#`). "
        "`format='csv'` settles it, for the judgments and for the ranking; `format={'ranking': 'csv'}` for one side. "
        "What was recognised is noted as [RG106](#rg106).",
        "依据内容：文件开头的字节，或第一个既非空行也非注释（`#`）的行。用 `format='csv'` 可明确指定，"
        "对标注与排序同时有效；`format={'ranking': 'csv'}` 只指其中一方。识别的结果记为 [RG106](#rg106)。",
    ),
    "format": Phrase("format", "格式"),
    "recognised by": Phrase("recognised by", "识别依据"),
    "strict and lenient": Phrase("Strict and lenient", "严格与宽松"),
    "strict text": Phrase(
        "Strict is the default: data that are wrong raise an `InputError`, and no number is computed from them. One "
        "error tells of all problems together: of each kind the first {shown} with place, value and reason, how many "
        "more there are, and what to do. Judgments are checked first, then the ranking. A file is read about {size} "
        "MiB at a time, and the error comes after the first part that has a problem.",
        "默认是严格模式：数据有误就抛出 `InputError`，不会据此算出任何数值。一次报出全部问题：每一类列出前 {shown} 个，"
        "附位置、值与原因，再给出其余的个数与处理办法。先检查标注，再检查排序。文件每次约读 {size} MiB，"
        "读完第一个有问题的部分就报错。",
    ),
    "lenient text": Phrase(
        "`lenient=True` leaves out what is wrong, counts it, and goes on. Look at `scores.findings` before you use the "
        "numbers: below, item a of q1 and item c of q2 are lost, so both values are 0.",
        "`lenient=True` 会去掉有误的内容、计数，然后继续。使用数值之前先看 `scores.findings`："
        "下例中 q1 的物品 a 与 q2 的物品 c 被丢弃，因此两个值都是 0。",
    ),
    "lenient notes": Phrase(
        "Some problems leave nothing to evaluate, such as an empty file or no query in common; they stop lenient "
        "reading too. Warnings and notes stop neither mode and are in `scores.findings` in both. "
        "`scores.findings.document()` gives them all as a table, `document('zh')` in Chinese.",
        "有些问题使评测无从谈起，如空文件或没有共同的查询；宽松模式下同样报错。警告与提示在两种模式下都不会中止，"
        "都记录在 `scores.findings` 中。`scores.findings.document('zh')` 把它们列成表格。",
    ),
    "codes": Phrase("All codes", "全部代码"),
    "codes text": Phrase(
        "Every problem and every remark has a code that does not change. An *error* cannot be evaluated as it is; "
        "a *warning* can be, but look at it; a *note* is good to know.",
        "每个问题与提示都有固定不变的代码。“错误”：无法照原样评测；“警告”：可以评测，但应查看；“提示”：供了解。",
    ),
    "code": Phrase("code", "代码"),
    "severity": Phrase("severity", "程度"),
    "what": Phrase("what", "内容"),
    "family": Phrase("{family}xx: {meaning}", "{family}xx：{meaning}"),
    "finding": Phrase("**{title}** ({severity}). {explanation}", "**{title}**（{severity}）。{explanation}"),
    "remedy": Phrase("What to do: {remedy}", "处理办法：{remedy}"),
    "lenient": Phrase("With `lenient=True`: {does}", "`lenient=True` 时：{does}"),
}
