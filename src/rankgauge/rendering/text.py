"""Documents on a terminal: aligned tables, also where Chinese characters take two columns."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from rankgauge.rendering.blocks import Block, Formula, Table

AS_WIDE_AS_NEEDED = 10_000
GAP = 2
"""Blanks between two columns of a table."""
EASY_TEXT = 16
"""Below this width a column of texts is not made narrower."""


def render(blocks: Sequence[Block], width: int | None) -> str:
    """The blocks as plain lines without trailing blanks; formulas are for formats that can draw them."""
    return "\n\n".join(_written(block, width) for block in blocks if not isinstance(block, Formula))


def _written(block: Block, width: int | None) -> str:
    if isinstance(block, Table):
        caption = [neutral(block.caption)] if block.caption else []
        parts = ["\n".join(_lines(_grid(part), width)) for part in _that_fit(block, width)]
        return "\n".join([*caption, "\n\n".join(parts)])
    text = "" if isinstance(block, Formula) else neutral(block.text)
    return text if width is None else "\n".join(_lines(text, width))


def _that_fit(table: Table, width: int | None) -> list[Table]:
    """The table, or several that show some of its columns each, where not even the narrowest form of it would fit.

    The columns up to the last text say what a row is about and are repeated.
    """
    least = [_least(table, place) + GAP for place in range(len(table.columns))]
    first = table.alignment.rfind("l") + 1
    if width is None or sum(least) - GAP <= width or len(least) - first < 2:  # noqa: PLR2004 (nothing to part)
        return [table]
    groups: list[list[int]] = [[]]
    room = left = max(width + GAP - sum(least[:first]), 1)
    for place in range(first, len(least)):
        if groups[-1] and least[place] > left:
            groups.append([])
            left = room
        groups[-1].append(place)
        left -= least[place]
    return [
        _columns(table, [*range(first), *group], "" if number else table.caption) for number, group in enumerate(groups)
    ]


def _columns(table: Table, places: Sequence[int], caption: str) -> Table:
    rows = [[row[place] for place in places] for row in table.rows]
    align = "".join(table.alignment[place] for place in places)
    return Table([table.columns[place] for place in places], rows, align, caption)


def _least(table: Table, place: int) -> int:
    """The fewest columns of a terminal that a column of the table needs to be read with ease."""
    from rich.cells import cell_len  # noqa: PLC0415

    cells = [cell_len(neutral(row[place])) for row in table.rows]
    title = max(map(cell_len, neutral(table.columns[place]).split()), default=0)
    if table.alignment[place] == "r":  # a number is never broken; a text may be, and so may a title
        return max([title, *cells])
    return max(title, min(max(cells, default=0), EASY_TEXT))


def _grid(table: Table) -> Any:
    # Rich measures characters as terminals do. It is loaded only when a table is written.
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415
    from rich.table import Table as Grid  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    grid = Grid(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 0, 0, 1))
    for place, (name, align) in enumerate(zip(table.columns, table.alignment, strict=True)):
        justify: Any = "right" if align == "r" else "left"
        grid.add_column(Text(neutral(name)), justify=justify, overflow="fold", min_width=_least(table, place))
    for row in table.rows:
        grid.add_row(*(Text(neutral(cell)) for cell in row))
    return grid


def _lines(content: Any, width: int | None) -> list[str]:
    from rich.console import Console  # noqa: PLC0415

    sheet = io.StringIO()
    plain = Console(file=sheet, width=width or AS_WIDE_AS_NEEDED, color_system=None, legacy_windows=False)
    plain.print(content, markup=False, highlight=False, emoji=False)
    return [line for line in map(str.rstrip, sheet.getvalue().splitlines()) if line]


def neutral(text: str) -> str:
    r"""The text with control and direction characters made visible, so that no id can steer the terminal.

    >>> print(neutral("doc\x1b[31m1"))
    doc\x1b[31m1
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
