"""Documents as LaTeX with booktabs tables."""

from __future__ import annotations

from collections.abc import Iterable

from rankgauge.rendering.blocks import Block, Formula, Heading, Paragraph, Table, Value
from rankgauge.rendering.text import neutral

SECTIONS = ("section", "subsection", "subsubsection", "paragraph")
TEXT = {"\\": "backslash", "~": "asciitilde", "^": "asciicircum", "<": "less", ">": "greater", "|": "bar"}
MATH = {"×": "times", "÷": "div", "≥": "geq", "→": "rightarrow"}
ESCAPES = str.maketrans(
    {
        **{c: rf"\{c}" for c in "&%$#_{}"},
        **{c: rf"\text{name}{{}}" for c, name in TEXT.items()},
        **{c: rf"$\{name}$" for c, name in MATH.items()},
        "·": r"\textperiodcentered{}",
        "−": "$-$",
        "…": r"\ldots{}",
    }
)


def render(block: Block) -> str:
    """Return a block, for a document that loads booktabs (and xeCJK for Chinese)."""
    match block:
        case Heading(text, depth):
            return rf"\{SECTIONS[min(depth, len(SECTIONS)) - 1]}*{{{escaped(text)}}}"
        case Paragraph(text):
            return escaped(text)
        case Formula(latex):
            return rf"\[{latex}\]"
        case Table():
            caption = [rf"\caption{{{escaped(block.caption)}}}"] if block.caption else []
            start = [r"\begin{table}[ht]", r"\centering", *caption, rf"\begin{{tabular}}{{{block.alignment}}}"]
            body = [r"\toprule", _row(block.columns), r"\midrule", *map(_row, block.rows), r"\bottomrule"]
            return "\n".join([*start, *body, r"\end{tabular}", r"\end{table}"])


def _cell(text: str) -> str:
    if not isinstance(text, Value):
        return escaped(text)
    marks = rf"\textsuperscript{{{escaped(text.marks)}}}" if text.marks else ""
    return (rf"\textbf{{{escaped(text)}}}" if text.best else escaped(text)) + marks


def _row(cells: Iterable[str]) -> str:
    row = " & ".join(map(_cell, cells))
    return ("{}" + row if row.startswith("[") else row) + r" \\"  # LaTeX would read a bracket as an option


def escaped(text: str) -> str:
    r"""Return the text with the characters escaped that TeX would interpret.

    >>> print(escaped("50% of a_b"))
    50\% of a\_b
    """
    return neutral(text).translate(ESCAPES)
