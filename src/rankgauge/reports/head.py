"""The head of a report, for the person who decides: what was evaluated, the verdicts, and systems x metrics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rankgauge.comparison.comparison import Comparison
from rankgauge.comparison.document import baseline_name
from rankgauge.comparison.paper_table import MESSAGES, marked_table
from rankgauge.inputs.formats.registry import strip_endings
from rankgauge.rendering.document import Block, Paragraph, Table, Value
from rankgauge.rendering.element import Element
from rankgauge.rendering.html import Style, scrolling_table
from rankgauge.rendering.language import Lang, Phrase
from rankgauge.rendering.number_texts import interval_text, number, percent
from rankgauge.reports.cards import headline, minus, system_name
from rankgauge.reports.contents import ReportContents
from rankgauge.reports.messages import PAGE
from rankgauge.reports.model import Report


def head(report: Report) -> Element:
    """Return the card at the top of the page."""
    contents = report.contents
    verdicts = [
        Element("div", *headline(contents, metric, report.pairs.get(str(metric), ())), class_="of-metric")
        for metric in contents.scores.metrics
    ]
    disagreement = _disagreement(contents)
    return Element(
        "section",
        Element("h2", PAGE["summary"], class_="away"),
        Element("dl", *_facts(contents), class_="facts"),
        *verdicts,
        Element("p", disagreement, class_="caveat") if disagreement else None,
        _systems(contents),
        *(Element("p", note, class_="small") for note in _notes(contents)),
        id="summary",
        class_="card highlight",
        label=PAGE["summary"],
    )


def head_blocks(contents: ReportContents, lang: Lang) -> list[Block]:
    """Return the facts and the table for a document."""
    colon = "：" if lang == "zh" else ": "
    facts = [f"{title.render(lang)}{colon}{text.render(lang)}" for title, text in facts_of(contents).items()]
    comparison = contents.comparison
    table = [] if comparison is None else [marked_table(comparison, contents.ordered(), lang, numbered=True)]
    return [*map(Paragraph, facts), *table]


def facts_of(contents: ReportContents) -> dict[Phrase, Phrase]:
    """Return when the report was made, and from what."""
    origin, queries = contents.origin, len(contents.scores.queries)
    names = [_named_source(system, origin.rankings) for system in contents.ordered()]
    counts = {"count": origin.judged, "queries": queries, "source": _source(origin.judgments)}
    facts = {PAGE["judgments"]: PAGE["judgments of"].fill(**counts)}
    if contents.lists is None:
        facts = {PAGE["values"]: PAGE["values of"].fill(**counts)}
    if origin.date:
        facts = {PAGE["date"]: Phrase(origin.date, origin.date)} | facts
    if contents.comparison is not None:
        facts[PAGE["baseline"]] = baseline_name(contents.comparison)
    if contents.lists is None:
        return facts
    return facts | {PAGE["rankings"]: Phrase(", ", "、").join(dict.fromkeys(names))}


def _facts(contents: ReportContents) -> list[Element]:
    return [
        Element("div", Element("dt", title), Element("dd", text if text.en != text.zh else text.en))
        for title, text in facts_of(contents).items()
    ]


def _named_source(system: str, files: Mapping[str, str]) -> Phrase:
    """Return the file of a ranking, after the name of the system if a file of its own does not tell it."""
    file = files.get(system, "")
    if not file or strip_endings(file) == system or [*files.values()].count(file) > 1:
        return _source(file)
    source = _source(file)
    return Phrase(f"{system} = {source.en}", f"{system} = {source.zh}")


def _source(name: str) -> Phrase:
    if name == "-":
        return PAGE["standard input"]
    return Phrase(name, name) if name else PAGE["memory"]


def _disagreement(contents: ReportContents) -> Phrase | None:
    """Return which metric prefers which system, unless one system has the best value by all of them."""
    comparison = contents.comparison
    if comparison is None:
        return None
    by_system: dict[str, list[str]] = {}
    shared = {*comparison.systems}
    for metric in comparison.metrics:
        best, *others = comparison.leaderboard(metric)
        shared &= {best.system, *(row.system for row in others if row.mean == best.mean)}
        by_system.setdefault(best.system, []).append(metric)
    if shared:
        return None
    preferences = [
        PAGE["best by"].fill(system=system, metrics=Phrase(", ", "、").join(Phrase(name, name) for name in metrics))
        for system, metrics in by_system.items()
    ]
    return PAGE["disagree"].fill(list=Phrase("; ", "；").join(preferences))


def _systems(contents: ReportContents) -> Element:
    """Return systems x metrics: values with marks, and the interval below each."""
    intervals = {str(metric): _intervals(contents, str(metric)) for metric in contents.scores.metrics}
    order = contents.ordered()

    def value(metric: str) -> Style:
        def cell(row: int, text: str) -> Element:
            shown = Element("b", minus(text)) if isinstance(text, Value) and text.best else Element("span", minus(text))
            marks = Element("sup", text.marks) if isinstance(text, Value) and text.marks else None
            return Element("span", shown, marks, Element("small", intervals[metric][order[row]]), class_="value")

        return cell

    styles: dict[str, Style] = {"system": lambda _, name: system_name(contents, name)}
    styles |= {metric: value(metric) for metric in intervals}
    return scrolling_table(_table(contents, "en"), _table(contents, "zh"), styles)


def _table(contents: ReportContents, lang: Lang) -> Table:
    if contents.comparison is not None:
        table = marked_table(contents.comparison, contents.ordered(), lang, numbered=True)
    else:
        scores, (name,) = contents.scores, contents.scores.systems
        values = [Value(number(scores.mean(metric, name), contents.form)) for metric in scores.metrics]
        keys = ("system", *map(str, scores.metrics))
        titles = [MESSAGES["system"].render(lang), *keys[1:]]
        table = Table(titles, [[name, *values]], "l" + "r" * len(values), keys=keys)
    return replace(table, caption=PAGE["systems"].render(lang), align="l" * len(table.columns))  # marks follow numbers


def _intervals(contents: ReportContents, metric: str) -> Mapping[str, str]:
    if contents.comparison is None:
        scores, (name,) = contents.scores, contents.scores.systems
        found = next(own for own in scores.metrics if str(own) == metric)
        return {name: minus(interval_text(contents.interval(scores, found, name), contents.form))}
    board = contents.comparison.leaderboard(metric)
    return {row.system: minus(interval_text(row.interval, contents.form)) for row in board}


def _notes(contents: ReportContents) -> list[Phrase]:
    comparison, level = contents.comparison, percent(contents.level)
    if comparison is None:
        return []
    return [_caption(comparison, contents.ordered()), PAGE["marks"].fill(level=level, metric=comparison.metrics[0])]


def _caption(comparison: Comparison, order: list[str]) -> Phrase:
    english, chinese = (marked_table(comparison, order, lang, numbered=True).caption for lang in ("en", "zh"))
    return Phrase(english, chinese)
