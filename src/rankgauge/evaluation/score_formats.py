"""Scores in other forms: plain data, rows, the output of trec_eval, and files with their convention and schema."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from rankgauge.conventions.rule import plain_number
from rankgauge.metric_core.definition import parameters_data
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.registry import trec_names
from rankgauge.rendering.plain import PlainData, finite_or_none

if TYPE_CHECKING:
    from rankgauge.evaluation.scores import Scores

SCHEMA = 1
COLUMNS = ("system", "query", "metric", "value", "convention", "schema")
"""The columns of the long formats: CSV, TSV, JSONL and Parquet."""
MEAN = "all"
"""The query of a row with the value over all queries."""
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
"""Prefixes that a spreadsheet takes for a formula."""
CONTROLS = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160)) if chr(code) not in "\t\n\r"}
"""What is written for control characters, with which a text could move the cursor or recolour a terminal."""


def long_rows(scores: Scores, per_query: bool) -> Iterable[tuple[str, str, str, float | None, str, int]]:
    """Yield a row for each system, metric and query (and ``all``); None for what is not a number."""
    lines = {
        metric: scores.definitions.get(metric, "") if scores.from_values else metric.line(scores.convention)
        for metric in scores.metrics
    }
    for system in scores.systems:
        for metric in scores.metrics:
            values: Mapping[object, float] = scores.per_query(metric, system) if per_query else {}
            for query, value in [*values.items(), (MEAN, scores.mean(metric, system))]:
                yield system, str(query), str(metric), finite_or_none(value), lines[metric], SCHEMA


def spreadsheet_safe(cell: str) -> str:
    """Prefix the text with an apostrophe if a spreadsheet would run it as a formula.

    >>> spreadsheet_safe("=HYPERLINK(0)")
    "'=HYPERLINK(0)"
    """
    return f"'{cell}" if cell.startswith(FORMULA_STARTS) else cell


def without_controls(cell: str) -> str:
    r"""Return the text with control characters made visible, except tabs and line breaks, which are quoted.

    >>> without_controls("doc\x1b[31m1")
    'doc\\x1b[31m1'
    """
    return cell if cell.isprintable() else cell.translate(CONTROLS)


def table_text(columns: Iterable[str], rows: Iterable[Iterable[object]], separator: str) -> str:
    """Return rows as CSV or TSV; text is safe for terminals, and in CSV for spreadsheets; numbers have all digits."""
    buffer = io.StringIO()
    import csv  # noqa: PLC0415 (only for output)

    writer = csv.writer(buffer, delimiter=separator, lineterminator="\n")

    def clean(text: str) -> str:
        shown = without_controls(text)
        return spreadsheet_safe(shown) if separator == "," else shown

    writer.writerow(map(clean, columns))
    for row in rows:
        writer.writerow(clean(cell) if isinstance(cell, str) else "" if cell is None else repr(cell) for cell in row)
    return buffer.getvalue()


def long_columns(scores: Scores) -> dict[str, list[Any]]:
    """Return a row per system, metric and query, as columns."""
    columns: dict[str, list[object]] = {"system": [], "query": [], "metric": [], "value": []}
    for system in scores.systems:
        for metric in scores.metrics:
            values = scores.per_query(metric, system)
            columns["system"] += [system] * len(values)
            columns["query"] += values.keys()
            columns["metric"] += [str(metric)] * len(values)
            columns["value"] += values.values()
    return _identified(columns, scores.named)


def wide_columns(scores: Scores) -> dict[str, list[object]]:
    """Return a row per system and query and a column per metric, as columns; None where a query does not count."""
    metrics = scores.query_metrics
    columns: dict[str, list[object]] = {"system": [], "query": [], **{str(metric): [] for metric in metrics}}
    for system in scores.systems:
        columns["system"] += [system] * len(scores.queries)
        columns["query"] += scores.queries
        for metric in metrics:
            values = scores.per_query(metric, system)
            columns[str(metric)] += [finite_or_none(values.get(query)) for query in scores.queries]
    return _identified(columns, scores.named)


def _identified(columns: dict[str, list[object]], named: bool) -> dict[str, list[object]]:
    """Return the columns with query ids of one type, and with the names of the systems if they have any."""
    if len({*map(type, columns["query"])}) > 1:
        columns["query"] = [*map(str, columns["query"])]
    return columns if named else {name: column for name, column in columns.items() if name != "system"}


def scores_data(scores: Scores, *, queries: bool = True) -> dict[str, object]:
    """Return everything as plain data, with or without the values of queries; None for what is not a number."""
    systems = {name: _system_data(scores, name, queries) for name in scores.systems}
    return {
        "schema": SCHEMA,
        "convention": None if scores.from_values else scores.convention.to_dict(),
        **parameters_data(scores.metrics),
        **({} if scores.grades is None else {"grades": repr(scores.grades)}),
        "provenance": scores.provenance,
        "findings": [finding.to_dict() for finding in scores.findings],
        "without_relevant": [*scores.without_relevant],
        **({"systems": systems} if scores.named else systems[""]),
    }


def _system_data(scores: Scores, system: str, queries: bool) -> PlainData:
    columns = {str(metric): scores.values(metric, system).tolist() for metric in scores.query_metrics}
    return {
        "mean": {str(metric): finite_or_none(scores.mean(metric, system)) for metric in scores.metrics},
        "missing": [*scores.missing_in(system)],
        **({"per_query": _query_data(scores, columns)} if queries else {}),
    }


def _query_data(scores: Scores, columns: Mapping[str, list[float]]) -> PlainData:
    return {
        str(query): {name: finite_or_none(values[place]) for name, values in columns.items()}
        for place, query in enumerate(scores.queries)
    }


def scores_trec(scores: Scores, per_query: bool, system: str | None) -> str:
    """Return the output of trec_eval for one system."""
    columns = {metric: scores.values(metric, system).tolist() for metric in scores.query_metrics}
    lines = [
        _trec_line(metric, str(query), values[place])
        for place, query in enumerate(scores.queries if per_query else ())
        for metric, values in columns.items()
    ]
    lines += [_trec_line(metric, "all", scores.mean(metric, system)) for metric in scores.metrics]
    return "\n".join(lines) + "\n"


def _trec_line(metric: Metric, query: str, value: float) -> str:
    number = f"{plain_number(value)}" if metric.definition.summary.is_count else f"{value:6.4f}"
    return f"{_trec_name(metric):<22}\t{query}\t{number}"


def _trec_name(metric: Metric) -> str:
    """Return trec_eval's name of a metric, or its own notation if trec_eval does not have it."""
    without_cutoff = {**metric.parameters, "k": None} if metric.k is not None else metric.parameters
    for name, notation in trec_names().items():
        if notation == str(metric):
            return name
        if notation.endswith("@{}") and metric.k is not None and notation == f"{metric(**without_cutoff)}@{{}}":
            return f"{name}_{metric.k}"
    return str(metric)


