"""Ratings of the Rated Ranking Evaluator: relevant documents by gain, or gains by document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rankgauge.errors import shown
from rankgauge.inputs.shapes.fields import hits_of, id_of, number_of, objects, required, stated_number
from rankgauge.inputs.shapes.shape import Entry, Fit, Hit, ShapeError


def fit(document: Mapping[str, object]) -> Fit | None:
    """Return the fit of a file of ratings."""
    if not any("relevant_documents" in group for group, _ in _groups(document)):
        return None
    return Fit(_entries, ("relevant_documents", "placeholders"), ("judgments",))


def _groups(document: object, place: str = "") -> Iterator[tuple[Mapping[str, object], str]]:
    """Yield the objects that have queries and relevant documents: in topics, in groups, or at the top."""
    for key in ("topics", "query_groups", "queries"):
        entries = document.get(key) if isinstance(document, Mapping) else None
        for number, entry in enumerate(entries if isinstance(entries, list) else ()):
            if isinstance(entry, Mapping):
                where = f"{place}{key}[{number}]"
                yield entry, where
                yield from _groups(entry, f"{where}.") if key != "queries" else ()


def _entries(document: Mapping[str, object]) -> Iterable[Entry]:
    for group, place in _groups(document):
        if "relevant_documents" not in group:
            continue
        judged = _judged(group["relevant_documents"], f"{place}.relevant_documents")
        queries = objects(group["queries"], f"{place}.queries") if "queries" in group else [group]
        for query in queries:
            placeholders = query.get("placeholders", query)
            yield Entry(id_of(required(placeholders, "$query", place), place), judged=judged, place=place)


def _judged(value: object, place: str) -> list[Hit]:
    """Return the grades of ``{document: {"gain": 3}}`` or ``{"3": [documents]}``."""
    if not isinstance(value, Mapping):
        raise ShapeError(place, f"expected an object, found {shown(value)}", f"应为对象，实为 {shown(value)}")
    judged: list[Hit] = []
    for key, entry in value.items():
        where = f"{place}.{key}"
        if isinstance(entry, Mapping):
            judged.append((key, stated_number(required(entry, "gain", where), f"{where}.gain")))
        else:
            gain = number_of(key, where)
            judged += [(item, gain) for item, _ in hits_of(entry, where, "grade")]
    return judged
