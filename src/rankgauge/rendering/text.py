"""Documents on a terminal: tables that stay aligned when Chinese characters take two columns."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from rankgauge.rendering.blocks import Block, Formula, Heading, Paragraph, Table

UNLIMITED = 10_000
GAP = 2
"""Spaces between two columns of a table."""
NARROWEST = 16
"""A column of texts is not folded below this width."""


def render(blocks: Sequence[Block], width: int | None) -> str:
    """Return the blocks as plain lines without trailing spaces and without formulas."""
    return "\n\n".join(_render(block, width) for block in blocks if not isinstance(block, Formula))


def _render(block: Heading | Paragraph | Table, width: int | None) -> str:
    if isinstance(block, Table):
        caption = [neutral(block.caption)] if block.caption else []
        parts = ["\n".join(_lines(_grid(part), width)) for part in _split(block, width)]
        return "\n".join([*caption, "\n\n".join(parts)])
    text = neutral(block.text)
    return text if width is None else "\n".join(_lines(text, width))


def _split(table: Table, width: int | None) -> list[Table]:
    """Split a table whose narrowest form does not fit into several that show some of the columns each.

    The columns up to the last text identify the rows and are repeated.
    """
    widths = [_narrowest(table, place) + GAP for place in range(len(table.columns))]
    first = table.alignment.rfind("l") + 1
    if width is None or sum(widths) - GAP <= width or len(widths) - first < 2:  # noqa: PLR2004 (nothing to split)
        return [table]
    groups: list[list[int]] = [[]]
    room = left = max(width + GAP - sum(widths[:first]), 1)
    for place in range(first, len(widths)):
        if groups[-1] and widths[place] > left:
            groups.append([])
            left = room
        groups[-1].append(place)
        left -= widths[place]
    return [_columns(table, [*range(first), *group]) for group in groups]


def _columns(table: Table, places: Sequence[int]) -> Table:
    columns, align, *rows = (
        [line[place] for place in places] for line in (table.columns, table.alignment, *table.rows)
    )
    return Table(columns, rows, "".join(align))


def _narrowest(table: Table, place: int) -> int:
    """Return the width below which a column becomes hard to read."""
    from rich.cells import cell_len  # noqa: PLC0415

    cells = [cell_len(neutral(row[place])) for row in table.rows]
    title = max(map(cell_len, neutral(table.columns[place]).split()), default=0)
    if table.alignment[place] == "r":  # numbers are never folded; texts and titles are
        return max([title, *cells])
    return max(title, min(max(cells, default=0), NARROWEST))


def _grid(table: Table) -> Any:
    # Rich measures characters as terminals do. It is slow to import and needed for tables only.
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415
    from rich.table import Table as Grid  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    grid = Grid(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 0, 0, 1))
    for place, (name, align) in enumerate(zip(table.columns, table.alignment, strict=True)):
        justify: Any = "right" if align == "r" else "left"
        grid.add_column(Text(neutral(name)), justify=justify, overflow="fold", min_width=_narrowest(table, place))
    for row in table.rows:
        grid.add_row(*(Text(neutral(cell)) for cell in row))
    return grid


def _lines(content: Any, width: int | None) -> list[str]:
    from rich.console import Console  # noqa: PLC0415

    output = io.StringIO()
    console = Console(file=output, width=width or UNLIMITED, color_system=None, legacy_windows=False)
    console.print(content, markup=False, highlight=False, emoji=False)
    return [line for line in map(str.rstrip, output.getvalue().splitlines()) if line]


def neutral(text: str) -> str:
    r"""Return the text with control and direction characters made visible, so that no id can control the terminal.

    >>> print(neutral("doc\x1b[31m1"))
    doc\x1b[31m1
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
