"""Ids that differ only in type, 7 and '7': converted to one type on both sides, and reported."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rankgauge.errors import shown
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.records import RepeatedItems
from rankgauge.matching.copies import renamed
from rankgauge.value_checks import is_listing


def with_like_ids(
    judged: dict[object, object], rankings: Mapping[object, object], findings: Findings
) -> Mapping[Any, Any]:
    """Return the rankings with the query ids of the judgments, if they differ only in type."""
    if not rankings or any(query in judged for query in rankings):
        return rankings
    as_text = {str(query): query for query in judged if not _is_bool(query)}
    alike = [query for query in rankings if str(query) in as_text and not _is_bool(query)]
    if not alike:
        return rankings
    first = alike[0]
    ours, theirs = shown(as_text[str(first)]), shown(first)
    english = f"query {ours} in the judgments, {theirs} in the ranking"
    findings.add("RG406", (english, f"查询在标注中为 {ours}，在排序结果中为 {theirs}"))
    return {query if _is_bool(query) else as_text.get(str(query), query): items for query, items in rankings.items()}


def with_like_items(
    judged: dict[Any, Any], rankings: Mapping[Any, Any], findings: Findings
) -> tuple[dict[Any, Any], Mapping[Any, Any]]:
    """Return both sides with item ids as text, if one has numbers and the other text."""
    ours = next((item for grades in judged.values() for item in grades), None)
    theirs = next((item for items in rankings.values() if is_listing(items) for item in items), None)
    if not _is_id(ours) or not _is_id(theirs) or isinstance(ours, str) == isinstance(theirs, str):
        return judged, rankings
    english = f"items such as {shown(ours)} in the judgments, {shown(theirs)} in the ranking"
    findings.add("RG406", (english, f"物品在标注中如 {shown(ours)}，在排序结果中如 {shown(theirs)}"))

    def as_text(items: Any) -> Any:
        if isinstance(items, Mapping):
            return {_text(item): number for item, number in items.items()}
        texts = [*map(_text, items)]
        return RepeatedItems(texts, items.scores) if isinstance(items, RepeatedItems) else texts

    return (
        {query: as_text(grades) for query, grades in judged.items()},
        {query: as_text(items) for query, items in rankings.items()},
    )


def _is_id(item: object) -> bool:
    """Whether an item is text or a whole number; a bool is no id, and is reported where ids are checked."""
    return not _is_bool(item) and (isinstance(item, str | int) or (isinstance(item, float) and item.is_integer()))


def _is_bool(item: object) -> bool:
    return isinstance(item, bool | np.bool_)


def _text(item: Any) -> Any:
    """Return an id as text; 7.0 is 7, as in tables."""
    return item if _is_bool(item) else str(int(item) if isinstance(item, float) and item.is_integer() else item)


def as_judged(
    judged: Mapping[object, Mapping[object, object]], returned: Mapping[object, Mapping[object, object]]
) -> dict[object, Mapping[object, object]]:
    """Return the scores with the item ids of the judgments, if they differ only in type."""
    named: dict[object, Mapping[object, object]] = {}
    for query, scores in returned.items():
        if {*map(type, judged[query]), *map(type, scores)} <= {str}:  # nothing to rename
            named[query] = scores
        else:
            named[query] = renamed(scores, {str(item): item for item in judged[query]})
    return named
