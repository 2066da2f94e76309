"""The cards of a report: verdict, leaderboard, pairs, definitions, data health, and the section of a metric."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

from rankgauge.comparison.document import decisive_caveats, family_phrase, leaderboard_table, pair_table, too_few_phrase
from rankgauge.comparison.pair import SystemPair
from rankgauge.comparison.statistics import PAIR_STATISTICS, SYSTEM_STATISTICS
from rankgauge.comparison.verdict import verdict
from rankgauge.conventions import RULES, Convention
from rankgauge.conventions.rule import written
from rankgauge.evaluation.score_document import shared_rules
from rankgauge.inputs.findings import SEVERITIES
from rankgauge.metric_core.metric import Metric
from rankgauge.rendering.document import Table
from rankgauge.rendering.element import Element
from rankgauge.rendering.html import Style, formula_block, scrolling_table
from rankgauge.rendering.language import Lang, Phrase
from rankgauge.rendering.number_texts import interval_text, number, percent
from rankgauge.rendering.plain import to_json
from rankgauge.rendering.svg import fitted_names, key
from rankgauge.reports.contents import ReportContents
from rankgauge.reports.messages import PAGE
from rankgauge.reports.model import Report
from rankgauge.reports.pictures import Picture

FEW = 3
"""With up to this many pairs each gets a sentence."""
PAIR = 240.0
"""Width of each name of a pair, which is folded."""


def verdict_paragraphs(contents: ReportContents, metric: Metric, pairs: Sequence[SystemPair]) -> list[Element]:
    """Return the verdict and further sentences that sum up the comparison."""
    first, *warnings = headline(contents, metric, pairs)
    return [first, *more_sentences(metric, pairs), *warnings]


def headline(contents: ReportContents, metric: Metric, pairs: Sequence[SystemPair]) -> list[Element]:
    """Return the verdict, followed by what could change it."""
    comparison, name = contents.comparison, str(metric)
    if comparison is None:
        return [Element("p", _one_system(contents, metric), class_="verdict")]
    first = _with_minus(Phrase(comparison.verdict(name, "en"), comparison.verdict(name, "zh")))
    warnings = map(_with_minus, decisive_caveats(comparison, name, pairs))
    return [Element("p", first, class_="verdict"), *(Element("p", warning, class_="caveat") for warning in warnings)]


def more_sentences(metric: Metric, pairs: Sequence[SystemPair]) -> list[Element]:
    """Return the verdicts on single pairs, if they are few, and the direction of the metric."""
    few = pairs if 1 < len(pairs) <= FEW else ()
    sentences = [_with_minus(Phrase(verdict(pair, "en"), verdict(pair, "zh"))) for pair in few]
    if not metric.definition.higher_is_better:
        sentences.append(PAGE["lower"])
    return [Element("p", sentence) for sentence in sentences]


def _one_system(contents: ReportContents, metric: Metric) -> Phrase:
    scores, system = contents.scores, contents.scores.systems[0]
    low, high = contents.interval(scores, metric, system)
    ends = {"low": number(low, contents.form), "high": number(high, contents.form)}
    interval = PAGE["its interval"].fill(level=percent(contents.level), **ends)
    mean, queries = number(scores.mean(metric, system), contents.form), len(scores.queries)
    values = {"system": system, "metric": metric, "mean": mean, "queries": queries}
    return PAGE["one system"].fill(**values, interval="" if math.isnan(low) else interval)


def leaderboard(contents: ReportContents, metric: Metric) -> Element:
    """Return the systems, best first."""
    english, chinese = (_leaderboard(contents, metric, lang) for lang in get_args(Lang))
    best = english.rows[0][english.keys.index("mean")]
    styles: dict[str, Style] = {
        "system": lambda _, name: system_name(contents, name),
        "mean": lambda _, text: Element("strong", minus(text)) if text == best else minus(text),
        "interval": lambda _, text: minus(text),
        "median": lambda _, text: minus(text),
        "ranks": lambda _, text: text.replace("-", "–"),
        "group": lambda _, text: Element("span", *(Element("b", letter) for letter in text), class_="group"),
    }
    return scrolling_table(english, chinese, styles)


def system_name(contents: ReportContents, name: str) -> Element:
    """Return the name of a system after the mark that it has in the pictures."""
    mark = key(contents.scores.systems.index(name))
    return Element("span", mark, Element("bdi", name or "–", title=name), class_="system")


def _leaderboard(contents: ReportContents, metric: Metric, lang: Lang) -> Table:
    if contents.comparison is not None:
        board = leaderboard_table(contents.comparison, str(metric), lang)
    else:
        scores, (name,), keys = contents.scores, contents.scores.systems, ("system", "mean", "interval")
        ends = interval_text(contents.interval(scores, metric, name), contents.form)
        row = [name, number(scores.mean(metric, name), contents.form), ends]
        titles = {each.key: each.title_of("query") for each in SYSTEM_STATISTICS}
        columns = [titles[key].render(lang, level=percent(contents.level)) for key in keys]
        board = Table(columns, [row], keys=keys)
    return _captioned(board, PAGE["leaderboard"].render(lang), {"system", "group"})


def _captioned(content: Table, caption: str, texts: set[str]) -> Table:
    """Return the table with a caption and with all columns but the texts right-aligned."""
    return replace(content, caption=caption, align="".join("l" if key in texts else "r" for key in content.keys))


def pairs_card(pairs: Sequence[SystemPair], caption: Phrase) -> Element:
    """Return differences with intervals, effect sizes, wins and p-values."""
    labels = fitted_names([name for pair in pairs for name in (pair.first, pair.second)], PAIR)

    def names(row: int, _: str) -> Element:
        second, first = (Element("bdi", labels[name], title=name) for name in (pairs[row].second, pairs[row].first))
        return Element("span", second, " − ", first, class_="pair")

    def difference(row: int, text: str) -> Element:
        gain = pairs[row].gain
        return Element("strong", minus(text), class_="better" if gain > 0 else "worse" if gain < 0 else "")

    def significant(row: int, _: str) -> Element:
        word = "yes" if pairs[row].significant else "no"
        return Element("b", PAGE[word], class_=word)

    styles: dict[str, Style] = {each.key: lambda _, text: minus(text) for each in PAIR_STATISTICS}
    styles |= {"pair": names, "difference": difference, "significant": significant}
    return scrolling_table(_pairs(pairs, caption, "en"), _pairs(pairs, caption, "zh"), styles)


def _pairs(pairs: Sequence[SystemPair], caption: Phrase, lang: Lang) -> Table:
    content = pair_table(pairs, lang)
    columns, rows = [*content.columns, PAGE["significant"].render(lang)], [[*row, ""] for row in content.rows]
    content = replace(content, columns=columns, rows=rows, keys=[*content.keys, "significant"])
    return _captioned(content, caption.render(lang), {"pair", "significant"})


def minus(text: str) -> str:
    """Return the text with a typographic minus before numbers and in exponents, but not within names.

    >>> minus("[-0.25, 3e-05] of bm25-2")
    '[−0.25, 3e−05] of bm25-2'
    """
    return re.sub(r"(?<![\w-])-(?=\d)|(?<=\de)-(?=\d)", "−", text)


def _with_minus(phrase: Phrase) -> Phrase:
    return Phrase(minus(phrase.en), minus(phrase.zh))


def definition(contents: ReportContents) -> list[Element]:
    """Return every metric with its formula and the rules that change it."""
    metrics, rules = contents.scores.metrics, contents.scores.convention
    shared = shared_rules(metrics, rules)
    of_every = _rules(metrics[0].effective_convention(rules), shared, PAGE["rules of every metric"])
    cards = [_metric_card(metric, rules, shared) for metric in metrics]
    return [*cards, Element("div", Element("h3", PAGE["every metric"]), of_every, class_="metric-card")]


def _metric_card(metric: Metric, convention: Convention, shared: Sequence[str]) -> Element:
    details, effective = metric.definition, metric.effective_convention(convention)
    metric_rules = [rule for rule in details.used_rules(effective) if rule not in shared]
    rules = _rules(effective, metric_rules, PAGE["rules of"].fill(metric=metric)) if metric_rules else None
    edge_cases = Phrase(*(text.replace("``", "") for text in details.edge_cases))
    notes = [
        Element("p", PAGE[key].fill(text=text), class_="small")
        for key, text in (
            ("parameters", details.line(metric.parameters, "")),
            ("edge cases", edge_cases if edge_cases.en else ""),
            ("reference", details.reference),
        )
        if text
    ]
    return Element(
        "div",
        Element("h3", str(metric)),
        Element("p", details.meaning),
        formula_block(details.formula) if details.formula else None,
        rules,
        *notes,
        class_="metric-card",
    )


def _rules(convention: Convention, names: Sequence[str], caption: Phrase) -> Element:
    def table(lang: Lang) -> Table:
        rows = [
            [RULES[name].title.render(lang), written(getattr(convention, name)), convention.meaning(name, lang)]
            for name in names
        ]
        return Table([PAGE[key].render(lang) for key in keys], rows, caption=caption.render(lang), keys=keys)

    keys = ("rule", "value", "meaning")
    return scrolling_table(table("en"), table("zh"), {"value": _code}, wraps=True)


def _code(_: int, text: str) -> Element:
    return Element("code", text)


def health(contents: ReportContents) -> list[Element]:
    """Return what was found in the data."""
    scores, findings = contents.scores, [*contents.scores.findings]
    missing = {name: len(scores.system(name).missing) for name in scores.systems}
    lines = [
        PAGE["judged queries"].fill(count=len(scores.queries)),
        *(PAGE["missing"].fill(system=name, count=count) for name, count in missing.items() if count),
        *([] if any(missing.values()) else [PAGE["no missing"]]),
    ]

    def severity(row: int, _: str) -> Element:
        return Element("b", SEVERITIES[findings[row].severity], class_=findings[row].severity)

    def findings_table(lang: Lang) -> Table:
        return replace(scores.findings.table(lang), caption=PAGE["health"].render(lang))

    styles: dict[str, Style] = {"code": _code, "severity": severity}
    table = scrolling_table(findings_table("en"), findings_table("zh"), styles, wraps=True)
    return [
        Element("ul", *(Element("li", text) for text in lines)),
        table if findings else Element("p", PAGE["no findings"]),
    ]


MANY_PAIRS = 1_000
"""Above this number the page has the pairs with the baseline only."""


def metric_section(report: Report, place: int) -> Element:
    """Return the section of a metric: the first is in the page, the others are built when they are first shown."""
    parts = metric_parts(report, place) if place == 0 else []
    name = str(report.contents.scores.metrics[place])
    return Element("section", *parts, class_="metric", data_metric=place, aria_label=name, hidden=place > 0)


def metric_parts(report: Report, place: int) -> list[Element]:
    """Return the cards of a metric: its leaderboard, its pairs and its pictures."""
    contents = report.contents
    metric = contents.scores.metrics[place]
    pairs = report.pairs.get(str(metric), ())
    groups = PAGE["groups" if metric.definition.summary.has_query_values else "corpus groups"]
    parts = [Element("h2", PAGE["details"].fill(metric=metric), class_="metric-title"), *more_sentences(metric, pairs)]
    if contents.comparison is not None and not contents.comparison.covers_all_pairs():
        groups = PAGE["ranks"]
    if pairs:  # the summary says all of a single system
        parts += [Element("h3", PAGE["leaderboard"]), leaderboard(contents, metric)]
        parts.append(Element("p", groups, class_="small"))
    return [
        Element("div", *parts, class_="card"),
        *_pair_cards(report, pairs, str(metric)),
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


def _pair_cards(report: Report, pairs: Sequence[SystemPair], metric: str) -> list[Element]:
    comparison, settings = report.contents.comparison, report.contents.settings
    if comparison is None:
        return []
    title = PAGE["pairs"].fill(baseline=comparison.baseline)
    parts = [Element("h2", title), pairs_card(pairs, title)]
    count = math.comb(len(comparison.systems), 2)
    if count > MANY_PAIRS:
        parts.append(Element("p", PAGE["many pairs"].fill(count=count), class_="small"))
    elif count > 1 and comparison.covers_all_pairs():
        caption = PAGE["all pairs"].fill(count=count)
        table = pairs_card(comparison.pairs(metric, all_pairs=True), caption)
        parts.append(Element("details", Element("summary", caption), table))
    how = family_phrase(comparison, pairs)
    note = too_few_phrase(comparison, metric) or PAGE["corrected"].fill(how=how, alpha=settings.alpha)
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
