"""The texts of the page on formats; formats and shapes come from the library."""

from __future__ import annotations

from dataclasses import dataclass

from rankgauge.rendering.language import Phrase


@dataclass(frozen=True)
class Section:
    """A section with an example session."""

    title: Phrase
    text: Phrase
    code: tuple[str, ...] = ()


SECTIONS = (
    Section(
        Phrase("Read a file", "读取文件"),
        Phrase(
            "`rg.read` looks at the content, says what it was taken for and why, and returns the judgments and the "
            "rankings; either may be missing. Every verb takes the result: `rg.evaluate(data, metrics=...)` is "
            "`rg.evaluate(data.judgments, data.rankings, metrics=...)`, and so for `compare`, `check`, `report`, "
            "`explain`, `reconcile`, `attribute`, `diff` and `unjudged_bounds`. Nothing is downloaded.",
            "`rg.read` 根据内容判断文件是什么、依据是什么，并返回标注与排序结果（可以只有其中之一）。每个函数都接受它："
            "`rg.evaluate(data, metrics=...)` 等同于 `rg.evaluate(data.judgments, data.rankings, metrics=...)`，"
            "`compare`、`check`、`report`、`explain`、`reconcile`、`attribute`、`diff` 与 `unjudged_bounds` 也是如此。"
            "不会下载任何内容。",
        ),
        (
            "import json",
            "from pathlib import Path",
            "from tempfile import TemporaryDirectory",
            "import rankgauge as rg",
            "temporary = TemporaryDirectory()",
            "folder = Path(temporary.name)",
            'row = {"user_input": "q1", "reference_contexts": ["a", "b"], "retrieved_contexts": ["x", "a"]}',
            r'_ = (folder / "answers.jsonl").write_text(json.dumps(row) + "\n")',
            'data = rg.read(folder / "answers.jsonl")',
            "data.format, data.shape, data.reason",
            "[*data.rankings], data.judgments.frame().rows()",
            'rg.evaluate(data, metrics=["RR", "R"]).per_query("R")',
        ),
    ),
    Section(
        Phrase("Both sides in one file", "一个文件同时含有两者"),
        Phrase(
            "Files that hold what should be returned and what was returned need no second argument. On the command "
            "line: `rankgauge eval answers.jsonl`, and so for `compare`, `check`, `report`, `explain`, `reconcile` and "
            "`curve`. `rankgauge doctor answers.jsonl` shows what the file was taken for, and why. Two such files are "
            'compared by `rankgauge compare old.jsonl new.jsonl`, or by `rg.compare(["old.jsonl", "new.jsonl"])`. '
            "A table with a grade and a score or rank in each row holds both, too, whatever its form. A `rating` "
            'beside a `prediction` is a grade; other names need `columns={"grade": "rating", "score": "score"}` '
            "(`--columns grade=rating,score=score`). Only the returned items are judged then "
            "([RG116](your-data.md#rg116)).",
            "文件若同时含有应返回的与实际返回的内容，就不需要第二个参数。命令行写法：`rankgauge eval answers.jsonl`，"
            "`compare`、`check`、`report`、`explain`、`reconcile` 与 `curve` 也是如此。"
            "`rankgauge doctor answers.jsonl` 会说明文件被识别为什么、依据是什么。比较两个这样的文件："
            '`rankgauge compare old.jsonl new.jsonl`，或 `rg.compare(["old.jsonl", "new.jsonl"])`。'
            "每行既有等级又有分数或名次的表格也同时含有两者，各种形式都一样。与 `prediction` 并列的 `rating` 是等级；"
            '其他列名请写 `columns={"grade": "rating", "score": "score"}`（`--columns grade=rating,score=score`）。'
            "此时只有返回的物品有标注（[RG116](your-data.zh-CN.md#rg116)）。",
        ),
        ('rg.evaluate(folder / "answers.jsonl", metrics="RR").mean("RR")',),
    ),
    Section(
        Phrase("Judgments or a ranking?", "标注还是排序结果？"),
        Phrase(
            "`{query: [items]}` can be both. As an argument of a verb, the position decides: judgments come first. "
            "Alone, "
            'such a file is refused ([RG114](your-data.md#rg114)); `role="judgments"` or `role="ranking"` (`--role`) '
            "decides. A file that fits the shapes of two tools is refused as well, and `format=` names one.",
            "`{查询: [物品]}` 既可能是标注，也可能是排序结果。作为函数参数时由位置决定：标注在前。单独读取时会被拒绝"
            '（[RG114](your-data.zh-CN.md#rg114)），需用 `role="judgments"` 或 `role="ranking"`（`--role`）指明。'
            "同时符合两种工具形式的文件也会被拒绝，需用 `format=` 指明其中一种。",
        ),
        (
            r'_ = (folder / "lists.json").write_text(json.dumps({"q1": ["x", "a"]}))',
            'rg.evaluate(data.judgments, folder / "lists.json", "RR").mean("RR")',
            '[*rg.read(folder / "lists.json", role="ranking").rankings]',
        ),
    ),
    Section(
        Phrase("Folders, globs and splits", "目录、通配符与划分"),
        Phrase(
            "A folder as BEIR stores it (`corpus.jsonl`, `queries.jsonl`, `qrels/test.tsv`), or a snapshot of a data "
            "set of Hugging Face with the same parts as Parquet, gives the judgments, and its texts to the report. A "
            "folder with several splits is refused with their names; `split=` (`--split`) chooses one: "
            '`"test"`, or `"en-qrels/test"` if there are several subsets. Of ESCI, which is one table, it chooses the '
            "rows; judgments that name no splits are refused with it. Other folders, and globs such as "
            "`run/part-*.parquet`, are read file by file as one source.",
            "BEIR 式的目录（`corpus.jsonl`、`queries.jsonl`、`qrels/test.tsv`），或由 Parquet 组成、内容相同的 "
            "Hugging Face 数据集快照，给出标注，其文本用于报告。有多个划分的目录会被拒绝，并列出各划分的名称；"
            '用 `split=`（`--split`）选择：`"test"`，有多个子集时写 `"en-qrels/test"`。ESCI 只有一张表，'
            "该选项选择其中的行；标注没有注明划分时不接受该选项。其他目录，以及 `run/part-*.parquet` "
            "这样的通配符，按文件依次读取，视为一个来源。",
        ),
        (
            '_ = (folder / "set" / "qrels").mkdir(parents=True)',
            r'header = "query-id\tcorpus-id\tscore\n"',
            r'_ = (folder / "set/qrels/dev.tsv").write_text(header + "q1\tx\t1\n")',
            r'_ = (folder / "set/qrels/test.tsv").write_text(header + "q1\ta\t1\n")',
            'rg.evaluate(folder / "set", {"q1": ["x", "a"]}, "RR", split="test").mean("RR")',
        ),
    ),
    Section(
        Phrase("Rankings that refer to their judgments", "按位置对应标注的排序结果"),
        Phrase(
            "A file of scores, one for each row of a LETOR file (text, `.npy`, or what RankLib writes with `-score`), "
            "and a `prediction.txt` for the `behaviors.tsv` of MIND have no ids: pass the file that they belong to as "
            "the judgments. In Python the scores of a LETOR file may also be a flat array, list or Series, such as "
            "`model.predict(X)`. The rows of a LETOR file without `qid:` are grouped by the sizes in a `.group` or "
            "`.query` file beside it (`train.txt.group`); `groups=` takes such a file for arrays. The queries of such "
            "a file count from 1, those of arrays from 0. The rows of a LETOR file without a docid are named by their "
            "number and, like those of arrays, stay in input order where scores tie.",
            "与 LETOR 文件逐行对应的分数文件（文本、`.npy` 或 RankLib 的 `-score` 输出），以及与 MIND 的 "
            "`behaviors.tsv` 对应的 `prediction.txt`，本身没有标识：请把所对应的文件作为标注给出。在 Python 中，LETOR "
            "文件的分数也可以是一维数组、列表或 Series，如 `model.predict(X)`。LETOR 文件的行没有 `qid:` 时，按旁边的 "
            "`.group` 或 `.query` 文件（`train.txt.group`）中的大小分组；对数组，`groups=` 也接受这种文件。"
            "这种文件的查询从 1 编号，数组的查询从 0 编号。LETOR 文件的行没有 docid 时以行号命名；"
            "分数并列时与数组的行一样，保持输入顺序。",
        ),
        (
            r'_ = (folder / "test.txt").write_text("1 qid:7 1:0.5\n0 qid:7 1:0.1\n")',
            r'_ = (folder / "scores.txt").write_text("0.2\n0.9\n")',
            'rg.evaluate(folder / "test.txt", folder / "scores.txt", "RR").per_query("RR")',
        ),
    ),
    Section(
        Phrase("Values from elsewhere", "其他工具算出的值"),
        Phrase(
            "Values per query can be compared, checked and reported without judgments and rankings: the output of "
            "`trec_eval -q` or `ir_measures -q`, a table with a column for the query and one for each metric (or "
            "`query`, `metric`, `value`) in CSV, TSV, JSON or JSONL, lines of run, measure, topic and value or of run, "
            "topic, measure and value (leaderboards of Auto-Judge, as far as their measures are known here), "
            "`Scores.to_json`, JSON of `{query: {metric: value}}` as pytrec_eval returns it, results of MTEB or "
            "BEIR, where each task or data set counts as a query (a file, or a folder of them), and [verdicts on "
            "nuggets and citations](rag.md#verdicts-on-answers). These files are read "
            "whole, not block by block: they have one row per query. On the command line: `rankgauge compare "
            "old.txt new.txt`, and so for `check`, `report` and "
            "`eval`. The rules, ties and unjudged items are then unknown, left out of the output, and the output says "
            "so. Measures whose mean is no mean of queries, such as counts, are left out "
            "([RG118](your-data.md#rg118)).",
            "各查询的值无需标注与排序结果即可比较、检查与生成报告：`trec_eval -q` 或 `ir_measures -q` 的输出、"
            "含查询列与各指标列的表格（或 `query`、`metric`、`value` 三列；CSV、TSV、JSON 或 JSONL）、"
            "由系统、指标、主题与值或系统、主题、指标与值组成的行（Auto-Judge 的榜单，限本库已知的指标）、"
            "`Scores.to_json`、pytrec_eval 返回的 `{查询: {指标: 值}}` JSON、"
            "MTEB 或 BEIR 的结果（一个文件，或一个目录；每个任务或数据集视为一个查询），"
            "以及[对要点与引用的判定](rag.zh-CN.md#对回答的判定)。这些文件每个查询只有一行，整体读入，"
            "不分块。命令行写法：`rankgauge compare old.txt new.txt`，`check`、`report` 与 `eval` "
            "也是如此。此时规则、并列与未标注物品不得而知，输出中不含这些内容，并会说明。"
            "总体值不是各查询均值的指标（如计数）不读取（[RG118](your-data.zh-CN.md#rg118)）。",
        ),
        (
            r'_ = (folder / "old.txt").write_text("map\tq1\t0.25\nmap\tq2\t0.5\n")',
            r'_ = (folder / "new.txt").write_text("map\tq1\t0.50\nmap\tq2\t0.75\n")',
            'values = rg.read_scores({"old": folder / "old.txt", "new": folder / "new.txt"})',
            "values.means()",
            'rg.compare(values).pairs("AP")[0].difference',
        ),
    ),
    Section(
        Phrase("Objects", "对象"),
        Phrase(
            "Lists of records, frames with list columns (pandas, polars, Arrow), `datasets.Dataset`, iterators and "
            "datasets of ir_datasets, `Qrels` and `Run` of ranx, data sets of ragas, test cases of "
            "deepeval, and lists of documents of LangChain or Haystack or of nodes of LlamaIndex by query. Judgments "
            "may be a `DatasetDict` (`split=` chooses). They are recognised by what they have; no library is "
            "imported. A document is identified by its id, by `id`, `source` and the like in its metadata, or else by "
            "its text.",
            "记录的列表、含列表列的 DataFrame（pandas、polars、Arrow）、`datasets.Dataset`、ir_datasets 的迭代器与"
            "数据集、"
            "ranx 的 `Qrels` 与 `Run`、ragas 的数据集、deepeval 的测试用例，以及按查询给出的 LangChain、Haystack "
            "文档或 LlamaIndex 节点列表。标注可以是 `DatasetDict`（用 `split=` 选择）。"
            "依据对象所具有的属性识别，不导入任何库。文档以其 id 为标识，没有时取元数据中的 `id`、`source` 等，再没"
            "有则取文本。",
        ),
        (
            'records = [{"query": "q1", "hits": [{"id": "x", "score": 0.9}, {"id": "a", "score": 0.4}]}]',
            'rg.evaluate(data.judgments, records, "RR").mean("RR")',
            "temporary.cleanup()",
        ),
    ),
    Section(
        Phrase("Memory", "内存"),
        Phrase(
            "Lines, rows and elements of arrays are read block by block: memory grows with the judgments, not "
            "with the rankings ([benchmarks/formats.md](../benchmarks/formats.md)). Read whole are: values from "
            "elsewhere, rankings that refer to their judgments by position, JSON documents other than "
            "`{query: {item: number}}` and `{query: [items]}` (up to 256 MB a value), and standard input in formats "
            "that are read at random places (JSON, Parquet, Arrow, HDF5).",
            "行与数组元素分块读取：内存随标注增大，不随排序结果增大"
            "（见 [benchmarks/formats.md](../benchmarks/formats.md)）。整体读入的有：其他工具算出的值、"
            "按位置对应标注的排序结果、`{查询: {物品: 数}}` 与 `{查询: [物品]}` 以外的 JSON 文档"
            "（单个值不超过 256 MB），"
            "以及从标准输入读取的需随机访问的格式（JSON、Parquet、Arrow、HDF5）。",
        ),
    ),
    Section(
        Phrase("What is not read", "不读取的内容"),
        Phrase(
            "- Assignments of nuggetizer and AutoNuggetizer: they grade the nuggets of an answer, not ranked items. "
            "Nuggets of FreshStack are read as relevant documents; as subtopics, pass them to "
            "`rg.SideInformation(subtopics=...)`.\n"
            "- Ranges of characters (chunking_evaluation): the excerpts are read as texts; how much of an excerpt a "
            "chunk covers is no rank.\n"
            "- Measures of a leaderboard or table that are unknown here: their range and direction are unknown "
            "([RG118](your-data.md#rg118)).\n"
            "- Results of VectorDBBench and qdrant's benchmark: they have means only. `neighbors.parquet` is read.\n"
            "- Logs of promptfoo, Inspect and lm-eval, and answers without retrieved items: no list is ranked.\n"
            "- Events of UBI: clicks are not grades; the lists of its queries are read, and `rg.off_policy` takes "
            "logged behaviour.\n"
            "- `.ivecs`, `.ibin` and `.fbin`: numbers without names or marks; write HDF5 or Parquet.\n"
            "- Pickles and `.pth`: reading them runs code.",
            "- nuggetizer 与 AutoNuggetizer 的标注：评的是答案中的要点，不是排序的物品。FreshStack 的要点读作相关文档；"
            "作为子主题使用时，请传给 `rg.SideInformation(subtopics=...)`。\n"
            "- 字符区间（chunking_evaluation）：摘录作为文本读取；文本块覆盖了摘录的多少，不是名次。\n"
            "- 榜单或表格中未知的指标：不知道其取值范围与方向（[RG118](your-data.zh-CN.md#rg118)）。\n"
            "- VectorDBBench 与 qdrant 基准的结果：只有均值。`neighbors.parquet` 可以读取。\n"
            "- promptfoo、Inspect 与 lm-eval 的日志，以及不含检索结果的答案：没有排序。\n"
            "- UBI 的事件：点击不是等级；其查询中的列表可以读取，行为日志见 `rg.off_policy`。\n"
            "- `.ivecs`、`.ibin` 与 `.fbin`：只有数，没有名称与标记；请写成 HDF5 或 Parquet。\n"
            "- pickle 与 `.pth`：读取它们会执行代码。",
        ),
    ),
)

