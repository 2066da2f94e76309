"""Subtopics of queries: those that each item of a list is relevant to, and the greedy ideal order."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rankgauge.segments import Floats, Ints
from rankgauge.side_information.item_lists import ItemLists

if TYPE_CHECKING:
    from rankgauge.side_information.tables import Subtopics


class SubtopicPairs(NamedTuple):
    """Pairs of a row of the lists and a subtopic that its item is relevant to."""

    row: Ints
    seen: Floats
    """Number of items above that are relevant to the same subtopic."""
    topics: Floats
    """Number of subtopics of each query that have a relevant item."""
    relevant: Floats
    """Number of relevant items of the subtopic of each pair."""
    judged: Subtopics
    """All relevant items, in the lists or not."""


def subtopic_pairs(lists: ItemLists, rel: float) -> SubtopicPairs:
    """Return the subtopics that the items of the lists are relevant to, with a grade of at least ``rel``."""
    known = lists.tables.subtopics(rel)
    items = len(lists.tables.items) + 1  # one more for items in no list, so that keys do not collide
    key = known.query * items + known.item + 1
    order = np.argsort(key, kind="stable")
    wanted = lists.segments.query * items + lists.item + 1
    first, last = (np.searchsorted(key[order], wanted, side=side) for side in ("left", "right"))
    sizes = last - first
    row = np.repeat(np.arange(len(wanted)), sizes)
    place = np.arange(len(row)) - np.repeat(np.cumsum(sizes) - sizes, sizes) + np.repeat(first, sizes)
    topic = known.topic[order][place]
    with_topics = known.query[np.unique(known.topic, return_index=True)[1]]
    return SubtopicPairs(
        row=row,
        seen=_earlier(topic, row),
        topics=np.bincount(with_topics, minlength=lists.segments.count).astype(np.float64),
        relevant=np.bincount(known.topic, minlength=int(topic.max(initial=0)) + 1)[topic].astype(np.float64),
        judged=known,
    )


def _earlier(topic: Ints, row: Ints) -> Floats:
    """Return the number of earlier pairs with the same subtopic; rows of a query are in rank order."""
    order = np.lexsort((row, topic))
    ordered = topic[order]
    starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1]))) if len(ordered) else np.zeros(0, int)
    place = np.arange(len(ordered)) - np.repeat(starts, np.diff(np.append(starts, len(ordered))))
    earlier = np.empty(len(ordered))
    earlier[order] = place
    return earlier


def by_row(lists: ItemLists, pairs: SubtopicPairs, values: Floats) -> Floats:
    """Return the sum over the subtopics of each row."""
    return np.bincount(pairs.row, weights=values, minlength=len(lists.rank)).astype(np.float64)


def best_gains(pairs: SubtopicPairs, queries: int, depth: int | None, alpha: float) -> list[Floats]:
    """Return the gain at each rank of the greedy order, which takes the item with the largest gain next.

    Finding the best order is NP-hard, and evaluations use the greedy one. Ties in gain can change later gains: as in
    ndeval, the item with the last id is taken.
    """
    query, _, item, topic = pairs.judged
    order = np.lexsort((item, query))
    edges = np.searchsorted(query[order], np.arange(queries + 1))
    gains = []
    for start, end in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        rows = order[start:end]
        items, row = np.unique(item[rows], return_inverse=True)
        topics, column = np.unique(topic[rows], return_inverse=True)
        relevant = np.zeros((len(items), len(topics)))
        relevant[row, column] = 1.0
        gains.append(_greedy(relevant, len(items) if depth is None else min(depth, len(items)), alpha))
    return gains


def _greedy(relevant: Floats, depth: int, alpha: float) -> Floats:
    left, worth = np.ones(len(relevant), dtype=bool), np.ones(relevant.shape[1])
    gains = np.zeros(depth)
    for place in range(depth):
        gain = np.where(left, relevant @ worth, -1.0)
        best = len(gain) - 1 - int(np.argmax(gain[::-1] >= gain.max() * (1 - 1e-12)))
        gains[place] = gain[best]
        left[best] = False
        worth = worth * (1 - alpha * relevant[best])
    return gains
