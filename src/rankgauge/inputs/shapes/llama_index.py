"""LlamaIndex datasets for retrieval: texts of queries and of the corpus, and the relevant ids of each query."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rankgauge.inputs.shapes.fields import hits_of
from rankgauge.inputs.shapes.shape import Entry, Fit

PARTS = ("queries", "corpus", "relevant_docs")


def fit(document: Mapping[str, Any]) -> Fit | None:
    """Return the fit of a dataset."""
    if not all(isinstance(document.get(part), Mapping) for part in PARTS):
        return None
    texts = {**document["queries"], **document["corpus"]}
    return Fit(
        _entries, PARTS, ("judgments",), texts={key: text for key, text in texts.items() if isinstance(text, str)}
    )


def _entries(document: Mapping[str, Any]) -> Iterable[Entry]:
    for query, items in document["relevant_docs"].items():
        place = f"relevant_docs.{query}"
        yield Entry(query, judged=hits_of(items, place, "grade"), place=place)
