"""Evaluation of what DuckDB holds: tables, views, files and queries, larger than memory.

>>> import duckdb
>>> import rankgauge as rg
>>> con = duckdb.connect()
>>> _ = con.execute("CREATE TABLE judgments AS FROM (VALUES ('q1', 'a', 1), ('q1', 'b', 0)) t(query, item, grade)")
>>> _ = con.execute("CREATE TABLE ranking AS FROM (VALUES ('q1', 'b', 0.9), ('q1', 'a', 0.5)) t(query, item, score)")
>>> rg.duckdb.evaluate(con, "judgments", "ranking", ["RR", "nDCG@10"]).per_query("RR")
{'q1': 0.5}
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, overload

from rankgauge.conventions import ConventionLike
from rankgauge.conventions.convention import check_convention
from rankgauge.engines.tables.batches import check_metrics
from rankgauge.engines.tables.columns import Kind, Table, sides
from rankgauge.engines.tables.dialects import translated
from rankgauge.engines.tables.portions import sorted_rows
from rankgauge.engines.tables.results import read_matched, scores_of
from rankgauge.engines.tables.sql import DUCKDB, end_to_end, matching_query
from rankgauge.errors import InputError, RankgaugeError, shown
from rankgauge.evaluation.scores import Scores
from rankgauge.inputs.codes import Role
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.sided_columns import Columns
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.metric_list import common_depth, parse_all

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

__all__ = ["evaluate", "read_matched"]

_QUERY = re.compile(r"\s*(select|with|from|values|\()\b|\s*\(", re.IGNORECASE)
_WHOLE = re.compile(r"U?(TINY|SMALL|BIG)INT|U?INTEGER", re.IGNORECASE)
_NUMBER = re.compile(r"FLOAT|DOUBLE|DECIMAL\(.*|U?HUGEINT|BOOLEAN", re.IGNORECASE)
_TEXT = re.compile(r"VARCHAR|UUID|ENUM\(.*", re.IGNORECASE | re.DOTALL)


@overload
def evaluate(
    con: DuckDBPyConnection,
    judgments: Any,
    ranking: Any,
    metrics: str | Metric | Iterable[str | Metric],
    *,
    convention: ConventionLike = ...,
    columns: Columns | None = ...,
    lenient: bool = ...,
    explain: Literal[False] = ...,
    dialect: str = ...,
) -> Scores: ...
@overload
def evaluate(
    con: DuckDBPyConnection,
    judgments: Any,
    ranking: Any,
    metrics: str | Metric | Iterable[str | Metric],
    *,
    convention: ConventionLike = ...,
    columns: Columns | None = ...,
    lenient: bool = ...,
    explain: Literal[True],
    dialect: str = ...,
) -> str: ...
def evaluate(
    con: DuckDBPyConnection,
    judgments: Any,
    ranking: Any,
    metrics: str | Metric | Iterable[str | Metric],
    *,
    convention: ConventionLike = None,
    columns: Columns | None = None,
    lenient: bool = False,
    explain: bool = False,
    dialect: str = "duckdb",
) -> Scores | str:
    """The values of a ranking for every judged query; DuckDB sorts the rows by query, thousands are matched at a time.

    Parameters
    ----------
    con
        The connection that sees the tables. Its memory limit holds; what does not fit is spilled.
    judgments, ranking
        Each the name of a table, view or file, a query (``SELECT ...``, ``WITH ...``, ``FROM ...``), or a relation.
    metrics
        One or several metrics, as values or as text.
    convention
        The rules in force. ``ties="input"`` needs ``columns={"order": ...}``, for a table has no order of its own.
    columns
        Names of columns that are not recognised: ``{"query": "session", "score": "p"}``; those of one side alone under
        its name: ``{"ranking": {"query": "session"}}``.
    lenient
        Leave out what is wrong and count it. Of an item judged twice the lowest grade is kept: no row is the first.
    explain
        Return a query that does the matching in SQL alone, for a database without Python beside it; ``read_matched``
        makes values of what it answers.
    dialect
        With ``explain``, the SQL to write: ``"duckdb"``, or another that sqlglot knows (``"snowflake"``).

    Returns
    -------
    Scores
        With the queries in their own order, for the rows of a table have none.
    """
    rules, asked, findings = check_convention(convention), parse_all(metrics), Findings()
    check_metrics(asked, rules)
    _check_collation(con)
    tables = _table(con, "judgments", judgments), _table(con, "ranking", ranking)
    both, depth = sides(*tables, columns, findings), common_depth(asked, rules)
    if explain:
        return translated(matching_query(*both, rules, DUCKDB, depth), dialect)
    from rankgauge.engines.tables.query_parts import answers, blocks_of_rows  # noqa: PLC0415 (loads Polars)

    try:
        rows = sorted_rows(con, end_to_end(*both, rules, DUCKDB), "query", sum(_count(con, one.source) for one in both))
        batches = list(answers(blocks_of_rows(rows), asked, rules, depth, lenient=True))
    except RankgaugeError:
        raise
    except Exception as error:  # whatever the engine refuses: casts, memory, files
        raise InputError(f"DuckDB cannot match the tables: {str(error).splitlines()[0]}") from error
    return scores_of(batches, asked, rules, findings, lenient=lenient)


def _count(con: DuckDBPyConnection, source: str) -> int:
    ((count,),) = con.sql(f"SELECT count(*) FROM {source}").fetchall()
    return int(count)


def _table(con: DuckDBPyConnection, role: Role, source: Any) -> Table:
    """A name, a query or a relation as a table with its columns."""
    if hasattr(source, "sql_query"):
        return Table(role, f"({source.sql_query()}\n)", _kinds(source))
    if not isinstance(source, str):
        raise InputError(f"{role}: {shown(source)} is no name of a table, no query and no relation of DuckDB")
    if _QUERY.match(source):
        return _query(con, role, source)
    found: Exception | None = None
    for name in (DUCKDB.quote(source), ".".join(map(DUCKDB.quote, source.split(".")))):
        try:
            return Table(role, name, _kinds(con.sql(f"SELECT * FROM {name}")))
        except Exception as error:  # noqa: BLE001 (of whatever kind: there is another reading of the name)
            found = found or error
    raise InputError(f"{role}: DuckDB has no table {shown(source)}: {str(found).splitlines()[0]}")


def _query(con: DuckDBPyConnection, role: Role, text: str) -> Table:
    try:
        statements = con.extract_statements(text)
    except Exception as error:
        raise InputError(f"{role}: DuckDB cannot read the query: {str(error).splitlines()[0]}") from error
    if len(statements) != 1 or statements[0].type.name != "SELECT":
        raise InputError(f"{role}: give one query that selects rows, not {shown(text)}")
    source = f"({_without_end(con, text)}\n)"
    try:
        return Table(role, source, _kinds(con.sql(f"SELECT * FROM {source}")))
    except Exception as error:
        raise InputError(f"{role}: DuckDB cannot run the query: {str(error).splitlines()[0]}") from error


def _without_end(con: DuckDBPyConnection, text: str) -> str:
    """One statement without the semicolon that ends it and what may stand after that."""
    for mark in re.finditer(";", text):
        try:
            if not con.extract_statements(text[mark.end() :]) and con.extract_statements(text[: mark.start()]):
                return text[: mark.start()]
        except Exception:  # noqa: BLE001, S112 (a semicolon within a text or a comment)
            continue
    return text


def _kinds(relation: Any) -> dict[str, Kind]:
    def kind(name: str) -> Kind:
        if _WHOLE.fullmatch(name):
            return "whole"
        return "text" if _TEXT.fullmatch(name) else "number" if _NUMBER.fullmatch(name) else "other"

    return {name: kind(str(type_)) for name, type_ in zip(relation.columns, relation.types, strict=True)}


def _check_collation(con: DuckDBPyConnection) -> None:
    """Ids are compared byte by byte; a connection that compares texts otherwise would match other items."""
    ((collation,),) = con.sql("SELECT current_setting('default_collation')").fetchall()
    if collation and str(collation).lower() != "binary":
        raise InputError(
            f"DuckDB compares texts by the collation {shown(collation)} on this connection, so that different ids "
            "would be one; use a connection with SET default_collation = ''"
        )
