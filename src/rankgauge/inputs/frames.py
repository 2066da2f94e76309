"""Convert frames of any library to polars frames of query, item, and grade or score."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

import polars as pl

from rankgauge.errors import InputError, shown
from rankgauge.inputs.codes import Column, Role
from rankgauge.inputs.columns import recognise_columns
from rankgauge.inputs.findings import Findings, input_error, no_splits, reader_errors
from rankgauge.inputs.frame_kinds import is_pandas
from rankgauge.inputs.gold_groups import are_groups, grouped, grouped_rows, members_of
from rankgauge.inputs.grade_checks import note_judged
from rankgauge.inputs.io.lines import FileContext, check_process
from rankgauge.inputs.item_rows import is_item_row, row_columns
from rankgauge.inputs.read_options import ReadOptions
from rankgauge.inputs.records import RepeatedItems
from rankgauge.inputs.table_rows import check_rows, id_column, note_long_ids
from rankgauge.rendering.language import Phrase

if TYPE_CHECKING:
    from rankgauge.inputs.shapes.recognition import Recognised


def is_frame(source: object) -> bool:
    """Whether the object is a frame: of polars, pandas, Arrow, DuckDB, or any library with the Arrow interface."""
    if hasattr(type(source), "dtype") or type(source).__name__ == "ChunkedArray":  # a single column
        return False
    return hasattr(source, "__arrow_c_stream__") or isinstance(source, pl.LazyFrame) or is_pandas(source)


def read_frame(
    source: object,
    role: Role,
    options: ReadOptions,
    findings: Findings,
    column: Column = "",
    *,
    keeps_empty: bool = False,
    name: str = "",
) -> pl.DataFrame:
    """Return a frame of query, item and grade (judgments) or score (ranking); ``name`` is that of its file, if any.

    Integer ids stay integers, all others become text. Without a score, the score is minus the rank. The column group or
    system is added, and the columns of spans take the place of the item, where rows have them. A query with an empty
    list has a row without an item if ``keeps_empty``, or with the column group.
    """
    check_process()
    given, lenient, split = options.columns_of(role), options.lenient, options.split
    context = FileContext(
        name or role,
        role,
        findings,
        lenient,
        column=column,
        keeps_empty=keeps_empty or column == "group",
        split=split,
        span_ids=options.span_ids,
        time=options.time_column,
    )
    numbers = "grade" if role == "judgments" else "score or rank"
    expected = f"query and item must contain text or integers, {numbers} must contain numbers"
    with reader_errors(f"{role}: the frame", expected), _index_named(source):
        lazy = source if isinstance(source, pl.LazyFrame) else as_polars(source).lazy()
        recognised, _ = recognise_frame(lazy, role, given)
        if split is not None and role == "judgments" and (recognised is None or not recognised.fit.split):
            raise no_splits(role, split)
        if recognised is not None:
            return _entries(lazy, recognised, context)
        columns = row_columns(lazy.collect_schema().names(), context, given, role)
        raw = columns.select(lazy).collect()
        table = check_rows(raw, context, columns.names)
        table = table.with_columns(-pl.col("score")) if columns.by_rank else table
    findings.raise_errors(lenient)
    if raw.height and not table.height:
        findings.add("RG101", (f"{role}: no row is valid, so that none is left", f"{role}：没有一行有效"))
        findings.raise_errors(lenient=False)
    note_long_ids(table, context)
    if role == "judgments":
        note_judged(table, findings)
    return table


def column_names(frame: Any) -> list[str]:
    """Return the names of the columns of a frame of any library, without those that are no text."""
    names = frame.collect_schema().names() if isinstance(frame, pl.LazyFrame) else getattr(frame, "column_names", None)
    if names is None and not hasattr(frame, "columns"):  # a fused ranking
        frame = as_polars(frame)
    return [name for name in (frame.columns if names is None else names) if isinstance(name, str)]


@contextmanager
def _index_named(source: Any) -> Iterator[None]:
    """Name the index of a pandas frame in the error for a column that was not recognised: an index is not read."""
    try:
        yield
    except InputError as error:
        names = [name for name in source.index.names if name is not None] if is_pandas(source) else []
        if "RG111" not in error.codes or not names:
            raise
        en, zh = error.texts
        listed = ", ".join(map(shown, names))
        hint = Phrase(
            f"the index ({listed}) is not read; pass frame.reset_index()",
            f"索引（{listed}）不读取；请传入 frame.reset_index()",
        )
        raise InputError((f"{en}\n{hint.en}", f"{zh}\n{hint.zh}"), error.codes) from None


def judged_items(frame: pl.DataFrame) -> Any:
    """Return judgments as dicts if some items come in groups, and as a frame without the column of groups otherwise."""
    if "group" not in frame.columns:
        return frame
    if frame["group"].null_count() == frame.height:
        return frame.drop("group")
    return grouped_rows(frame.select("query", "item", "grade", "group").iter_rows())


def ranked_items(frame: pl.DataFrame) -> Any:
    """Return a ranking as lists of items with scores by query if some are empty, and as the frame otherwise."""
    if not frame["item"].null_count():
        return frame
    lists = frame.group_by("query", maintain_order=True).agg(pl.col("item", "score").drop_nulls())
    return {query: RepeatedItems(items, scores) for query, items, scores in lists.iter_rows()}


def frame_of_dict(lists: Mapping[object, Any], role: Role) -> pl.DataFrame:
    """Return the rows of ``{query: {item: number}}`` or ``{query: [items]}``, of a group each member.

    The score of a list of items is minus the rank, as in files of ranks.
    """
    is_judged = role == "judgments"
    rows = []
    for query, items in lists.items():
        numbers: Iterable[tuple[object, float]] = ((item, 1.0 if is_judged else -n) for n, item in enumerate(items, 1))
        if isinstance(items, Mapping):
            numbers = items.items()
        elif is_judged and are_groups(items):
            numbers = grouped(items).items()
        rows += [(str(query), str(item), float(number)) for gold, number in numbers for item in members_of(gold)]
    number = "grade" if is_judged else "score"
    return pl.DataFrame(rows, {"query": pl.String, "item": pl.String, number: pl.Float64}, orient="row")


def recognise_frame(
    source: object, name: str, columns: Mapping[str, str] | None
) -> tuple[Recognised | None, Sequence[str]]:
    """Return the shape of the rows of a frame, None if each has one item, and the names of the columns."""
    lazy = source if isinstance(source, pl.LazyFrame) else as_polars(source).lazy()
    schema = lazy.collect_schema()
    nested = any(kind.is_nested() or kind == pl.Object for kind in schema.values())
    if not nested and (columns or is_item_row(dict.fromkeys(schema, 0))):
        return None, schema.names()
    from rankgauge.inputs.shapes.recognition import recognise_record  # noqa: PLC0415 (only for records)

    rows = lazy.head(1).collect().to_dicts()
    return recognise_record(rows[0] if rows else dict.fromkeys(schema), name, None, columns), schema.names()


def _entries(lazy: pl.LazyFrame, recognised: Recognised, context: FileContext) -> pl.DataFrame:
    """Return the rows of a frame of a known shape."""
    from rankgauge.inputs.shapes.entry_rows import EntryRows  # noqa: PLC0415 (only for records)

    recognised.check_role(context.role, context.name)
    rows = EntryRows(context, recognised.fit, keep_integers=True)
    frame = lazy.collect()
    table = rows.rows_of(frame)
    if table is None:
        for number, record in enumerate(frame.iter_rows(named=True), 1):
            rows.add(record, Phrase(f"row {number}", f"第 {number} 行"))
        table = rows.take()
    context.findings.raise_errors(context.lenient)
    if not table.height:
        context.check_split()
    if context.role == "judgments":
        note_judged(table, context.findings)
    return table


def as_polars(source: Any) -> pl.DataFrame:
    """Convert a frame of any library to polars."""
    if isinstance(source, pl.LazyFrame):
        return source.collect()
    if is_pandas(source):
        try:
            return pl.from_pandas(source, nan_to_null=False)
        except Exception:  # noqa: BLE001 (pyarrow is missing, or a column holds objects of several types)
            return pl.DataFrame([_pandas_column(source[name], str(name)) for name in source.columns])
    return source if isinstance(source, pl.DataFrame) else pl.DataFrame(source)


def _pandas_column(column: Any, name: str) -> pl.Series:
    """Return a column of pandas; one with values of several types keeps them as objects."""
    values = column.to_numpy()
    if values.dtype.kind != "O":
        return pl.Series(name, values)
    try:
        return pl.Series(name, [*values], strict=True)
    except (TypeError, pl.exceptions.PolarsError):
        return pl.Series(name, [*values], dtype=pl.Object)


@dataclass(frozen=True)
class Interactions:
    """Interactions of users with items: the caller's table and the columns recognised in it."""

    frame: pl.DataFrame  # with all columns and rows
    query: pl.Series
    item: pl.Series
    grade_name: str | None  # the column of ratings, clicks or other values
    time_name: str | None  # the column of the times, which are parsed when they are needed
    rest: tuple[str, ...]  # the other columns of the table
    source: Any  # the table as it was given

    @cached_property
    def grade(self) -> pl.Series | None:
        """Ratings, clicks or other numbers; null if invalid."""
        return None if self.grade_name is None else self.frame[self.grade_name].cast(pl.Float64, strict=False)

    @cached_property
    def time(self) -> pl.Series | None:
        """Numbers unchanged; dates as seconds since 1970."""
        return None if self.time_name is None else _times(self.frame[self.time_name])

    @property
    def dated(self) -> bool:
        """Whether the times are dates."""
        return self.time_name is not None and not self.frame.schema[self.time_name].is_numeric()

    def rows(self, rows: pl.Series) -> Any:
        """Return some rows, by number or as a mask: of pandas for a frame of pandas, otherwise of polars."""
        if is_pandas(self.source):
            return self.source.iloc[rows.to_numpy()]
        return self.frame.filter(rows) if rows.dtype == pl.Boolean else self.frame[rows]

    def timed(self, purpose: str) -> pl.Series:
        """Return the times, or raise an error that says what they are needed for."""
        if self.time is None:
            raise input_error(
                "RG111",
                Phrase(
                    "interactions: {purpose} needs a time column; found {names}",
                    "interactions：{purpose} 需要时间列；现有 {names}",
                ).fill(purpose=purpose, names=", ".join(map(shown, self.frame.columns))),
                Phrase('name it: columns={"time": "..."}', '指明该列：columns={"time": "..."}'),
            )
        return self.time


