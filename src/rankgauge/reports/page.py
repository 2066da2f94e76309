"""The report as one HTML file that contains its style, its script and its data."""

from __future__ import annotations

import base64
import gzip
import hashlib
import math
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from rankgauge import __version__
from rankgauge.comparison.document import CORRECTIONS
from rankgauge.comparison.pair import SystemPair
from rankgauge.inputs.io.prefetch import parallel_map
from rankgauge.rendering.element import Element, Trusted
from rankgauge.rendering.html import html_page, json_block, page_blocks, page_top, titled_section
from rankgauge.rendering.language import Phrase
from rankgauge.rendering.plain import finite_or_none, to_json
from rankgauge.reports import cards
from rankgauge.reports.head import head
from rankgauge.reports.messages import PAGE, SCRIPT
from rankgauge.reports.model import Report
from rankgauge.reports.pictures import Picture

SCRIPTS = ("start.js", "dom.js", "shell.js", "data.js", "pictures.js", "list.js", "steps.js", "query.js", "main.js")
"""The parts of the script, in order."""
MANY_PAIRS = 1_000
"""Above this number the page has the pairs with the baseline only."""


@cache
def asset(name: str, package: str = "reports") -> str:
    """Return a file of the folder ``assets`` of a package."""
    return (files("rankgauge") / package / "assets" / name).read_text(encoding="utf-8")


def page(report: Report) -> str:
    """Return the HTML file."""
    style, script = asset("page.css"), "".join(map(asset, SCRIPTS))
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
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
    policy = f"default-src 'none'; style-src '{_hash(style)}'; base-uri 'none'; form-action 'none'"
    top = [
        Element("meta", http_equiv="Content-Security-Policy", content=Trusted(policy)),
        Element("title", report.title or PAGE["title"].render(report.lang)),
        Element("style", Trusted(style)),
    ]
    main = Element("main", Element("section", *page_blocks(blocks, blocks), class_="card"), id="main")
    return html_page(report.lang, top, [main])


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


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
            [part.tree() for part in _metric_parts(report, place)] if place else []
            for place in range(len(core["metrics"]))
        ],
        "pairs": [
            {core["systems"].index(second): [*map(_picture_data, pictures)] for second, pictures in by_system.items()}
            for by_system in report.pair_pictures.values()
        ],
    }
    return [_later("core", compressed(core)), _later("later", compressed(later))]


def _picture_data(picture: Picture) -> dict[str, Any]:
    return {"name": picture.name, "caption": picture.caption, "tree": picture.drawing.tree(), "plot": picture.plot}


def _body(report: Report) -> list[Element]:
    contents = report.contents
    tabs = [
        Element("button", str(metric), type="button", class_="tab", data_metric=n, aria_pressed=str(n == 0).lower())
        for n, metric in enumerate(contents.scores.metrics)
    ]
    tab_bar = Element("nav", *tabs, id="metrics", label=PAGE["metrics"], hidden=len(tabs) == 1)
    overview = [
        *(_metric_section(report, place) for place in range(len(tabs))),
        titled_section("queries", PAGE["queries"], Element("div", id="list"), id="queries", class_="card"),
        cards.definition(contents),
        cards.health(contents),
    ]
    query = Element("article", id="query", class_="card", hidden=True, tabindex="-1", label=SCRIPT["query"])
    return [
        *page_top(report.title or PAGE["title"], _subtitle(report)),
        Element("noscript", Element("p", PAGE["no script"], class_="notice")),
        Element(
            "main", head(report), tab_bar, Element("div", *overview, id="overview"), query, id="main", tabindex="-1"
        ),
        Element("footer", Element("p", PAGE["generated by"].fill(version=__version__), class_="small")),
        Element("dialog", id="steps", label=SCRIPT["steps"]),
    ]


def _subtitle(report: Report) -> Phrase:
    scores = report.contents.scores
    values = {"queries": len(scores.queries), "metrics": ", ".join(map(str, scores.metrics))}
    if len(scores.systems) == 1:
        return PAGE["contents of one"].fill(system=scores.systems[0], **values)
    return PAGE["contents"].fill(systems=len(scores.systems), **values)


def _metric_section(report: Report, place: int) -> Element:
    """Return the section of a metric: the first is in the page, the others are built when they are first shown."""
    parts = _metric_parts(report, place) if place == 0 else []
    name = str(report.contents.scores.metrics[place])
    return Element("section", *parts, class_="metric", data_metric=place, aria_label=name, hidden=place > 0)


def _metric_parts(report: Report, place: int) -> list[Element]:
    contents = report.contents
    metric = contents.scores.metrics[place]
    pairs = report.pairs.get(str(metric), ())
    groups = PAGE["groups" if metric.definition.summary.has_query_values else "corpus groups"]
    leaderboard = [
        Element("h2", PAGE["details"].fill(metric=metric), class_="metric-title"),
        *cards.more_sentences(metric, pairs),
    ]
    if pairs:  # the summary says all of a single system
        leaderboard += [Element("h3", PAGE["leaderboard"]), cards.leaderboard(contents, metric)]
        leaderboard.append(Element("p", groups, class_="small"))
    return [
        Element("div", *leaderboard, class_="card"),
        *_pairs(report, pairs, str(metric)),
        Element("h2", PAGE["pictures"], class_="away"),
        Element("div", *_figures(report, place, pairs), class_="figures"),
    ]


def _figures(report: Report, place: int, pairs: Sequence[SystemPair]) -> list[Element]:
    """Return the pictures of a metric, with those of the first pair before bounds and slices."""
    metric = str(report.contents.scores.metrics[place])
    figures = [_figure(picture, place) for picture in report.pictures[metric]]
    if pairs:
        names = [picture.name.startswith(("bounds", "slices")) for picture in report.pictures[metric]]
        at = [*names, True].index(True)
        best = next(name for name in report.contents.ordered() if name in report.pair_pictures[metric])
        second, of_pair = report.contents.scores.systems.index(best), report.pair_pictures[metric][best]
        figures[at:at] = [_figure(picture, place, second) for picture in of_pair]
    return figures


def _pairs(report: Report, pairs: Sequence[SystemPair], metric: str) -> list[Element]:
    comparison, settings = report.contents.comparison, report.contents.settings
    if comparison is None:
        return []
    title = PAGE["pairs"].fill(baseline=comparison.baseline)
    parts = [Element("h2", title), cards.pairs_card(pairs, title)]
    count = math.comb(len(comparison.systems), 2)
    if count > MANY_PAIRS:
        parts.append(Element("p", PAGE["many pairs"].fill(count=count), class_="small"))
    elif count > 1:
        caption = PAGE["all pairs"].fill(count=count)
        table = cards.pairs_card(comparison.pairs(metric, all_pairs=True), caption)
        parts.append(Element("details", Element("summary", caption), table))
    note = PAGE["corrected"].fill(how=CORRECTIONS[settings.correction], alpha=settings.alpha)
    return [Element("div", *parts, Element("p", note, class_="small"), class_="card")]


def _figure(picture: Picture, metric: int, pair: int | None = None) -> Element:
    name = f"p{metric}-{picture.name}"
    drawing = picture.drawing.replace(aria_labelledby=f"{name}-title", aria_describedby=f"{name}-caption")
    return Element(
        "figure",
        Element("h3", picture.title, id=f"{name}-title"),
        Element("div", drawing, class_="drawing", data_plot=to_json(picture.plot) if picture.plot else None),
        Element("figcaption", picture.caption, id=f"{name}-caption"),
        Element("div", class_="buttons"),
        class_="card",
        data_picture=picture.name,
        data_metric=metric,
        data_pair=pair,
    )
