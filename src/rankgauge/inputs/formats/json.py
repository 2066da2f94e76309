"""JSON documents: an array of records, one record, or an object of a known shape."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from itertools import chain, islice
from typing import Any

import polars as pl

from rankgauge.errors import InputError, Texts, shown
from rankgauge.inputs.codes import Role
from rankgauge.inputs.columns import check_number_of_columns
from rankgauge.inputs.findings import input_error
from rankgauge.inputs.formats.codec import Codec, Confidence, Content, OpenFile, Sample, TableParser
from rankgauge.inputs.formats.json_values import LINE, JsonValues, Member, fault, unique_keys
from rankgauge.inputs.io.compression import open_bytes
from rankgauge.inputs.io.lines import HEAD, Block, located
from rankgauge.inputs.item_rows import is_item_row, row_columns
from rankgauge.inputs.shapes.entry_rows import EntryRows
from rankgauge.inputs.shapes.recognition import Recognised, recognise_document, recognise_record
from rankgauge.inputs.shapes.registry import shape_named
from rankgauge.rendering.language import Phrase
from rankgauge.value_checks import inexact_id, is_inexact_id

GATHERED = 8 << 20
"""Characters of an object that are read before its members are read one by one, if its shape allows that."""
ROWS = 1 << 17
"""Rows in memory at a time."""
_decode = json.JSONDecoder(object_pairs_hook=unique_keys).decode
_WRAPPERS = ("data", "rows", "records", "results", "samples", "examples", "test_cases", "runs")
"""Keys under which a document may hold its records."""


def is_document(sample: Sample) -> bool:
    """Whether a sample is the start of one JSON document, not of one object per line."""
    line, head = sample.line, sample.head
    if line.startswith(b"["):
        return True
    if not line.startswith(b"{"):
        return False
    rest = head[head.find(line) + len(line) :].strip()
    if not rest and len(head) >= HEAD:  # the first line is longer than what was read
        return sample.ending not in {"jsonl", "ndjson"}
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return line.rstrip()[-1:] in {b"{", b"[", b",", b":"} or (not rest and sample.ending == "json")
    nested = isinstance(record, dict) and any(isinstance(value, dict | list) for value in record.values())
    return not rest and nested and sample.ending not in {"jsonl", "ndjson"}


class JsonContent:
    """The content of a JSON file: the shape of its records, None for rows with one item, and the records."""

    def __init__(self, file: OpenFile) -> None:
        self._file, self._name = file, file.context.name
        self.recognised: Recognised | None = None
        self.first: Any = None
        self.records: Iterable[tuple[Any, Phrase | str]] = ()
        values = JsonValues(file.stream, self._name)
        if values.kind == "[":
            self._records(values.elements())
        elif values.kind == "{":
            self._object(values)
        elif values.kind:
            message = Phrase("{name}: neither a JSON array nor an object", "{name}：既不是 JSON 数组也不是对象")
            raise input_error("RG110", message.fill(name=self._name))

    def _records(self, members: Iterator[Member]) -> None:
        """Take records whose shape is that of the first."""
        first = next(members, None)
        if first is None:
            return
        if not isinstance(first.value, Mapping):
            where, value = located(self._name, first.place), shown(first.value)
            message = Phrase(f"{where.en}: expected an object, found {value}", f"{where.zh}：应为对象，实为 {value}")
            raise input_error("RG110", message)
        self.first = first.value
        self.recognised = recognise_record(first.value, self._name, self._file.shape, self._file.columns)
        self.records = ((member.value, member.place) for member in chain([first], members))

    def _object(self, values: JsonValues) -> None:
        """Take an object: a document, one record, the first of several, or a wrapper of records."""
        document: dict[str, object] = values.whole_object(GATHERED) or {}
        members = iter(()) if document else values.members()
        for member in members:
            document[member.key] = member.value
            if values.characters > GATHERED and (streamed := self._streamed(document)) is not None:
                self.recognised, self.first = streamed, document
                rest = (({member.key: member.value}, "") for member in members)
                self.records = chain([(document, "")], rest)
                return
        if not values.at_end:
            self._records(chain([Member(document, Phrase("line 1", "第 1 行"))], values.lines()))
            return
        self.first, self.records = document, [(document, "")]
        self._recognise(document)

    def _recognise(self, document: Mapping[str, object]) -> None:
        """Find the shape: that of a tool, that of records inside the document, or a general one."""
        name, shape_name, columns = self._name, self._file.shape, self._file.columns
        for general in (False, True):
            if columns is None:
                self.recognised = recognise_document(document, name, shape_name, (general,))
            shape = shape_named(shape_name)
            if self.recognised is None and (shape is None or not shape.is_document):
                if not general and self._unwrapped(document):
                    return
                self.recognised = recognise_record(document, name, shape_name, columns, (general,))
            if self.recognised is not None:
                return

    def _streamed(self, document: Mapping[str, object]) -> Recognised | None:
        """Return the shape of a large object if each of its members can be read alone."""
        if self._file.shape not in {None, "by_query"}:
            return None
        recognised = recognise_document(document, self._name, self._file.shape)
        return recognised if recognised is not None and recognised.shape.name == "by_query" else None

    def _unwrapped(self, document: Mapping[str, object]) -> bool:
        """Take the records that the document holds under a common key, if it does."""
        for key in _WRAPPERS:
            records = document.get(key)
            if not isinstance(records, list) or not records or not all(isinstance(entry, Mapping) for entry in records):
                continue
            known = recognise_record(records[0], self._name, self._file.shape, self._file.columns)
            if known is not None or is_item_row(records[0]):
                places = (Phrase(f"{key}[{number}]", f"{key}[{number}]") for number in range(len(records)))
                self._records(iter([*map(Member, records, places)]))
                return True
        return False

    def rows(self) -> Iterator[pl.DataFrame]:
        """Yield the rows of the records, which have a known shape or one item each."""
        context, recognised = self._file.context, self.recognised
        if recognised is None:
            yield from self._item_rows()
            return
        recognised.check_role(context.role, self._name)
        rows = EntryRows(context, recognised.fit)
        for record, place in self.records:
            rows.add(record, place)
            if rows.count > ROWS:
                yield rows.take()
        yield rows.take()

    def _item_rows(self) -> Iterator[pl.DataFrame]:
        self.check_rows()
        first = self.first or {}
        check_number_of_columns(first, self._name)
        parser, records = ObjectParser(self._file), iter(self.records)
        parser.columns = row_columns([*first], self._file.context, self._file.columns, self._name)
        self._file.context.rows_begun = True
        while some := [*islice(records, ROWS)]:
            yield parser.finished(parser.frame_of(parser.row(place, record) for record, place in some))

    def check_rows(self) -> None:
        """Raise an error if the records have no known shape, nor are rows with one item."""
        first = self.first or {}
        nested = any(isinstance(entry, Mapping | list) for entry in first.values())
        if nested and not self._file.columns and not is_item_row(first):
            raise self._unknown(first)

    def _unknown(self, record: Mapping[str, Any]) -> InputError:
        """Return the error for a document or record of no known shape."""
        keys = ", ".join(map(shown, [*record][:12]))
        message = Phrase(
            f"{self._name}: neither rows with a query, an item and a number nor a known shape; found {keys}",
            f"{self._name}：既不是含查询、物品与数值的行，也不是已知的形式；实有 {keys}",
        )
        remedy = Phrase(
            "give {query: {item: number}}, {query: [items]} or a list of rows, or name the shape: format=...",
            "给出 {查询: {物品: 数}}、{查询: [物品]} 或行的列表，或用 format=... 指明形式",
        )
        return input_error("RG111", message, remedy)


class ObjectParser(TableParser):
    """Parses rows with one item each that are JSON objects: one per line, or the records of an array."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys that are read, if they are known."""
        return () if self.columns is None else self.columns.names

    def rows(self, block: Block) -> Iterator[tuple[Any, ...] | None]:
        """Parse the objects one by one."""
        return (self._row(line, raw) for line, raw in enumerate(block.text.split(b"\n"), block.line) if raw.strip())

    def _row(self, line: int, raw: bytes) -> tuple[object, ...] | None:
        record = parse_object(raw)
        if isinstance(record, Phrase):
            self.context.report("RG110", line, record)
            return None
        return self.row(line, record)

    def row(self, place: str | Texts | int, record: object) -> tuple[object, ...] | None:
        """Return the row of an object, or report what is wrong with it and return None."""
        if not isinstance(record, Mapping):
            self.context.report("RG110", place, _not_an_object(record))
            return None
        query, item, *numbers = (record.get(key) for key in self.keys or ("", "", ""))
        number, *rank = numbers or [1.0]
        for kind, chinese, value in (("query", "查询", query), ("item", "物品", item)):
            if isinstance(value, bool | list | dict):
                en = f"the {kind} id is {shown(value)}; ids must be text or numbers"
                self.context.report("RG216", place, (en, f"{chinese}的标识为 {shown(value)}；标识应为文本或数字"))
                return None
            if is_inexact_id(value):
                self.context.report("RG215", place, inexact_id(value))
                return None
        number = repr(float(number)) if isinstance(number, bool | float) else _text(number)
        return self.check_row(place, _text(query), _text(item), number, *map(_text, rank))


