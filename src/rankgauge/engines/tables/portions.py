"""Rows of a DuckDB query that fit into memory a portion at a time, all rows of a group in one portion.

Sorting all of them at once needs memory that grows with their number, spilling or not. Where there are many, they are
written once into the temporary folder of the connection, by the hash of their group, and sorted a portion at a time.
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
"""What a row with two short texts takes while it is sorted, as measured, and half as much again."""
ROWS_AT_A_TIME = 100_000
_UNITS = {unit: 1024**power for power, unit in enumerate(("bytes", "KiB", "MiB", "GiB", "TiB", "PiB"))}


def sorted_rows(con: DuckDBPyConnection, rows: str, by: str, count: int) -> Iterator[pa.RecordBatch]:
    """The rows of a query so that those with the same value of a column lie together; ``count`` is about how many."""
    portions = 1 + count * ROW_BYTES // max(1, _setting_bytes(con, "memory_limit"))
    temporary = str(_setting(con, "temp_directory") or "")
    if portions == 1 or not temporary:
        yield from _read(con, f"SELECT * FROM ({rows}) ORDER BY {by}")
        return
    Path(temporary).mkdir(parents=True, exist_ok=True)
    folder = Path(mkdtemp(prefix="rankgauge-", dir=temporary))
    try:
        con.execute(
            f"COPY (SELECT *, hash({by}) % {portions} AS rankgauge_portion FROM ({rows})) TO {_text(folder / 'rows')} "
            "(FORMAT parquet, PARTITION_BY (rankgauge_portion))"
        )
        for portion in sorted((folder / "rows").iterdir()):
            files = _text(portion / "*.parquet")
            yield from _read(con, f"SELECT * FROM read_parquet({files}, hive_partitioning = false) ORDER BY {by}")
            shutil.rmtree(portion)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _read(con: DuckDBPyConnection, text: str) -> Iterator[pa.RecordBatch]:
    relation: Any = con.sql(text)
    read = relation.to_arrow_reader if hasattr(relation, "to_arrow_reader") else relation.fetch_arrow_reader
    yield from read(ROWS_AT_A_TIME)


def _text(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"


def _setting(con: DuckDBPyConnection, name: str) -> Any:
    ((value,),) = con.execute("SELECT current_setting(?)", [name]).fetchall()
    return value


def _setting_bytes(con: DuckDBPyConnection, name: str) -> int:
    """A setting such as ``953.6 MiB``, as a number."""
    found = re.fullmatch(r"([\d.]+) ?(\w+)", str(_setting(con, name)))
    return int(float(found[1]) * _UNITS.get(found[2], 1)) if found else 0
