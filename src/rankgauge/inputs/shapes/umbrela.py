"""Verdicts of umbrela: texts of query and passage with a judgment.

Where no grade could be parsed from the answer of the model, the judgment is 0. Newer versions say so
(``result_status`` 0); in older files only the answer shows it, because it contains no 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rankgauge.inputs.shapes.fields import id_of, key_of, number_of, required
from rankgauge.inputs.shapes.shape import Entry, Fit, Label

ANSWERS = ("prediction", "predition")
"""Names of the field with the answer of the model; version 0.0.7 spells it the second way."""


def fit(record: Mapping[str, Any]) -> Fit | None:
    """Return the fit of a verdict."""
    if not {"judgment", "passage"} <= {*record}:
        return None
    mark = next((name for name in ("result_status", *ANSWERS) if name in record), None)
    if mark is None:
        return None
    return Fit(_entries, ("passage", "judgment", mark), ("judgments",), whole_lists=False, has_labels=True)


def _entries(record: Mapping[str, Any]) -> Iterable[Entry]:
    names = key_of(record, "qid", "queryid"), key_of(record, "docid", "pid", "passageid")
    query = id_of(record[names[0]] if names[0] else required(record, "query"), "query")
    item = id_of(record[names[1]] if names[1] else required(record, "passage"), "passage")
    grade = number_of(required(record, "judgment"), "judgment") if _was_parsed(record) else None
    model = record.get("model")
    label = Label(item, None if model is None else str(model), grade)
    yield Entry(query, judged=[] if grade is None else [(item, grade)], labels=[label])


def _was_parsed(record: Mapping[str, Any]) -> bool:
    if "result_status" in record:
        return bool(record["result_status"])
    answer = next((record[name] for name in ANSWERS if name in record), None)
    return record["judgment"] != 0 or "0" in str(answer)
