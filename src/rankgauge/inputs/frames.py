"""Convert frames of any library to polars frames of query, item, and grade or score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from rankgauge.errors import InputError, RankgaugeError, shown
from rankgauge.inputs.codes import Role
from rankgauge.inputs.columns import recognise_columns
from rankgauge.inputs.findings import Findings, input_error
from rankgauge.inputs.grade_checks import note_grades


def is_frame(source: object) -> bool:
    """Whether the object is a frame: of polars, pandas, Arrow, DuckDB, or any library with the Arrow interface."""
    return hasattr(source, "__arrow_c_stream__") or isinstance(source, pl.LazyFrame) or _is_pandas(source)


def read_frame(
    source: Any, role: Role, columns: Mapping[str, str] | None, findings: Findings, lenient: bool
) -> pl.DataFrame:
    """Return a frame of query, item and grade (judgments) or score (ranking).

    Integer ids stay integers, all others become text. Without a score, the score is minus the rank.
    """
    try:
        return _read(source, role, columns, findings, lenient)
    except RankgaugeError:
        raise
    except Exception as error:  # frame libraries raise exceptions of any type
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(
            f"{role}: the frame cannot be read ({reason}); query and item must contain text or integers, "
            f"{'grade' if role == 'judgments' else 'score or rank'} must contain numbers"
        ) from error


def _read(
    source: Any, role: Role, columns: Mapping[str, str] | None, findings: Findings, lenient: bool
) -> pl.DataFrame:
    if isinstance(source, pl.LazyFrame):
        theirs = recognise_columns(source.collect_schema().names(), role, columns, role)
        frame = source.select(theirs.values()).collect()
    else:
        frame = source if isinstance(source, pl.DataFrame) else as_polars(source)
        theirs = recognise_columns(frame.columns, role, columns, role)
    number = "grade" if role == "judgments" else "score"
    value = pl.col(theirs[number]) if number in theirs else -pl.col(theirs["rank"]).cast(pl.Float64, strict=False)
    table = frame.select(
        _id(frame, theirs["query"]).alias("query"), _id(frame, theirs["item"]).alias("item"), value.alias(number)
    )
    checked = _check_rows(table, number, role, findings, lenient)
    values = checked[number].to_numpy()
    if number == "grade":
        note_grades(values, lambda row: _place(checked, row), findings)
    elif np.isinf(values).any():
        rows = np.flatnonzero(np.isinf(values))
        findings.add("RG203", f"ranking: score is infinite {_place(checked, int(rows[0]))}", len(rows))
    return checked


def _place(table: pl.DataFrame, row: int) -> str:
    query, item, _ = table.row(row)
    return f"(query {shown(query)}, item {shown(item)})"


def _id(frame: pl.DataFrame, name: str) -> pl.Expr:
    column, kind = pl.col(name), frame.schema[name]
    if kind.is_integer():
        return column.cast(pl.Int64, strict=True) if kind != pl.UInt64 else column.cast(pl.String)
    return column if kind == pl.String else column.cast(pl.String)


def _check_rows(table: pl.DataFrame, number: str, role: Role, findings: Findings, lenient: bool) -> pl.DataFrame:
    """Return the valid rows; the others are reported, and raise an error unless lenient."""
    given = table[number]
    values = given.cast(pl.Float64, strict=False)
    numbers = values.to_numpy()  # NaN where a value is missing or invalid
    bad = ~np.isfinite(numbers) if number == "grade" else np.isnan(numbers)
    for name in ("query", "item"):
        if table[name].null_count():
            bad |= table[name].is_null().to_numpy()
    if given.dtype != pl.Float64:
        table = table.with_columns(values.alias(number))
    if not bad.any():
        return table
    for row in np.flatnonzero(bad).tolist():
        query, item, _ = table.row(row)
        value = given[row]
        place = f"(row {row}, query {shown(query)}, item {shown(item)})"
        if query is None or item is None:
            findings.add("RG208", f"{role}: an id is missing {place}")
        elif number == "score" and value is not None and values[row] is not None:
            findings.add("RG202", f"{role}: score is NaN {place}")
        else:
            findings.add("RG201" if number == "score" else "RG204", f"{role}: {number} is {shown(value)} {place}")
    findings.raise_errors(lenient)
    return table.filter(~bad)


def as_polars(source: Any) -> pl.DataFrame:
    """Convert a frame of any library to polars."""
    if isinstance(source, pl.LazyFrame):
        return source.collect()
    return source if isinstance(source, pl.DataFrame) else _from_arrow(source)


def _from_arrow(source: Any) -> pl.DataFrame:
    if _is_pandas(source):
        try:
            return pl.from_pandas(source)
        except ImportError:  # pandas needs pyarrow for this, which may be missing
            return pl.DataFrame({str(name): source[name].to_numpy() for name in source.columns})
    return pl.DataFrame(source)


def _is_pandas(source: object) -> bool:
    return type(source).__module__.split(".")[0] == "pandas" and hasattr(source, "columns")


@dataclass(frozen=True)
class Interactions:
    """Interactions of users with items: the caller's table and the columns recognised in it."""

    frame: pl.DataFrame
    """The table with all its columns and rows."""
    query: pl.Series
    item: pl.Series
    grade: pl.Series | None
    """Ratings, clicks or other numbers; null if invalid."""
    time: pl.Series | None
    """Numbers unchanged; dates as seconds since 1970."""
    dated: bool
    """Whether the times are dates."""
    rest: tuple[str, ...]
    """The other columns of the table."""

    def timed(self, purpose: str) -> pl.Series:
        """Return the times, or raise an error that says what they are needed for."""
        if self.time is None:
            raise input_error(
                "RG111",
                f"interactions: {purpose} needs a time column; found {', '.join(map(shown, self.frame.columns))}; "
                'name one: columns={"time": "..."}',
            )
        return self.time


