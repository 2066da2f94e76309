"""The tables of a Background, in whatever form, as plain columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np

from rankgauge.errors import InputError, shown
from rankgauge.inputs.columns import column_of, plain
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.records import judgment_records
from rankgauge.match.roads import Reading, is_file, is_table, read_table
from rankgauge.match.segments import Floats

PAIR = 2
SUBTOPIC_WORDS = {"subtopic", "iteration", "iter", "intent", "aspect"}
SUBTOPIC_FIELDS = ("query", "subtopic", "item", "grade")


def read_interactions(source: Any) -> tuple[Any, Any]:
    """The users and items of a log, a row for each interaction; numbers and times are not read."""
    if is_table(source):
        frame = _frame(source)
        names = [_named(frame, ours, "training") for ours in ("query", "item")]
        return frame[names[0]], frame[names[1]]
    if is_file(source):
        frame = read_table(source, "judgments", Reading(), Findings())
        return frame["query"], frame["item"]
    if isinstance(source, Sequence) and source and all(isinstance(one, tuple) and len(one) >= PAIR for one in source):
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


def read_pairs(source: Any, table: str) -> list[tuple[Any, Any]]:
    """An item and something that is said of it, a pair for each; several where a list is said of an item."""
    if isinstance(source, Mapping):
        return [(item, one) for item, said in source.items() for one in _several(said)]
    if is_table(source):
        frame = _frame(source)
        item = _named(frame, "item", table)
        others = [name for name in frame.columns if name != item]
        if len(others) != 1:
            found = ", ".join(map(shown, others)) or "none"
            raise InputError(f"{table}: besides {shown(item)} the frame must have one column, not {found}")
        return [(one, each) for one, said in frame.select(item, others[0]).iter_rows() for each in _several(said)]
    if isinstance(source, Iterable) and not isinstance(source, str | bytes):
        rows = [*source]
        if all(isinstance(row, tuple | list) and len(row) == PAIR for row in rows):
            return [(item, one) for item, said in rows for one in _several(said)]
    raise InputError(
        f"{table} of type {type(source).__name__} are not understood; give {{item: ...}}, rows of two, or a frame of "
        "two columns"
    )


def listed_items(source: Any) -> set[Any]:
    """The items that a mapping names, also those of which nothing is said."""
    return set(source) if isinstance(source, Mapping) else set()


def read_vectors(source: Any) -> tuple[list[Any], Floats]:
    """The items and a matrix with a row for each."""
    rows: Any
    if isinstance(source, Mapping):
        items, rows = [*source], [*source.values()]
    elif isinstance(source, tuple) and len(source) == PAIR:
        items, rows = [*source[0]], source[1]
    elif isinstance(source, np.ndarray):
        items, rows = [*range(len(source))], source
    elif is_table(source):
        frame = _frame(source)
        item = _named(frame, "item", "features")
        items, others = frame[item].to_list(), frame.drop(item)
        single = len(others.columns) == 1 and others.dtypes[0].is_nested()
        rows = others.to_series().to_list() if single else others.to_numpy()
    else:
        raise InputError(
            f"features of type {type(source).__name__} are not understood; give {{item: vector}}, (ids, matrix), a "
            "matrix or a frame of an item column and numbers"
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
    return items, matrix


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
        frame = _frame(source)
        names = {ours: _named(frame, ours, "subtopics") for ours in ("query", "item", "grade")}
        found = [name for name in frame.columns if plain(name) in SUBTOPIC_WORDS]
        if len(found) != 1:
            raise InputError(
                f"subtopics: one column must be named subtopic; the columns are {', '.join(frame.columns)}"
            )
        rows = frame.select([{**names, "subtopic": found[0]}[ours] for ours in SUBTOPIC_FIELDS]).iter_rows()
    elif isinstance(source, str | Path):
        rows = _lines(Path(source))
    elif isinstance(source, Iterable):
        rows = source
    else:
        raise InputError(
            f"subtopics of type {type(source).__name__} are not understood; give "
            "{query: {item: {subtopic: grade}}}, rows of (query, subtopic, item, grade), a frame or a TREC file"
        )
    checked = []
    for number, row in enumerate(rows, 1):
        try:
            query, subtopic, item, grade = row
            checked.append((query, subtopic, item, float(grade)))
        except (TypeError, ValueError):
            raise InputError(
                f"subtopics: row {number} is {shown(row)}; it must be query, subtopic, item and a number"
            ) from None
    return checked


def _lines(path: Path) -> list[list[str]]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"subtopics: {shown(str(path))} cannot be read as a text file ({error})") from None
    return [line.split() for line in text.splitlines() if line.strip()]


def read_counts(source: Any, table: str) -> list[tuple[Any, float]]:
    """Each item and its number of at least 0."""
    counts = []
    for item, count in read_pairs(source, table):
        if isinstance(count, bool) or not isinstance(count, Real) or not 0 <= float(count) < np.inf:
            raise InputError(f"{table}: item {shown(item)} has {shown(count)}; it must be a number of at least 0")
        counts.append((item, float(count)))
    return counts


def _frame(source: Any) -> Any:
    from rankgauge.inputs.frames import as_polars  # noqa: PLC0415

    return as_polars(source)


def _named(frame: Any, ours: str, table: str) -> str:
    found = column_of(ours, frame.columns, table)
    if found is None:
        words = {"query": "user or query", "item": "item", "grade": "grade"}[ours]
        raise InputError(f"{table}: no column for the {words} among {', '.join(map(shown, frame.columns))}; rename it")
    return found


def _graded(subtopics: Any) -> Iterable[tuple[Any, Any]]:
    """Subtopics and grades; those without a grade have grade 1."""
    return subtopics.items() if isinstance(subtopics, Mapping) else [(one, 1) for one in _several(subtopics)]


def _several(said: Any) -> Iterable[Any]:
    """What is said of an item, one by one."""
    return said if isinstance(said, list | tuple | set | frozenset | np.ndarray) else (said,)
