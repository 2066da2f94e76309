"""Rows of a DuckDB query sorted by group in bounded memory.

A sort of all rows needs memory that grows with their number, even if it spills. If there are too many, they are written
once into the temporary directory of the connection, partitioned by the hash of their group, and sorted a partition at a
time.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any

import pyarrow as pa

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

ROW_BYTES = 120
"""Memory per row with two short texts during a sort: the measured value plus half of it."""
BATCH_ROWS = 100_000
_UNITS = {unit: 1024**power for power, unit in enumerate(("bytes", "KiB", "MiB", "GiB", "TiB", "PiB"))}


def sort_rows(con: DuckDBPyConnection, rows: str, by: str, count: int) -> Iterator[pa.RecordBatch]:
    """Read the rows of a query grouped by a column; ``count`` is their approximate number."""
    partitions = 1 + count * ROW_BYTES // max(1, _memory_limit(con))
    temporary = str(value_of(con, "SELECT current_setting('temp_directory')") or "")
    if partitions == 1 or not temporary:
        yield from _read(con, f"SELECT * FROM ({rows}) ORDER BY {by}")
        return
    Path(temporary).mkdir(parents=True, exist_ok=True)
    folder = Path(mkdtemp(prefix="rankgauge-", dir=temporary))
    try:
        con.execute(
            f"COPY (SELECT *, hash({by}) % {partitions} AS rankgauge_part FROM ({rows})) TO {_quote(folder / 'rows')} "
            "(FORMAT parquet, PARTITION_BY (rankgauge_part))"
        )
        for partition in sorted((folder / "rows").iterdir()):
            files = _quote(partition / "*.parquet")
            yield from _read(con, f"SELECT * FROM read_parquet({files}, hive_partitioning = false) ORDER BY {by}")
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
