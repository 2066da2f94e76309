"""Metrics over their cutoff, of many queries and several systems, in one pass over each ranking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rankgauge.conventions import Convention
from rankgauge.errors import ParameterError
from rankgauge.evaluation.evaluate import evaluate
from rankgauge.inputs.findings import Findings
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import parse
from rankgauge.rendering.chart import Chart
from rankgauge.rendering.document import Document, Paragraph, Table
from rankgauge.rendering.language import Lang, Phrase
from rankgauge.rendering.plain import finite_or_none

SCHEMA = 1
MOST = 10_000
COLUMNS = ("system", "metric", "k", "value", "convention", "schema")
WORDS = {
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

    def names(self) -> dict[tuple[str, Metric], str]:
        """What each line is called: the system, and the metric where there are several."""
        several = len(self.metrics) > 1
        return {key: f"{key[0]} {key[1]}@k" if several else key[0] for key in self.values}

    def document(self, lang: Lang, digits: int = 4) -> Document:
        """The numbers as a table, with the definition used under it."""
        rows = [
            [str(k), *("–" if line[place] is None else f"{line[place]:.{digits}f}" for line in self.values.values())]
            for place, k in enumerate(self.cutoffs)
        ]
        titles = [f"{system} {metric}@k".strip() for system, metric in self.values]
        return Document([Table(["k", *titles], rows, align="r" * (len(titles) + 1)), *map(Paragraph, self.rules(lang))])

    def rules(self, lang: Lang) -> list[str]:
        """The definition used of each metric."""
        return [
            WORDS["rules"].render(lang, metric=f"{metric}@k", rules=metric.line(self.convention, lang))
            for metric in self.metrics
        ]

    def chart(self, lang: Lang) -> Chart:
        """The same as a picture, which can say itself in words."""
        title = ", ".join(f"{metric}@k" for metric in self.metrics)
        lines = {name: self.values[key] for key, name in self.names().items()}
        told = []
        for name, line in lines.items():
            known = [(k, value) for k, value in zip(self.cutoffs, line, strict=True) if value is not None]
            if known:
                (low, first), (high, last) = known[0], known[-1]
                told.append(WORDS["line"].render(lang, name=name, first=first, last=last, low=low, high=high))
        return Chart(title, "; ".join([*told, *self.rules(lang)]), "k", self.cutoffs, lines)

    def rows(self) -> list[tuple[str, str, int, float | None, str, int]]:
        """Long rows with the columns ``COLUMNS``."""
        return [
            (system, str(metric), k, value, metric.line(self.convention), SCHEMA)
            for (system, metric), line in self.values.items()
            for k, value in zip(self.cutoffs, line, strict=True)
        ]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data."""
        systems: dict[str, dict[str, list[float | None]]] = {}
        for (system, metric), line in self.values.items():
            systems.setdefault(system, {})[str(metric)] = [*line]
        return {
            "schema": SCHEMA,
            "convention": self.convention.to_dict(),
            "cutoffs": [*self.cutoffs],
            "systems": systems,
        }


def curves(
    judgments: Any, rankings: Mapping[str, Any], metrics: Sequence[str | Metric], cutoffs: Sequence[int], **options: Any
) -> Curves:
    """Evaluate metrics at all cutoffs at once; takes judgments, rankings and options as ``evaluate`` does.

    >>> found = curves({"q": {"a": 1, "b": 1}}, {"mine": {"q": ["a", "x", "b"]}}, ["P"], [1, 2])
    >>> found.values["mine", found.metrics[0]]
    (1.0, 0.5)
    """
    plain = tuple(dict.fromkeys(metric if (metric := parse(one)).k is None else metric @ None for one in metrics))
    at_k = {metric: [metric @ k for k in cutoffs] for metric in plain}
    scores = evaluate(judgments, rankings, [one for some in at_k.values() for one in some], **options)
    values = {
        (system, metric): tuple(finite_or_none(scores.mean(one, system)) for one in at_k[metric])
        for system in scores.systems
        for metric in plain
    }
    return Curves(plain, tuple(cutoffs), values, scores.convention, scores.findings)


def cutoffs_of(text: str) -> list[int]:
    """Cutoffs as text: ``1:20``, ``10:100:10``, ``1,5,10`` or several of these.

    >>> cutoffs_of("1:3,10:20:5")
    [1, 2, 3, 10, 15, 20]
    """
    found: set[int] = set()
    for piece in text.split(","):
        numbers = piece.strip().split(":")
        if not 1 <= len(numbers) <= 3 or not all(number.isascii() and number.isdigit() for number in numbers):  # noqa: PLR2004
            raise ParameterError.of("k", text, "written as 1:20, 10:100:10 or 1,5,10")
        low, high, step = (*map(int, numbers), *[int(numbers[0]), 1][len(numbers) - 1 :])[:3]
        if low < 1 or high < low or step < 1 or (high - low) // step >= MOST:
            raise ParameterError.of("k", text, f"whole numbers of at least 1, rising, at most {MOST:,} of them")
        found.update(range(low, high + 1, step))
    return sorted(found)
