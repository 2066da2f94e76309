"""Pictures of differences: query by query, of two systems, and by kinds of queries."""

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
from rankgauge.reports.contents import Gathered
from rankgauge.reports.messages import PICTURES, SAYS
from rankgauge.reports.picture import Picture, four, told
from rankgauge.segments import Floats

CELLS, STEPS = 44, 360
"""Into how many squares a side is parted, and into how many steps a long line."""
APART = 60
"""Up to so many queries each has a bar of its own."""
SLICED = 4
"""Of how many systems slices are drawn."""


def of_pair(pair: Pair) -> list[Picture]:
    """The pictures of two systems."""
    return [differences(pair), scatter(pair)]


def differences(pair: Pair) -> Picture:
    """The difference of each query, the largest gain first; thousands are drawn as one shape."""
    ordered = np.sort(pair.differences)[::-1]
    low, high = around([*ordered[[0, -1]].tolist()], zero=True)
    up, count = Scale(low, high, 236, 28), len(ordered)
    across = Scale(0, count, LEFT + 4, RIGHT)
    chosen = np.unique(np.linspace(0, count - 1, min(count, STEPS)).round().astype(int))
    zero = up(0)
    marks = y_axis(up, LEFT, RIGHT, Phrase(f"{pair.second} − {pair.first}", f"{pair.second} − {pair.first}"))
    marks[-1] = name_label(LEFT - 6, 18, f"{pair.second} − {pair.first}", WIDTH - LEFT, class_="axis")
    for sign, class_ in ((1, "up"), (-1, "down")):
        if count <= APART:
            marks += _bars(ordered, sign, class_, across, up)
            continue
        mine = [
            (n, value) for n, value in zip(chosen.tolist(), ordered[chosen].tolist(), strict=True) if value * sign > 0
        ]
        if mine:
            edge = [n for n, _ in mine[1:]] + [mine[-1][0] + 1 if sign < 0 else int((ordered > 0).sum())]
            path = f"M{across(mine[0][0]):.1f} {zero:.1f}"
            for (n, value), end in zip(mine, edge, strict=True):
                path += f"L{across(n):.1f} {up(value):.1f}H{across(end):.1f}"
            marks.append(Element("path", d=f"{path}V{zero:.1f}z", class_=class_))
    marks.append(label((LEFT + RIGHT) / 2, 262, PICTURES["queries"], "axis", "middle"))
    says = SAYS["differences"].fill(
        metric=pair.metric,
        first=pair.first,
        second=pair.second,
        wins=pair.wins,
        ties=pair.ties,
        losses=pair.losses,
        low=four(float(ordered[-1])),
        high=four(float(ordered[0])),
    )
    plot = {"kind": "differences", "x": [*across], "y": [*up]}
    return Picture(
        "differences",
        PICTURES["differences"],
        says,
        picture(WIDTH, 272, *marks, class_="picture differences"),
        plot=plot,
    )


def _bars(ordered: Floats, sign: int, class_: str, across: Scale, up: Scale) -> list[Element]:
    """A bar for each query, as wide as there is room but not too wide."""
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
    """Both values of each query; queries in the same small square are drawn as one."""
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
    says = SAYS["scatter"].fill(metric=pair.metric, first=pair.first, second=pair.second)
    plot = {"kind": "scatter", "x": [*across], "y": [*up]}
    return Picture(
        "scatter", PICTURES["scatter"], says, picture(WIDTH, 370, *marks, class_="picture scatter"), plot=plot
    )


def sliced(found: Gathered, metric: Metric, place: int, cut: Slices) -> Picture:
    """The difference from the baseline on kinds of queries."""
    by = PICTURES[f"by {cut.by}"] if cut.by in {"judgments", "difficulty"} else Phrase(cut.by, cut.by)
    others = _best(found, metric, cut)
    drawn = [one.differences[system] for one in cut.slices for system in others]
    low, high = around([end for d in drawn for end in (d.mean, d.low, d.high)], zero=True)
    scale = Scale(low, high, NAMES + 8.0, RIGHT - 8)
    step = ROW if len(others) == 1 else 18
    marks, y = _keys(found, others) if len(others) > 1 else ([], 12.0)
    top = y - 8
    for one in cut.slices:
        marks.append(_label(NAMES - 4, y + 10, _slice_label(one.label, cut.by)))
        marks.append(label(NAMES - 4, y + 24, PICTURES["queries count"].fill(count=f"{one.count:,}"), "tick", "end"))
        tall = max(step * len(others), 34)
        for n, system in enumerate(others):
            d, at = one.differences[system], y + tall * (n + 0.5) / len(others)
            if math.isfinite(d.low):
                marks.append(
                    line(
                        scale(d.low),
                        at,
                        scale(d.high),
                        at,
                        class_=f"reach {colour(found.scores.systems.index(system))}",
                    )
                )
            marks.append(marker(scale(d.mean), at, found.scores.systems.index(system)))
        y += tall + 10
    axis = x_axis(scale, top, y, PICTURES["difference from"].fill(baseline=cut.baseline), 4)
    listed: list[str | Phrase] = []
    for one in cut.slices:
        means = ", ".join(f"{system} {four(one.differences[system].mean)}" for system in others)
        name = _slice_label(one.label, cut.by)
        listed.append(Phrase(f"{name.en} ({one.count}): {means}", f"{name.zh}（{one.count}）：{means}"))
    says = told("slices", listed, metric=metric, baseline=cut.baseline, by=by)
    return Picture(
        f"slices-{place + 1}",
        Phrase(PICTURES["slices"].render("en", by=by.en), PICTURES["slices"].render("zh", by=by.zh)),
        says,
        picture(WIDTH, y + 42, *axis, *marks, class_="picture slices"),
        ("slice", "queries", "system", "difference", "low", "high"),
        finite_or_none(
            [
                [one.label, one.count, system, d.mean, d.low, d.high]
                for one in cut.slices
                for system, d in one.differences.items()
            ]
        ),
    )


def _best(found: Gathered, metric: Metric, cut: Slices) -> list[str]:
    """The systems that are drawn: the best few where there are many; the data have all."""
    others = [*cut.overall.differences]
    if len(others) <= SLICED or found.comparison is None:
        return others
    board = [one.system for one in found.comparison.leaderboard(metric)]
    return [system for system in board if system in others][:SLICED]


def _keys(found: Gathered, systems: Sequence[str]) -> tuple[list[Element], float]:
    """Which shape and colour is which system, four to a line; and where they end."""
    room = WIDTH / 4
    marks = []
    for n, system in enumerate(systems):
        x, y = 10 + room * (n % 4), 12 + 18.0 * (n // 4)
        marks += [
            marker(x, y, found.scores.systems.index(system)),
            name_label(x + 9, y + 4, system, room - 24, class_="label key-name"),
        ]
    return marks, 12 + 18.0 * ((len(systems) - 1) // 4) + 24


def _slice_label(label: str, by: str) -> Phrase:
    if by == "difficulty" and label in LABELS:
        return LABELS[label]
    return NONE if label == NO_VALUE else Phrase(label, label)


def _label(x: float, y: float, text: Phrase) -> Element:
    if text.en == text.zh:
        return name_label(x, y, text.en, NAMES - 8, "end")
    return label(x, y, text, anchor="end")
