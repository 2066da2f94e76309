"""The picture of the steps: what each rank could be worth, what the discount leaves of it, and the ideal beside it."""

from __future__ import annotations

from rankgauge.metric_core.explanation import Explanation, Steps
from rankgauge.rendering.element import Element
from rankgauge.rendering.language import Phrase
from rankgauge.rendering.svg import label, line, number, picture
from rankgauge.serve.words import STEPS

MOST = 20
"""So many ranks are drawn."""
WIDTH, TALL, TOP = 350.0, 150.0, 34.0
BASE = TOP + TALL


def bars(told: Explanation) -> Element | None:
    """A bar for each rank of the list and of the ideal; nothing where there is nothing to draw."""
    panels = [told.steps, *([told.ideal] if told.ideal is not None else [])]
    highest = max((_whole(one, place) for one in panels for place in range(len(one.rows[:MOST]))), default=0.0)
    if highest <= 0:
        return None
    says = STEPS["bars with discount" if "discount" in told.steps.factors else "bars"]
    drawn = [_panel(one, highest, STEPS["bars ideal" if one.of == "ideal" else "bars list"]) for one in panels]
    return Element("figure", Element("div", *drawn, class_="panels"), Element("figcaption", says))


def _whole(one: Steps, place: int) -> float:
    """What the item would add at rank 1: its gain, where there is one."""
    row = one.rows[place]
    if row.factors is None or "gain" not in one.factors:
        return row.contribution
    return max(row.factors[one.factors.index("gain")], row.contribution)


def _panel(one: Steps, highest: float, title: Phrase) -> Element:
    rows = one.rows[:MOST]
    step = WIDTH / max(len(rows), 3)
    thick = min(step * 0.72, 46.0)
    marks = [label(0, 12, title, "strong"), line(0, BASE, WIDTH, BASE, class_="zero")]
    for place, row in enumerate(rows):
        middle = step * (place + 0.5)
        for class_, value in (("whole", _whole(one, place)), ("left-over", row.contribution)):
            tall = max(value, 0.0) / highest * TALL
            marks.append(
                Element("rect", x=middle - thick / 2, y=BASE - tall, width=thick, height=tall, rx=3.0, class_=class_)
            )
        roomy = len(rows) <= MOST // 2
        if roomy or place % 2 == 0:
            marks.append(label(middle, BASE + 16, str(row.rank), "tick", "middle"))
        if roomy:
            top = BASE - max(_whole(one, place), 0.0) / highest * TALL
            marks.append(label(middle, top - 5, number(round(row.contribution, 2)), "tick", "middle"))
    marks.append(label(WIDTH / 2, BASE + 34, STEPS["rank axis"], "axis", "middle"))
    return picture(WIDTH, BASE + 40, *marks, class_="picture bars-of-steps", label=title)
