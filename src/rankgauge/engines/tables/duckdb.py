"""``rg.duckdb``: evaluate tables, views, files and queries in DuckDB, larger than memory.

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
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any, Unpack

from rankgauge.conventions import ConventionLike
from rankgauge.engines.tables.source_table import REFUSED, SourceTable, recognise_sides
from rankgauge.engines.tables.sql import DUCKDB, Side, matching_query, translate, union_query
from rankgauge.errors import InputError, RankgaugeError, extra, shown
from rankgauge.evaluation.scores import Scores
from rankgauge.inputs.codes import Role
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.read_options import ReadKeywords, ReadOptions
from rankgauge.metric_core.metric_plan import matching_rules
from rankgauge.metric_core.notation import MetricsLike
from rankgauge.rendering.language import Phrase

with extra("duckdb"):
    from rankgauge.engines.tables.matching_result import evaluate_matched
    from rankgauge.engines.tables.query_values import parse_for_tables, scores_of_batches

if TYPE_CHECKING:
    import pyarrow as pa
    from duckdb import DuckDBPyConnection

__all__ = ["evaluate", "evaluate_matched", "matching_sql"]

_QUERY = re.compile(r"\s*(select|with|from|values|\()\b|\s*\(", re.IGNORECASE)


def evaluate(
    con: DuckDBPyConnection,
    judgments: Any,
    ranking: Any,
    metrics: MetricsLike | None = None,
    *,
    convention: ConventionLike = None,
    input_order: str | None = None,
    read_options: ReadOptions | None = None,
    **read: Unpack[ReadKeywords],
) -> Scores:
    """Evaluate a ranking; DuckDB sorts the rows by query, so the queries of the ``Scores`` are in sorted order.

    Parameters
    ----------
    con
        The connection that sees the tables. Its memory limit applies; larger data are spilled to disk.
    judgments, ranking
        Each the name of a table, view or file, a query (``SELECT ...``, ``WITH ...``, ``FROM ...``), or a relation.
    metrics
        One or several metrics, as values or as text.
    convention
        A Convention, or the name of a preset.
    input_order
        The column of the ranking that orders equal scores under ``ties="input"``; the rows of a table have no order.
    read_options, **read
        ``columns`` and ``lenient``; see ``ReadOptions``. With ``lenient=True``, the lowest of several grades of an item
        is used, because no row is the first.
    """
    options = ReadOptions.of(evaluate, read_options, read, REFUSED, "rg.duckdb.evaluate")
    parsed, rules, depth = parse_for_tables(metrics, convention)
    findings = Findings()
    sides = _sides(con, judgments, ranking, options, input_order, findings)
    from rankgauge.engines.tables.row_blocks import blocks_of_rows, evaluate_blocks  # noqa: PLC0415 (loads polars)

    try:
        count = sum(value_of(con, f"SELECT count(*) FROM {side.source}") for side in sides)
        rows = sort_rows(con, union_query(*sides, rules), count)
        blocks, check_sides = blocks_of_rows(rows), not options.columns
        batches = list(evaluate_blocks(blocks, parsed, rules, depth, lenient=True, check_sides=check_sides))
    except RankgaugeError:
        raise
    except Exception as error:  # anything that the engine refuses: casts, memory, files
        raise _duckdb_error("", Phrase("cannot match the tables", "无法匹配这些表"), error) from error
    return scores_of_batches(batches, parsed, rules, findings, lenient=options.lenient)


def matching_sql(
    con: DuckDBPyConnection,
    judgments: object,
    ranking: object,
    metrics: MetricsLike | None = None,
    *,
    convention: ConventionLike = None,
    input_order: str | None = None,
    dialect: str = "duckdb",
    read_options: ReadOptions | None = None,
    **read: Unpack[ReadKeywords],
) -> str:
    """Write a query that matches judgments and ranking in SQL alone, for a database without Python.

    ``evaluate_matched`` computes the values from its result.

    Parameters
    ----------
    con
        A connection to DuckDB.
    judgments, ranking
        Tables, queries or files, as ``evaluate`` takes them.
    metrics
        One or several metrics, as values or as text.
    convention
        The rules: a Convention, or the name of a preset such as ``lightgbm``; None for the default.
    input_order
        The column that has the order of the rows, for rules that depend on it.
    dialect
        ``duckdb``, or another dialect that sqlglot translates to, such as ``snowflake``.
    read_options, **read
        How data are read; see ReadOptions.
    """
    refused = REFUSED | {
        "lenient": Phrase("pass it to rg.duckdb.evaluate_matched", "请传给 rg.duckdb.evaluate_matched")
    }
    options = ReadOptions.of(matching_sql, read_options, read, refused, "rg.duckdb.matching_sql")
    parsed, rules, depth = parse_for_tables(metrics, convention)
    sides = _sides(con, judgments, ranking, options, input_order, Findings())
    return translate(matching_query(*sides, matching_rules(parsed, rules), depth), dialect)


def _sides(
    con: DuckDBPyConnection,
    judgments: object,
    ranking: object,
    options: ReadOptions,
    input_order: str | None,
    findings: Findings,
) -> tuple[Side, Side]:
    collation = value_of(con, "SELECT current_setting('default_collation')")
    if collation and str(collation).lower() != "binary":
        raise InputError(
            Phrase(
                f"this connection compares text by the collation {shown(collation)}, which can equate different ids; "
                "use a connection with SET default_collation = ''",
                f"该连接按排序规则 {shown(collation)} 比较文本，可能把不同的标识视为相同；"
                "请使用设置了 SET default_collation = '' 的连接",
            )
        )
    tables = _table(con, "judgments", judgments), _table(con, "ranking", ranking)
    return recognise_sides(*tables, options, input_order, findings)


def _table(con: DuckDBPyConnection, role: Role, source: object) -> SourceTable:
    """The table of a name, a query or a relation."""
    if hasattr(source, "sql_query"):
        return _source_table(con, role, f"({source.sql_query()}\n)", source)
    if not isinstance(source, str):
        en = f"{role}: {shown(source)} is not the name of a table, a query or a relation of DuckDB"
        raise InputError((en, f"{role}：{shown(source)} 不是 DuckDB 的表名、查询语句或关系"))
    if _QUERY.match(source):
        return _query(con, role, source)
    failure: Exception | None = None
    for name in (DUCKDB.quote(source), ".".join(map(DUCKDB.quote, source.split(".")))):
        try:
            return _source_table(con, role, name, con.sql(f"SELECT * FROM {name}"))
        except Exception as error:  # noqa: BLE001 (any error: the name has another reading)
            failure = failure or error
    missing = Phrase("has no table {name}", "没有表 {name}").fill(name=shown(source))
    raise _duckdb_error(role, missing, failure)


def _query(con: DuckDBPyConnection, role: Role, text: str) -> SourceTable:
    try:
        statements = con.extract_statements(text)
    except Exception as error:
        raise _duckdb_error(role, Phrase("cannot read the query", "无法解析查询语句"), error) from error
    if len(statements) != 1 or statements[0].type.name != "SELECT":
        en = f"{role}: expected one query that selects rows, found {shown(text)}"
        raise InputError((en, f"{role}：应为一条选取行的查询语句，实为 {shown(text)}"))
    source = f"({_without_semicolon(con, text)}\n)"
    try:
        return _source_table(con, role, source, con.sql(f"SELECT * FROM {source}"))
    except Exception as error:
        raise _duckdb_error(role, Phrase("cannot run the query", "无法执行查询语句"), error) from error


def _duckdb_error(role: str, what: Phrase, error: object) -> InputError:
    """Return an error with the first line of DuckDB's own."""
    reason = str(error).splitlines()[0]
    en, zh = (f"{role}: ", f"{role}：") if role else ("", "")
    return InputError(Phrase(f"{en}DuckDB {what.en}: {reason}", f"{zh}DuckDB {what.zh}：{reason}"))


