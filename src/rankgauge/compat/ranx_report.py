"""The result of ``compare`` in the interface of ranx: means, p-values, wins, ties and losses."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

from rankgauge.rendering.document import Document, ShownAsDocument, Table, Value
from rankgauge.rendering.plain import PlainData, frame_of
from rankgauge.segments import Floats

LETTERS = "abcdefghijklmnopqrstuvwxyz"
STAT_TESTS = {
    "fisher": "Fisher's randomization test",
    "student": "paired Student's t-test",
    "tukey": "Tukey's HSD test",
}
"""Tests as ranx names them."""
LABELS = {"precision": "P", "r-precision": "R-Prec", "bpref": "BPref", "hits": "Hits", "recall": "Recall"} | {
    "hit_rate": "Hit Rate", "dcg_burges": "DCG Burges", "ndcg_burges": "NDCG Burges",
}  # fmt: skip
"""Metrics whose label is not their name in capital letters."""


class PairTable(dict[frozenset[str], Any]):
    """A dict whose keys are pairs of systems in any order."""

    def __getitem__(self, pair: Iterable[str]) -> Any:
        return super().__getitem__(frozenset(pair))


class RanxReport(ShownAsDocument):
    """Means of systems with tests of all pairs; a letter after a number names a system that is significantly worse."""

    def __init__(
        self,
        model_names: Sequence[str],
        metrics: Sequence[str],
        values: Mapping[str, Mapping[str, Floats]],
        p: Mapping[str, Floats],
        max_p: float,
        rounding_digits: int = 3,
        show_percentages: bool = False,
        stat_test: str = "student",
    ) -> None:
        self.model_names, self.metrics = [*model_names], [*metrics]
        self.max_p, self.stat_test = max_p, stat_test
        self.rounding_digits, self.show_percentages = rounding_digits, show_percentages
        self.results = {
            system: {metric: float(values[system][metric].mean()) for metric in metrics} for system in model_names
        }
        self.comparisons = PairTable()
        self.win_tie_loss: dict[tuple[str, str], dict[str, dict[str, int]]] = {}
        for (first, name), (second, other_name) in permutations(enumerate(model_names), 2):
            tests = {metric: float(p[metric][first, second]) for metric in metrics}
            self.comparisons[frozenset((name, other_name))] = {
                metric: {"p_value": number, "significant": number <= max_p} for metric, number in tests.items()
            }
            pairs = {metric: (values[name][metric], values[other_name][metric]) for metric in metrics}
            self.win_tie_loss[name, other_name] = {
                metric: {"W": int((a > b).sum()), "T": int((a == b).sum()), "L": int((a < b).sum())}
                for metric, (a, b) in pairs.items()
            }

    def document(self, lang: str = "en") -> Document:
        """Return the table of systems and metrics."""
        del lang  # the names of ranx are not translated
        rows = [
            [self._letter(place), system, *(self._cell(system, metric) for metric in self.metrics)]
            for place, system in enumerate(self.model_names)
        ]
        caption = (
            "Means; the letters after a number name the models whose mean is significantly lower "
            f"({self.get_stat_test_label(self.stat_test)}, p at most {self.max_p})."
        )
        columns = ["#", "Model", *map(self.get_metric_label, self.metrics)]
        return Document([Table(columns, rows, align="ll" + "r" * len(self.metrics), caption=caption)])

    def get_metric_label(self, m: str) -> str:
        """Return the label of a metric in a table: ``MAP@10`` for map@10."""
        name, at, rest = m.partition("@")
        base, level, number = name.partition("-l")
        return f"{LABELS.get(base, base.upper())}{level}{number}{at}{rest}"

    def get_stat_test_label(self, stat_test: str) -> str:
        """Return the name of a test for people."""
        return STAT_TESTS[stat_test]

    def _letter(self, place: int) -> str:
        return LETTERS[place] if place < len(LETTERS) else str(place + 1)

    def _cell(self, system: str, metric: str) -> Value:
        mean, lower = self.results[system][metric], ""
        for place, other in enumerate(self.model_names):
            if other != system and self.comparisons[system, other][metric]["significant"]:
                lower += self._letter(place) if mean > self.results[other][metric] else ""
        best = max(row[metric] for row in self.results.values())
        digits = self.rounding_digits - (2 if self.show_percentages else 0)
        number = f"{mean * (100 if self.show_percentages else 1):.{max(digits, 0)}f}"
        return Value(number, best=mean == best, marks=lower)

    def to_table(self) -> str:
        """Return the table as text."""
        return str(self)

    def to_latex(self) -> str:
        """Return the table as LaTeX."""
        return self.document().to_latex()

    def to_dict(self) -> PlainData:
        """Return the means, p-values, wins, ties and losses as dicts."""
        systems = {
            name: {
                "scores": self.results[name],
                "comparisons": {
                    other: {metric: test["p_value"] for metric, test in self.comparisons[name, other].items()}
                    for other in self.model_names
                    if other != name
                },
                "win_tie_loss": {other: self.win_tie_loss[name, other] for other in self.model_names if other != name},
            }
            for name in self.model_names
        }
        return {"stat_test": self.stat_test, "metrics": self.metrics, "model_names": self.model_names} | systems

    def to_dataframe(self) -> Any:
        """Return the means as a pandas frame with a row for each system."""
        columns = {metric: [self.results[system][metric] for system in self.model_names] for metric in self.metrics}
        return frame_of({"model_names": [*self.model_names], **columns}, pandas=True)

    def save(self, path: str) -> None:
        """Write ``to_dict`` as JSON."""
        Path(path).write_text(json.dumps(self.to_dict(), indent=4), encoding="utf-8")

    def __repr__(self) -> str:
        return f"<Report of {', '.join(self.model_names)}: {', '.join(self.metrics)}>"
