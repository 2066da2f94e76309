"""Documents as LaTeX with booktabs tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from math import ceil
from typing import NamedTuple

from rankgauge.rendering.document import Block, Calculation, Formula, Heading, Mathematics, Paragraph, Table, Value
from rankgauge.rendering.text import LEAST, Ruler, column_widths, neutral, part_of, split

NUMBER = re.compile(r"([+-]?\d+)\.?(\d*)")


class Size(NamedTuple):
    """Type of one size in an article; widths are in hundredths of its em."""

    command: str
    width: int
    """Of the lines."""
    gap: int
    """Between two columns, and beside the table."""
    height: float
    """Of a line, in points."""


SIZES = (Size("", 3440, 120, 12), Size(r"\footnotesize", 4050, 71, 9.5), Size(r"\scriptsize", 4310, 76, 8))
"""The first that a table fits; only small type is folded."""
CHINESE = 0.93
"""Width of the lines relative to the type where a document is Chinese: ctex sets larger type."""
PAGE = 500.0
"""Height of what fits on a page, in points."""
CHARACTER, BOLD, RAISED, WIDE = 54, 1.15, 0.86, 100
"""Widths: of a character, of bold type and superscripts relative to other type, and of characters of other scripts."""
WIDTHS = {
    character: width
    for width, characters in {
        28: "!',.:;[]`il|·", 33: "fj- ", 36: "I", 39: "()rst", 44: "cez", 47: "?", 50: '"$*/0123456789\\ago{}–',
        53: "Jkqvxy", 56: "Sbdhnpu", 61: "Z^~", 62: "L", 68: "EFP", 71: "B", 75: "ACTwDHNRUVXY", 78: "&+<=>@GKOQ_−",
        83: "#%m", 92: "M", 103: "W", 130: "…",
    }.items()
    for character in characters
}  # fmt: skip
"""Width of each character of Computer Modern."""
LONG = 24 * CHARACTER
"""Width of a column of numbers; longer cells are texts, which may be folded before the type gets smaller."""
_SEPARATED = re.compile(r"(?<=[_./:=@,])(?=[^_./:=@,])")
"""Where a word that is wider than its column may be broken."""
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


PACKAGES = ("booktabs", "amsmath", "dcolumn")
"""What each document needs; its first line also names ``longtable`` and, for Chinese, ``ctex`` if it needs them."""
_CHINESE = re.compile(r"[\u2e80-\ua4cf\uf900-\ufaff\uff00-\uffef]")
_WORDS = re.compile(rf"([^\s{_CHINESE.pattern[1:-1]}]+)")
_UNHYPHENATED = re.compile(rf"[!-~][=_][!-~]|[!-~]{{20}}|(?=[!-~]{{10}})[A-Za-z]+[\d._/@-]| · |{_CHINESE.pattern}")
"""What keeps TeX from filling lines: words with signs or without a place for a hyphen."""
_SIGNS = {"=": "=", "/": "/", "→": r"\rightarrow"}


def render(blocks: Sequence[Block]) -> str:
    """Return blocks with a first line that names the packages; a table with a caption but no heading floats."""
    floats = not any(isinstance(block, Heading) for block in blocks)
    parts = [
        _table(block, floats=True) if floats and isinstance(block, Table) and block.caption else _block(block)
        for block in blocks
    ]
    content = "\n\n".join(parts)
    chinese, long = _CHINESE.search(content), r"\begin{longtable}" in content
    packages = ",".join([*PACKAGES, *["longtable"][: bool(long)], *["ctex"][: bool(chinese)]])
    return rf"% needs \usepackage{{{packages}}}{'; compile with xelatex' if chinese else ''}" + f"\n{content}"


def _block(block: Block) -> str:
    """Return one block of several that stay in their order."""
    match block:
        case Heading(text, depth):
            return rf"\{SECTIONS[min(depth, len(SECTIONS)) - 1]}*{{{escaped(text)}}}"
        case Calculation(text):
            return _ragged(_calculation(text))
        case Paragraph(text):
            broken = _breakable(text, SIZES[0].width)
            return _ragged(broken) if _UNHYPHENATED.search(text) else broken
        case Formula(latex, label):
            return f"{escaped(label)}\n" * bool(label) + _displayed(latex)
        case Table():
            return _table(block)


def _ragged(text: str) -> str:
    """Return a paragraph whose lines may be shorter, since not all its words can be divided."""
    return rf"{{\raggedright {text}\par}}"


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


class _Tabular(NamedTuple):
    """Some columns of a table, which fit a line: the types of the columns, the title, the rows and the lines of all."""

    columns: str
    head: str
    rows: Sequence[str]
    lines: int


def _table(block: Table, *, floats: bool = False) -> str:
    """Return a table that floats, as in a paper, or stays in place; one that is longer than a page is continued."""
    size, parts = _layout(block)
    caption = _breakable(block.caption, SIZES[0].width)
    height = size.height * sum(part.lines for part in parts) + 12 * ceil(_width(block.caption) / SIZES[0].width)
    setting = [size.command, r"\setlength{\tabcolsep}{3pt}"] if size.command else []
    if height > PAGE:
        title = [rf"{{\centering\textbf{{{caption}}}\par\nopagebreak}}"] if caption and not floats else []
        captions = [rf"\caption{{{caption}}} \\" if floats else "", *[""] * (len(parts) - 1)]
        tables = [line for part, text in zip(parts, captions, strict=True) for line in _long_table(part, text)]
        return "\n".join(
            [*title, r"\begingroup", *setting, r"\setlength{\LTcapwidth}{\linewidth}", *tables, r"\endgroup"]
        )
    tables = ["\n".join(_short_table(part)) for part in parts]
    if floats:
        opening, closing = [r"\begin{table}[ht]", r"\centering", rf"\caption{{{caption}}}"], r"\end{table}"
    else:
        opening = [r"\begin{center}", *[rf"\textbf{{{caption}}}\\*[1ex]"][: bool(caption)]]
        closing = r"\end{center}"
    return "\n".join([*opening, *setting, "\n\\\\[1ex]\n".join(tables), closing])


def _short_table(part: _Tabular) -> list[str]:
    body = [r"\toprule", part.head, r"\midrule", *part.rows, r"\bottomrule"]
    return [rf"\begin{{tabular}}{{{part.columns}}}", *body, r"\end{tabular}"]


def _long_table(part: _Tabular, caption: str) -> list[str]:
    """Return a table that repeats its title on each page."""
    opening, head = rf"\begin{{longtable}}{{{part.columns}}}", [r"\toprule", part.head, r"\midrule"]
    first = [caption, *head, r"\endfirsthead"] if caption else []
    return [opening, *first, *head, r"\endhead", r"\bottomrule", r"\endfoot", *part.rows, r"\end{longtable}"]


def _named(latex: str) -> str:
    """Return LaTeX with names of several letters set as words."""
    return _NAME.sub(lambda found: found[1] or rf"\mathit{{{found[2]}}}", latex)


def _layout(block: Table) -> tuple[Size, list[_Tabular]]:
    """Return the size of the type and the table in parts that fit the line, as far as texts can be folded."""
    digits = [_decimals(column) for column in zip(*block.rows, strict=True)] or [None] * len(block.columns)
    boxes = [places and f"{'0' * places[0]}.{'0' * places[1]}" for places in digits]
    rows = [[box or cell for box, cell in zip(boxes, row, strict=True)] for row in block.rows]
    alignment = "".join("r" if box else letter for box, letter in zip(boxes, block.alignment, strict=True))
    measured = replace(block, rows=rows, align=alignment)
    chinese = any(map(_CHINESE.search, chain(block.columns, *block.rows)))
    for size in (size._replace(width=int(size.width * CHINESE)) for size in SIZES) if chinese else SIZES:
        natural, folded = _column_widths(measured, size)
        shorter = [full for full, wide in zip(natural, folded, strict=True) if wide < full]
        fits = sum(folded) + size.gap * len(folded) <= size.width
        if fits and (not shorter or (size.command and min(shorter) > LONG and _keeps_words(measured, folded))):
            break
    parts = split(measured, size.width - size.gap, LEAST[-1], _ruler(size))
    return size, [
        _part(
            part_of(block, places),
            [digits[place] for place in places],
            *_column_widths(part_of(measured, places), size),
        )
        for places in parts
    ]


def _keeps_words(table: Table, widths: Sequence[int]) -> bool:
    """Whether no word is wider than its column."""
    return all(
        _width(cell) <= width or all(_width(word) <= width for word in _WORDS.findall(cell))
        for row in table.rows
        for cell, width in zip(row, widths, strict=True)
    )


def _column_widths(table: Table, size: Size) -> tuple[list[int], list[int]]:
    """Return the natural width of each column, and the one that it gets; titles of numbers are folded before texts."""
    width, ruler = size.width - size.gap, _ruler(size)
    natural, folded = column_widths(table, width, ruler)
    if folded != natural:
        words = [max(title.split() or [""], key=_width) for title in table.columns]
        titles = [
            title if letter == "l" else word
            for title, letter, word in zip(table.columns, table.alignment, words, strict=True)
        ]
        folded = column_widths(replace(table, columns=titles), width, ruler)[1]
    return natural, folded


def _ruler(size: Size) -> Ruler:
    return Ruler(_width, CHARACTER, size.gap)


def _part(
    table: Table, digits: Sequence[tuple[int, int] | None], natural: Sequence[int], widths: Sequence[int]
) -> _Tabular:
    """Return a table whose columns are as wide as their cells, or folded."""
    shapes = [*zip(table.alignment, digits, natural, widths, strict=True)]
    rows = [
        _row(
            _number(cell) if places else _cell(cell, wide)
            for (_, places, _, wide), cell in zip(shapes, row, strict=True)
        )
        for row in table.rows
    ]
    head = _row(_title(title, *shape[1:]) for title, shape in zip(table.columns, shapes, strict=True))
    lines = sum(max(map(_lines, row, widths)) for row in (table.columns, *table.rows))
    return _Tabular("".join(_column(*shape) for shape in shapes), head, rows, lines)


def _column(letter: str, places: tuple[int, int] | None, natural: int, width: int) -> str:
    """Return the type of a column: aligned at the decimal point, as wide as its cells, or folded."""
    if places:
        return f"D{{.}}{{.}}{{{places[0]}.{places[1]}}}"
    return letter if width >= natural else _folded(FOLDED[letter], width)


def _title(title: str, places: tuple[int, int] | None, natural: int, width: int) -> str:
    """Return the title of a column, centred above numbers."""
    text = _breakable(title, width)
    if not places:
        return text
    column = "c" if width >= natural else _folded(r"\centering", width)
    return rf"\multicolumn{{1}}{{{column}}}{{{text}}}"


def _folded(alignment: str, width: int) -> str:
    return rf">{{{alignment}\arraybackslash}}p{{{width / 100:.3g}em}}"


def _lines(text: str, width: int) -> int:
    """Return on how many lines a cell is, at most."""
    return ceil((_width(text) / width) * 1.2 - 0.2) if text else 1


def _width(cell: str) -> int:
    """Return the width of a cell on one line."""
    width = sum(WIDTHS.get(character, WIDE) for character in cell)
    if not isinstance(cell, Value):
        return width
    return ceil(width * (BOLD if cell.best else 1) + (_width(cell.marks) * RAISED + 10 if cell.marks else 0))


def _decimals(cells: Sequence[str]) -> tuple[int, int] | None:
    """Return the digits before and after the decimal point of values, with room for marks; None for other cells."""
    numbers = [(cell, NUMBER.fullmatch(cell)) for cell in cells if isinstance(cell, Value)]
    parts = [(cell, parsed) for cell, parsed in numbers if parsed]
    if len(numbers) < len(cells) or not parts:
        return None
    before = max(len(parsed[1]) for _, parsed in parts)
    after = max(_width(Value(parsed[2], best=cell.best, marks=cell.marks)) for cell, parsed in parts)
    return before, ceil(after / WIDTHS["0"])


def _number(cell: str) -> str:
    """Return a value for a column of ``_decimals``: in math mode, its point outside of groups."""
    number = NUMBER.fullmatch(cell)
    if number is None or not isinstance(cell, Value):
        return rf"\multicolumn{{1}}{{c}}{{{_cell(cell, WIDE * len(cell))}}}"
    whole, fraction = (rf"\mathbf{{{part}}}" if cell.best and part else part for part in number.groups())
    marks = escaped(cell.marks).replace("–", r"\mbox{--}").replace(",", "{,}").replace("$-$", "-")
    return whole + ("." if fraction else "") + fraction + (rf"^{{\mathrm{{{marks}}}}}" if cell.marks else "")


def _cell(text: str, width: int) -> str:
    if isinstance(text, Mathematics):
        return f"${_named(text.latex)}$"
    if not isinstance(text, Value):
        return _breakable(text, width)
    marks = rf"\textsuperscript{{{escaped(text.marks)}}}" if text.marks else ""
    return (rf"\textbf{{{escaped(text)}}}" if text.best else escaped(text)) + marks


def _row(cells: Iterable[str]) -> str:
    row = " & ".join(cells)
    return ("{}" + row if row.startswith("[") else row) + r" \\"  # LaTeX would read a bracket as an option


def _breakable(text: str, width: int) -> str:
    r"""Return the text with escapes, and with places to break words that are wider than this.

    >>> print(_breakable("of bm25_porter", 400))
    of bm25\_\allowbreak{}porter
    """
    parts = enumerate(_WORDS.split(text))
    return "".join(
        _broken(part, width) if place % 2 and _width(part) > width else escaped(part) for place, part in parts
    )


def _broken(word: str, width: int) -> str:
    pieces = [[piece] if _width(piece) <= width else [*piece] for piece in _SEPARATED.split(word)]
    return r"\allowbreak{}".join(escaped(piece) for letters in pieces for piece in letters)


def escaped(text: str) -> str:
    r"""Return the text with the characters escaped that TeX would interpret.

    >>> print(escaped("50% of a_b"))
    50\% of a\_b
    """
    return neutral(text).translate(ESCAPES)
