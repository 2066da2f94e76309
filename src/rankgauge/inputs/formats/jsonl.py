"""JSONL files: one JSON object per line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import IO, Any

import polars as pl

from rankgauge.errors import shown
from rankgauge.inputs.codes import Role
from rankgauge.inputs.columns import role_of_columns
from rankgauge.inputs.findings import input_error
from rankgauge.inputs.formats.codec import (
    UNREADABLE,
    Confidence,
    OpenFile,
    Sample,
    TableParser,
    WriteOptions,
    text_codec,
)
from rankgauge.inputs.io.compression import Source
from rankgauge.inputs.io.lines import HEAD, Block
from rankgauge.rendering.language import Phrase

_ESCAPES = re.compile(rb"\\u(?:0000|[dD][89a-fA-F])")  # NUL and surrogates


def _guess_role(sample: Sample, _: Source) -> Role:
    _refuse_array(sample)
    keys = _object_keys(sample.line)
    if keys is None:
        text = shown(sample.text)
        message = Phrase("{name}: the first line is not a JSON object: {text}", "{name}：首行不是 JSON 对象：{text}")
        raise input_error("RG110", message.fill(name=sample.name, text=text))
    return role_of_columns(keys, sample.name)


def _object_keys(line: bytes) -> list[str] | None:
    """Return the keys of an object, or None if the line is not one."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return [*record] if isinstance(record, dict) else None


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


def _refuse_array(sample: Sample) -> None:
    if sample.line.startswith(b"["):
        message = Phrase(
            f"{sample.name}: one large JSON array; write one object per line (JSONL) instead",
            f"{sample.name}：整个文件是一个 JSON 数组；请改为每行一个对象（JSONL）",
        )
        raise input_error("RG110", message)


class JsonlParser(TableParser):
    """Parses one JSONL file."""

    def __init__(self, file: OpenFile) -> None:
        super().__init__(file)
        _refuse_array(Sample(file.stream.peek(HEAD), file.context.name, file.context.role))
        self._keys: tuple[str, ...] | None = None

    def parse(self, block: Block) -> pl.DataFrame:
        """Return query, item and number of the objects of a block; the first object of a file has the columns."""
        if self._keys is None:
            objects = ((line, _object_keys(raw)) for line, raw in enumerate(block.text.split(b"\n"), block.line))
            line, keys = next(((line, keys) for line, keys in objects if keys is not None), (0, None))
            self._keys = None if keys is None else self.recognise(keys, line)
        return super().parse(block)

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
        schema = dict(zip(keys, (pl.String(), pl.String(), pl.Float64(), pl.String()), strict=False))
        try:
            frame = pl.read_ndjson(text, schema=schema)
        except UNREADABLE:
            return None
        frame.columns = self.kinds
        nested = text.count(b"{") != block.rows
        return frame if not nested and frame.height == block.rows and self.is_complete(frame) else None

    def rows(self, block: Block) -> Iterator[tuple[Any, ...] | None]:
        """Parse the objects one by one."""
        return (self._row(line, raw) for line, raw in enumerate(block.text.split(b"\n"), block.line) if raw.strip())

    def _row(self, line: int, raw: bytes) -> tuple[Any, ...] | None:
        try:
            record = json.loads(raw, object_pairs_hook=_unique_keys)
        except (ValueError, RecursionError) as reason:
            self.context.report("RG110", line, Phrase(f"not JSON: {reason}", f"不是 JSON：{reason}"))
            return None
        if not isinstance(record, dict):
            text = shown(record)
            self.context.report("RG110", line, Phrase(f"not a JSON object: {text}", f"不是 JSON 对象：{text}"))
            return None
        query, item, number, *rank = (record.get(key) for key in self._keys or ("", "", ""))
        for kind, chinese, value in (("query", "查询", query), ("item", "物品", item)):
            if isinstance(value, bool | list | dict):
                message = Phrase(
                    f"the {kind} id is {shown(value)}; ids must be text or numbers",
                    f"{chinese}的标识为 {shown(value)}；标识应为文本或数字",
                )
                self.context.report("RG110", line, message)
                return None
        number = repr(float(number)) if isinstance(number, bool | float) else _text(number)
        return self.check_row(line, _text(query), _text(item), number, *map(_text, rank))


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) != len(pairs):
        raise ValueError("a key occurs twice in one object")
    return record


def _text(value: object) -> str:
    """Return a value as text; in JSON, 301 and 301.0 are the same number and so the same id."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value if isinstance(value, str) else json.dumps(value)


STARTS = (b"{", b"[")
"""How a line may start; the parser explains what to do with ``[``."""
CODEC = text_codec(
    JsonlParser,
    guess_role=_guess_role,
    write=_write,
    sniff=lambda sample: Confidence.START if sample.line.startswith(STARTS) else Confidence.NONE,
)
