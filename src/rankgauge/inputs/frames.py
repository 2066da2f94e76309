"""Frames of any library as canonical polars frames: query, item, and grade or score."""

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
    """Whether the object is a table of some library: polars, pandas, Arrow, DuckDB, anything that speaks Arrow."""
    return hasattr(source, "__arrow_c_stream__") or isinstance(source, pl.LazyFrame) or _is_pandas(source)


def read_frame(
    source: Any, role: Role, columns: Mapping[str, str] | None, findings: Findings, lenient: bool
) -> pl.DataFrame:
    """The table with the columns query, item and grade (judgments) or score (ranking).

    Ids that are whole numbers stay so, all others become text. A rank column stands in for a score.
    """
    try:
        return _read(source, role, columns, findings, lenient)
    except RankgaugeError:
        raise
    except Exception as error:  # whatever a frame library raises for columns that are not ids and numbers
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(
            f"{role}: the frame cannot be read ({reason}); query and item must be columns of texts or whole numbers, "
            f"{'grade' if role == 'judgments' else 'score or rank'} a column of numbers"
        ) from error


def _read(
    source: Any, role: Role, columns: Mapping[str, str] | None, findings: Findings, lenient: bool
) -> pl.DataFrame:
    if isinstance(source, pl.LazyFrame):
        names = source.collect_schema().names()
        found = recognise_columns(names, role, columns, role)
        frame = source.select(found.values()).collect()
    else:
        frame = source if isinstance(source, pl.DataFrame) else as_polars(source)
        found = recognise_columns(frame.columns, role, columns, role)
    number = "grade" if role == "judgments" else "score"
    table = frame.select(
        _id(frame, found["query"]).alias("query"),
        _id(frame, found["item"]).alias("item"),
        (pl.col(found[number]) if number in found else -pl.col(found["rank"]).cast(pl.Float64, strict=False)).alias(
            number
        ),
    )
    checked = _checked(table, number, role, findings, lenient)
    values = checked[number].to_numpy()
    if number == "grade":
        note_grades(values, lambda row: _place(checked, row), findings)
    elif np.isinf(values).any():
        where = np.flatnonzero(np.isinf(values))
        findings.add("RG203", f"ranking: score is infinite {_place(checked, int(where[0]))}", len(where))
    return checked


def _place(table: pl.DataFrame, row: int) -> str:
    query, item, _ = table.row(row)
    return f"(query {shown(query)}, item {shown(item)})"


def _id(frame: pl.DataFrame, name: str) -> pl.Expr:
    column, kind = pl.col(name), frame.schema[name]
    if kind.is_integer():
        return column.cast(pl.Int64, strict=True) if kind != pl.UInt64 else column.cast(pl.String)
    return column if kind == pl.String else column.cast(pl.String)


def _checked(table: pl.DataFrame, number: str, role: Role, findings: Findings, lenient: bool) -> pl.DataFrame:
    """The rows that can be evaluated; the others are reported, and are an error unless lenient."""
    given = table[number]
    values = given.cast(pl.Float64, strict=False)
    numbers = values.to_numpy()  # NaN where there is none
    bad = ~np.isfinite(numbers) if number == "grade" else np.isnan(numbers)
    for name in ("query", "item"):
        if table[name].null_count():
            bad |= table[name].is_null().to_numpy()
    if given.dtype != pl.Float64:
        table = table.with_columns(values.alias(number))
    if not bad.any():
        return table
    for place in np.flatnonzero(bad).tolist():
        query, item, _ = table.row(place)
        value = given[place]
        what = f"(row {place}, query {shown(query)}, item {shown(item)})"
        if query is None or item is None:
            findings.add("RG208", f"{role}: an id is missing {what}")
        elif number == "score" and value is not None and values[place] is not None:
            findings.add("RG202", f"{role}: score is nan {what}")
        else:
            findings.add("RG201" if number == "score" else "RG204", f"{role}: {number} is {shown(value)} {what}")
    findings.raise_errors(lenient)
    return table.filter(~bad)


def as_polars(source: Any) -> pl.DataFrame:
    """A table of any library as a polars frame, with the columns that it has."""
    if isinstance(source, pl.LazyFrame):
        return source.collect()
    return source if isinstance(source, pl.DataFrame) else _from_arrow(source)


def _from_arrow(source: Any) -> pl.DataFrame:
    if _is_pandas(source):
        try:
            return pl.from_pandas(source)
        except ImportError:  # pandas speaks Arrow through pyarrow, which may be missing
            return pl.DataFrame({str(name): source[name].to_numpy() for name in source.columns})
    return pl.DataFrame(source)


def _is_pandas(source: object) -> bool:
    return type(source).__module__.split(".")[0] == "pandas" and hasattr(source, "columns")


@dataclass(frozen=True)
class Interactions:
    """What users did with items: the caller's table, and what was recognised in it."""

    frame: pl.DataFrame
    """As it was given, all columns and rows."""
    query: pl.Series
    item: pl.Series
    grade: pl.Series | None
    """Rating, clicks or whatever the number is; what is no number is null."""
    time: pl.Series | None
    """Numbers as they are; dates as seconds since 1970."""
    dated: bool
    """Whether the times are dates."""
    rest: tuple[str, ...]
    """The columns of the table that are none of these."""

    def timed(self, purpose: str) -> pl.Series:
        """The times, or an error that says what they are needed for."""
        if self.time is None:
            raise input_error(
                "RG111",
                f"interactions: {purpose} needs a column of times; found {', '.join(map(shown, self.frame.columns))}; "
                'say which: columns={"time": "..."}',
            )
        return self.time


def read_interactions(source: Any, columns: Mapping[str, str] | None = None) -> Interactions:
    """A table of interactions: who and what, and where there are such columns the number and the time.

    >>> read_interactions(pl.DataFrame({"user": [1], "movie": [7], "rating": [4.5]})).grade.to_list()
    [4.5]
    """
    if not is_frame(source):
        raise InputError(
            f"interactions of type {type(source).__name__} are not understood; give a frame (polars, pandas, Arrow, "
            "DuckDB) with columns for user and item"
        )
    frame = source.collect() if isinstance(source, pl.LazyFrame) else source
    frame = frame if isinstance(frame, pl.DataFrame) else as_polars(frame)
    found = recognise_columns(frame.columns, "interactions", columns, "interactions")
    for name in ("query", "item"):
        kind = frame.schema[found[name]]
        if kind.is_nested() or kind == pl.Object:
            raise InputError(f"interactions: {shown(found[name])} is a column of {kind}; give texts or whole numbers")
    query, item = (frame.select(_id(frame, found[name]).alias(name)).to_series() for name in ("query", "item"))
    for name, ids in (("query", query), ("item", item)):
        if ids.null_count():
            raise input_error("RG208", f"interactions: {found[name]} is missing (row {ids.is_null().arg_max()})")
    grade = frame[found["grade"]].cast(pl.Float64, strict=False) if "grade" in found else None
    time = _times(frame[found["time"]]) if "time" in found else None
    dated = time is not None and frame.schema[found["time"]].is_temporal()
    rest = tuple(name for name in frame.columns if name not in {found["query"], found["item"], found.get("time")})
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
