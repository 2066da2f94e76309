"""JSONL files: one JSON object per line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import IO

import polars as pl

from rankgauge.errors import shown
from rankgauge.inputs.codes import Role
from rankgauge.inputs.columns import check_number_of_columns
from rankgauge.inputs.findings import input_error
from rankgauge.inputs.formats.codec import UNREADABLE, Confidence, Content, OpenFile, Sample, WriteOptions, text_codec
from rankgauge.inputs.formats.json import ObjectParser, is_document, parse_object
from rankgauge.inputs.io.lines import HEAD, LONGEST_LINE, Block
from rankgauge.inputs.shapes.entry_rows import EntryRows
from rankgauge.inputs.shapes.recognition import recognise_record
from rankgauge.rendering.language import Phrase

TOGETHER = 512
"""Records that are parsed before their lists are read: few enough to stay in the cache of the processor."""
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


class JsonlParser(ObjectParser):
    """Parses one JSONL file: rows with one item, or records of a known shape."""

    def __init__(self, file: OpenFile) -> None:
        super().__init__(file)
        self._file = file
        self._entries: EntryRows | None = None

    def parse(self, block: Block) -> pl.DataFrame:
        """Return query, item and number of the objects of a block; the first object of a file has the columns."""
        if self.columns is None and self._entries is None:
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
            self.recognise([*record], line)
            return
        recognised.check_role(self.context.role, f"{self.context.name}:{line}")
        self._entries = EntryRows(self.context, recognised.fit)

    def _parse_entries(self, block: Block, entries: EntryRows) -> pl.DataFrame:
        records: list[dict[str, object]] = []
        lines: list[int] = []
        for line, raw in enumerate(block.text.split(b"\n"), block.line):
            record = parse_object(raw) if raw.strip() else None
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
        keys = self.keys
        if not keys:
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


CODEC = text_codec(
    JsonlParser,
    write=_write,
    inspect=_inspect,
    sniff=lambda sample: (
        Confidence.START if sample.line.startswith(b"{") and not is_document(sample) else Confidence.NONE
    ),
)
