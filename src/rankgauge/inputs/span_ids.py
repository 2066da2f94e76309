"""Excerpts and chunks of other tools as spans: records whose objects get ids such as ``report.pdf[0:200]``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from rankgauge.errors import shown
from rankgauge.inputs.columns import SPAN_NAMES, SPAN_UNITS
from rankgauge.inputs.documents import Documents
from rankgauge.inputs.list_names import names_of
from rankgauge.inputs.shapes.fields import at, key_of, offset_of
from rankgauge.inputs.shapes.shape import ShapeError
from rankgauge.inputs.shapes.span_attributes import attributes, parsed, spans_of
from rankgauge.inputs.spans import Span, reversed_span
from rankgauge.rendering.language import Phrase

INNER = ("node", "document", "metadata", "meta", "kwargs", "extrainfo", "origin")
"""Objects inside a hit that may hold where it comes from."""
DOCUMENTS = (
    *names_of("documentid docid refdocid corpusid documentname doc did filename filepath file path"),
    *names_of("source uri url sourceid document"),
)
TEXTS = SPAN_NAMES["text"]
TRACE = ("attributes", "resourceSpans")
"""How the fields of exported traces start."""
DOCUMENT_FIELD = re.compile(r"(.*documents\.\d+\.(?:document\.)?)(content|metadata(?:\.(\w+))?)")
MOST = 12
"""Depth to which objects are looked into."""


class SpanIds:
    """Gives the objects of records with a place in a document an id that says where."""

    def __init__(self, documents: Documents | None) -> None:
        self._documents = documents
        self._noticed: list[tuple[str, Phrase]] = []

    def of_record(self, record: Any) -> Any:
        """Return a record whose objects with a place have the id ``docid``."""
        if not isinstance(record, Mapping) or not any(str(key).startswith(TRACE) for key in record):
            return self._with_ids(record, None, 0)
        spans = [self._with_ids(self._attributes_with_ids(attributes(span)), None, 0) for span in spans_of(record)]
        return {"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]} if "resourceSpans" in record else spans[0]

    def _attributes_with_ids(self, flat: dict[str, Any]) -> dict[str, Any]:
        """Return the attributes of a trace with the ids of its documents, whose fields are attributes of their own."""
        hits: dict[str, dict[str, Any]] = {}
        for name, value in flat.items():
            if field := DOCUMENT_FIELD.fullmatch(name):
                hit = hits.setdefault(field[1], {"metadata": {}})
                if field[2] == "content":
                    hit["content"] = value
                else:
                    hit["metadata"] |= {field[3]: value} if field[3] else parsed(value) or {}
        items = {f"{place}id": self._item(hit, None) for place, hit in hits.items()}
        return flat | {name: item for name, item in items.items() if item is not None}

    def take_noticed(self) -> list[tuple[str, Phrase]]:
        """Return the codes and reasons of findings about texts since the last call."""
        taken, self._noticed = self._noticed, []
        return taken

    def _with_ids(self, value: Any, document: object, depth: int) -> Any:
        if isinstance(value, str) and value[:1] in {"[", "{"}:
            inner = parsed(value)
            return value if inner is None else self._with_ids(inner, document, depth)
        if isinstance(value, list | tuple) and depth < MOST:
            return [self._with_ids(entry, document, depth + 1) for entry in value]
        if not isinstance(value, Mapping) or depth >= MOST:
            return value
        document = next((value[key] for key in [_document_key(value)] if key is not None), document)
        item = self._item(value, document, is_row=depth == 0)
        if item is not None:
            return {"docid": item, **{key: inner for key, inner in value.items() if key != "docid"}}
        return {key: self._with_ids(inner, document, depth + 1) for key, inner in value.items()}

    def _item(self, hit: Mapping[str, Any], document: object, *, is_row: bool = False) -> str | None:
        """Return the span of an object, None if it has no place; rows are compared with their documents as tables."""
        scopes = [hit]
        for scope in scopes:  # grows while it is gone through
            inner = (scope[key] for key in (key_of(scope, name) for name in INNER) if key is not None)
            scopes += [value for value in map(_object, inner) if value is not None and len(scopes) < MOST]
        document = next((scope[key] for scope in scopes if (key := _document_key(scope)) is not None), document)
        if document is None:
            document = at(hit, "relationships.1.node_id") or at(hit, "node.relationships.1.node_id")
        text = next((scope[key] for scope in scopes if (key := key_of(scope, *TEXTS)) is not None), None)
        text = text if isinstance(text, str) else None
        for unit, names in SPAN_UNITS.items():
            start = _offset(scopes, names["start"])
            end = _offset(scopes, names["end"])
            if start is not None and end is None and text is not None and unit == "chars":
                end = start + len(text)
            if start is not None and end is not None and document is not None:
                if start >= end:
                    raise ShapeError("", *reversed_span(start, end), "RG217")
                return self._checked(Span(str(document), start, end, unit), None if is_row else text)
        if (docling := _docling(hit, document)) is not None:
            return docling
        return self._found(document, text)

    def _checked(self, span: Span, text: str | None) -> str:
        """Return the id of a span, whose text the document should have there."""
        if self._documents is not None and text and (wrong := self._documents.misplaced(span, text)) is not None:
            code, reason = wrong
            if code == "RG219":
                raise ShapeError("", *reason, code)
            self._noticed.append(wrong)
        return str(span)

    def _found(self, document: object, text: str | None) -> str | None:
        """Return the span at which a document has a text."""
        if self._documents is None or document is None or not text:
            return None
        places = self._documents.find(text, str(document))
        excerpt, name = shown(text), shown(str(document))
        if not places:
            raise ShapeError(
                "", f"document {name} does not contain {excerpt}", f"文档 {name} 中没有 {excerpt}", "RG224"
            )
        if len(places) > 1:
            reason = Phrase(
                f"document {name} contains {excerpt} more than once; the first place counts",
                f"文档 {name} 多次包含 {excerpt}；取第一处",
            )
            self._noticed.append(("RG223", reason))
        return str(places[0])


def _document_key(scope: Mapping[str, object]) -> str | None:
    """Return the key under which an object names its document."""
    for name in DOCUMENTS:
        key = key_of(scope, name)
        if key is not None and isinstance(scope[key], str | int) and scope[key] != "":
            return key
    return None


def _object(value: object) -> Mapping[str, object] | None:
    value = parsed(value)
    return value if isinstance(value, Mapping) else None


def _offset(scopes: list[Mapping[str, Any]], names: tuple[str, ...]) -> int | None:
    """Return an offset, None if there is none."""
    values = ((scope, key) for scope in scopes if (key := key_of(scope, *names)) is not None)
    return next((offset_of(scope[key], key) for scope, key in values), None)


def _docling(hit: Mapping[str, object], document: object) -> str | None:
    """Return the span of a chunk of Docling that comes from one item of its document."""
    items = at(hit, "meta.doc_items") or at(hit, "metadata.dl_meta.doc_items") or at(hit, "metadata.doc_items")
    if not isinstance(items, list) or len(items) != 1 or document is None:
        return None
    (item,) = items
    reference, places = at(item, "self_ref"), at(item, "prov")
    spans = [at(place, "charspan") for place in places] if isinstance(places, list) else []
    if not isinstance(reference, str) or not spans or not all(isinstance(span, list | tuple) for span in spans):
        return None
    return str(Span(f"{document}{reference}", spans[0][0], spans[-1][1]))
