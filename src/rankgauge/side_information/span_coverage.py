"""How much of the judged spans each returned span covers, and how much of its text is new: in characters, by rank."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from rankgauge.inputs.findings import SIDE_NAMES
from rankgauge.inputs.spans import span_columns
from rankgauge.matching.found_spans import check_units, not_a_span
from rankgauge.matching.span_pairs import SpanPairs, add_piece
from rankgauge.segments import Floats, Ints
from rankgauge.side_information.item_lists import ItemLists

PLACE = ["query", "document"]


class SpanCoverage(NamedTuple):
    """Numbers of characters of each returned span, by row, and of the judged ones, by query."""

    covered: Floats
    """Characters of judged spans in this span and in none above; with ``each``, one in several spans counts in each."""
    length: Floats
    """Characters of the returned span; without ``each``, those in none above."""
    judged: Floats
    """Characters of the judged spans of each query; with ``each``, of all of them added up."""


def span_coverage(
    lists: ItemLists, rel: float, k: int | None, *, each: bool = False, counted: str = "all"
) -> SpanCoverage:
    """Return how the top k of each list covers the judged spans from the grade ``rel`` on.

    Lengths are of all returned spans, or of those ``touching`` or ``bordering`` a judged one.
    """
    queries, users = lists.segments.count, lists.tables.users.names
    number, items, grade = lists.tables.pool()
    wanted = np.flatnonzero((number >= 0) & (grade >= rel))
    gold_ids = items.gather(wanted) if isinstance(items, pl.Series) else [items[place] for place in wanted.tolist()]
    golds = _columns("judgments", users, number[wanted], gold_ids)
    inside = np.flatnonzero(lists.inside(k))
    names = lists.tables.items.names
    chunks = _columns(
        "ranking", users, lists.segments.query[inside], [names[item] for item in lists.item[inside].tolist()]
    )
    check_units(golds["unit"], chunks["unit"])
    chunks = chunks.with_columns(row=pl.Series(inside), rank=pl.Series(lists.rank[inside]))
    judged = golds if each else _disjoint(golds)
    pairs = SpanPairs.of(judged.with_columns(gold=pl.int_range(pl.len())), chunks)
    rows = len(lists.rank)
    covered = np.bincount(pairs.row, weights=pairs.new_shares(), minlength=rows)
    length = np.zeros(rows)
    chunks = chunks if counted == "all" else _near(chunks, golds, borders=counted == "bordering")
    length[chunks["row"]] = (chunks["end"] - chunks["start"]).to_numpy() if each else _new_lengths(chunks)
    sizes = (judged["end"] - judged["start"]).to_numpy()
    return SpanCoverage(covered, length, np.bincount(judged["query"], weights=sizes, minlength=queries))


def _columns(side: str, users: Sequence[object], query: Ints, names: Iterable[object]) -> pl.DataFrame:
    """Return query, document, start and end of ids; one that names no span is an error."""
    items = names.cast(pl.String) if isinstance(names, pl.Series) else pl.Series([*map(str, names)], dtype=pl.String)
    spans = span_columns(items)
    if spans["document"].null_count():
        row = int(spans["document"].is_null().arg_max() or 0)
        raise not_a_span(SIDE_NAMES[side], users[int(query[row])], items[row])
    return spans.insert_column(0, pl.Series("query", np.asarray(query, dtype=np.int64)))


def _disjoint(spans: pl.DataFrame) -> pl.DataFrame:
    """Return the union of the spans of each query as spans that do not overlap."""
    apart, close = _by_distance(spans, touching=True)
    before = pl.col("end").cum_max().shift(1).over(PLACE)
    group = (pl.col("start") > before).fill_null(value=True).cum_sum().over(PLACE)
    merged = (
        close.sort(*PLACE, "start", "end")
        .with_columns(group=group)
        .group_by(*PLACE, "group", maintain_order=True)
        .agg(pl.col("start").min(), pl.col("end").max())
    )
    return pl.concat([frame.select(*PLACE, "start", "end") for frame in (apart, merged)])


def _by_distance(spans: pl.DataFrame, *, touching: bool) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the spans of documents of queries in which none overlap, or touch, and the others."""
    ordered = spans.sort(*PLACE, "start")
    start, before = pl.col("start"), pl.col("end").shift(1)
    close = ordered.filter(
        *(pl.col(name) == pl.col(name).shift(1) for name in PLACE), start <= before if touching else start < before
    )
    places = close.select(PLACE).unique()
    return spans.join(places, on=PLACE, how="anti"), spans.join(places, on=PLACE, how="semi")


def _near(chunks: pl.DataFrame, golds: pl.DataFrame, *, borders: bool) -> pl.DataFrame:
    """Return the returned spans that share a character with a judged one, or also those next to one."""
    both = chunks.join(golds.select(*PLACE, first="start", last="end"), on=PLACE, how="inner")
    low, high = pl.max_horizontal("start", "first"), pl.min_horizontal("end", "last")
    return chunks.join(both.filter(low <= high if borders else low < high), on="row", how="semi")


def _new_lengths(chunks: pl.DataFrame) -> Ints:
    """Return how many characters of each span are in none above it."""
    lengths: Ints = (chunks["end"] - chunks["start"]).to_numpy().copy()
    _, several = _by_distance(chunks.with_row_index("at"), touching=False)
    for at, start, end in _by_rank(several):
        pieces: list[tuple[int, int]] = []
        lengths[at] = [add_piece(pieces, *span) for span in zip(start, end, strict=True)]
    return lengths


def _by_rank(spans: pl.DataFrame) -> Iterator[tuple[list[int], list[int], list[int]]]:
    """Yield the rows, starts and ends of each document of each query, by rank."""
    yield from (
        spans.sort("rank").group_by(PLACE, maintain_order=True).agg("at", "start", "end").drop(PLACE).iter_rows()
    )
