"""Quepid books as CSV: a column for each rater, whose cells are ratings, empty or unrateable."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import fmean
from typing import Any

from rankgauge.inputs.shapes.fields import id_of, key_of, number_of
from rankgauge.inputs.shapes.shape import Entry, Fit, Label

UNRATEABLE = "unrateable"


def fit(record: Mapping[str, Any]) -> Fit | None:
    """Return the fit of a row; a column is a rater's if its name is an address or its cell says unrateable."""
    raters = _raters(record)
    others = [name for name in record if name not in raters]
    if not raters or len(others) != 2 or not all(_is_rating(record[name]) for name in raters):  # noqa: PLR2004
        return None
    if not any("@" in name or _text(record[name]) == UNRATEABLE for name in raters):
        return None
    return Fit(_entries, (*others, raters[0]), ("judgments",), whole_lists=False, has_labels=True)


def _raters(record: Mapping[str, Any]) -> list[str]:
    query, item = key_of(record, "query", "querytext"), key_of(record, "docid", "doc")
    if query is None or item is None:
        return []
    return [name for name in record if name not in {query, item}]


def _text(cell: Any) -> str:
    return cell.strip().lower() if isinstance(cell, str) else ""


def _is_rating(cell: Any) -> bool:
    if cell is None or isinstance(cell, int | float) or _text(cell) in {"", UNRATEABLE}:
        return True
    try:
        float(cell)
    except (TypeError, ValueError):
        return False
    return True


def _entries(record: Mapping[str, Any]) -> Iterable[Entry]:
    query, item = (record[str(key_of(record, *names))] for names in (("query", "querytext"), ("docid", "doc")))
    labels, grades = [], []
    for rater in _raters(record):
        cell, text = record[rater], _text(record[rater])
        if text == UNRATEABLE:
            labels.append(Label(id_of(item, "docid"), rater, None))
        elif cell is not None and not (isinstance(cell, str) and not text):
            grade = number_of(cell, rater)
            labels.append(Label(id_of(item, "docid"), rater, grade))
            grades += [] if grade is None else [grade]
    yield Entry(id_of(query, "query"), judged=[(id_of(item, "docid"), fmean(grades))] if grades else [], labels=labels)
