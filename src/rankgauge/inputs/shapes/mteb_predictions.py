"""Predictions of MTEB: scores of documents by query; each subset and split is read as a ranking of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rankgauge.inputs.shapes.by_query import is_by_item
from rankgauge.inputs.shapes.fields import hits_of
from rankgauge.inputs.shapes.shape import Entry, Fit

META = "mteb_model_meta"
DEEPEST = 2


def fit(document: Mapping[str, Any]) -> Fit | None:
    """Return the fit of predictions by split, or by subset and split."""
    if is_by_item(document):
        return None
    parts = [*_parts(document)]
    depths = {len(path) for path, _ in parts}
    if not parts or depths == {0} or not all(is_by_item(part) for _, part in parts):
        return None
    return Fit(_entries, ("{subset: {split: {query: {item: score}}}}",), ("ranking",))


def _parts(document: Mapping[str, object], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield the predictions of each subset and split."""
    if is_by_item(document) or len(path) == DEEPEST:
        yield path, document
        return
    for key, value in document.items():
        if key != META:
            yield from _parts(value, (*path, key)) if isinstance(value, Mapping) else [((*path, key), value)]


def _entries(document: Mapping[str, object]) -> Iterable[Entry]:
    for path, part in _parts(document):
        for query, scores in part.items():
            place = ".".join((*path, query))
            yield Entry(
                query, ranked=hits_of(scores, place, "score"), system="/".join(path), place=place, ordered=False
            )
