"""``rankgauge convert``: judgments and rankings from one format to another."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from rankgauge.cli.command import Argument, define_command
from rankgauge.cli.console import write_saved
from rankgauge.cli.item_options import FILE
from rankgauge.cli.localization import usage_error
from rankgauge.cli.options import READING, ROLE, TAG, Reading
from rankgauge.cli.output import file_options
from rankgauge.cli.summaries import COMMANDS
from rankgauge.inputs.codes import Role
from rankgauge.inputs.formats.registry import FORMATS, WRITABLE, format_titles
from rankgauge.rendering.language import Phrase

READ = format_titles(FORMATS, Phrase("and", "与"))
WRITTEN = format_titles([row for row in FORMATS if row.writable], Phrase("and", "与"))


@define_command(
    COMMANDS["convert"],
    f"""Reads {READ.en}; writes {WRITTEN.en}. Ids are written unchanged, including
    those that a spreadsheet would run as a formula.""",
    f"""可读取 {READ.zh}；可写入 {WRITTEN.zh}。标识原样写出，包括会被电子表格当作公式的标识。""",
    Argument("source", "IN", type=FILE),
    *file_options(WRITABLE),
    ROLE,
    TAG,
    READING,
    examples="""
    # formats by the endings | 按扩展名决定格式
    rankgauge convert keywords.csv -o keywords.parquet
    # compressed: .gz, .bz2, .xz or .zst | 压缩：.gz、.bz2、.xz 或 .zst
    rankgauge convert judgments.csv -o judgments.jsonl.gz
    # from a pipe to a pipe | 从管道读取，输出到管道
    cat keywords.csv | rankgauge convert - --to tsv
    """,
)
def command(
    source: str, path: Path | None, to: str | None, force: bool, role: Role | None, tag: str, reading: Reading
) -> None:
    """Convert a file."""
    from rankgauge.matching.convert import convert

    target: Any = sys.stdout.buffer if path in {None, Path("-")} else path
    if path is not target and to is None:
        raise usage_error(
            "pass a file to write, -o out.csv, or the format of standard output, --to csv",
            "请给出要写入的文件，如 -o out.csv，或标准输出的格式，如 --to csv",
        )
    options = reading.read_options(source)
    findings = convert(source, target, to=to, role=role, force=force, tag=tag, read_options=options)
    reading.write_findings(findings)
    if path is not None and target is path:
        write_saved(path, path.stat().st_size)
