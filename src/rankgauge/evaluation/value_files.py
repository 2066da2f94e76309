"""`read_scores`: values per query that another tool computed, as Scores for ``compare``, ``check`` and ``report``."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace

from rankgauge.errors import ParameterError, shown
from rankgauge.evaluation.scores import Scores
from rankgauge.evaluation.value_formats import holds_data_sets, metric_named, saved_means, value_rows
from rankgauge.evaluation.value_lines import Row
from rankgauge.inputs.findings import Findings, input_error
from rankgauge.matching.source_types import PathType
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import MetricsLike, parse_all
from rankgauge.rendering.language import Phrase

ROUNDED = 1e-4
"""Values are written with at least four digits, so that 1.00005 may be 1."""


def read_scores(
    sources: PathType | Mapping[str, PathType], metrics: MetricsLike | None = None, *, split: str | None = None
) -> Scores:
    """Read values per query that were computed elsewhere.

    Parameters
    ----------
    sources
        A file, or ``{"name": file, ...}``: the output of ``trec_eval -q`` or ``ir_measures -q``, a leaderboard with
        the columns run, measure, topic and value, a table with a column for the query and one for each metric (or
        ``query, metric, value``) in CSV, TSV, JSON or JSONL, a table with a column for the query and one for each
        system (or ``query, system, value``), ``Scores.to_json``, JSON of ``{query: {metric: value}}``,
        results of MTEB or BEIR (a file or a folder), where each task or data set counts as a query, or verdicts on
        answers: the nuggets of AutoNuggetizer, the support of citations in TREC RAG, and ALCE's human evaluation.
        A system that a file names is used where a file has several, or no name is given.
    metrics
        The metrics to read; by default all that every system has. The metric of values that name none.
    split
        The split of MTEB results that have several.

    The rules by which the values were computed, ties and unjudged items are unknown and left out of every output.
    """
    wanted = None if metrics is None else parse_all(metrics)
    named, values = sources if isinstance(sources, Mapping) else {"": sources}, _Values(wanted or ())
    for name, source in named.items():
        if not isinstance(source, str | os.PathLike):
            allowed = "a file, or a mapping from names to files", "文件，或从名称到文件的映射"
            raise ParameterError.of("sources", source, allowed, "read_scores")
        rows = [*value_rows(source, split)]
        several = len({row[0] for row in rows}) > 1
        if holds_data_sets(source):
            values.findings.rows = "data sets"
        for system, metric, query, value in rows:
            label = system if several or not name else ""
            prefix = "" if several and len(named) == 1 else str(name)
            values.add(prefix, (label, metric, query, value), os.fspath(source))
    return Scores.of_values(values.by_system, metrics=wanted, findings=values.findings)


def read_means(source: PathType) -> Scores | None:
    """Return the means of one system that were saved without values of queries; None for any other file of values."""
    document = saved_means(source)
    if document is None:
        return None
    means = {text: {"": math.nan if mean is None else mean} for text, mean in document.items()}
    return replace(Scores.of_values({"": means}), means_only=True)


_NO_METRIC = Phrase("{source}: the values name no metric", "{source}：其中的值没有写明指标")
_NAME_METRIC = Phrase("name one: metrics=...", "用 metrics=... 指明一个")


class _Values:
    """The values read so far, by system, metric and query, and what was left out."""

    def __init__(self, wanted: Sequence[Metric]) -> None:
        self.wanted = wanted
        self.by_system: dict[str, dict[Metric, dict[str, float]]] = {}
        self.findings = Findings()
        self._metrics: dict[str, Metric | None] = {}
        self._texts: dict[tuple[str, Metric], str] = {}
        """The first name of each metric: trec_eval has several for some."""

    def add(self, name: str, row: Row, source: str) -> None:
        """Add a value; metrics that are unknown, or not averaged over queries, are left out and noted."""
        system, text, query, value = row
        if text not in self._metrics:
            self._metrics[text] = metric_named(text) if text else self._unnamed(source)
            if self._metrics[text] is None:
                self.findings.add("RG118", Phrase(f"{source}: {text} is left out", f"{source}：未读取 {text}"))
        metric = self._metrics[text]
        key = system if not name else f"{name}/{system}" if system and system != name else name
        if metric is None or self._texts.setdefault((key, metric), text) != text:
            return
        column = self.by_system.setdefault(key, {}).setdefault(metric, {})
        wrong = Phrase("is infinite", "为无穷大") if math.isinf(value) else None
        if query in column:
            wrong = Phrase("occurs twice", "出现了两次")
        if wrong is not None:
            en, zh = f"{text} of query {shown(query)} {wrong.en}", f"查询 {shown(query)} 的 {text} {wrong.zh}"
            raise input_error("RG110", Phrase(f"{source}: {en}", f"{source}：{zh}"))
        low, high = metric.definition.bounds
        if math.isnan(value) or not low - ROUNDED <= value <= high + ROUNDED:
            code = "RG119" if math.isnan(value) else "RG120"
            en, zh = f"{text} of query {shown(query)} is {value:g}", f"查询 {shown(query)} 的 {text} 为 {value:g}"
            self.findings.add(code, Phrase(f"{source}: {en}", f"{source}：{zh}"))
        column[query] = value

    def _unnamed(self, source: str) -> Metric:
        """Return the metric of values that name none: the only one asked for."""
        if len(self.wanted) != 1:
            raise input_error("RG114", _NO_METRIC.fill(source=source), _NAME_METRIC)
        return self.wanted[0]
