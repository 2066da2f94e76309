"""Options for what returned items are: units that they belong to, and spans of documents."""

from __future__ import annotations

import click

from rankgauge.cli.command import Option

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
