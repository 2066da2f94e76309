"""ItemLists: what metrics of the items themselves see, the items at the top of every query."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.errors import ParameterError
from rankgauge.matching.apply_rules import top_rows
from rankgauge.matching.from_list import RankedList
from rankgauge.matching.judged_rankings import JudgedRankings
from rankgauge.matching.matched import Matched
from rankgauge.metric_core.metric import Metric
from rankgauge.segments import Bools, Floats, Ints, Segments
from rankgauge.side_information.ids import Ids, one_after_another
from rankgauge.side_information.information import SideInformation

if TYPE_CHECKING:
    from rankgauge.side_information.tables import Tables

EVERY_RANK = 1 << 40
IN_CACHE = 1 << 17
"""The entries of a table of users that is made at a time."""


class ItemLists(JudgedRankings):
    """A JudgedRankings in which every item at the top has a row, judged or not, and which knows which item it is."""

    __slots__ = ("item", "score", "tables")

    def __init__(
        self,
        segments: Segments,
        rank: Floats,
        grade: Floats,
        returned: Ints,
        pool: Segments,
        pool_grade: Floats,
        *,
        item: Ints,
        tables: Tables,
        score: Floats | None = None,
    ) -> None:
        unjudged = np.isnan(grade)
        super().__init__(segments, rank, np.where(unjudged, 0.0, grade), returned, pool, pool_grade, ~unjudged)
        self.item = item
        """The number of the item of each row."""
        self.tables = tables
        """What is known of the items and users."""
        self.score = score
        """The score of each row; None where one list is looked at alone."""

    def inside(self, k: int | None) -> Bools:
        """Which rows stand in the top k."""
        return self.within(EVERY_RANK if k is None else k)

    def some_users(self, width: int) -> Iterator[slice]:
        """All users, so many at a time that a table with this many columns for each stays in the cache."""
        together = max(1, IN_CACHE // max(width, 1))
        for start in range(0, self.segments.count, together):
            yield slice(start, min(start + together, self.segments.count))


class TopItems:
    """The items at the top of every query, gathered chunk by chunk."""

    def __init__(self, depth: int, *, by_id: bool = True) -> None:
        self.depth = depth
        self.by_id = by_id
        """Whether it matters which item it is, rather than its score alone."""
        self._queries: list[Ints] = []
        self._columns: list[tuple[Floats, Floats, Floats]] = []
        self._items: list[Any] = []
        self._pools: list[Floats] = []
        self._sizes: list[tuple[Ints, Ints, Ints]] = []

    @classmethod
    def of(cls, metrics: Iterable[Metric], convention: Convention) -> TopItems | None:
        """As deep as some of these metrics look; None where none looks at the items themselves."""
        asked = [metric for metric in metrics if metric.definition.of_items]
        if not asked:
            return None
        depths = [metric.depth(convention) for metric in asked]
        by_id = any(metric.definition.needs != ("scores",) for metric in asked)
        return cls(max(EVERY_RANK if depth is None else depth for depth in depths), by_id=by_id)

    def add(self, numbers: Ints, matched: Matched, judged: JudgedRankings, convention: Convention) -> None:
        """Take the top of some queries, which have these numbers among all."""
        order, rank, grade = top_rows(matched, convention, self.depth)
        if self.by_id and convention.ties == "mean" and (matched.tied[order] > 1).any():
            raise ParameterError(
                "what looks at the items themselves has no closed form for ties='mean'; use another rule, such as 'id'"
            )
        score = np.empty(0) if matched.score is None else matched.score[order]
        self._queries.append(numbers)
        self._columns.append((rank, grade, score))
        if self.by_id:
            items = () if matched.item is None else matched.item
            taken = [items[row] for row in order.tolist()] if isinstance(items, list | tuple) else items[order]
            self._items.append(taken)
        self._pools.append(judged.pool_grade)
        shown = np.bincount(matched.query[order], minlength=len(numbers))
        self._sizes.append((shown, judged.returned, judged.pool.sizes))

    @property
    def items(self) -> Ids:
        """All items that were taken."""
        return self._numbered[0]

    @cached_property
    def _numbered(self) -> tuple[Ids, Ints]:
        """All items that were taken, and the number of the item of each row; one for all where ids do not matter."""
        ids = Ids()
        if self.by_id:
            return ids, ids.add(one_after_another(self._items))
        return ids, np.zeros(sum(len(rank) for rank, *_ in self._columns), dtype=np.int64)

    @property
    def numbers(self) -> Ints:
        """The numbers of the queries that were taken, ascending."""
        return np.sort(np.concatenate(self._queries))

    def lists(self, tables: Tables) -> ItemLists:
        """All of them at once, in the order of the numbers of their queries."""
        by_number = np.argsort(np.concatenate(self._queries))
        shown, returned, pool_sizes = (np.concatenate(column) for column in zip(*self._sizes, strict=True))
        rank, grade, score = (np.concatenate(column) for column in zip(*self._columns, strict=True))
        rows = _rows_in_order(shown, by_number)
        return ItemLists(
            Segments.of_sizes(shown[by_number]),
            rank[rows],
            grade[rows],
            returned[by_number],
            Segments.of_sizes(pool_sizes[by_number]),
            np.concatenate(self._pools)[_rows_in_order(pool_sizes, by_number)],
            item=self._numbered[1][rows],
            tables=tables,
            score=score[rows],
        )


def _rows_in_order(sizes: Ints, order: Ints) -> Ints | slice:
    """The rows of queries of these sizes, when the queries are taken in this order."""
    if (order[1:] > order[:-1]).all():
        return slice(None)
    starts, taken = np.cumsum(sizes) - sizes, sizes[order]
    return np.repeat(starts[order] - (np.cumsum(taken) - taken), taken) + np.arange(int(taken.sum()))


def one_list(
    ranked: RankedList, query: Any, grades: Mapping[Any, Any], side_information: SideInformation, needs: Iterable[str]
) -> RankedList:
    """One ranked list with a row for every item, judged or not, so that it can be explained."""
    from rankgauge.side_information.tables import Tables  # noqa: PLC0415 (brings all ways of reading along)

    if ranked.shares_positions:
        raise ParameterError("what looks at the items themselves has no closed form for ties='mean'; use another rule")
    judged, count = ranked.judged, int(ranked.judged.returned[0])
    names = [ranked.item_at(rank) for rank in range(1, count + 1)]
    in_order = np.array([ranked.grade_at(rank) for rank in range(1, count + 1)], dtype=np.float64)
    at = judged.rank.astype(np.int64) - 1
    known = np.zeros(count, dtype=bool)
    known[at] = judged.known
    items = Ids()
    numbers = items.add(names)

    def pool() -> tuple[Ints, Any, Floats]:
        return np.zeros(len(grades), dtype=np.int64), [*grades], np.array([*grades.values()], dtype=np.float64)

    lists = ItemLists(
        Segments(np.array([0, count])),
        np.arange(1.0, count + 1.0),
        np.where(known, in_order, np.nan),
        judged.returned,
        judged.pool,
        judged.pool_grade,
        item=numbers,
        tables=Tables(side_information, items, [query], needs, pool),
    )
    return replace(ranked, judged=lists)
