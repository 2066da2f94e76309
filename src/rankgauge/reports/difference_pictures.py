"""Pictures of differences: query by query for two systems, and by slices of queries."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from rankgauge.analysis.slices import LABELS, NO_VALUE, NONE, Slices
from rankgauge.comparison.pair import Pair
from rankgauge.metric_core.metric import Metric
from rankgauge.rendering.element import Element
from rankgauge.rendering.language import Phrase
from rankgauge.rendering.plain import finite_or_none
from rankgauge.rendering.svg import (
    LEFT,
    NAMES,
    RIGHT,
    ROW,
    WIDTH,
    Scale,
    around,
    colour,
    label,
    line,
    marker,
    name_label,
    picture,
    x_axis,
    y_axis,
)  # fmt: skip
from rankgauge.reports.contents import ReportContents
from rankgauge.reports.messages import CAPTIONS, PICTURES
from rankgauge.reports.picture import Picture, four_digits, listing
from rankgauge.segments import Floats

CELLS, STEPS = 44, 360
"""Number of cells along a side of the scatter plot, and of steps in a long line."""
SINGLE_BARS = 60
"""With up to this many queries each has its own bar."""
SLICED = 4
"""Number of systems whose slices are drawn."""


def pair_pictures(pair: Pair) -> list[Picture]:
    """Return the pictures of two systems."""
    return [differences(pair), scatter(pair)]


def differences(pair: Pair) -> Picture:
    """Return the difference of each query, sorted; thousands are drawn as one shape."""
    ordered = np.sort(pair.differences)[::-1]
    low, high = around([*ordered[[0, -1]].tolist()], zero=True)
    up, count = Scale(low, high, 236, 28), len(ordered)
    across = Scale(0, count, LEFT + 4, RIGHT)
    chosen = np.unique(np.linspace(0, count - 1, min(count, STEPS)).round().astype(int))
    zero = up(0)
    title = name_label(LEFT - 6, 18, f"{pair.second} − {pair.first}", WIDTH - LEFT, class_="axis")
    marks = y_axis(up, LEFT, RIGHT, title)
    for sign, class_ in ((1, "up"), (-1, "down")):
        if count <= SINGLE_BARS:
            marks += _bars(ordered, sign, class_, across, up)
            continue
        signed = [
            (n, value) for n, value in zip(chosen.tolist(), ordered[chosen].tolist(), strict=True) if value * sign > 0
        ]
        if signed:
            edge = [n for n, _ in signed[1:]] + [signed[-1][0] + 1 if sign < 0 else int((ordered > 0).sum())]
            path = f"M{across(signed[0][0]):.1f} {zero:.1f}"
            for (n, value), end in zip(signed, edge, strict=True):
                path += f"L{across(n):.1f} {up(value):.1f}H{across(end):.1f}"
            marks.append(Element("path", d=f"{path}V{zero:.1f}z", class_=class_))
    marks.append(label((LEFT + RIGHT) / 2, 262, PICTURES["queries"], "axis", "middle"))
    caption = CAPTIONS["differences"].fill(
        metric=pair.metric,
        first=pair.first,
        second=pair.second,
        wins=pair.wins,
        ties=pair.ties,
        losses=pair.losses,
        low=four_digits(float(ordered[-1])),
        high=four_digits(float(ordered[0])),
    )
    plot = {"kind": "differences", "x": [*across], "y": [*up]}
    return Picture(
        "differences",
        PICTURES["differences"],
        caption,
        picture(WIDTH, 272, *marks, class_="picture differences"),
        plot=plot,
    )


def _bars(ordered: Floats, sign: int, class_: str, across: Scale, up: Scale) -> list[Element]:
    """Return a bar for each query."""
    wide = min(across(0.82) - across(0), 36.0)
    return [
        Element(
            "rect",
            x=float(across(n + 0.5) - wide / 2),
            y=float(min(up(value), up(0))),
            width=wide,
            height=float(abs(up(value) - up(0))),
            class_=class_,
        )
        for n, value in enumerate(ordered.tolist())
        if value * sign > 0
    ]


def scatter(pair: Pair) -> Picture:
    """Return both values of each query; queries in the same cell are drawn as one point."""
    low, high = around([*pair.values_first.tolist(), *pair.values_second.tolist()])
    across, up = Scale(low, high, LEFT + 4, LEFT + 304), Scale(low, high, 328, 28)
    marks = [*y_axis(up, LEFT + 4, LEFT + 304, ""), *x_axis(across, 28, 328, "")]
    marks.append(line(across(low), up(low), across(high), up(high), class_="diagonal"))
    size = (high - low) / CELLS
    columns = np.minimum(((pair.values_first - low) / size).astype(int), CELLS - 1)
    rows = np.minimum(((pair.values_second - low) / size).astype(int), CELLS - 1)
    cells, first, many = np.unique(columns * CELLS + rows, return_index=True, return_counts=True)
    most, shades = int(many.max(initial=1)), dict.fromkeys((1, 2, 3, 4), "")
    for cell, place, count in zip(cells.tolist(), first.tolist(), many.tolist(), strict=True):
        x, y = low + (cell // CELLS + 0.5) * size, low + (cell % CELLS + 0.5) * size
        if count == 1:
            x, y = float(pair.values_first[place]), float(pair.values_second[place])
        shade = 3 if most == 1 else 1 + round(3 * math.log(count) / math.log(most))
        shades[shade] += f"M{across(x):.0f} {up(y):.0f}h0"
    marks += [Element("path", d=path, class_=f"dot d{shade}") for shade, path in shades.items() if path]
    marks.append(name_label(LEFT - 2, 18, f"↑ {pair.second}", 300, class_="axis"))
    marks.append(name_label(LEFT + 304, 361, f"{pair.first} →", 300, "end", "axis"))
    marks.append(label(LEFT + 316, 60, PICTURES["better here"].fill(second="↑", count=pair.wins), "label"))
    marks.append(label(LEFT + 316, 320, PICTURES["worse here"].fill(second="↑", count=pair.losses), "label"))
    caption = CAPTIONS["scatter"].fill(metric=pair.metric, first=pair.first, second=pair.second)
    plot = {"kind": "scatter", "x": [*across], "y": [*up]}
    return Picture(
        "scatter", PICTURES["scatter"], caption, picture(WIDTH, 370, *marks, class_="picture scatter"), plot=plot
    )


def slice_differences(contents: ReportContents, metric: Metric, place: int, cut: Slices) -> Picture:
    """Return the difference from the baseline by slices of queries."""
    by = PICTURES[f"by {cut.by}"] if cut.by in {"judgments", "difficulty"} else Phrase(cut.by, cut.by)
    others = _best(contents, metric, cut)
    shown = [part.differences[system] for part in cut.slices for system in others]
    low, high = around([end for d in shown for end in (d.mean, d.low, d.high)], zero=True)
    scale = Scale(low, high, NAMES + 8.0, RIGHT - 8)
    step = ROW if len(others) == 1 else 18
    marks, y = _legend(contents, others) if len(others) > 1 else ([], 12.0)
    top = y - 8
    for part in cut.slices:
        marks.append(_label(NAMES - 4, y + 10, _slice_name(part.label, cut.by)))
        marks.append(label(NAMES - 4, y + 24, PICTURES["queries count"].fill(count=part.count), "tick", "end"))
        tall = max(step * len(others), 34)
        for n, system in enumerate(others):
            d, at = part.differences[system], y + tall * (n + 0.5) / len(others)
            if math.isfinite(d.low):
                marks.append(
                    line(
                        scale(d.low),
                        at,
                        scale(d.high),
                        at,
                        class_=f"reach {colour(contents.scores.systems.index(system))}",
                    )
                )
            marks.append(marker(scale(d.mean), at, contents.scores.systems.index(system)))
        y += tall + 10
    axis = x_axis(scale, top, y, PICTURES["difference from"].fill(baseline=cut.baseline), 4)
    listed: list[str | Phrase] = []
    for part in cut.slices:
        means = ", ".join(f"{system} {four_digits(part.differences[system].mean)}" for system in others)
        name = _slice_name(part.label, cut.by)
        listed.append(Phrase(f"{name.en} ({part.count}): {means}", f"{name.zh}（{part.count}）：{means}"))
    return Picture(
        f"slices-{place + 1}",
        PICTURES["slices"].fill(by=by),
        CAPTIONS["slices"].fill(list=listing(listed), metric=metric, baseline=cut.baseline, by=by),
        picture(WIDTH, y + 42, *axis, *marks, class_="picture slices"),
        ("slice", "queries", "system", "difference", "low", "high"),
        finite_or_none(
            [
                [part.label, part.count, system, d.mean, d.low, d.high]
                for part in cut.slices
                for system, d in part.differences.items()
            ]
        ),
    )


def _best(contents: ReportContents, metric: Metric, cut: Slices) -> list[str]:
    """Return the systems to draw, the best few of many; the data have all."""
    others = [*cut.overall.differences]
    if len(others) <= SLICED or contents.comparison is None:
        return others
    board = [row.system for row in contents.comparison.leaderboard(metric)]
    return [system for system in board if system in others][:SLICED]


def _legend(contents: ReportContents, systems: Sequence[str]) -> tuple[list[Element], float]:
    """Return the legend, four systems to a line, and the coordinate below it."""
    room = WIDTH / 4
    marks = []
    for n, system in enumerate(systems):
        x, y = 10 + room * (n % 4), 12 + 18.0 * (n // 4)
        marks += [
            marker(x, y, contents.scores.systems.index(system)),
            name_label(x + 9, y + 4, system, room - 24, class_="label key-name"),
        ]
    return marks, 12 + 18.0 * ((len(systems) - 1) // 4) + 24


def _slice_name(name: str, by: str) -> Phrase:
    if by == "difficulty" and name in LABELS:
        return LABELS[name]
    return NONE if name == NO_VALUE else Phrase(name, name)


def _label(x: float, y: float, text: Phrase) -> Element:
    if text.en == text.zh:
        return name_label(x, y, text.en, NAMES - 8, "end")
    return label(x, y, text, anchor="end")
