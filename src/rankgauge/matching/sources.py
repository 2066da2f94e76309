"""What form a source has, and the refusal of input that could mean two things."""

from __future__ import annotations

import math
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain, islice
from numbers import Real
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.errors import InputError, ParameterError, shown
from rankgauge.inputs.codes import Role
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.grade_checks import LARGE_GRADE
from rankgauge.inputs.io.paths import is_regular_file
from rankgauge.inputs.records import are_rows
from rankgauge.matching.data_side import DataSide
from rankgauge.matching.read_options import ReadOptions
from rankgauge.rendering.language import Phrase
from rankgauge.value_checks import is_listing

if TYPE_CHECKING:
    import polars as pl

SOME = 200
"""Numbers that are looked at to recognise swapped arguments."""
MATRIX = 2
"""The dimensions of a matrix."""


def is_path(source: object) -> bool:
    """Return whether the object names a file."""
    return isinstance(source, str | PathLike)


def is_file(source: object) -> bool:
    """Return whether the object names a file or is an open one."""
    return is_path(source) or hasattr(source, "read")


def is_one_shot(source: Any) -> bool:
    """Return whether a file can be read only once: a stream, standard input or a pipe."""
    if not is_path(source) or source == "-":
        return is_file(source)
    try:
        return stat.S_ISFIFO(Path(source).stat().st_mode)
    except (OSError, ValueError):
        return False


def is_table(source: object) -> bool:
    """Return whether the object is a frame of some library."""
    if isinstance(source, Mapping | list | tuple | np.ndarray):
        return False
    from rankgauge.inputs.frames import is_frame  # noqa: PLC0415 (loads polars)

    return is_frame(source)


def are_several(source: Any, judgments: Any) -> bool:
    """Return whether a mapping names rankings, not queries.

    An empty value counts as an empty ranking if another value is a ranking; flat arrays are rankings if the judgments
    are an array.
    """
    if not isinstance(source, Mapping) or not source:
        return False
    flat = isinstance(judgments, np.ndarray)
    filled = (value for value in source.values() if not (isinstance(value, Mapping | list | tuple) and not value))
    are_rankings = (_is_ranking(value, flat=flat) for value in filled)
    return next(are_rankings, False) and all(are_rankings)


def _is_ranking(value: Any, *, flat: bool) -> bool:
    """Return whether a value is a ranking of many queries, not that of one."""
    if isinstance(value, Mapping):
        return all(is_listing(inner) for inner in value.values())
    if isinstance(value, np.ndarray):
        return flat or value.ndim == MATRIX
    return (
        isinstance(value, DataSide)
        or is_file(value)
        or (are_rows(value) if isinstance(value, list | tuple) else is_table(value))
    )


def replayable(source: Any) -> Any:
    """Return the source with one-shot iterators turned into lists, so that looking at it does not use it up."""
    if isinstance(source, Iterator) and not is_file(source):
        return replayable([*source])
    if isinstance(source, Mapping):
        return {key: _listed(value) for key, value in source.items()} if _iterators(source.values()) else source
    if isinstance(source, list | tuple) and _iterators(source):
        return [*map(_listed, source)]
    return source


def in_files(source: Any, role: Role, options: ReadOptions) -> tuple[Any, ReadOptions]:
    """Return the files in a folder or glob as one source, any other source unchanged, and the options to read it."""
    if not is_path(source):
        return source, options
    from rankgauge.inputs.formats.file_groups import data_files  # noqa: PLC0415 (only for paths)

    source, split = data_files(source, role, options.split)
    return source, replace(options, split=split)


def known_form(
    source: Any, role: Role, options: ReadOptions, findings: Findings | None = None
) -> tuple[Any, ReadOptions]:
    """Return a frame or dicts for records and objects of other libraries, and the options to read it with."""
    if isinstance(source, np.ndarray) or is_file(source) or not _may_be_object(source):
        return source, options
    from rankgauge.inputs.objects import as_table, split_of  # noqa: PLC0415 (loads polars)

    if role == "judgments" and (part := split_of(source, options.split)) is not None:
        source, options = part, replace(options, split=None)
    own = Findings() if findings is None else findings
    table = as_table(source, role, options.columns_of(role), own)
    own.raise_errors(options.lenient)
    is_own = table is not source and options.columns and "item" in getattr(table, "columns", ())
    return table, replace(options, columns=None) if is_own else options


