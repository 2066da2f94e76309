"""Tables of lines with named columns: CSV, TSV and JSONL."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import polars as pl

from rankgauge.errors import shown
from rankgauge.inputs.columns import recognise_columns
from rankgauge.inputs.formats.sniff import split_record
from rankgauge.inputs.io.lines import NUMBER, Block, FileContext, empty_frame, split_block

_ESCAPES = re.compile(rb"\\u(?:0000|[dD][89a-fA-F])")  # NUL and surrogates


def ids_and_number(reading: FileContext, found: Mapping[str, str]) -> tuple[str, str, str, bool]:
    """The columns of query, item and number, and whether the number is a rank (so that less is better)."""
    by_rank = reading.role == "ranking" and "score" not in found
    return found["query"], found["item"], found["rank" if by_rank else reading.number], by_rank


class _LineTable:
    """What CSV, TSV and JSONL have in common: columns found in the first record, and rows checked one by one."""

    def __init__(self, reading: FileContext, columns: Mapping[str, str] | None) -> None:
        self._reading = reading
        self._given = columns
        self._by_rank = False

    def _frame(self, rows: list[tuple[str, str, float]]) -> pl.DataFrame:
        schema = {"query": pl.String, "item": pl.String, self._reading.number: pl.Float64}
        return self._ordered(pl.DataFrame(rows, schema=schema, orient="row")) if rows else empty_frame(self._reading)

    def _ordered(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Ranks as scores: the first is the highest."""
        return frame.with_columns(-pl.col("score")) if self._by_rank else frame

    def _plain(self, frame: pl.DataFrame) -> bool:
        """Whether polars read every value: nothing missing, no id empty, every number finite."""
        number = frame[self._reading.number]
        if any(frame[name].null_count() for name in ("query", "item", self._reading.number)):
            return False
        if not np.isfinite(number.to_numpy()).all():
            return False
        return not any(bool((frame[name] == "").any()) for name in ("query", "item"))

    def _row(self, place: str | int, query: str, item: str, text: str) -> tuple[str, str, float] | None:
        """One row, or None where it is wrong."""
        reading = self._reading
        if not query or not item:
            reading.add("RG208", place, f"the id of the {'item' if query else 'query'} is empty", query, item)
            return None
        if "\0" in query + item or not _is_unicode(query + item):
            reading.add("RG103", place, "an id holds a NUL or half of a surrogate pair", query, item)
            return None
        text = text.strip()
        if not NUMBER.fullmatch(text.encode("utf-8", "replace")):
            reading.add_bad_number(place, text, query, item)
            return None
        number = float(text)
        return (query, item, number) if reading.accepts(number, place, text, query, item) else None


