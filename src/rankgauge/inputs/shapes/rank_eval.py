"""Requests and responses of ``_rank_eval`` of Elasticsearch and OpenSearch.

A request has the judgments, the metric and its rules; a response has the hits of each query and the ratings of those.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rankgauge.inputs.shapes.fields import hit_of, id_of, number_of, objects, required
from rankgauge.inputs.shapes.rank_eval_metric import metric_and_rules
from rankgauge.inputs.shapes.shape import Entry, Fit, Hit
from rankgauge.rendering.language import Phrase

RETURNED_ONLY = Phrase("judgments of returned items only", "只有返回物品的标注")


def fit(document: object) -> Fit | None:
    """Return the fit of a request or a response."""
    if not isinstance(document, Mapping):
        return None
    requests, details = document.get("requests"), document.get("details")
    if isinstance(requests, list) and any(isinstance(entry, Mapping) and "ratings" in entry for entry in requests):
        metrics, convention = metric_and_rules(document.get("metric"))
        evidence = ("requests", "ratings", *(["metric"] if metrics else []))
        return Fit(_requested, evidence, ("judgments",), metrics=metrics, convention=convention)
    if isinstance(details, Mapping) and any(
        isinstance(entry, Mapping) and "hits" in entry for entry in details.values()
    ):
        return Fit(_answered, ("details", "hits", "rating"), ("judgments", "ranking"), note=("RG116", RETURNED_ONLY))
    return None


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
        yield Entry(query, judged, ranked, place=f"details.{query}")


def _hit(entry: Mapping[str, object], number: str, place: str) -> Hit:
    value = required(entry, number, place) if number == "rating" else entry.get(number)
    item, _ = hit_of({"_id": required(entry, "_id", place)}, place, "score")
    return item, number_of(value, f"{place}.{number}")