def _may_be_object(source: Any) -> bool:
    """Whether a source may be something else than numbers by item, lists of ids, rows and frames."""
    values = source.values() if isinstance(source, Mapping) else source if isinstance(source, list | tuple) else None
    if values is None:
        return not is_table(source)
    first = next(iter(values), None)
    if isinstance(source, Mapping):
        if hasattr(first, "to_polars"):  # splits of a data set
            return True
        first = next((value[0] for value in values if isinstance(value, list) and value), None)
    return first is not None and not isinstance(first, str | Real | set | frozenset | np.ndarray)


def _listed(value: Any) -> Any:
    return [*value] if isinstance(value, Iterator) and not is_file(value) else value


def _iterators(values: Collection[Any]) -> list[Iterator[Any]]:
    """Return the values that can be gone through only once; the types tell quickly whether there are any."""
    if not any(issubclass(kind, Iterator) for kind in {*map(type, values)}):
        return []
    return [value for value in values if isinstance(value, Iterator)]


def check_distinct(sources: Mapping[str, Any]) -> None:
    """Raise an error if one iterator or open file is given twice: the second reading would find nothing."""
    owner: dict[int | str, str] = {}
    for name, source in sources.items():
        listed = isinstance(source, list | tuple) and isinstance(next(iter(source), None), Iterator)
        inner = source.values() if isinstance(source, Mapping) else source if listed else ()
        once = [source] if isinstance(source, Iterator) or (is_file(source) and is_one_shot(source)) else []
        for value in [*once, *_iterators(inner)]:
            key = str(value) if is_path(value) else id(value)  # a path here is standard input or a pipe
            if key in owner:
                where = f"used twice in the {name}" if owner[key] == name else f"given for {owner[key]} and {name}"
                raise InputError(
                    f"one {type(value).__name__} is {where}, but can be read only once; pass a list or a file name"
                )
            owner[key] = name


def check_named(rankings: Any, verb: str) -> Mapping[str, Any]:
    """Return a mapping from names to rankings; raise an error for anything else, such as ``{query: [items]}``."""
    if not isinstance(rankings, Mapping) or not rankings:
        raise ParameterError.of(
            "rankings", rankings, ("{'name': ranking, ...}, one or more", "{'名称': 排序结果, ...}，一个或多个"), verb
        )
    check_distinct({f"ranking {shown(name)}": source for name, source in rankings.items()})
    rankings = replayable(rankings)
    for name, value in rankings.items():
        entries = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
        if entries and all(isinstance(entry, str | Real) for entry in entries):
            remedy = "pass {'name': {query: [items]}}"
            raise ParameterError(f"{verb}: {shown(name)} holds the ranking of one query, {shown(value)}; {remedy}")
    check_names(rankings)
    return rankings


def check_names(systems: Mapping[Any, Any]) -> None:
    """Raise an error for names of systems that are the same as text, such as 1 and '1'."""
    texts: dict[str, Any] = {}
    for name in systems:
        if texts.setdefault(str(name), name) is not name:
            raise ParameterError(
                f"{shown(texts[str(name)])} and {shown(name)} are the same name of a system; rename one"
            )


def check_options(options: ReadOptions, *sources: Any) -> None:
    """Raise an error for options of files or tables if no source is one."""
    sources = tuple(source.source if isinstance(source, DataSide) else source for source in sources)
    files = any(map(is_file, sources))
    if options.format is not None and not files:
        raise ParameterError("format is for files, and no file is given; remove it")
    if options.columns and not files and not any(map(is_table, sources)):
        raise ParameterError("columns is for tables and files, and none is given; remove it")


def check_order(judgments: Any, ranking: Any, options: ReadOptions) -> None:
    """Raise an error for nested lists of numbers, and for judgments and a ranking passed in swapped order."""
    if _is_number_matrix(judgments) and _is_number_matrix(ranking):
        raise InputError(
            "nested lists of numbers can mean two things: labels and scores by position, as in scikit-learn, or item "
            "ids; pass np.array(labels) and np.array(scores) for the former, {query: {item: grade}} and "
            "{query: [items]} for the latter"
        )
    if options.grades is None:
        _check_numbers(judgments, ranking)
    if options.columns or options.format:
        return
    if _role_of(judgments) == "ranking" and _role_of(ranking) == "judgments":
        places = zip((judgments, ranking), ("the first", "the second"), ("第一个", "第二个"), strict=True)
        first, second = (_place(source, *place) for source, *place in places)
        swapped = f"the arguments look swapped: {first.en} holds a ranking and {second.en} holds judgments"
        remedy = "pass the judgments first, or name the columns to read them as they are"
        chinese = f"两个参数的顺序似乎反了：{first.zh} 是排序结果，{second.zh} 是标注；请先给标注，或指明列名"
        raise InputError((f"{swapped}; {remedy}", chinese))


