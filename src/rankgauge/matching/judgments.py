"""Judgments: the judged relevance data of a call, parsed once for any number of rankings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, islice
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.conventions.relevance import SPANS_BY_DEFAULT
from rankgauge.errors import InputError, ParameterError, closest_text, shown
from rankgauge.inputs.findings import Findings, no_splits, with_ids
from rankgauge.inputs.gold_groups import members_of
from rankgauge.inputs.grade_checks import note_labels
from rankgauge.inputs.grading import Grading, Signals, apply_grading
from rankgauge.inputs.read_options import ReadOptions
from rankgauge.inputs.records import judgment_records
from rankgauge.inputs.source import MATRIX, TABLES, Source
from rankgauge.inputs.spans import span_columns
from rankgauge.matching.dict_checks import check_grades
from rankgauge.matching.dict_snapshot import DictSnapshot
from rankgauge.matching.gold import grouped_judgments
from rankgauge.matching.matched import Matched
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Array, Floats, Ints

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.matching.judged_table import JudgedTable

UNKNOWN_QUERY = Phrase(
    "query {query} is not in the judgments, which have {few}", "查询 {query} 不在标注中；标注中有 {few}"
)
MISSPELT_QUERY = Phrase(
    "query {query} is not in the judgments; did you mean {near}? They have {few}",
    "查询 {query} 不在标注中；是否指 {near}？标注中有 {few}",
)
GRADE_NOTES = {"RG205", "RG206", "RG207", "RG405"}
"""Findings about grades: under a grading rule they hold for the grades it makes, not for the numbers it starts from."""


_PLACES = 1021
"""Number of sums in a checksum, a prime."""


class Judgments:
    """The judgments of a call as an array, as dicts or as a table, whichever the source is closest to.

    ``grading`` is the rule that made the grades, with everything resolved that it took from the data.
    """

    def __init__(self, source: Any, options: ReadOptions, findings: Findings) -> None:
        resolved = Source.of(source, "judgments", options)
        self.options = options = resolved.options
        self.from_pandas = resolved.from_pandas
        self.array: Array | None = None
        self.grading: Grading | None = None
        self._snapshot: DictSnapshot | None = None
        self.has_groups = False
        """Whether judged items are groups of which any member will do."""
        self._dicts: dict[Any, dict[Any, Any]] | None = None
        self._table: JudgedTable | None = None
        self.name = resolved.name if resolved.file is not None else ""
        """The name of the file that they come from."""
        if resolved.findings is not None:
            findings.merge(resolved.findings)
        if resolved.file is not None:
            findings.where["judgments"] = resolved.place
        elif options.split is not None and resolved.form != "frame":
            raise no_splits("judgments", options.split)
        rows = self._rows(resolved, findings)
        if isinstance(rows, np.ndarray):
            if rows.dtype.kind not in "iufb":
                raise InputError(f"labels must be an array of numbers, not of {rows.dtype}")
            self.array = rows
            self.queries: Sequence[Any] = self._array_queries(rows, findings)
            note_labels(rows, findings)
            self._unchanged = _checksum(rows)
        elif isinstance(rows, Mapping | list | tuple) or not hasattr(rows, "get_column"):
            judged, grades = check_grades(judgment_records(rows, findings), findings)
            self._dicts, self.queries, self._snapshot = dict(judged), [*judged], DictSnapshot(judged, grades)
            self.has_groups = self._snapshot.has_groups
        else:
            from rankgauge.matching.judged_table import JudgedTable  # noqa: PLC0415 (loads polars)

            queries = rows["query"] if rows["item"].null_count() else None  # some have no relevant item
            self._table = JudgedTable(rows if queries is None else rows.drop_nulls("item"), findings, queries)
            self._items = self._table.item  # as in the source, even if the table's become text
            self.queries = self._table.queries.to_list()
        findings.raise_errors(options.lenient)
        if (array_options := options.for_flat_arrays) and self.names_items:
            given = array_options[0]
            wide = "" if self.array is None else f"; the labels have the shape {self.array.shape}: pass labels.ravel()"
            zh = "" if self.array is None else f"；标注的形状为 {self.array.shape}：请传入 labels.ravel()"
            message = f"{given} is for flat arrays of labels and scores{wide}", f"{given} 用于一维的标注与分数数组{zh}"
            raise ParameterError(message)
        if not len(self.queries):
            raise InputError(("judgments: there are no judged queries", "标注：没有已标注的查询"), ["RG101"])

    @classmethod
    def of(cls, source: Any, options: ReadOptions, findings: Findings) -> Judgments:
        """Return parsed judgments as they are, and parse anything else."""
        return source if isinstance(source, Judgments) else cls(source, options, findings)

    def _rows(self, source: Source, findings: Findings) -> Any:
        """Return an array, dicts and rows, or a frame; dicts if some judged items come in groups."""
        options, rows = source.options, source.value
        groups = (options.columns_of("judgments", "group") if options.columns else None) or {}
        if "group" in groups:
            rows = grouped_judgments(source, groups)
        if options.grades is not None:
            rows, self.grading = _graded(source, rows, options.grades, findings)
            if not hasattr(rows, "get_column"):
                return rows
            source = Source(rows, "frame", "judgments", ReadOptions(lenient=options.lenient))
        elif "group" in groups or source.form not in TABLES:
            return rows
        frame = source.rows(findings, column="group")
        if "group" not in frame.columns:
            return frame
        from rankgauge.inputs.frames import judged_items  # noqa: PLC0415 (loads polars)

        return judged_items(frame)

    def _array_queries(self, labels: Array, findings: Findings) -> Sequence[Any]:
        if labels.ndim == MATRIX:
            return range(len(labels))
        segments, ids = self.options.query_segments(labels)
        empty = np.flatnonzero(np.diff(segments.offsets) == 0)
        if len(empty):
            findings.add(
                "RG126", with_ids("judgments: the group has no rows", "标注：分组没有任何行", int(empty[0])), len(empty)
            )
        return ids if ids is not None else range(segments.count)

    @property
    def names_items(self) -> bool:
        """Whether items have ids, which those of flat arrays lack."""
        return self.array is None or self.array.ndim == MATRIX

    @cached_property
    def has_spans(self) -> bool:
        """Whether every judged item is a span, or a group of spans."""
        if self._table is not None:
            first = self._table.item[:1].to_list()
        else:
            first = [*islice(chain.from_iterable((self._dicts or {}).values()), 1)]
        is_span = bool(first) and str(first[0]).endswith("]")  # mostly all that is looked at
        return is_span and not self.spans["document"].null_count()

    @cached_property
    def spans(self) -> pl.DataFrame:
        """The judged items and the members of groups by their number, gold, and that of their query, as spans.

        The columns of spans are null for an item that names none.
        """
        import polars as pl  # noqa: PLC0415

        query, items, _ = self.columns()
        gold = np.arange(len(query))
        if self.has_groups:
            members = [members_of(item) for item in items]
            gold = np.repeat(gold, [*map(len, members)])
            items = [*chain.from_iterable(members)]
        names = items.cast(pl.String) if isinstance(items, pl.Series) else pl.Series([*map(str, items)])
        return span_columns(names).with_columns(item=names, gold=pl.Series(gold), query=pl.Series(query[gold]))

    def rules(self, convention: Convention) -> Convention:
        """Return the convention with what the data imply: a rule for spans, and one for units that were passed.

        Copies of a unit close up where the convention says that they are an error.
        """
        if self.options.units is not None and convention.units == "items":
            copies = "close-up" if convention.duplicates == "error" else convention.duplicates
            convention = convention.replace(units="rolled-up", duplicates=copies)
        if convention.match != "id" or not self.has_spans:
            return convention
        return convention.replace(match=SPANS_BY_DEFAULT)

    @property
    def dicts(self) -> dict[Any, dict[Any, Any]]:
        """The judgments as ``{query: {item: grade}}``."""
        if self._dicts is None:
            if self._table is None:
                raise InputError("judgments are an array, but the ranking is not; pass both as arrays")
            self._dicts = {query: {} for query in self.queries}
            columns = self._table.code.tolist(), self._items.to_list(), self._table.grade.tolist()
            for number, item, grade in zip(*columns, strict=True):
                self._dicts[self.queries[number]][item] = grade
        return self._dicts

    def grades_of(self, query: object) -> Mapping[Any, Any]:
        """Return the grades of one query by item; the items of a matrix are its columns."""
        if self.array is None:
            return self.dicts[query]
        self.check_item_ids()
        row = self.array[[*self.queries].index(query)].astype(np.float64)
        return {place: float(row[place]) for place in np.flatnonzero(~np.isnan(row)).tolist()}

    def check_item_ids(self) -> None:
        """Raise an error if items have no ids."""
        if not self.names_items:
            raise InputError(
                "flat arrays have no item ids, which this needs; pass a matrix, whose columns are the items, or dicts, "
                "rows or a frame with ids"
            )

    def check_queries(self, queries: Sequence[object]) -> None:
        """Raise an error if one of the queries is not judged."""
        known = set(self.queries)
        for query in queries:
            if query not in known:
                near = closest_text(str(query), map(str, self.queries))
                message = UNKNOWN_QUERY if near is None else MISSPELT_QUERY
                few = first_few(self.queries)
                raise InputError(message.fill(query=shown(query), near=shown(near), few=few))

    def unanswered(self, numbers: Ints) -> Matched:
        """Return these queries with nothing returned."""
        if self._table is not None:
            return Matched.empty(self._table.sizes_of(numbers), self._table.grade[self._table.rows_of(numbers)])
        grades = [[*self.dicts[self.queries[number]].values()] for number in numbers]
        return Matched.empty([len(values) for values in grades], [grade for values in grades for grade in values])

    @cached_property
    def counts(self) -> Ints:
        """Number of judgments of each query."""
        if self.array is None:
            pool = self.unanswered(np.arange(len(self.queries)))
            return np.bincount(pool.pool_query, minlength=len(self.queries))
        judged = ~np.isnan(np.asarray(self.array, dtype=np.float64))
        if judged.ndim == MATRIX:
            return judged.sum(axis=1)
        return np.bincount(self._flat_queries()[judged], minlength=len(self.queries))

    @cached_property
    def grade_range(self) -> tuple[float, float]:
        """The lowest and the highest grade; NaN without any."""
        if self.array is not None:
            grades = self.array
        elif self._snapshot is not None:
            grades = self._snapshot.grades
        else:
            grades = self.table(Findings()).grade
        return (float(np.fmin.reduce(grades, None)), float(np.fmax.reduce(grades, None))) if grades.size else (nan, nan)

    def columns(self) -> tuple[Ints, Any, Floats]:
        """Return the query number, the item and the grade of every judgment."""
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

    @cached_property
    def fingerprint(self) -> str | None:
        """The fingerprint, computed when it is first asked for; None for a large array that was changed since."""
        from rankgauge.matching.fingerprints import judgments_fingerprint  # noqa: PLC0415

        is_same = self.array is None or _checksum(self.array) == self._unchanged
        return str(judgments_fingerprint(self.queries, self._hashed_rows())) if is_same else None

    def _hashed_rows(self) -> Iterator[tuple[Ints, Any, Floats]]:
        """Yield the number of the query, the hash of the item and the grade of all judgments, as they were read."""
        from rankgauge.matching.fingerprints import AT_A_TIME, id_hashes, parts  # noqa: PLC0415

        if self._table is not None and self._snapshot is None:
            for rows in parts(len(self._items)):
                yield self._table.code[rows], id_hashes(self._items[rows]), self._table.grade[rows]
        elif self._snapshot is not None:
            numbers, items, grades = self._snapshot.rows()
            for rows in parts(len(items)):
                yield numbers[rows], id_hashes(items[rows]), grades[rows]
        elif self.array is not None and self.array.ndim == MATRIX:
            columns = id_hashes(np.arange(self.array.shape[1]))
            step = max(1, AT_A_TIME // max(self.array.shape[1], 1))
            for start in range(0, len(self.array), step):
                labels = self.array[start : start + step].astype(np.float64)
                row, place = np.nonzero(~np.isnan(labels))
                yield row + start, columns[place], labels[row, place]
        elif self.array is not None:
            labels, numbers = self.array.astype(np.float64), self._flat_queries()
            order = np.argsort(numbers, kind="stable")
            counts = np.bincount(numbers, minlength=len(self.queries))
            places = np.arange(len(order)) - np.repeat(np.cumsum(counts) - counts, counts)
            judged = ~np.isnan(labels[order])
            yield numbers[order][judged], id_hashes(places[judged]), labels[order][judged]

    def _flat_queries(self) -> Ints:
        """Return the number of the query of each label of a flat array."""
        segments, ids = self.options.query_segments(np.asarray(self.array))
        if ids is None:
            return segments.query
        number = {query: place for place, query in enumerate(ids)}
        return np.array([number[query] for query in self.options.query_ids or ()], dtype=np.int64)

    def flat_sizes(self, numbers: Ints) -> Ints | None:
        """Return the number of labels of these queries of a flat array; None where items have ids."""
        if self.names_items:
            return None
        return np.bincount(self._flat_queries(), minlength=len(self.queries))[numbers]

    def table(self, findings: Findings) -> JudgedTable:
        """Return the judgments as columns."""
        if self._table is None:
            from rankgauge.matching.judged_table import JudgedTable  # noqa: PLC0415 (loads polars)

            frame, queries = _frame_of(self.dicts)
            self._table = JudgedTable(frame, findings, queries)
        return self._table


def _checksum(labels: Array) -> int:
    """Return a number that changes with the labels, almost always, in the time of one look at them.

    Words are added up by their place modulo a prime, so that labels that only move change it, too.
    """
    if labels.dtype.kind not in "iufb":
        return 0
    content = np.ascontiguousarray(labels).view(np.uint8).ravel()
    whole = len(content) // (8 * _PLACES) * 8 * _PLACES
    sums = np.add.reduce(content[:whole].view(np.uint64).reshape(-1, _PLACES), axis=0, dtype=np.uint64)
    return hash((len(content), sums.tobytes(), content[whole:].tobytes()))


def first_few(queries: Sequence[object], count: int = 5) -> Phrase:
    """Return some queries for a message, and how many more there are."""
    names, more = [shown(query) for query in queries[:count]], len(queries) - count
    en, zh = (f" and {more} more", f" 等 {len(queries)} 个") if more > 0 else ("", "")
    return Phrase(", ".join(names) + en, "、".join(names) + zh)


def _graded(source: Source, rows: object, rule: Grading, findings: Findings) -> tuple[Any, Grading]:
    """Return the judgments with grades instead of numbers, and the rule with everything resolved."""
    options = source.options
    if isinstance(rows, np.ndarray):
        return _graded_array(rows, rule, options)
    columns = options.columns_of("judgments", "time")
    grade_findings = Findings()
    if rule.of_texts is not None:
        from rankgauge.inputs.raw_tables import raw_table  # noqa: PLC0415 (only for texts)

        table = None if isinstance(rows, Mapping) else raw_table(source, as_text=True)
        rows = rows if table is None else table
    elif rows is source.file:
        rows, columns = source.rows(grade_findings), None
    elif isinstance(rows, Mapping | list | tuple) or hasattr(rows, "tocsr"):
        rows = dict(check_grades(judgment_records(rows, grade_findings), grade_findings)[0])
        grade_findings.raise_errors(options.lenient)
    for finding in grade_findings:
        if finding.code not in GRADE_NOTES:
            findings.merge(Findings({finding.code: finding}))
    return apply_grading(rule, rows, columns)


def _graded_array(labels: Array, rule: Grading, options: ReadOptions) -> tuple[object, Grading]:
    if labels.ndim != 1:
        return apply_grading(rule, labels)
    user = options.query_segments(labels)[0].query
    if options.query_ids is not None:
        _, user = np.unique(np.asarray(options.query_ids), return_inverse=True)
    signals, resolved = rule.apply(Signals(labels.astype(np.float64), user))
    return signals.value, resolved


def _frame_of(judgments: Mapping[Any, Mapping[Any, Any]]) -> tuple[pl.DataFrame, pl.Series]:
    """Return dicts as columns, and all queries; ids of one type stay as they are, mixed ones become text."""
    import polars as pl  # noqa: PLC0415

    from rankgauge.inputs.frames import id_series  # noqa: PLC0415

    queries = id_series([*judgments])
    sizes = [len(grades) for grades in judgments.values()]
    columns = {
        "query": queries.gather(np.repeat(np.arange(len(sizes)), sizes)),
        "item": id_series([item for grades in judgments.values() for item in grades]),
        "grade": pl.Series(
            [float(grade) for grades in judgments.values() for grade in grades.values()], dtype=pl.Float64
        ),
    }
    return pl.DataFrame(columns), queries
