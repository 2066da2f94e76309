"""Tables from files with the columns they have, and arrays from NumPy files."""

from __future__ import annotations

import csv
import io
from contextlib import closing
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.errors import InputError, RankgaugeError, shown
from rankgauge.inputs.io.compression import open_bytes

if TYPE_CHECKING:
    import polars as pl

NPY, NPZ = b"\x93NUMPY", b"PK\x03\x04"


def read_content(source: Any, what: str) -> tuple[bytes, str]:
    """All bytes of a file, unpacked, and its name; an error where there are none."""
    try:
        stream, name = open_bytes(source)
        with closing(stream):
            content = stream.read()
    except InputError as error:
        raise InputError(f"{what}: {error}", error.codes) from None
    if not content.lstrip(b"\xef\xbb\xbf \t\r\n"):
        raise InputError(f"{what}: {name} is empty")
    return content, name


def parse_table(content: bytes, name: str, what: str, *, as_text: bool = False) -> pl.DataFrame:
    r"""The table that a file holds; ``as_text`` leaves the cells of CSV and TSV as they are written.

    >>> parse_table(b"item;users\n007;3\n", "items.csv", "popularity", as_text=True).rows()
    [('007', '3')]
    """
    import polars as pl  # noqa: PLC0415 (half of the time that the import of this package would take)

    whole, head = io.BytesIO(content), content.lstrip(b"\xef\xbb\xbf \t\r\n")
    try:
        if content.startswith(b"PAR1"):
            return pl.read_parquet(whole)
        if content.startswith(b"ARROW1"):
            return pl.read_ipc(whole)
        if head.startswith(b"{"):
            return pl.read_ndjson(whole, infer_schema_length=None)
        return _of_text(content, _separator(head), name, what, as_text=as_text)
    except RankgaugeError:
        raise
    except Exception as error:  # whatever a frame library raises
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"{what}: {name} cannot be read ({reason}); give a table with a header") from error


def _of_text(content: bytes, mark: str, name: str, what: str, *, as_text: bool) -> pl.DataFrame:
    """A table whose cells are parted by a mark; the reader fills up short lines in silence, so they are looked for."""
    import polars as pl  # noqa: PLC0415 (as above)

    try:
        frame = pl.read_csv(io.BytesIO(content), separator=mark, infer_schema_length=0 if as_text else None)
    except Exception:
        _check_widths(content, mark, name, what)
        raise
    if frame.width and frame.to_series(-1).null_count():
        _check_widths(content, mark, name, what)
    return frame


def _check_widths(content: bytes, mark: str, name: str, what: str) -> None:
    """Name the first line that has another number of cells than the header."""
    lines = csv.reader(io.StringIO(content.decode("utf-8-sig", "replace"), newline=""), delimiter=mark)
    header = next((cells for cells in lines if cells), [])
    for cells in lines:
        if cells and len(cells) != len(header):
            raise InputError(
                f"{what}: {name}:{lines.line_num}: {len(cells)} columns where the header has {len(header)}: "
                f"{shown(mark.join(cells))}; write every cell, an empty one where nothing is said"
            )


def _separator(head: bytes) -> str:
    """The first that the header has; in a table of one column a comma is a comma."""
    line = head.partition(b"\n")[0]
    return next((mark for mark in ("\t", ",", ";") if mark.encode() in line), "\t")


def parse_arrays(content: bytes, name: str, what: str) -> dict[str, np.ndarray[Any, Any]] | None:
    """The arrays of a file of NumPy by name, the one of a .npy without; None where it is no such file."""
    if not content.startswith((NPY, NPZ)):
        return None
    try:
        found = np.load(io.BytesIO(content), allow_pickle=False)
        return {"": found} if isinstance(found, np.ndarray) else {key: found[key] for key in found.files}
    except (ValueError, OSError, EOFError, KeyError) as error:
        raise InputError(f"{what}: {name} cannot be read as a file of NumPy ({error})") from error
