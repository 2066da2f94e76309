"""The blocks of a document: headings, paragraphs, formulas and tables.

Texts and cells may be hostile (ids and file names are); each renderer escapes what its format would interpret.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True)
class Heading:
    """A title; level 1 is the title of the document."""

    text: str
    level: int = 1


@dataclass(frozen=True)
class Paragraph:
    """One or more sentences."""

    text: str


@dataclass(frozen=True)
class ShellCommand(Paragraph):
    """A command for a shell, which Markdown shows as code."""


@dataclass(frozen=True)
class Calculation(Paragraph):
    """Names and numbers between blanks and the signs =, / and →, which LaTeX sets as mathematics."""


@dataclass(frozen=True)
class Formula:
    """Mathematics in LaTeX, never a text from a caller."""

    latex: str
    label: str = ""
    """What precedes it; without a label, texts for a terminal leave the formula out."""


class Value(str):
    """A cell that may stand out as the best of its column, and have marks as superscripts."""

    __slots__ = ("best", "marks")
    best: bool
    marks: str

    def __new__(cls, text: str, *, best: bool = False, marks: str = "") -> Self:
        """Return the text with its marks."""
        value = super().__new__(cls, text)
        value.best, value.marks = best, marks
        return value


class Mathematics(str):
    """A cell that has a notation in LaTeX."""

    __slots__ = ("latex",)
    latex: str

    def __new__(cls, text: str, latex: str) -> Self:
        """Return the text with its notation."""
        symbol = super().__new__(cls, text)
        symbol.latex = latex
        return symbol


@dataclass(frozen=True)
class Table:
    """Rows of cells; ``align`` has one letter per column, l or r, and defaults to l."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    align: str = ""
    caption: str = ""
    keys: Sequence[str] = ()
    """Names of the columns that do not depend on the language."""
    optional: Sequence[str] = ()
    """Titles of the columns that a narrow terminal may leave out, the first of them first."""
    plain_caption: str = ""
    """The caption where neither bold type nor superscripts can be shown, if it differs."""
    left_out: str = ""
    """The sentence that says which columns were left out, with ``{columns}`` as placeholder."""

    @property
    def alignment(self) -> str:
        """One letter per column."""
        return self.align or "l" * len(self.columns)


Block = Heading | Paragraph | Formula | Table
