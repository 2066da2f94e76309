"""HDF5 files of ann-benchmarks: the exact neighbours of each test vector, or those that an algorithm returned."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from rankgauge.errors import extra, shown
from rankgauge.inputs.codes import Role
from rankgauge.inputs.findings import input_error
from rankgauge.inputs.formats.codec import Codec, Content, OpenFile
from rankgauge.rendering.language import Phrase

ROWS = 1 << 13
"""Queries in memory at a time."""
MATRIX = 2
REMEDY = Phrase(
    "pass a file of ann-benchmarks, or the ids of the neighbours as another format",
    "给出 ann-benchmarks 的文件，或以其他格式给出近邻的标识",
)


def _read(file: OpenFile) -> Iterator[pl.DataFrame]:
    """Yield the neighbours of some queries at a time; a ranking has minus the position as score."""
    context = file.context
    with _opened(file) as content:
        neighbours = _neighbours(content, context.name)
        for start in range(0, len(neighbours), ROWS):
            ids = np.asarray(neighbours[start : start + ROWS])
            context.rows_begun = True
            rows, places = np.nonzero(ids >= 0)  # fewer neighbours than asked for are filled up with -1
            numbers = np.ones(len(rows)) if context.role == "judgments" else -1.0 - places
            yield pl.DataFrame(
                {
                    "query": pl.Series(rows + start).cast(pl.String),
                    "item": pl.Series(ids[rows, places]).cast(pl.String),
                    context.number: pl.Series(numbers, dtype=pl.Float64),
                }
            )


def _inspect(file: OpenFile, role: Role | None) -> Content:
    with _opened(file) as content:
        _neighbours(content, file.context.name)
        held: Role = "ranking" if "times" in content or "algo" in content.attrs else "judgments"
    return Content((role or held,))


@contextmanager
def _opened(file: OpenFile) -> Iterator[Any]:
    with extra("hdf5", "an HDF5 file"):
        import h5py  # noqa: PLC0415 (optional)
    path = os.fspath(file.source) if isinstance(file.source, str | os.PathLike) else ""
    is_plain = bool(path) and Path(path).is_file() and not file.stream.compression
    source = path if is_plain else file.source if isinstance(file.source, io.BytesIO) else None
    place: object = io.BytesIO(file.stream.read() or b"") if source is None else source
    try:
        content = h5py.File(place, "r")
    except OSError as error:
        reason = shown(str(error), 200)
        name = file.context.name
        message = Phrase(f"{name}: not a valid HDF5 file: {reason}", f"{name}：不是有效的 HDF5 文件：{reason}")
        raise input_error("RG102", message) from None
    with content:
        yield content


def _neighbours(content: Any, name: str) -> Any:
    """Return the data set with the ids of the neighbours; an error if it is missing or has another form."""
    neighbours = content.get("neighbors")
    if neighbours is None or not hasattr(neighbours, "dtype"):
        names = ", ".join(map(shown, content)) or "-"
        message = Phrase(
            f"{name}: no data set 'neighbors' of ann-benchmarks; it has {names}",
            f"{name}：没有 ann-benchmarks 的数据集 neighbors；实有 {names}",
        )
        raise input_error("RG111", message, REMEDY)
    if neighbours.ndim != MATRIX or neighbours.dtype.kind not in "iu":
        form = f"{neighbours.dtype} {neighbours.shape}"
        message = Phrase(
            f"{name}: neighbors: expected a row of whole numbers for each query, found {form}",
            f"{name}：neighbors：每个查询应为一行整数，实为 {form}",
        )
        raise input_error("RG111", message, REMEDY)
    return neighbours


CODEC = Codec(read=_read, inspect=_inspect)