def read_interactions(source: Any, columns: Mapping[str, str] | None = None) -> Interactions:
    """Read a table of interactions: user and item, and number and time if it has such columns.

    >>> read_interactions(pl.DataFrame({"user": [1], "movie": [7], "rating": [4.5]})).grade.to_list()
    [4.5]
    """
    if not is_frame(source):
        raise InputError(
            f"interactions of type {type(source).__name__} cannot be read; give a frame (polars, pandas, Arrow, "
            "DuckDB) with user and item columns"
        )
    frame = source.collect() if isinstance(source, pl.LazyFrame) else source
    frame = frame if isinstance(frame, pl.DataFrame) else as_polars(frame)
    theirs = recognise_columns(frame.columns, "interactions", columns, "interactions")
    for name in ("query", "item"):
        dtype = frame.schema[theirs[name]]
        if dtype.is_nested() or dtype == pl.Object:
            raise InputError(f"interactions: {shown(theirs[name])} has type {dtype}; ids must be text or integers")
    query, item = (frame.select(_id(frame, theirs[name]).alias(name)).to_series() for name in ("query", "item"))
    for name, ids in (("query", query), ("item", item)):
        if ids.null_count():
            raise input_error("RG208", f"interactions: {theirs[name]} is missing (row {ids.is_null().arg_max()})")
    grade = frame[theirs["grade"]].cast(pl.Float64, strict=False) if "grade" in theirs else None
    time = _times(frame[theirs["time"]]) if "time" in theirs else None
    dated = time is not None and frame.schema[theirs["time"]].is_temporal()
    rest = tuple(name for name in frame.columns if name not in {theirs["query"], theirs["item"], theirs.get("time")})
    return Interactions(frame, query, item, grade, time, dated, rest)


def _times(column: pl.Series) -> pl.Series:
    if column.dtype.is_temporal() and column.dtype not in {pl.Time, pl.Duration}:
        times = column.dt.epoch("us") / 1e6
    elif column.dtype.is_numeric():
        times = column.cast(pl.Float64)
    else:
        raise input_error("RG213", f"interactions: {column.name} has type {column.dtype}, first {shown(column[:1])}")
    wrong = times.is_null() | ~times.is_finite().fill_null(value=False)
    if wrong.any():
        row = int(wrong.arg_max() or 0)
        raise input_error("RG213", f"interactions: {column.name} is {shown(column[row])} (row {row})")
    return times


def id_series(ids: list[Any]) -> pl.Series:
    """Return ids as a column; ids of one type stay as they are, mixed ones become text."""
    kinds = {*map(type, ids)}
    return pl.Series(ids if kinds <= {int} or kinds <= {str} else [*map(str, ids)])
