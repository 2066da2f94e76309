"""Rows of texts and their documents: a text without offsets is found there, one with offsets is compared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import polars as pl

from rankgauge.errors import InputError, shown
from rankgauge.inputs.columns import SPAN_NAMES, names_spans, normalise_name
from rankgauge.inputs.documents import Documents
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.formats.reader import suggested_format
from rankgauge.inputs.frames import as_polars, is_frame
from rankgauge.inputs.io.input_file import InputFile
from rankgauge.inputs.raw_tables import raw_table
from rankgauge.inputs.shapes.document_spans import GRADES, QUERIES, SCORES
from rankgauge.inputs.source import Source
from rankgauge.inputs.spans import Span
from rankgauge.rendering.language import Phrase

KINDS = {
    "query": QUERIES,
    "document": SPAN_NAMES["document"],
    "text": SPAN_NAMES["text"],
    "grade": GRADES,
    "score": SCORES,
    "rank": SPAN_NAMES["rank"],
    "group": SPAN_NAMES["group"],
    "start": SPAN_NAMES["start"],
    "end": SPAN_NAMES["end"],
}
"""The names of the columns, by what they hold."""


def located(source: Source) -> Source:
    """Return rows of texts with the offsets at which documents have them; any other source as it is.

    A row has a query, a text and perhaps its document, and no lists. Texts that have offsets are compared with those
    of their documents, and others are found if the source is to be read as spans.
    """
    documents, columns = source.options.documents, source.options.columns_of(source.role) or {}
    table = _table(source, columns) if documents is not None and source.options.units is None else None
    if table is None or documents is None:
        return source
    findings, named = Findings(), source.name if source.file is not None else source.role
    if {*table.columns} >= OFFSETS:
        _compare(table, documents, findings, named)
        findings.raise_errors(source.options.lenient)
        if source.findings is not None:
            findings.merge(source.findings)
        return replace(source, findings=findings)
    if not source.options.spans:
        return source
    rows = _with_offsets(table, documents, findings, named)
    findings.raise_errors(source.options.lenient)
    rest = {name: column for name, column in (source.options.columns or {}).items() if name not in _GIVEN}
    options = replace(source.options, columns=rest or None)
    return Source(rows, "frame", source.role, options, source.name, findings=findings)


OFFSETS = {"document", "start", "end"}
"""The columns that say where a text is."""
_GIVEN = {"query", "item", "score", "rank", "grade", "judgments", "ranking"}
"""What ``columns`` can say about columns that have the names used here afterwards."""
_TABLES = {"csv", "tsv", "json", "jsonl", "parquet", "arrow"}
"""The formats in which rows can have texts."""


def _table(source: Source, given: Mapping[str, str]) -> pl.DataFrame | None:
    """Return the rows with the columns of ``KINDS``, None if they are no texts of documents."""
    value = source.value if source.raw is None else source.raw
    is_table = source.file is not None or is_frame(value)
    if not is_table and _named(_first_record(value), given) is None:
        return None
    try:
        if source.file is not None and not _is_table(source, source.file):
            return None
        table = as_polars(value) if is_frame(value) else raw_table(source)
    except InputError:  # reported when it is read
        return None
    names = None if table is None or not table.height else _named(table.row(0, named=True), given)
    if table is None or names is None:
        return None
    others = [name for name in table.columns if name not in names.values() and name not in names]
    return table.select(*(pl.col(name).alias(kind) for kind, name in names.items()), *others)


def _is_table(source: Source, file: InputFile) -> bool:
    """Whether a file has rows that can have texts; a stream is read into memory, since it is read again if not."""
    if not file.is_regular and not file.files:
        file.load()
    known = suggested_format(file, source.role, source.options.side(source.role))
    return not file.files and known.name in _TABLES


def _first_record(value: object) -> Any:
    return value[0] if isinstance(value, list | tuple) and value and isinstance(value[0], Mapping) else {}


def _named(row: Mapping[Any, Any], given: Mapping[str, str]) -> dict[str, str] | None:
    """Return the columns of a row by what they hold, None if it is no text of a document."""
    words = {normalise_name(name): name for name in reversed([*row]) if isinstance(name, str)}
    found = {kind: next((words[name] for name in names if name in words), None) for kind, names in KINDS.items()}
    found |= {kind: name for kind, name in given.items() if kind in KINDS and name in row}
    named = {kind: name for kind, name in found.items() if name is not None}
    in_other_units = not named.keys() >= OFFSETS and names_spans({*words, "document"})
    if not {"query", "text"} <= named.keys() or in_other_units or _has_spans(row.values()):
        return None
    return named if isinstance(row[named["text"]], str) else None


def _has_spans(values: Iterable[object]) -> bool:
    """Whether a row has ids of spans already, or lists, which are chunks of tools."""
    return any(isinstance(value, list | tuple | Mapping) or Span.of(value) is not None for value in values)


def _compare(table: pl.DataFrame, documents: Documents, findings: Findings, name: str) -> None:
    """Report texts that their documents do not have at the offsets of the row."""
    offsets = (pl.col(kind).cast(pl.Int64, strict=False) for kind in ("start", "end"))
    rows = table.select(pl.col("document").cast(pl.String), *offsets, pl.col("text").cast(pl.String))
    for row, (document, start, end, text) in enumerate(rows.iter_rows(), 1):
        if None in (document, start, end) or not text or not 0 <= start < end:  # reported when it is read
            continue
        if (wrong := documents.misplaced(Span(document, start, end), text)) is not None:
            code, reason = wrong
            findings.add(code, Phrase(f"{name}: row {row}: {reason.en}", f"{name}：第 {row} 行：{reason.zh}"))


def _with_offsets(table: pl.DataFrame, documents: Documents, findings: Findings, name: str) -> pl.DataFrame:
    """Return the rows with document, start and end; texts that are not found, or more than once, are reported."""
    document = pl.col("document").cast(pl.String) if "document" in table.columns else pl.lit(None, pl.String)
    texts = table.select(document=document, text=pl.col("text").cast(pl.String))
    first, place = {}, texts.with_row_index("row").group_by("document", "text", maintain_order=True).first()
    for own, text, row in place.iter_rows():
        at = Phrase(f"{name}: row {row + 1}", f"{name}：第 {row + 1} 行")
        first[own, text] = _found(documents, own, text, findings, at)
    spans = [first[own, text] for own, text in texts.iter_rows()]
    located_rows = table.with_columns(
        pl.Series("document", [None if span is None else span.document for span in spans], dtype=pl.String),
        pl.Series("start", [None if span is None else span.start for span in spans], dtype=pl.Int64),
        pl.Series("end", [None if span is None else span.end for span in spans], dtype=pl.Int64),
    )
    return located_rows.drop("text").drop_nulls("start")


def _found(documents: Documents, document: str | None, text: str | None, findings: Findings, at: Phrase) -> Span | None:
    """Return the place of a text, the first of several; none is an error."""
    places = documents.find(text, document) if text else []
    excerpt = shown(text or "")
    where = Phrase("no document contains", "没有文档包含")
    if document:
        where = Phrase(f"document {shown(document)} does not contain", f"文档 {shown(document)} 不含")
    if not places:
        findings.add("RG224", Phrase(f"{at.en}: {where.en} {excerpt}", f"{at.zh}：{where.zh} {excerpt}"))
        return None
    if len(places) > 1:
        en = f"{at.en}: {excerpt} occurs more than once, first at {places[0]}, which counts"
        findings.add("RG223", Phrase(en, f"{at.zh}：{excerpt} 出现多次；取第一处 {places[0]}"))
    return places[0]
