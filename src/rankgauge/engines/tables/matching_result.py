"""Evaluation of the result of the matching query, whichever database ran it.

A row of the result has a query, the number of returned items, a list of the items that were returned and judged (grade,
above, tied, before) and a list of all grades. An Arrow list column is offsets and values, so a batch becomes a
``Matched`` without Python code per query.
"""

from __future__ import annotations

import json
from typing import Any, Unpack

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rankgauge.conventions import Convention, ConventionLike
from rankgauge.engines.tables.query_values import evaluate_queries, parse_for_tables, scores_of_batches
from rankgauge.engines.tables.source_table import REFUSED
from rankgauge.engines.tables.sql import COUNTED, check_scopes
from rankgauge.errors import InputError, RankgaugeError, shown
from rankgauge.evaluation.scores import Scores
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.read_options import ReadKeywords, ReadOptions
from rankgauge.matching.matched import Matched
from rankgauge.matching.tie_order import tie_places
from rankgauge.metric_core.metric_plan import matching_rules
from rankgauge.metric_core.notation import MetricsLike
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Ints

FIELDS = {
    "grade": pa.float64(),
    "above": pa.int64(),
    "tied": pa.int64(),
    "before": pa.int64(),
    "positive": pa.bool_(),
    "item": pa.string(),
    "copy": pa.int64(),
}
"""The fields of a matched item; the last four only if a rule needs them."""
COLUMNS = ("query", "returned", "matched", "pool", *COUNTED, "matched_for")


def evaluate_matched(
    table: object,
    metrics: MetricsLike | None = None,
    *,
    convention: ConventionLike = None,
    read_options: ReadOptions | None = None,
    **read: Unpack[ReadKeywords],
) -> Scores:
    """Evaluate the result of the query of ``rg.duckdb.matching_sql``.

    The data stay in a warehouse without Python: run the query there and fetch its result, one row per query. The values
    are exactly those of ``rg.duckdb.evaluate``.

    Parameters
    ----------
    table
        The result as a table of Arrow, polars, pandas or another library with an Arrow interface. The columns
        ``matched`` and ``pool`` are lists or JSON text; the case of column names does not matter.
    metrics
        The metrics for which the query was written, or others with no deeper cutoff.
    convention
        The convention for which the query was written; another one is an error.
    read_options, **read
        ``lenient``; see ``ReadOptions``.

    Examples
    --------
    >>> import duckdb
    >>> import rankgauge as rg
    >>> con = duckdb.connect()
    >>> _ = con.execute("CREATE TABLE judgments AS FROM (VALUES ('q1', 'a', 1), ('q1', 'b', 0)) t(query, item, grade)")
    >>> _ = con.execute("CREATE TABLE ranking AS FROM (VALUES ('q1', 'b', 2), ('q1', 'a', 1)) t(query, item, score)")
    >>> sql = rg.duckdb.matching_sql(con, "judgments", "ranking", ["RR", "P@1"])
    >>> result = con.sql(sql).to_arrow_table()  # or the client of your warehouse
    >>> rg.duckdb.evaluate_matched(result, ["RR", "P@1"]).mean("RR")
    0.5
    """
    refused = REFUSED | {"columns": Phrase("the result has fixed column names", "结果的列名是固定的")}
    options = ReadOptions.of(evaluate_matched, read_options, read, refused, "rg.duckdb.evaluate_matched")
    parsed, rules, depth = parse_for_tables(metrics, convention)
    result, needed = _read(table), matching_rules(parsed, rules)
    check_scopes(result.column("matched_for").unique().to_pylist(), needed, depth)
    batches = []
    for batch in filter(len, result.to_batches()):
        counts = {code: batch.column(code).to_numpy(zero_copy_only=False) for code in COUNTED}
        matched = _matched(batch, needed)
        batches.append(evaluate_queries(batch.column("query"), matched, counts, parsed, rules, lenient=True))
    return scores_of_batches(batches, parsed, rules, Findings(), lenient=options.lenient)


def _read(table: object) -> pa.Table:
    """The result with rankgauge's names and types; an error if a query has several rows."""
    try:
        result = pa.table(_columns(table if isinstance(table, pa.Table) else pa.table(table))).combine_chunks()
    except RankgaugeError:
        raise
    except Exception as error:  # anything that Arrow refuses: objects that are not tables, invalid JSON
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(
            Phrase(f"the result of the matching query cannot be read: {reason}", f"无法读取匹配查询的结果：{reason}")
        ) from error
    queries = result.column("query").value_counts()
    if len(queries) < len(result):
        repeated = queries.filter(pc.greater(queries.field("counts"), 1)).field("values")[0].as_py()
        en = f"query {shown(repeated)} has several rows in the result; the matching query gives one each"
        raise InputError((en, f"查询 {shown(repeated)} 在结果中有多行；匹配查询对每个查询只给出一行"))
    return result


