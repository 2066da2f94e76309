"""Documents as HTML: elements that a page can show in both languages, or a fragment without scripts or styles."""

from __future__ import annotations

from collections.abc import Sequence

from rankgauge.rendering.blocks import Block, Formula, Heading, Paragraph, Table
from rankgauge.rendering.element import Cell, Element
from rankgauge.rendering.formula import to_mathml
from rankgauge.rendering.language import Phrase

ALIGN = {"l": "left", "r": "right"}


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
            columns = [*map(_text, english.columns, chinese.columns)]
            rows = [[*map(_text, *pair)] for pair in zip(english.rows, chinese.rows, strict=True)]
            return table(_text(english.caption, chinese.caption), columns, rows, english.alignment)
    raise TypeError("the two documents have different blocks")


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
