"""Documents on a terminal: tables that fit its width and stay aligned when Chinese characters take two columns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple
from unicodedata import category, east_asian_width

from rankgauge.rendering.document import Block, Formula, Table, Value

BOLD, PLAIN = "\x1b[1m", "\x1b[0m"


def render(blocks: Sequence[Block], width: int | None, *, styled: bool = False) -> str:
    """Return the blocks as lines, formulas only if they have a label; ``styled`` sets the best values bold."""
    shown = [block for block in blocks if not isinstance(block, Formula) or block.label]
    return "\n\n".join(_render(block, width, styled) for block in shown)


def _render(block: Block, width: int | None, styled: bool) -> str:
    if isinstance(block, Formula):
        from rankgauge.rendering.formula import to_text as formula_text  # noqa: PLC0415 (imports this file)

        return _text(f"{block.label} {formula_text(block.latex)}", width)
    if not isinstance(block, Table):
        return _text(block.text, width)
    layouts = fit(_neutral_table(block), width)
    tables = ["\n".join(_stacked(layout, width) if layout.stacked else _lines(layout, styled)) for layout in layouts]
    note = block.left_out.replace("{columns}", ", ".join(layouts[0].left_out)) if layouts[0].left_out else ""
    caption = block.caption if styled else block.plain_caption or block.caption
    return "\n".join(filter(None, [_text(caption, width), "\n\n".join(tables), _text(note, width)]))


def _text(text: str, width: int | None) -> str:
    return neutral(text) if width is None else "\n".join(fold(neutral(text), width))


def _neutral_table(table: Table) -> Table:
    widest = [max((len(_marks(cell)) for cell in column), default=0) for column in zip(*table.rows, strict=True)]
    rows = [[_neutral_cell(*pair) for pair in zip(row, widest, strict=True)] for row in table.rows]
    return Table([*map(neutral, table.columns)], rows, table.alignment, optional=table.optional)


def _neutral_cell(cell: str, widest: int) -> str:
    """Return a cell without control characters; marks follow the number, so that the numbers stay aligned."""
    text = neutral(cell) + (f" {_marks(cell):<{widest}}" if widest else "")
    return Value(text, best=True) if isinstance(cell, Value) and cell.best else text


def _marks(cell: str) -> str:
    return neutral(cell.marks) if isinstance(cell, Value) else ""


def _lines(layout: Layout, styled: bool) -> Iterator[str]:
    """Yield the lines of a table: the title, a rule, and the rows."""
    yield from _row(layout.table.columns, layout, False)
    yield "─" * (sum(layout.widths) + GAP * (len(layout.widths) - 1))
    for row in layout.table.rows:
        yield from _row(row, layout, styled)


def _row(cells: Sequence[str], layout: Layout, styled: bool) -> Iterator[str]:
    folded = [fold(cell, width) for cell, width in zip(cells, layout.widths, strict=True)]
    for number in range(max(map(len, folded))):
        parts = []
        for cell, pieces, width, align in zip(cells, folded, layout.widths, layout.table.alignment, strict=True):
            piece = pieces[number] if number < len(pieces) else ""
            blanks = " " * (width - cell_width(piece))
            shown = f"{BOLD}{piece}{PLAIN}" if styled and piece and isinstance(cell, Value) else piece
            parts.append(blanks + shown if align == "r" else shown + blanks)
        yield (" " * GAP).join(parts).rstrip()


def _stacked(layout: Layout, width: int | None) -> Iterator[str]:
    """Yield each row as lines of title and value."""
    for place, row in enumerate(layout.table.rows):
        if place:
            yield ""
        for title, cell in zip(layout.table.columns, row, strict=True):
            yield from fold(f"{title}: {cell}", width) if width else [f"{title}: {cell}"]


def neutral(text: str) -> str:
    r"""Return the text with control and direction characters made visible, so that no id can control the terminal.

    >>> print(neutral("doc\x1b[31m1"))
    doc\x1b[31m1
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


GAP = 2
"""Spaces between two columns."""
NARROWEST = 8
"""Width to which a column of texts is folded where it would not fit otherwise."""
_CHINESE = r"\u2e80-\u9fff\uff00-\uffef“”"
UNITS = re.compile(rf"[（“]*(?:[^\s{_CHINESE}]+|\S)[，。、；：？！）”]*")
"""What stays on one line: a Chinese character or a run of other characters, with the punctuation around it."""
NUMBER = re.compile(r"[\[(]?[-+−<>≥≤~]?\d[\d.,eE+\-/%]*[])]?,?")
"""A word that must stay on one line."""
NAME = re.compile(rf"{NUMBER.pattern}|(?=\S{{1,32}}$)[\w\-./:]*\w[._/]\w[\w\-./:]*|--\w[\w\-=]{{,30}}", re.ASCII)
"""A number, or a name of a function, an option or a file, which stays on one line where it can."""


class Least(NamedTuple):
    """The width to which a column of texts may be folded, and the words in it that stay on one line."""

    width: int
    word: re.Pattern[str]


LEAST = (Least(16, NAME), Least(12, NAME), Least(16, NUMBER), Least(NARROWEST, NUMBER))
"""How far a table that is too wide is folded: the first that fits."""


class Ruler(NamedTuple):
    """How wide texts are on a medium, in its own units."""

    width: Callable[[str], int]
    """Of a cell on one line."""
    character: int
    """Of an average character."""
    gap: int
    """Between two columns."""


JOINED = {*map(chr, (*range(0x1160, 0x1200), *range(0x1F3FB, 0x1F400)))}
"""Korean vowels and final consonants, and skin tones: they join the character before them."""


@dataclass(frozen=True)
class Layout:
    """A table with the width of each column, and the columns that were left out."""

    table: Table
    widths: Sequence[int]
    left_out: Sequence[str] = ()
    stacked: bool = False
    """Whether each row is shown as lines of title and value."""


def cell_width(text: str) -> int:
    """Return the number of columns that a text takes on a terminal."""
    return len(text) if text.isascii() else sum(map(_character_width, text))


TERMINAL = Ruler(cell_width, 1, GAP)


@lru_cache(8192)
def _character_width(character: str) -> int:
    """Return 2 for a wide character, 0 for one that is drawn onto the previous one, else 1."""
    if category(character) in {"Mn", "Me", "Mc", "Cf"} or character in JOINED:
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def fit(table: Table, width: int | None) -> list[Layout]:
    """Return the table as one layout or as several that show some of the columns each."""
    natural = _natural(table)
    if width is None or _total(natural) <= width:
        return [Layout(table, natural)]
    kept, left_out = table, []
    for title in table.optional:
        if _total(_least(kept, LEAST[0])) <= width:
            break
        kept = part_of(kept, [place for place, name in enumerate(kept.columns) if name != title])
        left_out.append(title)
    for least in LEAST:
        parts = [part_of(kept, places) for places in split(kept, width, least)]
        if all(_total(_least(part, least)) <= width for part in parts):
            return [Layout(part, _widths(part, width, least), left_out) for part in parts]
    return [Layout(table, natural, stacked=True)]


def column_widths(table: Table, width: int, ruler: Ruler) -> tuple[list[int], list[int]]:
    """Return the natural width of each column, and the widths to fold to so that the table fits, if it can."""
    natural = _natural(table, ruler)
    return natural, natural if _total(natural, ruler) <= width else _widths(table, width, LEAST[-1], ruler)


def _total(widths: Sequence[int], ruler: Ruler = TERMINAL) -> int:
    return sum(widths) + ruler.gap * (len(widths) - 1)


def _natural(table: Table, ruler: Ruler = TERMINAL) -> list[int]:
    return [max(map(ruler.width, column)) for column in _by_column(table)]


def _least(table: Table, least: Least, ruler: Ruler = TERMINAL) -> list[int]:
    """Return the least width of each column: texts can be folded, numbers and words of titles cannot."""
    return [
        max(_of_title(title, ruler), max((_unbroken(cell, align, least, ruler) for cell in cells), default=0))
        for (title, *cells), align in zip(_by_column(table), table.alignment, strict=True)
    ]


def _of_title(title: str, ruler: Ruler) -> int:
    if title.isascii():
        return max(map(ruler.width, title.split()), default=0)
    return min(ruler.width(title), NARROWEST * ruler.character)


def _unbroken(cell: str, align: str, least: Least, ruler: Ruler) -> int:
    """Return the width of the longest part of a cell that must stay on one line."""
    if align == "r":
        return ruler.width(cell)
    words = (ruler.width(word) for word in cell.split() if least.word.fullmatch(word))
    return max(min(ruler.width(cell), least.width * ruler.character), *words, 0)


def _widths(table: Table, width: int, least: Least, ruler: Ruler = TERMINAL) -> list[int]:
    """Return widths that use the room: columns that need little more than their least width get it first."""
    widths, natural = _least(table, least, ruler), _natural(table, ruler)
    room = max(width - _total(widths, ruler), 0)
    by_need = sorted(range(len(widths)), key=lambda place: natural[place] - widths[place])
    for done, place in enumerate(by_need):
        more = min(max(natural[place] - widths[place], 0), room // (len(widths) - done))
        widths[place] += more
        room -= more
    return widths


def split(table: Table, width: int, least: Least, ruler: Ruler = TERMINAL) -> list[list[int]]:
    """Return the columns of each part of a table that is too wide; those up to the last text identify the rows.

    These are repeated. A column whose title occurs more than once, such as an interval, says something of the one
    before it.
    """
    widths = [least_width + ruler.gap for least_width in _least(table, least, ruler)]
    first = table.alignment.rfind("l") + 1 or 1  # a rank, where all columns are numbers
    if sum(widths) - ruler.gap <= width or len(widths) - first < 2:  # noqa: PLR2004 (nothing to split)
        return [[*range(len(widths))]]
    together: list[list[int]] = []
    for place in range(first, len(widths)):
        if together and table.columns.count(table.columns[place]) > 1:
            together[-1].append(place)
        else:
            together.append([place])
    groups: list[list[int]] = [[]]
    room = left = width + ruler.gap - sum(widths[:first])
    for places in together:
        needed = sum(widths[place] for place in places)
        if groups[-1] and needed > left:
            groups.append([])
            left = room
        groups[-1] += places
        left -= needed
    return [[*range(first), *group] for group in groups]


def part_of(table: Table, places: Sequence[int]) -> Table:
    """Return a table with some of the columns."""
    columns, align, *rows = (
        [line[place] for place in places] for line in (table.columns, table.alignment, *table.rows)
    )
    return replace(table, columns=columns, rows=rows, align="".join(align), keys=())


def _by_column(table: Table) -> Iterator[tuple[str, ...]]:
    return zip(table.columns, *table.rows, strict=True)


def fold(text: str, width: int) -> list[str]:
    """Return the text in lines of at most this width, broken at blanks and between Chinese characters.

    A word is broken only where it is longer than a line, and no line starts with Chinese punctuation.

    >>> fold("a baseline of 2026", 8)
    ['a', 'baseline', 'of 2026']
    >>> fold("与 ranx、gdeval 相同。", 9)
    ['与 ranx、', 'gdeval 相', '同。']
    """
    if cell_width(text) <= width:
        return [text]
    lines, line = [], ""
    for word in text.split(" "):
        for place, unit in enumerate(UNITS.findall(word) or [word]):
            joined = f"{line}{' ' if line and place == 0 else ''}{unit}"
            if cell_width(joined) <= width:
                line = joined
                continue
            if line:
                lines.append(line)
            *full, line = _pieces(unit, width)
            lines += full
    return [*lines, line]


def _pieces(word: str, width: int) -> list[str]:
    """Return a word in pieces of at most this width, broken after one of the signs of names and paths if there is one.

    >>> _pieces("jarvelin-kekalainen-2002", 22)
    ['jarvelin-kekalainen-', '2002']
    """
    pieces, piece, taken = [], "", 0
    for letter in word:
        letter_width = cell_width(letter)
        if piece and taken + letter_width > width:
            end = max(piece.rfind(sign, 1) for sign in "-/_.:") + 1 or len(piece)
            pieces.append(piece[:end])
            piece = piece[end:]
            taken = cell_width(piece)
        piece, taken = piece + letter, taken + letter_width
    return [*pieces, piece]
