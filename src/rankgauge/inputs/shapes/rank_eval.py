"""Requests and responses of ``_rank_eval`` of Elasticsearch and OpenSearch.

A request has the judgments, the metric and its rules; a response has the hits of each query and the ratings of those.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rankgauge.conventions.presets import preset
from rankgauge.inputs.shapes.fields import hit_of, id_of, number_of, objects, required, stated_number
from rankgauge.inputs.shapes.search_response import failure, titles_of
from rankgauge.inputs.shapes.shape import Entry, Fit, Hit
from rankgauge.rendering.language import Phrase

DEFAULT_K = 10
RETURNED_ONLY = Phrase("judgments of returned items only", "只有返回物品的标注")


def fit(document: Mapping[str, Any]) -> Fit | None:
    """Return the fit of a request or a response."""
    requests, details = document.get("requests"), document.get("details")
    if isinstance(requests, list) and any(isinstance(entry, Mapping) and "ratings" in entry for entry in requests):
        metrics, convention = metric_and_rules(document.get("metric"))
        evidence = ("requests", "ratings", *(["metric"] if metrics else []))
        return Fit(_requested, evidence, ("judgments",), metrics=metrics, convention=convention)
    if isinstance(details, Mapping) and any(
        isinstance(entry, Mapping) and "hits" in entry for entry in details.values()
    ):
        evidence, note = ("details", "hits", "rating"), ("RG116", RETURNED_ONLY)
        return Fit(_answered, evidence, ("judgments", "ranking"), note=note, texts=titles_of(_hits(details.values())))
    return None


def metric_and_rules(setting: object) -> tuple[tuple[str, ...], object]:
    """Return the metric in our notation and its convention; nothing for a metric that is not known.

    >>> metric_and_rules({"dcg": {"k": 20, "normalize": True}})[0]
    ('nDCG@20',)
    """
    if not isinstance(setting, Mapping) or len(setting) != 1:
        return (), None
    (name, settings), rules = next(iter(setting.items())), preset("elasticsearch")
    settings = settings if isinstance(settings, Mapping) else {}
    k = settings.get("k", DEFAULT_K)
    threshold, unknown = settings.get("relevant_rating_threshold"), settings.get("unknown_doc_rating")
    names = {
        "precision": "P",
        "recall": "R",
        "mean_reciprocal_rank": "RR",
        "dcg": "nDCG" if settings.get("normalize") else "DCG",
        "expected_reciprocal_rank": f"ERR(max_grade={settings.get('maximum_relevance')})",
    }
    if name not in names or not isinstance(k, int):
        return (), None
    if isinstance(threshold, int | float):
        rules = rules.replace(rel=threshold)
    if settings.get("ignore_unlabeled"):
        rules = rules.replace(unjudged="removed-after-cut")
    if isinstance(unknown, int | float):
        rules = rules.replace(unjudged=unknown)
    return (f"{names[name]}@{k}",), rules


def _hits(details: Iterable[object]) -> Iterator[object]:
    """Yield the hits of a response, as far as it has the form of one."""
    for detail in details:
        rated = detail.get("hits") if isinstance(detail, Mapping) else None
        for entry in rated if isinstance(rated, list) else ():
            if isinstance(entry, Mapping):
                yield entry.get("hit")


def _requested(document: Mapping[str, object]) -> Iterable[Entry]:
    for number, request in enumerate(objects(document["requests"], "requests")):
        place = f"requests[{number}]"
        ratings = objects(required(request, "ratings", place), f"{place}.ratings")
        judged = [_hit(rating, "rating", f"{place}.ratings[{n}]") for n, rating in enumerate(ratings)]
        yield Entry(id_of(required(request, "id", place), f"{place}.id"), judged=judged, place=place)


def _answered(document: Mapping[str, Any]) -> Iterable[Entry]:
    for query, detail in document["details"].items():
        path = f"details.{query}.hits"
        rated = objects(required(detail, "hits", f"details.{query}"), path)
        hits = objects([required(entry, "hit", f"{path}[{n}]") for n, entry in enumerate(rated)], f"{path}.hit")
        ranked = [_hit(hit, "_score", f"{path}[{n}].hit") for n, hit in enumerate(hits)]
        grades = [number_of(entry.get("rating"), f"{path}[{n}].rating") for n, entry in enumerate(rated)]
        judged = [(item, grade) for (item, _), grade in zip(ranked, grades, strict=True) if grade is not None]
        yield Entry(query, judged, ranked, place=f"details.{query}", as_shown=True)
    for query, problem in _failures(document).items():
        yield Entry(query, place=f"failures.{query}", problems=[failure(problem)])


def _failures(document: Mapping[str, Any]) -> Mapping[str, object]:
    """Return the searches that failed, which have no details."""
    failures = document.get("failures")
    return failures if isinstance(failures, Mapping) else {}


def _hit(entry: Mapping[str, object], number: str, place: str) -> Hit:
    value = required(entry, number, place) if number == "rating" else entry.get(number)
    item, _ = hit_of({"_id": required(entry, "_id", place)}, place, "score")
    path = f"{place}.{number}"
    return item, stated_number(value, path) if number == "rating" else number_of(value, path)
