"""The frame of the local page in both languages; its content comes with the responses of the server."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field

from rankgauge import __version__
from rankgauge.conventions.presets import PRESET_GROUPS
from rankgauge.metric_core.description import FAMILIES, family
from rankgauge.metric_core.registry import metrics
from rankgauge.rendering.element import Cell, Element
from rankgauge.rendering.html import html_page, json_block, page_top, titled_section
from rankgauge.rendering.language import Lang, Phrase
from rankgauge.reports.messages import SCRIPT as REPORT_SCRIPT
from rankgauge.serve.messages import PAGE, SCRIPT
from rankgauge.serve.uploads import MAX_FILES


@dataclass(frozen=True)
class PlaygroundExample:
    """A list, a metric, rules, and the number that a tutorial gives for it."""

    name: Phrase
    grades: str
    metric: str
    k: int | None = None
    missed: str = ""
    rules: dict[str, str] = field(default_factory=dict)
    printed: str = ""
    scores: str = ""


EXAMPLES = (
    PlaygroundExample(Phrase("Five results", "五个结果"), "3 2 3 0 1", "nDCG", 5, printed="0.972"),
    PlaygroundExample(
        Phrase("Films, two not returned", "电影，漏了两部"), "5 3 2 1 2", "nDCG", 5, "4 0", {"gain": "exp2"}, "0.827"
    ),
    PlaygroundExample(Phrase("A mistake in a tutorial", "教程里的笔误"), "5 3 2 1 4", "nDCG", 5, printed="0.857"),
    PlaygroundExample(
        Phrase("Hits at ranks 1, 2, 4 and 7: AP", "第 1、2、4、7 位命中：AP"), "1 1 0 1 0 0 1", "AP", printed="0.83"
    ),
    PlaygroundExample(Phrase("First hit at rank 3: RR", "首个命中在第 3 位：RR"), "0 0 1 0", "RR"),
    PlaygroundExample(
        Phrase("Precision, relevant from grade 3", "精确率，等级 ≥ 3 为相关"),
        "4 5 2 3 1",
        "P",
        3,
        rules={"rel": "3"},
        printed="0.667",
    ),
    PlaygroundExample(
        Phrase("Tied scores", "分数并列"), "0 3 1 2", "nDCG", 3, rules={"ties": "mean"}, scores="0.9 0.9 0.9 0.2"
    ),
)


SCRIPTS = ("requests.js", "rules.js", "playground.js", "files.js", "main.js")
METRICS = "nDCG@10, AP, RR"


def page(lang: Lang, limit: int) -> str:
    """Return the page; ``limit`` is in bytes."""
    head = [
        Element("title", "rankgauge"),
        Element("link", rel="icon", href="data:,"),
        Element("link", rel="stylesheet", href="/style.css"),
    ]
    start = {"examples": [*map(asdict, EXAMPLES)], "limit": limit, "most": MAX_FILES}
    body = [
        *_body(limit),
        json_block("messages", REPORT_SCRIPT | SCRIPT),
        json_block("start", start),
        Element("script", src="/script.js"),
    ]
    return html_page(lang, head, body)


def _body(limit: int) -> list[Element]:
    views = [
        Element("a", PAGE[name], href=f"#{name}", class_="tab", data_view=name) for name in ("playground", "files")
    ]
    return [
        *page_top(PAGE["title"], PAGE["subtitle"]),
        Element("nav", *views, id="views", label=PAGE["views"]),
        Element("noscript", Element("p", PAGE["no script"], class_="notice")),
        Element("main", _playground(), _files(limit), _report(), id="main", tabindex="-1"),
        Element("footer", _small(f"rankgauge {__version__}")),
    ]


def _small(text: Cell, tag: str = "p") -> Element:
    return Element(tag, text, class_="small")


def _playground() -> Element:
    cutoff = Element("input", type="number", id="cutoff", min="1", max="1000", step="1", value="5")
    choices = [
        _labelled("metric", Element("select", *_metric_groups(), id="metric")),
        _labelled("cutoff", cutoff),
        _labelled("convention", _conventions("convention")),
    ]
    form = Element(
        "form",
        Element("h2", PAGE["try"]),
        Element("div", _small(PAGE["examples"], "span"), Element("div", id="examples"), class_="row"),
        Element("div", _field("grades", wide=True), _field("missed"), class_="fields"),
        Element("div", id="blocks", role="group", label=PAGE["blocks"]),
        Element("div", *choices, class_="fields"),
        Element("details", Element("summary", PAGE["more"]), _field("scores")),
        id="try",
        class_="card",
    )
    value = Element("div", id="value", role="status", aria_live="polite")
    copies = [
        Element("button", SCRIPT[f"copy {what}"], type="button", id=f"copy-{what}", disabled=True)
        for what in ("steps", "link")
    ]
    status = Element("span", id="copied", role="status", aria_live="polite")
    copying = Element("div", *copies, status, class_="copying")
    result = Element("div", Element("h2", PAGE["result"], class_="away"), value, copying, class_="card highlight")
    sections = [
        titled_section(name, PAGE[name], *hint, Element("div", id=name), class_="card")
        for name, *hint in (("how",), ("rules", _small(PAGE["rules hint"])), ("tools", _small(PAGE["tools hint"])))
    ]
    return Element("section", form, result, *sections, _number(), id="view-playground", label=PAGE["playground"])


def _number() -> Element:
    """Return the form for a number whose rules are sought."""
    box = Element("input", type="text", id="printed", inputmode="decimal", autocomplete="off", size="10")
    number = box.replace(aria_labelledby="printed-title")
    return Element(
        "form",
        Element("h2", PAGE["printed"], id="printed-title"),
        _small(PAGE["printed hint"]),
        Element("div", number, Element("button", PAGE["find"], type="submit"), class_="row"),
        Element("div", id="explanations", role="status", aria_live="polite"),
        id="number",
        class_="card",
    )


def _files(limit: int) -> Element:
    drop = [
        Element("strong", PAGE["drop"]),
        Element("span", PAGE["choose"], class_="choose"),
        Element("input", type="file", id="chosen", multiple=True),
    ]
    metrics = Element("input", type="text", id="metrics-text", value=METRICS, autocomplete="off", spellcheck="false")
    choices = [
        _labelled("metrics", metrics, "metrics hint", wide=True),
        _labelled("convention", _conventions("files-convention")),
    ]
    rules = [
        Element("summary", PAGE["single rules"]),
        _small(PAGE["single rules hint"]),
        Element("div", id="files-rules"),
    ]
    buttons = [
        Element("button", PAGE["evaluate"], type="submit", class_="main-button"),
        Element("button", PAGE["example files"], type="button", id="example-files"),
    ]
    form = Element(
        "form",
        Element("h2", PAGE["drop title"]),
        Element("label", *drop, id="drop"),
        _small(PAGE["drop hint"].fill(limit=f"{limit / (1 << 20):,.4g}")),
        Element("div", id="listed"),
        Element("div", *choices, class_="fields"),
        Element("details", *rules, id="single-rules"),
        Element("p", id="changed-rules", class_="changed", aria_live="polite"),
        Element("label", Element("input", type="checkbox", id="lenient"), PAGE["lenient"], class_="check"),
        Element("div", *buttons, class_="row"),
        Element("p", id="complaint", role="alert", class_="notice", hidden=True),
        id="sending",
        class_="card",
    )
    none_yet = Element("div", _small(PAGE["no evaluations"]), id="evaluations", aria_live="polite")
    evaluations = titled_section("evaluations", PAGE["evaluations"], none_yet)
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


def _field(name: str, *, wide: bool = False) -> Element:
    box = Element("input", type="text", id=name, autocomplete="off", spellcheck="false", class_="numbers")
    return _labelled(name, box, f"{name} hint", wide=wide)


def _labelled(name: str, box: Element, hint: str = "", *, wide: bool = False) -> Element:
    place = box.attributes["id"]
    return Element(
        "div",
        Element("label", PAGE[name], for_=place),
        box.replace(aria_describedby=f"{place}-hint" if hint else None),
        Element("span", PAGE[hint], class_="small", id=f"{place}-hint") if hint else None,
        class_="field wide" if wide else "field",
    )


def _metric_groups() -> list[Element]:
    """Return the metrics that need grades only, by family."""
    families: dict[Phrase, list[Element]] = {title: [] for title in FAMILIES.values()}
    for name, metric in metrics().items():
        if not metric.definition.of_items:
            cut = "k" if "k" in metric.definition.parameters else None
            option = Element("option", name, value=name, data_cut=cut)
            families.setdefault(family(metric.definition), []).append(option)
    return [_group(title, options) for title, options in families.items() if options]


def _conventions(place: str) -> Element:
    """Return the menu of tools, by field."""
    name = PAGE["default"]
    default = Element("option", name.en, value="default", data_en=name.en, data_zh=name.zh)
    groups = [
        _group(title, [Element("option", preset.name, value=preset.name) for preset in presets])
        for title, presets in PRESET_GROUPS.items()
    ]
    return Element("select", default, *groups, id=place)


def _group(title: Phrase, options: Iterable[Element]) -> Element:
    return Element("optgroup", *options, label=title).replace(label=title.en)
