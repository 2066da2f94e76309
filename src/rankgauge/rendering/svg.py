"""The SVG kit: scales, axes, labels that fit, and a colour and marker for each system."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import pairwise
from os.path import commonprefix
from typing import Any, NamedTuple

from rankgauge.rendering.element import LANG_TAGS, Element, Trusted
from rankgauge.rendering.language import Lang, Phrase
from rankgauge.rendering.text import neutral

NAMESPACE = "http://www.w3.org/2000/svg"
WIDTH = 460
LEFT, RIGHT = 44.0, WIDTH - 10.0
NAMES, ROW = 128, 30
"""Width of the names at the left, and height of a row."""
COLOURS = 6
"""Number of colours of systems; further systems repeat them with another dash and another shape."""
SHAPES = 4
WIDE = {"W", "F"}
CHARACTER = 7.2
"""Width of a character of 12 pixels."""


class Scale(NamedTuple):
    """A linear map from the numbers low to high to the coordinates start to end."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """Return the coordinate of a number.

        >>> Scale(0, 1, 10, 110)(0.5)
        60.0
        """
        return self.start + (value - self.low) / ((self.high - self.low) or 1) * (self.end - self.start)

    def ticks(self, count: int = 5) -> list[float]:
        """Return round numbers inside the scale.

        >>> Scale(0, 1, 0, 100).ticks()
        [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
        >>> Scale(0.02, 0.55, 0, 100).ticks()  # multiples of 0.2 would be two
        [0.1, 0.2, 0.3, 0.4, 0.5]
        """
        raw = (self.high - self.low) / count
        power = 10.0 ** math.floor(math.log10(raw))
        steps = [step * power for step in (0.5, 1, 2, 2.5, 5, 10)]
        place = next(place for place, step in enumerate(steps) if step >= raw * 0.999)
        ticks = self._multiples(steps[place])
        return ticks if len(ticks) >= count - 1 else self._multiples(steps[place - 1])

    def _multiples(self, step: float) -> list[float]:
        """Return the multiples of a step inside the scale."""
        first = math.ceil(self.low / step - 1e-9)
        return [round(n * step, 12) + 0.0 for n in range(first, math.floor(self.high / step + 1e-9) + 1)]


def around(values: Iterable[float], *, zero: bool = False, margin: float = 0.04) -> tuple[float, float]:
    """Return the range of the numbers with a margin; its ends are never equal.

    >>> around([1.0, 1.0])
    (0.5, 1.5)
    """
    finite = [value for value in values if math.isfinite(value)] or [0.0, 1.0]
    low, high = min(finite), max(finite)
    if zero:
        low, high = min(low, 0.0), max(high, 0.0)
    if high - low < 1e-12:  # noqa: PLR2004 (all equal)
        return low - 0.5, high + 0.5
    room = (high - low) * margin
    return low - room, high + room


def picture(width: float, height: float, *marks: Element | None, **attributes: Any) -> Element:
    """Return a drawing of the given size."""
    return Element("svg", *marks, viewBox=f"0 0 {width:.0f} {height:.0f}", xmlns=NAMESPACE, role="img", **attributes)


def line(x1: float, y1: float, x2: float, y2: float, **attributes: Any) -> Element:
    """Return a straight line."""
    return Element("line", x1=float(x1), y1=float(y1), x2=float(x2), y2=float(y2), **attributes)


def polyline(points: Iterable[tuple[float, float]], *children: Element, **attributes: Any) -> Element:
    """Return a line through the points."""
    return Element("polyline", *children, points=coordinates(points), **attributes)


def coordinates(points: Iterable[tuple[float, float]]) -> str:
    """Return the points as the attribute of a line or polygon.

    >>> coordinates([(1, 2), (3.25, 4)])
    '1.0,2.0 3.2,4.0'
    """
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def label(x: float, y: float, text: Phrase | str, class_: str | None = "label", anchor: str = "start") -> Element:
    """Return a text."""
    return Element("text", text, x=float(x), y=float(y), class_=class_, text_anchor=anchor)


def name_label(
    x: float, y: float, shown: str, name: str, anchor: str = "start", class_: str | None = "label"
) -> Element:
    """Return the label of a name, as ``fitted_names`` returns it; the full name is its tooltip."""
    tooltip = Element("title", name) if shown != neutral(name) else None
    return Element("text", shown, tooltip, x=float(x), y=float(y), class_=class_, text_anchor=anchor)


def fitted_names(names: Iterable[str], room: float) -> dict[str, str]:
    """Return a label for each name: as much as fits, and where the names differ if they would look alike otherwise.

    >>> [*fitted_names(["model-epoch-03-distilled-int8", "model-epoch-12-distilled-int8", "bm25"], 100).values()]
    ['…poch-03-dis…', '…poch-12-dis…', 'bm25']
    """
    return _told_apart([*dict.fromkeys(names)], 0, 0, room)


def _told_apart(names: Sequence[str], start: int, end: int, room: float) -> dict[str, str]:
    """Return labels of names whose first ``start`` and last ``end`` letters are the same."""
    labels = {name: _part(neutral(name), start, end, room) for name in names}
    alike: dict[str, list[str]] = {}
    for name, text in labels.items():
        alike.setdefault(text, []).append(name)
    for group in alike.values():
        texts = [*map(neutral, group)]
        first = len(commonprefix(texts))  # noqa: RUF071 (of letters)
        last = len(commonprefix([text[first:][::-1] for text in texts]))  # noqa: RUF071
        if len(group) > 1 and (first, last) != (start, end):
            labels |= _told_apart(group, first, last, room)
    return labels


def _part(text: str, start: int, end: int, room: float) -> str:
    """Return as much of a text as fits: what is left without its first and last letters, and what is next to it."""
    if not start and not end:
        return fitted(text, room)
    rest = room - 2 * CHARACTER
    middle = fitted(text[start : len(text) - end], rest)
    rest -= sum(map(_width, middle))
    before = text[start - _letters(reversed(text[:start]), rest * 0.6) : start]
    ending = text[len(text) - end :]
    after = ending[: _letters(ending, rest - sum(map(_width, before)))]
    shown = f"{'…' * (len(before) < start)}{before}{middle}{after}{'…' * (len(after) < end)}"
    return shown.replace("……", "…")


def fitted(name: str, room: float) -> str:
    """Return as much of a name as fits: its beginning and its end, in which names often differ.

    >>> fitted("a rather long name", 60)
    'a r…name'
    """
    text = neutral(name)
    if len(text) * CHARACTER <= room * 2 and _letters(text, room) == len(text):
        return text
    rest = room - CHARACTER
    tail = _letters(reversed(text), 0.6 * rest)
    ending = text[len(text) - tail :]
    return text[: _letters(text, rest - sum(map(_width, ending)))] + "…" + ending


def _letters(text: Iterable[str], room: float) -> int:
    """Return the number of letters that fit."""
    count, width = 0, 0.0
    for letter in text:
        width += _width(letter)
        if width > room:
            break
        count += 1
    return count


def _width(letter: str) -> float:
    return 12.0 if unicodedata.east_asian_width(letter) in WIDE else CHARACTER


def x_axis(scale: Scale, top: float, bottom: float, title: Phrase | str, count: int = 5) -> list[Element]:
    """Return vertical grid lines with their numbers below, and the title of the axis."""
    marks = []
    for tick in scale.ticks(count):
        marks.append(line(scale(tick), top, scale(tick), bottom, class_="zero" if tick == 0 else "grid"))
        marks.append(label(scale(tick), bottom + 15, number(tick), "tick", "middle"))
    return [*marks, label((scale.start + scale.end) / 2, bottom + 33, title, "axis", "middle")]


def y_axis(scale: Scale, left: float, right: float, title: Phrase | str | Element, count: int = 5) -> list[Element]:
    """Return horizontal grid lines with their numbers at the left, and the title of the axis above."""
    marks = []
    for tick in scale.ticks(count):
        marks.append(line(left, scale(tick), right, scale(tick), class_="zero" if tick == 0 else "grid"))
        marks.append(label(left - 6, scale(tick) + 4, number(tick), "tick", "end"))
    if not isinstance(title, Element):
        title = label(left - 6, min(scale.start, scale.end) - 10, title, "axis")
    return [*marks, title]


def number(value: float) -> str:
    """Return the number of a tick, with a typographic minus.

    >>> number(-0.25), number(3.0)
    ('−0.25', '3')
    """
    return f"{value:.10g}".replace("-", "−")


def colour(system: int) -> str:
    """Return the classes that give a system its colour and, from the seventh on, its dash.

    >>> colour(1), colour(7)
    ('s1', 's1 x1')
    """
    dash = system // COLOURS % SHAPES
    return f"s{system % COLOURS}" + (f" x{dash}" if dash else "")


def marker(x: float, y: float, system: int) -> Element:
    """Return the point of a system, in its colour and with a shape of its own."""
    shapes = (
        f"M{x - 4.5:.1f} {y:.1f}a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z",
        f"M{x - 4:.1f} {y - 4:.1f}h8v8h-8z",
        f"M{x:.1f} {y - 5.5:.1f}l5.2 9.5h-10.4z",
        f"M{x:.1f} {y - 5.8:.1f}l5.8 5.8l-5.8 5.8l-5.8 -5.8z",
    )
    return Element("path", d=shapes[(system + system // COLOURS) % SHAPES], class_=f"fill {colour(system)}")


def key(system: int) -> Element:
    """Return the marker of a system as a picture of its own, to stand before its name."""
    return Element("svg", marker(6, 6, system), viewBox="0 0 12 12", class_="key", aria_hidden="true")


def spread_out(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Return positions for labels, near where they are wanted and at least ``gap`` apart.

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
    positions = [0.0] * len(wanted)
    for members, centre in groups:
        first = min(max(centre - gap * (len(members) - 1) / 2, low), max(high - gap * (len(members) - 1), low))
        for n, i in enumerate(members):
            positions[i] = first + gap * n
    for before, i in pairwise(order):  # a group that was moved into the range may reach the next one
        positions[i] = max(positions[i], positions[before] + gap)
    if order and positions[order[-1]] > high:
        positions[order[-1]] = high
    for i, after in pairwise(reversed(order)):
        positions[after] = min(positions[after], positions[i] - gap)
    return positions


FONT = 'text{font-family:system-ui,"Noto Sans CJK SC","PingFang SC","Microsoft YaHei",sans-serif}'
PICTURE_RULES = (
    ".picture", ".grid", ".zero", ".diagonal", ".line", ".band", ".up", ".down", ".dot", ".fill", ".reach", ".mean",
    ".d1", ".cell", ".bars",
)  # fmt: skip
"""Beginnings of the lines of the page's style that apply to pictures."""


def standalone(drawing: Element, lang: Lang) -> str:
    """Return a drawing with its own style: the light colours of the page."""
    from rankgauge.rendering.assets import asset  # noqa: PLC0415 (slow to load)

    style = asset("page.css")
    colours = dict(re.findall(r"--([\w-]+): light-dark\((#\w+), #\w+\)", style))
    of_page = ".picture { "  # the size on the page; a file has its own, and cairosvg draws nothing where height is auto
    lines = (line for line in style.splitlines() if line.startswith(PICTURE_RULES))
    rules = "\n".join(line for line in lines if not line.startswith(of_page))
    for name, value in colours.items():
        rules = rules.replace(f"var(--{name})", value)
    _, _, width, height = drawing.attributes["viewBox"].split()
    background = Element("rect", width=width, height=height, fill=colours["card"])
    style_element = Element("style", Trusted(f"{FONT}\n{rules}"))
    svg = drawing.replace(
        style_element, background, *drawing.children, width=width, height=height, lang=LANG_TAGS[lang]
    )
    return svg.markup(lang) + "\n"
