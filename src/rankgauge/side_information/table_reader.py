"""The tables of a SideInformation, in whatever form, as plain columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from rankgauge.errors import InputError, shown
from rankgauge.inputs.columns import normalise_name
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.records import judgment_records
from rankgauge.matching.sources import is_file, is_table
from rankgauge.segments import Floats
from rankgauge.side_information.sources import (
    BAR,
    column_for,
    ids_of,
    read_frame,
    read_log_file,
    read_matrix_file,
    read_subtopic_file,
    said_column,
)

PAIR = 2
SUBTOPIC_WORDS = {"subtopic", "iteration", "iter", "intent", "aspect"}
SUBTOPIC_FIELDS = ("query", "subtopic", "item", "grade")


class Said(NamedTuple):
    """What a table says of items."""

    pairs: list[tuple[Any, Any]]
    """An item and something that is said of it; several pairs where several things are."""
    items: dict[Any, None]
    """All items that the table names, also those of which it says nothing."""


def read_interactions(source: Any) -> tuple[Any, Any]:
    """The users and items of a log, a row for each interaction; numbers and times are not read."""
    if is_table(source) or is_file(source):
        frame = read_frame(source, "training") if is_table(source) else read_log_file(source)
        user, item = (frame[column_for(frame, ours, "training")] for ours in ("query", "item"))
        for ids in (user, item):
            if ids.null_count():
                raise InputError(f"training: {shown(ids.name)} is missing (row {ids.is_null().arg_max()})")
        return user, item
    if isinstance(source, Sequence) and source and all(isinstance(one, tuple) and len(one) >= PAIR for one in source):
        if (row := next((row for row, one in enumerate(source) if one[0] is None or one[1] is None), None)) is not None:
            raise InputError(f"training: row {row} is {shown(source[row])}; it must be a user and an item")
        return [row[0] for row in source], [row[1] for row in source]
    try:
        records = judgment_records(source, Findings())
    except InputError:
        raise InputError(
            f"training of type {type(source).__name__} is not understood; give rows of (user, item), "
            "{user: [items]}, a frame, a file or a sparse matrix"
        ) from None
    users = [user for user, items in records.items() for _ in items]
    return users, [item for items in records.values() for item in items]


def read_pairs(source: Any, table: str) -> Said:
    """What a table says of items, one by one; nothing where it says None or an empty text."""
    if isinstance(source, Mapping):
        return _said(source.items())
    if is_table(source) or is_file(source):
        frame = read_frame(source, table)
        rows = frame.select(said_column(frame, table)).iter_rows()
        if table == "categories" and is_file(source):
            rows = ((item, said.split(BAR) if isinstance(said, str) else said) for item, said in rows)
        return _said(rows)
    if isinstance(source, Iterable) and not isinstance(source, str | bytes):
        rows = [*source]
        if all(isinstance(row, tuple | list) and len(row) == PAIR for row in rows):
            return _said(rows)
    raise InputError(
        f"{table} of type {type(source).__name__} are not understood; give {{item: ...}}, rows of two, a frame or a "
        "file of an item column and another one"
    )


def _said(rows: Iterable[Any]) -> Said:
    listed = [(item, [*_several(said)]) for item, said in rows]
    return Said([(item, one) for item, some in listed for one in some], dict.fromkeys(item for item, _ in listed))


def read_once(source: Any, table: str) -> dict[Any, Any]:
    """The one thing that a table says of each item; an error where it says two."""
    found: dict[Any, Any] = {}
    for item, said in read_pairs(source, table).pairs:
        if item in found and found[item] != said:
            raise InputError(f"{table}: item {shown(item)} has {shown(found[item])} and {shown(said)}; keep one")
        found[item] = said
    return found


def read_items(source: Any) -> int | list[Any]:
    """The ids of the catalogue, or how many items it has."""
    if isinstance(source, int | np.integer) and not isinstance(source, bool):
        return int(source)
    if is_table(source) or is_file(source):
        return ids_of(source)
    if isinstance(source, bytes) or not isinstance(source, Iterable):
        raise InputError(f"items must be the ids of all items, or how many there are, not {shown(source)}")
    return [*source]


def read_vectors(source: Any) -> tuple[list[Any], Floats]:
    """The items and a matrix with a row for each."""
    rows: Any
    if isinstance(source, Mapping):
        items, rows = [*source], [*source.values()]
    elif isinstance(source, tuple) and len(source) == PAIR:
        items, rows = [*source[0]], source[1]
    elif isinstance(source, np.ndarray):
        items, rows = [*range(len(source))], source
    elif is_file(source) and (arrays := read_matrix_file(source)) is not None:
        items, rows = arrays
    elif is_table(source) or is_file(source):
        items, rows = _vectors_of(read_frame(source, "features"))
    else:
        raise InputError(
            f"features of type {type(source).__name__} are not understood; give {{item: vector}}, (ids, matrix), a "
            "matrix, or a frame or file of an item column and numbers"
        )
    try:
        matrix = np.array(rows, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError("features: the vectors must be numbers, as many for each item") from None
    if matrix.ndim != 2 or len(matrix) != len(items):  # noqa: PLR2004 (a matrix)
        raise InputError(
            f"features: {len(items)} items and an array of the shape {matrix.shape}; give a row for each item"
        )
    if not np.isfinite(matrix).all():
        row = int(np.flatnonzero(~np.isfinite(matrix).all(axis=1))[0])
        raise InputError(f"features: the vector of item {shown(items[row])} has a value that is not a finite number")
    if len({*items}) < len(items):
        seen: set[Any] = set()
        twice = next(item for item in items if item in seen or seen.add(item))  # type: ignore[func-returns-value]
        raise InputError(f"features: item {shown(twice)} has two vectors; keep one")
    return items, matrix


def _vectors_of(frame: Any) -> tuple[list[Any], Any]:
    """The items of a frame, and its other columns as numbers; or its one column of lists."""
    item = column_for(frame, "item", "features")
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
                f"features: column {shown(name)} is not of numbers; leave it out, or mend item {shown(items[row])}, "
                f"which has {shown(others[name][row])}"
            )
    return items, numbers.fill_null(float("nan")).to_numpy()


def read_subtopics(source: Any) -> list[tuple[Any, Any, Any, float]]:
    """Rows of query, subtopic, item and grade."""
    if isinstance(source, Mapping):
        rows: Iterable[Sequence[Any]] = (
            (query, subtopic, item, grade)
            for query, items in source.items()
            for item, grades in items.items()
            for subtopic, grade in _graded(grades)
        )
    elif is_table(source):
        rows = _subtopic_rows(read_frame(source, "subtopics"))
    elif is_file(source):
        read = read_subtopic_file(source)
        rows = read if isinstance(read, list) else _subtopic_rows(read)
    elif isinstance(source, Iterable):
        rows = source
    else:
        raise InputError(
            f"subtopics of type {type(source).__name__} are not understood; give "
            "{query: {item: {subtopic: grade}}}, rows of (query, subtopic, item, grade), a frame or a TREC file"
        )
    found: dict[tuple[Any, Any, Any], float] = {}
    for number, row in enumerate(rows, 1):
        try:
            query, subtopic, item, grade = row
            key, value = (query, subtopic, item), float(grade)
        except (TypeError, ValueError):
            raise InputError(
                f"subtopics: row {number} is {shown(row)}; it must be query, subtopic, item and a number"
            ) from None
        if found.setdefault(key, value) != value:
            raise InputError(
                f"subtopics: item {shown(item)} has two grades for subtopic {shown(subtopic)} of query {shown(query)}, "
                f"{found[key]:g} and {value:g}; keep one"
            )
    return [(*key, grade) for key, grade in found.items()]


def _subtopic_rows(frame: Any) -> Iterable[Sequence[Any]]:
    names = {ours: column_for(frame, ours, "subtopics") for ours in ("query", "item", "grade")}
    found = [name for name in frame.columns if normalise_name(name) in SUBTOPIC_WORDS]
    if len(found) != 1:
        raise InputError(
            f"subtopics: one column must be named subtopic; the columns are {', '.join(map(shown, frame.columns))}"
        )
    return frame.select([{**names, "subtopic": found[0]}[ours] for ours in SUBTOPIC_FIELDS]).iter_rows()


def read_counts(source: Any, table: str) -> list[tuple[Any, float]]:
    """Each item and its number of at least 0."""
    counts = []
    for item, said in read_once(source, table).items():
        count = _number(said) if is_file(source) else said  # the cells of CSV are texts
        if isinstance(count, bool) or not isinstance(count, Real) or not 0 <= float(count) < np.inf:
            raise InputError(f"{table}: item {shown(item)} has {shown(said)}; it must be a number of at least 0")
        counts.append((item, float(count)))
    return counts


def _number(text: Any) -> Any:
    try:
        return float(text)
    except (TypeError, ValueError):
        return text


def _graded(subtopics: Any) -> Iterable[tuple[Any, Any]]:
    """Subtopics and grades; those without a grade have grade 1."""
    return subtopics.items() if isinstance(subtopics, Mapping) else [(one, 1) for one in _several(subtopics)]


def _several(said: Any) -> Iterable[Any]:
    """What is said of an item, one by one; nothing where it is None or an empty text."""
    some = said if isinstance(said, list | tuple | set | frozenset | np.ndarray) else (said,)
    return (one for one in some if one is not None and not (isinstance(one, str) and not one))
