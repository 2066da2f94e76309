"""Metrics over their cutoff, of many queries and several systems, in one pass over each ranking."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rankgauge.conventions import Convention
from rankgauge.errors import ParameterError
from rankgauge.evaluation.evaluate import evaluate
from rankgauge.inputs.findings import Findings
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import parse_all
from rankgauge.rendering.chart import Chart
from rankgauge.rendering.document import Document, Paragraph, Table
from rankgauge.rendering.language import Lang, Phrase
from rankgauge.rendering.plain import decimal, finite_or_none

SCHEMA = 1
MAX_CUTOFFS = 10_000
COLUMNS = ("system", "metric", "k", "value", "convention", "schema")
MESSAGES = {
    "rules": Phrase("{metric}: {rules}", "{metric}：{rules}"),
    "line": Phrase(
        "{name}: {first:.4f} at k={low}, {last:.4f} at k={high}",
        "{name}：k={low} 时 {first:.4f}，k={high} 时 {last:.4f}",
    ),
}


@dataclass(frozen=True)
class Curves:
    """The mean over all queries of each metric at each cutoff, for each system."""

    metrics: tuple[Metric, ...]
    cutoffs: tuple[int, ...]
    values: Mapping[tuple[str, Metric], tuple[float | None, ...]]
    convention: Convention
    findings: Findings

    def document(self, lang: Lang, digits: int = 4) -> Document:
        """Return the numbers as a table, and the definition used."""
        rows = [
            [str(k), *("–" if value is None else decimal(value, digits) for value in row)]
            for k, *row in zip(self.cutoffs, *self.values.values(), strict=True)
        ]
        titles = [f"{system} {metric}@k".strip() for system, metric in self.values]
        return Document([Table(["k", *titles], rows, align="r" * (len(titles) + 1)), *map(Paragraph, self.rules(lang))])

    def rules(self, lang: Lang) -> list[str]:
        """Return the definition used of each metric."""
        return [
            MESSAGES["rules"].render(lang, metric=f"{metric}@k", rules=metric.short_line(self.convention, lang))
            for metric in self.metrics
        ]

    def chart(self, lang: Lang) -> Chart:
        """Return a line chart with a description in words; lines name the metric if there are several."""
        several = len(self.metrics) > 1
        lines = {f"{system} {metric}@k" if several else system: row for (system, metric), row in self.values.items()}
        sentences = []
        for name, row in lines.items():
            defined = [(k, value) for k, value in zip(self.cutoffs, row, strict=True) if value is not None]
            if defined:
                (low, first), (high, last) = defined[0], defined[-1]
                sentences.append(MESSAGES["line"].render(lang, name=name, first=first, last=last, low=low, high=high))
        title = ", ".join(f"{metric}@k" for metric in self.metrics)
        return Chart(title, "; ".join([*sentences, *self.rules(lang)]), "k", self.cutoffs, lines)

    def rows(self) -> list[tuple[str, str, int, float | None, str, int]]:
        """Return long rows with the columns ``COLUMNS``."""
        return [
            (system, str(metric), k, value, metric.line(self.convention), SCHEMA)
            for (system, metric), row in self.values.items()
            for k, value in zip(self.cutoffs, row, strict=True)
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        systems: dict[str, dict[str, list[float | None]]] = {}
        for (system, metric), row in self.values.items():
            systems.setdefault(system, {})[str(metric)] = [*row]
        rules, cutoffs = self.convention.to_dict(), [*self.cutoffs]
        return {"schema": SCHEMA, "convention": rules, "cutoffs": cutoffs, "systems": systems}


def curves(
    judgments: Any, rankings: Mapping[str, Any], metrics: Sequence[str | Metric], cutoffs: Sequence[int], **options: Any
) -> Curves:
    """Evaluate metrics at all cutoffs at once; takes judgments, rankings and options as ``evaluate`` does.

    >>> result = curves({"q": {"a": 1, "b": 1}}, {"mine": {"q": ["a", "x", "b"]}}, ["P"], [1, 2])
    >>> result.values["mine", result.metrics[0]]
    (1.0, 0.5)
    """
    plain = tuple(dict.fromkeys(metric if metric.k is None else metric @ None for metric in parse_all(metrics)))
    scores = evaluate(judgments, rankings, [metric @ k for metric in plain for k in cutoffs], **options)
    values = {
        (system, metric): tuple(finite_or_none(scores.mean(metric @ k, system)) for k in cutoffs)
        for system in scores.systems
        for metric in plain
    }
    return Curves(plain, tuple(cutoffs), values, scores.convention, scores.findings)


def cutoffs_of(text: str) -> list[int]:
    """Parse cutoffs: ``1:20``, ``10:100:10``, ``1,5,10`` or several of these.

    >>> cutoffs_of("1:3,10:20:5")
    [1, 2, 3, 10, 15, 20]
    """
    cutoffs: set[int] = set()
    for piece in text.split(","):
        numbers = re.fullmatch(r"([0-9]+)(?::([0-9]+)(?::([0-9]+))?)?", piece.strip())
        if numbers is None:
            raise ParameterError.of(
                "k", text, ("written as 1:20, 10:100:10 or 1,5,10", "1:20、10:100:10 或 1,5,10 的形式")
            )
        low, high, step = int(numbers[1]), int(numbers[2] or numbers[1]), int(numbers[3] or 1)
        if low < 1 or high < low or step < 1 or (high - low) // step >= MAX_CUTOFFS:
            raise ParameterError.of(
                "k",
                text,
                (
                    f"whole numbers from 1, ascending, at most {MAX_CUTOFFS:,} of them",
                    f"从 1 起递增的整数，至多 {MAX_CUTOFFS:,} 个",
                ),
            )
        cutoffs.update(range(low, high + 1, step))
    return sorted(cutoffs)
