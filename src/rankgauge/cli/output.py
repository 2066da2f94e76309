"""Where results are written: standard output, or a file that appears atomically."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click

from rankgauge.cli.command import Option, OptionGroup
from rankgauge.cli.console import styled, terminal_width, write, write_saved
from rankgauge.cli.localization import bad_parameter, language
from rankgauge.inputs.io.atomic_file import atomic_write
from rankgauge.inputs.io.drawing import FORMATS, rendered
from rankgauge.rendering.document import Document
from rankgauge.rendering.language import Phrase
from rankgauge.rendering.progress import CLOCK

CHUNK = 1 << 16
DOCUMENTS = ("text", "md", "latex", "html")
"""Formats for people; a console shows them with the characters that it has."""
PICTURES = FORMATS
"""Formats of a picture."""
STANDARD_OUTPUT = Phrase("standard output", "标准输出")
BINARY = {"parquet", "png", "pdf"}
TEXT_ENDINGS = {"", ".txt", ".text", ".out", ".log"}
ENDINGS = {
    ".csv": "csv", ".html": "html", ".htm": "html", ".json": "json", ".jsonl": "jsonl", ".md": "md",
    ".ndjson": "jsonl", ".parquet": "parquet", ".pdf": "pdf", ".png": "png", ".svg": "svg", ".tex": "latex",
    ".trec": "trec", ".tsv": "tsv", ".xml": "junit",
}  # fmt: skip
"""The formats that the endings of files imply."""


@dataclass(frozen=True)
class Output:
    """The format and the target of a result; without a path it goes to standard output."""

    to: str
    path: Path | None
    force: bool

    def __post_init__(self) -> None:
        """Refuse a file that exists before the work is done, not after it."""
        if self.path is not None and self.path.is_file() and not self.force:
            with atomic_write(self.path):
                pass

    @property
    def width(self) -> int | None:
        """Columns available to a table; unlimited in a file."""
        return terminal_width() if self.path is None else None

    def show(self, documents: Callable[[], Document | list[Document]] = list, **formats: Callable[[], Any]) -> None:
        """Write a result: as the text or the data that the function of its format returns, else as documents.

        ``svg`` returns a picture, which is also written as PNG and PDF.
        """
        if self.to in PICTURES:
            self.write_picture(formats["svg"]())
            return
        if self.to in formats:
            content = formats[self.to]()
        else:
            pages = documents()
            content = self.render(*(pages if isinstance(pages, list) else [pages]))
        if not isinstance(content, str):
            content = json.dumps(content, ensure_ascii=False, indent=2, default=str)
        self.write(content)

    def render(self, *documents: Document, widest: int | None = None) -> str:
        """Return documents in one of the formats for people; ``widest`` limits lines where there is no terminal.

        HTML is a page in a file, and fragments on standard output.
        """
        if self.to == "html" and self.path is not None:
            from rankgauge.rendering.html import plain_page

            return plain_page([document.blocks for document in documents], language())
        return "\n\n".join(self._fragment(document, widest) for document in documents)

    def _fragment(self, document: Document, widest: int | None) -> str:
        if self.to == "text":
            return document.to_text(self.width or widest, styled=self.path is None and styled(sys.stdout))
        return {"md": document.to_markdown, "latex": document.to_latex, "html": document.to_html}[self.to]()

    def write_picture(self, svg: str) -> None:
        """Write a picture in the format of this output."""
        name = str(self.path or self.to)
        self.write(svg if self.to == "svg" else rendered(svg, "png" if self.to == "png" else "pdf", name))

    def write(self, content: str | bytes) -> None:
        """Write a result; programs always get UTF-8, a console gets the characters that it has."""
        data = content if isinstance(content, bytes) else content.removesuffix("\n").encode() + b"\n"
        if self.path is not None:
            with atomic_write(self.path, force=self.force) as file:
                file.write(data)
            write_saved(self.path, len(data))
        elif (self.to == "text" or sys.stdout.isatty()) and self.to not in BINARY:
            write(data.decode())
        else:
            CLOCK.stop()
            sys.stdout.flush()
            for start in range(0, len(data), CHUNK):  # in pieces, so that a closed pipe is noticed soon
                sys.stdout.buffer.write(data[start : start + CHUNK])
                sys.stdout.buffer.flush()


def to_csv(records: Sequence[dict[str, object]]) -> str:
    """Return records as CSV; a list becomes one cell, separated by blanks."""
    from rankgauge.evaluation.score_formats import table_text

    cells = ([" ".join(map(str, cell)) if isinstance(cell, list) else cell for cell in row.values()] for row in records)
    return table_text(records[0], cells, ",")


def output_options(formats: Sequence[str], default_file: str = "") -> OptionGroup:
    """Return ``-o/--output``, ``-t/--to`` and ``--force`` as one group; the first format is the default.

    With ``default_file``, a name without an ending, the result goes to a file where ``--output`` is not given.
    """
    target = Phrase(*[f"{default_file}.{formats[0]}"] * 2) if default_file else STANDARD_OUTPUT
    options = file_options(formats, target, default=formats[0])
    return OptionGroup("output", partial(_output, tuple(formats), default_file), options)


def file_options(formats: Sequence[str], target: Phrase = STANDARD_OUTPUT, *, default: str = "") -> tuple[Option, ...]:
    """Return ``-o/--output``, ``-t/--to`` and ``--force``, with what is written without the first two."""
    path = Option(
        "-o --output path FILE",
        f"Write to a file atomically; - is standard output.  [default: {target.en}]",
        f"以原子方式写入文件；- 表示标准输出。  [默认：{target.zh}]",
        type=click.Path(path_type=Path),
    )
    to = Option(
        "-t --to",
        "Output format; implied by the ending of --output where it has one."
        + f"  [default: {default}]" * bool(default),
        "输出格式；--output 的扩展名已说明时可不写。" + f"  [默认：{default}]" * bool(default),
        type=click.Choice([*formats]),
    )
    return path, to, Option("--force", "Replace files that exist.", "文件已存在时将其替换。", is_flag=True)


def _output(formats: tuple[str, ...], default_file: str, path: Path | None, to: str | None, force: bool) -> Output:
    chosen = to or (_implied_format(path, formats) if path and str(path) != "-" else formats[0])
    if path is None and default_file:
        path = Path(default_file + next(ending for ending, name in ENDINGS.items() if name == chosen))
    return Output(chosen, None if path is None or str(path) == "-" else path, force)


def _implied_format(path: Path, formats: tuple[str, ...]) -> str:
    """Return the format that a file's ending implies; text goes into files without an ending, too."""
    implied = ENDINGS.get(path.suffix.lower())
    if implied in formats:
        return implied
    if path.suffix.lower() in TEXT_ENDINGS and formats[0] == "text":
        return formats[0]
    raise bad_parameter(
        "--output",
        "{path}: the ending implies no format that {command} writes; pass --to with one of {formats}",
        "{path}：扩展名不对应 {command} 可写的格式；请用 --to 指定其一：{formats}",
        path=path,
        command=click.get_current_context().info_name,
        formats=", ".join(formats),
    )
