"""The report as one HTML file that contains its style, its script and its data."""

from __future__ import annotations

import base64
import gzip
from typing import Any

from rankgauge import __version__
from rankgauge.inputs.io.prefetch import parallel_map
from rankgauge.rendering.assets import asset, content_hash
from rankgauge.rendering.element import Element, Trusted
from rankgauge.rendering.html import html_page, json_block, page_blocks, page_top
from rankgauge.rendering.language import Phrase
from rankgauge.rendering.plain import finite_or_none, to_json
from rankgauge.reports.layout import CARDS
from rankgauge.reports.messages import PAGE, SCRIPT
from rankgauge.reports.metric_section import metric_parts
from rankgauge.reports.model import Report
from rankgauge.reports.pictures import Picture

SCRIPTS = ("start.js", "dom.js", "shell.js", "data.js", "pictures.js", "list.js", "steps.js", "query.js", "main.js")
"""The parts of the script, in order."""


def page(report: Report) -> str:
    """Return the HTML file."""
    style, script = asset("page.css"), "".join(map(asset, SCRIPTS))
    policy = (
        f"default-src 'none'; script-src '{content_hash(script)}'; style-src '{content_hash(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    top = [
        Element("meta", http_equiv="Content-Security-Policy", content=Trusted(policy)),
        Element("meta", name="referrer", content="no-referrer"),
        Element("title", report.title or PAGE["title"].render(report.lang)),
        Element("style", Trusted(style)),
    ]
    body = [
        *_body(report),
        json_block("messages", {name: SCRIPT[name] for name in SCRIPT}),
        *_data(report),
        Element("script", Trusted(script)),  # before the queries, so that nobody waits for them
        *(
            _later(f"queries-{number}", text)
            for number, text in enumerate(parallel_map(_gzipped, ((to_json(chunk),) for chunk in report.chunks())))
        ),
    ]
    return html_page(report.lang, top, body)


def values_page(report: Report) -> str:
    """Return the HTML file of a report of values alone: the tables, without a script."""
    style, blocks = asset("page.css"), report.document().blocks
    policy = f"default-src 'none'; style-src '{content_hash(style)}'; base-uri 'none'; form-action 'none'"
    top = [
        Element("meta", http_equiv="Content-Security-Policy", content=Trusted(policy)),
        Element("title", report.title or PAGE["title"].render(report.lang)),
        Element("style", Trusted(style)),
    ]
    main = Element("main", Element("section", *page_blocks(blocks, blocks), class_="card"), id="main")
    return html_page(report.lang, top, [main])


def compressed(data: Any) -> str:
    """Return data as compressed text; equal data give equal text."""
    return _gzipped(to_json(data))


def _gzipped(text: str) -> str:
    return base64.b64encode(gzip.compress(text.encode(), 6, mtime=0)).decode()


def _later(name: str, text: str) -> Element:
    """Return data for the script that are decompressed when they are needed."""
    return Element("script", Trusted(text), type="application/octet-stream", id=name)


def _data(report: Report) -> list[Element]:
    core = report.data()
    core["pictures"] = [
        {
            picture.name: {"columns": picture.columns, "rows": finite_or_none(picture.rows)}
            for picture in pictures
            if picture.name != "topics"  # the page has the values already
        }
        for pictures in report.pictures.values()
    ]
    later = {
        "metrics": [
            [part.tree() for part in metric_parts(report, place)] if place else []
            for place in range(len(core["metrics"]))
        ],
        "pairs": [
            {core["systems"].index(second): [*map(_picture_data, pictures)] for second, pictures in by_system.items()}
            for by_system in report.pair_pictures.values()
        ],
    }
    return [_later("core", compressed(core)), _later("later", compressed(later))]


def _picture_data(picture: Picture) -> dict[str, object]:
    return {"name": picture.name, "caption": picture.caption, "tree": picture.drawing.tree(), "plot": picture.plot}


def _body(report: Report) -> list[Element]:
    contents = report.contents
    tabs = [
        Element("button", str(metric), type="button", class_="tab", data_metric=n, aria_pressed=str(n == 0).lower())
        for n, metric in enumerate(contents.scores.metrics)
    ]
    tab_bar = Element("nav", *tabs, id="metrics", label=PAGE["metrics"], hidden=len(tabs) == 1)
    summary, *overview = [element for card in CARDS for element in card.elements(report)]
    query = Element("article", id="query", class_="card", hidden=True, tabindex="-1", label=SCRIPT["query"])
    return [
        *page_top(report.title or PAGE["title"], _subtitle(report)),
        Element("noscript", Element("p", PAGE["no script"], class_="notice")),
        Element("main", summary, tab_bar, Element("div", *overview, id="overview"), query, id="main", tabindex="-1"),
        Element("footer", Element("p", PAGE["generated by"].fill(version=__version__), class_="small")),
        Element("dialog", id="steps", label=SCRIPT["steps"]),
    ]


def _subtitle(report: Report) -> Phrase:
    scores = report.contents.scores
    values = {"queries": len(scores.queries), "metrics": ", ".join(map(str, scores.metrics))}
    if len(scores.systems) == 1:
        return PAGE["contents of one"].fill(system=scores.systems[0], **values)
    return PAGE["contents"].fill(systems=len(scores.systems), **values)
