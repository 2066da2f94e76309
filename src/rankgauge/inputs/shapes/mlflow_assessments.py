"""Assessments of MLflow: feedback of people and judges on a trace, one per record or inside the trace.

An assessment of a retrieved chunk (``chunk_index`` in its metadata) is a grade of that document; any other is one
of the trace, and its item is the name of the assessment, with the index of the chunk if the trace is not there.
Assessments that a later one has overridden (``valid`` is false) are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rankgauge.errors import shown
from rankgauge.inputs.shapes.fields import at, id_of, number_of
from rankgauge.inputs.shapes.shape import Entry, Fit, Hit, Label, ShapeError

WORDS = {"yes": 1.0, "true": 1.0, "pass": 1.0, "correct": 1.0, "no": 0.0, "false": 0.0, "fail": 0.0, "incorrect": 0.0}
"""Grades of the words that judges answer with."""
CANNOT_TELL = {"", "unknown", "n/a", "none"}


def fit(record: Mapping[str, Any]) -> Fit | None:
    """Return the fit of a single assessment."""
    if not isinstance(at(record, "source.source_type"), str):
        return None
    if not {"feedback", "expectation"} & {*record} or "trace_id" not in record:
        return None
    return Fit(_entries, ("trace_id", "source.source_type"), ("judgments",), whole_lists=False, has_labels=True)


def _entries(record: Mapping[str, Any]) -> Iterable[Entry]:
    if not is_valid(record):
        return
    label = label_of(record, "", None)
    judged = [] if label.grade is None else [(label.item, label.grade)]
    yield Entry(id_of(record["trace_id"], "trace_id"), judged=judged, labels=[label])


def is_valid(assessment: Mapping[str, Any]) -> bool:
    """Whether no later assessment has overridden this one."""
    return assessment.get("valid") is not False


def label_of(assessment: Mapping[str, Any], place: str, hits: Sequence[Hit] | None) -> Label:
    """Return an assessment as a label; ``hits`` are the documents of the retriever that it may refer to."""
    value = at(assessment, "feedback.value")
    value = at(assessment, "expectation.value") if value is None else value
    source = at(assessment, "source.source_id") or at(assessment, "source.source_type")
    time = assessment.get("create_time_ms") or assessment.get("create_time")
    index, prefix = at(assessment, "metadata.chunk_index"), f"{place}." if place else ""
    number = None if index is None or hits is None else number_of(index, f"{prefix}metadata.chunk_index")
    if number is not None and hits is not None and 0 <= number < len(hits):
        item = hits[int(number)][0]
    else:
        item = id_of(assessment.get("name") or assessment.get("assessment_name"), f"{prefix}name")
        item = item if index is None else f"{item}[{index}]"
    rater = None if source is None else str(source)
    return Label(item, rater, _grade(value, place), None, None if time is None else str(time))


def _grade(value: Any, place: str) -> float | None:
    """Return the number of a verdict; None where the judge could not tell."""
    if value is None or isinstance(value, bool):
        return None if value is None else float(value)
    word = value.strip().lower() if isinstance(value, str) else value
    if isinstance(word, str) and (word in WORDS or word in CANNOT_TELL):
        return WORDS.get(word)
    try:
        return number_of(value, place)
    except ShapeError:
        en = f"{shown(value)} is no grade; expected a number, yes or no"
        raise ShapeError(place, en, f"{shown(value)} 不是等级；应为数字、yes 或 no") from None
