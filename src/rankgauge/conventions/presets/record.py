"""Preset: the convention of a named tool, with its names for metrics and what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from rankgauge.conventions.convention import DEFAULT, Convention
from rankgauge.conventions.differences import differences
from rankgauge.conventions.rule import written
from rankgauge.rendering.document import Document, Heading, Paragraph, Table
from rankgauge.rendering.language import Phrase, check_lang

DOUBLE = 1e-12
"""How far a tool that computes in double precision may be from its preset: the order of additions differs."""
SINGLE = 1e-6
"""The same for a tool that computes in single precision."""


@dataclass(frozen=True)
class Preset:
    """The rules of one tool: versioned, and never edited once released."""

    name: str
    tool: str
    versions: str
    """The versions that follow these rules."""
    about: Phrase
    convention: Convention
    metrics: Mapping[str, str] = field(hash=False)
    """The tool's name of each metric and our notation; ``{k}`` stands for a cutoff on both sides."""
    precision: float = DOUBLE
    """How far the tool's own values may be from these."""
    notes: tuple[Phrase, ...] = ()
    """What one must know to compare numbers."""
    defects: tuple[Phrase, ...] = ()
    """Where the tool does not do what it means to; the preset follows what it means."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "metrics", MappingProxyType(dict(self.metrics)))

    @property
    def differences(self) -> dict[str, Any]:
        """The rules that are not as by default, with their values."""
        return {name: own for name, (own, _) in differences(self.convention, DEFAULT).items()}

    def document(self, lang: str = "en") -> Document:
        """All about the preset: which rules differ from the default, in words; names; notes and defects."""
        spoken = check_lang(lang)
        rules = [
            [name, written(value), self.convention.meaning(name, spoken)] for name, value in self.differences.items()
        ]
        words = {key: phrase.render(spoken) for key, phrase in _WORDS.items()}
        names = [[theirs, ours] for theirs, ours in self.metrics.items()]
        return Document(
            [
                Heading(f"{self.name}: {self.tool} {self.versions}"),
                Paragraph(self.about.render(spoken)),
                Table([words["rule"], words["value"], words["meaning"]], rules)
                if rules
                else Paragraph(words["default"]),
                Table([words["its name"], words["notation"]], names),
                *(Paragraph(note.render(spoken)) for note in self.notes),
                *(Paragraph(f"{words['defect']} {defect.render(spoken)}") for defect in self.defects),
            ]
        )


_WORDS = {
    "rule": Phrase("rule", "规则"),
    "value": Phrase("value", "取值"),
    "meaning": Phrase("meaning", "含义"),
    "default": Phrase("Every rule is as by default.", "所有规则均与默认相同。"),
    "its name": Phrase("its name", "该工具的名称"),
    "notation": Phrase("here", "本库写法"),
    "defect": Phrase("Defect:", "缺陷："),
}
