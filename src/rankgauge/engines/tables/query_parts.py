"""One part of a cluster's rows: whole queries, matched as frames are anywhere, with what was found in each query.

A cluster only moves the rows of a query to one place and lays them together. Judgments and ranking come mixed, each row
with its ``number``, a grade or a score. Thousands of queries are matched at a time; no Python runs for a single one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

import numpy as np
import polars as pl
import pyarrow as pa

from rankgauge.conventions import Convention
from rankgauge.engines.tables.batches import answer
from rankgauge.engines.tables.packets import gathered, unpack
from rankgauge.engines.tables.sql import BY_INPUT, COUNTED
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.query_blocks import run_lengths, whole_queries
from rankgauge.matching.from_frames import JudgedTable, match_frames
from rankgauge.matching.matched import Matched
from rankgauge.metric_core.metric import Metric
from rankgauge.segments import Ints

ROWS_AT_A_TIME = 250_000
"""Rows that are matched together; more only where a single query or bin has more."""
Block: TypeAlias = tuple[pl.DataFrame, Ints]
"""Rows by query, and the number of rows of each query."""


def blocks_of_rows(batches: Iterable[pa.RecordBatch]) -> Iterator[Block]:
    """Rows (query, item, number, is_judgment) that lie together by query, some whole queries at a time."""
    return whole_queries(map(pl.DataFrame, gathered(batches, ROWS_AT_A_TIME)))


def blocks_of_packets(batches: Iterable[pa.RecordBatch], columns: Mapping[bool, pa.Schema]) -> Iterator[Block]:
    """The same of packets that lie together by bin."""
    for rows in unpack(batches, columns, ROWS_AT_A_TIME):
        block = rows if rows["query"].is_sorted() else rows.sort("query")
        yield block, run_lengths(block["query"])


def answers(
    blocks: Iterable[Block], metrics: Sequence[Metric], rules: Convention, depth: int | None, *, lenient: bool = False
) -> Iterator[pa.RecordBatch]:
    """The values of the queries of each block; of rows that cannot reach the top ``depth`` only the number is kept."""
    for block, sizes in blocks:
        query = block["query"].gather(np.cumsum(sizes) - sizes).rechunk().to_arrow()
        rows = block.with_columns(
            query=pl.Series(np.repeat(np.arange(len(sizes)), sizes)), known=pl.col("query").is_not_null()
        )
        part = _Part(len(sizes))
        matched = part.match(*part.sound(rows), rules, depth, lenient=lenient)
        yield answer(query, matched, part.counts, metrics, rules, lenient=lenient)


class _Part:
    """Some whole queries, numbered from 0, and what was found in each of them."""

    def __init__(self, queries: int) -> None:
        self.queries = queries
        self.counts: dict[str, Ints] = {code: np.zeros(queries, dtype=np.int64) for code in COUNTED}

    def sound(self, rows: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Judgments and ranking without rows that cannot be matched, which are counted."""
        named = pl.col("known") & pl.col("item").is_not_null()
        finite = pl.col("number").is_finite().fill_null(value=False)
        if not rows.select((named & finite).all()).item():
            judged, missing, nan = pl.col("is_judgment"), pl.col("number").is_null(), pl.col("number").is_nan()
            faults = {
                "RG208": ~named,
                "RG201": named & ~judged & missing,
                "RG202": named & ~judged & nan.fill_null(value=False),
                "RG204": named & judged & ~finite,
            }
            for code, fault in (*faults.items(), ("RG203", named & ~judged & pl.col("number").is_infinite())):
                self.counts[code] = self._count(rows.filter(fault)["query"])
            rows = rows.filter(~pl.any_horizontal(*faults.values()))
        judgments, ranking = rows.filter("is_judgment"), rows.filter(~pl.col("is_judgment"))
        return judgments.rename({"number": "grade"}), ranking.rename({"number": "score"})

    def match(
        self, judgments: pl.DataFrame, ranking: pl.DataFrame, rules: Convention, depth: int | None, *, lenient: bool
    ) -> Matched:
        """All queries of the part, also those without judgments and those without a ranking."""
        if lenient:  # of an item judged twice the first is kept, and rows of a cluster have no order
            judgments = judgments.sort("query", "grade")
        if rules.ties in BY_INPUT:
            by = ["query", "input_order", pl.col("item").cast(pl.String)]
            ranking = ranking.sort(by, descending=[False, False, rules.ties == "input"])
        found = Findings()
        table = JudgedTable(judgments, found, pl.Series(np.arange(self.queries)))
        chunks = [*match_frames(table, [ranking], rules, found, depth)]
        codes = {finding.code for finding in found}
        if "RG301" in codes:
            self.counts["RG301"] = self._count(ranking["query"]) - self._count(_pairs(ranking)["query"])
        if codes & {"RG302", "RG303"}:
            pairs = _pairs(judgments).filter(pl.col("times") > 1)
            self.counts["RG302"] = self._count(pairs.filter(pl.col("kinds") > 1)["query"])
            self.counts["RG303"] = self._count(pairs.filter(pl.col("kinds") == 1)["query"])
        return self._together(chunks, table)

    def _together(self, chunks: Sequence[tuple[Ints, Matched]], table: JudgedTable) -> Matched:
        """The queries of the chunks among all of them; those that nothing was returned for have no rows."""
        whole = Matched.empty(table.sizes_of(np.arange(self.queries)), table.grade)
        if chunks:
            for name in ("grade", "above", "tied", "before", "positive"):
                if getattr(chunks[0][1], name) is not None:
                    setattr(whole, name, np.concatenate([getattr(matched, name) for _, matched in chunks]))
            whole.query = np.concatenate([codes[matched.query] for codes, matched in chunks])
        for codes, matched in chunks:
            whole.returned[codes] = matched.returned
        return whole

    def _count(self, queries: pl.Series) -> Ints:
        return np.bincount(queries.to_numpy(), minlength=self.queries)


def _pairs(rows: pl.DataFrame) -> pl.DataFrame:
    """Each query and item once: how often it stands there, with how many grades."""
    kinds = [pl.col("grade").n_unique().alias("kinds")] if "grade" in rows.columns else []
    return rows.group_by("query", "item").agg(pl.len().alias("times"), *kinds)
