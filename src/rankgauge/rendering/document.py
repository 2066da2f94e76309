"""A document: blocks in reading order that can be rendered in every format."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

from rankgauge.rendering import text
from rankgauge.rendering.blocks import (
    Block,
    Calculation,
    Formula,
    Heading,
    Mathematics,
    Paragraph,
    ShellCommand,
    Table,
    Value,
)

WIDTH = 120
"""Columns of a printed result where no terminal says how many there are."""


@dataclass(frozen=True, repr=False)
class Document:
    r"""Output for people, built once as data and rendered on demand.

    >>> page = Document([Heading("Scores"), Table(["list", "nDCG"], [["a|b", "0.97"]], align="lr")])
    >>> print(page.to_markdown())
    # Scores
    <BLANKLINE>
    | list | nDCG |
    | :--- | ---: |
    | a\|b | 0.97 |
    """

    blocks: Sequence[Block]

    def to_text(self, width: int | None = None, *, styled: bool = False) -> str:
        """Render for a terminal of the given width, by default as wide as the content; ``styled`` uses bold type."""
        return text.render(self.blocks, width, styled=styled)

    def to_markdown(self, level: int = 1) -> str:
        """Render as Markdown; ``level`` is the depth of the top heading."""
        from rankgauge.rendering import markdown  # noqa: PLC0415 (as below)

        return "\n\n".join(markdown.render(block, level) for block in self.blocks)

    def to_latex(self) -> str:
        """Render as LaTeX with booktabs tables."""
        from rankgauge.rendering import latex  # noqa: PLC0415 (as below)

        return latex.render(self.blocks)

    def to_html(self) -> str:
        """Render as an HTML fragment without scripts or styles."""
        from rankgauge.rendering import html  # noqa: PLC0415 (the table of HTML entities is slow to load)

        return html.render(self.blocks)

    def __str__(self) -> str:
        return self.to_text(text_width())

    def __repr__(self) -> str:
        count = len(self.blocks)
        return f"<Document of {count} block{'s' * (count != 1)}; print shows it>"

    def _repr_html_(self) -> str:
        return self.to_html()


def text_width() -> int:
    """Return the width of the terminal, or one that most windows have where the output is not a terminal."""
    if sys.stdout is None or not sys.stdout.isatty():
        return WIDTH
    import shutil  # noqa: PLC0415 (slow to load)

    return shutil.get_terminal_size().columns


class ShownAsDocument:
    """Base class of results that print as a document, also in notebooks."""

    def document(self, lang: str = "en") -> Document:
        """Return the result as a document."""
        raise NotImplementedError

    def printed_document(self) -> Document:
        """Return what ``print`` and a notebook show: the document and warnings about the data."""
        return self.document()

    def __str__(self) -> str:
        return self.printed_document().to_text(text_width())

    def _repr_html_(self) -> str:
        return self.printed_document().to_html()


__all__ = [
    "Block",
    "Calculation",
    "Document",
    "Formula",
    "Heading",
    "Mathematics",
    "Paragraph",
    "ShellCommand",
    "ShownAsDocument",
    "Table",
    "Value",
]
