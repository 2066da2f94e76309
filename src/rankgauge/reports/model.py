"""The report as data: what the page needs, plain and versioned; and how it is written."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from rankgauge.comparison.pair import Pair, SystemPair
from rankgauge.errors import ParameterError
from rankgauge.inputs.io.atomic_file import atomic_write
from rankgauge.metric_core.words import FACTORS, WORDS
from rankgauge.rendering.document import Block, Document, Heading
from rankgauge.rendering.language import Lang, Phrase, check_lang
from rankgauge.reports.contents import Gathered
from rankgauge.reports.difference_pictures import of_pair
from rankgauge.reports.messages import PAGE
from rankgauge.reports.picture import Picture
from rankgauge.reports.pictures import of_metric
from rankgauge.reports.query_lists import TOP

SCHEMA = 1
CHUNK = 100
"""How many queries are unpacked together when one of them is opened."""
DIGITS = 6


class Report:
    """A comparison of systems, or the scores of one, ready to be written."""

    def __init__(
        self, found: Gathered, *, texts: Mapping[str, str] | None = None, title: str = "", lang: str = "en"
    ) -> None:
        self.found = found
        self.texts = dict(texts or {})
        self.title = title
        self.lang: Lang = check_lang(lang)

    def data(self) -> dict[str, Any]:
        """What the page knows before a query is opened."""
        found, scores = self.found, self.found.scores
        compared = found.comparison
        return {
            "schema": SCHEMA,
            "systems": [*scores.systems],
            "baseline": scores.systems.index(compared.baseline) if compared else 0,
            "metrics": [self._metric(place) for place in range(len(scores.metrics))],
            "queries": [str(query) for query in scores.queries],
            "texts": [self.texts.get(str(query)) for query in scores.queries] if self.texts else None,
            "values": [
                [[_short(value) for value in scores.system(name)[metric].tolist()] for name in scores.systems]
                if metric.definition.summary.has_query_values
                else None
                for metric in scores.metrics
            ],
            "chunk": CHUNK,
            "top": TOP,
            "rel": scores.convention.rel,
            "averaged": found.lists.shares_positions,
        }

    def _metric(self, place: int) -> dict[str, Any]:
        found, metric = self.found, self.found.scores.metrics[place]
        shape = found.lists.shapes[place]
        force = metric.effective_convention(found.scores.convention)
        if shape is None:
            return {"name": str(metric), "higher": metric.definition.higher_is_better, "whole": True}
        return {
            "name": str(metric),
            "higher": metric.definition.higher_is_better,
            "whole": False,
            "factors": [[name, *_named(name)] for name in shape.factors],
            "ideal": [[name, *_named(name)] for name in shape.ideal],
            "below": None if shape.below is None else _called(shape.below),
            "rest": None if shape.rest is None else _called(shape.rest),
            "last": shape.last,
            "rules": {
                rule: [force.meaning(rule, "en"), force.meaning(rule, "zh")]
                for rule in metric.definition.applicable_rules
            },
        }

    @cached_property
    def pairs(self) -> dict[str, tuple[SystemPair, ...]]:
        """For each metric, every system against the baseline; nothing where there is one system only."""
        compared = self.found.comparison
        return {} if compared is None else {name: compared.pairs(name) for name in compared.metrics}

    @cached_property
    def pictures(self) -> dict[str, list[Picture]]:
        """The pictures of each metric but those of pairs."""
        return {str(metric): of_metric(self.found, metric) for metric in self.found.scores.metrics}

    @cached_property
    def pair_pictures(self) -> dict[str, dict[str, list[Picture]]]:
        """For each metric and each system but the baseline, the pictures of the pair."""
        return {
            name: {pair.second: of_pair(pair) if isinstance(pair, Pair) else [] for pair in pairs}
            for name, pairs in self.pairs.items()
        }

    def chunks(self) -> Iterator[list[dict[str, Any]]]:
        """The queries in full, some at a time."""
        for chunk in self.found.lists.chunks(CHUNK):
            if self.texts:
                for query in chunk:
                    query["texts"] = [self.texts.get(item) for item in query["items"]]
            yield chunk

    # Written

    def to_html(self) -> str:
        """The page: one file that needs nothing else."""
        from rankgauge.reports.page import page  # noqa: PLC0415 (the page is made of this)

        return page(self)

    def document(self, lang: str | None = None) -> Document:
        """Verdict, tables, definition and findings, for papers and pull requests."""
        spoken = check_lang(lang or self.lang)
        found = self.found
        blocks: list[Block] = [Heading(self.title or PAGE["title"].render(spoken))]
        if found.comparison is None:
            blocks += found.scores.document(spoken, per_query=False, digits=4).blocks
        else:
            blocks += _deeper(found.comparison.document(spoken, every=False).blocks)
        blocks += _deeper(found.scores.findings.document(spoken).blocks)
        return Document(blocks)

    def to_markdown(self, lang: str | None = None) -> str:
        """As Markdown."""
        return self.document(lang).to_markdown() + "\n"

    def to_latex(self, lang: str | None = None) -> str:
        """As LaTeX with booktabs tables."""
        return self.document(lang).to_latex() + "\n"

    def save(self, path: str | Path, *, force: bool = False) -> None:
        """Write the report; the ending says how: .html, .md or .tex."""
        with atomic_write(path, force=force) as file:
            file.write(self.written(Path(path).suffix).encode())

    def written(self, ending: str) -> str:
        """The report in the format of a file's ending."""
        ways = {".html": self.to_html, ".htm": self.to_html, ".md": self.to_markdown, ".tex": self.to_latex}
        if ending.lower() not in ways:
            raise ParameterError.of("the ending of the file", ending, "one of .html, .md, .tex", "report")
        return ways[ending.lower()]()

    def __repr__(self) -> str:
        scores = self.found.scores
        return f"<Report of {', '.join(scores.systems)}: {', '.join(map(str, scores.metrics))}>"


def plain_json(data: Any) -> str:
    """As JSON without blanks; what is not a number is null."""
    return json.dumps(data, separators=(",", ":"), allow_nan=False)


def _deeper(blocks: Any) -> list[Block]:
    return [Heading(block.text, block.level + 1) if isinstance(block, Heading) else block for block in blocks]


def _named(factor: str) -> Phrase:
    return FACTORS.get(factor, Phrase(factor.replace("_", " "), factor.replace("_", " ")))


def _called(name: str) -> Phrase:
    return WORDS.get(name, Phrase(name, name))


def _short(value: float) -> float | None:
    return None if math.isnan(value) else round(value, DIGITS)
