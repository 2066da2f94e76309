"""MLflow traces: the documents of each span of type RETRIEVER or RERANKER; the query is the text of its input."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rankgauge.errors import shown
from rankgauge.inputs.shapes.fields import at, hits_of, id_of, objects
from rankgauge.inputs.shapes.mlflow_assessments import is_valid, label_of
from rankgauge.inputs.shapes.shape import Entry, Fit, ShapeError
from rankgauge.inputs.shapes.span_attributes import no_output, parsed

SYSTEMS = {"RETRIEVER": "retriever", "RERANKER": "reranker"}


def fit(record: Mapping[str, object]) -> Fit | None:
    """Return the fit of a trace; spans of other types are skipped."""
    if "info" not in record or not isinstance(at(record, "data.spans"), list):
        return None
    return Fit(_entries, ("info", "data.spans"), ("ranking",), has_labels=bool(at(record, "info.assessments")))


def _entries(record: Mapping[str, object]) -> Iterable[Entry]:
    retrieved = [*_retrieved(record)]
    yield from retrieved
    first = retrieved[0] if retrieved else Entry(at(record, "info.trace_id") or at(record, "info.request_id"))
    for number, assessment in enumerate(objects(at(record, "info.assessments"), "info.assessments")):
        if not is_valid(assessment):
            continue
        label = label_of(assessment, f"info.assessments[{number}]", first.ranked)
        yield Entry(first.query, labels=[label], place=f"info.assessments[{number}]")


def _retrieved(record: Mapping[str, object]) -> Iterable[Entry]:
    for number, span in enumerate(objects(at(record, "data.spans"), "data.spans")):
        place, attributes = f"data.spans[{number}]", span.get("attributes") or {}
        if not isinstance(attributes, Mapping):
            found = shown(attributes)
            raise ShapeError(f"{place}.attributes", f"expected an object, found {found}", f"应为对象，实为 {found}")
        kind = str(attributes.get("mlflow.spanType") or span.get("span_type") or "").strip('"')
        if kind not in SYSTEMS:
            continue
        texts = [*_texts(parsed(attributes.get("mlflow.spanInputs")) or span.get("inputs"))]
        if not texts:
            raise ShapeError(place, "no text among the inputs of the retriever", "检索器的输入中没有文本")
        query, documents = id_of(texts[0], place), _documents(span, attributes, place)
        if documents is None:
            yield Entry(query, problems=[no_output(at(span, "status.message"))], place=place, system=SYSTEMS[kind])
        else:
            yield Entry(query, ranked=hits_of(documents, place, "score"), system=SYSTEMS[kind])


def _documents(span: Mapping[str, object], attributes: Mapping[str, object], place: str) -> object:
    """Return what a span returned, None if it has no output; an empty list is one."""
    given = attributes.get("mlflow.spanOutputs")
    outputs = parsed(given)
    if outputs is None and given is not None and str(given).strip() not in {"", "null"}:
        found = shown(given)
        raise ShapeError(place, f"expected a list of documents, found {found}", f"应为文档列表，实为 {found}")
    return span.get("outputs") if outputs is None else outputs


def _texts(inputs: object) -> Iterator[str]:
    """Yield the texts among inputs: that of the query comes before lists of documents and options."""
    if isinstance(inputs, str) and inputs:
        yield inputs
    elif isinstance(inputs, Mapping):
        named = [inputs.get(name) for name in ("query", "question", "input")]
        yield from (value for value in [*named, *inputs.values()] if isinstance(value, str) and value)
