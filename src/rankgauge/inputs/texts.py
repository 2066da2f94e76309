"""Texts of queries and items from JSONL, CSV, TSV or Parquet; only those that a page shows are kept."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Collection, Iterator, Mapping
from contextlib import closing
from itertools import chain
from os import PathLike
from typing import Any, TypeAlias

from rankgauge.errors import InputError, shown
from rankgauge.inputs.findings import reader_errors
from rankgauge.inputs.formats.file_groups import TextFiles
from rankgauge.inputs.formats.table_files import no_data
from rankgauge.inputs.io.compression import open_bytes

IDS = ("id", "_id", "query_id", "qid", "query", "item_id", "item", "doc_id", "docno", "docid", "did", "pid")
TEXTS = ("text", "title", "contents", "content", "body", "name")
LONGEST = 400
"""Longer texts are cut to this number of characters."""
ROWS = 1 << 17
"""Rows of a Parquet file in memory at a time."""
PARQUET = b"PAR1"
csv.field_size_limit(1 << 24)
TextsLike: TypeAlias = Mapping[Any, str] | TextFiles | str | PathLike[str]
"""Texts by id, or files that have them."""


def query_key(query: str) -> str:
    """Return the key of the text of a query where items may have the same ids."""
    return f"query\0{query}"


def read_texts(source: TextsLike, wanted: Collection[str], longest: int = LONGEST) -> dict[str, str]:
    """Return the text of each wanted id, cut to a number of characters.

    >>> read_texts({7: "seven", 8: "eight"}, {"7"})
    {'7': 'seven'}
    """
    if isinstance(source, TextFiles):  # a query and an item may have the same id
        items = (pair for path in source.items for pair in read_texts(path, wanted, longest).items())
        queries = (pair for path in source.queries for pair in read_texts(path, wanted, longest).items())
        return dict(items) | {query_key(key): text for key, text in queries}
    pairs = ((str(key), str(text)) for key, text in source.items()) if isinstance(source, Mapping) else _pairs(source)
    return {key: text if len(text) <= longest else f"{text[:longest]}…" for key, text in pairs if key in wanted}


def _pairs(source: str | PathLike[str]) -> Iterator[tuple[str, str]]:
    stream = open_bytes(source)
    name = stream.name
    with closing(stream), io.TextIOWrapper(stream, encoding="utf-8-sig", errors="replace", newline="") as lines:
        if stream.peek(4) == PARQUET:
            yield from _table(source, name)
            return
        first = next(lines, "")
        if not first.strip():
            raise no_data(f"texts: {name}", f"texts：{name}")
        if first.lstrip().startswith("{"):
            yield from _records(first, lines, name)
        else:
            yield from _rows(first, lines, name)


def _table(source: str | PathLike[str], name: str) -> Iterator[tuple[str, str]]:
    """Yield the ids and texts of a Parquet file, some rows at a time."""
    import polars as pl  # noqa: PLC0415 (slow to import)

    from rankgauge.inputs.formats.registry import format_named  # noqa: PLC0415

    scan = format_named("parquet").codec.scan
    with reader_errors(name):
        table: Any = None if scan is None else scan(source)
        columns = dict.fromkeys(table.collect_schema().names())
        pair = table.select(pl.col(_column(columns, group, name)).cast(pl.String) for group in (IDS, TEXTS))
        for start in range(0, pair.select(pl.len()).collect().item(), ROWS):
            yield from pair.slice(start, ROWS).drop_nulls().collect().iter_rows()


def _records(first: str, lines: Iterator[str], name: str) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(chain([first], lines), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError as reason:
            raise InputError(f"{name}:{number}: {shown(line[:60])} is not JSON: {reason}") from None
        if not isinstance(record, dict):
            raise InputError(f"{name}:{number}: {shown(record)} is not an object with an id and a text")
        key, text = _column(record, IDS, name), _column(record, TEXTS, name)
        yield str(record[key]), str(record[text])


def _rows(first: str, lines: Iterator[str], name: str) -> Iterator[tuple[str, str]]:
    separator = "\t" if "\t" in first else ","
    rows = csv.reader(chain([first], lines), delimiter=separator)
    header = next(rows)
    lower = [cell.strip().lower() for cell in header]
    if not {*lower} & {*IDS} and len(header) == 2:  # noqa: PLR2004 (an id and a text, without a header)
        yield header[0], header[1]
        key, text = 0, 1
    else:
        columns = dict.fromkeys(lower)
        key, text = lower.index(_column(columns, IDS, name)), lower.index(_column(columns, TEXTS, name))
    for row in rows:
        if len(row) > max(key, text):
            yield row[key], row[text]


def _column(record: Mapping[str, object], names: tuple[str, ...], name: str) -> str:
    column = next((column for column in names if column in record), None)
    if column is None:
        raise InputError(
            f"texts: expected a column named one of {', '.join(names)}; {name} has {', '.join(map(shown, record))}"
        )
    return column
