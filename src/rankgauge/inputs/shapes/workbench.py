"""OpenSearch Search Relevance Workbench: judgments, and the results of an experiment for each search configuration.

Either may be the document itself or in the ``_source`` of the hits of a search.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rankgauge.inputs.shapes.fields import at, hits_of, id_of, objects, required
from rankgauge.inputs.shapes.shape import Entry, Fit


def fit(document: Mapping[str, object]) -> Fit | None:
    """Return the fit of judgments or of results."""
    sources = [source for source, _ in _sources(document)]
    if any("judgmentRatings" in source for source in sources):
        return Fit(_judged, ("judgmentRatings", "ratings"), ("judgments",))
    if any({"documentIds", "searchText"} <= {*source} for source in sources):
        return Fit(_ranked, ("searchText", "documentIds", "searchConfigurationId"), ("ranking",))
    return None


def _sources(document: object) -> Iterator[tuple[Mapping[str, object], str]]:
    """Yield the stored documents and their places."""
    if not isinstance(document, Mapping):
        return
    hits = at(document, "hits.hits")
    if not isinstance(hits, list):
        yield document, ""
        return
    for number, hit in enumerate(hits):
        if isinstance(source := at(hit, "_source"), Mapping):
            yield source, f"hits.hits[{number}]._source"


def _judged(document: object) -> Iterable[Entry]:
    for source, place in _sources(document):
        path = f"{place}.judgmentRatings" if place else "judgmentRatings"
        for number, entry in enumerate(objects(required(source, "judgmentRatings", place), path)):
            where = f"{path}[{number}]"
            ratings = required(entry, "ratings", where)
            for rank, rating in enumerate(objects(ratings, f"{where}.ratings")):
                required(rating, "rating", f"{where}.ratings[{rank}]")
            query = id_of(required(entry, "query", where), f"{where}.query")
            yield Entry(query, judged=hits_of(ratings, f"{where}.ratings", "grade"), place=where)


def _ranked(document: object) -> Iterable[Entry]:
    for source, place in _sources(document):
        items = hits_of(required(source, "documentIds", place), f"{place}.documentIds", "score")
        system = str(source.get("searchConfigurationId") or "")
        yield Entry(id_of(required(source, "searchText", place), place), ranked=items, system=system, place=place)