def _columns(table: pa.Table) -> dict[str, pa.ChunkedArray]:
    by_name = {name.lower(): table.column(place) for place, name in enumerate(table.column_names)}
    if missing := [name for name in COLUMNS if name.lower() not in by_name]:
        en = f"the result has no column {shown(missing[0])}; run the query of rg.duckdb.matching_sql"
        raise InputError((en, f"结果中没有列 {shown(missing[0])}；请运行 rg.duckdb.matching_sql 给出的查询语句"))
    columns = {name: by_name[name.lower()] for name in COLUMNS}
    query = columns["query"].type
    is_whole = pa.types.is_integer(query) or pa.types.is_decimal(query)
    return columns | {
        "query": columns["query"].cast(pa.int64() if is_whole else pa.string()),
        "matched": _lists(columns["matched"], pa.struct(FIELDS.items())),
        "pool": _lists(columns["pool"], pa.float64()),
        **{name: pc.fill_null(columns[name].cast(pa.int64()), 0) for name in ("returned", *COUNTED)},
        "matched_for": columns["matched_for"].cast(pa.string()),
    }


def _lists(column: pa.ChunkedArray, inside: pa.DataType) -> pa.ChunkedArray:
    """A column of lists, from JSON text or, if all lists are empty, from a column without a type."""
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type) or pa.types.is_string_view(column.type):
        column = pa.chunked_array([[None if text is None else json.loads(text) for text in column.to_pylist()]])
    is_empty = pa.types.is_null(column.type) or pa.types.is_null(column.type.value_type)
    return column.cast(pa.list_(inside)) if is_empty else column


def _matched(batch: pa.RecordBatch, rules: Convention) -> Matched:
    """The rows of a batch as ``Matched``, its queries numbered from 0."""
    lists, grades = batch.column("matched"), batch.column("pool")
    query = np.repeat(np.arange(len(lists)), _lengths(lists))
    fields = _fields(lists.flatten())
    grade, above, tied, positive = fields["grade"], fields["above"], fields["tied"], fields.get("positive")
    before, copy = fields.get("before", np.zeros_like(above)), fields.get("copy", np.zeros_like(above))
    if rules.ties == "random" and (tied > 1).any():
        before = _shuffle_ties(query, above, tied, copy, fields["item"], rules)
        if isinstance(rules.unjudged, str):  # unjudged items were only needed for the shuffle
            kept = ~np.isnan(grade) | (copy > 0)
            query, grade, above, tied, before, copy = (
                column[kept] for column in (query, grade, above, tied, before, copy)
            )
            positive = None if positive is None else positive[kept]
    return Matched(
        query=query,
        grade=grade,
        above=above,
        tied=tied,
        before=before,
        returned=batch.column("returned").to_numpy(zero_copy_only=False),
        pool_query=np.repeat(np.arange(len(grades)), _lengths(grades)),
        pool_grade=grades.flatten().cast(pa.float64()).to_numpy(zero_copy_only=False),
        positive=positive,
        copy=copy if copy.any() else None,
    )


def _fields(items: pa.StructArray) -> dict[str, Any]:
    """The fields of the matched items as arrays."""
    fields = {field.name.lower(): items.field(place) for place, field in enumerate(items.type)}
    if missing := [name for name in ("grade", "above", "tied") if name not in fields]:
        en = f"the items in the column 'matched' of the result have no field {shown(missing[0])}"
        raise InputError((en, f"结果的 'matched' 列中各项没有字段 {shown(missing[0])}"))
    return {
        name: fields[name].cast(type_).to_numpy(zero_copy_only=False)
        for name, type_ in FIELDS.items()
        if name in fields
    }


def _lengths(lists: pa.ListArray) -> Ints:
    lengths: Ints = pc.fill_null(pc.list_value_length(lists), 0).to_numpy(zero_copy_only=False).astype(np.int64)
    return lengths


def _shuffle_ties(query: Ints, above: Ints, tied: Ints, copy: Ints, items: Any, convention: Convention) -> Ints:
    """Number of tied items before each item, in the order shuffled by id."""
    rows = np.flatnonzero(tied > 1)
    rows = rows[np.lexsort((copy[rows], above[rows], query[rows]))]
    starts = np.diff(query[rows], prepend=-1).astype(bool) | np.diff(above[rows], prepend=-1).astype(bool)
    before = np.zeros(len(query), dtype=np.int64)
    before[rows] = tie_places(items[rows], np.cumsum(starts), convention)
    return before
