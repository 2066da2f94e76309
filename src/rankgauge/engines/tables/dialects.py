"""The matching query in the SQL of other warehouses, by sqlglot, and an error where that would not be honest."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from rankgauge.errors import ParameterError, UnknownNameError, shown
from rankgauge.extras import extra

EXECUTED = ("duckdb", "spark")
"""Dialects in which the tests run the query."""
TRANSLATED = ("bigquery", "databricks", "snowflake")
"""Dialects into which sqlglot says that it can write all of it; the text was not run there."""


def translated(text: str, dialect: str) -> str:
    """DuckDB's text in another dialect.

    >>> translated("SELECT 1", "duckdb")
    'SELECT 1'
    >>> translated("SELECT 1", "oracel")
    Traceback (most recent call last):
    ...
    rankgauge.errors.UnknownNameError: unknown dialect 'oracel'; known: duckdb, spark, bigquery, databricks, snowflake
    """
    if dialect == "duckdb":
        return text
    if dialect not in {*EXECUTED, *TRANSLATED}:
        raise UnknownNameError.closest("dialect", dialect, [*EXECUTED, *TRANSLATED])
    with extra("sql", f"dialect={dialect!r}"):
        sqlglot: Any = import_module("sqlglot")
    try:
        written: list[str] = sqlglot.transpile(
            text, read="duckdb", write=dialect, pretty=True, unsupported_level=sqlglot.ErrorLevel.RAISE
        )
    except sqlglot.errors.SqlglotError as error:
        raise ParameterError(f"the query cannot be said in {shown(dialect)}: {str(error).splitlines()[0]}") from error
    return written[0]
