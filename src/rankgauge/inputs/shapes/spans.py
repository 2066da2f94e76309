"""Spans of OpenTelemetry GenAI and OpenInference: the documents that a retriever or reranker returned.

The query is the text of the query, or else the id of the trace. Spans of other kinds are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rankgauge.inputs.shapes.fields import hits_of, id_of
from rankgauge.inputs.shapes.shape import Entry, Fit
from rankgauge.inputs.shapes.span_attributes import attributes, no_output, parsed, spans_of

DOCUMENTS = "gen_ai.retrieval.documents"
QUERIES = ("gen_ai.retrieval.query.text", "gen_ai.retrieval.query", "input.value", "reranker.query")
TRACES = ("trace_id", "traceId", "context.trace_id")
_DOCUMENT = re.compile(
    r"(retrieval\.documents|reranker\.output_documents)\.(\d+)\.(?:document\.)?"
    r"(?:(id|content|score)|metadata(?:\.(\w+))?)"
)
STATUS, MESSAGES = ("status_code", "status.code", "status.status_code"), ("status_message", "status.message")
FAILED = {"ERROR", "STATUS_CODE_ERROR", "StatusCode.ERROR", "2"}
"""Values of the status of a span that failed; 2 is that of OTLP."""
_KINDS = {"RETRIEVER": "retriever", "RERANKER": "reranker"}
_SYSTEMS = {"retrieval.documents": "retriever", "reranker.output_documents": "reranker"}


def fit(record: Mapping[str, Any]) -> Fit | None:
    """Return the fit of a span, or of an export of spans."""
    evidence = [
        name for name in ("resourceSpans", "attributes", "openinference.span.kind", DOCUMENTS) if name in record
    ]
    columns = [name for name in record if isinstance(name, str) and name.startswith(("attributes.", "gen_ai."))]
    has_trace = any(name in record for name in (*TRACES, "context"))
    if "resourceSpans" not in record and not (has_trace and (evidence or columns)) and DOCUMENTS not in record:
        return None
    return Fit(_entries, tuple(evidence or columns[:1]), ("ranking",))


def _entries(record: Mapping[str, object]) -> Iterable[Entry]:
    for number, span in enumerate(spans_of(record)):
        flat = attributes(span)
        query = _first(flat, (*QUERIES, *TRACES))
        listed = [*_documents(flat)]
        kind = _KINDS.get(str(flat.get("openinference.span.kind")))
        is_search = kind is not None or any(name in flat for name in QUERIES[:2])
        if not listed and is_search and str(_first(flat, STATUS)) in FAILED:
            named = None if query is None else id_of(query, f"spans[{number}]")
            yield Entry(named, problems=[no_output(_first(flat, MESSAGES))], system=kind or "retriever")
        for system, documents in listed:
            yield Entry(
                None if query is None else id_of(query, f"spans[{number}]"),
                ranked=hits_of(documents, f"spans[{number}].documents", "score"),
                system=system,
            )


def _first(flat: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    """Return the first value that is not empty, None if there is none."""
    return next((flat[name] for name in names if flat.get(name) not in (None, "")), None)


def _documents(flat: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the documents of a span under the name of what returned them."""
    if flat.get(DOCUMENTS) is not None:
        yield "retriever", flat[DOCUMENTS]
        return
    found: dict[str, dict[int, dict[str, Any]]] = {}
    for name, value in flat.items():
        if (match := _DOCUMENT.fullmatch(name)) and value is not None:
            document = found.setdefault(_SYSTEMS[match[1]], {}).setdefault(int(match[2]), {})
            if match[3]:
                document[match[3]] = value
            else:
                metadata = {match[4]: value} if match[4] else parsed(value)
                document["metadata"] = {**document.get("metadata", {}), **(metadata or {})}
    for system, documents in found.items():
        yield system, [documents[number] for number in sorted(documents)]
