"""Tables: a SideInformation as arrays, indexed by the numbers of the evaluated items and users."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from rankgauge.conventions import DEFAULT
from rankgauge.errors import InputError, shown
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.read_options import READ_AS_IS
from rankgauge.inputs.records import ranking_records
from rankgauge.inputs.source import TABLES, Source, form_of
from rankgauge.matching.common_ids import SAMPLE, UnmatchedIds
from rankgauge.matching.copies import item_of
from rankgauge.matching.from_dicts import scores_of
from rankgauge.matching.item_keys import repeat
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Bools, Floats, Ints, Segments
from rankgauge.side_information.ids import IdPairs, Ids, distinct_pairs
from rankgauge.side_information.side_information import SideInformation
from rankgauge.side_information.table_parsers import (
    read_counts,
    read_interactions,
    read_items,
    read_once,
    read_pairs,
    read_subtopics,
    read_vectors,
)

FEW_KNOWN = 0.5
"""Smallest share of the items or users that a table is expected to have."""
_NOT_IN_TABLE = {
    "item": Phrase(
        "{table} lacks {count:,} of {of:# ranked item|# ranked items}",
        "{of:,} 个推荐物品中有 {count:,} 个不在 {table} 中",
    ),
    "user": Phrase("{table} lacks {count:,} of {of:# user|# users}", "{of:,} 个用户中有 {count:,} 个不在 {table} 中"),
    "query": Phrase(
        "{table} lacks {count:,} of {of:# query|# queries}", "{of:,} 个查询中有 {count:,} 个不在 {table} 中"
    ),
}
Pool = Callable[[], tuple[Ints, Any, Floats]]
"""Returns the number of the query, the item and the grade of every judgment."""


_CATALOGUE = {
    "items": Phrase(
        "Catalogue: {count:# item|# items}, as given by items.", "物品目录：{count:,} 个物品，由 items 给出。"
    ),
    "training": Phrase(
        "Catalogue: {count:# item|# items}, those in training, since no items are given.",
        "物品目录：{count:,} 个物品，即训练数据中的物品，因为没有给出 items。",
    ),
}


class Subtopics(NamedTuple):
    """Items relevant to subtopics, by the numbers of queries, items and subtopics; queries do not share subtopics."""

    query: Ints
    item: Ints
    """-1 for an item that is in no list."""
    by_id: Ints
    """The rank of the item by id."""
    topic: Ints


class Categories(NamedTuple):
    """The categories of the items."""

    segments: Segments
    """The rows of each item."""
    number: Ints
    """The number of the category of each row."""
    names: list[Any]


class ItemGroups(NamedTuple):
    """The groups of the items."""

    number: Ints
    """The number of the group of each item; -1 if it has none."""
    sizes: Ints
    """The size of each group, including items that are not recommended."""
    names: list[Any]


class Tables:
    """Arrays indexed by the number of the item or of the user.

    ``items`` starts with the items of the lists. Reading a table adds its items, so all tables that add items are read
    before any array is built.
    """

    def __init__(
        self, side_information: SideInformation, items: Ids, users: Sequence[Any], needs: Iterable[str], pool: Pool
    ) -> None:
        self.side_information = side_information
        self.items = items
        self._user_names = users
        self.ranked = len(items)
        """Items with smaller numbers are in some list."""
        self.unknown: dict[tuple[str, str], tuple[int, Phrase]] = {}
        """Items or users that a table should have and has not, by table and kind: how many, and the likely reason."""
        wanted = set(needs)
        self._log: tuple[Any, Ints] | None = None
        """The users of the log, and the numbers of its items."""
        counted_in_log = {need for need in ("popularity", "items") if getattr(side_information, need) is None}
        if side_information.training is not None and wanted & {"training", *counted_in_log}:
            self._log = self._read_log(side_information.training)
        popularity = side_information.popularity
        self._counted = None if popularity is None else read_counts(popularity, "popularity")
        if self._counted is not None and "popularity" in wanted:
            counted = [item for item, _ in self._counted]
            self._check_known("popularity", "item", self._ranked_among(self.items.add_as(counted)), counted)
        self._baseline = self._read_baseline() if "baseline" in wanted else None
        self.pool = pool
        """The judgments as they are, not numbered."""
        self._judged = self._read_pool() if "judged items" in wanted else None

    @cached_property
    def users(self) -> Ids:
        """The users of the lists."""
        return Ids(self._user_names)

    def _read_log(self, source: object) -> tuple[Any, Ints]:
        users, items = read_interactions(source)
        if len(users) == 0:
            raise InputError(("training: no interactions", "training：没有交互记录"))
        numbers = self.items.add_as(items)
        self._check_known("training", "item", self._ranked_among(numbers), items)
        return users, numbers

    def _ranked_among(self, numbers: Ints) -> Bools:
        """Return which items of the lists are among these items of a table."""
        known = np.zeros(self.ranked, dtype=bool)
        known[numbers[numbers < self.ranked]] = True
        return known

    def _check_known(self, table: str, kind: str, known: Bools, ids: Iterable[Any], *, only_all: bool = False) -> None:
        """Note a table with these ids that has few of the items or users of the lists, or none if ``only_all``."""
        if not len(known) or (known.any() if only_all else known.mean() >= FEW_KNOWN):
            return
        names = self.items.names[: self.ranked] if kind == "item" else self._user_names
        missing = [name for name, is_known in zip(names, known.tolist(), strict=True) if not is_known]
        ours = {*map(str, names)}
        others = dict.fromkeys(islice((name for name in ids if str(name) not in ours), SAMPLE))
        text = _NOT_IN_TABLE[kind].fill(count=len(missing), of=len(known), table=table)
        if others:
            reason = UnmatchedIds.of(others, missing, Phrase(table, f" {table} ")).describe(kind)
            text = Phrase("; ", "；").join([text, reason])
        self.unknown[table, kind] = len(missing), text

    def _read_baseline(self) -> IdPairs:
        source, users, items = self.side_information.baseline, [], []
        if form_of(source) in TABLES:
            frame = Source.of(source, "ranking", READ_AS_IS).rows(Findings())
            users, items = frame["query"].to_list(), frame["item"].to_list()
        else:
            try:
                records = ranking_records(source, Findings())
            except InputError as error:
                raise InputError(f"baseline: {error}") from None
            for user, returned in records.items():
                listed = [*map(item_of, scores_of(user, returned, DEFAULT, Findings()))]
                users += [user] * len(listed)
                items += listed
        theirs = Ids()
        mine = theirs.find_in(self.users, theirs.add(users))
        known = mine >= 0
        numbers = self.items.add_as(items)
        self._check_known("baseline", "item", self._ranked_among(numbers), items, only_all=True)
        self._check_known("baseline", "user", self.users.places_in(theirs) >= 0, theirs.names)
        return distinct_pairs(mine[known], numbers[known])

    def _read_pool(self) -> tuple[Ints, Ints, Floats]:
        query, items, grade = self.pool()
        return query, self.items.add_as(items), grade

    # By item

    @cached_property
    def catalogue(self) -> tuple[Bools | None, int]:
        """Which items belong to the catalogue (None if only its size is known), and its size."""
        if self.side_information.items is None:
            inside = self.trained > 0
            return inside, int(inside.sum())
        catalogue = read_items(self.side_information.items)
        if isinstance(catalogue, int):
            if catalogue < self.ranked:
                en = f"items={catalogue}, but the lists have {self.ranked} distinct items"
                raise InputError((en, f"items={catalogue}，而排序结果中有 {self.ranked} 个不同的物品"))
            return None, catalogue
        names = Ids(catalogue)
        inside = self.items.places_in(names) >= 0
        self._check_known("items", "item", inside[: self.ranked], names.names)
        return inside, len(names)

    @property
    def catalogue_source(self) -> Phrase | None:
        """How many items the catalogue has, and where they come from; None if nothing has read it."""
        if "catalogue" not in vars(self):
            return None
        source = "items" if self.side_information.items is not None else "training"
        return _CATALOGUE[source].fill(count=self.catalogue[1])

    @property
    def _log_columns(self) -> tuple[Any, Ints]:
        if self._log is None:
            raise InputError("training is missing; pass side_information=rg.SideInformation(training=...)")
        return self._log

    @cached_property
    def log(self) -> IdPairs:
        """Pairs of user and item in training; users of the lists keep their numbers."""
        users, items = self._log_columns
        return distinct_pairs(self.users.continued_with(users), items)

    @cached_property
    def _trained(self) -> tuple[Ints, int]:
        """The item of each pair of user and item in training, and the number of users there."""
        users, items = self._log_columns
        if not isinstance(users, list):
            from rankgauge.inputs.table_rows import run_lengths  # noqa: PLC0415 (loads polars)

            runs = Segments.of_sizes(run_lengths(users))
            if users[runs.offsets[:-1]].n_unique() == runs.count and not repeat(items, runs):
                return items, runs.count
        return self.log.second, int(np.count_nonzero(np.bincount(self.log.first)))

    @cached_property
    def trained(self) -> Floats:
        """Number of training users of each item, regardless of the table of popularity."""
        return np.bincount(self._trained[0], minlength=len(self.items)).astype(np.float64)

    @cached_property
    def popularity(self) -> Floats:
        """Popularity of each item: its number of users, 0 for an unknown item."""
        if self._counted is None:
            return self.trained
        counts = np.array([count for _, count in self._counted], dtype=np.float64)
        place = self.items.find([item for item, _ in self._counted])
        return np.where(place >= 0, np.append(counts, 0.0)[place], 0.0)

    @property
    def training_users(self) -> int:
        """Number of users in training."""
        return self._trained[1]

    @cached_property
    def interactions(self) -> float:
        """Number of pairs of user and item in training."""
        if self._counted is None:
            return float(len(self._trained[0]))
        return float(sum(count for _, count in self._counted))

    @cached_property
    def _by_popularity(self) -> Ints:
        return np.lexsort((np.array([str(name) for name in self.items.names], dtype=object), -self.popularity))

    def in_head(self, share: float) -> Bools:
        """Return which items are in the short head: the most popular items up to this share of all interactions.

        Ids as text break ties of popularity, so that the head does not depend on the evaluated lists.
        """
        popularity, order = self.popularity, self._by_popularity
        before = np.cumsum(popularity[order]) - popularity[order]
        head = np.zeros(len(popularity), dtype=bool)
        head[order] = (before < share * self.interactions) & (popularity[order] > 0)
        return head

    @cached_property
    def vectors(self) -> Floats:
        """The vector of each item of the lists: its features, or its categories as 0 and 1."""
        if self.side_information.features is None:
            matrix = np.zeros((self.ranked, self.category_count))
            matrix[self.categories_of(np.arange(self.ranked))] = 1.0
            return matrix
        items, matrix = read_vectors(self.side_information.features)
        return matrix[self._places_of(items, "features")[: self.ranked]]

    @cached_property
    def coordinates(self) -> int:
        """The number of coordinates of a vector: features, or all categories of the table, in the lists or not."""
        if self.side_information.features is None:
            return len(self.categories.names)
        return self.vectors.shape[1]

    @cached_property
    def categories(self) -> Categories:
        """The categories of each item, by number."""
        pairs, listed = read_pairs(self.side_information.categories, "categories")
        items, categories = Ids(), Ids()
        which, category = items.add([item for item, _ in pairs]), categories.add([name for _, name in pairs])
        items.add([*listed])  # including items without a category
        place = self._places_of(items.names, "categories")
        number = np.full(len(items), -1)
        number[place[place >= 0]] = np.flatnonzero(place >= 0)
        both = distinct_pairs(number[which], category)
        known = both.first >= 0
        segments = Segments.of_sizes(np.bincount(both.first[known], minlength=len(self.items)))
        return Categories(segments, both.second[known], categories.names)

    @cached_property
    def category_count(self) -> int:
        """Number of categories."""
        return int(self.categories.number.max(initial=-1)) + 1

    def categories_of(self, items: Ints) -> tuple[Ints, Ints]:
        """Return the place of the item and the category, for every category of these items."""
        segments, category, _ = self.categories
        sizes = segments.sizes[items]
        before = np.cumsum(sizes) - sizes
        place = np.repeat(np.arange(len(items)), sizes)
        return place, category[np.arange(len(place)) + (segments.offsets[:-1][items] - before)[place]]

    @cached_property
    def item_group(self) -> ItemGroups:
        """The group of each item, and the size of each group."""
        pairs = read_once(self.side_information.item_groups, "item_groups")
        place, groups = self._places_of([*pairs], "item_groups"), Ids()
        numbers = groups.add([*pairs.values()])
        sizes = np.bincount(numbers, minlength=len(groups))
        return ItemGroups(np.where(place >= 0, np.append(numbers, -1)[place], -1), sizes, groups.names)

    def _places_of(self, items: Sequence[Any], table: str) -> Ints:
        """Return the place of every item in a table; an item of the lists that is missing is an error."""
        place = self.items.find(items)
        missing = np.flatnonzero(place[: self.ranked] < 0)
        if len(missing):
            count, first = f"{len(missing)} of {self.ranked}", shown(self.items.names[int(missing[0])])
            en = f"{table}: {count} recommended items are missing, first {first}; add every recommended item"
            raise InputError((en, f"{table}：{self.ranked} 个推荐物品中缺少 {len(missing)} 个，首个为 {first}；请补全"))
        return place

    # By user

    @cached_property
    def history(self) -> IdPairs:
        """Pairs of user and training item, for the users of the lists."""
        of_lists = int(np.searchsorted(self.log.first, len(self.users)))
        known = np.bincount(self.log.first[:of_lists], minlength=len(self.users)) > 0
        self._check_known("training", "user", known, self._log_columns[0])
        return IdPairs(self.log.first[:of_lists], self.log.second[:of_lists])

    @property
    def baseline(self) -> IdPairs:
        """Pairs of user and item that the baseline recommends."""
        if self._baseline is None:
            raise InputError("baseline is missing; pass side_information=rg.SideInformation(baseline=...)")
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
        self._check_known("subtopics", "query", self.users.places_in(queries) >= 0, queries.names)
        ranked = self.items.places_in(items)[: self.ranked]
        self._check_known("subtopics", "item", ranked >= 0, items.names, only_all=True)
        return Subtopics(query[known], mine[place][known], by_id[place][known], topic[known])

    @cached_property
    def _subtopics(self) -> list[tuple[object, object, object, float]]:
        return [*dict.fromkeys(read_subtopics(self.side_information.subtopics))]
