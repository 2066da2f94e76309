"""Documents as HTML fragments: no script, no style, every text escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from rankgauge.rendering.blocks import Block, Formula, Heading, Paragraph, Table
from rankgauge.rendering.text import neutral

ALIGN = {"l": "left", "r": "right"}


def render(blocks: Sequence[Block]) -> str:
    """The blocks in one section."""
    return '<section class="rankgauge">\n' + "\n".join(_block(block) for block in blocks) + "\n</section>"


def _block(block: Block) -> str:
    match block:
        case Heading(text, depth):
            return f"<h{min(depth + 2, 6)}>{escaped(text)}</h{min(depth + 2, 6)}>"
        case Paragraph(text):
            return f"<p>{escaped(text)}</p>"
        case Formula(latex):
            return f'<p class="formula">\\({escaped(latex)}\\)</p>'
        case Table():
            caption = f"<caption>{escaped(block.caption)}</caption>" if block.caption else ""
            head = _row("th", block.columns, block.alignment)
            body = "\n".join(_row("td", row, block.alignment) for row in block.rows)
            return f"<table>{caption}\n<thead>\n{head}\n</thead>\n<tbody>\n{body}\n</tbody>\n</table>"


def _row(tag: str, cells: Iterable[str], alignment: str) -> str:
    scope = ' scope="col"' if tag == "th" else ""
    inner = "".join(
        f'<{tag}{scope} align="{ALIGN[align]}">{escaped(cell)}</{tag}>'
        for cell, align in zip(cells, alignment, strict=True)
    )
    return f"<tr>{inner}</tr>"


def escaped(text: str) -> str:
    """The text with the characters that HTML would act on made plain.

    >>> escaped("<img onerror=x>")
    '&lt;img onerror=x&gt;'
    """
    return escape(neutral(text))
