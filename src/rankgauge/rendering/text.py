"""Documents on a terminal: tables that stay aligned when Chinese characters take two columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rankgauge.rendering.blocks import Block, Formula, Table, Value
from rankgauge.rendering.layout import GAP, Layout, cell_width, fit, fold

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
    return "\n".join(filter(None, [_text(block.caption, width), "\n\n".join(tables), _text(note, width)]))


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
