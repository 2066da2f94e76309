"""The matching query in the SQL of other warehouses, translated by sqlglot."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from rankgauge.errors import ParameterError, UnknownNameError, shown
from rankgauge.extras import extra

EXECUTED = ("duckdb", "spark")
"""Dialects in which the tests run the query."""
TRANSLATED = ("bigquery", "databricks", "snowflake")
"""Dialects that sqlglot can write completely; the tests do not run them."""


def translate(text: str, dialect: str) -> str:
    """Translate SQL of DuckDB into another dialect; an error if a part of it has no translation.

    >>> translate("SELECT 1", "duckdb")
    'SELECT 1'
    >>> translate("SELECT 1", "oracel")
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
        statements: list[str] = sqlglot.transpile(
            text, read="duckdb", write=dialect, pretty=True, unsupported_level=sqlglot.ErrorLevel.RAISE
        )
    except sqlglot.errors.SqlglotError as error:
        reason = str(error).splitlines()[0]
        raise ParameterError(f"the query cannot be translated into {shown(dialect)}: {reason}") from error
    return statements[0]
