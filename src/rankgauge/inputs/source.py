"""Source: judgments or a ranking that a caller passed, with its form recognised once and how it is read."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from numbers import Real
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from rankgauge.errors import InputError
from rankgauge.inputs.codes import Column, Role
from rankgauge.inputs.columns import check_no_distance
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.frame_kinds import host_array, is_array, is_column, is_pandas
from rankgauge.inputs.io.input_file import InputFile
from rankgauge.inputs.io.paths import split_system
from rankgauge.inputs.read_options import ReadOptions
from rankgauge.value_checks import is_nested, unmasked

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.inputs.sheet_labels import SheetLabels

Form: TypeAlias = Literal["file", "frame", "records", "array", "object"]
"""What a source is: a file, stream or group of files; a frame; dicts, rows or a sparse matrix; a NumPy array. Data of
``rg.read`` hold an object as it is, of which a call makes one of these."""


TABLES = {"file", "frame"}
"""The forms that are read as columns."""
MATRIX = 2
"""The dimensions of a matrix."""


@dataclass(frozen=True, eq=False)
class Source:
    """Judgments, or the ranking of one system: a file is read when needed, in the format and shape that it has."""

    value: Any
    """A frame, an array, or dicts and rows; an ``InputFile`` for a file."""
    form: Form
    role: Role
    options: ReadOptions
    """How it is read."""
    name: str = ""
    """The name of the file, or the type of the object."""
    description: str = ""
    """What ``rg.read`` took it for, and why."""
    is_held: bool = False
    """Whether data of ``rg.read`` hold it, to which the options of a call are added."""
    is_clean: bool = False
    """Whether it is a frame with the columns that readers return, of which nothing needs to be checked."""
    file: InputFile | None = None
    """The file, None for an object."""
    files: tuple[str, ...] = ()
    """The names of the files whose judgments were taken together."""
    read_from: InputFile | None = None
    """The file that the rows of a frame were read from."""
    names_items: bool = True
    """Whether items have ids; otherwise they are named by the number of their row."""
    from_pandas: bool = False
    findings: Findings | None = None
    """What was noticed while records became a table."""
    raw: Any = None
    """The records that the table was made of."""

    @classmethod
    def of(cls, value: Any, role: Role, options: ReadOptions) -> Source:
        """Return a source as it is, and recognise the form of anything else."""
        if isinstance(value, Source):
            return value.for_call(options) if value.is_held else value
        source = cls._recognised(value, role, options)
        if options.documents is None or (role == "ranking" and not options.spans):  # they are for judged spans
            return source
        from rankgauge.inputs.located_texts import located  # noqa: PLC0415 (only for texts of documents)

        return located(source)

    @classmethod
    def _recognised(cls, value: Any, role: Role, options: ReadOptions) -> Source:
        if isinstance(value, str | PathLike | InputFile) or hasattr(value, "read"):
            file = value if isinstance(value, InputFile) else InputFile(value)
            if file.path and not file.is_regular and not file.files:
                from rankgauge.inputs.formats.file_groups import input_file  # noqa: PLC0415 (only for folders)

                file, split = input_file(value, role, options.split)
                options = options if split == options.split else replace(options, split=split)
            return cls(file, "file", role, options, file.name, file=file)
        if role == "ranking" and is_column(value):
            check_no_distance(getattr(value, "name", None), role)
        name, value = type(value).__name__, host_array(value)
        if isinstance(value, np.ndarray):
            is_judged = role == "judgments"
            value = unmasked(value, "labels" if is_judged else "scores", may_be_missing=is_judged)
            return cls(value, "array", role, options, name)
        value = replayable(value)
        if not _may_be_object(value):
            return cls(value, form_of(value), role, options, name, from_pandas=is_pandas(value))
        return cls._of_object(value, role, options, name)

    @classmethod
    def _of_object(cls, value: object, role: Role, options: ReadOptions, name: str) -> Source:
        """Return a frame or dicts for records and objects of other libraries."""
        from rankgauge.inputs.objects import as_table, split_of  # noqa: PLC0415 (loads polars)

        if role == "judgments" and (part := split_of(value, options.split)) is not None:
            value, options = part, replace(options, split=None)
        findings = Findings()
        table, is_checked = as_table(value, role, options, findings)
        findings.raise_errors(options.lenient)
        has_our_names = is_checked and options.columns and "item" in getattr(table, "columns", ())
        options = replace(options, columns=None) if has_our_names else options
        is_clean = is_checked and role == "judgments" and "grade" in getattr(table, "columns", ())
        return cls(table, form_of(table), role, options, name, findings=findings, is_clean=is_clean, raw=value)

    def for_call(self, options: ReadOptions) -> Source:
        """Return a side of data with the options of a call, but the columns and format it was recognised with."""
        held = self.options
        lenient, split = options.lenient or held.lenient, options.split or held.split
        options = replace(options, columns=held.columns, format=held.format, lenient=lenient, split=split)
        if self.form == "object":
            source, findings = Source.of(self.value, self.role, options), Findings()
            for noted in (self.findings, source.findings):
                findings.merge(noted or Findings())
            name, description = self.name, self.description
            return replace(source, name=name, description=description, read_from=self.read_from, findings=findings)
        return replace(self, options=options, is_held=False)

    @property
    def given_file(self) -> InputFile | None:
        """The file that was passed, None for data in memory."""
        return self.file or self.read_from

    @property
    def format(self) -> str:
        """The format of a regular file, empty for any other source."""
        if self.form != "file" or not self.value.is_regular:
            return ""
        from rankgauge.inputs.formats.reader import suggested_format  # noqa: PLC0415 (loads polars)

        return suggested_format(self.value, self.role, self.options.side(self.role)).name

    def close(self) -> None:
        """Close a file until it is read."""
        if self.form == "file":
            self.value.close()

    def rows(self, findings: Findings, column: Column = "", *, keeps_empty: bool = False) -> pl.DataFrame:
        """Return a file or frame as the columns query, item and grade or score; records may have a column group.

        With the column span, rows of spans may have the columns of spans instead of the item. A query with an empty
        list has a row without an item if ``keeps_empty``, or with the column group.
        """
        if self.is_clean:
            frame: pl.DataFrame = self.value
            return frame if column == "group" else frame.drop_nulls("item")
        if self.form == "file":
            from rankgauge.inputs.formats.reader import read_file, suggested_format  # noqa: PLC0415 (loads polars)

            file, side_options = self.value, self.options.side(self.role)
            if (
                self.role == "judgments"
                and not file.files
                and suggested_format(file, self.role, side_options).named_columns
            ):
                labels = self.sheet_labels(findings)
                if labels is not None:
                    return labels.judgments()
            return read_file(
                self.value, self.role, self.options, findings=findings, column=column, keeps_empty=keeps_empty
            )
        from rankgauge.inputs.frames import read_frame  # noqa: PLC0415 (loads polars)

        name = self.role if self.read_from is None else self.name
        return read_frame(self.value, self.role, self.options, findings, column, keeps_empty=keeps_empty, name=name)

    def sheet_labels(self, findings: Findings) -> SheetLabels | None:
        """Return the labels of a file that was made with a judging sheet, None for any other source."""
        from rankgauge.inputs.sheet_labels import HEAD, SheetLabels, is_sheet_file  # noqa: PLC0415 (only for tables)

        file = self.file
        if file is None or file.files or not (file.is_regular or file.is_loaded):
            return None
        if not is_sheet_file(file.stream.peek(HEAD)):
            return None
        content = file.stream.read()
        file.close()
        return SheetLabels.parse(content, file.name, findings)

    def place(self, query: object, item: object, occurrence: int) -> str:
        """Return the line of a file with the n-th occurrence of a query, or of an item of it."""
        from rankgauge.inputs.formats.line_search import find_place  # noqa: PLC0415 (loads polars)

        return find_place(self.value, self.role, self.options, query, item, occurrence)

    def frame(self, findings: Findings | None = None) -> pl.DataFrame:
        """Return all rows as a polars frame of query, item, and grade or score; findings are added to those given."""
        findings = Findings() if findings is None else findings
        source = self.for_call(self.options)
        if isinstance(source.value, Mapping):
            from rankgauge.inputs.frames import frame_of_dict  # noqa: PLC0415 (loads polars)

            return frame_of_dict(source.value, self.role)
        frame = source.rows(findings)
        findings.raise_errors(self.options.lenient)
        return frame

    def __repr__(self) -> str:
        return f"<{self.role} of {self.name}: {self.description}>"


def is_file(value: object) -> bool:
    """Return whether the object names a file or is an open one."""
    return isinstance(value, str | PathLike | InputFile) or hasattr(value, "read")


def form_of(value: object) -> Form:
    """Return the form of an object."""
    if isinstance(value, Mapping | list | tuple):
        return "records"
    if is_array(value) or is_column(value):
        return "array"
    if is_file(value):
        return "file"
    from rankgauge.inputs.frames import is_frame  # noqa: PLC0415 (loads polars)

    return "frame" if is_frame(value) else "records"


def replayable(source: object) -> Any:
    """Return the source with one-shot iterators turned into lists, so that looking at it does not use it up."""
    if isinstance(source, Iterator) and not is_file(source):
        return replayable([*source])
    if isinstance(source, Mapping):
        return {key: _listed(value) for key, value in source.items()} if iterators(source.values()) else source
    if isinstance(source, list | tuple) and iterators(source):
        return [*map(_listed, source)]
    return source


def iterators(values: Collection[Any]) -> list[Iterator[object]]:
    """Return the values that can be gone through only once; the types tell quickly whether there are any."""
    if not any(issubclass(kind, Iterator) for kind in {*map(type, values)}):
        return []
    return [value for value in values if isinstance(value, Iterator)]


def _listed(value: object) -> Any:
    return [*value] if isinstance(value, Iterator) and not is_file(value) else value


def _may_be_object(source: object) -> bool:
    """Whether a source may be something else than numbers by item, lists of ids, rows and frames."""
    values = source.values() if isinstance(source, Mapping) else source if isinstance(source, list | tuple) else None
    if values is None:
        return form_of(source) != "frame"
    first = next(iter(values), None)
    if isinstance(source, Mapping):
        # splits of a data set, responses of a search engine, or its error
        if hasattr(first, "to_polars") or is_nested(source) or "error" in source:
            return True
        first = next((value[0] for value in values if isinstance(value, list) and value), None)
    return first is not None and not isinstance(first, str | Real | set | frozenset | np.ndarray)


def check_distinct(sources: Mapping[str, object]) -> None:
    """Raise an error if one iterator or open file is given twice: the second reading would find nothing."""
    owner: dict[int | str, str] = {}
    for name, source in sources.items():
        for key, kind in _one_shot(source):
            if key in owner:
                where = f"used twice in the {name}" if owner[key] == name else f"given for {owner[key]} and {name}"
                raise InputError(f"one {kind} is {where}, but can be read only once; pass a list or a file name")
            owner[key] = name


def _one_shot(source: Any) -> Iterator[tuple[int | str, str]]:
    """Yield what can be read only once in a source, with the name of its type."""
    listed = isinstance(source, list | tuple) and isinstance(next(iter(source), None), Iterator)
    inner = source.values() if isinstance(source, Mapping) else source if listed else ()
    for value in iterators(inner):
        yield id(value), type(value).__name__
    if isinstance(source, Iterator) or hasattr(source, "read"):
        yield id(source), type(source).__name__
    elif isinstance(source, str | PathLike) and InputFile(file := split_system(source)[0]).is_one_shot:
        yield str(file), type(source).__name__  # standard input or a pipe