def _without_semicolon(con: DuckDBPyConnection, text: str) -> str:
    """A statement without its final semicolon and the comments after it."""
    for mark in re.finditer(";", text):
        try:
            if not con.extract_statements(text[mark.end() :]) and con.extract_statements(text[: mark.start()]):
                return text[: mark.start()]
        except Exception:  # noqa: BLE001, S112 (a semicolon in a text or a comment)
            continue
    return text


def _source_table(con: DuckDBPyConnection, role: Role, source: str, relation: Any) -> SourceTable:
    def values(column: str) -> list[object]:
        name = DUCKDB.quote(column)
        rows = con.sql(f"SELECT DISTINCT {name} FROM {source} WHERE {name} IS NOT NULL LIMIT 2").fetchall()
        return [value for (value,) in rows]

    types = dict(zip(relation.columns, map(str, relation.types), strict=True))
    return SourceTable(role, source, types, values)


ROW_BYTES = 120
"""Memory per row with two short texts during a sort: the measured value plus half of it."""
BATCH_ROWS = 100_000
_UNITS = {unit: 1024**power for power, unit in enumerate(("bytes", "KiB", "MiB", "GiB", "TiB", "PiB"))}


def sort_rows(con: DuckDBPyConnection, rows: str, count: int) -> Iterator[pa.RecordBatch]:
    """Read rows sorted by query in bounded memory; ``count`` is their approximate number.

    A sort of all rows needs memory that grows with their number, even if it spills. If there are too many, they are
    written once into the temporary directory of the connection, partitioned by the hash of their query, and sorted a
    partition at a time.
    """
    partitions = 1 + count * ROW_BYTES // max(1, _memory_limit(con))
    temporary = str(value_of(con, "SELECT current_setting('temp_directory')") or "")
    if partitions == 1 or not temporary:
        yield from _read(con, f"SELECT * FROM ({rows}) ORDER BY query")
        return
    Path(temporary).mkdir(parents=True, exist_ok=True)
    folder = Path(mkdtemp(prefix="rankgauge-", dir=temporary))
    try:
        con.execute(
            f"COPY (SELECT *, hash(query) % {partitions} AS rankgauge_part FROM ({rows})) TO {_quote(folder / 'rows')} "
            "(FORMAT parquet, PARTITION_BY (rankgauge_part))"
        )
        for partition in sorted((folder / "rows").iterdir()):
            files = _quote(partition / "*.parquet")
            yield from _read(con, f"SELECT * FROM read_parquet({files}, hive_partitioning = false) ORDER BY query")
            shutil.rmtree(partition)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _read(con: DuckDBPyConnection, text: str) -> Iterator[pa.RecordBatch]:
    relation: Any = con.sql(text)
    read = relation.to_arrow_reader if hasattr(relation, "to_arrow_reader") else relation.fetch_arrow_reader
    yield from read(BATCH_ROWS)


def _quote(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"


def value_of(con: DuckDBPyConnection, query: str) -> Any:
    """The value of a query with one row and one column."""
    ((value,),) = con.sql(query).fetchall()
    return value


def _memory_limit(con: DuckDBPyConnection) -> int:
    """The limit in bytes; DuckDB gives it as text, such as ``953.6 MiB``."""
    size = re.fullmatch(r"([\d.]+) ?(\w+)", str(value_of(con, "SELECT current_setting('memory_limit')")))
    return int(float(size[1]) * _UNITS.get(size[2], 1)) if size else 0
