"""Responses of ``_search`` and ``_msearch`` of Elasticsearch and OpenSearch, or an object from queries to responses.

A single response has no query: it is named after its file. Those of ``_msearch`` are numbered from 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rankgauge.inputs.shapes.fields import at, hit_of, objects, required
from rankgauge.inputs.shapes.shape import FILE_NAME, Entry, Fit, Hit, Id, ShapeError


def fit(document: object) -> Fit | None:
    """Return the fit of one response, of several, or of responses by query."""
    if not isinstance(document, Mapping):
        return None
    if is_response(document):
        return Fit(lambda value: _entries([(FILE_NAME, value)]), ("hits.hits",), ("ranking",))
    responses = document.get("responses")
    if isinstance(responses, list) and any(map(is_response, responses)):
        return Fit(lambda value: _entries(_numbered(value)), ("responses", "hits.hits"), ("ranking",))
    if document and all(map(is_response, document.values())):
        return Fit(lambda value: _entries(value.items()), ("{query: response}", "hits.hits"), ("ranking",))
    return None


def is_response(value: object) -> bool:
    """Whether a value is a response with plain hits, not with stored documents of the workbench."""
    hits = at(value, "hits.hits")
    sources = (at(hit, "_source") for hit in hits) if isinstance(hits, list) else ()
    stored = any(isinstance(source, Mapping) and {"judgmentRatings", "documentIds"} & {*source} for source in sources)
    return isinstance(hits, list) and not stored


def ranked_hits(response: object, place: str) -> list[Hit]:
    """Return the hits of a response; scores may be null if the hits are sorted."""
    path = f"{place}.hits.hits" if place else "hits.hits"
    hits = objects(required(response, "hits.hits", place), path)
    return [
        hit_of({"_id": required(hit, "_id", f"{path}[{n}]"), "score": hit.get("_score")}, path, "score")
        for n, hit in enumerate(hits)
    ]


def _numbered(document: Mapping[str, object]) -> Iterator[tuple[Id, object]]:
    for number, response in enumerate(objects(document["responses"], "responses"), 1):
        if "error" in response:
            place = f"responses[{number - 1}]"
            raise ShapeError(place, "the search failed: it has an error and no hits", "检索失败：只有 error，没有 hits")
        yield number, response


def _entries(responses: Iterable[tuple[object, object]]) -> Iterable[Entry]:
    for query, response in responses:
        place = "" if query is FILE_NAME else f"[{query!r}]"
        yield Entry(query, ranked=ranked_hits(response, place), place=place)
