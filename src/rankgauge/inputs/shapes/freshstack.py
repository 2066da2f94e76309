"""FreshStack queries: nuggets of an answer, and the documents that support each, which are relevant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from rankgauge.inputs.shapes.fields import hits_of, id_of, objects, required
from rankgauge.inputs.shapes.shape import Entry, Fit, Id

RELEVANT, OTHER = "relevant_corpus_ids", "non_relevant_corpus_ids"
QUERIES = ("query_id", "_id")


def fit(row: Mapping[str, Any]) -> Fit | None:
    """Return the fit of a query with nuggets."""
    nuggets = row.get("nuggets")
    if not isinstance(nuggets, list) or not any(isinstance(entry, Mapping) and RELEVANT in entry for entry in nuggets):
        return None
    query = next((name for name in QUERIES if name in row), None)
    return None if query is None else Fit(partial(_entries, query), (query, f"nuggets[].{RELEVANT}"), ("judgments",))


def _entries(name: str, row: Mapping[str, object]) -> Iterable[Entry]:
    grades: dict[Id, float] = {}
    for number, nugget in enumerate(objects(required(row, "nuggets"), "nuggets")):
        for field, grade in ((RELEVANT, 1.0), (OTHER, 0.0)):
            value = required(nugget, field, f"nuggets[{number}]") if grade else nugget.get(field)
            for item, _ in hits_of(value, f"nuggets[{number}].{field}", "grade"):
                grades[item] = max(grade, grades.get(item, grade))
    yield Entry(id_of(required(row, name), name), judged=[*grades.items()])