def read_interactions(source: object, columns: Mapping[str, str] | None = None) -> Interactions:
    """Read a table of interactions: user and item, and number and time if it has such columns.

    >>> read_interactions(pl.DataFrame({"user": [1], "movie": [7], "rating": [4.5]})).grade.to_list()
    [4.5]
    """
    if not is_frame(source):
        raise InputError(
            f"interactions of type {type(source).__name__} cannot be read; give a frame (polars, pandas, Arrow, "
            "DuckDB) with user and item columns"
        )
    frame = as_polars(source)
    names = recognise_columns(frame.columns, "interactions", columns)
    ids = [_interaction_ids(frame, names[kind]).alias(kind) for kind in ("query", "item")]
    rest = tuple(name for name in frame.columns if name not in {names["query"], names["item"], names.get("time")})
    return Interactions(frame, ids[0], ids[1], names.get("grade"), names.get("time"), rest, source)


def _interaction_ids(frame: pl.DataFrame, name: str) -> pl.Series:
    ids = id_column(frame[name], f"interactions: column {shown(name)}")
    if ids.null_count():
        raise input_error("RG208", f"interactions: {name} is missing (row {(ids.is_null().arg_max() or 0) + 1})")
    return ids


def _times(column: pl.Series) -> pl.Series:
    if isinstance(column.dtype, pl.String | pl.Categorical | pl.Enum):
        column = _dates_of_texts(column.cast(pl.String))
    if column.dtype.is_temporal() and column.dtype not in {pl.Time, pl.Duration}:
        times = column.dt.epoch("us") / 1e6
    elif column.dtype.is_numeric():
        times = column.cast(pl.Float64)
    else:
        first = shown(column[0]) if len(column) else "-"
        raise input_error(
            "RG213",
            Phrase(
                "interactions: {name} has type {type}, first {first}",
                "interactions：{name} 的类型为 {type}，首个为 {first}",
            ).fill(name=column.name, type=column.dtype, first=first),
        )
    invalid = ~times.is_finite().fill_null(value=False)
    if invalid.any():
        row = int(invalid.arg_max() or 0)
        raise _invalid_time(column, row)
    return times


