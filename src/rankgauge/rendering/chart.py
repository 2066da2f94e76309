"""Line charts, drawn with characters for a terminal and as SVG with a text alternative."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from rankgauge.rendering.element import Element
from rankgauge.rendering.svg import Scale, around, label, line, number, picture, polyline
from rankgauge.rendering.text import neutral

MARKS = "*o+x#%@&=~"
"""The character of each line; where lines cross, the first line wins."""
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Okabe and Ito's colours, which can be distinguished with any colour vision."""
DASHES = ("", "7 3", "2 3", "9 3 2 3")
TICKS = 5


class Chart(NamedTuple):
    """Lines over the same x values; a value of None leaves a gap."""

    title: str
    description: str
    x_name: str
    xs: Sequence[float]
    lines: Mapping[str, Sequence[float | None]]

    def limits(self) -> tuple[float, float]:
        """Return the range of the values with a margin."""
        return around((value for line in self.lines.values() for value in line if value is not None), margin=0.05)


def to_text(chart: Chart, width: int = 72, height: int = 15) -> str:
    """Return the chart drawn with ASCII characters and box-drawing axes.

    >>> print(to_text(Chart("P", "", "k", [1, 2, 3], {"a": [1.0, 0.5, 0.5]}), width=30, height=3))
    P
    1.025 │***
          │   ****
    0.475 │       ************
          └───────────────────
           1        2        3  k
    <BLANKLINE>
    * a
    """
    low, high = chart.limits()
    labels = {height - 1: f"{low:.4g}", 0: f"{high:.4g}"}
    margin = max(map(len, labels.values())) + 1
    columns = max(width - margin - 4 - len(chart.x_name), 10)
    grid = [[" "] * columns for _ in range(height)]
    xs = np.linspace(chart.xs[0], chart.xs[-1], columns)
    for place, line_values in reversed([*enumerate(chart.lines.values())]):
        for column, value in enumerate(np.interp(xs, chart.xs, np.array(line_values, dtype=float)).tolist()):
            if not math.isnan(value):
                row = round((high - value) / (high - low) * (height - 1))
                grid[row][column] = MARKS[place % len(MARKS)]
        for x, value in zip(chart.xs, line_values, strict=True):  # also points whose neighbours are gaps
            if value is not None:
                column = round((x - chart.xs[0]) / ((chart.xs[-1] - chart.xs[0]) or 1) * (columns - 1))
                grid[round((high - value) / (high - low) * (height - 1))][column] = MARKS[place % len(MARKS)]
    rows = [f"{labels.get(n, ''):>{margin - 1}} │{''.join(cells)}".rstrip() for n, cells in enumerate(grid)]
    axis = f"{'':>{margin}}└{'─' * columns}"
    legend = [f"{MARKS[place % len(MARKS)]} {neutral(name)}" for place, name in enumerate(chart.lines) if name]
    below = ["", *legend] if legend else []
    return "\n".join([neutral(chart.title), *rows, axis, _x_labels(chart, margin, columns), *below])


def _x_labels(chart: Chart, margin: int, columns: int) -> str:
    first, last = chart.xs[0], chart.xs[-1]
    cells = [" "] * (columns + margin + 1)
    for x in _tick_positions(chart.xs):
        text = f"{x:g}"
        place = round((x - first) / ((last - first) or 1) * (columns - 1))
        start = margin + 1 + max(min(place - len(text) // 2, columns - len(text)), 0)
        if all(cell == " " for cell in cells[max(start - 1, 0) : start + len(text) + 1]):
            cells[start : start + len(text)] = text
    return "".join(cells).rstrip() + f"  {neutral(chart.x_name)}"


def _tick_positions(xs: Sequence[float]) -> list[float]:
    """Return the ends, and round numbers between them; the ends come first so that they are never left out.

    >>> _tick_positions(range(1, 21)), _tick_positions(range(1, 22)), _tick_positions([1, 3, 7])
    ([1, 20, 5, 10, 15], [1, 21, 5, 10, 15], [1, 7, 3])
    """
    ends, between = [*dict.fromkeys([xs[0], xs[-1]])], [*xs[1:-1]]
    if len(between) >= TICKS:
        ticks = Scale(xs[0], xs[-1], 0.0, 1.0).ticks(TICKS)
        room = (ticks[1] - ticks[0]) / 2
        round_ones = [x for x in between if x in ticks and min(x - xs[0], xs[-1] - x) >= room]
        step = (len(xs) - 1) // TICKS
        between = round_ones if len(round_ones) > 1 else [*xs[step:-1:step]]
    return [*ends, *between]


def to_svg(chart: Chart, width: int = 720, height: int = 400) -> str:
    """Return the chart as SVG with a text alternative, without scripts, styles or external fonts."""
    return svg_element(chart, width, height).markup()


def svg_element(chart: Chart, width: int = 720, height: int = 400) -> Element:
    """Return the chart as an SVG element."""
    left, right, top, bottom = 60.0, 20.0, 40.0, 50.0 + 18 * len(chart.lines)
    tall = height + 18 * len(chart.lines)
    floor = tall - bottom
    across, up = Scale(chart.xs[0], chart.xs[-1], left, width - right), Scale(*chart.limits(), floor, top)
    marks = [
        Element("title", chart.title, id="title"),
        Element("desc", chart.description, id="desc"),
        Element("rect", width=width, height=tall, fill="#ffffff"),
        Element("text", chart.title, x=left, y=22, font_size="15"),
    ]
    for tick in up.ticks():
        marks.append(line(left, up(tick), width - right, up(tick), stroke="#dddddd"))
        marks.append(label(left - 6, up(tick) + 4, number(tick), None, "end"))
    marks += [label(across(x), floor + 18, number(x), None, "middle") for x in sorted({*_tick_positions(chart.xs)})]
    marks.append(label((left + width - right) / 2, floor + 34, chart.x_name, None, "middle"))
    for place, (name, values) in enumerate(chart.lines.items()):
        dash = DASHES[(place // len(COLOURS)) % len(DASHES)]
        style = {"stroke": COLOURS[place % len(COLOURS)], "stroke_width": "2", "stroke_dasharray": dash or None}
        points = [(across(x), up(value)) for x, value in zip(chart.xs, values, strict=True) if value is not None]
        base = floor + 52 + 18 * place
        marks += [
            polyline(points, Element("title", name), fill="none", **style),
            *(Element("circle", cx=x, cy=y, r=3, fill=style["stroke"]) for x, y in points[: len(points) == 1]),
            line(left, base - 4, left + 24, base - 4, **style),
            label(left + 30, base, name, None),
        ]
    frame = {"aria_labelledby": "title desc", "font_family": "sans-serif", "font_size": "12"}
    return picture(width, tall, *marks, **frame)
