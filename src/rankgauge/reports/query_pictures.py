"""Pictures of single queries: differences of two systems, differences by slices, and a heat map of all systems."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from rankgauge.analysis.slices import Slices, label_phrase
from rankgauge.comparison.pair import Pair
from rankgauge.metric_core.metric import Metric
from rankgauge.rendering import svg
from rankgauge.rendering.element import Element
from rankgauge.rendering.language import Phrase
from rankgauge.rendering.svg import LEFT, NAMES, RIGHT, ROW, WIDTH, Scale, around, colour
from rankgauge.reports.contents import ReportContents
from rankgauge.reports.messages import CAPTIONS, PICTURES
from rankgauge.reports.pictures import MANY, Picture, four_digits
from rankgauge.segments import Floats

CELLS, STEPS = 44, 360
"""Number of cells along a side of the scatter plot, and of steps in a long line."""
SINGLE_BARS = 60
"""With up to this many queries each has its own bar."""
TIE = 1e-9
"""Smaller differences are drawn as none."""
SLICED = 4
"""Number of systems whose slices are drawn."""


def differences(pair: Pair) -> Picture:
    """Return the difference of each query, sorted; thousands are drawn as one shape."""
    ordered = np.sort(pair.differences)[::-1]
    highest, lowest = ordered[[0, -1]].tolist()
    up, across = Scale(*around([highest, lowest], zero=True), 236, 28), Scale(0, len(ordered), LEFT + 4, RIGHT)
    metric = svg.fitted(pair.metric, (WIDTH - LEFT) / 3)
    names = svg.fitted_names((pair.first, pair.second), (WIDTH - LEFT - svg.CHARACTER * len(metric)) / 2 - 30)
    shown = f"{metric}: {names[pair.second]} − {names[pair.first]}"
    title = svg.name_label(LEFT - 6, 18, shown, f"{pair.metric}: {pair.second} − {pair.first}", class_="axis")
    draw = _bars if len(ordered) <= SINGLE_BARS else _shape
    marks = [
        *svg.y_axis(up, LEFT, RIGHT, title),
        *draw(ordered, 1, "up" if pair.higher_is_better else "down", across, up),
        *draw(ordered, -1, "down" if pair.higher_is_better else "up", across, up),
        svg.label((LEFT + RIGHT) / 2, 262, PICTURES["queries"], "axis", "middle"),
    ]
    caption = CAPTIONS["differences"].fill(
        metric=pair.metric,
        second=pair.second,
        wins=pair.wins,
        ties=pair.ties,
        losses=pair.losses,
        low=four_digits(lowest),
        high=four_digits(highest),
    )
    plot = {"kind": "differences", "x": [*across], "y": [*up]}
    return Picture.of("differences", svg.picture(WIDTH, 272, *marks), caption, plot=plot)


def _bars(ordered: Floats, sign: int, class_: str, across: Scale, up: Scale) -> list[Element]:
    """Return a bar for each query."""
    wide = min(across(0.82) - across(0), 36.0)
    bars = [(across(n + 0.5) - wide / 2, up(value)) for n, value in enumerate(ordered.tolist()) if value * sign > 0]
    return [Element("rect", x=x, y=min(y, up(0)), width=wide, height=abs(y - up(0)), class_=class_) for x, y in bars]


def _shape(ordered: Floats, sign: int, class_: str, across: Scale, up: Scale) -> list[Element]:
    """Return one shape for all queries of a sign."""
    chosen = np.unique(np.linspace(0, len(ordered) - 1, min(len(ordered), STEPS)).round().astype(int))
    chosen = chosen[ordered[chosen] * sign > 0]
    if not len(chosen):
        return []
    ends = [*chosen[1:], chosen[-1] + 1 if sign < 0 else (ordered > 0).sum()]
    steps = [
        f"L{across(n):.1f} {up(value):.1f}H{across(end):.1f}"
        for n, value, end in zip(chosen, ordered[chosen], ends, strict=True)
    ]
    path = f"M{across(chosen[0]):.1f} {up(0):.1f}{''.join(steps)}V{up(0):.1f}z"
    return [Element("path", d=path, class_=class_)]


def scatter(pair: Pair) -> Picture:
    """Return both values of each query; queries in the same cell are drawn as one point."""
    low, high = around([*pair.values_first.tolist(), *pair.values_second.tolist()])
    across, up = Scale(low, high, LEFT + 4, LEFT + 304), Scale(low, high, 328, 28)
    size = (high - low) / CELLS
    columns, rows = (
        np.minimum(((values - low) / size).astype(int), CELLS - 1) for values in (pair.values_first, pair.values_second)
    )
    cells, first, many = np.unique(columns * CELLS + rows, return_index=True, return_counts=True)
    most, better = int(many.max(initial=1)), 1 if pair.higher_is_better else -1
    shades: dict[str, str] = {}
    for cell, place, count in zip(cells.tolist(), first.tolist(), many.tolist(), strict=True):
        x, y = low + (cell // CELLS + 0.5) * size, low + (cell % CELLS + 0.5) * size
        if count == 1:
            x, y = float(pair.values_first[place]), float(pair.values_second[place])
        shade = 3 if most == 1 else 1 + round(3 * math.log(count) / math.log(most))
        sign = better * (float(pair.differences[place]) if count == 1 else y - x)
        class_ = f"dot {'gain ' if sign > TIE else 'loss ' if sign < -TIE else ''}d{shade}"
        shades[class_] = shades.get(class_, "") + f"M{across(x):.0f} {up(y):.0f}h0"
    names = svg.fitted_names((pair.first, pair.second), 280)
    marks = [
        *svg.y_axis(up, LEFT + 4, LEFT + 304, ""),
        *svg.x_axis(across, 28, 328, ""),
        svg.line(across(low), up(low), across(high), up(high), class_="diagonal"),
        *(Element("path", d=path, class_=class_) for class_, path in shades.items()),
        svg.name_label(LEFT - 2, 18, f"↑ {names[pair.second]}", f"↑ {pair.second}", class_="axis"),
        svg.name_label(LEFT + 304, 361, f"{names[pair.first]} →", f"{pair.first} →", "end", "axis"),
        *_counts(pair),
    ]
    above, below = (pair.wins, pair.losses) if pair.higher_is_better else (pair.losses, pair.wins)
    plot = {"kind": "scatter", "x": [*across], "y": [*up]}
    caption = CAPTIONS["scatter"].fill(second=pair.second, metric=pair.metric, above=above, below=below)
    return Picture.of("scatter", svg.picture(WIDTH, 370, *marks), caption, plot=plot)


def _counts(pair: Pair) -> list[Element]:
    """Return how many queries are better and worse, on the side of the diagonal where they are."""
    counts = [("better here", pair.wins, "label gained"), ("worse here", pair.losses, "label lost")]
    heights = (60, 320) if pair.higher_is_better else (320, 60)
    return [
        svg.label(LEFT + 316, y, PICTURES[key].fill(count=count), class_)
        for y, (key, count, class_) in zip(heights, counts, strict=True)
    ]


def slice_differences(contents: ReportContents, metric: Metric, number: int, cut: Slices) -> Picture:
    """Return the difference from the baseline by slices of queries."""
    by = PICTURES[f"by {cut.by}"] if cut.by in {"judgments", "difficulty"} else Phrase(cut.by, f" {cut.by} ")
    places = {system: contents.scores.systems.index(system) for system in _best(contents, metric, cut)}
    shown = [part.differences[system] for part in cut.slices for system in places]
    low, high = around([end for d in shown for end in (d.mean, d.low, d.high)], zero=True)
    scale = Scale(low, high, NAMES + 8.0, RIGHT - 8)
    marks, y = _legend(places) if len(places) > 1 else ([], 12.0)
    top, tall = y - 8, max((ROW if len(places) == 1 else 18) * len(places), 34)
    labels = svg.fitted_names((part.label for part in cut.slices), NAMES - 8)
    for part in cut.slices:
        marks.append(_label(NAMES - 4, y + 10, label_phrase(cut.by, part.label), labels[part.label]))
        marks.append(svg.label(NAMES - 4, y + 24, PICTURES["queries count"].fill(count=part.count), "tick", "end"))
        for n, (system, place) in enumerate(places.items()):
            d, at = part.differences[system], y + tall * (n + 0.5) / len(places)
            if math.isfinite(d.low):
                marks.append(svg.line(scale(d.low), at, scale(d.high), at, class_=f"reach {colour(place)}"))
            marks.append(svg.marker(scale(d.mean), at, place))
        y += tall + 10
    baseline = svg.fitted_names(cut.overall.means, 180)[cut.baseline]
    axis = svg.x_axis(scale, top, y, PICTURES["difference from"].fill(baseline=baseline), 4)
    return Picture.of(
        f"slices-{number}",
        svg.picture(WIDTH, y + 42, *axis, *marks),
        _slices_caption(contents, metric, cut),
        ("slice", "queries", "system", "difference", "low", "high"),
        [
            [part.label, part.count, system, d.mean, d.low, d.high]
            for part in cut.slices
            for system, d in part.differences.items()
        ],
        by=by,
    )


def _slices_caption(contents: ReportContents, metric: Metric, cut: Slices) -> Phrase:
    """Return where the best of the other systems differs most and least from the baseline."""
    sign = 1 if metric.definition.higher_is_better else -1
    system = next(name for name in contents.ordered(metric) if name in cut.overall.differences)
    parts = sorted(cut.slices, key=lambda part: sign * part.differences[system].mean)
    return CAPTIONS["slices"].fill(
        system=system,
        baseline=cut.baseline,
        metric=metric,
        most=_slice_name(cut, parts[-1].label),
        high=four_digits(parts[-1].differences[system].mean),
        least=_slice_name(cut, parts[0].label),
        low=four_digits(parts[0].differences[system].mean),
    )


def _slice_name(cut: Slices, label: str) -> Phrase:
    name = label_phrase(cut.by, label)
    if cut.by == "difficulty":
        return name
    by = PICTURES["by judgments"] if cut.by == "judgments" else Phrase(cut.by, cut.by)
    return Phrase("{by} = {name}", "{by} = {name}").fill(by=by, name=name)


def _best(contents: ReportContents, metric: Metric, cut: Slices) -> list[str]:
    """Return the systems to draw, the best few of many; the data have all."""
    return [name for name in contents.ordered(metric) if name in cut.overall.differences][:SLICED]


def _legend(places: Mapping[str, int]) -> tuple[list[Element], float]:
    """Return the legend, four systems to a line, and the coordinate below it."""
    room, marks = WIDTH / 4, []
    labels = svg.fitted_names(places, room - 24)
    for n, (system, place) in enumerate(places.items()):
        x, y = 10 + room * (n % 4), 12 + 18.0 * (n // 4)
        marks.append(svg.marker(x, y, place))
        marks.append(svg.name_label(x + 9, y + 4, labels[system], system, class_="label key-name"))
    return marks, 12 + 18.0 * ((len(places) - 1) // 4) + 24


def _label(x: float, y: float, text: Phrase, shown: str) -> Element:
    if text.en == text.zh:
        return svg.name_label(x, y, shown, text.en, "end")
    return svg.label(x, y, text, anchor="end")


SHADES = 8
MOST_COLUMNS = 100
"""More queries are drawn in groups."""
FEW_COLUMNS = 40
"""Up to this many columns have a gap between them."""


def topics(contents: ReportContents, metric: Metric) -> Picture:
    """Return the value of every system (row) on every query (column), hardest query first."""
    names, scores = contents.ordered(metric), contents.scores
    values = np.array([scores.system(name)[metric] for name in names], dtype=np.float64)
    kept = np.flatnonzero(~np.isnan(values).all(axis=0))
    means = np.nanmean(values[:, kept], axis=0)
    sign = 1 if metric.definition.higher_is_better else -1
    order = kept[np.argsort(sign * means, kind="stable")]
    values = values[:, order]
    size = math.ceil(len(order) / MOST_COLUMNS)
    low, high = _ends(metric, values)
    across = Scale(0, math.ceil(len(order) / size), NAMES + 8.0, RIGHT - 8)
    tall = 24.0 if len(names) <= MANY else 16.0
    grid, bottom = _cells(values, size, (low, high), across, tall), 8 + tall * len(names)
    shown = svg.fitted_names(names, NAMES - 8)
    labels = [
        svg.name_label(NAMES - 4, 8 + tall * (n + 0.5) + 4, shown[name], name, "end") for n, name in enumerate(names)
    ]
    title = svg.label((across.start + across.end) / 2, bottom + 16, PICTURES["hardest first"], "axis", "middle")
    one = {"kind": "topics", "x": [*across], "y": [0, len(names), 8, bottom], "order": order.tolist()}
    rows = [[str(scores.queries[place]), *column] for place, column in zip(order, values.T.tolist(), strict=True)]
    return Picture.of(
        "topics",
        svg.picture(WIDTH, bottom + 46, *labels, *grid, title, *_scale_of_shades(low, high, bottom + 32)),
        _overview_caption(values, size, (low, high)),
        ("query", *names),
        rows,
        plot=one | {"systems": [scores.systems.index(name) for name in names]} if size == 1 else None,
    )


def _ends(metric: Metric, values: Floats) -> tuple[float, float]:
    least, most = metric.definition.bounds
    return (least, most) if math.isfinite(least) and math.isfinite(most) else around(values.ravel().tolist(), margin=0)


def _cells(values: Floats, size: int, ends: tuple[float, float], across: Scale, tall: float) -> list[Element]:
    """Return a path for each shade; of many columns, neighbours of one shade are one stroke."""
    low, high = ends
    gap = 1.5 if math.ceil(values.shape[1] / size) <= FEW_COLUMNS else 0.0
    paths = [""] * SHADES
    for n, row in enumerate(values):
        starts = range(0, len(row), size)
        groups = [part[~np.isnan(part)] for part in (row[start : start + size] for start in starts)]
        shades = [
            min(int((float(group.mean()) - low) / (high - low) * SHADES), SHADES - 1) if len(group) else -1
            for group in groups
        ]
        y, start = 8 + tall * (n + 0.5), 0
        for end in range(1, len(shades) + 1):
            if gap or end == len(shades) or shades[end] != shades[start]:
                if shades[start] >= 0:
                    paths[shades[start]] += f"M{across(start):.1f} {y:g}H{across(end) - gap:.1f}"
                start = end
    return [
        Element("path", d=path, class_=f"cell c{shade}", stroke_width=tall - 2)
        for shade, path in enumerate(paths)
        if path
    ]


def _scale_of_shades(low: float, high: float, y: float) -> list[Element]:
    """Return the shades from the lowest to the highest value."""
    left = RIGHT - 8 - 18 * SHADES - 40
    steps = [
        Element("path", d=f"M{left + 18 * n:g} {y:g}h18", class_=f"cell c{n}", stroke_width=10.0) for n in range(SHADES)
    ]
    ends = [
        svg.label(left - 6, y + 4, svg.number(round(low, 4)), "tick", "end"),
        svg.label(left + 18 * SHADES + 6, y + 4, svg.number(round(high, 4)), "tick"),
    ]
    return steps + ends


def _overview_caption(values: Floats, size: int, ends: tuple[float, float]) -> Phrase:
    low, high = (ends[0] + share * (ends[1] - ends[0]) for share in (0.25, 0.75))
    below, above = int((np.nanmax(values, axis=0) < low).sum()), int((np.nanmin(values, axis=0) > high).sum())
    what = CAPTIONS["single queries"] if size == 1 else CAPTIONS["groups of queries"].fill(count=size)
    reading = "hard and easy" if below and above else "hard" if below else "easy" if above else "neither"
    values_shown = {"hard": below, "easy": above, "low": svg.number(low), "high": svg.number(high)}
    return CAPTIONS["topics"].fill(what=what, reading=CAPTIONS[reading].fill(**values_shown))