WORDS = {
    "formats page": Phrase("What can be read", "可以读取哪些格式"),
    "formats intro": Phrase(
        "Files of search engines, evaluation tools, competitions and traces are read as they are. A file has a *"
        "format* "
        "(JSONL, Parquet, ...), and its records may have the *shape* that a tool writes. Tables with one item per row "
        "are described in [your-data.md](your-data.md).",
        "搜索引擎、评测工具、竞赛与调用链（trace）的文件可以直接读取。文件有*格式*（JSONL、Parquet 等），"
        "其中的记录可以是某个工具写出的*形式*。每行一个物品的表格见 [your-data.zh-CN.md](your-data.zh-CN.md)。",
    ),
    "formats of files": Phrase("Formats", "格式"),
    "record shapes": Phrase("Shapes of records", "记录的形式"),
    "record shapes text": Phrase(
        "A record is a line of JSONL, an element of a JSON array (also under `data`, `rows`, `records`, `results`, "
        "`samples`, `examples`, `test_cases` or `runs`), or a row of a Parquet or Arrow file, of a frame, or of CSV"
        ", where "
        "a list is written as JSON, as a Python list, or with one separator (blanks, commas, `;` or `|`) between "
        "ids. Files are read block by "
        "block. The shape is recognised from the first record; one that differs is reported with its line, its field "
        "and the reason. A record holds the whole list of its query: a second one is an error "
        "([RG306](your-data.md#rg306)). A retriever in a trace that returned an empty list found nothing, which "
        "counts; one without an output (`null`, or a span with the status `ERROR`) failed: "
        "[RG122](your-data.md#rg122), which `lenient=True` leaves out, so that the rule `missing` decides. "
        "OpenInference has no attribute for an empty list: such a span is skipped.",
        "一条记录是 JSONL 的一行、JSON 数组的一个元素（也可在 `data`、`rows`、`records`、`results`、`samples`、"
        "`examples`、`test_cases` 或 `runs` 之下），或 Parquet、Arrow、DataFrame、CSV 的一行；CSV 中的列表可以写成 "
        "JSON、"
        "Python 列表，或以同一种分隔符（空格、逗号、`;` 或 `|`）分隔的标识。"
        "文件分块读取。形式由第一条记录判断，与之不同的记录会连同行号、字段"
        "与原因报告。"
        "一条记录是其查询的完整列表，再次出现同一查询会报错（[RG306](your-data.zh-CN.md#rg306)）。"
        "调用链中的检索器返回空列表表示没有找到，照常计入；没有输出（`null`，或状态为 `ERROR` 的 span）表示检索失败，"
        "报 [RG122](your-data.zh-CN.md#rg122)，`lenient=True` 会忽略它，由规则 `missing` 决定。OpenInference "
        "没有表示空列表的属性，这样的 span 会被跳过。",
    ),
    "document shapes": Phrase("Shapes of JSON documents", "JSON 文档的形式"),
    "document shapes text": Phrase(
        "A document is one JSON object. Large objects from queries to items are read one query at a time; of the "
        "others, "
        "a value may have up to {limit} MB. The rankings of several systems in one document are read under their "
        "names.",
        "一个文档是一个 JSON 对象。由查询到物品的大对象逐个查询读取；其余对象中单个值不超过 {limit} MB。"
        "一个文档中多个系统的排序结果按各自的名称读取。",
    ),
    "shape": Phrase("shape", "形式"),
    "written by": Phrase("written by", "来源"),
    "list names": Phrase("Names of list columns", "列表列的名称"),
    "list names text": Phrase(
        "Without a tool's shape, lists are recognised by the names of their columns; case, spaces, `_`, `-` and "
        "`.` are "
        'ignored. `columns={"query": ..., "item": ...}` names others. A source with both lists under names of its own '
        'is read with one for each side: `columns={"query": ..., "judgments": {"item": ...}, "ranking": {"item": '
        "...}}`, on the command line `--columns query=...,judgments.item=...,ranking.item=...`. Elements may be ids, "
        "texts, pairs of id and "
        "number, or objects with an id or a text, and a score or a grade. Without scores, the order of the list "
        "counts; a "
        "relevant item without a grade has grade 1. Lists inside a list of relevant items are groups, of which "
        "any member will do ([RG115](your-data.md#rg115)).",
        "没有特定工具的形式时，依据列名识别列表；忽略大小写、空格、`_`、`-` 与 `.`。其他列名用 "
        '`columns={"query": ..., "item": ...}` 指明。若一个来源同时含有两种列表且列名都无法识别，请分别指明：'
        '`columns={"query": ..., "judgments": {"item": ...}, "ranking": {"item": ...}}`，命令行上写 '
        "`--columns query=...,judgments.item=...,ranking.item=...`。元素可以是标识、文本、标识与数的二元组，"
        "或含标识（或文本）以及分数或等级的对象。没有分数时以列表的先后为准；没有等级的相关物品等级为 1。"
        "相关物品列表中的列表是分组，命中组内任一成员即可（[RG115](your-data.zh-CN.md#rg115)）。",
    ),
    "judged": Phrase("relevant items", "相关物品"),
    "ranked": Phrase("returned items", "返回的物品"),
    "either": Phrase("either, by position", "由位置决定"),
    "scores": Phrase("scores in a second list", "另一列表中的分数"),
    "grades": Phrase("grades in a second list", "另一列表中的等级"),
    "holds": Phrase("holds", "含义"),
}
