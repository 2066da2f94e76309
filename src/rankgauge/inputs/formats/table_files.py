"""Read tables with arbitrary columns, and NumPy arrays, from files."""

from __future__ import annotations

import csv
import io
from contextlib import closing
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.errors import InputError, RankgaugeError, shown
from rankgauge.inputs.formats.registry import FORMATS
from rankgauge.inputs.io.compression import open_bytes

if TYPE_CHECKING:
    import polars as pl

NPY, NPZ = b"\x93NUMPY", b"PK\x03\x04"


def read_content(source: Any, what: str) -> tuple[bytes, str]:
    """Return the decompressed content of a file and its name; an empty file is an error."""
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
    r"""Return the table in a file; ``as_text`` keeps the cells of CSV and TSV as text.

    >>> parse_table(b"item;users\n007;3\n", "items.csv", "popularity", as_text=True).rows()
    [('007', '3')]
    """
    import polars as pl  # noqa: PLC0415 (slow to import)

    from rankgauge.inputs.formats.codec import Sample  # noqa: PLC0415

    sample = Sample(content, name, "judgments")
    head = content.lstrip(b"\xef\xbb\xbf \t\r\n")
    try:
        for codec in (row.codec for row in FORMATS if row.seekable):
            if codec.scan is not None and codec.sniff(sample):
                return codec.scan(io.BytesIO(content)).collect()
        if head.startswith(b"{"):
            return pl.read_ndjson(io.BytesIO(content), infer_schema_length=None)
        return _parse_text(content, _separator(head), name, what, as_text=as_text)
    except RankgaugeError:
        raise
    except Exception as error:  # frame libraries raise exceptions of any type
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"{what}: {name} cannot be read ({reason}); give a table with a header") from error


def _parse_text(content: bytes, separator: str, name: str, what: str, *, as_text: bool) -> pl.DataFrame:
    """Return a delimited table; polars pads short lines silently, so they are checked."""
    import polars as pl  # noqa: PLC0415

    try:
        frame = pl.read_csv(io.BytesIO(content), separator=separator, infer_schema_length=0 if as_text else None)
    except Exception:
        _check_widths(content, separator, name, what)
        raise
    if frame.width and frame.to_series(-1).null_count():
        _check_widths(content, separator, name, what)
    return frame


def _check_widths(content: bytes, separator: str, name: str, what: str) -> None:
    """Raise an error for the first line with a different number of cells than the header."""
    lines = csv.reader(io.StringIO(content.decode("utf-8-sig", "replace"), newline=""), delimiter=separator)
    header = next((cells for cells in lines if cells), [])
    for cells in lines:
        if cells and len(cells) != len(header):
            raise InputError(
                f"{what}: {name}:{lines.line_num}: expected {len(header)} columns, found {len(cells)}: "
                f"{shown(separator.join(cells))}; write an empty cell for a missing value"
            )


def _separator(head: bytes) -> str:
    """Return the separator of the header; in a table of one column, a comma in a cell is text."""
    line = head.partition(b"\n")[0]
    return next((separator for separator in ("\t", ",", ";") if separator.encode() in line), "\t")


def parse_arrays(content: bytes, name: str, what: str) -> dict[str, np.ndarray[Any, Any]] | None:
    """Return the arrays of a NumPy file by name, that of a .npy file under ""; None for other files."""
    if not content.startswith((NPY, NPZ)):
        return None
    try:
        loaded = np.load(io.BytesIO(content), allow_pickle=False)
        return {"": loaded} if isinstance(loaded, np.ndarray) else {key: loaded[key] for key in loaded.files}
    except (ValueError, OSError, EOFError, KeyError) as error:
        raise InputError(f"{what}: {name} cannot be read as a NumPy file ({error})") from error
