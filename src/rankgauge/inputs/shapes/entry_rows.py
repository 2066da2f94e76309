"""Rows of query, item and number from the entries of records."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import compress, pairwise
from pathlib import PurePath
from typing import Any

import numpy as np
import polars as pl

from rankgauge.errors import shown
from rankgauge.inputs.findings import input_error
from rankgauge.inputs.io.lines import FileContext
from rankgauge.inputs.shapes.first_places import FirstPlaces, Place
from rankgauge.inputs.shapes.list_columns import ListColumns, RecordColumns
from rankgauge.inputs.shapes.shape import FILE_NAME, LIST_OF_LISTS, MISSING, ROW_NUMBER, Entry, Fit, Hit, Id, ShapeError
from rankgauge.inputs.spans import SPAN_COLUMNS, span_items
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Ints, Segments

MANY = 100
"""Queries of a record from which on their rows are added together."""
FEW = 64
"""Number of records from which on their lists are read together."""
_REPEATED = Phrase("the query has a list at {en} already", "该查询在{zh}处已有列表")
_INVALID = re.compile("[\0\ud800-\udfff]")


class EntryRows:
    """Collects the rows of one side, by system, and reports records that cannot be used.

    Ids become text, as in every file, unless ``keep_integers``. Where empty lists are kept, a query with one has a
    row without an item: it is judged, and has no relevant item, or it was searched, and nothing was returned.
    """

    def __init__(
        self,
        context: FileContext,
        fit: Fit,
        *,
        keep_integers: bool = False,
        place_of: Callable[[int], Place] = lambda line: line,
    ) -> None:
        self.context = context
        self._fit = fit
        context.splits = set() if fit.split else None
        self._keep_integers = keep_integers
        self._place_of = place_of
        """Returns the place of the record with a number, which is that of its line unless told otherwise."""
        self._first = FirstPlaces(place_of)
        self._rows: dict[str, tuple[list[Any], list[Any], list[float | None], list[int | None]]] = {}
        self._frames: list[pl.DataFrame] = []
        """Rows that were added together."""
        self._noted = False
        self._records = 0
        self.count = 0
        """Number of rows since the last ones were taken."""

    def add(self, record: Any, place: Place) -> None:
        """Add the rows of a record at a line number or another place."""
        self.context.rows_begun = True
        if self.context.splits is not None and self.context.split is not None:
            split = str(record.get(self._fit.split))
            self.context.splits.add(split)
            if split != self.context.split:
                return
        self._records += 1
        named, span_ids = record, self.context.span_ids
        if span_ids is None and self._add_at_once(record, place):
            return
        try:
            if span_ids is not None:
                named = span_ids.of_record(record)
                for code, message in span_ids.take_noticed():
                    self.context.report(code, place, message)
            for entry in self._fit.entries(named):
                self._add(entry, _inside(place, entry.place))
        except ShapeError as error:
            self.context.report(error.code, place, error.reason)
        except RecursionError:
            self.context.report("RG110", place, Phrase("the objects are nested too deeply", "对象嵌套过深"))

    def _add(self, entry: Entry, place: Place) -> None:
        context, hits = self.context, entry.hits(self.context.role)
        for code, problem in entry.problems if context.role == "ranking" else ():
            context.report(code, place, problem, str(self._query(entry)))
        if hits is None:
            return
        self._note(place)
        query = self._query(entry)
        if query == "":
            context.report("RG208", place, Phrase("the query id is empty", "查询标识为空"))
            return
        hit_items = [item for item, _ in hits]
        if _INVALID.search("".join([str(query), *map(str, hit_items)])):
            message = Phrase("an id contains a NUL or half of a surrogate pair", "标识含有 NUL 或半个代理对")
            context.report("RG104", place, message, str(query))
            return
        if self._fit.whole_lists and context.role == "ranking":
            first = self._first.add(entry.system, query, place)
            if first != place:
                message = _REPEATED.fill(**dict(zip(("en", "zh"), _texts(first), strict=True)))
                context.report("RG306", place, message, str(query))
                return
        if context.role == "ranking" and entry.ranked is None and entry.groups is not None:
            context.report("RG110", place, LIST_OF_LISTS, str(query))
            return
        groups = self._groups(entry, hits, place, query)
        queries, items, numbers, numbered = self._rows.setdefault(entry.system, ([], [], [], []))
        if not hits and context.keeps_empty:
            queries.append(query)
            items.append(None)
            numbers.append(None)
            numbered.append(None)
            self.count += 1
            return
        values = self._numbers(hits, query, place, entry=entry)
        if None in values:
            usable = [number is not None for number in values]
            hit_items, groups = [*compress(hit_items, usable)], [*compress(groups, usable)]
            values = [*compress(values, usable)]
        queries += [query] * len(values)
        items += hit_items
        numbers += values
        numbered += groups
        self.count += len(hits)

    def _groups(self, entry: Entry, hits: Sequence[Hit], place: Place, query: Id) -> Sequence[int | None]:
        """Return the group of each judged item, and report groups."""
        if self.context.role != "judgments" or entry.groups is None:
            return [None] * len(hits)
        if any(entry.groups):
            message = Phrase("the relevant items come in groups", "相关物品分组给出")
            self.context.report("RG115", place, message, str(query))
        return entry.groups

    def _add_at_once(self, record: Any, place: Place) -> bool:
        """Add the rows of a record with many queries together; False if they are few, or some must be looked at."""
        if self._fit.at_once is None or len(record) <= MANY:
            return False
        columns = self._fit.at_once(record, self.context.role)
        if columns is None or self._first.systems or _INVALID.search("".join([*record, *columns[1]])):
            return False
        self._note(place)
        if self.context.role == "ranking":
            for query in record:
                self._first.add("", query, place)
        rows: tuple[list[Any], ...] = self._rows.setdefault("", ([], [], [], []))
        for column, values in zip(rows, (*columns, [None] * len(columns[0])), strict=True):
            column.extend(values)
        self.count += len(columns[0])
        return True

    def _note(self, place: Place) -> None:
        """Report once what is to be known about the judgments."""
        if self._fit.note and self.context.role == "judgments" and not self._noted:
            self._noted = True
            code, message = self._fit.note
            self.context.report(code, place, message)

    def rows_of(self, frame: pl.DataFrame) -> pl.DataFrame | None:
        """Return the rows of a frame of records at once, None if they must be added one by one."""
        context, fit = self.context, self._fit
        if fit.in_columns is None or context.column == "system" or (context.span_ids is not None and fit.whole_lists):
            return None
        if context.splits is not None and context.split is not None:
            splits = frame[fit.split].cast(pl.String)
            context.splits.update(map(str, splits.unique()))
            frame = frame.filter(splits == context.split)
        rows: pl.DataFrame | None = fit.in_columns(frame, context.role)
        if rows is None:
            return None
        context.rows_begun = True
        self._note("")
        groups = ["group"] if "group" in rows.columns and context.column == "group" else []
        items: list[Any] = [*SPAN_COLUMNS] if context.column == "span" else [span_items()]
        if "item" in rows.columns:
            items = ["item" if self._keep_integers else pl.col("item").cast(pl.String)]
        query = "query" if self._keep_integers else pl.col("query").cast(pl.String)
        rows = rows.select(query, *items, pl.col("number").alias(context.number), *groups)
        without = context.column == "group" and not groups
        return rows.with_columns(pl.lit(None, pl.Int64).alias("group")) if without else rows

    def add_records(self, records: Sequence[Mapping[str, Any]], numbers: Sequence[int]) -> None:
        """Add the rows of parsed records, whose places the numbers tell, many at a time where that is possible."""
        if len(records) < FEW:
            for record, number in zip(records, numbers, strict=True):
                self.add(record, self._place_of(number))
            return
        rows = self.rows_of_lists(RecordColumns(records), np.array(numbers, dtype=np.int64))
        if rows is not None:
            self._frames += [*self._take_rows(), rows]
            return
        half = len(records) // 2
        for part in (slice(half), slice(half, None)):
            self.add_records(records[part], numbers[part])

    def rows_of_lists(self, columns: ListColumns, numbers: Ints) -> pl.DataFrame | None:
        """Return the rows of many records with lists at once, None if they must be added one by one."""
        context, fit = self.context, self._fit
        lists = None
        if fit.lists is not None and not fit.split and context.span_ids is None:
            lists = fit.lists(columns, context.role)
        if lists is None:
            return None
        queries, (items, sizes) = lists
        is_ranking, runs = context.role == "ranking", Segments.of_sizes(sizes)
        if context.keeps_empty and not sizes.all():
            return None
        if is_ranking and fit.whole_lists and not self._first.add_all(queries, numbers):
            return None
        context.rows_begun = True
        self._note("")
        self._records += len(queries)
        places = np.arange(runs.rows) - runs.spread(runs.offsets[:-1])
        frame = pl.DataFrame({
            "query": queries.gather(runs.query),
            "item": items,
            context.number: -(places + 1.0) if is_ranking else np.ones(runs.rows),
        })  # fmt: skip
        if not self._keep_integers:
            frame = frame.with_columns(pl.col("query", "item").cast(pl.String))
        more = [pl.lit(None, pl.Int64).alias("group")] if context.column == "group" else []
        return frame.with_columns(*more, *([pl.lit("").alias("system")] if context.column == "system" else []))

    def _query(self, entry: Entry) -> Id:
        """Return the id of a query, that of its record or file if it has none; empty if it is missing."""
        if entry.query is ROW_NUMBER:
            return self._records
        if entry.query is FILE_NAME:
            return PurePath(self.context.name).name.partition(".")[0] or "1"
        return entry.query if isinstance(entry.query, str | int) else ""

    def _numbers(self, hits: Any, query: Id, place: Place, *, entry: Entry) -> list[float | None]:
        """Return the number of each item, None if it cannot be used.

        Items without numbers have minus the rank in a ranking, and are relevant in judgments, where no other item of
        the query has a number.
        """
        numbers = [number for _, number in hits]
        is_ranking = self.context.role == "ranking"
        if numbers.count(None) == len(numbers):
            if is_ranking and entry.as_shown and len(numbers) > 1:
                message = Phrase(
                    "the hits have no scores, and are in the order shown", "命中没有分数，按返回的次序排列"
                )
                self.context.report("RG121", place, message, str(query))
            return [-float(rank) if is_ranking else 1.0 for rank in range(1, len(numbers) + 1)]
        if None in numbers:
            numbers = [MISSING if number is None else number for number in numbers]
        if is_ranking and entry.as_shown and all(map(math.isfinite, numbers)):
            scores = descending_scores(numbers)
            if scores != numbers:
                message = Phrase("scores are equal, or not in the order of the hits", "分数相同，或与命中的次序不一致")
                self.context.report("RG121", place, message, str(query))
            return [*scores]
        if is_ranking and entry.ordered and any(later > earlier for earlier, later in pairwise(numbers)):
            message = Phrase("the list is not in the order of its scores", "列表未按分数排列")
            self.context.report("RG210", place, message, str(query))
        if all(map(math.isfinite, numbers)):
            return numbers
        stated = [(None, "") if number is MISSING else (number, str(number)) for number in numbers]
        usable = (
            self.context.accepts(number, text, place, str(query), str(item))
            for (item, _), (number, text) in zip(hits, stated, strict=True)
        )
        return [number if accepted else None for number, accepted in zip(numbers, usable, strict=True)]

    def take(self) -> pl.DataFrame:
        """Return and remove the rows; raise an error if they are those of several systems, unless asked for them."""
        systems = self._first.systems
        if len(systems) > 1 and self.context.column != "system":
            names = ", ".join(map(shown, sorted(systems)))
            message = Phrase(
                f"{self.context.name}: holds the rankings of several systems ({names})",
                f"{self.context.name}：含有多个系统的排序结果（{names}）",
            )
            raise input_error("RG114", message, Phrase("read it with rg.read", "用 rg.read 读取"))
        frames, self._frames = [*self._frames, *self._take_rows()], []
        return pl.concat(frames) if frames else self._frame([], [], [], [], "")

    def _take_rows(self) -> list[pl.DataFrame]:
        """Return and remove the rows that were added one by one."""
        rows, self._rows, self.count = self._rows, {}, 0
        return [self._frame(*columns, system) for system, columns in rows.items()]

    def _frame(
        self, queries: list[Any], items: list[Any], numbers: list[float | None], groups: list[int | None], system: str
    ) -> pl.DataFrame:
        columns = [
            self._ids("query", queries),
            self._ids("item", items),
            pl.Series(self.context.number, numbers, dtype=pl.Float64),
        ]
        if self.context.column == "group":
            columns.append(pl.Series("group", groups, dtype=pl.Int64))
        frame = pl.DataFrame(columns)
        return frame.with_columns(pl.lit(system).alias("system")) if self.context.column == "system" else frame

    def _ids(self, name: str, ids: list[Any]) -> pl.Series:
        kinds = {*map(type, ids)} - {type(None)}
        if self._keep_integers and kinds == {int} and all(v is None or -(2**63) <= v < 2**63 for v in ids):
            return pl.Series(name, ids, dtype=pl.Int64)
        texts = [*map(str, ids)] if None not in ids else [None if value is None else str(value) for value in ids]
        return pl.Series(name, texts, dtype=pl.String)


def _texts(place: Place) -> Phrase:
    if isinstance(place, int):
        return Phrase(f"line {place}", f"第 {place} 行")
    return place if isinstance(place, Phrase) else Phrase(place, f" {place} ")


def _inside(place: Place, inner: str) -> Place:
    """Return the place of an entry inside a record."""
    if not place or not inner:
        return inner or place
    en, zh = _texts(place)
    return Phrase(f"{en}, {inner}", f"{zh.strip()}，{inner}")


def descending_scores(scores: Sequence[float]) -> list[float]:
    """Return scores that order items as they are listed: those not below the score before become slightly less than it.

    The difference is one step of single precision, the precision of search engines, so that no tool sees a tie.

    >>> [round(score, 6) for score in descending_scores([2.0, 2.0, 1.0])]
    [2.0, 2.0, 1.0]
    >>> [*np.argsort(descending_scores([0.5, 0.9, 0.9, 0.1]))]
    [np.int64(3), np.int64(2), np.int64(1), np.int64(0)]
    """
    below: list[float] = []
    last = np.float32(np.inf)
    for score in scores:
        value = np.float32(score)
        below.append(score if value < last else float(value := np.nextafter(last, np.float32(-np.inf))))
        last = value
    return below
