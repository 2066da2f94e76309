"""Verdicts of umbrela: texts of query and passage with a judgment; status 0 means that no grade could be parsed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rankgauge.inputs.shapes.fields import id_of, key_of, number_of, required
from rankgauge.inputs.shapes.shape import Entry, Fit, Label


def fit(record: object) -> Fit | None:
    """Return the fit of a verdict."""
    if not isinstance(record, Mapping) or not {"judgment", "passage", "result_status"} <= {*record}:
        return None
    return Fit(_entries, ("passage", "judgment", "result_status"), ("judgments",), whole_lists=False, has_labels=True)


def _entries(record: Mapping[str, Any]) -> Iterable[Entry]:
    names = key_of(record, "qid", "queryid"), key_of(record, "docid", "pid", "passageid")
    query = id_of(record[names[0]] if names[0] else required(record, "query"), "query")
    item = id_of(record[names[1]] if names[1] else required(record, "passage"), "passage")
    grade = number_of(required(record, "judgment"), "judgment") if record["result_status"] else None
    model = record.get("model")
    label = Label(item, None if model is None else str(model), grade)
    yield Entry(query, judged=[] if grade is None else [(item, grade)], labels=[label])
