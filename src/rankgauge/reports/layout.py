"""The cards of a report in their order, declared once: the page, the documents and the data follow from them."""

from __future__ import annotations

import base64
import gzip
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args

from rankgauge import __version__
from rankgauge.inputs.io.prefetch import parallel_map
from rankgauge.rendering.assets import asset, page_script
from rankgauge.rendering.document import Block, Heading, Paragraph, Table
from rankgauge.rendering.element import Element, Trusted
from rankgauge.rendering.html import html_page, offline_head, offline_page, page_blocks, titled_section
from rankgauge.rendering.language import Lang, Phrase
from rankgauge.rendering.plain import finite_or_none, to_json
from rankgauge.reports import cards
from rankgauge.reports.cards import metric_parts, metric_section
from rankgauge.reports.contents import ReportContents
from rankgauge.reports.head import head, head_blocks
from rankgauge.reports.messages import PAGE, SCRIPT
from rankgauge.reports.model import Report
from rankgauge.reports.pictures import Picture

if TYPE_CHECKING:
    from rankgauge.history.blame import Blame
    from rankgauge.history.trend import Trend
    from rankgauge.judging.corrected import Corrected
    from rankgauge.tuning.tuning import Tuning


@dataclass(frozen=True)
class Card:
    """A part of a report, made of blocks unless it has its own elements or data."""

    name: str
    """Its id on the page, and its key in plain data."""
    title: Phrase | str
    """Its title, or the name of it among the texts of the page."""
    blocks: Callable[[ReportContents, Lang], Sequence[Block]] = lambda _, __: ()
    """Returns what documents show."""
    page: Callable[[Report], Sequence[Element]] | None = None
    """Returns what the page shows; by default the blocks."""
    data: Callable[[ReportContents], Mapping[str, object]] | None = None
    """Returns its plain data by their keys; by default the texts and tables of the blocks of a card without a page."""
    titled: bool = True
    """Whether documents show its title."""
    framed: bool = True
    """Whether the page has it in a section below its title."""

    @property
    def heading(self) -> Phrase:
        """Its title, with the word for queries of the data."""
        return PAGE[self.title] if isinstance(self.title, str) else self.title

    def document_blocks(self, contents: ReportContents, lang: Lang) -> list[Block]:
        """Return its blocks in a document, below its title."""
        blocks = [*self.blocks(contents, lang)]
        return [Heading(self.heading.render(lang), 2), *blocks] if self.titled and blocks else blocks

    def elements(self, report: Report) -> Sequence[Element]:
        """Return its elements on the page."""
        if self.page is not None:
            parts = self.page(report)
        else:
            parts = page_blocks(self.blocks(report.contents, "en"), self.blocks(report.contents, "zh"))
        if not self.framed or not parts:
            return parts
        return [titled_section(self.name, self.heading, *parts, id=self.name, class_="card")]

    def plain(self, contents: ReportContents) -> Mapping[str, object]:
        """Return its plain data by their keys."""
        if self.data is not None:
            return self.data(contents)
        if self.page is not None:
            return {}
        return {self.name: [_plain_block(block) for block in self.blocks(contents, "en")]}


def _plain_block(block: Block) -> object:
    match block:
        case Table():
            return {"columns": [*block.columns], "rows": [[*map(str, row)] for row in block.rows]}
        case Heading() | Paragraph():
            return block.text
    return block.latex


def _results(contents: ReportContents, lang: Lang) -> list[Block]:
    """Return the comparison, or the scores of a single system."""
    if contents.comparison is None:
        return [*contents.scores.document(lang, per_query=False, digits=contents.settings.digits).blocks]
    return _nested(contents.comparison.document(lang, all_pairs=False).blocks)


def _result_data(contents: ReportContents) -> dict[str, object]:
    return {
        "scores": contents.scores.to_dict(),
        "comparison": None if contents.comparison is None else contents.comparison.to_dict(),
        "bounds": {str(metric): bounds.to_dict() for metric, bounds in contents.bounds.items()},
        "slices": {str(metric): [cut.to_dict() for cut in cuts] for metric, cuts in contents.slices.items()},
    }


def _people(contents: ReportContents, lang: Lang) -> list[Block]:
    """Return the metrics by the judge, corrected by labels of people."""
    if contents.corrected is None:
        return []
    from rankgauge.judging.corrected_document import people_blocks  # noqa: PLC0415 (only for this card)

    baseline = None if contents.comparison is None else contents.comparison.baseline
    return people_blocks(contents.corrected, lang, contents.settings.digits, baseline)[1:]


def _metric_sections(report: Report) -> list[Element]:
    return [metric_section(report, place) for place in range(len(report.contents.scores.metrics))]


def _tuning(contents: ReportContents, lang: Lang) -> list[Block]:
    """Return the verdict on tuned settings; nothing if none were tuned."""
    return [] if contents.tuning is None else _nested(contents.tuning.document(lang).blocks, 2)


def _tuning_section(report: Report) -> list[Element]:
    """Return the tuned settings with a picture over each cost, or the first parameter."""
    tuning, contents = report.contents.tuning, report.contents
    if tuning is None:
        return []
    from rankgauge.tuning.quality_picture import quality_drawing  # noqa: PLC0415 (only for this card)

    axes = [*tuning.costs] or tuning.axes[:1]
    figures = []
    for drawing, caption in (quality_drawing(tuning, x) for x in axes):
        figures.append(Element("figure", drawing.replace(class_="picture"), Element("figcaption", caption)))
    blocks = page_blocks(_tuning(contents, "en"), _tuning(contents, "zh"))
    return [*blocks, *figures]


