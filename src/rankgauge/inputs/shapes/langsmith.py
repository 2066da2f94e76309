"""LangSmith runs: the documents of each run of type retriever; the query is the text of its input."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rankgauge.inputs.shapes.fields import hits_of, id_of, required
from rankgauge.inputs.shapes.shape import Entry, Fit, ShapeError
from rankgauge.inputs.shapes.span_attributes import no_output

QUERIES = ("query", "input", "question")


def fit(row: Mapping[str, object]) -> Fit | None:
    """Return the fit of a run; runs of other types are skipped."""
    if not {"run_type", "inputs", "outputs"} <= {*row}:
        return None
    return Fit(_entries, ("run_type", "inputs", "outputs.documents"), ("ranking",))


def _entries(row: Mapping[str, object]) -> Iterable[Entry]:
    if row.get("run_type") != "retriever":
        return
    inputs = required(row, "inputs")
    query = next((inputs[name] for name in QUERIES if isinstance(inputs, Mapping) and inputs.get(name)), None)
    if query is None:
        names = ", ".join(QUERIES)
        raise ShapeError("inputs", f"none of the fields {names} has a text", f"字段 {names} 都没有文本")
    documents = None if row.get("outputs", "") is None else required(row, "outputs.documents")
    if documents is None:
        yield Entry(id_of(query, "inputs"), problems=[no_output(row.get("error"))])
    else:
        yield Entry(id_of(query, "inputs"), ranked=hits_of(documents, "outputs.documents", "score"))
