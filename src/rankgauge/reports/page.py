"""The page: one HTML file with its style, its script and its data inside, and nothing from anywhere else."""

from __future__ import annotations

import base64
import gzip
import hashlib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from rankgauge import __version__
from rankgauge.comparison.pair import SystemPair
from rankgauge.rendering.element import LANG_TAGS, Element, escaped
from rankgauge.rendering.language import Phrase
from rankgauge.reports import cards
from rankgauge.reports.messages import PAGE, SCRIPT
from rankgauge.reports.model import Report, plain_json
from rankgauge.reports.picture import Picture

SCRIPTS = ("start.js", "dom.js", "shell.js", "data.js", "pictures.js", "list.js", "steps.js", "query.js", "main.js")
"""In this order they make one script."""


@cache
def asset(name: str) -> str:
    """A file of the folder ``assets``."""
    return (files("rankgauge.reports") / "assets" / name).read_text(encoding="utf-8")


def page(report: Report) -> str:
    """The whole file."""
    style = asset("page.css")
    script = "".join(asset(name) for name in SCRIPTS)
    parts = {
        "lang": LANG_TAGS[report.lang],
        "policy": (
            f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
            "img-src data:; base-uri 'none'; form-action 'none'"
        ),
        "title": escaped(report.title or PAGE["title"].render(report.lang)),
        "style": style,
        "body": _body(report),
        "words": _in_script(plain_json({key: [*phrase] for key, phrase in SCRIPT.items()})),
        "data": "\n".join(_blocks(report)),
        "script": script,
        "queries": "\n".join(_block(f"queries-{number}", chunk) for number, chunk in enumerate(report.chunks())),
    }
    made = asset("page.html")
    for name, text in parts.items():  # no text can hold such a mark: they are escaped, packed, or ours
        head, mark, tail = made.partition(f"<!--{name}-->")
        made = head + text + tail if mark else made
    return made


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _in_script(json: str) -> str:
    """JSON that cannot end the element it stands in."""
    return json.replace("<", "\\u003c")


def packed(data: Any) -> str:
    """Data as compressed text; the same data give the same text."""
    return base64.b64encode(gzip.compress(plain_json(data).encode(), 6, mtime=0)).decode()


def _blocks(report: Report) -> list[str]:
    core = report.data()
    core["pictures"] = [
        {one.name: {"columns": one.columns, "rows": one.rows} for one in drawn} for drawn in report.pictures.values()
    ]
    later = {
        "metrics": [
            [part.tree() for part in _metric_parts(report, place)] if place else []
            for place in range(len(core["metrics"]))
        ],
        "pairs": [
            {core["systems"].index(second): [_tree(one) for one in drawn] for second, drawn in by_system.items()}
            for by_system in report.pair_pictures.values()
        ],
    }
    return [_block("core", core), _block("later", later)]


def _block(name: str, data: Any) -> str:
    return f'<script type="application/octet-stream" id="{name}">{packed(data)}</script>'


def _tree(one: Picture) -> dict[str, Any]:
    return {"name": one.name, "says": [*one.says], "tree": one.drawing.tree(), "plot": one.plot}


def _body(report: Report) -> str:
    found = report.found
    metrics = [str(metric) for metric in found.scores.metrics]
    header = Element(
        "header",
        Element("div", Element("h1", report.title or PAGE["title"]), Element("p", _made_of(report), class_="small")),
        Element(
            "div",
            Element("button", PAGE["language"], type="button", id="language"),
            Element("button", "◐", Element("span", PAGE["theme"], class_="away"), type="button", id="theme"),
            class_="tools",
        ),
        class_="top",
    )
    tabs = Element(
        "nav",
        *(
            Element(
                "button", name, type="button", class_="tab", data_metric=place, aria_pressed=str(place == 0).lower()
            )
            for place, name in enumerate(metrics)
        ),
        id="metrics",
        label=PAGE["metrics"],
        hidden=len(metrics) < 2,  # noqa: PLR2004 (nothing to choose)
    )
    main = Element(
        "main",
        Element(
            "div",
            *(_metric_section(report, place) for place in range(len(metrics))),
            _queries(),
            cards.definition(found),
            cards.health(found),
            id="overview",
        ),
        Element("article", id="query", class_="card", hidden=True, tabindex="-1", label=SCRIPT["query"]),
        id="main",
        tabindex="-1",
    )
    footer = Element("footer", Element("p", PAGE["made by"].fill(version=__version__), class_="small"))
    parts = [
        Element("a", PAGE["skip"], href="#main", class_="skip"),
        header,
        tabs,
        Element("noscript", Element("p", PAGE["no script"], class_="notice")),
        main,
        footer,
        Element("dialog", id="steps", label=SCRIPT["steps"]),
    ]
    return "\n".join(part.markup() for part in parts)


