"""The interface between a format and the code that recognises, reads and converts files."""

from __future__ import annotations

import csv
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property
from itertools import chain
from typing import IO, TYPE_CHECKING, Any, TypeAlias

import numpy as np
import polars as pl

from rankgauge.errors import InputError, Texts
from rankgauge.inputs.codes import Role
from rankgauge.inputs.column_roles import has_both_numbers, role_of_columns
from rankgauge.inputs.columns import SIDES, Columns, system_column
from rankgauge.inputs.findings import input_error
from rankgauge.inputs.io.compression import ByteStream, RawFile, split_compression
from rankgauge.inputs.io.input_file import InputFile
from rankgauge.inputs.io.lines import BOM, Block, FileContext, clean_text, line_blocks, not_utf8, split_block
from rankgauge.inputs.io.prefetch import prefetch
from rankgauge.inputs.item_rows import RowColumns, row_columns
from rankgauge.inputs.table_rows import note_rank_conflicts
from rankgauge.rendering.language import Phrase

if TYPE_CHECKING:
    from rankgauge.inputs.shapes.recognition import Recognised

Row: TypeAlias = tuple[str, str, float]
"""Query, item and number."""

NOTHING = Phrase("", "")
_INVALID = re.compile("[\0\ud800-\udfff]")
UNREADABLE = (pl.exceptions.PolarsError, pl.exceptions.PanicException)
"""What polars raises at text that it cannot parse; reading line by line finds the reason."""


class Confidence(IntEnum):
    """How strongly the beginning of a file suggests a format."""

    NONE = 0
    POSSIBLE = 1
    FALLBACK = 2  # used if no other format fits
    SEPARATORS = 3  # the first line has as many separators as a row of the format
    ENDING = 4  # the file name has an ending of the format
    START = 5  # the first line is a header, or starts as every line of the format does
    ROW = 6  # the first line is a valid row


@dataclass(frozen=True)
class Sample:
    """The beginning of a file, decompressed, from which its format and role are recognised."""

    head: bytes
    name: str
    role: Role | None = None
    """None if it is to be recognised as well."""

    @cached_property
    def line(self) -> bytes:
        """The first line with content that is not a comment; incomplete if the head ends in it."""
        for line in self.head.removeprefix(BOM).replace(b"\r", b"\n").split(b"\n"):
            if line.strip() and not line.lstrip().startswith(b"#"):
                return line.strip(b" ")
        return b""

    @property
    def text(self) -> str:
        """The first line as text."""
        return self.line.decode("utf-8", "replace")

    def check_text(self) -> None:
        """Raise an error if the first line is in another encoding than UTF-8, so that its names are unknown."""
        try:
            self.line.decode()
        except UnicodeDecodeError:
            message = Phrase("{name}:1: {reason}", "{name}:1：{reason}")
            raise input_error("RG103", message.fill(name=self.name, reason=not_utf8(self.line))) from None

    @property
    def next_line(self) -> str:
        """The line after the first, as text."""
        rest = self.head[self.head.find(self.line) + len(self.line) :].replace(b"\r", b"\n").lstrip(b"\n ")
        return rest.partition(b"\n")[0].decode("utf-8", "replace")

    @property
    def ending(self) -> str:
        """The ending of the file name, without that of a compression."""
        return split_compression(self.name)[0].rpartition(".")[2].lower()

    def fields(self, separator: str) -> list[str]:
        """Return the fields of the first line."""
        return split_record(self.text, separator)


@dataclass(frozen=True)
class OpenFile:
    """An open source and the options for reading it."""

    file: InputFile
    stream: ByteStream
    context: FileContext
    columns: Mapping[str, str] | None
    block_bytes: int
    shape: str | None = None
    """The name of the shape, None if it is to be recognised."""
    rewrite: Callable[[bytes], bytes] | None = None
    """Changes lines before they are parsed, but not their number."""
    recognised: Recognised | None = None
    """The shape of the records, if it was recognised before with the same shape and columns."""

    @property
    def source(self) -> RawFile:
        """What formats that read at random places open."""
        return self.file.source

    def on(self, stream: ByteStream) -> OpenFile:
        """Return the same file, read from another stream."""
        return replace(self, stream=stream)


