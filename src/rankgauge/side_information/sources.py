"""Where the tables of a SideInformation lie, frames and files, and which of their columns are meant."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from rankgauge.errors import InputError, shown
from rankgauge.inputs.columns import find_column, normalise_name
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.io.table_files import parse_arrays, parse_table, read_content
from rankgauge.matching.read_options import ReadOptions
from rankgauge.matching.sources import is_file, read_table

WORDS = {
    "categories": ("category", "categories", "genre", "genres", "tag", "tags"),
    "item_groups": ("group", "itemgroup", "provider", "seller", "brand"),
    "popularity": ("popularity", "users", "count", "counts"),
}
"""The names of the column that a table is about, where it has several."""
MATRICES = ("features", "vectors", "embeddings", "matrix")
IDS = ("items", "ids", "item")
TREC = ("query", "iteration", "item", "grade")
HEAD = 1 << 16
BAR = "|"
"""Parts the categories of an item in a cell of a text file."""


def read_frame(source: Any, table: str) -> Any:
    """A frame of any library, or a file of any format, as a frame of polars with the columns that it has.

    The cells of CSV and TSV stay texts, so that 007 is not 7.
    """
    if is_file(source):
        return parse_table(*read_content(source, table), table, as_text=True)
    from rankgauge.inputs.frames import as_polars  # noqa: PLC0415

    return as_polars(source)


def column_for(frame: Any, ours: str, table: str) -> str:
    """The column of users, items or grades."""
    found = find_column(ours, frame.columns, table)
    if found is None:
        words = {"query": "user or query", "item": "item", "grade": "grade"}[ours]
        raise InputError(f"{table}: no column for the {words} among {', '.join(map(shown, frame.columns))}; rename it")
    return found


def said_column(frame: Any, table: str) -> tuple[str, str]:
    """The column of items, and the one that says something of them: the only other one, or the one named so."""
    item = column_for(frame, "item", table)
    others = [name for name in frame.columns if name != item]
    named = [name for name in others if normalise_name(name) in WORDS[table]] if len(others) > 1 else others
    if len(named) != 1:
        found, words = ", ".join(map(shown, others)) or "none", " or ".join(WORDS[table])
        raise InputError(
            f"{table}: besides {shown(item)} one column must say it, or be named {words}; the others are {found}"
        )
    return item, named[0]


def read_log_file(source: Any) -> Any:
    """A log as a frame: a table, or judgments of TREC, whose first column is the user."""
    content, name = read_content(source, "training")
    if _is_trec(content, name):
        return read_table(io.BytesIO(content), "judgments", ReadOptions(), Findings())
    return parse_table(content, name, "training", as_text=True)


def _is_trec(content: bytes, name: str) -> bool:
    """Whether the lines are those of judgments of TREC: four columns, parted by blanks."""
    from rankgauge.inputs.formats.sniff import first_line, guess_format  # noqa: PLC0415 (loads polars)

    head = content[:HEAD]
    return guess_format(head, name, "judgments") == "trec" and len(first_line(head).split()) == len(TREC)


def ids_of(source: Any) -> list[Any]:
    """The items of a frame or a file: its column of items, its only column, or the lines of a text file."""
    if is_file(source):
        content, name = read_content(source, "items")
        first, *others = content.decode("utf-8-sig", "replace").splitlines()
        binary = content.startswith((b"PAR1", b"ARROW1", b"{"))
        if not binary and not any(mark in first for mark in "\t,;") and find_column("item", [first]) is None:
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
    """The items and vectors of a file of NumPy; None where the file is something else."""
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
            f"features: {name} has {', '.join(map(shown, arrays))}; it must have one array of {', '.join(MATRICES)}, "
            f"and may have one of {', '.join(IDS)}"
        )
    matrix = arrays[matrices[0]]
    return (arrays[ids[0]].tolist() if ids else [*range(len(matrix))]), matrix


def read_subtopic_file(source: Any) -> Any:
    """Diversity judgments: a table as a frame, the lines of a TREC file as lists."""
    content, name = read_content(source, "subtopics")
    if not _is_trec(content, name):
        return parse_table(content, name, "subtopics", as_text=True)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"subtopics: {name} cannot be read as a text file ({error})") from None
    return [line.split() for line in text.splitlines() if line.strip()]
