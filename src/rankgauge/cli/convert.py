"""``rankgauge convert``: judgments and rankings from one format to another."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from rankgauge.cli.command import Argument, Option, define_command
from rankgauge.cli.console import write_saved
from rankgauge.cli.item_options import FILE
from rankgauge.cli.localization import usage_error
from rankgauge.cli.options import READING, ROLE, TAG, Reading
from rankgauge.cli.summaries import COMMANDS
from rankgauge.inputs.codes import Role
from rankgauge.inputs.formats.registry import FORMATS, WRITABLE, format_titles
from rankgauge.rendering.language import Phrase

READ = format_titles(FORMATS, Phrase("and", "与"))
WRITTEN = format_titles([row for row in FORMATS if row.writable], Phrase("and", "与"))


@define_command(
    COMMANDS["convert"],
    f"""Reads {READ.en}; writes {WRITTEN.en}. The target is written atomically. Ids are written unchanged, including
    those that a spreadsheet would run as a formula.""",
    f"""可读取 {READ.zh}；可写入 {WRITTEN.zh}。目标文件以原子方式写入。
    标识原样写出，包括会被电子表格当作公式的标识。""",
    Argument("source", "IN", type=FILE),
    Argument("target", "OUT", type=FILE),
    Option(
        "-t --to",
        "Format of OUT; implied by its ending where it has one.",
        "目标文件的格式；扩展名已说明时可不写。",
        type=click.Choice(WRITABLE),
    ),
    ROLE,
    TAG,
    READING,
    Option("--force", "Replace OUT if it exists.", "目标文件已存在时将其替换。", is_flag=True),
    examples="""
    # formats by the endings | 按扩展名决定格式
    rankgauge convert keywords.csv keywords.parquet
    # compressed: .gz, .bz2, .xz or .zst | 压缩：.gz、.bz2、.xz 或 .zst
    rankgauge convert judgments.csv judgments.jsonl.gz
    # from a pipe to a pipe | 从管道读取，输出到管道
    cat keywords.csv | rankgauge convert - - --to tsv
    """,
)
def command(
    source: str, target: str, to: str | None, role: Role | None, tag: str, reading: Reading, force: bool
) -> None:
    """Convert a file."""
    from rankgauge.matching.convert import convert

    if target == "-" and to is None:
        raise usage_error("pass the format of standard output: --to csv", "请指定标准输出的格式，如 --to csv")
    stream_or_path = sys.stdout.buffer if target == "-" else target
    options = reading.read_options(source)
    findings = convert(source, stream_or_path, to=to, role=role, force=force, tag=tag, read_options=options)
    reading.write_findings(findings)
    if target != "-":
        write_saved(target, Path(target).stat().st_size)
