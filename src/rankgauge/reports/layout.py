"""The cards of a report in their order. Each is declared once; the page, the documents and the data follow from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

from rankgauge.rendering.document import Block, Heading, Paragraph, Table
from rankgauge.rendering.element import Element
from rankgauge.rendering.html import page_blocks, titled_section
from rankgauge.rendering.language import Lang, Phrase
from rankgauge.reports import cards
from rankgauge.reports.cards import metric_section
from rankgauge.reports.contents import ReportContents
from rankgauge.reports.head import head, head_blocks
from rankgauge.reports.messages import PAGE
from rankgauge.reports.model import Report

if TYPE_CHECKING:
    from rankgauge.history.blame import Blame
    from rankgauge.history.trend import Trend


@dataclass(frozen=True)
class Card:
    """A part of a report, made of blocks unless it has its own elements or data."""

    name: str
    """Its id on the page, and its key in plain data."""
    title: Phrase
    blocks: Callable[[ReportContents, Lang], Sequence[Block]]
    """Returns what documents show."""
    page: Callable[[Report], Sequence[Element]] | None = None
    """Returns what the page shows; by default the blocks."""
    data: Callable[[ReportContents], Mapping[str, object]] | None = None
    """Returns its plain data by their keys; by default the texts and tables of the blocks."""
    titled: bool = True
    """Whether documents show its title."""

    def document_blocks(self, contents: ReportContents, lang: Lang) -> list[Block]:
        """Return its blocks in a document, below its title."""
        blocks = [*self.blocks(contents, lang)]
        return [Heading(self.title.render(lang), 2), *blocks] if self.titled and blocks else blocks

    def elements(self, report: Report) -> Sequence[Element]:
        """Return its elements on the page."""
        if self.page is not None:
            return self.page(report)
        english, chinese = self.blocks(report.contents, "en"), self.blocks(report.contents, "zh")
        if not english:
            return []
        return [titled_section(self.name, self.title, *page_blocks(english, chinese), id=self.name, class_="card")]

    def plain(self, contents: ReportContents) -> Mapping[str, object]:
        """Return its plain data by their keys."""
        if self.data is not None:
            return self.data(contents)
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


def _people_data(contents: ReportContents) -> dict[str, object]:
    return {} if contents.corrected is None else {"people": contents.corrected.to_dict()}


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
    return [titled_section("tuning", PAGE["tuning"], *blocks, *figures, id="tuning", class_="card")]


def _tuning_data(contents: ReportContents) -> dict[str, object]:
    return {} if contents.tuning is None else {"tuning": contents.tuning.to_dict()}


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
    return [titled_section("history", PAGE["history"], *parts, id="history", class_="card")]


def _history_data(contents: ReportContents) -> dict[str, object]:
    """Return the trend and the changes of each logged metric."""
    data = {
        str(trend.metric): {"trend": trend.to_dict(), "blame": blame.to_dict()} for trend, blame in contents.history
    }
    return {"history": data} if data else {}


def _query_list(_: Report) -> list[Element]:
    """Return the place where the script shows the list of queries."""
    return [titled_section("queries", PAGE["queries"], Element("div", id="list"), id="queries", class_="card")]


def _no_blocks(_: ReportContents, __: Lang) -> list[Block]:
    return []


def _nothing(_: ReportContents) -> dict[str, object]:
    return {}


def _nested(blocks: Sequence[Block], levels: int = 1) -> list[Block]:
    return [Heading(block.text, block.level + levels) if isinstance(block, Heading) else block for block in blocks]


CARDS = [
    Card("summary", PAGE["summary"], head_blocks, page=lambda report: [head(report)], data=_nothing, titled=False),
    Card("results", PAGE["leaderboard"], _results, page=_metric_sections, data=_result_data, titled=False),
    Card("tuning", PAGE["tuning"], _tuning, page=_tuning_section, data=_tuning_data),
    Card("history", PAGE["history"], _history, page=_history_section, data=_history_data),
    Card("people", PAGE["people"], _people, data=_people_data),
    Card("queries", PAGE["queries"], _no_blocks, page=_query_list, data=_nothing),
    Card(
        "definition",
        PAGE["definition"],
        _no_blocks,  # documents have it with the results
        page=lambda report: [cards.definition(report.contents)],
        data=_nothing,
    ),
    Card(
        "health",
        PAGE["health"],
        lambda contents, lang: _nested(contents.scores.findings.document(lang).blocks),
        page=lambda report: [cards.health(report.contents)],
        data=lambda contents: {"findings": [finding.to_dict() for finding in contents.scores.findings]},
        titled=False,
    ),
]
"""The cards in the order of the report; the first is its summary, above the tabs of the metrics."""
