"""Rankings cut where a budget of characters or tokens ends."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from rankgauge.conventions import Convention
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.source import Source
from rankgauge.matching.found_spans import RankedRows
from rankgauge.matching.gold import check_match
from rankgauge.matching.item_lengths import Cut, lengths_of
from rankgauge.matching.span_rankings import rows_of

if TYPE_CHECKING:
    from rankgauge.conventions.budget import Budget
    from rankgauge.matching.ranking import Ranking


def cut_at(rows: pl.DataFrame, amount: int, end: str, convention: Convention, cut: Cut | None) -> pl.DataFrame:
    """Return the items from the top that fit into the budget, with minus the rank as score.

    Items are charged in full, whether they overlap or not. The one that crosses the budget is cut by ``cut`` if there
    is one, left out, or ``kept``. A cut item that is equal to one above it is left out.

    >>> rows = pl.DataFrame({"query": ["q"] * 2, "item": ["abc", "defg"], "length": [3, 4], "score": [2.0, 1.0]})
    >>> beginning = pl.col("item").str.head(pl.col("left"))
    >>> cut_at(rows, 5, "cut", Convention(), lambda rows: rows.with_columns(item=beginning))["item"].to_list()
    ['abc', 'de']
    """
    ranked = RankedRows.of(rows, convention)
    runs, rank = ranked.runs, ranked.ranks(np.arange(rows.height))
    order = np.empty(rows.height, dtype=np.int64)
    order[runs.spread(runs.offsets[:-1]) + rank] = np.arange(rows.height)
    length = ranked.frame["length"].to_numpy()[order]
    charged = np.concatenate(([0], np.cumsum(length)))
    left = amount - charged[:-1] + runs.spread(charged[runs.offsets[:-1]])
    inside = left > 0 if end == "kept" else (left > 0) & (left >= length)
    kept = ranked.frame[order[inside]].with_columns(score=pl.Series(-1.0 * rank[order[inside]]))
    crossing = np.flatnonzero((left > 0) & (left < length))
    if end != "cut" or cut is None or not len(crossing):
        return kept.drop("length")
    last = ranked.frame[order[crossing]].with_columns(
        left=pl.Series(left[crossing]), score=pl.Series(-1.0 * rank[order[crossing]]), place=pl.Series(crossing)
    )
    identity = [name for name in kept.columns if name not in {"length", "score"}]
    new = cut(last).select(*kept.columns, "place").join(kept, on=identity, how="anti")
    places = pl.Series(np.flatnonzero(inside))
    return pl.concat([kept.with_columns(place=places), new]).sort("place").drop("length", "place")


def within_budget(ranking: Ranking, budget: Budget, convention: Convention, findings: Findings) -> Ranking:
    """Return a ranking cut where the budget ends."""
    check_match(convention)
    items = lengths_of(ranking, rows_of(ranking, findings), budget, convention)
    frame = cut_at(items.rows, budget.amount, convention.budget_end, convention, items.cut)
    options = replace(ranking.options, columns=None, format=None)
    source = Source(frame, "frame", "ranking", options, is_clean=True)
    return type(ranking)(source, options, ranking.name, may_be_empty=True)
