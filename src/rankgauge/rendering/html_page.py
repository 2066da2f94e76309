"""The frame that the report and the local page share: head, buttons for language and theme, data, scrolling tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rankgauge.rendering.blocks import Block
from rankgauge.rendering.element import LANG_TAGS, Element, Trusted
from rankgauge.rendering.html import elements
from rankgauge.rendering.language import Lang, Phrase
from rankgauge.rendering.plain import to_json

MESSAGES = {
    "skip": Phrase("Skip to content", "跳到正文"),
    "language": Phrase("中文", "English"),
    "theme": Phrase("Light or dark", "明暗切换"),
}


def html_page(lang: Lang, head: Sequence[Element], body: Sequence[Element]) -> str:
    """Return a complete HTML file."""
    document = Element(
        "html",
        Element(
            "head",
            Element("meta", charset="utf-8"),
            *head,
            Element("meta", name="viewport", content="width=device-width, initial-scale=1"),
            Element("meta", name="color-scheme", content="light dark"),
        ),
        Element("body", *body),
        lang=LANG_TAGS[lang],
    )
    return f"<!DOCTYPE html>\n{document.markup()}\n"


def page_top(title: Phrase | str, subtitle: Phrase) -> list[Element]:
    """Return the link that skips to the content, and the header with the buttons for language and theme."""
    buttons = Element(
        "div",
        Element("button", MESSAGES["language"], type="button", id="language"),
        Element("button", "◐", Element("span", MESSAGES["theme"], class_="away"), type="button", id="theme"),
        class_="tools",
    )
    heading = Element("div", Element("h1", title), Element("p", subtitle, class_="small"))
    return [
        Element("a", MESSAGES["skip"], href="#main", class_="skip"),
        Element("header", heading, buttons, class_="top"),
    ]


def json_block(name: str, data: Any) -> Element:
    """Return data for the script of the page; no text in it can end the element."""
    return Element("script", Trusted(to_json(data).replace("<", "\\u003c")), type="application/json", id=name)


def scrolling(table: Element, caption: Phrase, *, wraps: bool = False) -> Element:
    """Return a table that scrolls on its own on a narrow screen; ``wraps`` lets its texts wrap."""
    if wraps:
        table = table.replace(class_="wraps")
    return Element("div", table, class_="scrolls", tabindex="0", role="group", label=caption)


def page_blocks(english: Sequence[Block], chinese: Sequence[Block]) -> list[Element]:
    """Return the elements of a document in both languages, with scrolling tables."""
    captions = [
        Phrase(getattr(first, "caption", ""), getattr(second, "caption", ""))
        for first, second in zip(english, chinese, strict=True)
    ]
    return [
        scrolling(element, caption, wraps=True) if element.tag == "table" else element
        for element, caption in zip(elements(english, chinese), captions, strict=True)
    ]
