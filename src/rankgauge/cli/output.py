"""Where results go: standard output or a file, whole."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rankgauge.cli.console import say, width
from rankgauge.inputs.io.atomic_file import atomic_write

if TYPE_CHECKING:
    from rankgauge.rendering.document import Document

PIECE = 1 << 16
TEXTS = {"table", "md", "latex", "html"}
"""Formats for people; on a console they are written with the characters that it has."""


@dataclass(frozen=True)
class Output:
    """What is written, and where to: standard output where there is no path."""

    to: str
    path: Path | None
    force: bool

    @property
    def room(self) -> int | None:
        """How wide a table may be; as wide as it is where it goes to a file."""
        return width() if self.path is None else None

    def check(self) -> None:
        """Refuse a file that exists before the work is done, not after it."""
        if self.path is not None and str(self.path) != "-" and self.path.is_file() and not self.force:
            with atomic_write(self.path):
                pass

    def page(self, page: Document) -> str:
        """A document in one of the formats for people."""
        written: dict[str, Callable[[], str]] = {
            "table": lambda: page.to_text(self.room),
            "md": page.to_markdown,
            "latex": page.to_latex,
            "html": page.to_html,
        }
        return written[self.to]() + "\n"

    def put(self, content: str | bytes) -> None:
        """Write a result; programs always get UTF-8, a console gets the characters that it has."""
        if self.path is not None and str(self.path) != "-":
            with atomic_write(self.path, force=self.force) as file:
                file.write(content if isinstance(content, bytes) else content.encode())
        elif (self.to in TEXTS or sys.stdout.isatty()) and self.to != "parquet":
            say(content if isinstance(content, str) else content.decode())
        else:
            sys.stdout.flush()
            data = content if isinstance(content, bytes) else content.encode()
            for start in range(0, len(data), PIECE):  # so that a reader who has gone is noticed soon
                sys.stdout.buffer.write(data[start : start + PIECE])
                sys.stdout.buffer.flush()
