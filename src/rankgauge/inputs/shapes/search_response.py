"""Responses of ``_search`` and ``_msearch`` of Elasticsearch and OpenSearch, or an object from queries to responses.

A single response has no query: it is named after its file. Those of ``_msearch`` have the names in ``queries``, a list
beside ``responses`` in the same order, and are numbered from 1 without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rankgauge.inputs.shapes.fields import at, hit_of, objects, required
from rankgauge.inputs.shapes.shape import FILE_NAME, Entry, Fit, Hit, Id, ShapeError

TITLES = ("title", "name", "product_title", "product_name", "headline", "text", "content", "body", "description")
"""Fields of a stored document that say what it is, the first of them first."""


def fit(document: object) -> Fit | None:
    """Return the fit of one response, of several, or of responses by query."""
    if not isinstance(document, Mapping):
        return None
    if is_response(document):
        return Fit(
            lambda value: _entries([(FILE_NAME, value)]), ("hits.hits",), ("ranking",), texts=_titles([document])
        )
    responses = document.get("responses")
    if isinstance(responses, list) and any(map(is_response, responses)):
        return Fit(
            lambda value: _entries(_numbered(value)), ("responses", "hits.hits"), ("ranking",), texts=_titles(responses)
        )
    if document and all(map(is_response, document.values())):
        evidence, titles = ("{query: response}", "hits.hits"), _titles(document.values())
        return Fit(lambda value: _entries(value.items()), evidence, ("ranking",), texts=titles)
    return None


def _titles(responses: Iterable[object]) -> dict[str, str]:
    hits = (hit for response in responses for hit in at(response, "hits.hits") or ())
    return titles_of(hits)


def titles_of(hits: Iterable[object]) -> dict[str, str]:
    """Return the titles of hits by id: of the stored document, or of the fields that were asked for.

    >>> titles_of([{"_id": "d1", "_source": {"title": "Red shoes"}}, {"_id": "d2", "fields": {"name": ["Boots"]}}])
    {'d1': 'Red shoes', 'd2': 'Boots'}
    """
    titles: dict[str, str] = {}
    for hit in hits:
        if not isinstance(hit, Mapping) or "_id" not in hit:
            continue
        for stored in (hit.get("_source"), hit.get("fields")):
            if isinstance(stored, Mapping) and (title := _title(stored)):
                titles.setdefault(str(hit["_id"]), title)
    return titles


def _title(stored: Mapping[str, object]) -> str:
    """Return the first field of a document that is a title or a text."""
    for name in TITLES:
        value = stored.get(name)
        value = value[0] if isinstance(value, list) and value else value
        if isinstance(value, str) and value:
            return value
    return ""


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
    responses = objects(document["responses"], "responses")
    names = document.get("queries")
    if names is not None and not (isinstance(names, list) and all(isinstance(name, str | int) for name in names)):
        raise ShapeError("queries", "it is no list of the names of queries", "不是由查询名称组成的列表")
    if names is not None and len(names) != len(responses):
        counts = f"{len(names)} / {len(responses)}"
        raise ShapeError(
            "queries", f"it has not as many names as there are responses ({counts})", f"名称数与响应数不同（{counts}）"
        )
    for number, response in enumerate(responses, 1):
        if "error" in response:
            place = f"responses[{number - 1}]"
            raise ShapeError(place, "the search failed: it has an error and no hits", "检索失败：只有 error，没有 hits")
        yield number if names is None else names[number - 1], response


def _entries(responses: Iterable[tuple[object, object]]) -> Iterable[Entry]:
    for query, response in responses:
        place = "" if query is FILE_NAME else f"[{query!r}]"
        yield Entry(query, ranked=ranked_hits(response, place), place=place, as_shown=True)
