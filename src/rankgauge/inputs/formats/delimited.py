"""Tables with a header and a separator between columns: CSV and TSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import IO, Any

import polars as pl

from rankgauge.errors import InputError, shown
from rankgauge.inputs.codes import Role
from rankgauge.inputs.columns import check_number_of_columns, looks_like_header, names_lists
from rankgauge.inputs.formats.codec import (
    UNREADABLE,
    Codec,
    Confidence,
    Content,
    OpenFile,
    Sample,
    TableParser,
    WriteOptions,
    any_field_size,
    integral_grades,
    split_record,
    text_codec,
)
from rankgauge.inputs.io.lines import HEAD, Block
from rankgauge.inputs.shapes.entry_rows import EntryRows
from rankgauge.inputs.shapes.recognition import Recognised, recognise_record
from rankgauge.rendering.language import Phrase


@dataclass(frozen=True)
class Delimited:
    """A table format: its separator, its file ending, and separators that are also accepted when reading."""

    separator: str
    ending: str
    others: tuple[str, ...] = ()
    quotes: bool = True
    """Whether a cell may be in double quotes; otherwise they are part of the text."""
    places: Mapping[str, str] = field(default_factory=dict)
    """Positions of the columns from 1, as text, in a table without a header."""

    def codec(self) -> Codec:
        """Return the codec of the format."""
        return text_codec(
            lambda file: DelimitedParser(file, self), write=self._write, inspect=self._inspect, sniff=self._sniff
        )

    def _sniff(self, sample: Sample) -> Confidence:
        for separator in (self.separator, *self.others):
            fields = sample.fields(separator)
            if len(fields) > 1 and (looks_like_header(fields) or names_lists(fields)):
                return Confidence.START
        if sample.ending == self.ending:
            return Confidence.ENDING
        if self.separator == "," and sample.line.count(b",") >= max(2, len(sample.line.split()) - 1):
            return Confidence.SEPARATORS  # a table without header; its reader asks for the columns
        return Confidence.POSSIBLE if self.separator == "," or self.separator in sample.text else Confidence.NONE

    def _write(self, blocks: Iterator[pl.DataFrame], file: IO[bytes], _: WriteOptions) -> None:
        for number, block in enumerate(blocks):
            integral_grades(block).write_csv(file, separator=self.separator, include_header=number == 0)

    def _inspect(self, file: OpenFile, role: Role | None) -> Content:
        """Return what the header and the first row say."""
        sample = Sample(file.stream.peek(HEAD), file.context.name)
        fields = sample.fields(self.separator_of(sample.text))
        recognised = self.recognise(fields, sample.next_line, file)
        if recognised is not None:
            return Content.of(recognised, sample.name, role)
        try:
            return Content.of_rows(fields, sample.name, role, file.columns)
        except InputError:
            sample.check_text()
            raise

    def recognise(self, names: list[str], line: str, file: OpenFile) -> Recognised | None:
        """Return the shape of the rows, None if each has one item."""
        if file.recognised is not None:
            return file.recognised
        cells = split_record(line, self.separator_of(line))
        record = dict(zip(map(str.strip, names), [*cells, *[""] * len(names)], strict=False))
        return recognise_record(record, file.context.name, file.shape, file.columns)

    def separator_of(self, header: str) -> str:
        """Return the separator of a header: another one only if the usual one does not occur."""
        return next((mark for mark in (self.separator, *self.others) if mark in header), self.separator)


class DelimitedParser(TableParser):
    """Parses one CSV or TSV file."""

    def __init__(self, file: OpenFile, table: Delimited) -> None:
        super().__init__(file)
        self.given = self.given or table.places
        self.quoted = table.quotes
        self._file = file
        self._table = table
        self._separator = ""
        self._entries: EntryRows | None = None
        self._names: list[str] = []
        self._places: tuple[int, ...] = ()
        """Positions of query, item, number and perhaps rank."""

    def parse(self, block: Block) -> pl.DataFrame:
        """Return query, item and number of the records of a block."""
        if not self._names:
            block = self._read_header(block)
        return super().parse(block) if self._entries is None else self._parse_entries(block, self._entries)

    def _parse_entries(self, block: Block, entries: EntryRows) -> pl.DataFrame:
        with any_field_size(len(block.text)):
            for line, fields in self._records(block):
                entries.add(dict(zip(self._names, fields, strict=True)), line)
        return entries.take()

    def _read_header(self, block: Block) -> Block:
        """Find the columns in the first line with content, and return the lines after it."""
        text = block.text.lstrip()
        if not text:
            return Block(b"", block.line)
        start = block.text.rfind(b"\n", 0, len(block.text) - len(text)) + 1
        end = block.text.find(b"\n", start) + 1 or len(block.text)
        line = block.line + block.text.count(b"\n", 0, start)
        header = block.text[start:end].decode().rstrip("\n")
        self._separator = self._table.separator_of(header)
        names = split_record(header, self._separator) if self.quoted else header.split(self._separator)
        check_number_of_columns(names, f"{self.context.name}:{line}")
        positions = [str(place) for place in range(1, len(names) + 1)]
        given = [value for value in self.given.values() if value]
        by_position = bool(given) and all(value.isdigit() for value in given)
        is_header = names in (positions, ["0", *positions[:-1]]) and not self._table.places
        by_position = by_position and not is_header
        self._names = positions if by_position else [name.strip() for name in names]
        rest = Block(block.text[start:], line) if by_position else Block(block.text[end:], line + 1)
        first_row = rest.text.partition(b"\n")[0].decode()
        recognised = None if by_position else self._table.recognise(self._names, first_row, self._file)
        if recognised is None:
            self._places = tuple(map(self._names.index, self.recognise(self._names, line)))
        else:
            recognised.check_role(self.context.role, self.context.name)
            self._entries = EntryRows(self.context, recognised.fit)
        return rest

    def parse_fast(self, block: Block) -> pl.DataFrame | None:
        """Parse a block with polars; return None if it could be misread."""
        quoted = self.quoted and b'"' in block.text
        if quoted and not self._quotes_are_at_borders(block.text):
            return None
        wanted = dict(zip(self._places, self.kinds, strict=False))  # without the number if every row is relevant
        last = len(self._names) - 1
        keys = [wanted.get(place, f"_{place}") for place in range(last + 1)]
        # Quoted numbers are read as text: polars 2.1 panics at a number that is a lone quote.
        direct = "" if quoted else self.context.number
        schema = {key: pl.Float64() if key == direct else pl.String() for key in keys}
        header = self._separator.join(keys).encode() + b"\n"
        try:
            frame = pl.read_csv(
                header + block.text,
                separator=self._separator,
                quote_char='"' if self.quoted else None,
                schema=schema,
                columns=sorted({*self._places, last}),
                truncate_ragged_lines=True,
            )
        except UNREADABLE:
            return None
        frame = self.with_ones(frame)
        if quoted:
            frame = frame.with_columns(pl.col(self.context.number).cast(pl.Float64, strict=False))
        # A last field that is not null shows that no row is too short; then the separators show that none is too long.
        too_long = block.count(ord(self._separator)) != last * frame.height
        if too_long or frame[keys[last]].null_count() or not self.is_complete(frame):
            return None
        return frame.select(self.kinds)

    def _quotes_are_at_borders(self, text: bytes) -> bool:
        """Whether each quote opens or closes a field; readers disagree about quotes inside fields."""
        mark = b'"'
        borders = (self._separator.encode(), b"\n")
        text = b"\n" + text + b"\n"  # so that the first and the last quote have a border, too
        if any(before + mark + after in text for before in borders for after in borders):
            return False
        opening = sum(text.count(before + mark) for before in borders)
        closing = sum(text.count(mark + after) for after in borders)
        return opening + closing == text.count(mark)

    def parse_exactly(self, block: Block) -> pl.DataFrame:
        """Parse a block record by record into a frame of the valid rows."""
        with any_field_size(len(block.text)):
            return super().parse_exactly(block)

    def rows(self, block: Block) -> Iterator[tuple[Any, ...] | None]:
        """Parse the records one by one."""
        for place, fields in self._records(block):
            query, item, *numbers = (fields[position] for position in self._places)
            number, *rank = numbers or ["1"]
            yield self.check_row(place, query, item, number, *rank)

    def _records(self, block: Block) -> Iterator[tuple[int, list[str]]]:
        """Yield the line and the fields of each record with as many columns as the header; others are reported."""
        content = io.StringIO(block.text.decode(), newline="")
        quoting: Any = csv.QUOTE_MINIMAL if self.quoted else csv.QUOTE_NONE
        records = csv.reader(content, delimiter=self._separator, quoting=quoting, strict=True)
        line, width = block.line, len(self._names)
        while True:
            place = line
            try:
                fields = next(records)
            except StopIteration:
                return
            except csv.Error as reason:
                message = Phrase(f"not a record of {width} columns: {reason}", f"不是一条 {width} 列的记录：{reason}")
                self.context.report("RG110", place, message)
                continue
            finally:
                line = block.line + records.line_num
            if len(fields) == width:
                yield place, fields
            elif fields:
                text = shown(self._separator.join(fields))
                message = Phrase(
                    f"expected {width} columns, found {len(fields)}: {text}",
                    f"应有 {width} 列，实有 {len(fields)} 列：{text}",
                )
                self.context.report("RG108", place, message)