class DelimitedReader(_LineTable):
    """Reads blocks of one CSV or TSV file, in order."""

    def __init__(self, reading: FileContext, columns: Mapping[str, str] | None, separator: str) -> None:
        super().__init__(reading, columns)
        self._separator = separator
        self._names: list[str] = []
        self._wanted: tuple[int, int, int] = (0, 0, 0)

    def parse(self, block: Block) -> pl.DataFrame:
        """Query, item and number of the records of a block."""
        if not self._names:
            rest = self._read_header(block)
            if rest is None:
                return empty_frame(self._reading)
            block = rest
        if not block.text.strip():
            return empty_frame(self._reading)
        self._reading.rows_begun = True
        frame = self._fast(block)
        if frame is not None:
            return self._ordered(frame)
        parts = ((piece, self._fast(piece)) for piece in split_block(block, quoted=True))
        return pl.concat([self._exact(piece) if part is None else self._ordered(part) for piece, part in parts])

    def _read_header(self, block: Block) -> Block | None:
        """Find the columns in the first line with content; what follows it is data."""
        start, line = 0, block.line
        while start < len(block.text):
            end = block.text.find(b"\n", start) + 1 or len(block.text)
            if block.text[start:end].strip():
                break
            start, line = end, line + 1
        else:
            return None
        header = block.text[start:end].decode().rstrip("\n")
        if self._separator == "," and "," not in header and ";" in header:
            self._separator = ";"
        names = split_record(header, self._separator)
        given = self._given or {}
        by_position = bool(given) and all(value.isdigit() for value in given.values()) and not _counts(names)
        self._names = [str(at) for at in range(1, len(names) + 1)] if by_position else [name.strip() for name in names]
        found = recognise_columns(self._names, self._reading.role, given, f"{self._reading.name}:{line}")
        *wanted, self._by_rank = ids_and_number(self._reading, found)
        query, item, number = (self._names.index(name) for name in wanted)
        self._wanted = (query, item, number)
        return Block(block.text[start:], line) if by_position else Block(block.text[end:], line + 1)

    def _fast(self, block: Block) -> pl.DataFrame | None:
        """The block parsed by polars, or None where it could be wrong."""
        quoted = b'"' in block.text
        if quoted and not self._quotes_are_at_borders(block.text):
            return None
        query, item, number = self._wanted
        wanted = {query: "query", item: "item", number: self._reading.number}
        last = len(self._names) - 1
        keys = [wanted.get(at, f"_{at}") for at in range(last + 1)]
        # Numbers between quotes go through text: polars 2.1 panics at a number that is a lone quote.
        direct = "" if quoted else self._reading.number
        schema = {key: pl.Float64() if key == direct else pl.String() for key in keys}
        header = self._separator.join(keys).encode() + b"\n"
        try:
            frame = pl.read_csv(
                header + block.text,
                separator=self._separator,
                schema=schema,
                columns=sorted({*self._wanted, last}),
                truncate_ragged_lines=True,
            )
        except pl.exceptions.PolarsError:
            return None
        if quoted:
            frame = frame.with_columns(pl.col(self._reading.number).cast(pl.Float64, strict=False))
        # A last field that is not null shows that no row is too short; then the separators show that none is too long.
        too_long = block.count(ord(self._separator)) != last * frame.height
        if too_long or frame[keys[last]].null_count() or not self._plain(frame):
            return None
        return frame.select("query", "item", self._reading.number)

    def _quotes_are_at_borders(self, text: bytes) -> bool:
        """Whether each quote opens or closes a field, and none stands within one, where readers disagree."""
        mark, cut = b'"', self._separator.encode()
        borders = (cut, b"\n")
        text = b"\n" + text + b"\n"  # so that the first and the last quote have a border, too
        if any(before + mark + after in text for before in borders for after in borders):
            return False
        opening = sum(text.count(before + mark) for before in borders)
        closing = sum(text.count(mark + after) for after in borders)
        return opening + closing == text.count(mark)

    def _exact(self, block: Block) -> pl.DataFrame:
        usual = csv.field_size_limit(len(block.text) + 1)  # an id may be longer than Python's 131,072 letters
        try:
            return self._frame(list(self._rows(block)))
        finally:
            csv.field_size_limit(usual)

    def _rows(self, block: Block) -> Iterator[tuple[str, str, float]]:
        records = csv.reader(io.StringIO(block.text.decode(), newline=""), delimiter=self._separator, strict=True)
        query, item, number = self._wanted
        line = block.line
        while True:
            place = line
            try:
                fields = next(records)
            except StopIteration:
                return
            except csv.Error as reason:
                self._reading.add("RG110", place, f"not a record of {len(self._names)} columns: {reason}")
                continue
            finally:
                line = block.line + records.line_num
            if not fields:
                continue
            if len(fields) != len(self._names):
                start = shown(self._separator.join(fields))
                expected = f"{len(fields)} columns where the header has {len(self._names)}: {start}"
                self._reading.add("RG108", place, expected)
                continue
            row = self._row(place, fields[query], fields[item], fields[number])
            if row is not None:
                yield row