_YEAR_FIRST = re.compile(r"(\d{4})(?:([-/.])(\d\d?)\2(\d\d?)|年(\d\d?)月(\d\d?)日)(?!\d)")


def _dates_of_texts(column: pl.Series) -> pl.Series:
    """Return dates with the year first, in ISO 8601 or such as 2024/5/1, in UTC unless they have a time zone."""
    dates = {text: _date_of(text) for text in column.unique().drop_nulls()}
    parsed = column.replace_strict(dates, default=None, return_dtype=pl.Datetime("us"))
    invalid = parsed.is_null()
    if invalid.any():
        raise _invalid_time(column, int(invalid.arg_max() or 0))
    return parsed


def _date_of(text: str) -> datetime | None:
    """Return a date with the year first; its parts may be separated by hyphens, slashes, dots or as in Chinese.

    >>> [_date_of(text).day for text in ("2024-05-01", "2024/5/1", "2024年5月1日 18:30", "2024.05.01T18:30:00+08:00")]
    [1, 1, 1, 1]
    """
    if (match := _YEAR_FIRST.match(text)) is not None:
        year, month, day = (part for part in match.groups() if part is not None and part not in "-/.")
        text = f"{year}-{month:0>2}-{day:0>2}{text[match.end() :]}"
    try:
        date = datetime.fromisoformat(text) if text[4:5] == "-" else None
        return date if date is None or date.tzinfo is None else date.astimezone(UTC).replace(tzinfo=None)
    except (ValueError, OverflowError):
        return None


def _invalid_time(column: pl.Series, row: int) -> InputError:
    texts = Phrase("interactions: {name} is {value} (row {row})", "interactions：{name} 为 {value}（第 {row} 行）")
    return input_error("RG213", texts.fill(name=column.name, value=shown(column[row]), row=row + 1))


def with_like_ids(*frames: pl.DataFrame) -> list[pl.DataFrame]:
    """Return frames whose queries and items have the same types: text, where they differ."""
    tables = [*frames]
    for name in ("query", "item"):
        if len({table.schema[name] for table in tables}) > 1:
            tables = [table.with_columns(pl.col(name).cast(pl.String)) for table in tables]
    return tables


def id_series(ids: list[object]) -> pl.Series:
    """Return ids as a column; ids of one type stay as they are, mixed ones become text."""
    kinds = {*map(type, ids)}
    return pl.Series(ids if kinds <= {int} or kinds <= {str} else [*map(str, ids)])
