"""Quepid books: pairs of query and document with the judgments of several raters, of which the mean is the grade."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import fmean

from rankgauge.inputs.shapes.fields import id_of, number_of, objects, required
from rankgauge.inputs.shapes.shape import Entry, Fit


def fit(document: object) -> Fit | None:
    """Return the fit of a book."""
    if not isinstance(document, Mapping) or not isinstance(document.get("query_doc_pairs"), list):
        return None
    return Fit(_entries, ("query_doc_pairs", "judgements"), ("judgments",))


def _entries(document: Mapping[str, object]) -> Iterable[Entry]:
    for number, pair in enumerate(objects(document["query_doc_pairs"], "query_doc_pairs")):
        place = f"query_doc_pairs[{number}]"
        query, item = (id_of(required(pair, name, place), f"{place}.{name}") for name in ("query_text", "doc_id"))
        ratings = [
            number_of(judgement["rating"], f"{place}.judgements[{n}].rating")
            for n, judgement in enumerate(objects(pair.get("judgements"), f"{place}.judgements"))
            if judgement.get("rating") is not None and not (judgement.get("unrateable") or judgement.get("judge_later"))
        ]
        grades = [rating for rating in ratings if rating is not None]
        if grades:
            yield Entry(query, judged=[(item, fmean(grades))], place=place)
