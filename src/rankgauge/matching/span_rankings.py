"""Rankings of spans: matched as tables whose items are the judged spans that chunks find."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from rankgauge.conventions import Convention
from rankgauge.conventions.relevance import span_rule
from rankgauge.errors import ParameterError
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.frames import id_series
from rankgauge.inputs.records import RepeatedItems, listed_items, without_missing_ids
from rankgauge.inputs.source import TABLES
from rankgauge.inputs.spans import span_columns
from rankgauge.matching.found_spans import FoundSpans, GoldSpans, check_ends, not_a_span
from rankgauge.matching.from_frames import MatchedRows, match_frames, report_unjudged, slices, with_ranks
from rankgauge.matching.gold import FoundItems, check_match
from rankgauge.matching.matched import Chunk, Matched
from rankgauge.rendering.language import Phrase

if TYPE_CHECKING:
    from rankgauge.matching.judged_table import JudgedTable
    from rankgauge.matching.judgments import Judgments
    from rankgauge.matching.ranking import Ranking


def rows_of(ranking: Ranking, findings: Findings) -> pl.DataFrame:
    """Return query and score of a ranking in any form but an array, with the item or, in its place, its span."""
    if ranking.source.form in TABLES:
        return ranking.frame(findings, by_span=True)
    records = without_missing_ids(ranking.lists(findings), findings)
    ranking.empty = []
    queries: list[object] = []
    items: list[object] = []
    scores: list[object] = []
    for query, returned in records.items():
        if isinstance(returned, Mapping):
            names, points = [*returned], [*returned.values()]
        elif isinstance(returned, RepeatedItems):
            names, points = [*returned], returned.scores
        else:
            names = listed_items(returned, query)
            points = [1 / (1 + place) for place in range(len(names))]
        ranking.empty += [] if names else [query]
        queries += [query] * len(names)
        items += names
        scores += points
    columns = [id_series(queries).alias("query"), id_series(items).alias("item")]
    return pl.DataFrame([*columns, pl.Series("score", scores, dtype=pl.Float64)])


def found_spans(ranking: Ranking, judgments: Judgments, convention: Convention, findings: Findings) -> FoundSpans:
    """Return which chunks of a ranking find which judged spans."""
    rule = span_rule(convention.match)
    if rule is None or ranking.source.form == "array" or judgments.array is not None:
        raise ParameterError(f"match={convention.match!r} needs ids of spans, which arrays lack; pass a frame or rows")
    check_match(convention)
    if convention.hit_if != "returned":
        raise ParameterError(
            Phrase(
                f"match={convention.match!r} orders chunks with equal scores by rank, so hit_if={convention.hit_if!r} "
                "cannot read their scores; use hit_if='returned'",
                f"match={convention.match!r} 会用名次代替相同的分数，hit_if={convention.hit_if!r} "
                "因此无法读取分数；请用 hit_if='returned'",
            )
        )
    rows, gold = rows_of(ranking, findings), GoldSpans.of(judgments)
    if "item" in rows.columns:
        spans = span_columns(rows["item"])
        if spans["document"].null_count():
            row = int(spans["document"].is_null().arg_max() or 0)
            query = rows["query"][row]
            raise not_a_span(findings.place("ranking", query), query, rows["item"][row])
        rows = rows.with_columns(spans)
    check_ends(ranking.options.documents, rows, findings)
    return FoundSpans.of(rows, gold, rule, convention)


def span_records(ranking: Ranking, judgments: Judgments, convention: Convention, findings: Findings) -> dict[Any, Any]:
    """Return what ``found_spans`` finds by query, with the ids that the judgments have."""
    frame = found_spans(ranking, judgments, convention, findings).named()
    queries = {str(query): query for query in judgments.queries}
    records: dict[Any, Any] = {}
    for part in frame.partition_by("query", maintain_order=True):
        query = queries.get(str(part["query"][0]), part["query"][0])
        judged = {str(item): item for item in judgments.dicts.get(query, {})}
        items = [judged.get(item, item) for item in part["item"].to_list()]
        further = part["further"].to_list() if "further" in part.columns else [None] * part.height
        records[query] = FoundItems(items, part["score"].to_list(), further)
        records[query].chunks = part["chunk"].to_list()
    return records


def span_chunks(
    ranking: Ranking,
    judgments: Judgments,
    convention: Convention,
    findings: Findings,
    depth: int | None,
    top: int,
    *,
    grades: bool,
) -> Iterator[Chunk]:
    """Match a ranking of spans, which is read as a whole."""
    found, table = found_spans(ranking, judgments, convention, findings), judgments.table(findings)
    findings.raise_errors(ranking.options.lenient)
    if found.unjudged:
        report_unjudged(found.unjudged, ranking.unjudged, findings)
    if not top and not found.repeats and isinstance(convention.unjudged, str):
        if len(found.code):
            table.with_like_types(found.ranked.frame.select("query"), findings)
            yield found.code, _of_documents(_matched(found, table, findings), found)
        return
    rows = slices(table, table.with_like_types(found.named(), findings))
    chunks = match_frames(table, rows, convention, findings, depth, top, grades=grades, in_memory=True)
    yield from ((numbers, _of_documents(matched, found)) for numbers, matched in chunks)


def _of_documents(matched: Matched, found: FoundSpans) -> Matched:
    """Return what was matched with the documents that do not match, in place of the ids of spans."""
    return replace(matched, unmatched=found.unmatched, near=found.near)


def _matched(found: FoundSpans, table: JudgedTable, findings: Findings) -> Matched:
    """Return the rows that find a judged item, with its grade, where no other row can change a value."""
    frame, runs, order, convention = found.ranked
    places, judged = np.argsort(found.finders), table.rows_of(found.code)
    row, grade = found.finders[places], found.gold.grade[found.best[places]]
    pool_query = np.repeat(np.arange(runs.count), table.sizes_of(found.code))
    rows = MatchedRows(row, runs.query[row], grade, pool_query, table.grade[judged], None, None, None)
    return with_ranks(found.with_further(frame), rows, order, convention, findings)
