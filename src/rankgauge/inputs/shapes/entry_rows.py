"""Rows of query, item and number from the entries of records."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import PurePath
from typing import Any, TypeAlias

import polars as pl

from rankgauge.errors import shown
from rankgauge.inputs.findings import input_error
from rankgauge.inputs.io.lines import FileContext
from rankgauge.inputs.shapes.shape import FILE_NAME, ROW_NUMBER, Entry, Fit, Hit, Id, ShapeError
from rankgauge.rendering.language import Phrase

Place: TypeAlias = str | int | Phrase
"""A line number, or another place of a file."""
MANY = 100
"""Queries of a record from which on their rows are added together."""
_REPEATED = Phrase("the query has a list at {en} already", "该查询在{zh}处已有列表")
_INVALID = re.compile("[\0\ud800-\udfff]")


class EntryRows:
    """Collects the rows of one side, by system, and reports records that cannot be used.

    Ids become text, as in every file, unless ``keep_integers``. Where judgments are read by group, a query with an
    empty list has a row without an item: it is judged, and has no relevant item.
    """

    def __init__(self, context: FileContext, fit: Fit, *, keep_integers: bool = False) -> None:
        self.context = context
        self._fit = fit
        context.splits = set() if fit.split else None
        self._keep_integers = keep_integers
        self._first: dict[tuple[str, Id], Place] = {}
        """Where the list of a query was read first, by system and query."""
        self._rows: dict[str, tuple[list[Any], list[Any], list[float | None], list[int | None]]] = {}
        self._noted = False
        self.texts: dict[str, str] = {}
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
        if self._fit.at_once is not None and len(record) > MANY and self._add_at_once(record, place):
            return
        try:
            for entry in self._fit.entries(record):
                self._add(entry, _inside(place, entry.place))
        except ShapeError as error:
            self.context.report(error.code, place, error.reason)
        except RecursionError:
            self.context.report("RG110", place, Phrase("the objects are nested too deeply", "对象嵌套过深"))

    def _add(self, entry: Entry, place: Place) -> None:
        context, hits = self.context, entry.hits(self.context.role)
        if hits is None:
            return
        self._note(place)
        query = self._query(entry)
        if query == "":
            context.report("RG208", place, Phrase("the query id is empty", "查询标识为空"))
            return
        if _INVALID.search("".join([str(query), *(item for item, _ in hits if isinstance(item, str))])):
            message = Phrase("an id contains a NUL or half of a surrogate pair", "标识含有 NUL 或半个代理对")
            context.report("RG103", place, message, str(query))
            return
        key = entry.system, query
        if self._fit.whole_lists and context.role == "ranking" and self._first.setdefault(key, place) != place:
            message = _REPEATED.fill(**dict(zip(("en", "zh"), _texts(self._first[key]), strict=True)))
            context.report("RG306", place, message, str(query))
            return
        groups: Sequence[int | None] = [None] * len(hits)
        if context.role == "judgments" and entry.groups is not None:
            groups = entry.groups
            message = Phrase("the relevant items come in groups", "相关物品分组给出")
            context.report("RG115", place, message, str(query))
        if entry.text:
            self.texts[str(query)] = entry.text
        queries, items, numbers, numbered = self._rows.setdefault(entry.system, ([], [], [], []))
        if not hits and context.by_group and context.role == "judgments":
            queries.append(query)
            items.append(None)
            numbers.append(None)
            numbered.append(None)
            self.count += 1
            return
        values = self._numbers(hits, query, place, ordered=entry.ordered)
        queries += [query for number in values if number is not None]
        items += [item for (item, _), number in zip(hits, values, strict=True) if number is not None]
        numbers += [number for number in values if number is not None]
        numbered += [group for group, number in zip(groups, values, strict=True) if number is not None]
        self.count += len(values)

    def _add_at_once(self, record: Any, place: Place) -> bool:
        """Add the rows of a record with many queries together; False if some must be looked at."""
        columns = None if self._fit.at_once is None else self._fit.at_once(record, self.context.role)
        if columns is None or self._first or _INVALID.search("".join([*record, *columns[1]])):
            return False
        self._note(place)
        if self.context.role == "ranking":
            self._first.update(dict.fromkeys((("", query) for query in record), place))
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
        if fit.in_columns is None or context.by_system:
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
        rows = rows.select("query", "item", pl.col("number").alias(context.number))
        if not self._keep_integers:
            rows = rows.with_columns(pl.col("query", "item").cast(pl.String))
        return rows.with_columns(pl.lit(None, pl.Int64).alias("group")) if context.by_group else rows

    def _query(self, entry: Entry) -> Id:
        """Return the id of a query, that of its record or file if it has none; empty if it is missing."""
        if entry.query is ROW_NUMBER:
            return self._records
        if entry.query is FILE_NAME:
            return PurePath(self.context.name).name.partition(".")[0] or "1"
        return entry.query if isinstance(entry.query, str | int) else ""

    def _numbers(self, hits: Any, query: Id, place: Place, *, ordered: bool) -> list[float | None]:
        """Return the number of each item, None if it cannot be used; a ranking without scores has minus the rank."""
        numbers = [number for _, number in hits]
        if self.context.role != "ranking":
            numbers = [1.0 if number is None else number for number in numbers]
        elif all(number is None for number in numbers):
            return [-float(rank) for rank in range(1, len(numbers) + 1)]
        elif any(number is None for number in numbers):
            for item, number in hits:
                if number is None:
                    self.context.accepts(None, "", place, str(query), str(item))
            return numbers
        elif ordered and any(later > earlier for earlier, later in pairwise(numbers)):
            message = Phrase("the list is not in the order of its scores", "列表未按分数排列")
            self.context.report("RG210", place, message, str(query))
        if all(map(math.isfinite, numbers)):
            return numbers
        usable = (self._accepts(hit, query, place) for hit in hits)
        return [number if accepted else None for number, accepted in zip(numbers, usable, strict=True)]

    def _accepts(self, hit: Hit, query: Id, place: Place) -> bool:
        item, number = hit
        return number is None or self.context.accepts(number, str(number), place, str(query), str(item))

    def take(self) -> pl.DataFrame:
        """Return and remove the rows; raise an error if they are those of several systems, unless asked for them."""
        systems = {system for system, _ in self._first} if self.context.role == "ranking" else set()
        if len(systems) > 1 and not self.context.by_system:
            names = ", ".join(map(shown, sorted(systems)))
            message = Phrase(
                f"{self.context.name}: holds the rankings of several systems ({names})",
                f"{self.context.name}：含有多个系统的排序结果（{names}）",
            )
            raise input_error("RG114", message, Phrase("read it with rg.read", "用 rg.read 读取"))
        rows, self._rows, self.count = self._rows, {}, 0
        frames = [self._frame(*columns, system) for system, columns in rows.items()]
        return pl.concat(frames) if frames else self._frame([], [], [], [], "")

    def _frame(
        self, queries: list[Any], items: list[Any], numbers: list[float | None], groups: list[int | None], system: str
    ) -> pl.DataFrame:
        columns = [
            self._ids("query", queries),
            self._ids("item", items),
            pl.Series(self.context.number, numbers, dtype=pl.Float64),
        ]
        if self.context.by_group:
            columns.append(pl.Series("group", groups, dtype=pl.Int64))
        frame = pl.DataFrame(columns)
        return frame.with_columns(pl.lit(system).alias("system")) if self.context.by_system else frame

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