class JsonReader(_LineTable):
    """Reads blocks of one JSONL file, in order: an object a line."""

    def __init__(self, reading: FileContext, columns: Mapping[str, str] | None) -> None:
        super().__init__(reading, columns)
        self._keys: tuple[str, str, str] | None = None

    def parse(self, block: Block) -> pl.DataFrame:
        """Query, item and number of the objects of a block."""
        if not block.text.strip():
            return empty_frame(self._reading)
        self._reading.rows_begun = True
        if self._keys is None:
            self._find_keys(block)
        frame = self._fast(block)
        if frame is not None:
            return self._ordered(frame)
        parts = ((piece, self._fast(piece)) for piece in split_block(block))
        return pl.concat([self._exact(piece) if part is None else self._ordered(part) for piece, part in parts])

    def _find_keys(self, block: Block) -> None:
        """Take the columns from the first object that can be read."""
        for line, raw in enumerate(block.text.split(b"\n"), block.line):
            try:
                record = json.loads(raw)
            except (ValueError, RecursionError):
                continue
            if isinstance(record, dict):
                found = recognise_columns(list(record), self._reading.role, self._given, f"{self._reading.name}:{line}")
                *keys, self._by_rank = ids_and_number(self._reading, found)
                self._keys = (keys[0], keys[1], keys[2])
                return

    def _fast(self, block: Block) -> pl.DataFrame | None:
        """The block parsed by polars, or None where it could be wrong."""
        keys = self._keys
        if keys is None:
            return None
        text, names = block.text, [json.dumps(key).encode() for key in keys]
        # Nested values, a key given twice and ids like 1e-7 are read differently by different parsers.
        if b"[" in text or _ESCAPES.search(text) or any(text.count(name) != block.rows for name in names):
            return None
        if any(re.search(re.escape(name) + rb"\s*:\s*-?\d+[.eE]", text) for name in names[:2]):
            return None
        schema = dict(zip(keys, (pl.String(), pl.String(), pl.Float64()), strict=True))
        try:
            frame = pl.read_ndjson(block.text, schema=schema)
        except pl.exceptions.PolarsError:
            return None
        frame = frame.select(
            pl.col(keys[0]).alias("query"), pl.col(keys[1]).alias("item"), pl.col(keys[2]).alias(self._reading.number)
        )
        nested = block.text.count(b"{") != block.rows
        return frame if not nested and frame.height == block.rows and self._plain(frame) else None

    def _exact(self, block: Block) -> pl.DataFrame:
        lines = enumerate(block.text.split(b"\n"), block.line)
        rows = (self._object(line, raw) for line, raw in lines if raw.strip())
        return self._frame([row for row in rows if row is not None])

    def _object(self, line: int, raw: bytes) -> tuple[str, str, float] | None:
        reading = self._reading
        try:
            record = json.loads(raw, object_pairs_hook=_each_name_once)
        except (ValueError, RecursionError) as reason:
            reading.add("RG110", line, f"not JSON: {reason}")
            return None
        if not isinstance(record, dict):
            reading.add("RG110", line, f"not a JSON object: {shown(record)}")
            return None
        query, item, number = (record.get(key) for key in self._keys or ("", "", ""))
        return self._row(line, _id_text(query), _id_text(item), _number_text(number))


def _counts(names: list[str]) -> bool:
    """Whether the names are 0, 1, 2, ... or 1, 2, 3, ..., which is a header, too."""
    return any(names == [str(at) for at in range(first, first + len(names))] for first in (0, 1))


def _is_unicode(text: str) -> bool:
    return text.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in text)


def _each_name_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) != len(pairs):
        raise ValueError("a name stands twice in one object")
    return record


def _id_text(value: object) -> str:
    """An id as text: JSON has whole numbers as 301 and as 301.0; both are the id 301."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value if isinstance(value, str) else json.dumps(value)


def _number_text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(int(value))
    return value if isinstance(value, str) else repr(value)
