"""The overview of all queries and systems: a heat map, and the data behind it."""

from __future__ import annotations

import math

import numpy as np

from rankgauge.metric_core.metric import Metric
from rankgauge.rendering import svg
from rankgauge.rendering.element import Element
from rankgauge.rendering.language import Phrase
from rankgauge.rendering.svg import NAMES, RIGHT, WIDTH, Scale, around
from rankgauge.reports.contents import ReportContents
from rankgauge.reports.messages import CAPTIONS, PICTURES
from rankgauge.reports.pictures import MANY, Picture
from rankgauge.segments import Floats

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
        svg.picture(WIDTH, bottom + 46, *labels, *grid, title, *_legend(low, high, bottom + 32)),
        _caption(values, size, (low, high)),
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


def _legend(low: float, high: float, y: float) -> list[Element]:
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


def _caption(values: Floats, size: int, ends: tuple[float, float]) -> Phrase:
    low, high = (ends[0] + share * (ends[1] - ends[0]) for share in (0.25, 0.75))
    below, above = int((np.nanmax(values, axis=0) < low).sum()), int((np.nanmin(values, axis=0) > high).sum())
    what = CAPTIONS["single queries"] if size == 1 else CAPTIONS["groups of queries"].fill(count=size)
    reading = "hard and easy" if below and above else "hard" if below else "easy" if above else "neither"
    values_shown = {"hard": below, "easy": above, "low": svg.number(low), "high": svg.number(high)}
    return CAPTIONS["topics"].fill(what=what, reading=CAPTIONS[reading].fill(**values_shown))
