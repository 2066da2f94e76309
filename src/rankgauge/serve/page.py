"""The local page: its frame, in both languages; what is in it comes with the answers."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from rankgauge import __version__
from rankgauge.conventions.presets import PRESETS
from rankgauge.metric_core.registry import metrics
from rankgauge.rendering.element import LANG_TAGS, Element
from rankgauge.rendering.language import Lang
from rankgauge.reports.messages import PAGE as REPORT
from rankgauge.reports.messages import SCRIPT as REPORT_SCRIPT
from rankgauge.reports.model import plain_json
from rankgauge.reports.page import asset
from rankgauge.serve.examples import EXAMPLES
from rankgauge.serve.uploads import MANY
from rankgauge.serve.words import PAGE, SCRIPT

OF_REPORT = ("start.js", "dom.js", "shell.js")
OWN = ("ask.js", "rules.js", "playground.js", "files.js", "main.js")
FIRST = ("nDCG", "DCG", "CG", "AP", "RR", "P", "R", "HR", "F", "ERR", "RBP")
"""What people look for first."""
METRICS = "nDCG@10, AP, RR"


@cache
def script() -> str:
    """The script of the page: what reports have, too, and its own."""
    own = (files("rankgauge.serve") / "assets" / name for name in OWN)
    return "".join([*map(asset, OF_REPORT), *(one.read_text(encoding="utf-8") for one in own)])


@cache
def style() -> str:
    """The style of the page: that of reports, and what it adds."""
    return asset("page.css") + (files("rankgauge.serve") / "assets" / "serve.css").read_text(encoding="utf-8")


def page(lang: Lang, limit: int) -> str:
    """The whole page; ``limit`` is in bytes."""
    words = {key: [*phrase] for key, phrase in (REPORT_SCRIPT | SCRIPT).items()}
    data = {"words": words, "start": {"examples": [one.to_dict() for one in EXAMPLES], "limit": limit, "most": MANY}}
    body = "\n".join(part.markup() for part in _body(limit))
    blocks = "\n".join(
        f'<script type="application/json" id="{name}">{plain_json(one).replace("<", chr(92) + "u003c")}</script>'
        for name, one in data.items()
    )
    return (
        f'<!DOCTYPE html>\n<html lang="{LANG_TAGS[lang]}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<title>rankgauge</title>\n'
        '<link rel="icon" href="data:,">\n<link rel="stylesheet" href="/style.css">\n</head>\n'
        f'<body>\n{body}\n{blocks}\n<script src="/script.js"></script>\n</body>\n</html>\n'
    )


def _body(limit: int) -> list[Element]:
    header = Element(
        "header",
        Element("div", Element("h1", PAGE["title"]), Element("p", PAGE["subtitle"], class_="small")),
        Element(
            "div",
            Element("button", REPORT["language"], type="button", id="language"),
            Element("button", "◐", Element("span", REPORT["theme"], class_="away"), type="button", id="theme"),
            class_="tools",
        ),
        class_="top",
    )
    views = Element(
        "nav",
        *(Element("a", PAGE[name], href=f"#{name}", class_="tab", data_view=name) for name in ("playground", "files")),
        id="views",
        label=PAGE["views"],
    )
    main = Element("main", _playground(), _files(limit), _report(), id="main", tabindex="-1")
    return [
        Element("a", REPORT["skip"], href="#main", class_="skip"),
        header,
        views,
        Element("noscript", Element("p", PAGE["no script"], class_="notice")),
        main,
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
        class_="card says",
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
    cards = [
        Element(
            "section",
            Element("h2", PAGE[key], id=f"{key}-title"),
            Element("p", PAGE[hint], class_="small") if hint else None,
            inside,
            class_="card",
            aria_labelledby=f"{key}-title",
        )
        for key, hint, inside in parts
    ]
    return Element("section", form, result, *cards, number, id="view-playground", label=PAGE["playground"])


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
    done = Element(
        "section",
        Element("h2", PAGE["evaluations"], id="evaluations-title"),
        Element("div", Element("p", PAGE["no evaluations"], class_="small"), id="evaluations", aria_live="polite"),
        aria_labelledby="evaluations-title",
    )
    return Element("section", form, done, id="view-files", label=PAGE["files"], hidden=True)


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
    if hint:
        box.attributes["aria-describedby"] = f"{place}-hint"
    return Element(
        "div",
        Element("label", PAGE[name], for_=place),
        box,
        Element("span", PAGE[hint], class_="small", id=f"{place}-hint") if hint else None,
        class_="field wide" if wide else "field",
    )


def _metric_options() -> list[Element]:
    known = {name: metric for name, metric in metrics().items() if not metric.definition.of_items}
    order = [*(name for name in FIRST if name in known), *(name for name in known if name not in FIRST)]
    return [
        Element("option", name, value=name, data_cut="k" if "k" in known[name].definition.parameters else None)
        for name in order
    ]


def _conventions(place: str) -> Element:
    words = PAGE["default"]
    default = Element("option", words.en, value="default", data_en=words.en, data_zh=words.zh)
    return Element("select", default, *(Element("option", name, value=name) for name in PRESETS), id=place)
