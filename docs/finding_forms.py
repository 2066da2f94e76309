"""Where findings about numbers, rows and pairs are not reported, and why: checked by the tests, shown on a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rankgauge.rendering.language import Phrase

FILES = ("trec", "csv", "tsv", "json", "jsonl", "parquet", "arrow")
TYPED = ("polars", "arrow table", "parquet", "arrow", "relation")
ARRAYS = ("matrix", "flat")
DEVICES = ("torch", "torch items", "jax")
STREAMS = ("streamed", "streamed torch")
NUMBERED = (*ARRAYS, *DEVICES, *STREAMS)
TABLES = ("duckdb", "spark", "sql")
FORMS = {
    "dict": Phrase("dict", "字典"),
    "lists": Phrase("lists", "列表"),
    "rows": Phrase("rows", "元组行"),
    "prepared": Phrase("`rg.Evaluator` called twice", "重复调用的 `rg.Evaluator`"),
    "pandas": Phrase("pandas", "pandas"),
    "polars": Phrase("polars", "polars"),
    "arrow table": Phrase("Arrow table", "Arrow 表"),
    "relation": Phrase("DuckDB relation", "DuckDB 关系"),
    "trec": Phrase("TREC", "TREC"),
    "csv": Phrase("CSV", "CSV"),
    "tsv": Phrase("TSV", "TSV"),
    "json": Phrase("JSON", "JSON"),
    "jsonl": Phrase("JSONL", "JSONL"),
    "parquet": Phrase("Parquet", "Parquet"),
    "arrow": Phrase("Arrow file", "Arrow 文件"),
    "matrix": Phrase("matrix", "矩阵"),
    "flat": Phrase("flat array", "一维数组"),
    "torch": Phrase("`rg.torch`", "`rg.torch`"),
    "torch items": Phrase("`rg.torch` with `JudgedItems`", "用 `JudgedItems` 的 `rg.torch`"),
    "jax": Phrase("`rg.jax`, `rg.cupy`", "`rg.jax`、`rg.cupy`"),
    "streamed": Phrase("`rg.StreamingScores`", "`rg.StreamingScores`"),
    "streamed torch": Phrase("`rg.StreamingScores` with tensors", "用张量的 `rg.StreamingScores`"),
    "duckdb": Phrase("`rg.duckdb`", "`rg.duckdb`"),
    "spark": Phrase("`rg.spark`", "`rg.spark`"),
    "sql": Phrase("`rg.duckdb.matching_sql`", "`rg.duckdb.matching_sql`"),
}
"""The forms of data, and the engines."""
GROUPS = (
    (FILES, Phrase("all files", "所有文件")),
    (NUMBERED, Phrase("all arrays and tensors", "所有数组与张量")),
    (TABLES, Phrase("all engines of tables", "所有表引擎")),
)
"""Forms that the page names together."""


VARIANTS = {
    "text": Phrase("text", "文本"),
    "missing": Phrase("a missing value", "缺失值"),
    "judgments": Phrase("judgments", "标注"),
    "blanks": Phrase("blanks", "空格"),
    "query": Phrase("query ids", "查询标识"),
}
"""Kinds of a finding."""


class Exceptional(NamedTuple):
    """Findings that some forms do not report; a finding can have a kind, such as ``RG411 blanks``."""

    findings: tuple[str, ...]
    forms: tuple[str, ...]
    reason: Phrase


LISTED = (
    *("RG201", "RG202", "RG203", "RG204", "RG205", "RG206", "RG207", "RG211", "RG212", "RG214", "RG302", "RG404"),
    *("RG409", "RG410", "RG415"),
)
OF_IDS = ("RG101 judgments", "RG208", "RG209", "RG215", "RG216", "RG301", "RG302", "RG303", "RG304")
OF_PAIRS = ("RG401", "RG402", "RG403", "RG406", "RG408", "RG409", "RG411")
EXCEPTIONS = (
    Exceptional(
        LISTED, ("lists",), Phrase("lists of items have neither grades nor scores", "物品列表既无等级也无分数")
    ),
    Exceptional(
        ("RG301", "RG302", "RG303"), ("dict", "prepared"), Phrase("a key of a dict occurs once", "字典的键只出现一次")
    ),
    Exceptional(
        (*OF_IDS, *OF_PAIRS),
        NUMBERED,
        Phrase(
            "items of arrays are places: they have no ids and cannot be repeated or missing",
            "数组中的物品就是位置：没有标识，也不会重复或缺失",
        ),
    ),
    Exceptional(
        ("RG201 text", "RG204 text"),
        (*TYPED, *NUMBERED, *TABLES),
        Phrase(
            "a column of numbers has no text, and a column of text is refused (RG111)",
            "数值列中没有文本，文本列会被拒绝（RG111）",
        ),
    ),
    Exceptional(
        ("RG201 missing",),
        (*NUMBERED, "pandas"),
        Phrase("a missing score is NaN there: RG202", "此处缺失的分数就是 NaN：RG202"),
    ),
    Exceptional(
        ("RG209",),
        ("dict", "lists", "rows", "prepared", *TABLES),
        Phrase("ids are the caller's; no line or column was read wrongly", "标识由调用者给出，不存在读错行或列的问题"),
    ),
    Exceptional(
        ("RG304",),
        tuple(form for form in FORMS if form not in FILES),
        Phrase(
            "the data are in memory or sorted by the engine, in whatever order", "数据在内存中或由引擎排序，次序不限"
        ),
    ),
    Exceptional(
        ("RG210",),
        ("dict", "lists", "rows", "prepared", *NUMBERED, *TABLES),
        Phrase("no rank is read beside the score", "除分数外不读取名次"),
    ),
    Exceptional(
        ("RG208",),
        ("trec",),
        Phrase("fields are separated by blanks, so that none can be empty", "字段以空白分隔，不会有空字段"),
    ),
    Exceptional(("RG406",), FILES, Phrase("the ids of both files are read as text", "两个文件的标识都按文本读取")),
    Exceptional(
        ("RG215", "RG216"), ("trec", "csv", "tsv"), Phrase("such files have text ids only", "此类文件只有文本标识")
    ),
    Exceptional(
        ("RG411 blanks",),
        ("trec",),
        Phrase("fields are separated by blanks, which no id can end with", "字段以空白分隔，标识不会以空白结尾"),
    ),
    Exceptional(
        ("RG211", "RG214"),
        (*DEVICES, "streamed torch"),
        Phrase(
            "it would read all scores of the device once more; they are compared in the precision they have, which is "
            "mostly single",
            "需要在设备上再读一遍全部分数；分数按其自身精度（通常为单精度）比较",
        ),
    ),
    Exceptional(
        ("RG203",),
        ("torch items",),
        Phrase("scores are counted and not copied; infinity has a rank", "分数只计数而不复制；无穷大也有名次"),
    ),
    Exceptional(("RG410",), (*TABLES,), Phrase("the rows of a table have no order", "表的各行没有次序")),
    Exceptional(
        ("RG410",),
        STREAMS,
        Phrase(
            "it is reported if the lists of one batch show it; those of several batches are not added up",
            "单批的列表足以说明时才报告；各批之间不累计",
        ),
    ),
    Exceptional(
        ("RG101 judgments",),
        TABLES,
        Phrase(
            "a table without rows has no judged queries, which is an error of its own", "空表没有有标注的查询，另行报错"
        ),
    ),
    Exceptional(
        ("RG101",),
        tuple(form for form in NUMBERED if form != "flat"),
        Phrase("an array without items is refused as such", "没有物品的数组本身即被拒绝"),
    ),
    Exceptional(
        ("RG101",),
        TABLES,
        Phrase(
            "a table without rows has no query in common with the other: RG401", "空表与另一方没有共同的查询：RG401"
        ),
    ),
    Exceptional(
        ("RG406",),
        ("sql",),
        Phrase(
            "ids that are text on one side and numbers on the other are refused by their type",
            "一侧为文本、另一侧为数字的标识按类型即被拒绝",
        ),
    ),
    Exceptional(
        ("RG215", "RG216"),
        TABLES,
        Phrase(
            "ids that are neither text nor integers are refused by their type", "既非文本也非整数的标识按类型即被拒绝"
        ),
    ),
    Exceptional(
        ("RG411 query",),
        TABLES,
        Phrase(
            "queries of one side only are counted, and not compared with each other",
            "只在一侧出现的查询仅计数，不互相比较",
        ),
    ),
    Exceptional(
        ("RG211", "RG214", "RG408", "RG411"),
        ("sql",),
        Phrase("one pass of SQL over the items does not count it", "对物品的一遍 SQL 扫描不统计该项"),
    ),
)
"""Every other finding about numbers, rows and pairs is reported in every form."""


def names_of(forms: Sequence[str]) -> list[Phrase]:
    """Return the names of forms, of the largest groups among them together."""
    names, left = [], [*forms]
    for group, name in sorted(GROUPS, key=lambda entry: -len(entry[0])):
        if {*group} <= {*left}:
            names.append(name)
            left = [form for form in left if form not in group]
    return [*(FORMS[form] for form in left), *names]


def reason(world: str, form: str) -> str:
    """Return why a form does not report a finding; empty if it does."""
    code = world[:5]
    of = {code, world}
    return next((each.reason.en for each in EXCEPTIONS if of & {*each.findings} and form in each.forms), "")
