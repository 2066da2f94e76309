"""JSON documents: an array of records, one record, or an object of a known shape."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from itertools import chain
from typing import Any

import polars as pl

from rankgauge.errors import InputError, shown
from rankgauge.inputs.codes import Role
from rankgauge.inputs.columns import check_number_of_columns
from rankgauge.inputs.findings import input_error
from rankgauge.inputs.formats.codec import Codec, Confidence, Content, OpenFile, Sample
from rankgauge.inputs.formats.json_values import JsonValues, Member
from rankgauge.inputs.io.compression import open_bytes
from rankgauge.inputs.io.lines import HEAD, located
from rankgauge.inputs.item_rows import RowColumns, is_item_row, row_columns
from rankgauge.inputs.shapes.entry_rows import EntryRows
from rankgauge.inputs.shapes.fields import id_of, number_of, required
from rankgauge.inputs.shapes.recognition import Recognised, recognise_document, recognise_record
from rankgauge.inputs.shapes.registry import shape_named
from rankgauge.inputs.shapes.shape import Entry, Fit
from rankgauge.rendering.language import Phrase

GATHERED = 8 << 20
"""Characters of an object that are read before its members are read one by one, if its shape allows that."""
ROWS = 1 << 17
"""Rows in memory at a time."""
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

    def fit(self) -> Fit:
        """Return how the records are read."""
        file = self._file
        if self.recognised is not None:
            self.recognised.check_role(file.context.role, self._name)
            return self.recognised.fit
        first = self.first or {}
        self.check_rows()
        check_number_of_columns(first, self._name)
        return item_row_fit(row_columns([*first], file.context, file.columns, self._name))

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


def item_row_fit(columns: RowColumns) -> Fit:
    """Return the fit of rows with one item each."""

    def entries(row: object) -> Iterator[Entry]:
        query, item = (required(row, name) for name in columns.names[:2])
        value = 1.0 if columns.number is None else number_of(required(row, columns.number), columns.number)
        value = -value if columns.by_rank and value is not None else value
        system = "" if columns.system is None else str(required(row, columns.system))
        yield Entry(id_of(query, columns.query), listed=[(id_of(item, columns.item), value)], system=system)

    return Fit(entries, columns.names, ("judgments", "ranking"), by_role=True, whole_lists=False)


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
    rows = EntryRows(file.context, document.fit())
    for record, place in document.records:
        rows.add(record, place)
        if rows.count > ROWS:
            yield rows.take()
    yield rows.take()


CODEC = Codec(
    read=_read, inspect=_inspect, sniff=lambda sample: Confidence.START if is_document(sample) else Confidence.NONE
)
