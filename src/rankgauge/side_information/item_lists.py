"""ItemLists: the top items of every query, for metrics of items."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.errors import ParameterError
from rankgauge.matching.apply_rules import judged_rows, top_rows
from rankgauge.matching.copies import FIRST, KEEPS_PLACE, counted_items
from rankgauge.matching.from_list import RankedList
from rankgauge.matching.item_places import RareColumns
from rankgauge.matching.judged_rankings import JudgedRankings
from rankgauge.matching.matched import Matched
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.metric_plan import needs_grades
from rankgauge.metric_core.metric_rules import JudgedQueries
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Bools, Floats, Ints, Segments
from rankgauge.side_information.ids import Ids, concatenate_ids
from rankgauge.side_information.side_information import SideInformation

if TYPE_CHECKING:
    from rankgauge.matching.judgments import Judgments
    from rankgauge.side_information.tables import Tables

EVERY_RANK = 1 << 40
NO_MEAN = Phrase(
    "metrics of items have no closed form for ties='mean'; use another rule, such as 'id'",
    "针对物品本身的指标在 ties='mean' 时没有闭式；请改用其他规则，如 'id'",
)
IN_CACHE = 1 << 17
"""Entries of a per-user table that fit in the cache."""


class ItemLists(JudgedRankings):
    """A JudgedRankings with a row for every top item, judged or not, and the number of its item."""

    __slots__ = ("_distinct", "item", "score", "tables")

    def __init__(
        self,
        segments: Segments,
        rank: Floats,
        grade: Floats | None,
        returned: Ints,
        pool: Segments,
        pool_grade: Floats,
        *,
        item: Ints,
        tables: Tables,
        score: Floats | None = None,
        copy: Bools | None = None,
        distinct: bool = False,
    ) -> None:
        judged, graded = np.broadcast_to(False, len(rank)), np.broadcast_to(0.0, len(rank))
        if grade is not None:
            judged, graded = ~np.isnan(grade), np.where(np.isnan(grade), 0.0, grade)
        super().__init__(segments, rank, graded, returned, pool, pool_grade, judged, rare=RareColumns(copy=copy))
        self.item = item
        """The number of the item of each row."""
        self.tables = tables
        """The tables of the items and users."""
        self.score = score
        """The score of each row; None for a single list."""
        self._distinct = distinct
        """Whether the number of returned items counts an item once; later copies have no rows."""

    def shown(self, k: Floats | int | None) -> Floats:
        """Return the number of items in the top k of each query."""
        return self.segments.sum(1.0 * self.inside(k)) if self._distinct else super().shown(k)

    def only_judged(self, k: Floats | int | None = None) -> ItemLists:
        """Return the lists, or their top k, without unjudged items; the items below move up."""
        kept, segments, rank, *_ = self._condensed(k)
        return ItemLists(
            segments,
            rank,
            self.grade[kept],
            segments.sizes,
            self.pool,
            self.pool_grade,
            item=self.item[kept],
            tables=self.tables,
            score=None if self.score is None else self.score[kept],
        )

    def inside(self, k: Floats | int | None) -> Bools:
        """Return which rows are in the top k."""
        return self.within(EVERY_RANK if k is None else k)

    def rows_inside(self, k: int | None) -> Bools | slice:
        """Return the rows in the top k as an index, which copies nothing if all are."""
        inside = self.inside(k)
        return slice(None) if inside.all() else inside

    def user_chunks(self, width: int) -> Iterator[slice]:
        """Iterate over the users in chunks whose table of this width fits in the cache."""
        size = max(1, IN_CACHE // max(width, 1))
        for start in range(0, self.segments.count, size):
            yield slice(start, min(start + size, self.segments.count))


class TopItems:
    """The top items of every query, collected chunk by chunk."""

    def __init__(self, depth: int, needs: Collection[tuple[str, ...]], *, grades: bool, distinct: bool) -> None:
        self.depth = depth
        self._distinct = distinct
        self.by_id = any(need != ("scores",) for need in needs)
        """Whether ids are needed, not only scores."""
        self._scores = any("scores" in need for need in needs)
        """Whether scores are needed."""
        self._grades = grades
        """Whether grades are needed: those of the items, and those of the pool."""
        self._chunks: list[tuple[Ints | Floats, ...]] = []
        """Numbers of the queries; rank, grade, score of the rows, and which are not in R; pool; sizes of all.

        Grade, score and pool are empty if they are not needed.
        """
        self._items: list[Any] = []

    @classmethod
    def of(cls, metrics: Iterable[Metric], convention: Convention) -> TopItems | None:
        """Create a collector as deep as these metrics need; None if none of them is a metric of items."""
        of_items = [metric for metric in metrics if metric.definition.of_items]
        if not of_items:
            return None
        depths = [metric.depth(convention) for metric in of_items]
        deepest = max(EVERY_RANK if depth is None else depth for depth in depths)
        needs = [metric.definition.needs or () for metric in of_items]
        grades, distinct = needs_grades(of_items, convention), convention.duplicates in KEEPS_PLACE
        return cls(deepest, needs, grades=grades, distinct=distinct)

    def add(self, numbers: Ints, matched: Matched, judged: JudgedQueries, convention: Convention) -> None:
        """Add the top items of a chunk of queries with these numbers."""
        order, rank, grade = top_rows(matched, convention, self.depth, grades=self._grades)
        if self.by_id and convention.ties == "mean" and (matched.tied[order] > 1).any():
            raise ParameterError(NO_MEAN)
        score = matched.score[order] if self._scores and matched.score is not None else np.empty(0)
        copy = np.zeros(len(rank), dtype=bool) if matched.copy is None else matched.copy[order] > FIRST
        if self._grades and not isinstance(convention.unjudged, str) and convention.unjudged_in_ideal == "no":
            copy = copy | ~judged_rows(matched, convention)[order]
        shown = np.bincount(matched.query[order], minlength=len(numbers))
        if self._grades:
            lists = judged.under(convention)
            returned, pool, pool_grade = lists.returned, lists.pool.sizes, lists.pool_grade
        else:
            returned, pool = counted_items(matched, convention), np.zeros_like(shown)
            pool_grade = grade
        self._chunks.append((numbers, rank, grade, score, copy, pool_grade, shown, returned, pool))
        if self.by_id:
            items = () if matched.item is None else matched.item
            if isinstance(order, slice) or not isinstance(items, list | tuple):
                self._items.append(items[order])
            else:
                self._items.append([items[row] for row in order.tolist()])

    @property
    def items(self) -> Ids:
        """All items collected."""
        return self._numbered[0]

    @cached_property
    def _numbered(self) -> tuple[Ids, Ints]:
        """All items collected, and the number of the item of each row; 0 if ids are not needed."""
        ids = Ids()
        if self.by_id:
            return ids, ids.add(concatenate_ids(self._items))
        return ids, np.zeros(sum(len(rank) for _, rank, *_ in self._chunks), dtype=np.int64)

    @cached_property
    def numbers(self) -> Ints:
        """The numbers of the queries, ascending."""
        numbers = np.concatenate([numbers for numbers, *_ in self._chunks])
        return numbers[_ascending(numbers)]

    def lists(
        self, judgments: Judgments, metrics: Iterable[Metric], side_information: SideInformation, convention: Convention
    ) -> ItemLists:
        """Return all lists in order of the numbers of their queries, with the side information that metrics need."""
        from rankgauge.side_information.tables import Tables  # noqa: PLC0415 (loads all readers)

        lists, users = self.numbers, judgments.queries
        if len(lists) < len(users):
            users = [users[number] for number in lists.tolist()]

        def judged_items() -> tuple[Ints, Any, Floats]:
            """Return all judgments with the place of their query among these lists, -1 for others."""
            query, items, grades = judgments.columns()
            place = np.full(len(judgments.queries), -1)
            place[lists] = np.arange(len(lists))
            return place[query], items, convention.changed(grades)

        needs = {need for metric in metrics for need in metric.definition.needs or ()}
        columns = (np.concatenate(column) for column in zip(*self._chunks, strict=True))
        numbers, rank, grade, score, copy, pool, shown, returned, pool_sizes = columns
        by_number = _ascending(numbers)
        rows = _rows_in_order(shown, by_number)
        return ItemLists(
            Segments.of_sizes(shown[by_number]),
            rank[rows],
            grade[rows] if self._grades else None,
            returned[by_number],
            Segments.of_sizes(pool_sizes[by_number]),
            pool[_rows_in_order(pool_sizes, by_number)],
            item=self._numbered[1][rows],
            tables=Tables(side_information, self.items, users, needs, judged_items),
            score=score[rows] if self._scores else None,
            copy=copy[rows] if copy.any() else None,
            distinct=self._distinct,
        )


def _ascending(numbers: Ints) -> Ints | slice:
    """Return the order of these numbers; mostly they ascend already."""
    return slice(None) if (numbers[1:] > numbers[:-1]).all() else np.argsort(numbers)


def _rows_in_order(sizes: Ints, order: Ints | slice) -> Ints | slice:
    """Return the rows of queries of these sizes in the given order of the queries."""
    if isinstance(order, slice):
        return order
    starts, taken = np.cumsum(sizes) - sizes, sizes[order]
    return np.repeat(starts[order] - (np.cumsum(taken) - taken), taken) + np.arange(int(taken.sum()))


def one_list(
    ranked: RankedList,
    query: object,
    grades: Mapping[object, object],
    side_information: SideInformation,
    needs: Iterable[str],
    convention: Convention,
) -> RankedList:
    """Return one ranked list with a row for every item, judged or not; copies that count as nothing have none."""
    from rankgauge.side_information.tables import Tables  # noqa: PLC0415 (loads all readers)

    if ranked.shares_positions:
        raise ParameterError(NO_MEAN)
    judged, count = ranked.judged, int(ranked.judged.returned[0])
    copy = np.array([ranked.is_copy(rank) for rank in range(1, count + 1)], dtype=bool)
    shown = np.arange(1, count + 1)[~copy if convention.duplicates in KEEPS_PLACE else slice(None)]
    names = [ranked.item_at(rank) for rank in shown.tolist()]
    in_order = np.array([ranked.grade_at(rank) for rank in shown.tolist()], dtype=np.float64)
    known = np.isin(shown, judged.rank[judged.known])
    items = Ids()
    numbers = items.add(names)

    def pool() -> tuple[Ints, Any, Floats]:
        return np.zeros(len(grades), dtype=np.int64), [*grades], np.array([*grades.values()], dtype=np.float64)

    lists = ItemLists(
        Segments(np.array([0, len(shown)])),
        1.0 * shown,
        np.where(known, in_order, np.nan),
        judged.returned,
        judged.pool,
        judged.pool_grade,
        item=numbers,
        tables=Tables(side_information, items, [query], needs, pool),
        copy=copy if len(shown) == count and copy.any() else None,
        distinct=convention.duplicates in KEEPS_PLACE,
    )
    return replace(ranked, judged=lists)
