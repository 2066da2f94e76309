"""The rows of a table: types of columns, unusable ids and numbers, ranks that contradict scores, and whole queries."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import Any, TypeAlias

import numpy as np
import polars as pl

from rankgauge.errors import shown
from rankgauge.inputs.codes import Role
from rankgauge.inputs.findings import SHOWN, input_error, with_ids
from rankgauge.inputs.io.lines import FileContext
from rankgauge.inputs.spans import span_items
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Array
from rankgauge.value_checks import EXACT_FLOATS, EXACT_SINGLES, fits_double, inexact_id

LONG_ID = 1000
"""Bytes from which an id is reported as very long."""
Bools = np.ndarray[Any, np.dtype[np.bool_]]


def check_rows(raw: pl.DataFrame, context: FileContext, names: Sequence[str], start: int = 0) -> pl.DataFrame:
    """Return rows of query, item, number and perhaps rank with valid ids and numbers; the others are reported.

    ``names`` are those of the columns in the source, ``start`` is the number of rows before these. Ids are integers or
    text, numbers are float64; the rank is compared with the score and removed.
    """
    columns = zip(raw.columns, (*names, context.number), strict=False)
    checked = [(raw[column], f"{context.name}: column {shown(name)}") for column, name in columns]
    query, item, number = id_column(*checked[0]), id_column(*checked[1]), number_column(*checked[2], context.role)
    frame = pl.DataFrame([query.alias("query"), item.alias("item"), number.alias(context.number)])
    frame = frame.with_columns(raw[name] for name in ("rank", "system") if name in raw.columns)
    values = number.to_numpy()  # NaN where a value is missing
    without_id = _is_missing(query) | _is_missing(item)
    if without_id.any() or not np.isfinite(values).all():
        _report(frame, raw.to_series(2), values, without_id, context, start)
        usable = ~np.isnan(values) if context.role == "ranking" else np.isfinite(values)
        frame = frame.filter(pl.Series(usable & ~without_id))
    if "rank" in frame.columns:
        note_rank_conflicts(frame, context)
    system = [pl.col("system").cast(pl.String).fill_null("")] if "system" in frame.columns else []
    return frame.select("query", "item", context.number, *system)


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
    ids = [None if isinstance(value, float) and math.isnan(value) else value for value in column.to_list()]
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


def number_column(column: pl.Series, place: str, role: Role) -> pl.Series:
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
    remedy = Phrase(
        'convert it to numbers; texts become grades by grades=rankgauge.grades.table({"...": 1}) in Python',
        '将其转换为数字；在 Python 中可用 grades=rankgauge.grades.table({"...": 1}) 把文本转换为等级',
    )
    if role == "ranking":
        remedy = Phrase(
            "convert it to scores, numbers of which the highest is the best, or pass lists of items, best first",
            "将其转换为分数（数值最大者最好），或给出从优到劣的物品列表",
        )
    raise input_error("RG111", message, remedy)


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


def note_rank_conflicts(frame: pl.DataFrame, context: FileContext) -> None:
    """Report adjacent rows of a query whose ranks and scores order them differently."""
    rank = frame["rank"].cast(pl.Float64, strict=False).to_numpy()
    score = frame["score"].to_numpy()
    later, higher = rank[1:] > rank[:-1], score[1:] > score[:-1]
    earlier, lower = rank[1:] < rank[:-1], score[1:] < score[:-1]
    rows = within_queries(frame, (later & higher) | (earlier & lower))
    if rows.size:
        pair = [frame.row(int(rows[0]) + offset, named=True) for offset in (0, 1)]
        en = [f"{shown(row['item'])} has rank {row['rank']} and score {row['score']:g}" for row in pair]
        zh = [f"{shown(row['item'])} 名次为 {row['rank']}、分数为 {row['score']:g}" for row in pair]
        name = context.name
        example = with_ids(f"{name}: {' and '.join(en)}", f"{name}：{'，'.join(zh)}", pair[0]["query"])
        context.findings.add("RG210", example, int(rows.size))


def within_queries(frame: pl.DataFrame, changes: Array) -> Array:
    """Return the rows with a change to the next row, if both belong to the same query."""
    rows = np.flatnonzero(changes)
    query = frame["query"]
    return rows[(query[rows] == query[rows + 1]).to_numpy()]


Lengths: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]


def run_lengths(queries: pl.Series) -> Lengths:
    """Return the number of consecutive rows of each query."""
    return queries.rle().struct.field("len").to_numpy().astype(np.int64)


def whole_queries(blocks: Iterable[pl.DataFrame]) -> Iterator[tuple[pl.DataFrame, Lengths]]:
    """Yield the same rows in blocks that end where a query ends, with the number of rows of each query."""
    pending: list[pl.DataFrame] = []
    pending_rows = 0
    filled = (block for block in blocks if block.height)
    for block, following in pairwise(chain(filled, [pl.DataFrame()])):
        lengths = run_lengths(block["query"])
        if pending:
            if pending[-1]["query"][-1] == block["query"][0]:
                lengths[0] += pending_rows
            else:
                lengths = np.concatenate(([pending_rows], lengths))
        if not following.height:  # the last block is not split
            yield pl.concat([*pending, block]), lengths
        elif len(lengths) == 1:  # a single query fills the block
            pending.append(block)
        else:
            tail = int(lengths[-1])
            yield pl.concat([*pending, block.head(block.height - tail)]), lengths[:-1]
            pending = [block.tail(tail)]
        pending_rows = int(lengths[-1])


def with_span_ids(frame: pl.DataFrame) -> pl.DataFrame:
    """Return rows with ids of spans in place of their columns."""
    return frame.select("query", span_items(), "score")


def joined(blocks: Iterable[pl.DataFrame]) -> pl.DataFrame:
    """Return the blocks of a ranking as one frame, which may be empty; spans get ids if other items have only these."""
    schema = {"query": pl.String, "item": pl.String, "score": pl.Float64}
    frames = [*blocks] or [pl.DataFrame(schema=schema)]
    if len({"item" in frame.columns for frame in frames}) > 1:
        frames = [frame if "item" in frame.columns else with_span_ids(frame) for frame in frames]
    return pl.concat(frames)


def rows_with_items(rows: pl.DataFrame, empty: list[Any]) -> pl.DataFrame:
    """Return the rows with an item; the queries of the others are added to those with an empty list."""
    if "item" not in rows.columns or not rows["item"].null_count():
        return rows
    empty += rows.filter(rows["item"].is_null())["query"].to_list()
    return rows.drop_nulls("item")
