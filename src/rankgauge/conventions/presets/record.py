"""Preset: the convention of a tool, with its names of metrics and its known defects."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from rankgauge.conventions.convention import COLUMNS, DEFAULT, Convention, differences
from rankgauge.conventions.rule import written
from rankgauge.rendering.document import Document, Heading, Paragraph, Table
from rankgauge.rendering.language import Phrase, check_lang

DOUBLE = 1e-12
"""Tolerance for a tool that computes in double precision, because the order of additions differs."""
_NAME = re.compile(r"\w+")
SINGLE = 1e-6
"""Tolerance for a tool that computes in single precision."""


@dataclass(frozen=True)
class Preset:
    """The rules of one tool; versioned, and never changed once released."""

    name: str
    tool: str
    versions: str
    """The versions that follow these rules."""
    about: Phrase
    convention: Convention
    metrics: Mapping[str, str] = field(hash=False)
    """The tool's names of metrics and their notation here; ``{k}`` is a cutoff."""
    precision: float = DOUBLE
    """Tolerance of the comparison with the tool's own values."""
    notes: tuple[Phrase, ...] = ()
    """Notes for comparing numbers."""
    defects: tuple[Phrase, ...] = ()
    """Bugs of the tool; the preset follows the intended behaviour."""
    more_metrics: tuple[str, ...] = ()
    """Further metrics of the tool by these rules that the table of its names leaves out."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "metrics", MappingProxyType(dict(self.metrics)))

    @property
    def differences(self) -> dict[str, Any]:
        """The rules that differ from the default, with their values."""
        return {name: value for name, (value, _) in differences(self.convention, DEFAULT).items()}

    def has(self, metric: str) -> bool:
        """Whether the tool has a metric of this name by these rules, whatever its cutoff and its parameters.

        >>> from rankgauge.conventions.presets import PRESETS
        >>> PRESETS["xgboost-2"].has("AUC"), PRESETS["xgboost-2"].has("nDCG@10")
        (False, True)
        """
        name = _name(metric)
        return name in self.more_metrics or name in map(_name, self.metrics.values())

    def name_of(self, metric: str) -> str | None:
        """Return what the tool calls a metric of this name that has a cutoff if this one has; None if it has none.

        >>> from rankgauge.conventions.presets import PRESETS
        >>> PRESETS["mteb-mrr"].name_of("RR@10"), PRESETS["mteb-mrr"].name_of("RR")
        ('mrr_at_10', None)
        """
        name, (_, at, k) = _name(metric), metric.rpartition("@")
        names = (own for own, here in self.metrics.items() if _name(here) == name and ("@" in here) == bool(at))
        return next((own.replace("{k}", k) for own in names), None)

    def document(self, lang: str = "en") -> Document:
        """Return a description: differences from the default, names of metrics, notes and defects."""
        from rankgauge.conventions.presets import siblings  # noqa: PLC0415 (all presets import this module)

        checked, others = check_lang(lang), ", ".join(each.name for each in siblings(self.name))
        rules = [
            [name, written(value), self.convention.meaning(name, checked)] for name, value in self.differences.items()
        ]
        words = {key: phrase.render(checked) for key, phrase in _WORDS.items()}
        names = [[theirs, ours] for theirs, ours in self.metrics.items()]
        return Document(
            [
                Heading(f"{self.name}: {self.tool} {self.versions}"),
                Paragraph(self.about.render(checked)),
                Table([phrase.render(checked) for phrase in COLUMNS[:3]], rules)
                if rules
                else Paragraph(words["default"]),
                Table([words["its name"], words["notation"]], names),
                Paragraph(_WORDS["others"].fill(tool=self.tool).render(checked)),
                *([Paragraph(SIBLINGS.fill(tool=self.tool, presets=others).render(checked))] if others else []),
                *(Paragraph(note.render(checked)) for note in self.notes),
                *(Paragraph(f"{words['defect']} {defect.render(checked)}") for defect in self.defects),
            ]
        )


def _name(notation: str) -> str:
    """Return the name of a metric, without its parameters and its cutoff."""
    match = _NAME.match(notation)
    return match[0] if match else ""


def phrases(*texts: str) -> tuple[Phrase, ...]:
    """Return phrases from texts that alternate between English and Chinese."""
    return tuple(Phrase(*pair) for pair in zip(texts[::2], texts[1::2], strict=True))


def at_k(form: str, /, **metrics: str) -> dict[str, str]:
    """Return the names of metrics that a tool writes in one form.

    >>> at_k("{name}(top={k})", Precision="P")
    {'Precision(top={k})': 'P@{k}'}
    """
    return {form.replace("{name}", name): f"{metric}@{{k}}" for name, metric in metrics.items()}


def cut_or_not(cut: str, uncut: str, /, **metrics: str) -> dict[str, str]:
    """Return the names of metrics that a tool writes in one form with a cutoff and in another without.

    >>> cut_or_not("{name}@{k}", "{name}", ndcg="nDCG")
    {'ndcg@{k}': 'nDCG@{k}', 'ndcg': 'nDCG'}
    """
    return at_k(cut, **metrics) | {uncut.replace("{name}", name): metric for name, metric in metrics.items()}


SIBLINGS = Phrase("Other presets of {tool}: {presets}.", "{tool} 的其他预设：{presets}。")
_WORDS = {
    "default": Phrase("All rules are the defaults.", "所有规则均与默认相同。"),
    "its name": Phrase("its name", "该工具的名称"),
    "notation": Phrase("here", "本库写法"),
    "others": Phrase(
        "Any other metric follows these rules, too, but {tool} does not have it, or computes it in another way.",
        "其他指标同样按这些规则计算，但 {tool} 没有这些指标，或计算方法不同。",
    ),
    "defect": Phrase("Defect:", "缺陷："),
}
