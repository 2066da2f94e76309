"""Verdicts of RAGElo: a score for a query and a document, or a probability for each grade."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rankgauge.inputs.shapes.fields import at, id_of, number_of, required
from rankgauge.inputs.shapes.shape import Entry, Fit, Label, ShapeError


def fit(record: Mapping[str, Any]) -> Fit | None:
    """Return the fit of a verdict."""
    if not {"qid", "did", "answer"} <= {*record}:
        return None
    return Fit(_entries, ("qid", "did", "answer"), ("judgments",), whole_lists=False, has_labels=True)


def _entries(record: Mapping[str, Any]) -> Iterable[Entry]:
    query, item = (id_of(required(record, name), name) for name in ("qid", "did"))
    name, answer = record.get("evaluator_name"), record.get("answer")
    rater = None if name is None else str(name)
    score = None if record.get("exception") else answer
    grade = number_of(score.get("score") if isinstance(score, Mapping) else score, "answer.score")
    chances = at(record, "answer.probabilities")
    labels = [Label(item, rater, grade)]
    if grade is not None and isinstance(chances, Mapping) and chances:
        labels = [
            Label(item, rater, _number(level, "answer.probabilities"), _number(chance, f"answer.probabilities.{level}"))
            for level, chance in chances.items()
        ]
    yield Entry(query, judged=[] if grade is None else [(item, grade)], labels=labels)


def _number(value: Any, place: str) -> float:
    number = number_of(value, place)
    if number is None:
        raise ShapeError(place, "expected a number, found none", "应为数字，实为空")
    return number
