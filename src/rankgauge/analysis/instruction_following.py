"""`p_mrr`: whether items that an instruction excludes fall, and others stay, between two rankings (FollowIR)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Unpack

import numpy as np
import polars as pl

from rankgauge.analysis.full_ranking import FullRanking
from rankgauge.errors import InputError, ParameterError, shown
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.read_options import ARRAY_OPTIONS, ReadKeywords, ReadOptions
from rankgauge.matching.entrance import resolve_rankings
from rankgauge.matching.ranking import Ranking
from rankgauge.matching.source_types import RankingLike
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Floats
from rankgauge.value_checks import is_listing

REFUSED = dict.fromkeys(
    ("grades", "units", *ARRAY_OPTIONS), Phrase("it reads the ranks of items by their ids", "按 id 读取物品的名次")
)
"""Read options that do not apply."""
EVERY_RANK = 1 << 61


def p_mrr(
    changed: Mapping[object, Iterable[object]],
    first: RankingLike,
    second: RankingLike,
    *,
    read_options: ReadOptions | None = None,
    **read: Unpack[ReadKeywords],
) -> dict[object, float]:
    """Return the p-MRR of each query: how far the changed items moved between two rankings of the same queries.

    ``changed`` lists for each query the items whose relevance an instruction changed; ``first`` is the ranking without
    it and ``second`` with it, each as for ``evaluate``. An item that goes from rank r to rank s counts s/r - 1 if it
    rises and 1 - r/s if it falls; an item that was not returned has the rank after the last. The value of a query is
    the mean over its items, from -1 to 1: 1 if items to be avoided fell far. The mean over queries is the p-MRR of
    FollowIR.

    Parameters
    ----------
    changed
        ``{query: [items]}``: the items whose relevance the instruction changed.
    first, second
        The rankings without and with the instruction, as ``rg.evaluate`` takes them.
    read_options, **read
        How data are read; see ReadOptions.

    Examples
    --------
    >>> import rankgauge as rg
    >>> rg.p_mrr({"q": ["a"]}, {"q": ["a", "b", "c", "d"]}, {"q": ["b", "c", "d", "a"]})  # from rank 1 to 4: 1 - 1/4
    {'q': 0.75}
    """
    options = ReadOptions.of(p_mrr, read_options, read, REFUSED)
    if not isinstance(changed, Mapping) or not changed:
        raise ParameterError.of("changed", changed, "{query: [items]}", "p_mrr")
    before, after = map(_ranks, resolve_rankings("p_mrr", [first, second], options))
    values = {}
    for query, items in changed.items():
        named = [*items] if is_listing(items) else []
        if not named:
            raise InputError(
                f"p_mrr: the changed items of query {shown(query)} are {shown(items)}; pass a list of items"
            )
        r, s = (_ranks_of(ranks, query, named, which) for ranks, which in ((before, "first"), (after, "second")))
        values[query] = float(np.where(r >= s, s / r - 1, 1 - r / s).mean())
    return values


def _ranks(ranking: Ranking) -> dict[str, pl.Series]:
    """Return the items of each query with their ranks; equal scores by descending id."""
    full = FullRanking.read(ranking, EVERY_RANK, Findings())
    names = full.queries.cast(pl.String).to_list()
    items = full.item.cast(pl.String)
    edges = full.runs.offsets.tolist()
    return {name: items[start:end] for name, start, end in zip(names, edges[:-1], edges[1:], strict=True)}


def _ranks_of(ranks: Mapping[str, Any], query: Any, items: list[Any], which: str) -> Floats:
    if str(query) not in ranks:
        raise InputError(f"p_mrr: query {shown(query)} is not in the {which} ranking")
    place = {item: rank for rank, item in enumerate(ranks[str(query)].to_list(), 1)}
    return np.array([float(place.get(str(item), len(place) + 1)) for item in items])
