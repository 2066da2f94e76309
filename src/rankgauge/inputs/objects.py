"""Objects of other libraries and lists of records, recognised by what they have; no library is imported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

import polars as pl

from rankgauge.errors import InputError, shown
from rankgauge.inputs.codes import Column, Role
from rankgauge.inputs.columns import MOST_FIELDS, looks_like_header
from rankgauge.inputs.findings import CHOOSE_SPLIT, Findings, input_error, reader_errors, unknown_split
from rankgauge.inputs.formats.codec import Content
from rankgauge.inputs.frames import is_frame, judged_items, ranked_items, recognise_frame
from rankgauge.inputs.grade_checks import note_judged
from rankgauge.inputs.io.lines import FileContext
from rankgauge.inputs.read_options import ReadOptions
from rankgauge.inputs.shapes.entry_rows import EntryRows
from rankgauge.inputs.shapes.recognition import Recognised, recognise_document, recognise_record
from rankgauge.inputs.shapes.search_response import is_error_response
from rankgauge.rendering.language import Phrase
from rankgauge.value_checks import is_nested


def as_plain(source: Any) -> Any:
    """Return dicts, rows or a frame for an object of ranx, datasets or ir_datasets; other objects unchanged."""
    if hasattr(source, "qrels_iter"):  # a dataset of ir_datasets
        return as_plain([*source.qrels_iter()])
    if _is_dataset(source):
        return source.to_polars()
    if hasattr(source, "samples") and hasattr(source, "to_list"):  # EvaluationDataset of ragas
        return source.to_list()
    if isinstance(source, list) and source and hasattr(source[0], "model_dump"):  # test cases of deepeval
        return [record.model_dump() for record in source]
    library = type(source).__module__.partition(".")[0]
    if library == "ranx" and hasattr(source, "to_dict"):
        return source.to_dict()
    if isinstance(source, list) and source and hasattr(source[0], "query_id") and hasattr(source[0], "doc_id"):
        number = "relevance" if hasattr(source[0], "relevance") else "score"
        return [(row.query_id, row.doc_id, getattr(row, number)) for row in source]
    return source


def _is_dataset(source: object) -> bool:
    """Whether an object is a Dataset of datasets."""
    return hasattr(source, "features") and hasattr(source, "to_polars")


def split_of(source: object, split: str | None) -> object:
    """Return a split of a DatasetDict of datasets, the only one if none is named; None for other objects."""
    if not isinstance(source, Mapping) or not source or not all(map(_is_dataset, source.values())):
        return None
    if split in source or (split is None and len(source) == 1):
        return source[next(iter(source)) if split is None else split]
    if split is not None:
        raise unknown_split("judgments", split, source)
    names = ", ".join(map(shown, source))
    message = Phrase(f"judgments: has several splits: {names}", f"judgments：有多个划分：{names}")
    raise input_error("RG114", message, CHOOSE_SPLIT)


def as_table(source: Any, role: Role, options: ReadOptions, findings: Findings) -> tuple[object, bool]:
    """Return a frame for records and for lists of hits by query, and whether its rows were checked.

    Other sources are returned unchanged.
    """
    source, columns = as_plain(source), options.columns_of(role)
    if are_records(source):
        records: list[Any] = [_plain_hits(record) for record in source]
        recognised = recognise_record(records[0], role, None, columns)
        if recognised is None:
            with reader_errors(f"{role}: the records", "values of a column must be of one type, text or numbers"):
                return pl.DataFrame(records, infer_schema_length=None), False
    elif _has_hits(source):
        records = [_plain_hits(source)]
        recognised = recognise_document(records[0], role)
        if recognised is None:
            return source, False
    else:
        return source, False
    return _table(records, recognised, role, options, findings), True


def _table(
    records: Sequence[object], recognised: Recognised, role: Role, options: ReadOptions, findings: Findings
) -> Any:
    """Return the rows of records as a frame, or as dicts if judged items come in groups or a returned list is empty."""
    recognised.check_role(role, role)
    is_judged, spans = role == "judgments", options.span_ids
    column: Column = "group" if is_judged else ""
    context = FileContext(role, role, findings, lenient=False, column=column, keeps_empty=True, span_ids=spans)
    rows = EntryRows(context, recognised.fit, keep_integers=True)
    for number, record in enumerate(records, 1):
        rows.add(record, Phrase(f"record {number}", f"第 {number} 条记录") if len(records) > 1 else "")
    table = judged_items(rows.take()) if is_judged else ranked_items(rows.take())
    if is_judged and is_frame(table):
        note_judged(table, findings)
    return table


def content_of(source: Any, role: Role | None, columns: Mapping[str, str] | None) -> Content:
    """Return what an object holds."""
    name, source = type(source).__name__, as_plain(source)
    recognised = None
    if is_frame(source):
        recognised, names = recognise_frame(source, name, columns)
        if recognised is None:
            return Content.of_rows(names, name, role, columns)
    elif are_records(source):
        first = _plain_hits(source[0])
        recognised = recognise_record(first, name, None, columns)
        if recognised is None:
            return Content.of_rows([*first], name, role, columns)
    elif isinstance(source, Mapping):
        recognised = recognise_document(_plain_hits(source), name)
    if recognised is not None:
        return Content.of(recognised, name, role)
    if role is None:
        raise InputError(
            f"{name}: could be judgments or a ranking; pass role='judgments' or role='ranking', or give it to a verb, "
            "where its position says which it is"
        )
    return Content((role,))


def are_records(source: object) -> bool:
    """Whether a list holds records with named fields, not the grades or scores of numbered queries."""
    if not isinstance(source, list | tuple) or not source or not isinstance(source[0], Mapping):
        return False
    first = source[0]
    if len(first) <= MOST_FIELDS and looks_like_header([name for name in first if isinstance(name, str)]):
        return True
    return any(not isinstance(value, Real) and value is not None for value in first.values())


def _has_hits(source: object) -> bool:
    """Whether a dict holds lists of hits: objects with an id, or documents of a library."""
    if not isinstance(source, Mapping):
        return False
    if is_nested(source) or is_error_response(source):
        return True
    first = next((value[0] for value in source.values() if isinstance(value, list) and value), None)
    if isinstance(first, tuple) and first:
        first = first[0]
    return (isinstance(first, Mapping) and bool(first)) or _document(first) is not None


def _plain_hits(value: object) -> Any:
    """Return a record or a dict of lists with dicts in place of the documents of a library."""
    if isinstance(value, Mapping):
        return {key: _plain_hits(inner) for key, inner in value.items()}
    if isinstance(value, tuple | list):
        if len(value) == 2 and isinstance(value, tuple) and (document := _document(value[0])) is not None:  # noqa: PLR2004
            return document | {"score": value[1]}
        return [_plain_hits(inner) for inner in value]
    document = _document(value)
    return value if document is None else document


def _document(value: Any) -> dict[str, object] | None:
    """Return the fields of a Document of LangChain or Haystack, or of a node of LlamaIndex, with a score or not."""
    if hasattr(value, "page_content"):
        metadata = getattr(value, "metadata", None) or {}
        return {"id": getattr(value, "id", None), "metadata": dict(metadata), "text": value.page_content}
    if hasattr(value, "node") and hasattr(value, "score"):
        node = value.node
        identifier = getattr(node, "node_id", None) or getattr(node, "id_", None)
        return {"id": identifier, "score": value.score, "text": getattr(node, "text", None), **_place(node)}
    if hasattr(value, "node_id") and hasattr(value, "metadata"):
        return {"id": value.node_id, "text": getattr(value, "text", None), **_place(value)}
    if all(hasattr(value, name) for name in ("id", "content", "meta", "score")):
        metadata = getattr(value, "meta", None) or {}
        return {"id": value.id, "score": value.score, "text": value.content, "metadata": dict(metadata)}
    return None


def _place(node: Any) -> dict[str, object]:
    """Return where a node of LlamaIndex comes from."""
    names = ("start_char_idx", "end_char_idx", "ref_doc_id")
    return {name: getattr(node, name, None) for name in names} | {
        "metadata": dict(getattr(node, "metadata", None) or {})
    }
