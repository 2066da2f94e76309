"""JSONL files: one JSON object per line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import IO, Any

import polars as pl

from rankgauge.errors import shown
from rankgauge.inputs.codes import Role
from rankgauge.inputs.columns import check_number_of_columns
from rankgauge.inputs.findings import input_error
from rankgauge.inputs.formats.codec import (
    UNREADABLE,
    Confidence,
    Content,
    OpenFile,
    Sample,
    TableParser,
    WriteOptions,
    text_codec,
)
from rankgauge.inputs.formats.json import is_document
from rankgauge.inputs.formats.json_values import LINE, fault, unique_keys
from rankgauge.inputs.io.lines import HEAD, LONGEST_LINE, Block
from rankgauge.inputs.shapes.entry_rows import EntryRows
from rankgauge.inputs.shapes.recognition import recognise_record
from rankgauge.rendering.language import Phrase
from rankgauge.value_checks import inexact_id, is_inexact_id

TOGETHER = 512
"""Records that are parsed before their lists are read: few enough to stay in the cache of the processor."""
_decode = json.JSONDecoder(object_pairs_hook=unique_keys).decode
_ESCAPES = re.compile(rb"\\u(?:0000|[dD][89a-fA-F])")  # NUL and surrogates


def _inspect(file: OpenFile, role: Role | None) -> Content:
    """Return what the first object says."""
    size, name = HEAD, file.context.name
    while b"\n" not in (head := file.stream.peek(size)) and len(head) == size and size < LONGEST_LINE:
        size *= 2
    sample = Sample(head, name)
    record = _object(sample.line)
    if record is None:
        if role is not None:
            return Content((role,))
        message = Phrase("{name}: the first line is not a JSON object: {text}", "{name}：首行不是 JSON 对象：{text}")
        raise input_error("RG110", message.fill(name=name, text=shown(sample.text)))
    recognised = recognise_record(record, name, file.shape, file.columns)
    if recognised is not None:
        return Content.of(recognised, name, role)
    check_number_of_columns(record, name)
    return Content.of_rows([*record], name, role, file.columns)


def _object(line: bytes) -> dict[str, object] | None:
    """Return an object, or None if the line is not one."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def _write(blocks: Iterator[pl.DataFrame], file: IO[bytes], _: WriteOptions) -> None:
    """Write an object per row; infinite numbers, which JSON lacks, are written as text, which is read as a number."""
    for block in blocks:
        if not (infinite := block[block.columns[-1]].is_infinite()).any():
            block.write_ndjson(file)
            continue
        *ids, number = block.columns
        for *names, value, is_infinite in block.with_columns(infinite.alias("infinite")).iter_rows():
            record = {**dict(zip(ids, names, strict=True)), number: str(value) if is_infinite else value}
            file.write(json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")


class JsonlParser(TableParser):
    """Parses one JSONL file: rows with one item, or records of a known shape."""

    def __init__(self, file: OpenFile) -> None:
        super().__init__(file)
        self._file = file
        self._keys: tuple[str, ...] | None = None
        self._entries: EntryRows | None = None

    def parse(self, block: Block) -> pl.DataFrame:
        """Return query, item and number of the objects of a block; the first object of a file has the columns."""
        if self._keys is None and self._entries is None:
            for line, raw in enumerate(block.text.split(b"\n"), block.line):
                if (record := _object(raw)) is not None:
                    self._recognise(record, line)
                    break
        return super().parse(block) if self._entries is None else self._parse_entries(block, self._entries)

    def _recognise(self, record: dict[str, object], line: int) -> None:
        """Find the columns of rows with one item, or the shape of the records."""
        file = self._file
        recognised = file.recognised or recognise_record(
            record, f"{self.context.name}:{line}", file.shape, file.columns
        )
        if recognised is None:
            check_number_of_columns(record, f"{self.context.name}:{line}")
            self._keys = self.recognise([*record], line)
            return
        recognised.check_role(self.context.role, f"{self.context.name}:{line}")
        self._entries = EntryRows(self.context, recognised.fit)

    def _parse_entries(self, block: Block, entries: EntryRows) -> pl.DataFrame:
        records: list[dict[str, object]] = []
        lines: list[int] = []
        for line, raw in enumerate(block.text.split(b"\n"), block.line):
            record = _record(raw) if raw.strip() else None
            if isinstance(record, dict):
                records.append(record)
                lines.append(line)
            if len(records) == TOGETHER or isinstance(record, Phrase):
                entries.add_records(records, lines)
                records, lines = [], []
            if isinstance(record, Phrase):  # after what is wrong with earlier lines
                self.context.report("RG110", line, record)
        entries.add_records(records, lines)
        return entries.take()

    def parse_fast(self, block: Block) -> pl.DataFrame | None:
        """Parse a block with polars; return None if it could be misread."""
        keys = self._keys
        if keys is None:
            return None
        text, names = block.text, [json.dumps(key).encode() for key in keys]
        # Parsers disagree about nested values, repeated keys, and ids like 1e-7 and true.
        if b"[" in text or _ESCAPES.search(text) or any(text.count(name) != block.rows for name in names):
            return None
        if any(re.search(re.escape(name) + rb"\s*:\s*(-?\d+[.eE]|[tf])", text) for name in names[:2]):
            return None
        schema = dict(zip(keys, (pl.String(), pl.String(), pl.Float64(), pl.String(), pl.String()), strict=False))
        try:
            frame = pl.read_ndjson(text, schema=schema)
        except UNREADABLE:
            return None
        frame.columns = self.kinds[: len(keys)]
        frame = self.with_ones(frame)
        nested = text.count(b"{") != block.rows
        return frame if not nested and frame.height == block.rows and self.is_complete(frame) else None

    def rows(self, block: Block) -> Iterator[tuple[Any, ...] | None]:
        """Parse the objects one by one."""
        return (self._row(line, raw) for line, raw in enumerate(block.text.split(b"\n"), block.line) if raw.strip())

    def _row(self, line: int, raw: bytes) -> tuple[object, ...] | None:
        record = _record(raw)
        if isinstance(record, Phrase):
            self.context.report("RG110", line, record)
            return None
        query, item, *numbers = (record.get(key) for key in self._keys or ("", "", ""))
        number, *rank = numbers or [1.0]
        for kind, chinese, value in (("query", "查询", query), ("item", "物品", item)):
            if isinstance(value, bool | list | dict):
                en = f"the {kind} id is {shown(value)}; ids must be text or numbers"
                self.context.report("RG216", line, (en, f"{chinese}的标识为 {shown(value)}；标识应为文本或数字"))
                return None
            if is_inexact_id(value):
                self.context.report("RG215", line, inexact_id(value))
                return None
        number = repr(float(number)) if isinstance(number, bool | float) else _text(number)
        return self.check_row(line, _text(query), _text(item), number, *map(_text, rank))


def _record(raw: bytes) -> dict[str, object] | Phrase:
    """Return the object of a line, or why it is none."""
    try:
        record = _decode(raw.decode())
    except (ValueError, RecursionError) as error:
        if isinstance(error, json.JSONDecodeError):
            return fault(error, error.colno, LINE)
        return Phrase(f"not JSON: {error}", f"不是 JSON：{error}")
    if not isinstance(record, dict):
        text = shown(record)
        return Phrase(f"not a JSON object: {text}", f"不是 JSON 对象：{text}")
    return record


def _text(value: object) -> str:
    """Return a value as text; in JSON, 301 and 301.0 are the same number and so the same id."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value if isinstance(value, str) else json.dumps(value)


CODEC = text_codec(
    JsonlParser,
    write=_write,
    inspect=_inspect,
    sniff=lambda sample: (
        Confidence.START if sample.line.startswith(b"{") and not is_document(sample) else Confidence.NONE
    ),
)
