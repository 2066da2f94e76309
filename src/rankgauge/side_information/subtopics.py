"""Subtopics of queries: which of them each item of a list is relevant to, and the order that covers them best."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rankgauge.segments import Floats, Ints
from rankgauge.side_information.item_lists import ItemLists

if TYPE_CHECKING:
    from rankgauge.side_information.tables import Subtopics


class Covered(NamedTuple):
    """Each pair of a row of the lists and a subtopic that its item is relevant to."""

    row: Ints
    seen: Floats
    """How many items above are relevant to the same subtopic."""
    topics: Floats
    """The number of subtopics of each query that have a relevant item."""
    relevant: Floats
    """The number of relevant items of the subtopic of each pair."""
    judged: Subtopics
    """All that is relevant, in the lists or not."""


def covered(lists: ItemLists, rel: float) -> Covered:
    """Which subtopics the items of the lists are relevant to, from the grade ``rel`` on."""
    known = lists.tables.subtopics(rel)
    items = len(lists.tables.items) + 1  # a number for what stands in no list, so that no keys fall together
    key = known.query * items + known.item + 1
    order = np.argsort(key, kind="stable")
    asked = lists.segments.query * items + lists.item + 1
    first, last = (np.searchsorted(key[order], asked, side=side) for side in ("left", "right"))
    sizes = last - first
    row = np.repeat(np.arange(len(asked)), sizes)
    place = np.arange(len(row)) - np.repeat(np.cumsum(sizes) - sizes, sizes) + np.repeat(first, sizes)
    topic = known.topic[order][place]
    with_topics = known.query[np.unique(known.topic, return_index=True)[1]]
    return Covered(
        row=row,
        seen=_earlier(topic, row),
        topics=np.bincount(with_topics, minlength=lists.segments.count).astype(np.float64),
        relevant=np.bincount(known.topic, minlength=int(topic.max(initial=0)) + 1)[topic].astype(np.float64),
        judged=known,
    )


def _earlier(topic: Ints, row: Ints) -> Floats:
    """How many earlier pairs have the same subtopic; rows of a query are in the order of ranks."""
    order = np.lexsort((row, topic))
    ordered = topic[order]
    starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1]))) if len(ordered) else np.zeros(0, int)
    place = np.arange(len(ordered)) - np.repeat(starts, np.diff(np.append(starts, len(ordered))))
    earlier = np.empty(len(ordered))
    earlier[order] = place
    return earlier


def by_row(lists: ItemLists, pairs: Covered, worth: Floats) -> Floats:
    """What the subtopics of each row are worth together."""
    return np.bincount(pairs.row, weights=worth, minlength=len(lists.rank)).astype(np.float64)


def best_gains(pairs: Covered, queries: int, depth: int | None, alpha: float) -> list[Floats]:
    """The gain at each rank of the order that takes the item with the largest gain next, for every query.

    The best order of all is hard to find; this one is what evaluations use. Which of several items with the same
    gain comes first can change what is left for later: the one that comes last in the order of ids is taken, as
    ndeval does.
    """
    query, _, item, topic = pairs.judged
    order = np.lexsort((item, query))
    edges = np.searchsorted(query[order], np.arange(queries + 1))
    found = []
    for start, end in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        rows = order[start:end]
        items, row = np.unique(item[rows], return_inverse=True)
        topics, column = np.unique(topic[rows], return_inverse=True)
        relevant = np.zeros((len(items), len(topics)))
        relevant[row, column] = 1.0
        found.append(_greedy(relevant, len(items) if depth is None else min(depth, len(items)), alpha))
    return found


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
