"""Documents: blocks in reading order that can be rendered in every format.

Texts and cells may be hostile (ids and file names are); each renderer escapes what its format would interpret.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rankgauge.rendering.element import Element


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
class Plot(Paragraph):
    """A drawing with its title, which only HTML shows; its numbers are in a table of the document."""

    drawing: Element


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

    @property
    def _written(self) -> list[Block]:
        return [block for block in self.blocks if not isinstance(block, Plot)]

    def to_text(self, width: int | None = None, *, styled: bool = False) -> str:
        """Render for a terminal of the given width, by default as wide as the content; ``styled`` uses bold type."""
        from rankgauge.rendering import text  # noqa: PLC0415 (imports this module)

        return text.render(self._written, width, styled=styled)

    def to_markdown(self, level: int = 1) -> str:
        """Render as Markdown; ``level`` is the depth of the top heading."""
        from rankgauge.rendering import markdown  # noqa: PLC0415 (as above)

        return "\n\n".join(markdown.render(block, level) for block in self._written)

    def to_latex(self) -> str:
        """Render as LaTeX with booktabs tables."""
        from rankgauge.rendering import latex  # noqa: PLC0415 (as above)

        return latex.render(self._written)

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
