"""Convert frames of any library to polars frames of query, item, and grade or score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from rankgauge.errors import InputError, shown
from rankgauge.inputs.codes import Role
from rankgauge.inputs.columns import recognise_columns
from rankgauge.inputs.findings import Findings, input_error, reader_errors
from rankgauge.inputs.frame_kinds import is_pandas
from rankgauge.inputs.grade_checks import note_grades, row_place


def is_frame(source: object) -> bool:
    """Whether the object is a frame: of polars, pandas, Arrow, DuckDB, or any library with the Arrow interface."""
    if hasattr(type(source), "dtype") or type(source).__name__ == "ChunkedArray":  # a single column
        return False
    return hasattr(source, "__arrow_c_stream__") or isinstance(source, pl.LazyFrame) or is_pandas(source)


def read_frame(
    source: Any, role: Role, given: Mapping[str, str] | None, findings: Findings, lenient: bool
) -> pl.DataFrame:
    """Return a frame of query, item and grade (judgments) or score (ranking).

    Integer ids stay integers, all others become text. Without a score, the score is minus the rank.
    """
    number = "grade" if role == "judgments" else "score"
    numbers = "grade" if role == "judgments" else "score or rank"
    expected = f"query and item must contain text or integers, {numbers} must contain numbers"
    with reader_errors(f"{role}: the frame", expected):
        table = _check_rows(_select_columns(source, role, number, given), number, role, findings, lenient)
        values = table[number].to_numpy()
    if number == "grade":
        note_grades(values, lambda row: row_place(table, row), findings)
    elif np.isinf(values).any():
        rows = np.flatnonzero(np.isinf(values))
        findings.add("RG203", f"ranking: score is infinite {row_place(table, int(rows[0]))}", len(rows))
    return table


def _select_columns(source: Any, role: Role, number: str, given: Mapping[str, str] | None) -> pl.DataFrame:
    lazy = source if isinstance(source, pl.LazyFrame) else as_polars(source).lazy()
    columns = recognise_columns(lazy.collect_schema().names(), role, given)
    table = lazy.select(columns.values()).collect()
    value = pl.col(columns[number]) if number in columns else -pl.col(columns["rank"]).cast(pl.Float64, strict=False)
    return table.select(query=_id(table, columns["query"]), item=_id(table, columns["item"]), **{number: value})


def _id(frame: pl.DataFrame, name: str) -> pl.Expr:
    dtype = frame.schema[name]
    return pl.col(name).cast(pl.Int64 if dtype.is_integer() and dtype != pl.UInt64 else pl.String)


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
    if bad.all():
        findings.add("RG101", f"{role}: no row is valid, so that none is left")
        findings.raise_errors(lenient=False)
    return table.filter(~bad)


def as_polars(source: Any) -> pl.DataFrame:
    """Convert a frame of any library to polars."""
    if isinstance(source, pl.LazyFrame):
        return source.collect()
    if is_pandas(source):
        try:
            return pl.from_pandas(source)
        except ImportError:  # pandas needs pyarrow for this, which may be missing
            return pl.DataFrame({str(name): source[name].to_numpy() for name in source.columns})
    return source if isinstance(source, pl.DataFrame) else pl.DataFrame(source)


@dataclass(frozen=True)
class Interactions:
    """Interactions of users with items: the caller's table and the columns recognised in it."""

    frame: pl.DataFrame  # with all columns and rows
    query: pl.Series
    item: pl.Series
    grade: pl.Series | None  # ratings, clicks or other numbers; null if invalid
    time: pl.Series | None  # numbers unchanged; dates as seconds since 1970
    dated: bool  # whether the times are dates
    rest: tuple[str, ...]  # the other columns of the table

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
    frame = as_polars(source)
    names = recognise_columns(frame.columns, "interactions", columns)
    ids = [_interaction_ids(frame, names[kind]).alias(kind) for kind in ("query", "item")]
    grade = frame[names["grade"]].cast(pl.Float64, strict=False) if "grade" in names else None
    time = _times(frame[names["time"]]) if "time" in names else None
    dated = time is not None and frame.schema[names["time"]].is_temporal()
    rest = tuple(name for name in frame.columns if name not in {names["query"], names["item"], names.get("time")})
    return Interactions(frame, ids[0], ids[1], grade, time, dated, rest)


def _interaction_ids(frame: pl.DataFrame, name: str) -> pl.Series:
    dtype = frame.schema[name]
    if dtype.is_nested() or dtype == pl.Object:
        raise InputError(f"interactions: {shown(name)} has type {dtype}; ids must be text or integers")
    ids = frame.select(_id(frame, name)).to_series()
    if ids.null_count():
        raise input_error("RG208", f"interactions: {name} is missing (row {ids.is_null().arg_max()})")
    return ids


def _times(column: pl.Series) -> pl.Series:
    if column.dtype.is_temporal() and column.dtype not in {pl.Time, pl.Duration}:
        times = column.dt.epoch("us") / 1e6
    elif column.dtype.is_numeric():
        times = column.cast(pl.Float64)
    else:
        raise input_error("RG213", f"interactions: {column.name} has type {column.dtype}, first {shown(column[:1])}")
    invalid = ~times.is_finite().fill_null(value=False)
    if invalid.any():
        row = int(invalid.arg_max() or 0)
        raise input_error("RG213", f"interactions: {column.name} is {shown(column[row])} (row {row})")
    return times


def id_series(ids: list[Any]) -> pl.Series:
    """Return ids as a column; ids of one type stay as they are, mixed ones become text."""
    kinds = {*map(type, ids)}
    return pl.Series(ids if kinds <= {int} or kinds <= {str} else [*map(str, ids)])
