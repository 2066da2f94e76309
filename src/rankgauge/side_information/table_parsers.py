"""Parsers of the tables of a SideInformation, in any accepted form: Python objects, frames and files."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, cast

import numpy as np

from rankgauge.errors import InputError, shown
from rankgauge.inputs.columns import find_column, normalise_name
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.formats.table_files import parse_arrays, parse_table, read_content
from rankgauge.inputs.read_options import READ_AS_IS
from rankgauge.inputs.records import judgment_records
from rankgauge.inputs.source import TABLES, Source, form_of, is_file
from rankgauge.segments import Array, Floats
from rankgauge.value_checks import is_finite, is_integer, is_listing, unmasked

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
"""Separates the categories of an item in a text, whatever the form of the table."""
PAIR = 2
SUBTOPIC_WORDS = {"subtopic", "iteration", "iter", "intent", "aspect"}
SUBTOPIC_FIELDS = ("query", "subtopic", "item", "grade")


class ItemTable(NamedTuple):
    """A table with any number of values per item."""

    pairs: list[tuple[Any, Any]]
    """Pairs of item and value."""
    items: dict[Any, None]
    """All items of the table, including those without a value."""


def read_interactions(source: object) -> tuple[Any, Any]:
    """Return the users and the items of a log, one row per interaction; ratings and timestamps are ignored."""
    if form_of(source) in TABLES:
        frame = _read_frame(source, "training") if form_of(source) == "frame" else _read_log_file(source)
        user, item = (frame[_column_for(frame, ours, "training")] for ours in ("query", "item"))
        for ids in (user, item):
            if ids.null_count():
                raise InputError(f"training: {shown(ids.name)} is missing (row {(ids.is_null().arg_max() or 0) + 1})")
        return user, item
    if isinstance(source, Sequence) and source and all(isinstance(row, tuple) and len(row) >= PAIR for row in source):
        if (number := next((n for n, row in enumerate(source, 1) if None in row[:PAIR]), None)) is not None:
            raise InputError(f"training: row {number} is {shown(source[number - 1])}; expected a user and an item")
        return [row[0] for row in source], [row[1] for row in source]
    try:
        records = judgment_records(source, Findings())
    except InputError:
        raise InputError(
            f"training of type {type(source).__name__} is not supported; pass rows of (user, item), "
            "{user: [items]}, a frame, a file or a sparse matrix"
        ) from None
    users = [user for user, items in records.items() for _ in items]
    return users, [item for items in records.values() for item in items]


def read_pairs(source: object, table: str) -> ItemTable:
    """Parse a table of items; None and empty text are no values."""
    rows = _pair_rows(source, table)
    if table == "categories":
        rows = ((item, cell.split(BAR) if isinstance(cell, str) else cell) for item, cell in rows)
    return _item_table(rows)


def _pair_rows(source: object, table: str) -> Iterable[Any]:
    """Return the rows of a table of items: the item and its cell."""
    if isinstance(source, Mapping):
        return source.items()
    if form_of(source) in TABLES:
        frame = _read_frame(source, table)
        return cast("Iterable[Any]", frame.select(_item_and_value_columns(frame, table)).iter_rows())
    if is_listing(source):
        rows = [*source]
        if all(isinstance(row, tuple | list) and len(row) == PAIR for row in rows):
            return rows
    raise InputError(
        f"{table} of type {type(source).__name__} are not supported; pass {{item: ...}}, rows of two, or a frame or "
        "file with an item column and one other"
    )


def _item_table(rows: Iterable[Any]) -> ItemTable:
    rows = [*rows]
    if {type(cell) for _, cell in rows} <= {int, float, bool}:  # one value each
        return ItemTable(rows, dict.fromkeys(item for item, _ in rows))
    listed = [(item, [*_values_of(cell)]) for item, cell in rows]
    pairs = [(item, value) for item, values in listed for value in values]
    return ItemTable(pairs, dict.fromkeys(item for item, _ in listed))


def read_once(source: object, table: str) -> dict[Any, Any]:
    """Parse a table with one value per item; two different values are an error."""
    values: dict[object, object] = {}
    for item, value in read_pairs(source, table).pairs:
        if item in values and values[item] != value:
            raise InputError(f"{table}: item {shown(item)} has {shown(values[item])} and {shown(value)}; keep one")
        values[item] = value
    return values


def read_items(source: Any) -> int | list[object]:
    """Return the ids of the catalogue, or its size."""
    if is_integer(source):
        return int(source)
    if form_of(source) in TABLES:
        return _ids_of(source)
    if not is_listing(source):
        raise InputError(f"items must be the ids of all items or their number, not {shown(source)}")
    return [*source]


def read_vectors(source: object) -> tuple[list[object], Floats]:
    """Return the items and a matrix with one row per item."""
    rows: object
    if isinstance(source, Mapping):
        items, rows = [*source], [*source.values()]
    elif isinstance(source, tuple) and len(source) == PAIR:
        items, rows = [*source[0]], source[1]
    elif isinstance(source, np.ndarray):
        items, rows = [*range(len(source))], source
    elif is_file(source) and (arrays := _read_matrix_file(source)) is not None:
        items, rows = arrays
    elif form_of(source) in TABLES:
        items, rows = _vectors_of(_read_frame(source, "features"))
    else:
        raise InputError(
            f"features of type {type(source).__name__} are not supported; pass {{item: vector}}, (ids, matrix), a "
            "matrix, or a frame or file with an item column and numbers"
        )
    try:
        matrix = np.array(unmasked(rows, "features"), dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError("features: the vectors must be numbers and have the same length") from None
    if matrix.ndim != 2 or len(matrix) != len(items):  # noqa: PLR2004 (a matrix)
        raise InputError(
            f"features: expected a matrix with one row per item ({len(items)}), found an array of shape {matrix.shape}"
        )
    if not np.isfinite(matrix).all():
        row = int(np.flatnonzero(~np.isfinite(matrix).all(axis=1))[0])
        raise InputError(f"features: the vector of item {shown(items[row])} has a value that is not finite")
    if len({*items}) < len(items):
        seen: set[object] = set()
        twice = next(item for item in items if item in seen or seen.add(item))  # type: ignore[func-returns-value]
        raise InputError(f"features: item {shown(twice)} has two vectors; keep one")
    return items, matrix


def _vectors_of(frame: Any) -> tuple[list[object], object]:
    """Return the items of a frame and its other columns as numbers, or its single column of lists."""
    item = _column_for(frame, "item", "features")
    items, others = frame[item].to_list(), frame.drop(item)
    if len(others.columns) == 1 and others.dtypes[0].is_nested():
        return items, others.to_series().to_list()
    import polars as pl  # noqa: PLC0415

    numbers = others.select(pl.all().cast(pl.Float64, strict=False))
    for name in others.columns:
        wrong = numbers[name].is_null() & others[name].is_not_null()
        if wrong.any():
            row = wrong.arg_max()
            raise InputError(
                f"features: column {shown(name)} is not numeric: item {shown(items[row])} has "
                f"{shown(others[name][row])}; fix the value or drop the column"
            )
    return items, numbers.fill_null(float("nan")).to_numpy()


def read_subtopics(source: Any) -> list[tuple[Any, Any, Any, float]]:
    """Return rows of query, subtopic, item and grade."""
    if isinstance(source, Mapping):
        rows: Iterable[Sequence[Any]] = (
            (query, subtopic, item, grade)
            for query, items in source.items()
            for item, grades in items.items()
            for subtopic, grade in _graded(grades)
        )
    elif form_of(source) == "frame":
        rows = _subtopic_rows(_read_frame(source, "subtopics"))
    elif is_file(source):
        content = _read_subtopic_file(source)
        rows = content if isinstance(content, list) else _subtopic_rows(content)
    elif is_listing(source):
        rows = source
    else:
        raise InputError(
            f"subtopics of type {type(source).__name__} are not supported; pass "
            "{query: {item: {subtopic: grade}}}, rows of (query, subtopic, item, grade), a frame or a TREC file"
        )
    grades: dict[tuple[Any, Any, Any], float] = {}
    for number, row in enumerate(rows, 1):
        try:
            query, subtopic, item, grade = row
            key, value = (query, subtopic, item), float(grade)
        except (TypeError, ValueError):
            raise InputError(
                f"subtopics: row {number} is {shown(row)}; expected query, subtopic, item and a number"
            ) from None
        if grades.setdefault(key, value) != value:
            raise InputError(
                f"subtopics: item {shown(item)} has two grades for subtopic {shown(subtopic)} of query {shown(query)}, "
                f"{grades[key]:g} and {value:g}; keep one"
            )
    return [(*key, grade) for key, grade in grades.items()]


def _subtopic_rows(frame: Any) -> Iterable[Sequence[Any]]:
    names = {ours: _column_for(frame, ours, "subtopics") for ours in ("query", "item", "grade")}
    subtopics = [name for name in frame.columns if normalise_name(name) in SUBTOPIC_WORDS]
    if len(subtopics) != 1:
        raise InputError(
            f"subtopics: one column must be named subtopic; the columns are {', '.join(map(shown, frame.columns))}"
        )
    return frame.select([{**names, "subtopic": subtopics[0]}[ours] for ours in SUBTOPIC_FIELDS]).iter_rows()


def read_counts(source: object, table: str) -> list[tuple[Any, float]]:
    """Return each item with its count, a number of at least 0."""
    counts = []
    for item, value in read_once(source, table).items():
        count = _number(value) if is_file(source) else value  # cells of CSV files are text
        if isinstance(count, bool) or not is_finite(count) or count < 0:
            raise InputError(f"{table}: item {shown(item)} has {shown(value)}; it must be a number of at least 0")
        counts.append((item, float(count)))
    return counts


def _number(text: Any) -> Any:
    try:
        return float(text)
    except (TypeError, ValueError):
        return text


def _graded(subtopics: object) -> Iterable[tuple[Any, Any]]:
    """Return subtopics with their grades, 1 where none is given."""
    return subtopics.items() if isinstance(subtopics, Mapping) else [(topic, 1) for topic in _values_of(subtopics)]


def _values_of(cell: object) -> Iterable[object]:
    """Return the values in a cell, without None and empty text."""
    values = cell if isinstance(cell, list | tuple | set | frozenset | np.ndarray) else (cell,)
    return (value for value in values if value is not None and not (isinstance(value, str) and not value))


# Frames and files


def _read_frame(source: object, table: str) -> Any:
    """Return a frame of any library, or a file of any format, as a polars frame.

    Cells of CSV and TSV files stay text, so that 007 does not become 7.
    """
    if is_file(source):
        return parse_table(*read_content(source, table), table, as_text=True)
    from rankgauge.inputs.frames import as_polars  # noqa: PLC0415

    return as_polars(source)


def _column_for(frame: Any, ours: str, table: str) -> str:
    """Return the name of the column of users, items or grades."""
    column = find_column(ours, frame.columns, table)
    if column is None:
        words = {"query": "user or query", "item": "item", "grade": "grade"}[ours]
        raise InputError(f"{table}: no column for the {words} among {', '.join(map(shown, frame.columns))}; rename it")
    return column


def _item_and_value_columns(frame: Any, table: str) -> tuple[str, str]:
    """Return the column of items and that of values: the only other column, or the one with a known name."""
    item = _column_for(frame, "item", table)
    others = [name for name in frame.columns if name != item]
    named = [name for name in others if normalise_name(name) in WORDS[table]] if len(others) > 1 else others
    if len(named) != 1:
        columns, words = ", ".join(map(shown, others)) or "none", " or ".join(WORDS[table])
        raise InputError(f"{table}: expected one column besides {shown(item)}, or one named {words}; found {columns}")
    return item, named[0]


def _read_log_file(source: object) -> Any:
    """Return a log as a frame; in TREC judgments the first column is the user."""
    content, name = read_content(source, "training")
    if _is_trec(content, name):
        return Source.of(io.BytesIO(content), "judgments", READ_AS_IS).rows(Findings())
    return parse_table(content, name, "training", as_text=True)


def _is_trec(content: bytes, name: str) -> bool:
    """Return whether the file holds TREC judgments: four columns separated by blanks."""
    from rankgauge.inputs.formats.codec import Sample  # noqa: PLC0415 (loads polars)
    from rankgauge.inputs.formats.reader import guess_format  # noqa: PLC0415

    sample = Sample(content[:HEAD], name, "judgments")
    return guess_format(sample).name == "trec" and len(sample.line.split()) == len(TREC)


def _ids_of(source: object) -> list[Any]:
    """Return the items of a frame or a file: its item column, its only column, or the lines of a text file."""
    if is_file(source):
        content, name = read_content(source, "items")
        first, *others = content.decode("utf-8-sig", "replace").splitlines()
        binary = content.startswith((b"PAR1", b"ARROW1", b"{"))
        if not binary and not any(mark in first for mark in "\t,;") and find_column("item", [first], name) is None:
            return [line.strip() for line in (first, *others) if line.strip()]
        frame = parse_table(content, name, "items", as_text=True)
    else:
        frame = _read_frame(source, "items")
    column = frame.columns[0] if len(frame.columns) == 1 else _column_for(frame, "item", "items")
    ids = frame[column]
    if ids.null_count():
        raise InputError(f"items: {shown(column)} is missing (row {(ids.is_null().arg_max() or 0) + 1})")
    return [*ids.to_list()]


def _read_matrix_file(source: object) -> tuple[list[object], Array] | None:
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


def _read_subtopic_file(source: object) -> Any:
    """Return diversity judgments: a table as a frame, a TREC file as lists of fields."""
    content, name = read_content(source, "subtopics")
    if not _is_trec(content, name):
        return parse_table(content, name, "subtopics", as_text=True)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"subtopics: {name} is not a text file ({error})") from None
    return [line.split() for line in text.splitlines() if line.strip()]
