"""Options for what items and queries are: units of items, spans of documents, and attributes of queries."""

from __future__ import annotations

from dataclasses import dataclass

import click

from rankgauge.cli.command import Option, OptionGroup
from rankgauge.cli.localization import usage_error

FILE = click.Path(allow_dash=True)
"""A file, which the shell completes; the reader reports what is wrong with it."""
UNITS = Option(
    "--units",
    "What each returned item, such as a chunk, belongs to: a table of items and units, or 'before last #'. Implies "
    "--rule units=rolled-up and, unless it is given, --rule duplicates=close-up.",
    "每个返回物品（如文本块）所属的单位：物品与单位的表，或 'before last #' 这样的规则。隐含 --rule units=rolled-up；"
    "未指定 duplicates 时还隐含 --rule duplicates=close-up。",
)
SPANS = (
    Option(
        "--spans",
        "Read excerpts and chunks of tools by their document and offsets, not by their ids; rankings are if the "
        "judgments are spans.",
        "按文档与偏移量（而不是 id）读取工具写出的片段与文本块；标注为片段时，排序结果总是如此。",
        is_flag=True,
    ),
    Option(
        "--documents",
        "The texts of documents, to check spans and find texts without offsets: a table of id and text, or a folder.",
        "文档的文本，用于检查片段、查找没有偏移量的文本：含 id 与 text 的表，或文件夹。",
        type=FILE,
    ),
)


@dataclass(frozen=True)
class SliceOptions:
    """By which attributes of the queries results are divided."""

    attributes: str | None
    by: tuple[str, ...]

    def __post_init__(self) -> None:
        if self.by and self.attributes is None:
            raise usage_error("--by needs --attributes FILE", "--by 需要 --attributes 文件")


SLICES = OptionGroup(
    "slices",
    SliceOptions,
    (
        Option(
            "--attributes FILE",
            "Attributes of queries, for --by: a table with a query column.",
            "查询的属性（用于 --by）：含查询列的表格。",
        ),
        Option(
            "--by NAME",
            "Slice the results by an attribute. Repeatable.",
            "按某个属性对结果分组。可重复。",
            multiple=True,
        ),
    ),
)
