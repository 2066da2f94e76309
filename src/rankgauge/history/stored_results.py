"""What is stored of runs, values of queries and rankings, and the scores that are made of them again."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import path
from pathlib import Path
from typing import Any

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.evaluate import evaluate
from rankgauge.evaluation.evaluator import Evaluator
from rankgauge.evaluation.provenance import ScoresOrigin
from rankgauge.evaluation.scores import Scores
from rankgauge.history.files import write_table
from rankgauge.history.run import LoggedRun, MetricSummary, stored_convention
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.read_options import ReadOptions
from rankgauge.matching.copies import item_of
from rankgauge.matching.fingerprints import text_column
from rankgauge.matching.ranking import Ranking
from rankgauge.metric_core.corpus_value import CorpusValue
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import parse
from rankgauge.rendering.language import Phrase
from rankgauge.rendering.plain import finite_or_none

RETURNED = "returned"
"""The column of the values that says whether the ranking had the query."""


def run_of_scores(scores: Scores) -> LoggedRun:
    """Return the scores of one system as a run, so far without an id."""
    provenance = scores.provenance
    if scores.from_values:
        provenance.pop("convention", None)
    summaries = {str(metric): _metric_summary(scores, metric) for metric in scores.metrics}
    return LoggedRun.of_provenance(provenance, summaries)


def _metric_summary(scores: Scores, metric: Metric) -> MetricSummary:
    """Return the value of a metric over all queries, how many count, and its standard error."""
    mean = finite_or_none(scores.mean(metric))
    if not metric.definition.summary.has_query_values:
        return MetricSummary(mean, len(scores.queries), None)
    values = np.array([*scores.per_query(metric).values()])
    values = values[~np.isnan(values)]
    is_mean = metric.definition.summary.under(scores.convention).is_mean(scores.convention)
    has_error = is_mean and scores.weights is None and len(values) > 1
    error = float(values.std(ddof=1)) / math.sqrt(len(values)) if has_error else None
    return MetricSummary(mean, len(values), error)


def value_table(scores: Scores) -> Any:
    """Return the value of each query and metric, and whether the ranking had the query."""
    returned = np.ones(len(scores.queries), dtype=bool)
    returned[next(iter(scores.by_system.values()))[1]] = False
    columns = {str(metric): scores.values(metric) for metric in scores.query_metrics}
    return value_frame(scores.queries, columns, returned)


def value_frame(queries: Sequence[Any], values: Mapping[str, Any], returned: Any) -> Any:
    """Return the values of queries as a table of the store."""
    import polars as pl  # noqa: PLC0415 (slow to load)

    columns = {name: pl.Series(numbers, dtype=pl.Float64) for name, numbers in values.items()}
    return pl.DataFrame({"query": text_column(queries), **columns, RETURNED: returned})


def stored_scores(
    runs: Mapping[str, tuple[LoggedRun, Any]], metrics: Sequence[str], current: tuple[Sequence[Any], Convention] | None
) -> Scores:
    """Return stored values as scores of these systems; of the ``current`` queries and rules, if they are given."""
    first = next(iter(runs.values()))[0]
    parsed = [parse(metric) for metric in metrics]
    for run, table in runs.values():
        if table is None and any(metric.definition.summary.has_query_values for metric in parsed):
            message = Phrase(
                "run {id}: the values of its queries are not stored ({file}), so that it cannot be compared",
                "记录 {id}：未存各查询的值（{file}），无法比较",
            )
            raise InputError(message.fill(id=run.id, file=run.values or "-"))
    ids: list[Any] = next((table["query"].to_list() for _, table in runs.values() if table is not None), [])
    queries, convention = (ids, stored_convention(first.convention)) if current is None else current
    by_system, corpus, texts = {}, {}, text_column(queries).to_list()
    for system, (run, table) in runs.items():
        place = {} if table is None else {query: row for row, query in enumerate(table["query"].to_list())}
        rows = np.array([place[text] for text in texts] if place else [], dtype=np.int64)
        columns = {
            metric: table[str(metric)].to_numpy()[rows]
            if metric.definition.summary.has_query_values
            else np.full(len(queries), np.nan)
            for metric in parsed
        }
        returned = table[RETURNED].to_numpy()[rows] if table is not None and RETURNED in table.columns else None
        missing = np.empty(0, dtype=np.int64) if returned is None else np.flatnonzero(~returned)
        by_system[system] = columns, missing
        corpus[system] = {
            metric: CorpusValue.constant(_number(run.metrics[str(metric)].mean))
            for metric in parsed
            if metric.definition.summary.under(convention).is_resampled
        }
    stored = first.provenance
    if first.id:
        stored["run"] = {name: getattr(first, name) for name in ("id", "name", "time")}
    if len(runs) > 1:
        stored = {**first.provenance, "ranking": {system: run.ranking for system, (run, _) in runs.items()}}
    origin = ScoresOrigin(ReadOptions(), stored=stored)
    return Scores(queries, by_system, convention, Findings(), corpus_values=corpus, origin=origin)


def _number(value: float | None) -> float:
    return math.nan if value is None else value


ROLLED_UP = Phrase(
    "a ranking whose items are rolled up into units is not kept; log it without keep_ranking",
    "归入单位的排序结果不会保存；请不带 keep_ranking 记录",
)
GONE = Phrase(
    "run {id}: its ranking was not kept and cannot be read again ({reason}); log runs with --keep-ranking",
    "记录 {id}：未保存排序结果，也无法重新读取（{reason}）；请用 --keep-ranking 记录",
)
NO_FILE = Phrase("its file {file} is missing", "文件 {file} 不存在")
CHANGED = Phrase("its file {file} has changed", "文件 {file} 已改变")
OTHER_QUERIES = Phrase("the queries differ, so that its file cannot be verified", "查询不同，无法核对其文件")


def kept_ranking(evaluator: Evaluator, ranking: Ranking, folder: Path) -> str:
    """Store the items and scores of the judged queries, and return the name of the file."""
    import polars as pl  # noqa: PLC0415 (slow to load)

    if evaluator.rules.units != "items":
        raise ParameterError(ROLLED_UP)
    judgments = evaluator.judgments
    scores = ranking.scores_by_item(judgments, judgments.queries, Findings(), evaluator.rules)
    rows: list[tuple[Any, Any, Any]] = [
        (query, item_of(item), score) for query, own in scores.items() for item, score in own.items()
    ]
    queries, items, numbers = ([row[place] for row in rows] for place in range(3))
    columns = {"query": text_column(queries), "item": text_column(items)}
    frame = pl.DataFrame({**columns, "score": pl.Series([float(number) for number in numbers], dtype=pl.Float64)})
    return write_table(folder, frame)


def stored_ranking(
    run: LoggedRun, folder: Path, judgments: Any, options: ReadOptions, more: Mapping[str, Any]
) -> Scores:
    """Return the scores of the ranking of a run with other judgments; ``more`` are arguments of ``evaluate``."""
    metrics = [*run.metrics]
    more = {"convention": stored_convention(run.convention), "fingerprint": True, **more}
    if run.kept is not None:
        import polars as pl  # noqa: PLC0415 (slow to load)

        file = folder / Path(run.kept).name
        if not file.is_file():
            raise InputError(GONE.fill(id=run.id, reason=NO_FILE.fill(file=file)))
        frame = pl.read_parquet(file)
        return evaluate(judgments, frame, metrics, read_options=options, **more)
    name = run.inputs.get("ranking")
    if not isinstance(name, str) or not path.isfile(name):  # noqa: PTH113 (as it was given)
        raise InputError(GONE.fill(id=run.id, reason=NO_FILE.fill(file=name or "-")))
    read = {key: value for key, value in run.read_options.items() if key in {"columns", "format", "lenient", "units"}}
    scores = evaluate(judgments, name, metrics, read_options=replace(options, **read), **more)
    if scores.provenance["queries"] != run.queries:
        raise InputError(GONE.fill(id=run.id, reason=OTHER_QUERIES))
    if scores.provenance["ranking"] != run.ranking:
        raise InputError(GONE.fill(id=run.id, reason=CHANGED.fill(file=name)))
    return scores
