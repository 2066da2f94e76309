"""Documents on a terminal: aligned tables, also where Chinese characters take two columns."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from rankgauge.render.blocks import Block, Formula, Table

AS_WIDE_AS_NEEDED = 10_000


def render(blocks: Sequence[Block], width: int | None) -> str:
    """The blocks as plain lines without trailing blanks; formulas are for formats that can draw them."""
    return "\n\n".join(_written(block, width) for block in blocks if not isinstance(block, Formula))


def _written(block: Block, width: int | None) -> str:
    if isinstance(block, Table):
        caption = [neutral(block.caption)] if block.caption else []
        return "\n".join(caption + _lines(_grid(block), width))
    text = "" if isinstance(block, Formula) else neutral(block.text)
    return text if width is None else "\n".join(_lines(text, width))


def _grid(table: Table) -> Any:
    # Rich measures characters as terminals do. It is loaded only when a table is written.
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415
    from rich.cells import cell_len  # noqa: PLC0415
    from rich.table import Table as Grid  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    grid = Grid(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 0, 0, 1))
    for place, (name, align) in enumerate(zip(table.columns, table.alignment, strict=True)):
        number = align == "r"  # a number is never broken; a text may be, and so may a title
        widest = max((cell_len(row[place]) for row in table.rows), default=0) if number else None
        grid.add_column(Text(neutral(name)), justify="right" if number else "left", overflow="fold", min_width=widest)
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
