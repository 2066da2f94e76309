"""What a picture is: a drawing, what it is called, what it says, and the numbers in it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from rankgauge.rendering.element import Element
from rankgauge.rendering.language import Lang, Phrase
from rankgauge.reports.messages import SAYS

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


def told(key: str, entries: Sequence[str | Phrase], **values: str | Phrase | object) -> Phrase:
    """What a picture says, with the first few of its entries, and how many more there are."""

    def render(lang: Lang) -> str:
        listed = [in_language(entry, lang) for entry in entries[:LISTED]]
        if len(entries) > LISTED:
            listed.append(SAYS["more"].render(lang, count=len(entries) - LISTED))
        spoken = {name: in_language(value, lang) for name, value in values.items()}
        return SAYS[key].render(lang, list=("; " if lang == "en" else "；").join(listed), **spoken)

    return Phrase(render("en"), render("zh"))


def in_language(value: object, lang: Lang) -> str:
    """A phrase in one language; anything else as it is."""
    return value.render(lang) if isinstance(value, Phrase) else str(value)


def four(value: float) -> str:
    """A number with four digits and a real minus; a dash where there is none."""
    return "–" if math.isnan(value) else f"{value:.4f}".replace("-", "−")
