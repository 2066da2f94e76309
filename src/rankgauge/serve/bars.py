"""The bar chart of the steps: the gain of each rank, what the discount leaves of it, and the ideal order."""

from __future__ import annotations

from rankgauge.metric_core.explanation import Explanation, Steps
from rankgauge.rendering.element import Element
from rankgauge.rendering.language import Phrase
from rankgauge.rendering.svg import label, line, number, picture
from rankgauge.serve.messages import STEPS

MOST = 20
"""Maximum number of ranks drawn."""
WIDTH, TALL, TOP = 350.0, 150.0, 34.0
BASE = TOP + TALL


def bars(explanation: Explanation) -> Element | None:
    """Return a bar for each rank of the list and of the ideal order, or None if all are empty."""
    panels = [explanation.steps, *([explanation.ideal] if explanation.ideal is not None else [])]
    highest = max((_gain(steps, place) for steps in panels for place in range(len(steps.rows[:MOST]))), default=0.0)
    if highest <= 0:
        return None
    caption = STEPS["bars with discount" if "discount" in explanation.steps.factors else "bars"]
    drawings = [_panel(steps, highest, STEPS["bars ideal" if steps.of == "ideal" else "bars list"]) for steps in panels]
    return Element("figure", Element("div", *drawings, class_="panels"), Element("figcaption", caption))


def _gain(steps: Steps, place: int) -> float:
    """Return what the item would contribute at rank 1: its gain if it has one."""
    row = steps.rows[place]
    if row.factors is None or "gain" not in steps.factors:
        return row.contribution
    return max(row.factors[steps.factors.index("gain")], row.contribution)


def _panel(steps: Steps, highest: float, title: Phrase) -> Element:
    rows = steps.rows[:MOST]
    step = WIDTH / max(len(rows), 3)
    thick = min(step * 0.72, 46.0)
    marks = [label(0, 12, title, "strong"), line(0, BASE, WIDTH, BASE, class_="zero")]
    for place, row in enumerate(rows):
        middle = step * (place + 0.5)
        for class_, value in (("full", _gain(steps, place)), ("left-over", row.contribution)):
            tall = max(value, 0.0) / highest * TALL
            marks.append(
                Element("rect", x=middle - thick / 2, y=BASE - tall, width=thick, height=tall, rx=3.0, class_=class_)
            )
        roomy = len(rows) <= MOST // 2
        if roomy or place % 2 == 0:
            marks.append(label(middle, BASE + 16, str(row.rank), "tick", "middle"))
        if roomy:
            top = BASE - max(_gain(steps, place), 0.0) / highest * TALL
            marks.append(label(middle, top - 5, number(round(row.contribution, 2)), "tick", "middle"))
    marks.append(label(WIDTH / 2, BASE + 34, STEPS["rank axis"], "axis", "middle"))
    return picture(WIDTH, BASE + 40, *marks, class_="picture bars-of-steps", label=title)
