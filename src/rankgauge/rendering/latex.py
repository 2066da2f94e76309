"""Documents as LaTeX with booktabs tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rankgauge.rendering.blocks import Block, Calculation, Formula, Heading, Mathematics, Paragraph, Table, Value
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


PACKAGES = r"% needs \usepackage{booktabs,amsmath,dcolumn}"
PACKAGES_CHINESE = r"% needs \usepackage{booktabs,amsmath,dcolumn,ctex}; compile with xelatex"
"""First line of a document."""
_CHINESE = re.compile(r"[\u2e80-\ua4cf\uf900-\ufaff\uff00-\uffef]")
_UNHYPHENATED = re.compile(rf"[!-~][=_][!-~]|[!-~]{{20}}| · |{_CHINESE.pattern}")
"""What keeps TeX from filling lines: words with signs or without a place for a hyphen."""
_SIGNS = {"=": "=", "/": "/", "→": r"\rightarrow"}


def render(blocks: Sequence[Block]) -> str:
    """Return blocks with a first line that names the packages; a table with a caption but no heading floats."""
    floats = not any(isinstance(block, Heading) for block in blocks)
    parts = [
        _floating(block) if floats and isinstance(block, Table) and block.caption else _block(block) for block in blocks
    ]
    content = "\n\n".join(parts)
    return f"{PACKAGES_CHINESE if _CHINESE.search(content) else PACKAGES}\n{content}"


def _block(block: Block) -> str:
    """Return one block of several that stay in their order."""
    match block:
        case Heading(text, depth):
            return rf"\{SECTIONS[min(depth, len(SECTIONS)) - 1]}*{{{escaped(text)}}}"
        case Calculation(text):
            return _ragged(_calculation(text))
        case Paragraph(text):
            return _ragged(escaped(text)) if _UNHYPHENATED.search(text) else escaped(text)
        case Formula(latex, label):
            return f"{escaped(label)}\n" * bool(label) + _displayed(latex)
        case Table():
            title = [rf"\textbf{{{escaped(block.caption)}}}\\*[1ex]"] if block.caption else []
            return "\n".join([r"\begin{center}", *title, *_table(block), r"\end{center}"])


def _ragged(text: str) -> str:
    """Return a paragraph whose lines may be shorter, since not all its words can be divided."""
    return rf"{{\raggedright {text}\par}}"


def _floating(block: Table) -> str:
    """Return a table for a paper."""
    caption = rf"\caption{{{escaped(block.caption)}}}"
    return "\n".join([r"\begin{table}[ht]", r"\centering", caption, *_table(block), r"\end{table}"])


def _calculation(text: str) -> str:
    r"""Return names and numbers as mathematics, in a line that can be broken at its signs.

    >>> print(_calculation("nDCG@5 = 4.2 / 6 (IDCG) = 0.7"))
    $\text{nDCG@5} = 4.2 / 6\ \text{(IDCG)} = 0.7$
    """
    parts = re.split(" ([=/→]) ", text)
    return f"${' '.join(_SIGNS[part] if part in _SIGNS else _term(part) for part in parts)}$"


def _term(text: str) -> str:
    """Return a number, a name, or a number with a name after it, as mathematics."""
    number, blank, name = text.partition(" ")
    if not NUMBER.fullmatch(number):
        return rf"\text{{{escaped(text)}}}"
    return rf"{number}\ \text{{{escaped(name)}}}" if blank else number


def _displayed(latex: str) -> str:
    r"""Return a formula, each of its parts on a line, with names of several letters set as words.

    >>> print(_displayed(r"AP = \frac{s}{R}, \qquad s = \sum_i rel_i"))
    \begin{gather*}
    \mathit{AP} = \frac{s}{R}, \\
    s = \sum_i \mathit{rel}_i
    \end{gather*}
    """
    lines = [*map(_named, _BREAK.split(latex))]
    if len(lines) == 1:
        return rf"\[{lines[0]}\]"
    return "\n".join([r"\begin{gather*}", " \\\\\n".join(lines), r"\end{gather*}"])


def _table(block: Table) -> list[str]:
    """Return the lines of a table that fits the lines of an article as far as texts can be folded."""
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
    body = [r"\toprule", _row(head), r"\midrule", *map(_row, rows), r"\bottomrule"]
    return [*size, rf"\begin{{tabular}}{{{''.join(columns)}}}", *body, r"\end{tabular}"]


def _named(latex: str) -> str:
    """Return LaTeX with names of several letters set as words."""
    return _NAME.sub(lambda found: found[1] or rf"\mathit{{{found[2]}}}", latex)


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
    marks = escaped(cell.marks).replace("–", r"\mbox{--}").replace(",", "{,}").replace("$-$", "-")
    return whole + ("." if fraction else "") + fraction + (rf"^{{\mathrm{{{marks}}}}}" if cell.marks else "")


def _cell(text: str) -> str:
    if isinstance(text, Mathematics):
        return f"${_named(text.latex)}$"
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
