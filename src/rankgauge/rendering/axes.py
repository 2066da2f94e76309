"""What every picture needs: scales, ticks, labels that fit, and a colour and shape for each system."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from rankgauge.rendering.language import Phrase
from rankgauge.rendering.svg import Element
from rankgauge.rendering.text import neutral

WIDTH = 460
LEFT, RIGHT = 44.0, WIDTH - 10.0
NAMES, ROW = 128, 30
"""How wide names at the left are, and how tall a row is."""
COLOURS = 8
WIDE = {"W", "F"}
CHARACTER = 6.6
"""The width of a character of 12 pixels."""


class Scale(NamedTuple):
    """Numbers from low to high, drawn from start to end."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """Where a number is drawn.

        >>> Scale(0, 1, 10, 110)(0.5)
        60.0
        """
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self, count: int = 5) -> list[float]:
        """Round numbers inside.

        >>> Scale(0, 1, 0, 100).ticks()
        [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
        """
        raw = (self.high - self.low) / count
        power = 10.0 ** math.floor(math.log10(raw))
        step = next(step * power for step in (1, 2, 2.5, 5, 10) if step * power >= raw * 0.999)
        first = math.ceil(self.low / step - 1e-9)
        return [round(n * step, 12) + 0.0 for n in range(first, math.floor(self.high / step + 1e-9) + 1)]


def around(values: Sequence[float], *, zero: bool = False, margin: float = 0.04) -> tuple[float, float]:
    """The lowest and the highest of some numbers with a margin; never equal.

    >>> around([1.0, 1.0])
    (0.5, 1.5)
    """
    real = [value for value in values if math.isfinite(value)] or [0.0, 1.0]
    low, high = min(real), max(real)
    if zero:
        low, high = min(low, 0.0), max(high, 0.0)
    if high - low < 1e-12:  # noqa: PLR2004 (all the same)
        return low - 0.5, high + 0.5
    room = (high - low) * margin
    return low - room, high + room


def picture(height: float, *marks: Element | None, name: str) -> Element:
    """The drawing; its words stand beside it, so that they can be read by everybody."""
    return Element(
        "svg",
        *marks,
        viewBox=f"0 0 {WIDTH} {height:.0f}",
        xmlns="http://www.w3.org/2000/svg",
        class_=f"picture {name}",
        role="img",
    )


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Element:
    """A straight line."""
    return Element("line", x1=float(x1), y1=float(y1), x2=float(x2), y2=float(y2), class_=class_)


def words(x: float, y: float, content: Phrase | str, class_: str = "label", anchor: str = "start") -> Element:
    """A text."""
    return Element("text", content, x=float(x), y=float(y), class_=class_, text_anchor=anchor)


def name_at(x: float, y: float, name: str, room: float, anchor: str = "start", class_: str = "label") -> Element:
    """A name, cut where it does not fit; the whole of it shows when pointed at."""
    shown = fitted(name, room)
    whole = Element("title", name) if shown != neutral(name) else None
    return Element("text", shown, whole, x=float(x), y=float(y), class_=class_, text_anchor=anchor)


def fitted(name: str, room: float) -> str:
    """As much of a name as fits.

    >>> fitted("a rather long name", 60)
    'a rather…'
    """
    text = neutral(name)
    if _width(text) <= room:
        return text
    while text and _width(text) + CHARACTER > room:
        text = text[:-1]
    return text + "…"


def _width(text: str) -> float:
    return sum(12.0 if unicodedata.east_asian_width(c) in WIDE else CHARACTER for c in text)


def x_axis(scale: Scale, top: float, bottom: float, title: Phrase | str, count: int = 5) -> list[Element]:
    """Ticks and grid lines from top to bottom, numbers below, and what they are."""
    marks = []
    for tick in scale.ticks(count):
        marks.append(line(scale(tick), top, scale(tick), bottom, "zero" if tick == 0 else "grid"))
        marks.append(words(scale(tick), bottom + 15, number(tick), "tick", "middle"))
    return [*marks, words((scale.start + scale.end) / 2, bottom + 33, title, "axis", "middle")]


def y_axis(scale: Scale, left: float, right: float, title: Phrase | str, count: int = 5) -> list[Element]:
    """The same from left to right, numbers at the left, what they are above."""
    marks = []
    for tick in scale.ticks(count):
        marks.append(line(left, scale(tick), right, scale(tick), "zero" if tick == 0 else "grid"))
        marks.append(words(left - 6, scale(tick) + 4, number(tick), "tick", "end"))
    return [*marks, words(left - 6, min(scale.start, scale.end) - 10, title, "axis")]


def number(value: float) -> str:
    """A number of an axis, with a real minus.

    >>> number(-0.25), number(3.0)
    ('−0.25', '3')
    """
    return f"{value:.10g}".replace("-", "−")


def colour(place: int) -> str:
    """The class that gives a system its colour."""
    return f"s{place % COLOURS}"


def marker(x: float, y: float, place: int) -> Element:
    """A system's point: its colour, and a shape for those who do not see it."""
    shapes = (
        f"M{x - 4.5:.1f} {y:.1f}a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z",
        f"M{x - 4:.1f} {y - 4:.1f}h8v8h-8z",
        f"M{x:.1f} {y - 5.5:.1f}l5.2 9.5h-10.4z",
        f"M{x:.1f} {y - 5.8:.1f}l5.8 5.8l-5.8 5.8l-5.8 -5.8z",
    )
    return Element("path", d=shapes[(place + place // COLOURS) % 4], class_=f"fill {colour(place)}")


def spread_out(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Places for labels, near where they are wanted and ``gap`` apart.

    >>> spread_out([10, 11], 12, 0, 100)
    [4.5, 16.5]
    """
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    groups: list[tuple[list[int], float]] = []
    for i in order:
        members, centre = [i], wanted[i]
        while groups and groups[-1][1] + gap * len(groups[-1][0]) / 2 > centre - gap * len(members) / 2:
            members = groups.pop()[0] + members
            centre = sum(wanted[j] for j in members) / len(members)
        groups.append((members, centre))
    placed = [0.0] * len(wanted)
    for members, centre in groups:
        first = min(max(centre - gap * (len(members) - 1) / 2, low), max(high - gap * (len(members) - 1), low))
        for n, i in enumerate(members):
            placed[i] = first + gap * n
    return placed