def parse_object(raw: bytes) -> dict[str, object] | Phrase:
    """Return the object of a line, or why it is none."""
    try:
        record = _decode(raw.decode())
    except (ValueError, RecursionError) as error:
        if isinstance(error, json.JSONDecodeError):
            return fault(error, error.colno, LINE)
        return Phrase(f"not JSON: {error}", f"不是 JSON：{error}")
    if not isinstance(record, dict):
        return _not_an_object(record)
    return record


def _not_an_object(record: object) -> Phrase:
    """Return what is wrong with a record that is no object."""
    return Phrase(f"not a JSON object: {shown(record)}", f"不是 JSON 对象：{shown(record)}")


def _text(value: object) -> str:
    """Return a value as text; in JSON, 301 and 301.0 are the same number and so the same id."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value if isinstance(value, str) else json.dumps(value)


def _inspect(file: OpenFile, role: Role | None) -> Content:
    name = file.context.name
    with closing(open_bytes(file.source)) as stream:
        document = JsonContent(file.on(stream))
    if document.recognised is not None:
        return Content.of(document.recognised, name, role)
    if document.first is None:
        raise input_error("RG101", Phrase(f"{name}: the file has no data", f"{name}：文件中没有数据"))
    if role is None:
        document.check_rows()
    check_number_of_columns(document.first, name)
    return Content.of_rows([*document.first], name, role, file.columns)


def _read(file: OpenFile) -> Iterator[pl.DataFrame]:
    document = JsonContent(file)
    if document.first is None:
        return
    yield from document.rows()


CODEC = Codec(
    read=_read, inspect=_inspect, sniff=lambda sample: Confidence.START if is_document(sample) else Confidence.NONE
)
