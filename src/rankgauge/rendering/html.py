"""HTML: documents as elements or fragments, and the frame that the report and the local page share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from rankgauge.rendering.assets import content_hash
from rankgauge.rendering.document import Block, Formula, Heading, Paragraph, Plot, Table, Value
from rankgauge.rendering.element import LANG_TAGS, Cell, Element, Trusted
from rankgauge.rendering.formula import to_mathml
from rankgauge.rendering.language import Lang, Phrase
from rankgauge.rendering.plain import to_json

MESSAGES = {
    "skip": Phrase("Skip to content", "跳到正文"),
    "language": Phrase("中文", "English"),
    "theme": Phrase("Light or dark", "明暗切换"),
}
ALIGN = {"l": "left", "r": "right"}
PLAIN_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}"
    "table{border-collapse:collapse;margin:1rem 0;font-variant-numeric:tabular-nums}"
    "th,td{padding:.25rem .75rem;border-bottom:1px solid #8884}th{vertical-align:bottom}.formula{margin:1rem 0}"
    ".scrolls,.formula{overflow-x:auto}h1,h2,h3,h4,p{overflow-wrap:anywhere}th{word-break:keep-all}"
    "td{min-width:6em}td[align=right]{min-width:0;white-space:nowrap}"
)
"""The style of a page that has nothing but documents."""
Style = Callable[[int, str], Cell]
"""Decorates a cell, given the number of its row and its text."""


def render(blocks: Sequence[Block]) -> str:
    """Return the blocks as one section without scripts or styles."""
    return Element("section", *map(_element, blocks, blocks), class_="rankgauge").markup()


def plain_page(documents: Sequence[Sequence[Block]], lang: Lang) -> str:
    """Return the blocks of documents as a page of their own, with the first heading as its title.

    >>> page = plain_page([[Heading("Scores"), Paragraph("2 queries")]], "en")
    >>> page.startswith("<!DOCTYPE html>"), "<title>Scores</title>" in page, "<p>2 queries</p>" in page
    (True, True, True)
    """
    title = next((block.text for blocks in documents for block in blocks if isinstance(block, Heading)), "rankgauge")
    sections = [Element("section", *page_blocks(blocks, blocks), class_="rankgauge") for blocks in documents]
    return html_page(lang, offline_head(title, PLAIN_STYLE), sections)


def page_blocks(english: Sequence[Block], chinese: Sequence[Block]) -> list[Element]:
    """Return the elements of a document in both languages, with scrolling tables.

    >>> [element.markup("zh") for element in page_blocks([Paragraph("yes")], [Paragraph("是")])]
    ['<p>是</p>']
    """
    return [
        scrolling_table(en, zh, wraps=True) if isinstance(en, Table) and isinstance(zh, Table) else _element(en, zh)
        for en, zh in zip(english, chinese, strict=True)
    ]


def _element(english: Block, chinese: Block) -> Element:
    match english, chinese:
        case Heading(en, depth), Heading(zh):
            return Element(f"h{min(depth + 2, 6)}", _text(en, zh))
        case Plot(), Plot():
            return english.drawing
        case Paragraph(en), Paragraph(zh):
            return Element("p", _text(en, zh))
        case Formula(latex, en), Formula(_, zh):
            return Element("div", Element("p", _text(en, zh)), formula_block(latex)) if en else formula_block(latex)
        case Table(), Table():
            return _table(english, chinese, {})
    raise TypeError("the two documents have different blocks")


def formula_block(latex: str) -> Element:
    """Return a formula on a line of its own."""
    return Element("div", to_mathml(latex), class_="formula")


def scrolling_table(
    english: Table, chinese: Table, styles: Mapping[str, Style] | None = None, *, wraps: bool = False
) -> Element:
    """Return a table in both languages that scrolls on its own on a narrow screen.

    ``styles`` decorate the cells of columns by key; ``wraps`` lets texts wrap.
    """
    table, caption = _table(english, chinese, styles or {}, wraps=wraps), Phrase(english.caption, chinese.caption)
    return Element("div", table, class_="scrolls", tabindex="0", role="group", label=caption)


def _table(english: Table, chinese: Table, styles: Mapping[str, Style], *, wraps: bool = False) -> Element:
    keys, sides = english.keys or [""] * len(english.columns), [ALIGN[letter] for letter in english.alignment]
    head = [
        Element("th", _text(en, zh), scope="col", align=side)
        for en, zh, side in zip(english.columns, chinese.columns, sides, strict=True)
    ]
    rows = [
        [
            Element("td", styles[key](number, en) if key in styles else _cell(en, zh), align=side)
            for key, en, zh, side in zip(keys, *pair, sides, strict=True)
        ]
        for number, pair in enumerate(zip(english.rows, chinese.rows, strict=True))
    ]
    return Element(
        "table",
        Element("caption", _text(english.caption, chinese.caption)) if english.caption else None,
        Element("thead", Element("tr", *head)),
        Element("tbody", *(Element("tr", *cells) for cells in rows)),
        class_="wraps" if wraps else None,
    )


def _cell(english: str, chinese: str) -> Cell:
    text = _text(english, chinese)
    if not isinstance(english, Value):
        return text
    value = Element("b", text) if english.best else text
    return Element("span", value, Element("sup", english.marks)) if english.marks else value


def _text(english: str, chinese: str) -> Phrase | str:
    return english if english == chinese else Phrase(english, chinese)


def html_page(lang: Lang, head: Sequence[Element], body: Sequence[Element]) -> str:
    """Return a complete HTML file."""
    settings = [("viewport", "width=device-width, initial-scale=1"), ("color-scheme", "light dark")]
    metas = [Element("meta", name=name, content=content) for name, content in settings]
    full_head = Element("head", Element("meta", charset="utf-8"), *head, *metas)
    document = Element("html", full_head, Element("body", *body), lang=LANG_TAGS[lang])
    return f"<!DOCTYPE html>\n{document.markup()}\n"


def offline_head(title: str, style: str, script: str = "", connect: str = "") -> list[Element]:
    """Return the head of a page that loads nothing and runs its own script only; ``connect`` is where it may send."""
    run = f"script-src '{content_hash(script)}'; " if script else ""
    send = f"connect-src '{connect}'; " if connect else ""
    policy = (
        f"default-src 'none'; {run}style-src '{content_hash(style)}'; img-src data:; {send}base-uri 'none'; "
        "form-action 'none'"
    )
    return [
        Element("meta", http_equiv="Content-Security-Policy", content=Trusted(policy)),
        Element("meta", name="referrer", content="no-referrer"),
        Element("title", title),
        Element("style", Trusted(style)),
        *([Element("link", rel="icon", href="data:,")] if connect else []),  # a server would be asked for one
    ]


def offline_page(
    lang: Lang,
    title: Phrase | str,
    subtitle: Phrase,
    content: Iterable[Element],
    *,
    style: str,
    script: str,
    data: Mapping[str, object],
    later: Iterable[Element] = (),
    connect: str = "",
) -> str:
    """Return a page that loads nothing, with ``data`` for its script by their ids and ``later`` behind the script."""
    shown = title if isinstance(title, str) else title.render(lang)
    blocks = [json_block(name, value) for name, value in data.items()]
    body = [*page_top(title, subtitle), *content, *blocks, Element("script", Trusted(script)), *later]
    return html_page(lang, offline_head(shown, style, script, connect), body)


def page_top(title: Phrase | str, subtitle: Phrase) -> list[Element]:
    """Return the link that skips to the content, and the header with the buttons for language and theme."""
    theme = Element("span", MESSAGES["theme"], class_="away")
    buttons = [
        Element("button", MESSAGES["language"], type="button", id="language"),
        Element("button", "◐", theme, type="button", id="theme"),
    ]
    heading = Element("div", Element("h1", title), Element("p", subtitle, class_="small"))
    return [
        Element("a", MESSAGES["skip"], href="#main", class_="skip"),
        Element("header", heading, Element("div", *buttons, class_="tools"), class_="top"),
    ]


def titled_section(name: str, title: Phrase, *content: Element | None, **attributes: Any) -> Element:
    """Return a section of a page that is labelled by its heading."""
    heading = Element("h2", title, id=f"{name}-title")
    return Element("section", heading, *content, **attributes, aria_labelledby=heading.attributes["id"])


def json_block(name: str, data: object) -> Element:
    """Return data for the script of the page; no text in it can end the element."""
    return Element("script", Trusted(to_json(data).replace("<", "\\u003c")), type="application/json", id=name)
