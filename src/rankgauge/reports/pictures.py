"""The pictures of a metric over all systems, for the page and for files."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.comparison.document import family_phrase
from rankgauge.comparison.paper_table import BETTER, WORSE
from rankgauge.inputs.io.drawing import Drawing
from rankgauge.metric_core.metric import Metric
from rankgauge.rendering import svg
from rankgauge.rendering.element import Element
from rankgauge.rendering.language import Phrase, check_lang
from rankgauge.rendering.number_texts import decimal, percent
from rankgauge.rendering.svg import LEFT, NAMES, RIGHT, ROW, WIDTH, Scale, around, colour
from rankgauge.reports.contents import ReportContents, cut_at, cutoffs
from rankgauge.reports.messages import CAPTIONS, PICTURES
from rankgauge.stats.rank_groups import group_names

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.comparison.comparison import Comparison

LEGEND = 15
"""Height of a line of the legend."""
LABELLED = WIDTH - 108.0
"""Where lines end and their labels begin."""
MANY, LOW_ROW = 12, 21
"""With more systems than this rows are lower."""
BARS, TALL, FEW = 24, 44, 5
"""Number of bars of a histogram, and its height for few systems."""
SAYS_NOTHING = 0.9
"""Bounds that cover this share of the possible values for every system are not shown."""
Estimate = tuple[float, float, float]
"""A value and the ends of its interval."""


@dataclass(frozen=True, repr=False)
class Picture(Drawing):
    """A drawing with its title, its caption and its data."""

    name: str
    title: Phrase
    caption: Phrase
    drawing: Element
    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    plot: Mapping[str, Any] | None
    """The scales of a picture with a point per query, from which the page finds the query at the pointer."""

    def __repr__(self) -> str:
        return f"<Picture {self.name}: {self.title.en}>"

    def to_svg(self, lang: str = "en") -> str:
        """Return the drawing as an SVG file with its own style."""
        return svg.standalone(self.drawing, check_lang(lang))

    def to_frame(self) -> pl.DataFrame:
        """Return the data of the picture as a polars frame."""
        import polars as pl  # noqa: PLC0415

        return pl.DataFrame([*map(list, self.rows)], schema=[*self.columns], orient="row")

    @classmethod
    def of(
        cls,
        key: str,
        drawing: Element,
        caption: Phrase,
        columns: Sequence[str] = (),
        rows: Sequence[Sequence[Any]] = (),
        plot: Mapping[str, Any] | None = None,
        **values: object,
    ) -> Picture:
        """Return a picture with the title of a key, which may end with a number."""
        message, name = key.partition("-")[0], key.removeprefix("corpus ")
        drawing = drawing.replace(class_=f"picture {name.partition('-')[0]}")
        return cls(name, PICTURES[message].fill(**values), caption, drawing, columns, rows, plot)


def metric_pictures(contents: ReportContents, metric: Metric) -> list[Picture]:
    """Return the pictures of a metric except those of differences and those that would say nothing."""
    pictures = [intervals(contents, metric)]
    if metric.definition.summary.has_query_values:
        pictures.append(distribution(contents, metric))
    if "k" in metric.definition.parameters and all(
        cut_at(metric, k) in contents.over_k.metrics for k in cutoffs(metric)
    ):
        pictures.append(curve(contents, metric))
    if metric in contents.bounds and any(part.unjudged > 0 for part in contents.bounds[metric].systems):
        pictures.append(unjudged(contents, metric))
        if _bounds_tell(contents, metric):
            pictures.append(bounds(contents, metric))
    return pictures


def _bounds_tell(contents: ReportContents, metric: Metric) -> bool:
    """Return whether unjudged items could move a mean, but not each from one end of its range to the other."""
    widths = [part.range[1] - part.range[0] for part in contents.bounds[metric].systems]
    least, most = metric.definition.bounds
    return max(widths) > 0 and not min(widths) >= SAYS_NOTHING * (most - least)


def four_digits(value: float) -> str:
    """Return a number with four digits and a typographic minus, or a dash for NaN."""
    return "–" if math.isnan(value) else decimal(value, 4).replace("-", "−")


def _message(key: str, metric: Metric) -> str:
    """Return the key of the message about a mean or about a corpus-level value."""
    return key if metric.definition.summary.has_query_values else f"corpus {key}"


def _dots(
    contents: ReportContents,
    metric: Metric,
    rows: Mapping[str, tuple[Estimate, Phrase | str]],
    legend: Sequence[Phrase] = (),
) -> Element:
    """Return a row for each system: a point, its interval and a label at the right; the legend is below the axis."""
    low, high = around([end for estimate, _ in rows.values() for end in estimate])
    words = [word for _, word in rows.values() if word]
    room = 62.0 if any(isinstance(word, Phrase) for word in words) else 34.0 if words else 0.0
    scale = Scale(low, high, NAMES + 8.0, RIGHT - 8 - room)
    tall = _row_height(len(rows))
    bottom = 8 + tall * len(rows)
    labels = svg.fitted_names(rows, NAMES - 8)
    marks = svg.x_axis(scale, 4, bottom, str(metric), 4)
    for n, (name, ((middle, start, end), word)) in enumerate(rows.items()):
        y, place = 8 + tall * (n + 0.5), contents.scores.systems.index(name)
        marks.append(svg.name_label(NAMES - 4, y + 4, labels[name], name, "end"))
        if math.isfinite(start) and math.isfinite(end):
            lines = [(start, y, end, y), (start, y - 5, start, y + 5), (end, y - 5, end, y + 5)]
            marks += [svg.line(scale(a), b, scale(c), d, class_=f"reach {colour(place)}") for a, b, c, d in lines]
        if math.isfinite(middle):
            marks.append(svg.marker(scale(middle), y, place))
        if word:
            marks.append(svg.label(RIGHT, y + 4, word, "label strong", "end"))
    marks += [svg.label(8, bottom + 52 + LEGEND * n, text, "tick") for n, text in enumerate(legend)]
    return svg.picture(WIDTH, bottom + 42 + LEGEND * len(legend), *marks)


def _row_height(systems: int) -> int:
    return ROW if systems <= MANY else LOW_ROW


def intervals(contents: ReportContents, metric: Metric) -> Picture:
    """Return the mean of each system with its interval and group, best first."""
    rows: dict[str, tuple[Estimate, Phrase | str]]
    if contents.comparison is None:
        scores, (name,) = contents.scores, contents.scores.systems
        rows = {name: ((scores.mean(metric, name), *contents.interval(scores, metric, name)), "")}
    else:
        board = contents.comparison.leaderboard(metric)
        words = _marks(contents.comparison, metric)
        rows = {row.system: ((row.mean, *row.interval), words[row.system]) for row in board}
    grouped = contents.comparison is None or contents.comparison.covers_all_pairs()
    return Picture.of(
        _message("intervals", metric),
        _dots(contents, metric, rows, _legend(contents, metric)),
        _intervals_caption(metric, {name: estimate for name, (estimate, _) in rows.items()}),
        ("system", "mean", "low", "high", "group"),
        [[name, *estimate, str(word) if grouped else ""] for name, (estimate, word) in rows.items()],
        level=percent(contents.level),
    )


def _marks(comparison: Comparison, metric: Metric) -> dict[str, Phrase | str]:
    """Return the label of each system: its groups or, if a baseline was given, whether it is better or worse."""
    if comparison.covers_all_pairs():
        board = comparison.leaderboard(metric)
        groups = group_names([row.group for row in board])
        return {row.system: group for row, group in zip(board, groups, strict=True)}
    marks: dict[str, Phrase | str] = {comparison.baseline: PICTURES["baseline"]}
    for pair in comparison.pairs(metric):
        marks[pair.second] = "" if not pair.significant else BETTER if pair.gain > 0 else WORSE
    return marks


def _legend(contents: ReportContents, metric: Metric) -> list[Phrase]:
    """Return what the lines and marks of the intervals mean, and how the p-values are corrected."""
    legend = [PICTURES["legend intervals"].fill(level=percent(contents.level))]
    if (comparison := contents.comparison) is None:
        return legend
    key = "legend groups" if comparison.covers_all_pairs() else "legend baseline"
    family = family_phrase(comparison, comparison.pairs(metric))
    return [*legend, PICTURES[key], PICTURES["legend test"].fill(alpha=comparison.settings.alpha, family=family)]


def _intervals_caption(metric: Metric, rows: Mapping[str, Estimate]) -> Phrase:
    (best, (mean, low, high)), *others = rows.items()
    what = CAPTIONS["mean" if metric.definition.summary.has_query_values else "corpus value"]
    values = {"best": best, "metric": metric, "what": what, "mean": four_digits(mean)}
    if math.isnan(low):
        return CAPTIONS["no intervals"].fill(**values)
    if not others:
        return CAPTIONS["one interval"].fill(**values, low=four_digits(low), high=four_digits(high))
    overlapping = sum(start <= high and end >= low for _, (_, start, end) in others)
    key = "apart" if not overlapping else "two intervals" if len(others) == 1 else "intervals"
    return CAPTIONS[key].fill(**values, overlapping=overlapping, others=len(others))


def curve(contents: ReportContents, metric: Metric) -> Picture:
    """Return the mean over the cutoff, or over the budget."""
    ks, scores = cutoffs(metric), contents.over_k
    at_ks = [cut_at(metric, k) for k in ks]
    unit = "k" if metric.budget is None else metric.budget.unit
    lines: dict[str, list[Estimate]] = {
        name: [(scores.mean(at_k, name), *contents.interval(scores, at_k, name)) for at_k in at_ks]
        for name in contents.ordered(metric)
    }
    least, most = metric.definition.bounds
    banded = [name for name in lines if name in _banded(contents, metric)]
    shown = {
        name: [
            (mean, max(low, least), min(high, most)) if name in banded else (mean, math.nan, math.nan)
            for mean, low, high in line
        ]
        for name, line in lines.items()
    }
    return Picture.of(
        "curve",
        _lines(contents, ks, shown, f"{metric @ None}@{unit}", unit=unit),
        _curve_caption(contents, metric, ks, lines),
        ("system", unit, "mean", "low", "high"),
        [[name, k, *point] for name, line in lines.items() for k, point in zip(ks, line, strict=True)],
    )


def _banded(contents: ReportContents, metric: Metric) -> set[str]:
    """Return the systems that get a band: the best and the baseline; more bands would hide one another."""
    best = contents.ordered(metric)[0]
    return {best} if contents.comparison is None else {best, contents.comparison.baseline}


def _curve_caption(
    contents: ReportContents, metric: Metric, ks: Sequence[int], lines: Mapping[str, Sequence[Estimate]]
) -> Phrase:
    sign = 1 if metric.definition.higher_is_better else -1
    means = {name: [sign * mean for mean, _, _ in line] for name, line in lines.items()}
    best = max(means, key=lambda name: means[name][-1])
    unit = "" if metric.budget is None else metric.budget.unit
    values = {"best": best, "metric": metric @ None, "low": f"{ks[0]}{unit}", "high": f"{ks[-1]}{unit}"}
    overtaken = [
        (other, k)
        for n, k in enumerate(ks)
        if means[other := max(means, key=lambda m: means[m][n])][n] > means[best][n]
    ]
    if len(lines) == 1:
        ends = {"first": four_digits(lines[best][0][0]), "last": four_digits(lines[best][-1][0])}
        reading = CAPTIONS["one curve"].fill(**values, **ends)
    elif overtaken:
        other, k = overtaken[-1]
        reading = CAPTIONS["overtaken"].fill(**values, other=other, k=f"{k}{unit}")
    else:
        reading = CAPTIONS["ahead"].fill(**values)
    banded = [name for name in lines if name in _banded(contents, metric) and not math.isnan(lines[name][-1][1])]
    if not banded:
        return reading
    names = Phrase(" and ", " 与 ").join(Phrase(name, name) for name in banded)
    return CAPTIONS["bands"].fill(reading=reading, level=percent(contents.level), names=names)


def _lines(
    contents: ReportContents,
    ks: Sequence[int],
    lines: Mapping[str, Sequence[Estimate]],
    title: Phrase | str,
    *,
    unit: str = "k",
    from_zero: bool = False,
) -> Element:
    """Return a line with a band for each system, labelled at its end."""
    low, high = around(value for line in lines.values() for point in line for value in point)
    if from_zero:
        low, high = 0.0, max(high, 0.05)
    far = unit == "k" and ks[-1] > 30  # noqa: PLR2004 (a logarithmic axis for many cutoffs)
    position: Callable[[float], float] = math.log10 if far else float
    across = Scale(position(ks[0]), position(ks[-1]), LEFT + 6, LABELLED)
    xs, up = [across(position(k)) for k in ks], Scale(low, high, 244, 28)
    marks = svg.y_axis(up, LEFT, LABELLED + 4, title)
    ticks = {1, 10, 100, 1000, 10000} if far else {1, *range(5, ks[-1] + 1, 5)} if unit == "k" else {*ks[1::2]}
    for k, x in zip(ks, xs, strict=True):
        if k in ticks:  # the last one leaves room for the names beside it
            anchor = "middle" if k < ks[-1] else "end"
            marks.append(svg.label(x + 4 * (k == ks[-1]), 262, str(k), "tick", anchor))
    marks.append(svg.label((LEFT + LABELLED) / 2, 280, PICTURES[unit], "axis", "middle"))
    places = {name: contents.scores.systems.index(name) for name in lines}
    for name, line in lines.items():
        band = [(x, start, end) for x, (_, start, end) in zip(xs, line, strict=True) if not math.isnan(start)]
        if len(band) > 1:
            edge = [(x, up(end)) for x, _, end in band] + [(x, up(start)) for x, start, _ in reversed(band)]
            marks.append(Element("polygon", points=svg.coordinates(edge), class_=f"band {colour(places[name])}"))
    heights = []
    for name, line in lines.items():
        points = [(x, up(mean)) for x, (mean, _, _) in zip(xs, line, strict=True) if not math.isnan(mean)]
        marks.append(svg.polyline(points, class_=f"line {colour(places[name])}"))
        if points:
            marks.append(svg.marker(*points[-1], places[name]))
        heights.append(points[-1][1] if points else 244.0)
    gap, height = min(14.0, 252 / len(lines)), 290
    labels = svg.fitted_names(lines, WIDTH - LABELLED - 12)
    for name, y in zip(lines, svg.spread_out(heights, gap, 20, 272), strict=True):
        class_ = f"label name {colour(places[name])}"
        marks.append(svg.name_label(LABELLED + 10, y + 4, labels[name], name, class_=class_))
    return svg.picture(WIDTH, height, *marks)


def unjudged(contents: ReportContents, metric: Metric) -> Picture:
    """Return the share of unjudged items in the top k."""
    ks = cutoffs(metric)
    shares = {name: [contents.unjudged[name][k] for k in ks] for name in contents.ordered(metric)}
    lines = {name: [(share, math.nan, math.nan) for share in line] for name, line in shares.items()}
    first, *_, last = sorted([*shares, *shares], key=lambda name: shares[name][-1])
    ends = {"first": first, "last": last, "least": f"{shares[first][-1]:.1%}", "most": f"{shares[last][-1]:.1%}"}
    return Picture.of(
        "unjudged",
        _lines(contents, ks, lines, PICTURES["share"], from_zero=True),
        CAPTIONS["one unjudged" if len(shares) == 1 else "unjudged"].fill(high=ks[-1], **ends),
        ("system", "k", "unjudged"),
        [[name, k, share] for name, line in shares.items() for k, share in zip(ks, line, strict=True)],
    )


def bounds(contents: ReportContents, metric: Metric) -> Picture:
    """Return how far unjudged items could move each mean."""
    result = contents.bounds[metric]
    systems = [result[name] for name in contents.ordered(metric)]
    widest = max(systems, key=lambda part: part.range[1] - part.range[0])
    count, pairs = len(result.reversible_pairs), len(systems) * (len(systems) - 1) // 2
    orders = CAPTIONS["reversible"].fill(count=count, all=pairs) if count else CAPTIONS["safe"]
    return Picture.of(
        "bounds",
        _dots(contents, metric, {part.system: ((part.mean, *part.range), "") for part in systems}),
        CAPTIONS["bounds"].fill(
            grade=f"{result.grade:g}",
            metric=metric,
            system=widest.system,
            size=four_digits(max(widest.range[1] - widest.mean, widest.mean - widest.range[0])),
            orders=orders if pairs else "",
        ),
        ("system", "unjudged", "mean", "none relevant", "all at top grade", "lowest", "highest"),
        [[part.system, part.unjudged, part.mean, part.none, part.all, part.lowest, part.highest] for part in systems],
    )


def distribution(contents: ReportContents, metric: Metric) -> Picture:
    """Return the histogram of the values of each system."""
    columns = {name: contents.scores.system(name)[metric] for name in contents.ordered(metric)}
    columns = {name: values[~np.isnan(values)] for name, values in columns.items()}
    ends = metric.definition.bounds
    if not math.isfinite(ends[0]) or not math.isfinite(ends[1]):
        ends = around(np.concatenate([*columns.values()]).tolist(), margin=0.0)
    edges = np.linspace(*ends, BARS + 1)
    counts = {name: np.histogram(values, edges)[0].tolist() for name, values in columns.items()}
    means = {name: float(values.mean()) if len(values) else math.nan for name, values in columns.items()}
    tall = TALL if len(columns) <= FEW else _row_height(len(columns))
    most, bottom = max(map(max, counts.values())) or 1, 8 + tall * len(columns)
    scale = Scale(*ends, NAMES + 8.0, RIGHT - 8)
    labels = svg.fitted_names(columns, NAMES - 8)
    marks = svg.x_axis(scale, 4, bottom, str(metric), 4)
    for n, (name, mean) in enumerate(means.items()):
        base, place = 8 + tall * (n + 1) - 4, colour(contents.scores.systems.index(name))
        marks.append(svg.name_label(NAMES - 4, base - 8, labels[name], name, "end"))
        tops = (base - (tall - 8) * count / most for count in counts[name])
        path = "".join(f"V{top:.1f}H{scale(right):.1f}" for top, right in zip(tops, edges[1:], strict=True))
        outline = f"M{scale(edges[0]):.1f} {base}{path}V{base}z"
        marks.append(Element("path", d=outline, class_=f"bars {place}"))
        if not math.isnan(mean):
            marks.append(svg.line(scale(mean), base - tall + 7, scale(mean), base + 3, class_=f"mean {place}"))
    bars = [*pairwise(edges.round(10).tolist())]
    best = next(iter(columns))
    quarter, median = np.quantile(columns[best], [0.25, 0.5]).tolist() if len(columns[best]) else (math.nan, math.nan)
    return Picture.of(
        "distribution",
        svg.picture(WIDTH, bottom + 42, *marks),
        CAPTIONS["distribution"].fill(best=best, median=four_digits(median), quarter=four_digits(quarter)),
        ("system", "from", "to", "queries"),
        [[name, *bar, count] for name in counts for bar, count in zip(bars, counts[name], strict=True)],
    )