@dataclass(frozen=True)
class Content:
    """What a file holds, as far as its content tells."""

    sides: tuple[Role, ...]
    recognised: Recognised | None = None
    """The shape of the records, None for rows with one item."""
    system: str | None = None
    """The column of rows with one item that names the system."""
    columns: tuple[str, ...] = ()
    """The columns of rows with one item."""

    @property
    def names_splits(self) -> bool:
        """Whether the records name their split."""
        return self.recognised is not None and bool(self.recognised.fit.split)

    @property
    def names_systems(self) -> bool:
        """Whether the records name the systems of their rankings."""
        return self.system is not None or (self.recognised is not None and self.recognised.shape.several_systems)

    @classmethod
    def of(cls, recognised: Recognised, name: str, role: Role | None) -> Content:
        """Return what a recognised file holds; an error if it could be two things, or lacks the role asked for."""
        if role is not None:
            recognised.check_role(role, name)
        sides = (role,) if role is not None and recognised.fit.by_role else recognised.only_role(name)
        return cls(sides, recognised)

    @classmethod
    def of_rows(
        cls,
        names: Sequence[str],
        name: str,
        role: Role | None,
        columns: Mapping[str, str] | None,
        guess: Callable[[], Role] | None = None,
    ) -> Content:
        """Return what a table of rows with one item holds: the role asked for, or what its columns tell.

        ``guess`` returns the role where the rows tell more than the columns.
        """
        sides: tuple[Role, ...] = (role,) if role else SIDES
        if role is None and not has_both_numbers(names, columns or {}):
            sides = (guess() if guess else role_of_columns(names, name),)
        system = system_column(names, columns) if "ranking" in sides else None
        return cls(sides, system=system, columns=(*names,))

    @classmethod
    def of_both(cls, inspect: Callable[[Role], Content], columns: Columns | None) -> Content | None:
        """Return the content of records of which the caller named the lists of each side; None for any other.

        ``inspect`` returns what the records hold if they are read as one side.
        """
        if not any("item" in ((columns or {}).get(side) or ()) for side in SIDES):
            return None
        try:
            judgments, ranking = (inspect(side).recognised for side in SIDES)
        except InputError:  # one side only
            return None
        if judgments is None or ranking is None or judgments.fit.evidence == ranking.fit.evidence:
            return None
        return cls(SIDES, ranking)

    @property
    def judges_returned_only(self) -> bool:
        """Whether only returned items have a grade, since each row of a table has a grade and a score."""
        return self.recognised is None and self.sides == SIDES

    @property
    def shape(self) -> str:
        """The name of the shape, empty for rows with one item."""
        return "" if self.recognised is None else self.recognised.shape.name

    @property
    def reason(self) -> Phrase:
        """Why the file was taken for this shape."""
        return NOTHING if self.recognised is None else self.recognised.reason


@dataclass(frozen=True)
class WriteOptions:
    """What a writer needs to know besides the rows."""

    role: Role
    name: str  # of the source, for error messages
    tag: str  # the name of the system, for formats that have a column for it


def read_only(*_: object) -> None:
    """Writer of formats that can only be read; ``writable`` of the registry prevents its call."""
    raise NotImplementedError


def unparsed(_: OpenFile) -> Parser:
    """Parser of formats that are not text."""
    raise NotImplementedError


@dataclass(frozen=True)
class Codec:
    """The functions that recognise, read and write one format."""

    read: Callable[[OpenFile], Iterator[pl.DataFrame]]
    """Yields frames of query, item and number; invalid rows are reported and left out."""
    guess_role: Callable[[Sample], Role] = lambda _: "judgments"
    """Returns whether a file holds judgments or a ranking, for formats without ``inspect``."""
    write: Callable[[Iterator[pl.DataFrame], IO[bytes], WriteOptions], None] = read_only
    """Writes frames of query, item and number."""
    parser: Callable[[OpenFile], Parser] = unparsed
    """Returns the parser of a text format."""
    scan: Callable[[Any], pl.LazyFrame] | None = None
    """Returns a table with all its columns, for formats that polars scans; the file is a path or in memory."""
    inspect: Callable[[OpenFile, Role | None], Content] | None = None
    """Returns what a file holds, for formats whose records can have a shape, and for the role asked for; the stream may
    be peeked at, and the source can be read again."""
    sniff: Callable[[Sample], Confidence] = lambda _: Confidence.NONE
    """Returns how strongly a sample suggests the format; not needed for a format with a signature."""


class Parser(ABC):
    """Parses the blocks of one text file in order: with polars, or line by line where polars could misread a line."""

    quoted = False
    """Whether a newline between double quotes does not end a line."""

    def __init__(self, file: OpenFile) -> None:
        self.context = file.context

    def parse_fast(self, block: Block) -> pl.DataFrame | None:  # noqa: ARG002
        """Parse a block with polars; return None if it could be misread."""
        return None

    @abstractmethod
    def rows(self, block: Block) -> Iterator[tuple[Any, ...] | None]:
        """Parse a block line by line; invalid lines are reported and yield None."""

    def finish(self) -> None:  # noqa: B027 (most formats end anywhere)
        """Raise an error if the file ended too early; called after the last block."""

    def parse_exactly(self, block: Block) -> pl.DataFrame:
        """Parse a block line by line into a frame of the valid rows."""
        return self.context.frame([row for row in self.rows(block) if row is not None])

    def parse(self, block: Block) -> pl.DataFrame:
        """Return query, item and number of the lines of a block."""
        frame = self.parse_fast(block)
        if frame is not None:
            return frame
        pieces = [*split_block(block, quoted=self.quoted)]
        if len(pieces) == 1:
            return self.parse_exactly(block)
        frames = ((piece, self.parse_fast(piece)) for piece in pieces)
        return pl.concat([self.parse_exactly(piece) if frame is None else frame for piece, frame in frames])


