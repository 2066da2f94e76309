"""Differences between two conventions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rankgauge.conventions.convention import RULES, Convention
from rankgauge.conventions.rule import written
from rankgauge.rendering.document import Document, Paragraph, Table
from rankgauge.rendering.language import Lang, Phrase

WORDS = {
    "rule": Phrase("rule", "规则"),
    "same": Phrase("{first} and {second} have the same rules.", "{first} 与 {second} 的规则相同。"),
}


def differences(first: Convention, second: Convention) -> dict[str, tuple[Any, Any]]:
    """Return the rules in which two conventions differ, with both values.

    >>> differences(Convention(gain="exp2"), Convention())
    {'gain': ('exp2', 'linear')}
    """
    pairs = {name: (getattr(first, name), getattr(second, name)) for name in RULES}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def difference_page(pair: Sequence[tuple[str, Convention]], lang: Lang) -> Document:
    """Return a table of the rules in which two named conventions differ, with the meaning of each value."""
    (first, own), (second, other) = pair
    rows = [
        [
            f"{rule}: {RULES[rule].question.render(lang)}",
            *(_value(convention, rule, lang) for convention in (own, other)),
        ]
        for rule in differences(own, other)
    ]
    if not rows:
        return Document([Paragraph(WORDS["same"].render(lang, first=first, second=second))])
    return Document([Table([WORDS["rule"].render(lang), first, second], rows)])


def _value(convention: Convention, rule: str, lang: Lang) -> str:
    value, meaning = written(getattr(convention, rule)), convention.meaning(rule, lang)
    return value if value == meaning else f"{value}: {meaning}"
