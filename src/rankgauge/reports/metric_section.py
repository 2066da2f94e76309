"""The section of a metric on the page of a report: leaderboard, pairs and pictures."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rankgauge.comparison.document import family_phrase, too_few_phrase
from rankgauge.comparison.pair import SystemPair
from rankgauge.rendering.element import Element
from rankgauge.rendering.plain import to_json
from rankgauge.reports import cards
from rankgauge.reports.messages import PAGE
from rankgauge.reports.model import Report
from rankgauge.reports.pictures import Picture

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
    leaderboard = [
        Element("h2", PAGE["details"].fill(metric=metric), class_="metric-title"),
        *cards.more_sentences(metric, pairs),
    ]
    if contents.comparison is not None and not contents.comparison.covers_all_pairs():
        groups = PAGE["ranks"]
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
    elif count > 1 and comparison.covers_all_pairs():
        caption = PAGE["all pairs"].fill(count=count)
        table = cards.pairs_card(comparison.pairs(metric, all_pairs=True), caption)
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
