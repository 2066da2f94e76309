"""Where results go: standard output or a file, whole."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from rankgauge.cli.console import say, width
from rankgauge.inputs.atomic import whole_file
from rankgauge.render.document import Document

PIECE = 1 << 16
TEXTS = {"table", "md", "latex", "html"}
"""Formats for people; on a console they are written with the characters that it has."""


def put(content: str | bytes, to: str, output: Path | None, *, force: bool) -> None:
    """Write a result; programs always get UTF-8, a console gets the characters that it has."""
    if output is not None and str(output) != "-":
        with whole_file(output, force=force) as file:
            file.write(content if isinstance(content, bytes) else content.encode())
    elif (to in TEXTS or sys.stdout.isatty()) and to != "parquet":
        say(content if isinstance(content, str) else content.decode())
    else:
        sys.stdout.flush()
        data = content if isinstance(content, bytes) else content.encode()
        for start in range(0, len(data), PIECE):  # so that a reader who has gone is noticed soon
            sys.stdout.buffer.write(data[start : start + PIECE])
            sys.stdout.buffer.flush()


def check_output(output: Path | None, *, force: bool) -> None:
    """Refuse a file that exists before the work is done, not after it."""
    if output is not None and str(output) != "-" and output.is_file() and not force:
        with whole_file(output):
            pass


def page_text(page: Document, to: str, output: Path | None = None) -> str:
    """A document in one of the formats for people."""
    written: dict[str, Callable[[], str]] = {
        "table": lambda: page.to_text(width() if output is None else None),
        "md": page.to_markdown,
        "latex": page.to_latex,
        "html": page.to_html,
    }
    return written[to]() + "\n"
