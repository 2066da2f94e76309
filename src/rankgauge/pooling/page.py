"""The judging sheet as one HTML page that contains its style, its script and its texts, and needs no network."""

from __future__ import annotations

from rankgauge import __version__
from rankgauge.pooling.page_texts import GRADE_NAMES, PAGE, SCRIPT, THEN
from rankgauge.pooling.sheet import Sheet
from rankgauge.rendering.assets import page_script, page_style
from rankgauge.rendering.element import Element
from rankgauge.rendering.html import offline_page
from rankgauge.rendering.language import Phrase
from rankgauge.rendering.plain import PlainData

SCRIPTS = ("labels.js", "question.js", "summary.js", "sheet.js")


def page(sheet: Sheet, served: str = "") -> str:
    """Return the HTML file; ``served`` is the name of the file to which a server writes the labels."""
    return offline_page(
        sheet.lang,
        sheet.title or PAGE["title"],
        PAGE["subtitle"],
        _content(sheet),
        style=page_style("pooling", "sheet.css"),
        script=page_script("pooling", *SCRIPTS),
        data={"messages": SCRIPT, "sheet": sheet_data(sheet, served)},
        connect="self" if served else "none",
    )


def sheet_data(sheet: Sheet, served: str = "") -> PlainData:
    """Return what the script needs: ids as text, each query, item and reason once."""
    queries = {query: number for number, query in enumerate(dict.fromkeys(row.query for row in sheet.rows))}
    items = {item: number for number, item in enumerate(dict.fromkeys(row.item for row in sheet.rows))}
    reasons = {reason: number for number, reason in enumerate(dict.fromkeys(row.reason for row in sheet.rows))}
    names = GRADE_NAMES.get(sheet.max_grade, [Phrase("", "")] * (sheet.max_grade + 1))
    return {
        "fingerprint": sheet.fingerprint,
        "max_grade": sheet.max_grade,
        "title": sheet.title,
        "guideline": sheet.guideline,
        "lang": sheet.lang,
        "grades": [[*name] for name in names],
        "queries": [[str(query), sheet.query_text(query)] for query in queries],
        "items": [[str(item), sheet.item_text(item)] for item in items],
        "reasons": [*reasons],
        "rows": [
            [queries[row.query], items[row.item], row.repeat, reasons[row.reason], row.inclusion] for row in sheet.rows
        ],
        "part": sheet.is_part,
        "served": served or None,
    }


def _content(sheet: Sheet) -> list[Element]:
    return [
        Element("noscript", Element("p", PAGE["no script"], class_="notice")),
        Element("main", _start(), _work(sheet), id="main", tabindex="-1"),
        Element("footer", Element("p", PAGE["footer"].fill(fingerprint=sheet.fingerprint, version=__version__),
                                  class_="small")),
    ]  # fmt: skip


def _start() -> Element:
    name = Element("input", type="text", id="rater", autocomplete="name", required=True, aria_describedby="rater-hint")
    return Element(
        "form",
        Element("h2", PAGE["begin"]),
        Element("label", PAGE["rater"], for_="rater"),
        name,
        Element("p", PAGE["rater hint"], class_="small", id="rater-hint"),
        Element("ul", *(Element("li", PAGE[f"how {number}"]) for number in range(1, 5))),
        Element("button", PAGE["start"], type="submit", class_="main-button"),
        id="start",
        class_="card",
    )


def _button(name: str) -> Element:
    return Element("button", PAGE[name], type="button", id=name)


def _work(sheet: Sheet) -> Element:
    status = Element(
        "div",
        Element("span", id="who"),
        Element("progress", id="bar", max="1", value="0", label=PAGE["progress"]),
        Element("span", id="progress"),
        Element("span", id="saved", role="status", aria_live="polite"),
        Element("button", PAGE["save"], type="button", class_="save"),
        _button("end"),
        id="status",
    )
    return Element("div", status, _question(), _summary(sheet), id="work", hidden=True)


def _question() -> Element:
    text = Element("div", id="guideline-text")
    guide = Element("details", Element("summary", PAGE["guideline"]), text, id="guideline", open=True)
    title, query = Element("h2", PAGE["query"]), Element("div", id="asked-query")
    ask = Element("section", title, query, guide, id="ask", class_="card", label=PAGE["query"], tabindex="0")
    item = Element(
        "section",
        Element("h2", PAGE["item"]),
        Element("p", id="position", class_="small"),
        Element("div", id="item"),
        id="item-card",
        class_="card",
        tabindex="-1",
        label=PAGE["item"],
    )
    note = Element(
        "div",
        Element("label", PAGE["note"], for_="note"),
        Element("input", type="text", id="note", autocomplete="off", maxlength="2000"),
        id="note-field",
    )
    keys = Element(
        "label", Element("input", type="checkbox", id="keys", checked=True), PAGE["keys"], class_="check key-only"
    )
    moves = Element("div", _button("previous"), _button("undo"), _button("next"), id="moves")
    grades = Element("div", id="grades", role="group", label=PAGE["grades"])
    answers = Element("div", Element("div", grades, moves), id="answers")
    return Element("div", ask, item, note, keys, answers, id="question", hidden=True)


def _then(sheet: Sheet) -> Phrase:
    """Return what to do with the labels of a sheet."""
    reason = next((row.reason for row in sheet.rows), "depth")
    return THEN.get("part" if sheet.is_part else reason, THEN["depth"])


def _summary(sheet: Sheet) -> Element:
    merge = Element("label", PAGE["merge"], Element("input", type="file", id="merge", multiple=True), class_="file")
    row = Element(
        "div",
        Element("button", PAGE["save"], type="button", class_="save main-button"),
        merge,
        _button("back"),
        class_="row",
    )
    return Element(
        "section",
        Element("h2", PAGE["summary"]),
        Element("div", id="result"),
        row,
        Element("p", id="merged", role="status", aria_live="polite"),
        Element("p", _then(sheet), class_="small"),
        id="summary",
        class_="card",
        tabindex="-1",
        hidden=True,
        label=PAGE["summary"],
    )
