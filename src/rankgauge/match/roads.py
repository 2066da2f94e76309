"""Which road the data take: arrays, dicts or frames, by what the user holds."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.errors import InputError, ParameterError, UnknownNameError, shown
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.records import are_rows, judgment_records, ranking_records
from rankgauge.match.arrays import keep_freed_memory, match_dense, match_flat
from rankgauge.match.dicts import check_grades, match_dicts, scores_of
from rankgauge.match.likeness import as_judged, with_like_ids, with_like_items
from rankgauge.match.matched import Chunk, Matched
from rankgauge.match.segments import Floats, Ints, Segments

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.match.frames import JudgedTable

COLUMNS = ("query", "item", "grade", "score", "rank", "time")
"""What a caller can say of columns."""


@dataclass
class Reading:
    """How the data are to be read, as the caller said."""

    columns: Mapping[str, str] | None = None
    format: str | None = None
    groups: Sequence[int] | None = None
    offsets: Sequence[int] | None = None
    query_ids: Sequence[Any] | None = None
    lenient: bool = False

    def __post_init__(self) -> None:
        for ours in self.columns or ():
            if ours not in COLUMNS:
                raise UnknownNameError.closest("key of columns", ours, COLUMNS)

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Reading:
        """From the options of ``evaluate``, some of which are not about reading."""
        return cls(
            **{name: value for name, value in options.items() if name not in {"weights", "progress", "background"}}
        )

    def columns_for(self, *names: str) -> dict[str, str] | None:
        """What the caller said of these columns."""
        return {ours: theirs for ours, theirs in (self.columns or {}).items() if ours in names} or None


class Judgments:
    """The judgments, prepared once for any number of rankings."""

    def __init__(self, source: Any, reading: Reading, findings: Findings) -> None:
        self.reading = reading
        self.array: np.ndarray[Any, Any] | None = None
        self._dicts: dict[Any, dict[Any, Any]] | None = None
        self._frame: pl.DataFrame | None = None
        self._table: JudgedTable | None = None
        if isinstance(source, np.ndarray):
            self.array = source
            self.queries: Sequence[Any] = self._array_queries(source)
        elif is_file(source) or is_table(source):
            self._frame = read_table(source, "judgments", reading, findings)
            self._table = _table(self._frame, None, findings)
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
            if self._frame is None:
                raise InputError("judgments are an array, but the ranking is not; give both as arrays")
            self._dicts = {query: {} for query in self.queries}
            for query, item, grade in self._frame.select("query", "item", "grade").iter_rows():
                self._dicts[query].setdefault(item, grade)
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


def match(
    judgments: Judgments,
    ranking: Any,
    convention: Convention,
    findings: Findings,
    depth: int | None,
    read: Callable[[int], None] | None = None,
    heads: int = 0,
) -> Iterator[Chunk]:
    """The chunks of a ranking, by whichever road its form asks for; ``read`` hears how many bytes were read.

    Of the top ``heads`` of each query every item is kept, judged or not, with its id.
    """
    if isinstance(ranking, np.ndarray) and judgments.array is not None:
        yield from _match_arrays(judgments, ranking, convention, findings, depth, heads)
    elif is_file(ranking) or is_table(ranking):
        yield from _match_tables(judgments, ranking, convention, findings, depth, read, heads)
    else:
        yield from _match_dicts(judgments, ranking, convention, findings, heads)


def rankings_of(
    judgments: Judgments, ranking: Any, queries: Iterable[Any], findings: Findings
) -> dict[Any, Mapping[Any, Any]]:
    """The scores of some queries, by item, in one reading; by place where the items come without scores."""
    if not (is_file(ranking) or is_table(ranking)):
        judged, rankings = with_like_items(judgments.dicts, ranking_records(ranking, findings), findings)
        rankings = with_like_ids(judged, rankings, findings)
        found = {query: scores_of(query, rankings.get(query, ()), findings) for query in queries}
        return found if judged is judgments.dicts else as_judged(judgments.dicts, found)
    import polars as pl  # noqa: PLC0415

    frames = [read_table(ranking, "ranking", judgments.reading, findings)] if is_table(ranking) else None
    blocks = frames or _blocks(ranking, judgments.reading, findings)
    asked = {str(query): query for query in queries}
    text = pl.col("query").cast(pl.String)
    rows = pl.concat([block.filter(text.is_in([*asked])) for block in blocks])
    found = {query: {} for query in asked.values()}
    for part in rows.partition_by("query", maintain_order=True):
        query = asked[str(part["query"][0])]
        best = part.sort("score", descending=True, maintain_order=True)
        once = best.unique("item", keep="first", maintain_order=True)
        if once.height < part.height:
            findings.add("RG301", f"ranking: an item is returned more than once (query {shown(query)})")
        by_item = part if once.height == part.height else once
        found[query] = dict(by_item.select("item", "score").iter_rows())
    return as_judged(judgments.dicts, found)


def _match_arrays(
    judgments: Judgments,
    scores: np.ndarray[Any, Any],
    convention: Convention,
    findings: Findings,
    depth: int | None,
    heads: int,
) -> Iterator[Chunk]:
    labels = np.asarray(judgments.array)
    for name, array in (("labels", labels), ("scores", scores)):
        if array.dtype.kind not in "iufb":
            raise InputError(f"{name} must be an array of numbers, not of {array.dtype}")
        if array.ndim not in {1, 2}:
            raise InputError(f"{name} must have one or two dimensions, not {array.ndim}")
    keep_freed_memory()
    if labels.ndim == 2:  # noqa: PLR2004 (a matrix)
        yield from match_dense(labels, scores, convention, findings, depth, heads)
        return
    groups, ids = groups_of(labels, judgments.reading)
    if ids is not None:
        code = {query: number for number, query in enumerate(ids)}
        order = np.argsort([code[query] for query in _listed(judgments.reading.query_ids)], kind="stable")
        labels, scores = labels[order], scores[order]
    yield from match_flat(labels, scores, groups, convention, findings, heads)


def _listed(ids: Any) -> list[Any]:
    return [] if ids is None else ids.tolist() if isinstance(ids, np.ndarray) else list(ids)


def groups_of(labels: np.ndarray[Any, Any], reading: Reading) -> tuple[Segments, Sequence[Any] | None]:
    """Where each query of flat arrays begins and ends, and the ids of the queries where they were given."""
    given = [name for name in ("groups", "offsets", "query_ids") if getattr(reading, name) is not None]
    if len(given) != 1:
        raise ParameterError(
            "flat arrays need exactly one of groups=[sizes], offsets=[starts and end] or query_ids=[one an item], "
            f"not {' and '.join(given) or 'none'}"
        )
    if reading.groups is not None:
        sizes = np.asarray(reading.groups, dtype=np.int64)
        if (sizes < 0).any():
            raise ParameterError.of("each of groups", int(sizes[sizes < 0][0]), "the number of items of a query")
        return Segments.of_sizes(sizes), None
    if reading.offsets is not None:
        edges = np.asarray(reading.offsets, dtype=np.int64)
        if len(edges) == 0 or edges[0] != 0 or edges[-1] != len(labels) or (np.diff(edges) < 0).any():
            raise ParameterError(
                f"offsets must rise from 0 to {len(labels)}, the number of labels; they go from "
                f"{edges[0] if len(edges) else 'nothing'} to {edges[-1] if len(edges) else 'nothing'}"
            )
        return Segments(edges), None
    ids = _listed(reading.query_ids)
    if len(ids) != len(labels):
        raise InputError(f"query_ids has {len(ids)} entries for {len(labels)} labels; give one for each")
    counts: dict[Any, int] = {}
    for query in ids:
        counts[query] = counts.get(query, 0) + 1
    return Segments.of_sizes(np.array([*counts.values()], dtype=np.int64)), [*counts]


def _match_dicts(
    judgments: Judgments, ranking: Any, convention: Convention, findings: Findings, heads: int
) -> Iterator[Chunk]:
    rankings = ranking_records(ranking, findings)
    judged, rankings = with_like_items(judgments.dicts, rankings, findings)
    rankings = with_like_ids(judged, rankings, findings)
    unjudged = [query for query in rankings if query not in judged]
    if unjudged:
        findings.add("RG403", f"ranking: query {shown(unjudged[0])} has no judgments", len(unjudged))
    answered = [number for number, query in enumerate(judgments.queries) if query in rankings]
    queries = [judgments.queries[number] for number in answered]
    numbers = np.array(answered, dtype=np.int64)
    for some, matched in match_dicts(judged, rankings, queries, convention, findings, heads):
        yield numbers[some], matched


def _match_tables(
    judgments: Judgments,
    ranking: Any,
    convention: Convention,
    findings: Findings,
    depth: int | None,
    read: Callable[[int], None] | None,
    heads: int,
) -> Iterator[Chunk]:
    from rankgauge.match.frames import NotContiguousError, match_frames, slices  # noqa: PLC0415

    table, reading = judgments.table(findings), judgments.reading
    if is_table(ranking):
        frame = _alike(read_table(ranking, "ranking", reading, findings), table, findings)
        yield from match_frames(table, slices(frame), convention, findings, depth, heads, in_memory=True)
        return
    again = not isinstance(ranking, io.IOBase) and ranking != "-"
    apart = Findings()
    try:
        blocks = (_alike(block, table, apart) for block in _blocks(ranking, reading, apart, read))
        yield from match_frames(table, blocks, convention, apart, depth, heads)
        findings.merge(apart)
    except NotContiguousError:
        if not again:
            raise InputError(
                "ranking: the lines of a query do not stand together, and a stream cannot be read twice; "
                "sort it by query, or give a file"
            ) from None
        import polars as pl  # noqa: PLC0415

        findings.add("RG304", f"{ranking}: read whole instead of query by query")
        frame = pl.concat([*_blocks(ranking, reading, findings, read)])
        whole = slices(_alike(frame, table, findings))
        yield from match_frames(table, whole, convention, findings, depth, heads, in_memory=True)


def _blocks(
    source: Any, reading: Reading, findings: Findings, read: Callable[[int], None] | None = None
) -> Iterator[pl.DataFrame]:
    from rankgauge.inputs.files import ranking_blocks  # noqa: PLC0415

    return ranking_blocks(
        source,
        format=reading.format,
        columns=reading.columns_for("query", "item", "score", "rank"),
        findings=findings,
        lenient=reading.lenient,
        progress=read,
    )


def _alike(frame: pl.DataFrame, table: JudgedTable, findings: Findings) -> pl.DataFrame:
    """The ranking with ids of the kinds that the judgments have; both become text where they differ."""
    import polars as pl  # noqa: PLC0415

    for name, kind in (("query", table.queries.dtype), ("item", table.item.dtype)):
        if frame.schema[name] != kind:
            findings.add("RG406", f"{name} ids are {kind} in the judgments and {frame.schema[name]} in the ranking")
            table.as_text(name)
            frame = frame.with_columns(pl.col(name).cast(pl.String))
    return frame


def is_ranking(value: Any) -> bool:
    """Whether a value is a whole ranking of many queries, not that of one."""
    if isinstance(value, Mapping):
        return bool(value) and all(isinstance(inner, Mapping | list | tuple | np.ndarray) for inner in value.values())
    if isinstance(value, np.ndarray):
        return value.ndim == 2  # noqa: PLR2004 (a matrix)
    return is_file(value) or (are_rows(value) if isinstance(value, list | tuple) else is_table(value))


def is_file(source: object) -> bool:
    """Whether the object names a file or is one."""
    return isinstance(source, str | PathLike) or hasattr(source, "read")


def is_table(source: object) -> bool:
    """Whether the object is a table of some library."""
    if isinstance(source, Mapping | list | tuple | np.ndarray):
        return False
    from rankgauge.inputs.frames import is_frame  # noqa: PLC0415

    return is_frame(source)


def read_table(source: Any, role: Any, reading: Reading, findings: Findings) -> pl.DataFrame:
    """A frame or a file as the columns query, item and grade or score."""
    number = "grade" if role == "judgments" else "score"
    columns = reading.columns_for("query", "item", number, *(("rank",) if role == "ranking" else ()))
    if is_file(source) and role == "ranking":
        import polars as pl  # noqa: PLC0415

        return pl.concat([*_blocks(source, reading, findings)])
    if is_file(source):
        from rankgauge.inputs.files import read_judgments  # noqa: PLC0415

        return read_judgments(
            source, format=reading.format, columns=columns, findings=findings, lenient=reading.lenient
        )
    from rankgauge.inputs.frames import read_frame  # noqa: PLC0415

    return read_frame(source, role, columns, findings, reading.lenient)


def _table(frame: pl.DataFrame, queries: pl.Series | None, findings: Findings) -> JudgedTable:
    from rankgauge.match.frames import JudgedTable  # noqa: PLC0415

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
