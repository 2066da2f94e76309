"""What a document is made of: headings, paragraphs, formulas and tables.

Texts and cells may be hostile (ids and file names are); each renderer neutralises what its format would
execute or misread.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Heading:
    """A title; level 1 is the document's own."""

    text: str
    level: int = 1


@dataclass(frozen=True)
class Paragraph:
    """A sentence or more."""

    text: str


@dataclass(frozen=True)
class Formula:
    """Mathematics in LaTeX; ours, never a caller's text."""

    latex: str


@dataclass(frozen=True)
class Table:
    """Rows of cells; ``align`` has one letter a column, l or r, and defaults to l."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    align: str = ""
    caption: str = ""

    @property
    def alignment(self) -> str:
        """One letter a column."""
        return self.align or "l" * len(self.columns)


Block = Heading | Paragraph | Formula | Table
