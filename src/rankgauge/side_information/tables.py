"""Tables: what a SideInformation knows, by the numbers of the items and users at hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from rankgauge.errors import InputError, shown
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.records import ranking_records
from rankgauge.matching.from_dicts import scores_of
from rankgauge.matching.read_options import ReadOptions
from rankgauge.matching.sources import is_file, is_table, read_table
from rankgauge.segments import Bools, Floats, Ints, Segments
from rankgauge.side_information.id_pairs import Pairs, distinct_pairs
from rankgauge.side_information.ids import Ids
from rankgauge.side_information.information import SideInformation
from rankgauge.side_information.table_reader import (
    read_counts,
    read_interactions,
    read_items,
    read_once,
    read_pairs,
    read_subtopics,
    read_vectors,
)

Pool = Callable[[], tuple[Ints, Any, Floats]]
"""The number of the query, the item and the grade of every judgment."""


class Subtopics(NamedTuple):
    """What is relevant to a subtopic: numbers of queries, items and subtopics, which are different for each query."""

    query: Ints
    item: Ints
    """-1 for an item that stands at the top of no list."""
    by_id: Ints
    """The number of the item in the order of ids."""
    topic: Ints


class Categories(NamedTuple):
    """Which categories the items have."""

    segments: Segments
    """The rows of each item."""
    number: Ints
    """The number of the category of each row."""
    names: list[Any]


class Groups(NamedTuple):
    """Which group the items have."""

    number: Ints
    """Of each item; -1 where it has none."""
    sizes: Ints
    """How many items each group has, recommended or not."""
    names: list[Any]


class Tables:
    """What is known, as arrays by the number of the item or of the user.

    ``items`` are the items at the top of some list; those of the other tables are added as they are read, so
    everything that brings items is read before anything is laid out by their numbers.
    """

    def __init__(
        self, side_information: SideInformation, items: Ids, users: Sequence[Any], needs: Iterable[str], pool: Pool
    ) -> None:
        self.side_information = side_information
        self.items = items
        self.users = Ids(users)
        self.ranked = len(items)
        """The items with smaller numbers stand at the top of some list."""
        wanted = set(needs)
        self._log: Pairs | None = None
        counted_in_log = {need for need in ("popularity", "items") if getattr(side_information, need) is None}
        if side_information.training is not None and wanted & {"training", *counted_in_log}:
            self._log = self._read_log(side_information.training)
        self._counted = (
            read_counts(side_information.popularity, "popularity") if side_information.popularity is not None else None
        )
        if self._counted is not None and "popularity" in wanted:
            self.items.add_as([item for item, _ in self._counted])
        self._baseline = self._read_baseline() if "baseline" in wanted else None
        self._pool = pool
        self._judged = self._read_pool() if "judged items" in wanted else None

    def _read_log(self, source: Any) -> Pairs:
        users, items = read_interactions(source)
        if len(users) == 0:
            raise InputError("training: there are no interactions")
        return distinct_pairs(self.users.copy().add_as(users), self.items.add_as(items))

    def _read_baseline(self) -> Pairs:
        source, users, items = self.side_information.baseline, [], []
        if is_file(source) or is_table(source):
            frame = read_table(source, "ranking", ReadOptions(), Findings())
            users, items = frame["query"].to_list(), frame["item"].to_list()
        else:
            try:
                records = ranking_records(source, Findings())
            except InputError as error:
                raise InputError(f"baseline: {error}") from None
            for user, returned in records.items():
                listed = [*scores_of(user, returned, Findings())]
                users += [user] * len(listed)
                items += listed
        theirs = Ids()
        place = theirs.add(users)
        mine = theirs.find(self.users.names)[place]
        known = mine >= 0
        numbers = self.items.add_as(items)
        return distinct_pairs(mine[known], numbers[known])

    def _read_pool(self) -> tuple[Ints, Ints, Floats]:
        query, items, grade = self._pool()
        return query, self.items.add_as(items), grade

    # By item

    @cached_property
    def catalogue(self) -> tuple[Bools | None, int]:
        """Which items belong to the catalogue (None where only its size is known), and how many it has."""
        if self.side_information.items is None:
            inside = np.zeros(len(self.items), dtype=bool)
            inside[self.log.second] = True
            return inside, int(inside.sum())
        given = read_items(self.side_information.items)
        if isinstance(given, int):
            if given < self.ranked:
                raise InputError(f"items={given}, but {self.ranked} different items stand at the top of the lists")
            return None, given
        names = Ids(given)
        return self.items.find(names.names) >= 0, len(names)

    @property
    def log(self) -> Pairs:
        """The pairs of user and item of the training; users of the lists have the numbers that they have there."""
        if self._log is None:
            raise InputError("there is no training; pass side_information=rg.SideInformation(training=...)")
        return self._log

    @cached_property
    def trained(self) -> Floats:
        """How many users of the training each item had, whatever the table of popularity says."""
        return np.bincount(self.log.second, minlength=len(self.items)).astype(np.float64)

    @cached_property
    def popularity(self) -> Floats:
        """How many users each item had in training; 0 for an item that nobody had."""
        if self._counted is None:
            return self.trained
        counts = np.array([count for _, count in self._counted], dtype=np.float64)
        found = self.items.find([item for item, _ in self._counted])
        return np.where(found >= 0, np.append(counts, 0.0)[found], 0.0)

    @cached_property
    def training_users(self) -> int:
        """How many users the training has."""
        return int(np.count_nonzero(np.bincount(self.log.first)))

    @cached_property
    def interactions(self) -> float:
        """How many pairs of user and item the training has."""
        if self._counted is None:
            return float(len(self.log.first))
        return float(sum(count for _, count in self._counted))

    def in_head(self, share: float) -> Bools:
        """The short head: the most popular items, until they have at least this share of all interactions.

        Items of the same popularity stand in the order of their ids as text, so that the head does not depend on
        which lists are evaluated.
        """
        popularity = self.popularity
        order = np.lexsort((np.array([str(name) for name in self.items.names], dtype=object), -popularity))
        before = np.cumsum(popularity[order]) - popularity[order]
        head = np.zeros(len(popularity), dtype=bool)
        head[order] = (before < share * self.interactions) & (popularity[order] > 0)
        return head

    @cached_property
    def vectors(self) -> Floats:
        """The vector of each item at the top of a list: its features, or a 1 for each of its categories."""
        if self.side_information.features is None:
            matrix = np.zeros((self.ranked, self.category_count))
            matrix[self.categories_of(np.arange(self.ranked))] = 1.0
            return matrix
        items, matrix = read_vectors(self.side_information.features)
        return matrix[self._found(items, "features")[: self.ranked]]

    @cached_property
    def categories(self) -> Categories:
        """The categories of each item, by number, as rows of the items."""
        pairs, listed = read_pairs(self.side_information.categories, "categories")
        items, kinds = Ids(), Ids()
        which, kind = items.add([item for item, _ in pairs]), kinds.add([kind for _, kind in pairs])
        items.add([*listed])  # also those of which nothing is said
        place = self._found(items.names, "categories")
        number = np.full(len(items), -1)
        number[place[place >= 0]] = np.flatnonzero(place >= 0)
        both = distinct_pairs(number[which], kind)
        known = both.first >= 0
        segments = Segments.of_sizes(np.bincount(both.first[known], minlength=len(self.items)))
        return Categories(segments, both.second[known], kinds.names)

    @cached_property
    def category_count(self) -> int:
        """How many categories the items have together."""
        return int(self.categories.number.max(initial=-1)) + 1

    def categories_of(self, items: Ints) -> tuple[Ints, Ints]:
        """Every category of these items, one after the other: the place of the item among them, and the category."""
        segments, category, _ = self.categories
        sizes = segments.sizes[items]
        before = np.cumsum(sizes) - sizes
        place = np.repeat(np.arange(len(items)), sizes)
        return place, category[np.arange(len(place)) + (segments.offsets[:-1][items] - before)[place]]

    @cached_property
    def item_group(self) -> Groups:
        """The group of each item by number, -1 where it has none; and how many items each group has."""
        pairs = read_once(self.side_information.item_groups, "item_groups")
        found, groups = self._found([*pairs], "item_groups"), Ids()
        numbers = groups.add([*pairs.values()])
        sizes = np.bincount(numbers, minlength=len(groups))
        return Groups(np.where(found >= 0, np.append(numbers, -1)[found], -1), sizes, groups.names)

    def _found(self, items: Sequence[Any], table: str) -> Ints:
        """The place in a table of every item; an error where one that stands at the top of a list is not there."""
        place = self.items.find(items)
        lacking = np.flatnonzero(place[: self.ranked] < 0)
        if len(lacking):
            raise InputError(
                f"{table}: {len(lacking)} of {self.ranked} recommended items are not there, first "
                f"{shown(self.items.names[int(lacking[0])])}; say something of every item"
            )
        return place

    # By user

    @cached_property
    def history(self) -> Pairs:
        """What each user of the lists had in training: the number of the user, the number of the item."""
        of_lists = int(np.searchsorted(self.log.first, len(self.users)))
        return Pairs(self.log.first[:of_lists], self.log.second[:of_lists])

    @property
    def baseline(self) -> Pairs:
        """What the baseline recommends: the number of the user, the number of the item."""
        if self._baseline is None:
            raise InputError("there is no baseline; pass side_information=rg.SideInformation(baseline=...)")
        return self._baseline

    @property
    def judged_items(self) -> tuple[Ints, Ints, Floats]:
        """The user, item and grade of every judgment, by number."""
        if self._judged is None:
            raise InputError("the judged items were not read")
        return self._judged

    def subtopics(self, rel: float) -> Subtopics:
        """All that is relevant to a subtopic of a query of the lists, from the grade ``rel`` on."""
        rows = [row for row in self._subtopics if row[3] >= rel]
        queries, items, topics = Ids(), Ids(), Ids()
        query = queries.find_in(self.users, queries.add([row[0] for row in rows]))
        known = query >= 0
        place = items.add([row[2] for row in rows])
        topic = topics.add([(number, row[1]) for number, row in zip(query.tolist(), rows, strict=True)])
        by_id = np.empty(len(items), dtype=np.int64)
        by_id[sorted(range(len(items)), key=[*map(str, items.names)].__getitem__)] = np.arange(len(items))
        mine = items.find(self.items.names)
        return Subtopics(query[known], mine[place][known], by_id[place][known], topic[known])

    @cached_property
    def _subtopics(self) -> list[tuple[Any, Any, Any, float]]:
        return [*dict.fromkeys(read_subtopics(self.side_information.subtopics))]
