"""What an engine answered, as Scores; also what the printed matching query answered, in whatever database it ran.

A row of that query has the query, the number of items returned, a list of what was returned and judged (grade, above,
tied, before) and a list of all grades. List columns are offsets and values, so a batch is a ``Matched`` as it lies
in memory; nothing is done for a single query in Python.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rankgauge.conventions import Convention, ConventionLike
from rankgauge.conventions.convention import check_convention
from rankgauge.engines.tables.batches import (
    CODES,
    answer,
    check_metrics,
    findings_of,
    settle_whole,
    value_name,
    weighted_wholes,
)
from rankgauge.engines.tables.sql import COUNTED, MatchedFor
from rankgauge.errors import InputError, RankgaugeError, shown
from rankgauge.evaluation.scores import Scores
from rankgauge.inputs.findings import Findings
from rankgauge.matching.from_list import shuffled
from rankgauge.matching.matched import Matched
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.metric_list import common_depth, parse_all
from rankgauge.segments import Ints, Segments

FIELDS = {
    "grade": pa.float64(),
    "above": pa.int64(),
    "tied": pa.int64(),
    "before": pa.int64(),
    "positive": pa.bool_(),
    "item": pa.string(),
}
"""What the list of an item may tell of it; the last three only where a rule needs them."""
COLUMNS = ("query", "returned", "matched", "pool", *COUNTED, "matched_for")


def read_matched(
    table: Any,
    metrics: str | Metric | Iterable[str | Metric],
    *,
    convention: ConventionLike = None,
    lenient: bool = False,
) -> Scores:
    """The values that follow from the answer of the query which ``evaluate(..., explain=True)`` printed.

    So data can stay in a warehouse that has no Python: run the printed query there and bring back its answer, one row
    for each query. The numbers are those of ``evaluate``, to the last digit.

    Parameters
    ----------
    table
        The answer as a table of Arrow, polars, pandas or whatever else speaks Arrow. The columns ``matched`` and
        ``pool`` may be lists or, where the database writes them so, texts of JSON; the case of names does not matter.
    metrics
        Those for which the query was printed, or others that look no deeper.
    convention
        The rules for which the query was printed; an error where the answer was matched by others.
    lenient
        Leave out what is wrong and count it.

    Examples
    --------
    >>> import duckdb
    >>> import rankgauge as rg
    >>> con = duckdb.connect()
    >>> _ = con.execute("CREATE TABLE judgments AS FROM (VALUES ('q1', 'a', 1), ('q1', 'b', 0)) t(query, item, grade)")
    >>> _ = con.execute("CREATE TABLE ranking AS FROM (VALUES ('q1', 'b', 2), ('q1', 'a', 1)) t(query, item, score)")
    >>> text = rg.duckdb.evaluate(con, "judgments", "ranking", ["RR", "P@1"], explain=True)
    >>> answer = con.sql(text).to_arrow_table()  # or by the client of your warehouse
    >>> rg.duckdb.read_matched(answer, ["RR", "P@1"]).mean("RR")
    0.5
    """
    rules, asked = check_convention(convention), parse_all(metrics)
    check_metrics(asked, rules)
    found = _as_read(table)
    MatchedFor.of(rules, common_depth(asked, rules)).check(found.column("matched_for").unique().to_pylist())
    batches = [
        answer(batch.column("query"), _matched(batch, rules), _counts(batch), asked, rules, lenient=True)
        for batch in found.to_batches()
        if batch.num_rows
    ]
    return scores_of(batches, asked, rules, Findings(), lenient=lenient)


def scores_of(
    batches: Sequence[pa.RecordBatch], metrics: list[Metric], rules: Convention, findings: Findings, *, lenient: bool
) -> Scores:
    """The values of all queries, as engines answered them batch by batch, with the queries in their own order."""
    if not batches:
        raise InputError("judgments: there are no judged queries")
    whole = pa.Table.from_batches(batches)
    findings.merge(findings_of(whole, CODES))
    totals = (int(whole.column(name).to_numpy().sum()) for name in ("judged", "answered", "at_most_0"))
    settle_whole(findings, *totals, lenient=lenient)
    whole = whole.filter(pc.equal(whole.column("judged"), 1)).sort_by("query")
    values = {metric: whole.column(value_name(place)).to_numpy() for place, metric in enumerate(metrics)}
    missing = np.flatnonzero(whole.column("answered").to_numpy() == 0)
    wholes = {"": weighted_wholes(whole, metrics)}
    return Scores(whole.column("query").to_pylist(), {"": (values, missing)}, rules, findings, wholes=wholes)


def _as_read(table: Any) -> pa.Table:
    """The answer with our names and types, each query once."""
    try:
        found = pa.table(_columns(table if isinstance(table, pa.Table) else pa.table(table))).combine_chunks()
    except RankgaugeError:
        raise
    except Exception as error:  # whatever Arrow refuses: objects that are no tables, texts that are no JSON
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"the answer of the matching query cannot be read: {reason}") from error
    names = found.column("query").value_counts()
    if len(names) < len(found):
        twice = names.filter(pc.greater(names.field("counts"), 1)).field("values")[0].as_py()
        raise InputError(f"query {shown(twice)} has several rows in the answer; the matching query gives one for each")
    return found


def _columns(table: pa.Table) -> dict[str, pa.ChunkedArray]:
    given = {name.lower(): table.column(place) for place, name in enumerate(table.column_names)}
    if lacking := [name for name in COLUMNS if name.lower() not in given]:
        raise InputError(f"the answer has no column {shown(lacking[0])}; run the query that explain=True printed")
    columns = {name: given[name.lower()] for name in COLUMNS}
    query = columns["query"].type
    whole = pa.types.is_integer(query) or pa.types.is_decimal(query)
    return columns | {
        "query": columns["query"].cast(pa.int64() if whole else pa.string()),
        "matched": _lists(columns["matched"], pa.struct(FIELDS.items())),
        "pool": _lists(columns["pool"], pa.float64()),
        **{name: pc.fill_null(columns[name].cast(pa.int64()), 0) for name in ("returned", *COUNTED)},
        "matched_for": columns["matched_for"].cast(pa.string()),
    }


def _lists(column: pa.ChunkedArray, inside: pa.DataType) -> pa.ChunkedArray:
    """A column of lists, which some databases write as texts and some libraries as nothing where all are empty."""
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type) or pa.types.is_string_view(column.type):
        column = pa.chunked_array([[None if text is None else json.loads(text) for text in column.to_pylist()]])
    empty = pa.types.is_null(column.type) or pa.types.is_null(column.type.value_type)
    return column.cast(pa.list_(inside)) if empty else column


def _counts(batch: pa.RecordBatch) -> dict[str, Ints]:
    return {code: batch.column(code).to_numpy(zero_copy_only=False) for code in COUNTED}


def _matched(batch: pa.RecordBatch, rules: Convention) -> Matched:
    """The rows of a batch as ``Matched``, its queries numbered from 0."""
    lists, grades = batch.column("matched"), batch.column("pool")
    query = np.repeat(np.arange(len(lists)), _lengths(lists))
    told = _told(lists.flatten())
    grade, above, tied, positive = told["grade"], told["above"], told["tied"], told.get("positive")
    before = told.get("before", np.zeros_like(above))
    if rules.ties == "random" and (tied > 1).any():
        before = _shuffled_places(query, above, tied, told["item"], rules.seed)
        if isinstance(rules.unjudged, str):  # the others came along only to be shuffled with
            judged = ~np.isnan(grade)
            query, grade, above, tied, before = (column[judged] for column in (query, grade, above, tied, before))
            positive = None if positive is None else positive[judged]
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
    )


def _told(rows: pa.StructArray) -> dict[str, Any]:
    """What is told of each item that was returned and judged."""
    given = {field.name.lower(): rows.field(place) for place, field in enumerate(rows.type)}
    if lacking := [name for name in ("grade", "above", "tied") if name not in given]:
        raise InputError(f"the column 'matched' of the answer tells no {lacking[0]} of the items; it is not as printed")
    return {
        name: given[name].cast(type_).to_numpy(zero_copy_only=False) for name, type_ in FIELDS.items() if name in given
    }


def _lengths(lists: pa.ListArray) -> Ints:
    lengths: Ints = pc.fill_null(pc.list_value_length(lists), 0).to_numpy(zero_copy_only=False).astype(np.int64)
    return lengths


def _shuffled_places(query: Ints, above: Ints, tied: Ints, items: Any, seed: int) -> Ints:
    """The place of each tied item among those of its score, shuffled by its id."""
    rows = np.flatnonzero(tied > 1)
    later = np.array([shuffled(seed, item) for item in items[rows]])
    order = np.lexsort((later, above[rows], query[rows]))
    new = np.ones(len(rows), dtype=bool)
    new[1:] = np.diff(query[rows][order]).astype(bool) | np.diff(above[rows][order]).astype(bool)
    runs = Segments.of_runs(new)
    before = np.zeros(len(query), dtype=np.int64)
    before[rows[order]] = runs.place() - 1
    return before
