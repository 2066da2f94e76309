"""Documents on a terminal: aligned tables, also where Chinese characters take two columns."""

from __future__ import annotations

import io
from collections.abc import Sequence

from rankgauge.render.blocks import Block, Formula, Heading, Paragraph, Table

AS_WIDE_AS_NEEDED = 10_000


def render(blocks: Sequence[Block], width: int | None) -> str:
    """The blocks as plain lines without trailing blanks; formulas are for formats that can draw them."""
    written = [_block(block, width or AS_WIDE_AS_NEEDED) for block in blocks if not isinstance(block, Formula)]
    return "\n\n".join(written)


def _block(block: Heading | Paragraph | Table, width: int) -> str:
    if isinstance(block, Table):
        return _table(block, width)
    return neutral(block.text)


def _table(table: Table, width: int) -> str:
    # Rich measures characters as terminals do. It is loaded only when a table is written.
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table as Grid  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    grid = Grid(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for name, align in zip(table.columns, table.alignment, strict=True):
        grid.add_column(Text(neutral(name)), justify="right" if align == "r" else "left", overflow="fold")
    for row in table.rows:
        grid.add_row(*(Text(neutral(cell)) for cell in row))
    sheet = io.StringIO()
    Console(file=sheet, width=width, color_system=None, legacy_windows=False).print(grid)
    lines = [line.rstrip() for line in sheet.getvalue().splitlines()]
    caption = [neutral(table.caption)] if table.caption else []
    return "\n".join(caption + [line for line in lines if line])


def neutral(text: str) -> str:
    r"""The text with control and direction characters made visible, so that no id can steer the terminal.

    >>> print(neutral("doc\x1b[31m1"))
    doc\x1b[31m1
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
