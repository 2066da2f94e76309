"""Snapshots of dicts of judgments: their items and grades as they were read, since a caller may change the dicts."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import chain
from typing import Any

import numpy as np

from rankgauge.inputs.gold_groups import GoldGroup
from rankgauge.segments import Floats, Ints

_SEPARATOR = "\0"


class DictSnapshot:
    """The items and grades of ``{query: {item: grade}}``, the grades given as an array.

    Text ids are kept as one text per query: that takes half the time of a list, which counts references to every id and
    is searched by the garbage collector.

    >>> judged = {"q1": {"a": 1, "b": 0}, "q2": {3: 2}}
    >>> snapshot = DictSnapshot(judged, np.array([1.0, 0.0, 2.0]))
    >>> judged.clear()
    >>> snapshot.rows()
    (array([0, 0, 1]), ['a', 'b', 3], array([1., 0., 2.]))
    """

    def __init__(self, judgments: Mapping[Any, Mapping[Any, Any]], grades: Floats) -> None:
        self._items = [*map(_frozen, judgments.values())]
        self.grades = grades
        lists = [items for items in self._items if not isinstance(items, str)]
        self.has_groups = GoldGroup in {*map(type, chain.from_iterable(lists))}
        """Whether any judged item is a group."""

    def rows(self) -> tuple[Ints, list[Any], Floats]:
        """Return the number of the query, the item and the grade of every judgment."""
        items = [kept.split(_SEPARATOR) if isinstance(kept, str) else kept for kept in self._items]
        return np.repeat(np.arange(len(items)), [*map(len, items)]), [*chain.from_iterable(items)], self.grades


def _frozen(items: Collection[Any]) -> str | list[Any]:
    """Return ids as one text, or as a list if the text could not be divided again."""
    try:
        text = _SEPARATOR.join(items)
    except TypeError:
        return [*items]
    return text if text.count(_SEPARATOR) == len(items) - 1 else [*items]
