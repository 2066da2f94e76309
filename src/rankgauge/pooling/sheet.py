"""The judging sheet: the pairs of a pool as an assessor sees them, blind, as rows and as an offline page."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, TypedDict

import numpy as np

from rankgauge import __version__
from rankgauge.errors import ParameterError, allowed_names
from rankgauge.evaluation.score_formats import table_text
from rankgauge.inputs.io.atomic_file import atomic_write
from rankgauge.inputs.texts import TextsLike, query_key, read_texts
from rankgauge.judging.labels import PAIR
from rankgauge.pooling.page_texts import GRADE_NAMES, PAGE, SCRIPT, THEN
from rankgauge.pooling.pooled import Pool
from rankgauge.rendering.assets import page_script, page_style
from rankgauge.rendering.element import Element
from rankgauge.rendering.html import offline_page
from rankgauge.rendering.language import Lang, Phrase, check_lang, plural
from rankgauge.rendering.plain import PlainData
from rankgauge.stats.samples import check_share

FORMATS = {".html": "html", ".htm": "html", ".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl"}
"""Formats of a sheet by the ending of its file."""
REPEATS = 0.05
FEWEST_FOR_REPEATS = 10
"""Pairs from which on some are shown twice."""
LONGEST_TEXT = 20_000
"""Longer texts of items are cut to this number of characters."""


SheetRecord: TypeAlias = dict[str, Any]
"""One row of a sheet in CSV or JSONL."""


class SheetRow(NamedTuple):
    """One question to the assessor."""

    query: Any
    item: Any
    repeat: int
    """1 if the pair was asked before, so that the assessor can be compared with himself."""
    reason: str
    inclusion: float


class SheetOptions(TypedDict, total=False):
    """The options of a sheet; ``Pool.sheet`` says what they are."""

    texts: TextsLike | None
    guideline: str
    title: str
    repeats: float
    lang: str


@dataclass(frozen=True, eq=False, repr=False)
class Sheet:
    """The pairs of a pool in the order in which they are judged."""

    rows: tuple[SheetRow, ...]
    fingerprint: str
    max_grade: int
    title: str = ""
    guideline: str = ""
    lang: Lang = "en"
    texts: Mapping[str, str] = field(default_factory=dict)
    is_part: bool = False
    """Whether it asks for some pairs of the pool only."""

    def __repr__(self) -> str:
        return f"<Sheet of pool {self.fingerprint}: {plural(len(self.rows), '# question', '# questions')}>"

    def query_text(self, query: object) -> str:
        """Return the text of a query, empty if it is not known."""
        return self.texts.get(query_key(str(query)), self.texts.get(str(query), ""))

    def item_text(self, item: object) -> str:
        """Return the text of an item, empty if it is not known."""
        return self.texts.get(str(item), "")

    def to_dicts(self) -> list[SheetRecord]:
        """Return a row for each question, with empty fields for the assessor."""
        return [*self._records()]

    def _records(self) -> Iterator[SheetRecord]:
        for row in self.rows:
            texts = {"query_text": self.query_text(row.query), "item_text": self.item_text(row.item)}
            answer = {"grade": None, "rater": None, "note": None}
            yield {
                "query": row.query, "item": row.item, **texts, **answer, "repeat": row.repeat, "reason": row.reason,
                "inclusion": row.inclusion, "max_grade": self.max_grade, "pool_fingerprint": self.fingerprint,
            }  # fmt: skip

    def to_csv(self) -> str:
        """Return the sheet for a spreadsheet, with ids and texts that it does not run as formulas."""
        records = self.to_dicts()
        columns = [*records[0]] if records else [*PAIR]
        return table_text(columns, (record.values() for record in records), ",")

    def to_jsonl(self) -> str:
        """Return a JSON object per question."""
        return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in self._records())

    def to_html(self) -> str:
        """Return the sheet as one page that works without a network."""
        return page(self)

    def save(self, path: str | PathLike[str], *, force: bool = False) -> None:
        """Write the sheet atomically, as HTML, CSV or JSONL by the ending of the path."""
        name = FORMATS.get(Path(path).suffix.lower())
        if name is None:
            raise ParameterError.of("path", str(path), allowed_names(f"*{ending}" for ending in FORMATS), "Sheet.save")
        with atomic_write(path, force=force) as file:
            file.write(getattr(self, f"to_{name}")().encode())


def sheet_of(
    pool: Pool,
    *,
    texts: TextsLike | None = None,
    guideline: str = "",
    title: str = "",
    repeats: float = REPEATS,
    lang: str = "en",
) -> Sheet:
    """Return the sheet of a pool; ``Pool.sheet`` says what the parameters are."""
    share = 0.0 if repeats == 0 else check_share("repeats", repeats, "sheet")
    random = np.random.default_rng(pool.seed)
    pairs = pool.frame.select(*PAIR, "reason", "inclusion")
    asked = [SheetRow(query, item, 0, reason, chance) for query, item, reason, chance in pairs.iter_rows()]
    count = max(1, round(share * len(asked))) if share and len(asked) >= FEWEST_FOR_REPEATS else 0
    chosen = np.sort(random.choice(len(asked), count, replace=False)).tolist() if count else []
    again = [asked[number]._replace(repeat=1) for number in chosen]
    rows = [*_shuffled(asked, random), *_shuffled(again, random)]
    wanted = {str(row.query) for row in rows} | {str(row.item) for row in rows}
    known = {} if texts is None else read_texts(texts, wanted, LONGEST_TEXT)
    return Sheet(tuple(rows), pool.fingerprint, pool.max_grade, title, guideline, check_lang(lang), known)


def _shuffled(rows: list[SheetRow], random: np.random.Generator) -> list[SheetRow]:
    """Return the rows query by query, in random order within each."""
    by_query: dict[object, list[SheetRow]] = {}
    for row in rows:
        by_query.setdefault(row.query, []).append(row)
    return [own[place] for own in by_query.values() for place in random.permutation(len(own))]


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