def _history(contents: ReportContents, lang: Lang) -> list[Block]:
    """Return the trend of each logged metric, and where it changed."""
    parts = [part for pair in contents.history for part in pair]
    return [block for part in parts for block in _history_part(part, contents, lang)]


def _history_part(part: Trend | Blame, contents: ReportContents, lang: Lang) -> list[Block]:
    return _nested(part.document(lang, digits=contents.settings.digits).blocks, 2)


def _history_section(report: Report) -> list[Element]:
    """Return a picture of each trend, the runs at which the metric changed, and all runs where they are asked for."""
    if not report.contents.history:
        return []
    from rankgauge.history.trend_picture import trend_drawing  # noqa: PLC0415 (only for this card)

    parts: list[Element] = []
    for trend, blame in report.contents.history:
        (title, *runs), (heading, *changes) = (
            page_blocks(*(_history_part(part, report.contents, lang) for lang in get_args(Lang)))
            for part in (trend, blame)
        )
        drawing, caption = trend_drawing(trend)
        figure = Element("figure", drawing, Element("figcaption", caption))
        parts += [heading, figure, *changes, Element("details", Element("summary", *title.children), *runs)]
    return parts


def _history_data(contents: ReportContents) -> dict[str, object]:
    """Return the trend and the changes of each logged metric."""
    data = {
        str(trend.metric): {"trend": trend.to_dict(), "blame": blame.to_dict()} for trend, blame in contents.history
    }
    return {"history": data} if data else {}


def _plain(name: str, result: Tuning | Corrected | None) -> dict[str, object]:
    """Return a result as plain data; nothing if there is none."""
    return {} if result is None else {name: result.to_dict()}


def _nested(blocks: Sequence[Block], levels: int = 1) -> list[Block]:
    return [Heading(block.text, block.level + levels) if isinstance(block, Heading) else block for block in blocks]


CARDS = [
    Card("summary", "summary", head_blocks, page=lambda report: [head(report)], titled=False, framed=False),
    Card("results", "leaderboard", _results, _metric_sections, _result_data, titled=False, framed=False),
    Card("tuning", "tuning", _tuning, _tuning_section, lambda contents: _plain("tuning", contents.tuning)),
    Card("history", "history", _history, _history_section, _history_data),
    Card("people", "people", _people, data=lambda contents: _plain("people", contents.corrected)),
    Card("queries", "queries", page=lambda _: [Element("div", id="list")]),  # filled by the script
    Card("definition", "definition", page=lambda report: cards.definition(report.contents)),  # in the results
    Card(
        "health",
        "health",
        lambda contents, lang: _nested(contents.scores.findings.document(lang).blocks),
        lambda report: cards.health(report.contents),
        lambda contents: {"findings": [finding.to_dict() for finding in contents.scores.findings]},
        titled=False,
    ),
]
"""The cards in the order of the report; the first is its summary, above the tabs of the metrics."""


SCRIPTS = ("data.js", "pictures.js", "list.js", "steps.js", "query.js", "main.js")
"""The parts of the script besides those that pages share, in order."""


def report_page(report: Report) -> str:
    """Return the HTML file; the queries come behind the script, so that nobody waits for them."""
    chunks = parallel_map(_gzipped, ((to_json(chunk),) for chunk in report.chunks()))
    return offline_page(
        report.lang,
        report.title or PAGE["title"],
        _subtitle(report),
        [*_content(report), *_data(report)],
        style=asset("page.css"),
        script=page_script("reports", *SCRIPTS),
        data={"messages": {name: SCRIPT[name] for name in SCRIPT}},
        later=(_later(f"queries-{number}", text) for number, text in enumerate(chunks)),
    )


def values_page(report: Report) -> str:
    """Return the HTML file of a report of values alone: the tables, without a script."""
    blocks = report.document().blocks
    top = offline_head(report.title or PAGE["title"].render(report.lang), asset("page.css"))
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


def _content(report: Report) -> list[Element]:
    contents = report.contents
    tabs = [
        Element("button", str(metric), type="button", class_="tab", data_metric=n, aria_pressed=str(n == 0).lower())
        for n, metric in enumerate(contents.scores.metrics)
    ]
    tab_bar = Element("nav", *tabs, id="metrics", label=PAGE["metrics"], hidden=len(tabs) == 1)
    summary, *overview = [element for card in CARDS for element in card.elements(report)]
    query = Element("article", id="query", class_="card", hidden=True, tabindex="-1", label=SCRIPT["query"])
    return [
        Element("noscript", Element("p", PAGE["no script"], class_="notice")),
        Element("main", summary, tab_bar, Element("div", *overview, id="overview"), query, id="main", tabindex="-1"),
        Element(
            "footer", Element("p", PAGE["generated by"].fill(version=__version__), class_="small"), *_command(report)
        ),
        Element("dialog", id="steps", label=SCRIPT["steps"]),
    ]


def _command(report: Report) -> list[Element]:
    """Return the command line that wrote the report, if there is one."""
    command = report.contents.scores.provenance["command"]
    return [Element("p", Element("code", command), class_="small")] if command else []


def _subtitle(report: Report) -> Phrase:
    scores = report.contents.scores
    values = {"queries": len(scores.queries), "metrics": ", ".join(map(str, scores.metrics))}
    if len(scores.systems) == 1:
        return PAGE["contents of one"].fill(system=scores.systems[0], **values)
    return PAGE["contents"].fill(systems=len(scores.systems), **values)
