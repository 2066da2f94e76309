"""Documents as HTML: elements that a page can show in both languages, or a fragment without scripts or styles."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rankgauge.rendering.blocks import Block, Formula, Heading, Paragraph, Table
from rankgauge.rendering.element import Cell, Element
from rankgauge.rendering.formula import to_mathml
from rankgauge.rendering.language import Phrase

ALIGN = {"l": "left", "r": "right"}
Style = Callable[[int, str], Cell]
"""Decorates a cell, given the number of its row and its text."""


def render(blocks: Sequence[Block]) -> str:
    """Return the blocks as one section."""
    return Element("section", *elements(blocks, blocks), class_="rankgauge").markup()


def elements(english: Sequence[Block], chinese: Sequence[Block]) -> list[Element]:
    """Return the elements of a document; texts that differ between the two languages become phrases.

    >>> [element.markup("zh") for element in elements([Paragraph("yes")], [Paragraph("是")])]
    ['<p>是</p>']
    """
    return [_element(*pair) for pair in zip(english, chinese, strict=True)]


def _element(english: Block, chinese: Block) -> Element:
    match english, chinese:
        case Heading(en, depth), Heading(zh):
            return Element(f"h{min(depth + 2, 6)}", _text(en, zh))
        case Paragraph(en), Paragraph(zh):
            return Element("p", _text(en, zh))
        case Formula(latex), Formula():
            return Element("div", to_mathml(latex), class_="formula")
        case Table(), Table():
            return table_element(english, chinese)
    raise TypeError("the two documents have different blocks")


def table_element(english: Table, chinese: Table, styles: Mapping[str, Style] | None = None) -> Element:
    """Return a table in both languages; ``styles`` decorate the cells of columns by key."""
    styles, keys = styles or {}, english.keys or [""] * len(english.columns)
    rows = [
        [styles[key](number, en) if key in styles else _text(en, zh) for key, en, zh in zip(keys, *pair, strict=True)]
        for number, pair in enumerate(zip(english.rows, chinese.rows, strict=True))
    ]
    columns = [*map(_text, english.columns, chinese.columns)]
    return table(_text(english.caption, chinese.caption), columns, rows, english.alignment)


def _text(english: str, chinese: str) -> Phrase | str:
    return english if english == chinese else Phrase(english, chinese)


def table(caption: Cell, columns: Sequence[Cell], rows: Sequence[Sequence[Cell]], align: str) -> Element:
    """Return a table; ``align`` has one letter per column, l or r."""
    head = [Element("th", cell, scope="col", align=ALIGN[side]) for cell, side in zip(columns, align, strict=True)]
    body = [
        Element("tr", *(Element("td", cell, align=ALIGN[side]) for cell, side in zip(row, align, strict=True)))
        for row in rows
    ]
    return Element(
        "table",
        Element("caption", caption) if caption else None,
        Element("thead", Element("tr", *head)),
        Element("tbody", *body),
    )
