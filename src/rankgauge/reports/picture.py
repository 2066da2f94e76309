"""A picture of a report: a drawing with its title, its caption and its data."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from rankgauge.rendering.element import Element
from rankgauge.rendering.language import Phrase
from rankgauge.reports.messages import CAPTIONS

LISTED = 8
"""Number of entries that a caption lists before it counts the rest."""


@dataclass(frozen=True)
class Picture:
    """A drawing with its title, its caption and its data."""

    name: str
    title: Phrase
    caption: Phrase
    drawing: Element
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[Any]] = ()
    plot: dict[str, Any] = field(default_factory=dict)
    """The scales of a picture with a point per query, from which the page finds the query at the pointer."""


def listing(entries: Sequence[str | Phrase]) -> Phrase:
    """Return the first few entries and the number of the others."""
    phrases = [entry if isinstance(entry, Phrase) else Phrase(entry, entry) for entry in entries[:LISTED]]
    if len(entries) > LISTED:
        phrases.append(CAPTIONS["more"].fill(count=len(entries) - LISTED))
    return Phrase("; ".join(phrase.en for phrase in phrases), "；".join(phrase.zh for phrase in phrases))


def four_digits(value: float) -> str:
    """Return a number with four digits and a typographic minus, or a dash for NaN."""
    return "–" if math.isnan(value) else f"{value:.4f}".replace("-", "−")
