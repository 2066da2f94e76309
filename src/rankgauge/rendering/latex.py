"""Documents as LaTeX with booktabs tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rankgauge.rendering.blocks import Block, Formula, Heading, Paragraph, Table, Value
from rankgauge.rendering.text import GAP, column_widths, neutral

NUMBER = re.compile(r"([+-]?\d+)\.?(\d*)")
SIZES = {"": 64, r"\footnotesize": 80, r"\scriptsize": 92}
"""Characters on a line of an article, by the size of the type; only small type is folded."""
LONG = 24
"""Width of a column of numbers; longer cells are texts, which may be folded before the type gets smaller."""
EM = 0.5
"""Width of a character."""
FOLDED = {"l": r"\raggedright", "r": r"\raggedleft"}
_BREAK = re.compile(r"(?<=,) *\\qquad\s+")
_NAME = re.compile(r"(\\text\{[^}]*\}|\\[A-Za-z]+)|([A-Za-z]{2,})")
SECTIONS = ("section", "subsection", "subsubsection", "paragraph")
TEXT = {"\\": "backslash", "~": "asciitilde", "^": "asciicircum", "<": "less", ">": "greater", "|": "bar"}
MATH = {
    "×": "times", "÷": "div", "≥": "geq", "≤": "leq", "≠": "neq", "≈": "approx", "→": "rightarrow", "↑": "uparrow",
    "↓": "downarrow", "∞": "infty", "Σ": "Sigma", "∑": "sum", "∏": "prod", "√": "surd", "∈": "in", "∉": "notin",
    "∩": "cap", "∪": "cup", "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "θ": "theta", "λ": "lambda",
    "ρ": "rho", "σ": "sigma", "τ": "tau", "φ": "phi", "π": "pi", "ε": "epsilon", "⌊": "lfloor", "⌋": "rfloor",
    "⌈": "lceil", "⌉": "rceil", "Π": "Pi", "∖": "setminus", "Φ": "Phi", "Δ": "Delta",
}  # fmt: skip
ESCAPES = str.maketrans(
    {
        **{c: rf"\{c}" for c in "&%$#_{}"},
        **{c: rf"\text{name}{{}}" for c, name in TEXT.items()},
        **{c: rf"$\{name}$" for c, name in MATH.items()},
        "·": r"\textperiodcentered{}",
        "−": "$-$",
        "²": "$^2$",
        "…": r"\ldots{}",
    }
)


def render(block: Block) -> str:
    """Return a block, for a document that loads booktabs, amsmath and dcolumn (and ctex for Chinese)."""
    match block:
        case Heading(text, depth):
            return rf"\{SECTIONS[min(depth, len(SECTIONS)) - 1]}*{{{escaped(text)}}}"
        case Paragraph(text):
            return escaped(text)
        case Formula(latex, label):
            return f"{escaped(label)}\n" * bool(label) + _displayed(latex)
        case Table():
            return _table(block)


def _displayed(latex: str) -> str:
    r"""Return a formula, each of its parts on a line, with names of several letters set as words.

    >>> print(_displayed(r"AP = \frac{s}{R}, \qquad s = \sum_i rel_i"))
    \begin{gather*}
    \mathit{AP} = \frac{s}{R}, \\
    s = \sum_i \mathit{rel}_i
    \end{gather*}
    """
    lines = [_NAME.sub(lambda found: found[1] or rf"\mathit{{{found[2]}}}", line) for line in _BREAK.split(latex)]
    if len(lines) == 1:
        return rf"\[{lines[0]}\]"
    return "\n".join([r"\begin{gather*}", " \\\\\n".join(lines), r"\end{gather*}"])


def _table(block: Table) -> str:
    """Return a table that fits the lines of an article as far as texts can be folded."""
    caption = [rf"\caption{{{escaped(block.caption)}}}"] if block.caption else []
    aligned = [_decimals(column) for column in zip(*block.rows, strict=True)] or [""] * len(block.columns)
    size, columns = _layout(block, aligned)
    head = [
        rf"\multicolumn{{1}}{{c}}{{{escaped(title)}}}" if numeric else escaped(title)
        for numeric, title in zip(aligned, block.columns, strict=True)
    ]
    rows = [
        [_number(cell) if numeric else _cell(cell) for numeric, cell in zip(aligned, row, strict=True)]
        for row in block.rows
    ]
    start = [r"\begin{table}[ht]", r"\centering", *caption, *size, rf"\begin{{tabular}}{{{''.join(columns)}}}"]
    body = [r"\toprule", _row(head), r"\midrule", *map(_row, rows), r"\bottomrule"]
    return "\n".join([*start, *body, r"\end{tabular}", r"\end{table}"])


def _layout(block: Table, aligned: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the commands for the size of the type, and the type of each column: as wide as its cells, or folded."""
    for size, width in SIZES.items():
        natural, folded = column_widths(block, width)
        shorter = [full for full, wide in zip(natural, folded, strict=True) if wide < full]
        if sum(folded) + GAP * (len(folded) - 1) <= width and (not shorter or (size and min(shorter) > LONG)):
            break
    columns = [
        numeric or (letter if wide >= full else rf">{{{FOLDED[letter]}\arraybackslash}}p{{{wide * EM:.3g}em}}")
        for numeric, letter, full, wide in zip(aligned, block.alignment, natural, folded, strict=True)
    ]
    return ([size, r"\setlength{\tabcolsep}{3pt}"] if size else []), columns


def _decimals(cells: Sequence[str]) -> str:
    """Return the column type that aligns values at the decimal point, with room for marks; empty for other cells."""
    numbers = [(cell, NUMBER.fullmatch(cell)) for cell in cells if isinstance(cell, Value)]
    parts = [(cell, parsed) for cell, parsed in numbers if parsed]
    if len(numbers) < len(cells) or not parts:
        return ""
    before = max(len(parsed[1]) for _, parsed in parts)
    after = max(len(parsed[2]) + len(cell.marks) for cell, parsed in parts)
    return f"D{{.}}{{.}}{{{before}.{after}}}"


def _number(cell: str) -> str:
    """Return a value for a column of ``_decimals``: in math mode, its point outside of groups."""
    number = NUMBER.fullmatch(cell)
    if number is None or not isinstance(cell, Value):
        return rf"\multicolumn{{1}}{{c}}{{{_cell(cell)}}}"
    whole, fraction = (rf"\mathbf{{{part}}}" if cell.best and part else part for part in number.groups())
    marks = escaped(cell.marks).replace("–", r"\mbox{--}").replace(",", "{,}")
    return whole + ("." if fraction else "") + fraction + (rf"^{{\mathrm{{{marks}}}}}" if cell.marks else "")


def _cell(text: str) -> str:
    if not isinstance(text, Value):
        return escaped(text)
    marks = rf"\textsuperscript{{{escaped(text.marks)}}}" if text.marks else ""
    return (rf"\textbf{{{escaped(text)}}}" if text.best else escaped(text)) + marks


def _row(cells: Iterable[str]) -> str:
    row = " & ".join(cells)
    return ("{}" + row if row.startswith("[") else row) + r" \\"  # LaTeX would read a bracket as an option


def escaped(text: str) -> str:
    r"""Return the text with the characters escaped that TeX would interpret.

    >>> print(escaped("50% of a_b"))
    50\% of a\_b
    """
    return neutral(text).translate(ESCAPES)
