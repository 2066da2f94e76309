"""`read_scores`: values per query that another tool computed, as Scores for ``compare``, ``check`` and ``report``."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace

from rankgauge.errors import InputError, ParameterError, UnknownNameError, shown
from rankgauge.evaluation.scores import Scores
from rankgauge.evaluation.value_formats import Definitions, saved_means, value_rows
from rankgauge.evaluation.value_lines import Row
from rankgauge.evaluation.value_recognition import holds_data_sets, metric_named
from rankgauge.inputs.findings import Findings, input_error
from rankgauge.inputs.io.paths import split_system
from rankgauge.matching.source_types import PathType
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import MetricsLike, parse_all
from rankgauge.rendering.language import Phrase

DIFFERENT = Phrase(
    "the values of {metric} were computed under different definitions, {first} and {second}, and cannot be compared; "
    "compute them under the same rules",
    "{metric} 的值按不同的定义算出（{first} 与 {second}），不能比较；请按相同的规则计算",
)
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
        A system that a file names is used where a file has several, or no name is given; ``"file.csv/BM25"`` is one.
    metrics
        The metrics to read; by default all that every system has. The metric of values that name none.
    split
        The split of MTEB results that have several.

    The rules by which the values were computed, ties and unjudged items are unknown and left out of every output,
    except the definitions that files of rankgauge state.
    """
    wanted = None if metrics is None else parse_all(metrics)
    named, values = sources if isinstance(sources, Mapping) else {"": sources}, _Values(wanted or ())
    definitions: Definitions = {}
    for name, source in named.items():
        if not isinstance(source, str | os.PathLike):
            allowed = "a file, or a mapping from names to files", "文件，或从名称到文件的映射"
            raise ParameterError.of("sources", source, allowed, "read_scores")
        path, picked = split_system(source)
        stated: Definitions = {}
        rows = [*value_rows(path, split, stated)]
        for metric in dict.fromkeys(row[1] for row in rows):
            definitions.setdefault(metric, set()).update(stated.get(metric) or {""})
        systems = dict.fromkeys(row[0] for row in rows)
        if picked and picked not in systems:
            raise UnknownNameError.closest(Phrase("system", "系统"), picked, systems)
        several = len(systems) > 1 and not picked
        if holds_data_sets(path):
            values.findings.rows = "data sets"
        for system, metric, query, value in rows:
            if picked in {"", system}:
                label = system if several or not name else ""
                prefix = "" if several and len(named) == 1 else str(name)
                values.add(prefix, (label, metric, query, value), os.fspath(path))
    scores = Scores.of_values(values.by_system, metrics=wanted, findings=values.findings)
    return replace(scores, definitions={metric: _definition(metric, definitions) for metric in scores.metrics})


def _definition(metric: Metric, definitions: Definitions) -> str:
    """Return the definition that files state of a metric, empty if none does; an error if they state several."""
    lines = {line for name, stated in definitions.items() if metric_named(name) == metric for line in stated}
    known = sorted(lines - {""})
    if len(known) > 1:
        first, second = ({*line.split(" · ")} for line in known[:2])
        differing = ", ".join(sorted(first - second)), ", ".join(sorted(second - first))
        raise InputError(DIFFERENT.fill(metric=metric, first=differing[0] or "-", second=differing[1] or "-"))
    return "" if "" in lines else next(iter(known), "")


def read_means(source: PathType) -> Scores | None:
    """Return the means of one system that were saved without values of queries; None for any other file of values."""
    document = None if split_system(source)[1] else saved_means(source)
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
