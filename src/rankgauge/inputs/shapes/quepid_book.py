"""Quepid books: pairs of query and document with the judgments of several raters, of which the mean is the grade."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import fmean

from rankgauge.inputs.shapes.fields import id_of, number_of, objects, required
from rankgauge.inputs.shapes.shape import Entry, Fit, Label


def fit(document: Mapping[str, object]) -> Fit | None:
    """Return the fit of a book."""
    if not isinstance(document.get("query_doc_pairs"), list):
        return None
    return Fit(_entries, ("query_doc_pairs", "judgements"), ("judgments",), has_labels=True)


def _entries(document: Mapping[str, object]) -> Iterable[Entry]:
    for number, pair in enumerate(objects(document["query_doc_pairs"], "query_doc_pairs")):
        place = f"query_doc_pairs[{number}]"
        query, item = (id_of(required(pair, name, place), f"{place}.{name}") for name in ("query_text", "doc_id"))
        labels = [
            Label(item, _rater(judgement, n), _grade(judgement, f"{place}.judgements[{n}].rating"))
            for n, judgement in enumerate(objects(pair.get("judgements"), f"{place}.judgements"))
        ]
        grades = [label.grade for label in labels if label.grade is not None]
        judged = [(item, fmean(grades))] if grades else None
        yield Entry(query, judged=judged, place=place, labels=labels)


def _rater(judgement: Mapping[str, object], number: int) -> str:
    """Return who judged, by number if there is no name."""
    name = next((judgement[key] for key in ("user_name", "user_email", "user_id") if judgement.get(key)), None)
    return f"rater {number + 1}" if name is None else str(name)


def _grade(judgement: Mapping[str, object], place: str) -> float | None:
    if judgement.get("rating") is None or judgement.get("unrateable") or judgement.get("judge_later"):
        return None
    return number_of(judgement["rating"], place)
