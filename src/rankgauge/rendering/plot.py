"""Lines over a number, drawn with characters for a terminal, and as SVG with a text alternative."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from itertools import pairwise
from typing import NamedTuple

from rankgauge.rendering.text import neutral

MARKS = "*o+x#%@&=~"
"""The mark of each line; where lines cross, the first one is seen."""
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Colours that people with any colour vision can tell apart (Okabe and Ito)."""
DASHES = ("", "7 3", "2 3", "9 3 2 3")
TICKS = 5


class Chart(NamedTuple):
    """Lines over the same numbers; a value that is None leaves a gap."""

    title: str
    description: str
    x_name: str
    xs: Sequence[float]
    lines: Mapping[str, Sequence[float | None]]

    def limits(self) -> tuple[float, float]:
        """The lowest and highest value, apart from each other."""
        values = [value for line in self.lines.values() for value in line if value is not None] or [0.0]
        low, high = min(values), max(values)
        pad = (high - low) * 0.05 or abs(high) * 0.1 or 0.5
        return low - pad, high + pad

    def at(self, x: float, line: Sequence[float | None]) -> float | None:
        """The value of a line at any place, straight between the numbers."""
        for (left, right), (low, high) in zip(pairwise(self.xs), pairwise(line), strict=True):
            if left <= x <= right and low is not None and high is not None:
                return low + (high - low) * ((x - left) / (right - left))
        return next((value for place, value in zip(self.xs, line, strict=True) if place == x), None)


def to_text(chart: Chart, width: int = 72, height: int = 15) -> str:
    """The chart in characters that every console has, but for the axes.

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
    labels = [f"{high:.4g}", f"{low:.4g}"]
    margin = max(map(len, labels)) + 1
    columns = max(width - margin - 4 - len(chart.x_name), 10)
    grid = [[" "] * columns for _ in range(height)]
    first, last = chart.xs[0], chart.xs[-1]
    for number, line in reversed([*enumerate(chart.lines.values())]):
        for column in range(columns):
            value = chart.at(first + (last - first) * column / max(columns - 1, 1), line)
            if value is not None:
                row = round((high - value) / (high - low) * (height - 1))
                grid[row][column] = MARKS[number % len(MARKS)]
    rows = []
    for place, cells in enumerate(grid):
        label = labels[0] if place == 0 else labels[1] if place == height - 1 else ""
        rows.append(f"{label:>{margin - 1}} │{''.join(cells)}".rstrip())
    axis = f"{'':>{margin}}└{'─' * columns}"
    legend = [f"{MARKS[number % len(MARKS)]} {neutral(name)}" for number, name in enumerate(chart.lines)]
    return "\n".join([neutral(chart.title), *rows, axis, _x_labels(chart, margin, columns), "", *legend])


def _x_labels(chart: Chart, margin: int, columns: int) -> str:
    first, last = chart.xs[0], chart.xs[-1]
    cells = [" "] * (columns + margin + 1)
    for x in _some(chart.xs):
        label = f"{x:g}"
        place = round((x - first) / ((last - first) or 1) * (columns - 1))
        start = margin + 1 + max(min(place - len(label) // 2, columns - len(label)), 0)
        if all(cell == " " for cell in cells[max(start - 1, 0) : start + len(label) + 1]):
            cells[start : start + len(label)] = label
    return "".join(cells).rstrip() + f"  {neutral(chart.x_name)}"


def _some(xs: Sequence[float]) -> list[float]:
    """The first, the last and a few between them; the ends first, so that they are never left out."""
    step = max((len(xs) - 1) // TICKS, 1)
    return [xs[0], *([xs[-1]] if len(xs) > 1 else []), *xs[step:-1:step]]


def to_svg(chart: Chart, width: int = 720, height: int = 400) -> str:
    """The chart as an SVG picture with its title and data in words, no scripts, no fonts from elsewhere."""
    left, right, top, bottom = 60, 20, 40, 50 + 18 * len(chart.lines)
    low, high = chart.limits()
    first, last = chart.xs[0], chart.xs[-1]
    tall = height + 18 * len(chart.lines)

    def x_at(x: float) -> float:
        return left + (width - left - right) * ((x - first) / ((last - first) or 1))

    def y_at(value: float) -> float:
        return top + (tall - top - bottom) * ((high - value) / (high - low))

    box = f'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {tall}"'
    parts = [
        f'<svg {box} role="img" aria-labelledby="title desc" font-family="sans-serif" font-size="12">',
        f'<title id="title">{_escaped(chart.title)}</title>',
        f'<desc id="desc">{_escaped(chart.description)}</desc>',
        f'<rect width="{width}" height="{tall}" fill="#ffffff"/>',
        f'<text x="{left}" y="22" font-size="15">{_escaped(chart.title)}</text>',
    ]
    for tick in range(TICKS):
        value = low + (high - low) * tick / (TICKS - 1)
        y = y_at(value)
        parts.append(f'<line x1="{left}" x2="{width - right}" y1="{y:.1f}" y2="{y:.1f}" stroke="#dddddd"/>')
        parts.append(f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{value:.3f}</text>')
    floor = tall - bottom
    parts += [
        f'<text x="{x_at(x):.1f}" y="{floor + 18}" text-anchor="middle">{x:g}</text>'
        for x in sorted({*_some(chart.xs)})
    ]
    middle = (left + width - right) / 2
    parts.append(f'<text x="{middle:.1f}" y="{floor + 34}" text-anchor="middle">{_escaped(chart.x_name)}</text>')
    for number, (name, line) in enumerate(chart.lines.items()):
        stroke = f'stroke="{COLOURS[number % len(COLOURS)]}" stroke-width="2"'
        dash = DASHES[(number // len(COLOURS)) % len(DASHES)]
        stroke += f' stroke-dasharray="{dash}"' if dash else ""
        points = [(x_at(x), y_at(value)) for x, value in zip(chart.xs, line, strict=True) if value is not None]
        drawn = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline points="{drawn}" fill="none" {stroke}><title>{_escaped(name)}</title></polyline>')
        y = floor + 52 + 18 * number
        parts.append(f'<line x1="{left}" x2="{left + 24}" y1="{y - 4}" y2="{y - 4}" {stroke}/>')
        parts.append(f'<text x="{left + 30}" y="{y}">{_escaped(name)}</text>')
    return "\n".join([*parts, "</svg>"])


def _escaped(text: str) -> str:
    return escape(neutral(text))
