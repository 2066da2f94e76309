"""Report ranks that contradict the scores of the same rows."""

from __future__ import annotations

import numpy as np
import polars as pl

from rankgauge.errors import shown
from rankgauge.inputs.findings import with_ids
from rankgauge.inputs.io.lines import FileContext
from rankgauge.segments import Array


def note_rank_conflicts(frame: pl.DataFrame, context: FileContext) -> None:
    """Report adjacent rows of a query whose ranks and scores order them differently."""
    rank = frame["rank"].cast(pl.Float64, strict=False).to_numpy()
    score = frame["score"].to_numpy()
    later, higher = rank[1:] > rank[:-1], score[1:] > score[:-1]
    earlier, lower = rank[1:] < rank[:-1], score[1:] < score[:-1]
    rows = within_queries(frame, (later & higher) | (earlier & lower))
    if rows.size:
        pair = [frame.row(int(rows[0]) + offset, named=True) for offset in (0, 1)]
        en = [f"{shown(row['item'])} has rank {row['rank']} and score {row['score']:g}" for row in pair]
        zh = [f"{shown(row['item'])} 名次为 {row['rank']}、分数为 {row['score']:g}" for row in pair]
        name = context.name
        example = with_ids(f"{name}: {' and '.join(en)}", f"{name}：{'，'.join(zh)}", pair[0]["query"])
        context.findings.add("RG210", example, int(rows.size))


def within_queries(frame: pl.DataFrame, changes: Array) -> Array:
    """Return the rows with a change to the next row, if both belong to the same query."""
    rows = np.flatnonzero(changes)
    query = frame["query"]
    return rows[(query[rows] == query[rows + 1]).to_numpy()]
