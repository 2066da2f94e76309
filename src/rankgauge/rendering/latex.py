"""Documents as LaTeX with booktabs tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rankgauge.rendering.blocks import Block, Formula, Heading, Paragraph, Table
from rankgauge.rendering.text import neutral

SECTIONS = ("section", "subsection", "subsubsection", "paragraph")
ESCAPES = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        **{c: rf"\{c}" for c in "&%$#_{}"},
        "·": r"\textperiodcentered{}",
        "×": r"$\times$",
        "÷": r"$\div$",
        "≥": r"$\geq$",
        "…": r"\ldots{}",
        "→": r"$\rightarrow$",
    }
)


def render(blocks: Sequence[Block]) -> str:
    """Return the blocks, for a document that loads booktabs (and xeCJK for Chinese)."""
    return "\n\n".join(_block(block) for block in blocks)


def _block(block: Block) -> str:
    match block:
        case Heading(text, depth):
            return rf"\{SECTIONS[min(depth, len(SECTIONS)) - 1]}*{{{escaped(text)}}}"
        case Paragraph(text):
            return escaped(text)
        case Formula(latex):
            return rf"\[{latex}\]"
        case Table():
            caption = [rf"\caption{{{escaped(block.caption)}}}"] if block.caption else []
            lines = [
                r"\begin{table}[ht]",
                r"\centering",
                *caption,
                rf"\begin{{tabular}}{{{block.alignment}}}",
                r"\toprule",
                _row(block.columns),
                r"\midrule",
                *map(_row, block.rows),
                r"\bottomrule",
                r"\end{tabular}",
                r"\end{table}",
            ]
            return "\n".join(lines)


def _row(cells: Iterable[str]) -> str:
    row = " & ".join(map(escaped, cells))
    return ("{}" + row if row.startswith("[") else row) + r" \\"  # LaTeX would read a bracket as an option


def escaped(text: str) -> str:
    r"""Return the text with the characters escaped that TeX would interpret.

    >>> print(escaped("50% of a_b"))
    50\% of a\_b
    """
    return neutral(text).translate(ESCAPES)
