"""The rows of a frame or columnar file: types of columns, and rows without a usable id or number."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from rankgauge.errors import shown
from rankgauge.inputs.findings import SHOWN, input_error
from rankgauge.inputs.io.lines import FileContext
from rankgauge.inputs.rank_checks import note_rank_conflicts
from rankgauge.rendering.language import Phrase
from rankgauge.value_checks import EXACT_FLOATS, EXACT_SINGLES, fits_double, inexact_id

LONG_ID = 1000
"""Bytes from which an id is reported as very long."""
Bools = np.ndarray[Any, np.dtype[np.bool_]]


def check_rows(raw: pl.DataFrame, context: FileContext, names: Sequence[str], start: int = 0) -> pl.DataFrame:
    """Return rows of query, item, number and perhaps rank with valid ids and numbers; the others are reported.

    ``names`` are those of the columns in the source, ``start`` is the number of rows before these. Ids are integers or
    text, numbers are float64; the rank is compared with the score and removed.
    """
    query, item, number = (
        check(raw[column], f"{context.name}: column {shown(name)}")
        for check, column, name in zip((id_column, id_column, number_column), raw.columns, names, strict=False)
    )
    frame = pl.DataFrame([query.alias("query"), item.alias("item"), number.alias(context.number)])
    if "rank" in raw.columns:
        frame = frame.with_columns(raw["rank"])
    values = number.to_numpy()  # NaN where a value is missing
    if _shortest(query) == 0 or _shortest(item) == 0 or not np.isfinite(values).all():
        without_id = _is_missing(query) | _is_missing(item)
        _report(frame, raw.to_series(2), values, without_id, context, start)
        usable = ~np.isnan(values) if context.role == "ranking" else np.isfinite(values)
        frame = frame.filter(pl.Series(usable & ~without_id))
    if "rank" in frame.columns:
        note_rank_conflicts(frame, context)
    return frame.select("query", "item", context.number)


def _shortest(ids: pl.Series) -> int:
    """Return the number of bytes of the shortest id, 0 if one is missing; integers have some."""
    if ids.null_count():
        return 0
    shortest = ids.str.len_bytes().min() if ids.dtype == pl.String else 1
    return shortest if isinstance(shortest, int) else 1


def _report(
    frame: pl.DataFrame, raw: pl.Series, values: Any, without_id: Bools, context: FileContext, start: int
) -> None:
    """Report the first invalid and infinite rows of each kind, and the number of the others."""
    missing = frame[context.number].is_null().to_numpy()
    for kind in (without_id, missing, np.isnan(values) & ~missing, np.isinf(values)):
        rows = np.flatnonzero(kind if kind is without_id else kind & ~without_id)
        for row in rows[:SHOWN].tolist():
            query, item, number = frame.row(row)[:3]
            place = Phrase("row {n}", "第 {n} 行").fill(n=start + row + 1)
            text = "" if raw[row] is None else str(raw[row])
            if kind is without_id:
                empty = Phrase("an id is empty", "标识为空")
                context.report("RG208", place, empty, *(str(name or "") for name in (query, item)))
            else:
                context.accepts(number, text, place, str(query), str(item))
        if rows.size > SHOWN:
            code = "RG208" if kind is without_id else context.code_of(number)
            context.findings.add(code, count=int(rows.size) - SHOWN)


def _is_missing(ids: pl.Series) -> Bools:
    missing = ids.is_null()
    if ids.dtype == pl.String:
        missing |= (ids == "").fill_null(value=False)
    result: Bools = missing.to_numpy()
    return result


def id_column(column: pl.Series, place: str) -> pl.Series:
    """Return ids as 64-bit integers or text, null where one is missing.

    Integers that pandas stored as floats, because one was missing, lose their ``.0``.

    >>> id_column(pl.Series("user", [7.0, None]), "column 'user'").to_list()
    [7, None]
    """
    dtype = column.dtype
    if dtype == pl.Object:
        column = _object_ids(column, place)
        dtype = column.dtype
    if dtype.is_float() and bool(((column == column.floor()) | column.is_null() | column.is_nan()).all()):
        largest = column.fill_nan(None).abs().max()
        if largest is not None and float(str(largest)) >= (EXACT_SINGLES if dtype == pl.Float32 else EXACT_FLOATS):
            en, zh = inexact_id(largest)
            raise input_error("RG215", (f"{place}: {en}", f"{place}：{zh}"))
        return column.fill_nan(None).cast(pl.Int64)
    if dtype.is_integer():
        return column.cast(pl.Int64 if dtype not in {pl.UInt64, pl.Int128} else pl.String)
    if dtype in {pl.String, pl.Null, pl.Binary} or isinstance(dtype, pl.Categorical | pl.Enum):
        return column.cast(pl.String)
    message = Phrase(
        f"{place} has type {dtype}; ids must be text or integers", f"{place} 的类型为 {dtype}；标识应为文本或整数"
    )
    code = "RG216" if dtype == pl.Boolean else "RG111"
    raise input_error(code, message, Phrase("convert it to text or integers", "将其转换为文本或整数"))


def _object_ids(column: pl.Series, place: str) -> pl.Series:
    """Return a column of Python objects, all of them text or all integers; NaN is a missing id."""
    ids = [None if _is_nan(value) else value for value in column.to_list()]
    first = next((type(value) for value in ids if value is not None), str)
    for row, value in enumerate(ids):
        if not isinstance(value, str | int | None) or not isinstance(value, first | None):
            message = Phrase(
                f"{place} has {shown(value)} in row {row + 1}, first {first.__name__}; ids must be text or integers, "
                "all of one type",
                f"{place} 第 {row + 1} 行为 {shown(value)}，而首个为 {first.__name__}；标识应全为文本或全为整数",
            )
            raise input_error("RG111", message, Phrase("convert all of them to text", "全部转换为文本"))
    return pl.Series(ids, strict=True)


def number_column(column: pl.Series, place: str) -> pl.Series:
    """Return numbers as float64, null where one is missing or not a number."""
    dtype = column.dtype
    if dtype == pl.Object:
        numbers = [float(value) if fits_double(value) else None for value in column.to_list()]
        return pl.Series(numbers, dtype=pl.Float64)
    if dtype.is_numeric() or dtype in {pl.Boolean, pl.Null}:
        return column.cast(pl.Float64)
    first = shown(column[:1].to_list())
    message = Phrase(
        f"{place} has type {dtype}, first {first}; expected numbers",
        f"{place} 的类型为 {dtype}，首个为 {first}；应为数字",
    )
    raise input_error("RG111", message, Phrase("convert it to numbers", "将其转换为数字"))


def _is_nan(value: object) -> bool:
    return isinstance(value, float) and math.isnan(value)


def note_long_ids(frame: pl.DataFrame, context: FileContext) -> None:
    """Report the longest item id if it is very long."""
    if not frame.height or frame.schema["item"] != pl.String:
        return
    lengths = frame["item"].str.len_bytes()
    longest = lengths.max()
    if isinstance(longest, int) and longest > LONG_ID:
        row = lengths.arg_max() or 0
        message = Phrase(f"an id has {longest:,} bytes", f"有一个标识长达 {longest:,} 字节")
        context.report("RG209", "", message, str(frame["query"][row]), frame["item"][row])
