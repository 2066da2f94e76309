"""Responses of ``_search`` and ``_msearch`` of Elasticsearch and OpenSearch, or an object from queries to responses.

A single response has no query: it is named after its file, and one of several in lines by its number, unless a field
such as ``query_id`` beside the hits names it. Those of ``_msearch`` have the names in ``queries``, a list beside
``responses`` in the same order, and are numbered from 1 without it. A search that failed has an ``error`` in place of
hits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from rankgauge.errors import shown
from rankgauge.inputs.columns import COLUMN_NAMES
from rankgauge.inputs.shapes.fields import at, hit_of, id_of, key_of, objects, required
from rankgauge.inputs.shapes.shape import FILE_NAME, Entry, Fit, Hit, Id, ShapeError
from rankgauge.rendering.language import Phrase

TITLES = ("title", "name", "product_title", "product_name", "headline", "text", "content", "body", "description")
"""Fields of a stored document that say what it is, the first of them first."""
LONGEST_REASON = 300
"""Characters of the reason that an engine gives for an error."""


def fit(document: Mapping[str, object]) -> Fit | None:
    """Return the fit of one response, of several, or of responses by query."""
    if is_response(document):
        return Fit(_single, ("hits.hits",), ("ranking",), texts=_titles([document]))
    if is_error_response(document):
        return Fit(_single, ("error",), ("ranking",), refusal=_refusal(document))
    responses = document.get("responses")
    if isinstance(responses, list) and any(is_response(value) or is_failure(value) for value in responses):
        return Fit(_numbered, ("responses", "hits.hits"), ("ranking",), texts=_titles(responses))
    values = [*document.values()]
    if values and all(is_response(value) or is_failure(value) for value in values):
        return Fit(_by_query, ("{query: response}", "hits.hits"), ("ranking",), texts=_titles(values))
    return None


def _single(response: Mapping[str, object]) -> Iterator[Entry]:
    """Yield the entry of a response, which is named by the query that a program wrote beside the hits, if any."""
    key = key_of(response, *chain.from_iterable(COLUMN_NAMES["ranking"]["query"]))
    yield _entry(FILE_NAME if key is None else id_of(response[key], key), response, "")


def _by_query(document: Mapping[str, object]) -> Iterator[Entry]:
    for query, response in document.items():
        yield _entry(query, response, f"[{query!r}]")


def _titles(responses: Iterable[object]) -> dict[str, str]:
    lists = (at(response, "hits.hits") for response in responses)
    return titles_of(hit for hits in lists if isinstance(hits, list) for hit in hits)


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


def is_failure(value: object) -> bool:
    """Whether a value stands for a search that failed: an error in place of hits."""
    return isinstance(value, Mapping) and isinstance(value.get("error"), Mapping | str) and "hits" not in value


def is_error_response(value: object) -> bool:
    """Whether a value is what the engine returns in place of a response: an error with its status."""
    return is_failure(value) and isinstance(value, Mapping) and bool({"status", "statusCode"} & value.keys())


def failure(value: object) -> tuple[str, Phrase]:
    """Return the finding about a search that failed, with the reason that the engine gives.

    >>> failure({"error": {"type": "index_not_found", "reason": "no such index [shoes]"}, "status": 404})[1].en
    "the search failed: 'no such index [shoes]'"
    """
    error = value["error"] if isinstance(value, Mapping) and "error" in value else value
    reason = (error.get("reason") or error.get("type")) if isinstance(error, Mapping) else error
    text = shown(reason, LONGEST_REASON)
    en, zh = (f": {text}", f"：{text}") if reason else ("", "")
    return "RG122", Phrase(f"the search failed{en}", f"检索失败{zh}")


def _refusal(value: object) -> tuple[str, Phrase]:
    """Return the error about a document that is an error response and nothing else."""
    code, reason = failure(value)
    return code, Phrase(
        f"an error response of the search engine, without hits; {reason.en}",
        f"这是搜索引擎的错误响应，没有命中；{reason.zh}",
    )


def _notices(response: Mapping[str, object], hits: Sequence[Hit]) -> Iterator[tuple[str, Phrase]]:
    """Yield findings about a search that the engine did not complete, or that returned nothing."""
    failed, total = at(response, "_shards.failed"), at(response, "_shards.total")
    if response.get("timed_out") is True:
        yield "RG123", Phrase("the search timed out", "检索超时")
    if isinstance(failed, int) and failed > 0:
        of = total if isinstance(total, int) else "?"
        yield "RG123", Phrase(f"the search failed on {failed} of {of} shards", f"{of} 个分片中有 {failed} 个检索失败")
    if not hits:
        yield "RG124", Phrase("the search returned nothing", "检索没有返回任何结果")


def _ranked_hits(response: Mapping[str, object], place: str) -> list[Hit]:
    """Return the hits of a response; scores may be null if the hits are sorted."""
    path = f"{place}.hits.hits" if place else "hits.hits"
    hits = objects(required(response, "hits.hits", place), path)
    return [
        hit_of({"_id": required(hit, "_id", f"{path}[{n}]"), "score": hit.get("_score")}, path, "score")
        for n, hit in enumerate(hits)
    ]


def _numbered(document: Mapping[str, object]) -> Iterator[Entry]:
    responses = objects(document["responses"], "responses")
    names = document.get("queries")
    if names is not None and not (isinstance(names, list) and all(isinstance(name, str | int) for name in names)):
        raise ShapeError("queries", "it is no list of the names of queries", "不是由查询名称组成的列表")
    if names is not None and len(names) != len(responses):
        counts = f"{len(names)} / {len(responses)}"
        raise ShapeError(
            "queries", f"it has not as many names as there are responses ({counts})", f"名称数与响应数不同（{counts}）"
        )
    for number, response in enumerate(responses):
        yield _entry(number + 1 if names is None else names[number], response, f"responses[{number}]")


def _entry(query: Id | object, response: object, place: str) -> Entry:
    """Return the hits of one search, or why it has none, so that the searches after it are read all the same."""
    if not isinstance(response, Mapping) or is_failure(response):
        return Entry(query, place=place, problems=[failure(response)])
    try:
        hits = _ranked_hits(response, place)
    except ShapeError as error:
        return Entry(query, problems=[(error.code, error.reason)])
    return Entry(query, ranked=hits, place=place, as_shown=True, problems=[*_notices(response, hits)])
