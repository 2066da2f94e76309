"""The picture of settings: quality over a cost or a parameter, with the front, the default and the chosen one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from rankgauge.rendering import svg
from rankgauge.rendering.element import LANG_TAGS, Element, Trusted
from rankgauge.rendering.language import Lang, Phrase
from rankgauge.rendering.svg import CHARACTER, LEFT, RIGHT, WIDTH, Scale, around
from rankgauge.stats.intervals import bounded_interval
from rankgauge.stats.samples import deviation

if TYPE_CHECKING:
    from rankgauge.tuning.tuning import Tuning

HEIGHT, TOP, BOTTOM = 320, 30, 262
INTERVALS = 40
"""With more settings their intervals are not drawn."""
LABELLED = 8
"""Number of settings that are named."""
ROOM = 150.0
"""Width of a name."""
CHOSEN, DEFAULT = Phrase("chosen", "所选设置"), Phrase("default", "默认设置")
TITLE = Phrase("{metric} over {x}", "{metric} 随 {x} 的变化")
CAPTION = Phrase(
    "{metric} of {count:# setting|# settings} over {x}, with {level} intervals of the means; the line joins the "
    "settings that no other beats on both. Chosen: {chosen}; default: {default}.",
    "{count:,} 个设置的 {metric} 随 {x} 的变化，附均值的 {level} 区间；折线连接没有被其他设置在两方面超过的设置。"
    "所选：{chosen}；默认：{default}。",
)
CURVE = Phrase(
    "{metric} of {count:# setting|# settings} over {x}, with {level} intervals of the means; the line joins the best "
    "setting at each value. Chosen: {chosen}; default: {default}.",
    "{count:,} 个设置的 {metric} 随 {x} 的变化，附均值的 {level} 区间；折线连接每个取值处最好的设置。"
    "所选：{chosen}；默认：{default}。",
)


STYLE = (
    'text{font:12px system-ui,"Noto Sans CJK SC","PingFang SC","Microsoft YaHei",sans-serif;fill:#333}'
    ".tick{fill:#666}.grid{stroke:#ddd}.zero{stroke:#888}.line{stroke:#0072b2;stroke-width:1.5;fill:none}"
    ".reach{stroke:#bbb}.fill.s0{fill:#d55e00}.fill.s1{fill:#0072b2;fill-opacity:.6}.fill.s2{fill:#009e73}"
)
"""The light colours of a picture outside a report."""


def quality_svg(tuning: Tuning, x: str, lang: Lang) -> str:
    """Return the drawing as an SVG file with its own style, its title and its caption."""
    drawing, caption = quality_drawing(tuning, x)
    title = TITLE.fill(metric=tuning.metric, x=x)
    style = Element("style", Trusted(STYLE))
    background = Element("rect", width=WIDTH, height=HEIGHT, fill="#ffffff")
    about = [Element("title", title), Element("desc", caption)]
    svg_element = drawing.replace(*about, style, background, *drawing.children, lang=LANG_TAGS[lang])
    return svg_element.markup(lang) + "\n"


def quality_drawing(tuning: Tuning, x: str) -> tuple[Element, Phrase]:
    """Return the drawing of quality over a cost or a parameter, and its caption."""
    positions, means = tuning.positions(x), tuning.values.mean(axis=0)
    intervals = _intervals(tuning)
    across = Scale(*around(positions), LEFT + 4, RIGHT)
    up = Scale(*around([*means.tolist(), *np.ravel(intervals).tolist()]), BOTTOM, TOP)
    line = _line(tuning, x)
    points = [(across(positions[place]), up(means[place])) for place in line]
    marks: list[Element | None] = [
        *svg.y_axis(up, LEFT, RIGHT, str(tuning.metric)),
        *svg.x_axis(across, TOP, BOTTOM, x),
        svg.polyline(points, class_="line s0", fill="none"),
    ]
    for place, (low, high) in enumerate(intervals):
        marks.append(svg.line(across(positions[place]), up(low), across(positions[place]), up(high), class_="reach s1"))
    chosen, default = tuning.procedure.chosen, tuning.baseline_place
    for place, setting in enumerate(tuning.settings):
        kind = 0 if place == chosen else 2 if place == default else 1
        mark = svg.marker(across(positions[place]), up(means[place]), kind)
        marks.append(
            Element("g", mark, Element("title", f"{setting.name}: {means[place]:.4f}, {x} {positions[place]:g}"))
        )
    named = [*dict.fromkeys([chosen, default, *line[:LABELLED]])]
    marks += _labels([(across(positions[place]), up(means[place]), tuning.settings[place].name) for place in named])
    for number, (text, kind) in enumerate(((CHOSEN, 0), (DEFAULT, 2))):
        marks += [
            svg.marker(LEFT + 10 + 110 * number, HEIGHT - 8, kind),
            svg.label(LEFT + 20 + 110 * number, HEIGHT - 4, text),
        ]
    caption = (CAPTION if x in tuning.costs else CURVE).fill(
        metric=tuning.metric, count=len(tuning.settings), x=x, level=f"{1 - tuning.options.alpha:.0%}",
        chosen=tuning.settings[chosen].name, default=tuning.settings[default].name,
    )  # fmt: skip
    return svg.picture(WIDTH, HEIGHT, *marks), caption


def _labels(points: Sequence[tuple[float, float, str]]) -> list[Element]:
    """Return the names of points beside them, without those that would cover an earlier one."""
    labels: list[Element] = []
    boxes: list[tuple[float, float, float, float]] = []
    names = svg.fitted_names((name for _, _, name in points), ROOM)
    for x, y, name in points:
        to_the_left = x > (LEFT + RIGHT) / 2
        width = min(CHARACTER * len(name), ROOM)
        start = x - 7 - width if to_the_left else x + 7
        box = (start, y - 20, start + width, y - 6)
        if all(box[0] > other[2] or box[2] < other[0] or box[1] > other[3] or box[3] < other[1] for other in boxes):
            boxes.append(box)
            at = (x - 7, "end") if to_the_left else (x + 7, "start")
            labels.append(svg.name_label(at[0], y - 8, names[name], name, at[1]))
    return labels


def _intervals(tuning: Tuning) -> list[tuple[float, float]]:
    if len(tuning.settings) > INTERVALS or len(tuning.queries) < 2:  # noqa: PLR2004 (no spread)
        return []
    level, bounds = 1 - tuning.options.alpha, tuning.metric.definition.bounds
    return [
        bounded_interval(float(column.mean()), deviation(column), len(column), level, bounds)
        for column in tuning.values.T
    ]


def _line(tuning: Tuning, x: str) -> list[int]:
    """Return the settings that the line joins, by position: the front of a cost, or the best at each parameter."""
    positions, better = tuning.positions(x), 1.0 if tuning.metric.definition.higher_is_better else -1.0
    value = (better * tuning.values.mean(axis=0)).tolist()
    best: dict[float, int] = {}
    for place, at in enumerate(positions):
        if at not in best or value[place] > value[best[at]]:
            best[at] = place
    ordered = [best[at] for at in sorted(best)]
    if x not in tuning.costs:
        return ordered
    front: list[int] = []
    for place in ordered:
        if not front or value[place] > value[front[-1]]:
            front.append(place)
    return front
