"""Scores as files for people and programs; each carries the definition used and the version of its layout."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from rankgauge.errors import ParameterError
from rankgauge.evaluation.scores import SCHEMA, Scores
from rankgauge.rendering.language import Lang

COLUMNS = ("system", "query", "metric", "value", "convention", "schema")
"""The columns of the long formats: CSV, TSV, JSONL and Parquet."""
TEXTS = ("table", "md", "latex")
"""The formats for people."""
FORMATS = ("table", "trec", "tsv", "csv", "json", "jsonl", "md", "latex", "parquet")
MEAN = "all"
"""What stands for the query in a row that is about all of them."""
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet would take for a formula."""


def as_bytes(
    scores: Scores,
    format: str,  # noqa: A002 (the word that callers look for)
    *,
    per_query: bool = False,
    lang: Lang = "en",
    width: int | None = None,
    digits: int = 4,
) -> bytes:
    r"""The scores in one of ``FORMATS``; ``lang``, ``width`` and ``digits`` are for people, programs get all digits.

    >>> import rankgauge as rg
    >>> scores = rg.evaluate({"q": {"a": 1}}, {"mine": {"q": ["b", "a"]}}, "RR")
    >>> as_bytes(scores, "tsv").splitlines()[1].split(b"\t")[:4]
    [b'mine', b'all', b'RR', b'0.5']
    """
    if format not in FORMATS:
        raise ParameterError.of("format", format, f"one of {', '.join(map(repr, FORMATS))}")
    if format == "parquet":
        return _parquet(scores, per_query)
    if format in TEXTS:
        page = scores.document(lang, per_query=per_query, digits=digits)
        text = {"table": lambda: page.to_text(width), "md": page.to_markdown, "latex": page.to_latex}[format]()
        return f"{text}\n".encode()
    return _PROGRAMS[format](scores, per_query).encode()


def long_rows(scores: Scores, *, per_query: bool) -> Iterable[tuple[str, str, str, float | None, str, int]]:
    """A row for each system, metric and query (and ``all``); None for what is not a number."""
    lines = {metric: metric.line(scores.convention) for metric in scores.metrics}
    for system in scores.systems:
        for metric in scores.metrics:
            values: Mapping[Any, float] = scores.per_query(metric, system) if per_query else {}
            for query, value in [*values.items(), (MEAN, scores.mean(metric, system))]:
                number = None if math.isnan(value) else value
                yield system, str(query), str(metric), number, lines[metric], SCHEMA


def spreadsheet_safe(cell: str) -> str:
    """The text with an apostrophe before it where a spreadsheet would run it as a formula.

    >>> spreadsheet_safe("=HYPERLINK(0)")
    "'=HYPERLINK(0)"
    """
    return f"'{cell}" if cell.startswith(FORMULA_STARTS) else cell


def table_text(columns: Iterable[str], rows: Iterable[Iterable[Any]], separator: str) -> str:
    """Rows as CSV or TSV; texts in CSV are made safe for spreadsheets, numbers have all their digits."""
    sheet = io.StringIO()
    writer = csv.writer(sheet, delimiter=separator, lineterminator="\n")
    writer.writerow(columns)
    clean: Callable[[str], str] = spreadsheet_safe if separator == "," else str
    for row in rows:
        writer.writerow(clean(cell) if isinstance(cell, str) else "" if cell is None else repr(cell) for cell in row)
    return sheet.getvalue()


def _delimited(scores: Scores, per_query: bool, separator: str) -> str:
    return table_text(COLUMNS, long_rows(scores, per_query=per_query), separator)


def _jsonl(scores: Scores, per_query: bool) -> str:
    rows = (dict(zip(COLUMNS, row, strict=True)) for row in long_rows(scores, per_query=per_query))
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _trec(scores: Scores, per_query: bool) -> str:
    """trec_eval's layout; with several systems, a line ``runid`` begins each, as in its own output."""
    several = len(scores.systems) > 1
    heads = {system: f"{'runid':<22}\tall\t{system}\n" * several for system in scores.systems}
    return "".join(head + scores.to_trec(per_query=per_query, system=system) for system, head in heads.items())


def _parquet(scores: Scores, per_query: bool) -> bytes:
    import polars as pl  # noqa: PLC0415

    kinds = dict(zip(COLUMNS, (pl.String, pl.String, pl.String, pl.Float64, pl.String, pl.Int32), strict=True))
    frame = pl.DataFrame([*long_rows(scores, per_query=per_query)], schema=kinds, orient="row")
    sheet = io.BytesIO()
    rules = json.dumps({"schema": SCHEMA, "convention": scores.convention.to_dict()}, ensure_ascii=False)
    frame.write_parquet(sheet, metadata={"rankgauge": rules})
    return sheet.getvalue()


_PROGRAMS: dict[str, Callable[[Scores, bool], str]] = {
    "csv": lambda scores, per_query: _delimited(scores, per_query, ","),
    "tsv": lambda scores, per_query: _delimited(scores, per_query, "\t"),
    "json": lambda scores, _: scores.to_json(indent=2) + "\n",
    "jsonl": _jsonl,
    "trec": _trec,
}
