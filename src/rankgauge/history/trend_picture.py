"""A trend as a page and as its picture: means with their intervals, lines between comparable runs, and the changes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rankgauge import __version__
from rankgauge.rendering import svg
from rankgauge.rendering.assets import asset, page_script
from rankgauge.rendering.element import Element
from rankgauge.rendering.html import offline_page, page_blocks, titled_section
from rankgauge.rendering.language import Lang, Phrase
from rankgauge.rendering.number_texts import decimal
from rankgauge.rendering.svg import LEFT, RIGHT, WIDTH, Scale, around, colour

if TYPE_CHECKING:
    from rankgauge.history.trend import Trend


TOP, BOTTOM = 30, 240
KEY_ROW, KEY_COLUMNS, KEY_WIDTH = 16, 3, 138
POINTS = 150
"""With more runs only lines and changes are drawn, without points and intervals."""
NAMED = 6
"""Groups of comparable runs that the key names."""
TICKS = 6
CHANGES = {"better": ("up", -1, Phrase("better", "更好")), "worse": ("down", 1, Phrase("worse", "更差"))}
"""Class, direction and word of a change."""
RUN = Phrase("run", "序号")
GROUP = Phrase("comparable runs {number}", "可比较的记录 {number}")
CAPTION = Phrase(
    "{metric} from {first} (first run) to {last} (last run), with {level} intervals of the means; lines join "
    "comparable runs, triangles mark significant changes from the comparable run before.",
    "{metric}：从 {first}（首条）到 {last}（末条），附均值的 {level} 区间；线连接可比较的记录，"
    "三角标出相对前一条可比较记录的显著变化。",
)


def trend_drawing(trend: Trend) -> tuple[Element, Phrase]:
    """Return the drawing of a trend, and its caption."""
    points, count = trend.points, len(trend.points)
    has_points = count <= POINTS
    ends = [end for point in points for end in (point.low, point.high)] if has_points else []
    across = Scale(1, count, LEFT + 12, RIGHT - 8) if count > 1 else Scale(0, 2, LEFT + 12, RIGHT - 8)
    up = Scale(*around([*(point.mean for point in points), *ends]), BOTTOM, TOP)
    marks: list[Element | None] = [*svg.y_axis(up, LEFT, RIGHT, str(trend.metric))]
    marks += [svg.label(across(run), BOTTOM + 15, str(run), "tick", "middle") for run in _numbered(count)]
    marks.append(svg.label((LEFT + RIGHT) / 2, BOTTOM + 31, RUN, "axis", "middle"))
    places = [(across(number), point) for number, point in enumerate(points, 1) if not math.isnan(point.mean)]
    for group in range(trend.groups):
        own = [(x, up(point.mean)) for x, point in places if point.group == group]
        if len(own) > 1:
            marks.append(svg.polyline(own, class_=f"line {colour(group)}", fill="none"))
    for x, point in places:
        if has_points and not math.isnan(point.low):
            marks.append(svg.line(x, up(point.low), x, up(point.high), class_=f"reach {colour(point.group)}"))
        if has_points or point.state in CHANGES:
            mark = _triangle(x, up(point.mean), point.state) or svg.marker(x, up(point.mean), point.group)
            tooltip = f"{point.run.id[:8]} {point.run.time} {point.run.name}: {decimal(point.mean, 4)}"
            marks.append(Element("g", mark, Element("title", tooltip)))
    caption = CAPTION.fill(
        metric=trend.metric,
        first=decimal(points[0].mean, 4),
        last=decimal(points[-1].mean, 4),
        level=f"{1 - trend.alpha:.0%}",
    )
    key = _key(trend)
    height = BOTTOM + 44 + KEY_ROW * math.ceil(len(key) / 2 / KEY_COLUMNS)
    return svg.picture(WIDTH, height, *marks, *key, class_="picture"), caption


def _numbered(count: int) -> list[int]:
    """Return the numbers of the runs that the axis names.

    >>> _numbered(3), _numbered(60)
    ([1, 2, 3], [1, 11, 21, 31, 41, 51])
    """
    return [*range(1, count + 1, math.ceil(count / TICKS))]


def _triangle(x: float, y: float, state: str) -> Element | None:
    """Return the mark of a change: a triangle that points up where the metric became better."""
    if state not in CHANGES:
        return None
    name, sign, _ = CHANGES[state]
    return Element("path", d=f"M{x:.1f} {y + 7 * sign:.1f}l6.5 {-11 * sign}h-13z", class_=name)


def _key(trend: Trend) -> list[Element]:
    """Return what the marks mean: changes, and groups of comparable runs if there are several."""
    states = [state for state in CHANGES if any(point.state == state for point in trend.points)]
    entries: list[tuple[Element | None, Phrase]] = [(_triangle(0, 0, state), CHANGES[state][2]) for state in states]
    if trend.groups > 1:
        groups = range(min(trend.groups, NAMED))
        entries += [(svg.marker(0, 0, group), GROUP.fill(number=group + 1)) for group in groups]
    marks = []
    for place, (mark, text) in enumerate(entries):
        x, y = LEFT + 6 + KEY_WIDTH * (place % KEY_COLUMNS), BOTTOM + 52 + KEY_ROW * (place // KEY_COLUMNS)
        marks.append(Element("g", mark, transform=f"translate({x:.0f} {y:.0f})"))
        marks.append(svg.label(x + 11, y + 4, text, "key-name"))
    return marks


TITLE = Phrase("Results over time", "结果的历史")
RUNS = Phrase("Runs", "各条记录")
GENERATED = Phrase("Generated by rankgauge {version}", "由 rankgauge {version} 生成")


def trend_page(trend: Trend, title: str, lang: Lang) -> str:
    """Return the HTML file; it needs no network."""
    heading = Phrase(trend.title("en"), trend.title("zh"))
    drawing, caption = trend_drawing(trend)
    picture = Element("figure", drawing, Element("figcaption", caption))
    sections = [
        titled_section("trend", heading, picture, id="trend", class_="card"),
        titled_section("runs", RUNS, *page_blocks(trend.blocks("en"), trend.blocks("zh")), id="runs", class_="card"),
    ]
    footer = Element("footer", Element("p", GENERATED.fill(version=__version__), class_="small"))
    return offline_page(
        lang,
        title or TITLE,
        heading,
        [Element("main", *sections, id="main", tabindex="-1"), footer],
        style=asset("page.css"),
        script=page_script("history", "trend.js"),
        data={"messages": {}},
    )