class TableParser(Parser):
    """Parses a text table with named columns: finds them in the first record, and checks rows where needed."""

    def __init__(self, file: OpenFile) -> None:
        super().__init__(file)
        self.given = file.columns or {}
        self.columns: RowColumns | None = None

    def recognise(self, names: Sequence[str], line: int) -> tuple[str, ...]:
        """Return the names of the query, item and number columns, and of the rank next to a score."""
        try:
            self.columns = row_columns(names, self.context, self.given, f"{self.context.name}:{line}")
        except InputError:
            findings = self.context.findings
            if "RG103" in {finding.code for finding in findings.errors}:  # names in another encoding
                findings.raise_errors(lenient=False)
            raise
        return self.columns.names

    @property
    def all_relevant(self) -> bool:
        """Whether no column has the number, because every row is relevant."""
        return self.columns is not None and self.columns.number is None

    def with_ones(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Return the frame with ones where no column has the number."""
        return frame.with_columns(pl.lit(1.0).alias(self.context.number)) if self.all_relevant else frame

    @property
    def kinds(self) -> list[str]:
        """What the columns hold."""
        more = [kind for kind in ("rank", "system") if self.columns and getattr(self.columns, kind) is not None]
        return ["query", "item", self.context.number, *more]

    def parse(self, block: Block) -> pl.DataFrame:
        """Return query, item and number of the records of a block; a rank becomes a negative score."""
        if not block.text.strip():
            return self.context.frame()
        self.context.rows_begun = True
        return self.finished(super().parse(block))

    def finished(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Return query, item and number of rows: what contradicts a rank is reported, a rank becomes a score."""
        if "rank" in frame.columns:
            note_rank_conflicts(frame, self.context)
            frame = frame.drop("rank")
        return frame.with_columns(-pl.col("score")) if self.columns and self.columns.by_rank else frame

    def parse_exactly(self, block: Block) -> pl.DataFrame:
        """Parse a block line by line into a frame of the valid rows."""
        return self.frame_of(self.rows(block))

    def frame_of(self, rows: Iterable[tuple[object, ...] | None]) -> pl.DataFrame:
        """Return a frame of the valid rows."""
        valid = [row for row in rows if row is not None]
        schema = {kind: pl.Float64 if kind == self.context.number else pl.String for kind in self.kinds}
        return pl.DataFrame(valid, schema=schema, orient="row")

    def is_complete(self, frame: pl.DataFrame) -> bool:
        """Whether polars read every value: none is missing, no id is empty, every number is finite."""
        ids, numbers = (frame["query"], frame["item"]), frame[self.context.number]
        if any(column.null_count() for column in (*ids, numbers)) or not np.isfinite(numbers.to_numpy()).all():
            return False
        return not any(bool((column == "").any()) for column in ids)

    def check_row(
        self, place: str | Texts | int, query: str, item: str, text: str, *rank: str
    ) -> tuple[object, ...] | None:
        """Return a row, or report what is wrong with it and return None."""
        if not query or not item:
            kind = Phrase("item", "物品") if query else Phrase("query", "查询")
            message = Phrase(f"the {kind.en} id is empty", f"{kind.zh}的标识为空")
            self.context.report("RG208", place, message, query, item)
            return None
        if _INVALID.search(query + item):
            message = Phrase("an id contains a NUL or half of a surrogate pair", "标识中有 NUL 或不成对的代理字符")
            self.context.report("RG104", place, message, query, item)
            return None
        number = self.context.parse_number(text.strip(), place, query, item)
        return None if number is None else (query, item, number, *rank)


def text_codec(parser: Callable[[OpenFile], Parser], **functions: Any) -> Codec:
    """Return the codec of a text format, which parses a block of lines while the next is read."""

    def read(file: OpenFile) -> Iterator[pl.DataFrame]:
        parsing = parser(file)
        blocks = line_blocks(file.stream, file.block_bytes, quoted=parsing.quoted, rewrite=file.rewrite)
        first = next(blocks, None)
        if first is not None:
            all_blocks = iter([first]) if first.is_last else prefetch(chain([first], blocks))  # one needs no thread
            for block in all_blocks:
                yield parsing.parse(clean_text(block, file.context))
        parsing.finish()

    return Codec(read=read, parser=parser, **functions)


class DamagedFileError(Exception):
    """The structure of a file is not valid."""


class ScatteredQueriesError(Exception):
    """A writer needs the rows of a query together, and they are not."""


def split_record(line: str, separator: str) -> list[str]:
    """Return the fields of one line of a table, with quotes resolved."""
    with any_field_size(len(line)):
        return next(csv.reader([line], delimiter=separator), [])


@contextmanager
def any_field_size(longest: int) -> Iterator[None]:
    """Let a field be this long: an id may exceed Python's limit of 131,072 characters."""
    limit = csv.field_size_limit(longest + 1)
    try:
        yield
    finally:
        csv.field_size_limit(limit)


def integral_grades(block: pl.DataFrame) -> pl.DataFrame:
    """Return the block with integer grades if all of them are whole numbers below 2^53."""
    if "grade" not in block.columns:
        return block
    grades = block["grade"]
    if not bool(((grades == grades.round(0)) & (grades.abs() < 2**53)).all()):
        return block
    return block.with_columns(pl.col("grade").cast(pl.Int64))
