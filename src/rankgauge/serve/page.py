"""The frame of the local page in both languages; its content comes with the responses of the server."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from rankgauge import __version__
from rankgauge.conventions.presets import PRESETS
from rankgauge.metric_core.registry import metrics
from rankgauge.rendering.element import Element
from rankgauge.rendering.html import html_page, json_block, page_top
from rankgauge.rendering.language import Lang
from rankgauge.reports.messages import SCRIPT as REPORT_SCRIPT
from rankgauge.reports.page import asset
from rankgauge.serve.examples import EXAMPLES
from rankgauge.serve.messages import PAGE, SCRIPT
from rankgauge.serve.uploads import MAX_FILES

REPORT_SCRIPTS = ("start.js", "dom.js", "shell.js")
OWN_SCRIPTS = ("requests.js", "rules.js", "playground.js", "files.js", "main.js")
FIRST = ("nDCG", "DCG", "CG", "AP", "RR", "P", "R", "HR", "F", "ERR", "RBP")
"""The most common metrics, at the top of the menu."""
METRICS = "nDCG@10, AP, RR"


def _own_asset(name: str) -> str:
    return (files("rankgauge.serve") / "assets" / name).read_text(encoding="utf-8")


@cache
def script() -> str:
    """Return the script of the page: that of reports, and its own."""
    return "".join([*map(asset, REPORT_SCRIPTS), *map(_own_asset, OWN_SCRIPTS)])


@cache
def style() -> str:
    """Return the style of the page: that of reports, and its own."""
    return asset("page.css") + _own_asset("serve.css")


def page(lang: Lang, limit: int) -> str:
    """Return the page; ``limit`` is in bytes."""
    head = [
        Element("title", "rankgauge"),
        Element("link", rel="icon", href="data:,"),
        Element("link", rel="stylesheet", href="/style.css"),
    ]
    start = {"examples": [example.to_dict() for example in EXAMPLES], "limit": limit, "most": MAX_FILES}
    body = [
        *_body(limit),
        json_block("messages", REPORT_SCRIPT | SCRIPT),
        json_block("start", start),
        Element("script", src="/script.js"),
    ]
    return html_page(lang, head, body)


def _body(limit: int) -> list[Element]:
    views = Element(
        "nav",
        *(Element("a", PAGE[name], href=f"#{name}", class_="tab", data_view=name) for name in ("playground", "files")),
        id="views",
        label=PAGE["views"],
    )
    return [
        *page_top(PAGE["title"], PAGE["subtitle"]),
        views,
        Element("noscript", Element("p", PAGE["no script"], class_="notice")),
        Element("main", _playground(), _files(limit), _report(), id="main", tabindex="-1"),
        Element("footer", Element("p", f"rankgauge {__version__}", class_="small")),
    ]


def _playground() -> Element:
    form = Element(
        "form",
        Element("h2", PAGE["try"]),
        Element("div", Element("span", PAGE["examples"], class_="small"), Element("div", id="examples"), class_="row"),
        Element("div", _field("grades", "grades hint", wide=True), _field("missed", "missed hint"), class_="fields"),
        Element("div", id="blocks", role="group", label=PAGE["blocks"]),
        Element(
            "div",
            _labelled("metric", Element("select", *_metric_options(), id="metric")),
            _labelled("cutoff", Element("input", type="number", id="cutoff", min="1", max="1000", step="1", value="5")),
            _labelled("convention", _conventions("convention")),
            class_="fields",
        ),
        Element("details", Element("summary", PAGE["more"]), _field("scores", "scores hint")),
        id="try",
        class_="card",
    )
    result = Element(
        "div",
        Element("h2", PAGE["result"], class_="away"),
        Element("div", id="value", role="status", aria_live="polite"),
        class_="card highlight",
    )
    parts = [
        ("how", None, Element("div", id="how")),
        ("rules", "rules hint", Element("div", id="rules")),
        ("tools", "tools hint", Element("div", id="tools")),
    ]
    number = Element(
        "form",
        Element("h2", PAGE["printed"], id="printed-title"),
        Element("p", PAGE["printed hint"], class_="small"),
        Element(
            "div",
            Element("input", type="text", id="printed", inputmode="decimal", autocomplete="off", size="10",
                    aria_labelledby="printed-title"),
            Element("button", PAGE["find"], type="submit"),
            class_="row",
        ),
        Element("div", id="explanations", role="status", aria_live="polite"),
        id="number",
        class_="card",
    )  # fmt: skip
    sections = [
        Element(
            "section",
            Element("h2", PAGE[key], id=f"{key}-title"),
            Element("p", PAGE[hint], class_="small") if hint else None,
            content,
            class_="card",
            aria_labelledby=f"{key}-title",
        )
        for key, hint, content in parts
    ]
    return Element("section", form, result, *sections, number, id="view-playground", label=PAGE["playground"])


def _files(limit: int) -> Element:
    drop = Element(
        "label",
        Element("strong", PAGE["drop"]),
        Element("span", PAGE["choose"], class_="choose"),
        Element("input", type="file", id="chosen", multiple=True),
        id="drop",
    )
    form = Element(
        "form",
        Element("h2", PAGE["drop title"]),
        drop,
        Element("p", PAGE["drop hint"].fill(limit=f"{limit / (1 << 20):,.4g}"), class_="small"),
        Element("div", id="listed"),
        Element(
            "div",
            _labelled(
                "metrics",
                Element("input", type="text", id="metrics-text", value=METRICS, autocomplete="off", spellcheck="false"),
                "metrics hint",
                wide=True,
            ),
            _labelled("convention", _conventions("files-convention")),
            class_="fields",
        ),
        Element(
            "details",
            Element("summary", PAGE["single rules"]),
            Element("p", PAGE["single rules hint"], class_="small"),
            Element("div", id="files-rules"),
            id="single-rules",
        ),
        Element("p", id="changed-rules", class_="changed", aria_live="polite"),
        Element("label", Element("input", type="checkbox", id="lenient"), PAGE["lenient"], class_="check"),
        Element(
            "div",
            Element("button", PAGE["evaluate"], type="submit", class_="main-button"),
            Element("button", PAGE["example files"], type="button", id="example-files"),
            class_="row",
        ),
        Element("p", id="complaint", role="alert", class_="notice", hidden=True),
        id="sending",
        class_="card",
    )
    evaluations = Element(
        "section",
        Element("h2", PAGE["evaluations"], id="evaluations-title"),
        Element("div", Element("p", PAGE["no evaluations"], class_="small"), id="evaluations", aria_live="polite"),
        aria_labelledby="evaluations-title",
    )
    return Element("section", form, evaluations, id="view-files", label=PAGE["files"], hidden=True)


def _report() -> Element:
    bar = Element(
        "div",
        Element("a", "← ", PAGE["back"], href="#files", class_="back"),
        Element("a", SCRIPT["tab"], id="report-tab", target="_blank", rel="noopener", href="#files"),
        Element("a", SCRIPT["save"], id="report-save", href="#files", download="report.html"),
        class_="bar-nav",
    )
    frame = Element("iframe", id="report-frame", sandbox="allow-scripts allow-downloads", label=PAGE["report"])
    return Element("section", bar, frame, id="view-report", label=PAGE["report"], hidden=True)


def _field(name: str, hint: str, *, wide: bool = False) -> Element:
    box = Element("input", type="text", id=name, autocomplete="off", spellcheck="false", class_="numbers")
    return _labelled(name, box, hint, wide=wide)


def _labelled(name: str, box: Element, hint: str = "", *, wide: bool = False) -> Element:
    place = box.attributes["id"]
    return Element(
        "div",
        Element("label", PAGE[name], for_=place),
        box.replace(aria_describedby=f"{place}-hint" if hint else None),
        Element("span", PAGE[hint], class_="small", id=f"{place}-hint") if hint else None,
        class_="field wide" if wide else "field",
    )


def _metric_options() -> list[Element]:
    available = {name: metric for name, metric in metrics().items() if not metric.definition.of_items}
    order = [*(name for name in FIRST if name in available), *(name for name in available if name not in FIRST)]
    return [
        Element("option", name, value=name, data_cut="k" if "k" in available[name].definition.parameters else None)
        for name in order
    ]


def _conventions(place: str) -> Element:
    name = PAGE["default"]
    default = Element("option", name.en, value="default", data_en=name.en, data_zh=name.zh)
    return Element("select", default, *(Element("option", name, value=name) for name in PRESETS), id=place)
