"""Read tables with arbitrary columns, and NumPy arrays, from files."""

from __future__ import annotations

import csv
import io
from contextlib import closing
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.errors import InputError, shown
from rankgauge.inputs.findings import input_error, reader_errors
from rankgauge.inputs.io.archives import ZIP, refuse_archive
from rankgauge.inputs.io.compression import open_bytes
from rankgauge.inputs.io.panics import hidden_panics
from rankgauge.segments import Array

if TYPE_CHECKING:
    import polars as pl

_NPY = b"\x93NUMPY"
BLANK = b"\xef\xbb\xbf \t\r\n"
"""What a table may begin with: a byte order mark, and blanks."""


def read_content(source: Any, what: str) -> tuple[bytes, str]:
    """Return the decompressed content of a file and its name; an empty file is an error."""
    try:
        with closing(open_bytes(source)) as stream:
            content, name = stream.read(), stream.name
    except InputError as error:
        en, zh = error.texts
        raise InputError((f"{what}: {en}", f"{what}：{zh}"), error.codes) from None
    if not content.lstrip(BLANK):
        raise no_data(f"{what}: {name}", f"{what}：{name}")
    return content, name


def table_of(source: Any, what: str, *, as_text: bool = False) -> pl.DataFrame:
    """Return a frame of any library, or the table in a file as ``parse_table`` does, as a polars frame."""
    from rankgauge.inputs.frames import as_polars, is_frame  # noqa: PLC0415 (loads polars)

    if is_frame(source):
        with reader_errors(f"{what}: the frame", "give a table with named columns"):
            return as_polars(source)
    return parse_table(*read_content(source, what), what, as_text=as_text)


def no_data(en: str, zh: str) -> InputError:
    """Return the error for a file at a place that is empty, or a table without rows."""
    return input_error("RG101", (f"{en}: the file has no data", f"{zh}：文件中没有数据"))


def parse_table(content: bytes, name: str, what: str, *, as_text: bool = False) -> pl.DataFrame:
    r"""Return the table in a file; ``as_text`` keeps the cells of CSV and TSV as text.

    >>> parse_table(b"item;users\n007;3\n", "items.csv", "popularity", as_text=True).rows()
    [('007', '3')]
    """
    import polars as pl  # noqa: PLC0415 (slow to import)

    from rankgauge.inputs.formats.registry import format_of_signature  # noqa: PLC0415 (only for files)

    with hidden_panics(), reader_errors(f"{what}: {name}", "give a table with a header"):
        signed = format_of_signature(content[:8])
        if signed is not None and (scan := signed.codec.scan) is not None:
            return scan(io.BytesIO(content)).collect()
        refuse_archive(content, name)
        if content.lstrip(BLANK).startswith(b"{"):
            return pl.read_ndjson(io.BytesIO(content), infer_schema_length=None)
        header = content.lstrip(BLANK).partition(b"\n")[0]
        # In a table of one column, a comma in a cell is text.
        separator = next((mark for mark in ("\t", ",", ";") if mark.encode() in header), "\t")
        try:
            frame = pl.read_csv(io.BytesIO(content), separator=separator, infer_schema_length=0 if as_text else None)
        except Exception:
            _check_widths(content, separator, f"{what}: {name}")
            raise
        if frame.width and frame.to_series(-1).null_count():  # polars pads short lines
            _check_widths(content, separator, f"{what}: {name}")
        return frame


def _check_widths(content: bytes, separator: str, place: str) -> None:
    """Raise an error for the first line with a different number of cells than the header."""
    lines = csv.reader(io.StringIO(content.decode("utf-8-sig", "replace"), newline=""), delimiter=separator)
    header = next((cells for cells in lines if cells), [])
    for cells in lines:
        if cells and len(cells) != len(header):
            at, text = f"{place}:{lines.line_num}", shown(separator.join(cells))
            wanted, width = len(header), len(cells)
            en = f"{at}: expected {wanted} columns, found {width}: {text}; write an empty cell for a missing value"
            raise InputError((en, f"{at}：应有 {wanted} 列，实有 {width} 列：{text}；缺失的值请写成空单元格"))


def parse_arrays(content: bytes, name: str, what: str) -> dict[str, Array] | None:
    """Return the arrays of a NumPy file by name, that of a .npy file under ""; None for other files."""
    if not content.startswith((_NPY, ZIP)):
        return None
    try:
        loaded = np.load(io.BytesIO(content), allow_pickle=False)
        return {"": loaded} if isinstance(loaded, np.ndarray) else {key: loaded[key] for key in loaded.files}
    except (ValueError, OSError, EOFError, KeyError) as error:
        texts = f"{what}: {name} cannot be read as a NumPy file ({error})", f"{what}：{name} 不是 NumPy 文件（{error}）"
        raise InputError(texts) from error
