"""The judgments in every form that a road asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.errors import InputError, ParameterError
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.records import judgment_records
from rankgauge.matching.from_dicts import check_grades
from rankgauge.matching.matched import Matched
from rankgauge.matching.read_options import ReadOptions, groups_of, is_file, is_table, read_table
from rankgauge.segments import Floats, Ints

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.matching.from_frames import JudgedTable


class Judgments:
    """The judgments, prepared once for any number of rankings."""

    def __init__(self, source: Any, reading: ReadOptions, findings: Findings) -> None:
        self.reading = reading
        self.array: np.ndarray[Any, Any] | None = None
        self._dicts: dict[Any, dict[Any, Any]] | None = None
        self._table: JudgedTable | None = None
        if isinstance(source, np.ndarray):
            self.array = source
            self.queries: Sequence[Any] = self._array_queries(source)
        elif is_file(source) or is_table(source):
            self._table = _table(read_table(source, "judgments", reading, findings), None, findings)
            self._items = self._table.item  # as they are, also when they are turned into text there
            self.queries = self._table.queries.to_list()
        else:
            self._dicts = dict(check_grades(judgment_records(source, findings), findings))
            self.queries = list(self._dicts)
        findings.raise_errors(reading.lenient)
        if self.array is None and any(
            given is not None for given in (reading.groups, reading.offsets, reading.query_ids)
        ):
            raise ParameterError("groups, offsets and query_ids are for flat arrays of labels and scores")
        if not len(self.queries):
            raise InputError("judgments: there are no judged queries", ["RG101"])

    def _array_queries(self, labels: np.ndarray[Any, Any]) -> Sequence[Any]:
        if labels.ndim == 2:  # noqa: PLR2004 (a matrix)
            return range(len(labels))
        groups, ids = groups_of(labels, self.reading)
        return ids if ids is not None else range(groups.count)

    @property
    def names_items(self) -> bool:
        """Whether items have ids: those of flat arrays have none."""
        return self.array is None or self.array.ndim == 2  # noqa: PLR2004 (a matrix, whose columns are the items)

    @property
    def dicts(self) -> dict[Any, dict[Any, Any]]:
        """The judgments as ``{query: {item: grade}}``."""
        if self._dicts is None:
            if self._table is None:
                raise InputError("judgments are an array, but the ranking is not; give both as arrays")
            self._dicts = {query: {} for query in self.queries}
            columns = self._table.code.tolist(), self._items.to_list(), self._table.grade.tolist()
            for number, item, grade in zip(*columns, strict=True):
                self._dicts[self.queries[number]][item] = grade
        return self._dicts

    def grades_of(self, query: Any) -> Mapping[Any, Any]:
        """The grades of one query by item; the items of a matrix are its columns."""
        if self.array is None:
            return self.dicts[query]
        if self.array.ndim != 2:  # noqa: PLR2004 (a matrix)
            raise no_items()
        row = self.array[[*self.queries].index(query)].astype(np.float64)
        return {place: float(row[place]) for place in np.flatnonzero(~np.isnan(row)).tolist()}

    def unanswered(self, numbers: Ints) -> Matched:
        """These queries with nothing returned."""
        if self._table is not None:
            return self._table.unanswered(numbers)
        grades = [[*self.dicts[self.queries[number]].values()] for number in numbers]
        return Matched.empty([len(some) for some in grades], [grade for some in grades for grade in some])

    def columns(self) -> tuple[Ints, Any, Floats]:
        """The number of the query, the item and the grade of every judgment."""
        if self.array is not None:
            labels = self.array.astype(np.float64)
            rows, columns = np.nonzero(~np.isnan(labels))
            return rows, columns, labels[rows, columns]
        if self._dicts is None:
            table = self.table(Findings())
            return table.code, table.item, table.grade
        sizes = [len(grades) for grades in self._dicts.values()]
        items = [item for grades in self._dicts.values() for item in grades]
        grades = np.array([grade for grades in self._dicts.values() for grade in grades.values()], dtype=np.float64)
        return np.repeat(np.arange(len(sizes)), sizes), items, grades

    def table(self, findings: Findings) -> JudgedTable:
        """The judgments as columns."""
        if self._table is None:
            self._table = _table(*_frame_of(self.dicts), findings)
        return self._table


def no_items() -> InputError:
    """The error where items are asked for that have no names."""
    return InputError(
        "flat arrays have no item ids, so nothing can be said of the items themselves; give a matrix, whose columns "
        "are the items, or dicts, rows or a frame with ids"
    )


def _table(frame: pl.DataFrame, queries: pl.Series | None, findings: Findings) -> JudgedTable:
    from rankgauge.matching.from_frames import JudgedTable  # noqa: PLC0415

    return JudgedTable(frame, findings, queries)


def _frame_of(judgments: Mapping[Any, Mapping[Any, Any]]) -> tuple[pl.DataFrame, pl.Series]:
    """Dicts as columns, and all queries; ids of one kind stay as they are, mixed ones become text."""
    import polars as pl  # noqa: PLC0415

    def ids(values: list[Any]) -> pl.Series:
        kinds = {*map(type, values)}
        return pl.Series(values if kinds <= {int} or kinds <= {str} else [*map(str, values)])

    queries = ids([*judgments])
    sizes = [len(grades) for grades in judgments.values()]
    items = [item for grades in judgments.values() for item in grades]
    grades = [float(grade) for grades in judgments.values() for grade in grades.values()]
    columns = {
        "query": queries.gather(np.repeat(np.arange(len(sizes)), sizes)),
        "item": ids(items),
        "grade": pl.Series(grades, dtype=pl.Float64),
    }
    return pl.DataFrame(columns), queries
