"""Differences in recommendation probability between groups of items."""

from __future__ import annotations

import numpy as np

from rankgauge.metric_core.corpus_value import CorpusValue, corpus_value
from rankgauge.segments import Floats, Ints
from rankgauge.side_information.item_lists import ItemLists


def spread_of_rates(lists: ItemLists, k: int | None, group: Ints, sizes: Ints, rel: float | None = None) -> CorpusValue:
    """Return the coefficient of variation of the recommendation probabilities of the groups.

    ``group`` is the group of each item, -1 for none. Without ``rel``, every item counts that a user did not have in
    training, out of the ``sizes`` of the groups. With ``rel``, only relevant items count.
    """
    groups = len(sizes)
    rows = lists.inside(k) & (group[lists.item] >= 0)
    if rel is not None:
        rows &= lists.relevant(rel) > 0
    users = lists.segments.count
    recommended = _table(lists.segments.query[rows], group[lists.item[rows]], users, groups)
    if rel is None:
        history = lists.tables.history
        had = group[history.second] >= 0
        possible = np.asarray(sizes) - _table(history.first[had], group[history.second[had]], users, groups)
    else:
        query, item, grade = lists.tables.judged_items
        counted = (query >= 0) & (grade >= rel) & (group[item] >= 0)
        possible = _table(query[counted], group[item[counted]], users, groups)

    def spread(times: Floats) -> float:
        below = times @ possible
        rates = (times @ recommended)[below > 0] / below[below > 0]
        return float(rates.std() / rates.mean()) if rates.size and rates.mean() > 0 else float("nan")

    return corpus_value(lists, spread)


def _table(user: Ints, group: Ints, users: int, groups: int) -> Floats:
    """Return the number of rows of each user in each group."""
    counts = np.bincount(user * groups + group, minlength=users * groups)
    return counts.reshape(users, groups).astype(np.float64)