def _place(source: Any, en: str, zh: str) -> Phrase:
    """Return the path of a source, or which argument it is."""
    return Phrase(str(source), str(source)) if is_path(source) else Phrase(en, zh)


def _check_numbers(judgments: Any, ranking: Any) -> None:
    """Raise an error if the judgments have fractions only and the ranking has small integers, as swapped data have.

    Only dicts, rows and arrays need this: the columns of a frame or file say whether they hold grades or scores.
    """
    if not all(isinstance(score, int) and 0 <= score <= LARGE_GRADE for score in _some_numbers(ranking)):
        return  # mostly the first says no
    grades, scores = [*_some_numbers(judgments)], [*_some_numbers(ranking)]
    if not grades or not scores:
        return
    known = [grade for grade in grades if not (isinstance(grade, float) and math.isnan(grade))]
    fractions = known and all(isinstance(grade, float) and grade % 1 for grade in known)
    if fractions and (0 in scores or len({*scores}) < len(scores)):
        fraction, integer = shown(grades[0]), shown(scores[0])
        text = (
            f"the arguments look swapped: the judgments are fractions such as {fraction}, and the scores whole "
            f"numbers such as {integer}; pass the judgments first, or give scores as floats"
        )
        chinese = (
            f"两个参数的顺序似乎反了：标注是 {fraction} 这样的小数，分数是 {integer} 这样的整数；"
            "请先给标注，或把分数写成浮点数"
        )
        raise InputError((text, chinese))


def _some_numbers(source: Any) -> Iterable[Any]:
    """Return some grades or scores of dicts, rows and arrays."""
    if isinstance(source, np.ndarray):
        return source.ravel()[:SOME].tolist() if source.dtype.kind in "iuf" else []
    if isinstance(source, Mapping):
        lists = (value.values() for value in islice(source.values(), SOME) if isinstance(value, Mapping))
        return islice(chain.from_iterable(lists), SOME)
    rows = [*islice(source, SOME)] if isinstance(source, list) else []
    return [row[-1] for row in rows] if rows and are_rows(rows) else []


def _is_number_matrix(source: Any) -> bool:
    """Return whether the source is a list of lists of numbers, all of one length."""
    if not isinstance(source, list) or not source or not all(isinstance(row, list) and row for row in source):
        return False
    width = len(source[0])
    return all(len(row) == width and all(isinstance(cell, Real) for cell in row) for row in source)


def _role_of(source: Any) -> Role | None:
    """Return what a regular file or a frame holds, as far as its columns tell."""
    if not is_regular_file(source) and not is_table(source):
        return None
    from rankgauge.inputs.columns import role_of_columns  # noqa: PLC0415
    from rankgauge.inputs.formats.reader import format_of, inspect_source  # noqa: PLC0415 (loads polars)

    try:
        if is_path(source):  # a JSON document would be read as a whole
            return None if format_of(source) == "json" else inspect_source(source).role
        names = source.collect_schema().names() if hasattr(source, "collect_schema") else [*source.columns]
        return role_of_columns(names, "frame")
    except (InputError, OSError, AttributeError, TypeError, ValueError):
        return None


def read_table(
    source: Any, side: Role, options: ReadOptions, findings: Findings, *, by_group: bool = False
) -> pl.DataFrame:
    """Return a frame or a file as the columns query, item and grade or score; records may have a column group."""
    if not is_file(source):
        from rankgauge.inputs.frames import read_frame  # noqa: PLC0415

        return read_frame(
            source, side, options.columns_of(side), findings, options.lenient, by_group=by_group, split=options.split
        )
    from rankgauge.inputs.formats.reader import read_file  # noqa: PLC0415 (loads polars)

    return read_file(
        source,
        side,
        format=options.format_of(side),
        columns=options.columns_of(side),
        findings=findings,
        lenient=options.lenient,
        split=options.split,
        by_group=by_group,
    )