def _delimited(separator: str) -> Callable[[Scores, bool], bytes]:
    return lambda scores, per_query: table_text(COLUMNS, long_rows(scores, per_query), separator).encode()


def _jsonl(scores: Scores, per_query: bool) -> bytes:
    rows = (dict(zip(COLUMNS, row, strict=True)) for row in long_rows(scores, per_query))
    import json  # noqa: PLC0415 (only for output)

    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def _trec(scores: Scores, per_query: bool) -> bytes:
    """Return trec_eval's output; with several systems, each begins with a ``runid`` line as in trec_eval."""
    several = len(scores.systems) > 1
    return "".join(
        f"{'runid':<22}\tall\t{system}\n" * several + scores_trec(scores, per_query, system)
        for system in scores.systems
    ).encode()


def _parquet(scores: Scores, per_query: bool) -> bytes:
    import polars as pl  # noqa: PLC0415

    types = dict(zip(COLUMNS, (pl.String, pl.String, pl.String, pl.Float64, pl.String, pl.Int32), strict=True))
    frame = pl.DataFrame([*long_rows(scores, per_query)], schema=types, orient="row")
    buffer = io.BytesIO()
    definition = {"schema": SCHEMA, "convention": scores.convention.to_dict(), **parameters_data(scores.metrics)}
    import json  # noqa: PLC0415 (only for output)

    rules = json.dumps(definition, ensure_ascii=False)
    frame.write_parquet(buffer, metadata={"rankgauge": rules})
    return buffer.getvalue()


FORMATS: Mapping[str, Callable[[Scores, bool], bytes]] = {
    "csv": _delimited(","),
    "tsv": _delimited("\t"),
    "json": lambda scores, _: f"{scores.to_json(indent=2)}\n".encode(),
    "jsonl": _jsonl,
    "trec": _trec,
    "parquet": _parquet,
}
"""Writers of the formats for programs, by name; they take the scores and whether to include the queries."""