def _made_of(report: Report) -> Phrase:
    scores = report.found.scores
    values = {"queries": f"{len(scores.queries):,}", "metrics": ", ".join(map(str, scores.metrics))}
    if len(scores.systems) == 1:
        return PAGE["made of one"].fill(system=scores.systems[0], **values)
    return PAGE["made of"].fill(systems=len(scores.systems), **values)


def _metric_section(report: Report, place: int) -> Element:
    """All about one metric: the first stands in the page, the others are built when they are first shown."""
    parts = _metric_parts(report, place) if place == 0 else []
    name = str(report.found.scores.metrics[place])
    return Element("section", *parts, class_="metric", data_metric=place, aria_label=name, hidden=place > 0)


def _metric_parts(report: Report, place: int) -> list[Element]:
    found = report.found
    metric = found.scores.metrics[place]
    pairs = report.pairs.get(str(metric), ())
    figures = [_figure(one, place) for one in report.pictures[str(metric)]]
    if pairs:
        of_pair = report.pair_pictures[str(metric)][pairs[0].second]
        drawn = report.pictures[str(metric)]
        at = next((n for n, one in enumerate(drawn) if one.name.startswith(("bounds", "slices"))), len(drawn))
        second = found.scores.systems.index(pairs[0].second)
        figures[at:at] = [_figure(one, place, second) for one in of_pair]
    first, *others = cards.verdicts(found, metric, pairs)
    return [
        Element(
            "div",
            Element("h2", PAGE["verdict"], class_="away"),
            Element("p", first, class_="verdict"),
            *(Element("p", sentence) for sentence in others),
            class_="card says",
        ),
        Element(
            "div",
            Element("h2", PAGE["leaderboard"]),
            cards.leaderboard(found, metric),
            Element(
                "p", PAGE["groups" if metric.definition.summary.has_query_values else "groups of all"], class_="small"
            )
            if pairs
            else None,
            class_="card",
        ),
        *_pairs(report, pairs, str(metric)),
        Element("h2", PAGE["pictures"], class_="away"),
        Element("div", *figures, class_="figures"),
    ]


def _pairs(report: Report, pairs: Sequence[SystemPair], metric: str) -> list[Element]:
    compared = report.found.comparison
    if compared is None:
        return []
    title = PAGE["pairs"].fill(baseline=compared.baseline)
    inside = [Element("h2", title), cards.pairs_table(report.found, pairs, title)]
    if len(compared.systems) > 2:  # noqa: PLR2004 (two systems are one pair)
        every = compared.pairs(metric, every=True)
        caption = PAGE["all pairs"].fill(count=len(every))
        inside.append(Element("details", Element("summary", caption), cards.pairs_table(report.found, every, caption)))
    inside.append(Element("p", cards.pairs_note(report.found), class_="small"))
    return [Element("div", *inside, class_="card")]


def _figure(one: Picture, metric: int, pair: int | None = None) -> Element:
    name = f"p{metric}-{one.name}"
    one.drawing.attributes |= {"aria-labelledby": f"{name}-title", "aria-describedby": f"{name}-says"}
    return Element(
        "figure",
        Element("h3", one.title, id=f"{name}-title"),
        Element("div", one.drawing, class_="drawing", data_plot=plain_json(one.plot) if one.plot else None),
        Element("figcaption", one.says, id=f"{name}-says"),
        Element("div", class_="buttons"),
        class_="card",
        data_picture=one.name,
        data_metric=metric,
        data_pair=pair,
    )


def _queries() -> Element:
    return Element(
        "section",
        Element("h2", PAGE["queries"], id="queries-title"),
        Element("div", id="list"),
        id="queries",
        class_="card",
        aria_labelledby="queries-title",
    )
