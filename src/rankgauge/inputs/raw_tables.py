"""Tables with all their columns, for those that readers leave out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import polars as pl

from rankgauge.inputs.columns import find_column, looks_like_spans
from rankgauge.inputs.formats.table_files import parse_table, read_content
from rankgauge.inputs.frames import as_polars, is_frame
from rankgauge.inputs.shapes import document_spans
from rankgauge.inputs.source import Source
from rankgauge.inputs.spans import span_items


def raw_table(source: Source, *, as_text: bool = False) -> pl.DataFrame | None:
    """Return all columns of a frame, of records or of a table in a file; None for anything else.

    ``as_text`` keeps the cells of CSV and TSV as text.
    """
    value: Any = source.value if source.raw is None else source.raw
    if source.file is not None:
        if source.file.is_loaded:
            content, name = source.file.take().read() or b"", source.file.name
        elif source.file.is_regular:
            content, name = read_content(source.file.path, source.role)
        else:
            return None
        if content.lstrip().startswith(b"["):
            return _of_records(json.loads(content))
        return parse_table(content, name, source.role, as_text=as_text)
    return as_polars(value) if is_frame(value) else _of_records(value)


def _of_records(value: Any) -> pl.DataFrame | None:
    is_table = isinstance(value, list | tuple) and bool(value) and isinstance(value[0], Mapping)
    return pl.DataFrame([*value], infer_schema_length=None) if is_table else None


def with_items(table: pl.DataFrame, columns: Mapping[str, str]) -> pl.DataFrame | None:
    """Return the table with the columns query and item, as readers name items; None if it lacks them."""
    if looks_like_spans(table.columns):
        fit = document_spans.fit(table.row(0, named=True)) if table.height else None
        rows = None if fit is None or fit.in_columns is None else fit.in_columns(table, "ranking")
        return None if rows is None else table.with_columns(rows["query"], rows.select(item=span_items()).to_series())
    named = {
        kind: columns.get(kind) or find_column(kind, table.columns, "ranking", "ranking") for kind in ("query", "item")
    }
    if None in named.values():
        return None
    return table.with_columns(query=pl.col(str(named["query"])), item=pl.col(str(named["item"])))
