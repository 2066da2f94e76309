"""The report as plain, versioned data, and the formats it can be written in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from rankgauge.comparison.pair import Pair, SystemPair
from rankgauge.errors import ParameterError, UnknownNameError
from rankgauge.inputs.io.atomic_file import atomic_write
from rankgauge.inputs.texts import query_key
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import MetricLike, parse
from rankgauge.metric_core.words import factor_name, word
from rankgauge.rendering.document import Document, Heading
from rankgauge.rendering.element import Element
from rankgauge.rendering.language import Lang, check_lang, naming_rows
from rankgauge.rendering.plain import JsonResult, PlainData, finite_or_none
from rankgauge.rendering.svg import fitted_names
from rankgauge.reports.contents import ReportContents
from rankgauge.reports.messages import PAGE
from rankgauge.reports.pictures import Picture, metric_pictures
from rankgauge.reports.query_lists import TOP
from rankgauge.reports.query_pictures import differences, scatter, slice_differences, topics
from rankgauge.segments import Floats

SCHEMA = 1
LABEL = 240.0
"""Width of the name of a system in a list or above a column."""
CHUNK = 100
"""Number of queries in a block that is decompressed when one of them is opened."""
DIGITS = 6
FRAMED = 5_000_000
"""Largest page, in characters, that a notebook shows in a frame."""


@dataclass(repr=False, eq=False)
class Report(JsonResult):
    """A report on one or more systems, ready to be written as HTML, Markdown, LaTeX or JSON."""

    contents: ReportContents
    texts: Mapping[str, str]
    """Texts of queries and items, by id."""
    title: str
    lang: Lang

    def data(self) -> PlainData:
        """Return the data that the page needs before a query is opened."""
        contents, scores = self.contents, self.contents.scores
        comparison = contents.comparison
        return {
            "schema": SCHEMA,
            "systems": [*scores.systems],
            "labels": [*fitted_names(scores.systems, LABEL).values()],
            "baseline": scores.systems.index(comparison.baseline) if comparison else 0,
            "orders": [[*map(scores.systems.index, contents.ordered(metric))] for metric in scores.metrics],
            "metrics": [self._metric(place) for place in range(len(scores.metrics))],
            "queries": [str(query) for query in scores.queries],
            "texts": [self._query_text(str(query)) for query in scores.queries] if self.texts else None,
            "values": [
                [_rounded(scores.system(name)[metric]) for name in scores.systems]
                if metric.definition.summary.has_query_values
                else None
                for metric in scores.metrics
            ],
            "chunk": CHUNK,
            "top": TOP,
            "rel": scores.convention.rel,
            "averaged": contents.lists.shares_positions,
        }

    def _metric(self, place: int) -> PlainData:
        contents, metric = self.contents, self.contents.scores.metrics[place]
        shape = contents.lists.shapes[place]
        rules = metric.effective_convention(contents.scores.convention)
        data = {"name": str(metric), "higher": metric.definition.higher_is_better, "corpus": shape is None}
        if shape is None:
            return data
        return data | {
            "factors": [[name, *factor_name(name)] for name in shape.factors],
            "ideal": [[name, *factor_name(name)] for name in shape.ideal],
            "below": None if shape.below is None else word(shape.below),
            "rest": None if shape.rest is None else word(shape.rest),
            "last": shape.last,
            "rules": {
                rule: [rules.meaning(rule, "en"), rules.meaning(rule, "zh")]
                for rule in metric.definition.applicable_rules
            },
        }

    @cached_property
    def pairs(self) -> dict[str, tuple[SystemPair, ...]]:
        """For each metric, every system against the baseline, best first; empty for a single system."""
        contents, comparison = self.contents, self.contents.comparison
        if comparison is None:
            return {}
        pairs = {}
        for metric in contents.scores.metrics:
            by_system = {pair.second: pair for pair in comparison.pairs(metric)}
            pairs[str(metric)] = tuple(by_system[name] for name in contents.ordered(metric) if name in by_system)
        return pairs

    @cached_property
    def pictures(self) -> dict[str, list[Picture]]:
        """The pictures of each metric except those of pairs."""
        with self._naming():
            return {str(metric): self._pictures_of(metric) for metric in self.contents.scores.metrics}

    def _pictures_of(self, metric: Metric) -> list[Picture]:
        contents = self.contents
        cuts = enumerate((cut for cut in contents.slices.get(metric, ()) if len(cut) > 1), 1)
        of_slices = [slice_differences(contents, metric, number, cut) for number, cut in cuts]
        drawn = metric_pictures(contents, metric)
        if self._has_overview(metric):
            drawn.insert(2, topics(contents, metric))
        return drawn + of_slices

    def _has_overview(self, metric: Metric) -> bool:
        """Return whether there are values of several systems on several queries."""
        scores = self.contents.scores
        several = len(scores.systems) > 1 and len(scores.queries) > 1 and metric.definition.summary.has_query_values
        return several and not all(np.isnan(scores.system(name)[metric]).all() for name in scores.systems)

    @cached_property
    def pair_pictures(self) -> dict[str, dict[str, list[Picture]]]:
        """For each metric and each system except the baseline, the pictures of the pair."""
        with self._naming():
            return {
                name: {pair.second: _pictures_of_pair(pair) for pair in pairs} for name, pairs in self.pairs.items()
            }

    def chunks(self) -> Iterator[list[dict[str, Any]]]:
        """Yield all details of the queries, a block at a time."""
        for chunk in self.contents.lists.chunks(CHUNK):
            if self.texts:
                for query in chunk:
                    query["texts"] = [self.texts.get(item) for item in query["items"]]
            yield chunk

    def _query_text(self, query: str) -> str | None:
        return self.texts.get(query_key(query), self.texts.get(query))

    def to_html(self) -> str:
        """Return the report as one self-contained HTML file."""
        from rankgauge.reports.layout import report_page, values_page  # noqa: PLC0415 (imports this module)

        with self._naming():
            return values_page(self) if self.contents.lists is None else report_page(self)

    def _naming(self) -> AbstractContextManager[None]:
        return naming_rows(self.contents.scores.findings.rows)

    def document(self, lang: str | None = None) -> Document:
        """Return verdicts, tables, definitions and findings as a document."""
        from rankgauge.reports.layout import CARDS  # noqa: PLC0415 (imports this module)

        contents, language = self.contents, check_lang(lang or self.lang)
        with self._naming():
            blocks = [block for card in CARDS for block in card.document_blocks(contents, language)]
        return Document([Heading(self.title or PAGE["title"].render(language)), *blocks])

    def to_markdown(self, lang: str | None = None) -> str:
        """Return the document as Markdown."""
        return self.document(lang).to_markdown() + "\n"

    def to_latex(self, lang: str | None = None) -> str:
        """Return the document as LaTeX with booktabs tables."""
        return self.document(lang).to_latex() + "\n"

    def to_dict(self) -> PlainData:
        """Return the numbers of the report as plain data: scores, comparison, bounds, slices and findings."""
        from rankgauge.reports.layout import CARDS  # noqa: PLC0415 (imports this module)

        contents, origin = self.contents, self.contents.origin
        data = {"judgments": origin.judgments, "rankings": dict(origin.rankings)}
        head = {"schema": SCHEMA, "title": self.title, "date": origin.date, **data}
        return head | {key: value for card in CARDS for key, value in card.plain(contents).items()}

    def save(self, path: str | Path, *, force: bool = False) -> None:
        """Write the report; the suffix of the path selects the format: .html, .md, .tex or .json."""
        with atomic_write(path, force=force) as file:
            file.write(self.in_format(Path(path).suffix).encode())

    def in_format(self, suffix: str) -> str:
        """Return the report in the format of a file suffix."""
        formats = {".html": self.to_html, ".htm": self.to_html, ".md": self.to_markdown, ".tex": self.to_latex}
        formats[".json"] = partial(self.to_json, 1)
        if suffix.lower() not in formats:
            raise ParameterError.of(
                "the suffix of the file",
                suffix,
                ("one of .html, .md, .tex, .json", ".html、.md、.tex、.json 之一"),
                "report",
            )
        return formats[suffix.lower()]()

    def picture(self, name: str, metric: MetricLike | None = None, second: str | None = None) -> Picture:
        """Return a picture of a metric, the first by default: ``intervals``, ``topics``, ``curve``, ...

        ``differences`` and ``scatter`` compare the system ``second`` with the baseline.
        """
        of_metric = next(iter(self.pictures)) if metric is None else str(parse(metric))
        if of_metric not in self.pictures:
            raise UnknownNameError.closest("metric of this report", of_metric, self.pictures)
        pairs = self.pair_pictures.get(of_metric, {})
        if second is not None and second not in pairs:
            raise UnknownNameError.closest("system", second, pairs)
        of_pair = pairs[second] if second is not None else next(iter(pairs.values()), [])
        available = {picture.name: picture for picture in (*self.pictures[of_metric], *of_pair)}
        if name not in available:
            raise UnknownNameError.closest("picture", name, available)
        picture = available[name]
        return self._with_values(picture, of_metric, second) if picture in of_pair else picture

    def _with_values(self, picture: Picture, metric: str, second: str | None) -> Picture:
        """Return the picture of a pair with the values of each query, which the page has elsewhere."""
        pair = next(pair for pair in self.pairs[metric] if second in {None, pair.second})
        if self.contents.comparison is None or not isinstance(pair, Pair):
            return picture
        queries = map(str, self.contents.comparison.values(metric).queries)
        columns = pair.values_first.tolist(), pair.values_second.tolist(), pair.differences.tolist()
        rows = [*zip(queries, *columns, strict=True)]
        return replace(picture, columns=("query", pair.first, pair.second, "difference"), rows=rows)

    def _repr_html_(self) -> str:
        """Return the page in a frame; a large report as its tables."""
        page = self.to_html()
        if len(page) > FRAMED:
            return self.document().to_html()
        style = "width: 100%; height: 80vh; border: 1px solid #8884"
        return Element("iframe", srcdoc=page, sandbox="allow-scripts", style=style, title=repr(self)).markup()

    def __repr__(self) -> str:
        scores = self.contents.scores
        return f"<Report of {', '.join(scores.systems)}: {', '.join(map(str, scores.metrics))}>"


def _pictures_of_pair(pair: SystemPair) -> list[Picture]:
    return [differences(pair), scatter(pair)] if isinstance(pair, Pair) else []


def _rounded(values: Floats) -> list[float | None]:
    return finite_or_none([round(value, DIGITS) for value in values.tolist()])
