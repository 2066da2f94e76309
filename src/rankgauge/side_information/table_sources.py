"""Frames and files as sources of tables, and the choice of their columns."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from rankgauge.errors import InputError, shown
from rankgauge.inputs.columns import find_column, normalise_name
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.formats.table_files import parse_arrays, parse_table, read_content
from rankgauge.matching.read_options import ReadOptions
from rankgauge.matching.sources import is_file, read_table

WORDS = {
    "categories": ("category", "categories", "genre", "genres", "tag", "tags"),
    "item_groups": ("group", "itemgroup", "provider", "seller", "brand"),
    "popularity": ("popularity", "users", "count", "counts"),
}
"""Column names by which the value column of a table is recognised, if it has several columns."""
MATRICES = ("features", "vectors", "embeddings", "matrix")
IDS = ("items", "ids", "item")
TREC = ("query", "iteration", "item", "grade")
HEAD = 1 << 16
BAR = "|"
"""Separates the categories of an item in a cell of a text file."""


def read_frame(source: Any, table: str) -> Any:
    """Return a frame of any library, or a file of any format, as a polars frame.

    Cells of CSV and TSV files stay text, so that 007 does not become 7.
    """
    if is_file(source):
        return parse_table(*read_content(source, table), table, as_text=True)
    from rankgauge.inputs.frames import as_polars  # noqa: PLC0415

    return as_polars(source)


def column_for(frame: Any, ours: str, table: str) -> str:
    """Return the name of the column of users, items or grades."""
    column = find_column(ours, frame.columns, table)
    if column is None:
        words = {"query": "user or query", "item": "item", "grade": "grade"}[ours]
        raise InputError(f"{table}: no column for the {words} among {', '.join(map(shown, frame.columns))}; rename it")
    return column


def item_and_value_columns(frame: Any, table: str) -> tuple[str, str]:
    """Return the column of items and that of values: the only other column, or the one with a known name."""
    item = column_for(frame, "item", table)
    others = [name for name in frame.columns if name != item]
    named = [name for name in others if normalise_name(name) in WORDS[table]] if len(others) > 1 else others
    if len(named) != 1:
        columns, words = ", ".join(map(shown, others)) or "none", " or ".join(WORDS[table])
        raise InputError(f"{table}: expected one column besides {shown(item)}, or one named {words}; found {columns}")
    return item, named[0]


def read_log_file(source: Any) -> Any:
    """Return a log as a frame; in TREC judgments the first column is the user."""
    content, name = read_content(source, "training")
    if _is_trec(content, name):
        return read_table(io.BytesIO(content), "judgments", ReadOptions(), Findings())
    return parse_table(content, name, "training", as_text=True)


def _is_trec(content: bytes, name: str) -> bool:
    """Return whether the file holds TREC judgments: four columns separated by blanks."""
    from rankgauge.inputs.formats.codec import Sample  # noqa: PLC0415 (loads polars)
    from rankgauge.inputs.formats.detection import guess_format  # noqa: PLC0415

    sample = Sample(content[:HEAD], name, "judgments")
    return guess_format(sample).name == "trec" and len(sample.line.split()) == len(TREC)


def ids_of(source: Any) -> list[Any]:
    """Return the items of a frame or a file: its item column, its only column, or the lines of a text file."""
    if is_file(source):
        content, name = read_content(source, "items")
        first, *others = content.decode("utf-8-sig", "replace").splitlines()
        binary = content.startswith((b"PAR1", b"ARROW1", b"{"))
        if not binary and not any(mark in first for mark in "\t,;") and find_column("item", [first], name) is None:
            return [line.strip() for line in (first, *others) if line.strip()]
        frame = parse_table(content, name, "items", as_text=True)
    else:
        frame = read_frame(source, "items")
    column = frame.columns[0] if len(frame.columns) == 1 else column_for(frame, "item", "items")
    ids = frame[column]
    if ids.null_count():
        raise InputError(f"items: {shown(column)} is missing (row {ids.is_null().arg_max()})")
    return [*ids.to_list()]


def read_matrix_file(source: Any) -> tuple[list[Any], np.ndarray[Any, Any]] | None:
    """Return the items and vectors of a NumPy file, or None if it is not one."""
    content, name = read_content(source, "features")
    arrays = parse_arrays(content, name, "features")
    if arrays is None:
        return None
    if "" in arrays:
        matrix = arrays[""]
        return [*range(len(matrix) if matrix.ndim else 0)], matrix
    matrices, ids = ([key for key in words if key in arrays] for words in (MATRICES, IDS))
    if len(matrices) != 1 or len(ids) > 1:
        raise InputError(
            f"features: {name} has {', '.join(map(shown, arrays))}; expected one array named {' or '.join(MATRICES)}, "
            f"and optionally one named {' or '.join(IDS)}"
        )
    matrix = arrays[matrices[0]]
    return (arrays[ids[0]].tolist() if ids else [*range(len(matrix))]), matrix


def read_subtopic_file(source: Any) -> Any:
    """Return diversity judgments: a table as a frame, a TREC file as lists of fields."""
    content, name = read_content(source, "subtopics")
    if not _is_trec(content, name):
        return parse_table(content, name, "subtopics", as_text=True)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"subtopics: {name} is not a text file ({error})") from None
    return [line.split() for line in text.splitlines() if line.strip()]
