"""What a picture is: a drawing, what it is called, what it says, and the numbers in it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from rankgauge.render.language import Phrase
from rankgauge.report.element import Element, both
from rankgauge.report.words import SAYS

LISTED = 8
"""How many systems the words of a picture name before they count the rest."""


@dataclass(frozen=True)
class Picture:
    """A drawing, what it is called, what it says, and the numbers in it."""

    name: str
    title: Phrase
    says: Phrase
    drawing: Element
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[Any]] = ()
    plot: dict[str, Any] = field(default_factory=dict)
    """For pictures with a point for each query: the scales, with which the page finds the query that is pointed at."""


def told(key: str, entries: Sequence[str], **values: Any) -> Phrase:
    """What a picture says, with the first few of its entries."""
    listed = _first_few(entries)
    return Phrase(SAYS[key].say("en", list=listed.en, **values), SAYS[key].say("zh", list=listed.zh, **values))


def _first_few(entries: Sequence[str]) -> Phrase:
    """The first few of many, and how many more."""
    if len(entries) <= LISTED:
        return Phrase("; ".join(entries), "；".join(entries))
    more = both(SAYS["more"], count=len(entries) - LISTED)
    shown = entries[:LISTED]
    return Phrase("; ".join([*shown, more.en]), "；".join([*shown, more.zh]))


def four(value: float) -> str:
    """A number with four digits and a real minus; a dash where there is none."""
    return "–" if math.isnan(value) else f"{value:.4f}".replace("-", "−")


def plain(value: float | None) -> float | None:
    """None for what is not a number."""
    return None if value is None or math.isnan(value) else value
