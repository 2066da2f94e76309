"""A document in both languages at once, as elements of the page: what differs between the two becomes a phrase."""

from __future__ import annotations

from rankgauge.rendering.blocks import Block, Formula, Heading, Paragraph, Table
from rankgauge.rendering.document import Document
from rankgauge.rendering.element import Element
from rankgauge.rendering.formula import to_mathml
from rankgauge.rendering.language import Phrase
from rankgauge.reports.cards import table


def bilingual(english: Document, chinese: Document) -> list[Element]:
    """The elements of two documents that say the same.

    >>> [one.markup("zh") for one in bilingual(Document([Paragraph("yes")]), Document([Paragraph("是")]))]
    ['<p>是</p>']
    """
    return [_block(*pair) for pair in zip(english.blocks, chinese.blocks, strict=True)]


def _block(english: Block, chinese: Block) -> Element:
    match english, chinese:
        case Heading(en), Heading(zh):
            return Element("h3", Phrase(en, zh))
        case Paragraph(en), Paragraph(zh):
            return Element("p", Phrase(en, zh))
        case Formula(latex), Formula():
            return Element("div", to_mathml(latex), class_="formula")
        case Table(), Table():
            heads = [*map(_text, english.columns, chinese.columns)]
            rows = [[*map(_text, *both)] for both in zip(english.rows, chinese.rows, strict=True)]
            return table(Phrase(english.caption, chinese.caption), heads, rows, english.alignment, wraps=True)
    raise TypeError("two documents that do not say the same")


def _text(english: str, chinese: str) -> Phrase | str:
    return english if english == chinese else Phrase(english, chinese)
