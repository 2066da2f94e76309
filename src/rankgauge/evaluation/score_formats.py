"""Output formats of scores; each contains the definition used and the version of its schema."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from rankgauge.errors import ParameterError
from rankgauge.evaluation.score_data import SCHEMA
from rankgauge.evaluation.scores import Scores
from rankgauge.rendering.language import Lang
from rankgauge.rendering.plain import finite_or_none

COLUMNS = ("system", "query", "metric", "value", "convention", "schema")
"""The columns of the long formats: CSV, TSV, JSONL and Parquet."""
DOCUMENT_FORMATS = ("table", "md", "latex")
"""Formats for reading; the others are for programs."""
FORMATS = ("table", "trec", "tsv", "csv", "json", "jsonl", "md", "latex", "parquet")
MEAN = "all"
"""The query of a row with the value over all queries."""
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
"""Prefixes that a spreadsheet takes for a formula."""


def as_bytes(
    scores: Scores,
    format: str,  # noqa: A002 (the usual name)
    *,
    per_query: bool = False,
    lang: Lang = "en",
    width: int | None = None,
    digits: int = 4,
) -> bytes:
    r"""Return the scores in one of ``FORMATS``.

    ``lang``, ``width`` and ``digits`` apply to ``DOCUMENT_FORMATS``; the other formats have all digits.

    >>> import rankgauge as rg
    >>> scores = rg.evaluate({"q": {"a": 1}}, {"mine": {"q": ["b", "a"]}}, "RR")
    >>> as_bytes(scores, "tsv").splitlines()[1].split(b"\t")[:4]
    [b'mine', b'all', b'RR', b'0.5']
    """
    if format not in FORMATS:
        raise ParameterError.of("format", format, f"one of {', '.join(map(repr, FORMATS))}")
    if format == "parquet":
        return _parquet(scores, per_query)
    if format in DOCUMENT_FORMATS:
        document = scores.document(lang, per_query=per_query, digits=digits)
        render = {"table": lambda: document.to_text(width), "md": document.to_markdown, "latex": document.to_latex}[
            format
        ]
        return f"{render()}\n".encode()
    return _WRITERS[format](scores, per_query).encode()


def long_rows(scores: Scores, *, per_query: bool) -> Iterable[tuple[str, str, str, float | None, str, int]]:
    """Yield a row for each system, metric and query (and ``all``); None for what is not a number."""
    lines = {metric: metric.line(scores.convention) for metric in scores.metrics}
    for system in scores.systems:
        for metric in scores.metrics:
            values: Mapping[Any, float] = scores.per_query(metric, system) if per_query else {}
            for query, value in [*values.items(), (MEAN, scores.mean(metric, system))]:
                yield system, str(query), str(metric), finite_or_none(value), lines[metric], SCHEMA


def spreadsheet_safe(cell: str) -> str:
    """Prefix the text with an apostrophe if a spreadsheet would run it as a formula.

    >>> spreadsheet_safe("=HYPERLINK(0)")
    "'=HYPERLINK(0)"
    """
    return f"'{cell}" if cell.startswith(FORMULA_STARTS) else cell


def table_text(columns: Iterable[str], rows: Iterable[Iterable[Any]], separator: str) -> str:
    """Return rows as CSV or TSV; text in CSV is made safe for spreadsheets, numbers have all digits."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter=separator, lineterminator="\n")
    writer.writerow(columns)
    clean: Callable[[str], str] = spreadsheet_safe if separator == "," else str
    for row in rows:
        writer.writerow(clean(cell) if isinstance(cell, str) else "" if cell is None else repr(cell) for cell in row)
    return buffer.getvalue()


def _delimited(scores: Scores, per_query: bool, separator: str) -> str:
    return table_text(COLUMNS, long_rows(scores, per_query=per_query), separator)


def _jsonl(scores: Scores, per_query: bool) -> str:
    rows = (dict(zip(COLUMNS, row, strict=True)) for row in long_rows(scores, per_query=per_query))
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _trec(scores: Scores, per_query: bool) -> str:
    """Return trec_eval's output; with several systems, each begins with a ``runid`` line as in trec_eval."""
    several = len(scores.systems) > 1
    return "".join(
        f"{'runid':<22}\tall\t{system}\n" * several + scores.to_trec(per_query=per_query, system=system)
        for system in scores.systems
    )


def _parquet(scores: Scores, per_query: bool) -> bytes:
    import polars as pl  # noqa: PLC0415

    types = dict(zip(COLUMNS, (pl.String, pl.String, pl.String, pl.Float64, pl.String, pl.Int32), strict=True))
    frame = pl.DataFrame([*long_rows(scores, per_query=per_query)], schema=types, orient="row")
    buffer = io.BytesIO()
    rules = json.dumps({"schema": SCHEMA, "convention": scores.convention.to_dict()}, ensure_ascii=False)
    frame.write_parquet(buffer, metadata={"rankgauge": rules})
    return buffer.getvalue()


_WRITERS: dict[str, Callable[[Scores, bool], str]] = {
    "csv": lambda scores, per_query: _delimited(scores, per_query, ","),
    "tsv": lambda scores, per_query: _delimited(scores, per_query, "\t"),
    "json": lambda scores, _: scores.to_json(indent=2) + "\n",
    "jsonl": _jsonl,
    "trec": _trec,
}
