"""Ids that differ only in type, 7 and '7': converted to one type on both sides, and reported."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from rankgauge.errors import shown
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.records import RepeatedItems
from rankgauge.matching.copies import renamed
from rankgauge.rendering.language import Phrase
from rankgauge.value_checks import is_listing

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.matching.judged_table import JudgedTable


def with_like_ids(
    judged: dict[object, object], rankings: Mapping[object, object], findings: Findings
) -> Mapping[Any, Any]:
    """Return the rankings with the query ids of the judgments, if they differ only in type."""
    if not rankings or any(query in judged for query in rankings):
        return rankings
    as_text = {str(query): query for query in judged}
    if not any(str(query) in as_text for query in rankings):
        return rankings
    first = next(query for query in rankings if str(query) in as_text)
    ours, theirs = shown(as_text[str(first)]), shown(first)
    english = f"query {ours} in the judgments, {theirs} in the ranking"
    findings.add("RG406", (english, f"查询在标注中为 {ours}，在排序结果中为 {theirs}"))
    return {as_text.get(str(query), query): items for query, items in rankings.items()}


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
    """Whether an item is text or a whole number."""
    return isinstance(item, str | int) or (isinstance(item, float) and item.is_integer())


def _text(item: object) -> str:
    """Return an id as text; 7.0 is 7, as in tables."""
    return str(int(item) if isinstance(item, float) and item.is_integer() else item)


def as_judged(
    judged: Mapping[object, Mapping[object, object]], found: Mapping[object, Mapping[object, object]]
) -> dict[object, Mapping[object, object]]:
    """Return the scores with the item ids of the judgments, if they differ only in type."""
    named: dict[object, Mapping[object, object]] = {}
    for query, scores in found.items():
        if {*map(type, judged[query]), *map(type, scores)} <= {str}:  # nothing to rename
            named[query] = scores
        else:
            named[query] = renamed(scores, {str(item): item for item in judged[query]})
    return named


def with_like_types(frame: pl.DataFrame, table: JudgedTable, findings: Findings) -> pl.DataFrame:
    """Return the ranking with ids of the types that the judgments have; both become text where they differ."""
    import polars as pl  # noqa: PLC0415

    for name, kind in (("query", table.queries.dtype), ("item", table.item.dtype)):
        if frame.height and frame.schema[name] != kind:
            theirs = frame.schema[name]
            example = Phrase(
                f"{name} ids are {kind} in the judgments and {theirs} in the ranking",
                f"{name} 的标识在标注中为 {kind}，在排序结果中为 {theirs}",
            )
            findings.add("RG406", example)
            table.as_text(name)
            frame = frame.with_columns(pl.col(name).cast(pl.String))
    return frame


def blocks_with_like_types(
    blocks: Iterator[pl.DataFrame], table: JudgedTable, findings: Findings
) -> Iterator[pl.DataFrame]:
    """Yield the blocks of a ranking with ids of the types that the judgments have."""
    for block in blocks:
        same = (block.schema["query"], block.schema["item"]) == (table.queries.dtype, table.item.dtype)
        yield block if same else with_like_types(block, table, findings)
