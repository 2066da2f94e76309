"""Labels from judging sheets: the last label of each assessor and question, checked against what was made."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from rankgauge.errors import shown
from rankgauge.inputs.findings import Findings, input_error, with_ids
from rankgauge.rendering.language import Phrase

if TYPE_CHECKING:
    import polars as pl

MARK = "pool_fingerprint"
"""The field by which labels of a sheet are recognised."""
HEAD = 1 << 14
"""Bytes of a file in which the first record, or the header, must name the field."""
CANNOT_TELL = "u"
TEXTS = ("query", "item", "rater", "reason", "time")
FORMULA = ("=", "+", "-", "@", "\t", "\r")
Record: TypeAlias = Mapping[str, Any]
SheetLabel: TypeAlias = dict[str, Any]
"""A label with typed fields."""
_OFFSET, _PRIME, _MASK = 0xCBF29CE484222325, 0x100000001B3, (1 << 64) - 1


def is_sheet_file(head: bytes) -> bool:
    """Whether a file that begins like this holds labels of a judging sheet.

    >>> is_sheet_file(b'{"query": "q", "pool_fingerprint": "1f"}'), is_sheet_file(b"query,item,grade")
    (True, False)
    """
    return MARK.encode() in head.lstrip(b"\xef\xbb\xbf \r\n").partition(b"\n")[0]


def check_of(record: Record) -> str:
    """Return the check of a label: FNV-1a of what it says, with 64 bits, as the page computes it."""
    grade = "withdrawn" if record.get("withdrawn") else "u" if record["grade"] is None else str(record["grade"])
    inclusion = str(math.floor(record["inclusion"] * 1e9 + 0.5))
    fields = [
        str(record["query"]), str(record["item"]), str(record["rater"]), grade, str(record["repeat"]),
        str(record["reason"]), inclusion, str(record["max_grade"]), str(record[MARK]),
    ]  # fmt: skip
    value = _OFFSET
    for byte in "\x1f".join(fields).encode("utf-8", "replace"):
        value = (value ^ byte) * _PRIME & _MASK
    return f"{value:016x}"


class SheetLabels(NamedTuple):
    """The labels of a sheet that hold: the last one of each assessor for each question."""

    first: list[SheetLabel]
    """One for each assessor and pair."""
    again: list[SheetLabel]
    """Those of questions that were asked a second time."""
    fingerprint: str
    """The pool that they belong to; empty if there are none."""
    max_grade: int | None

    @classmethod
    def parse(cls, content: bytes, name: str, findings: Findings) -> SheetLabels:
        """Parse a file: a JSON object per line, or a CSV or TSV sheet that was filled in."""
        start = content.lstrip(b"\xef\xbb\xbf \r\n")[:1]
        records = _json_lines(content, name, findings) if start == b"{" else _table_rows(content)
        return cls.of(records, name, findings)

    @classmethod
    def of(cls, records: Iterable[Record], name: str, findings: Findings) -> SheetLabels:
        """Return what holds of records in the order in which they were made; report what cannot be used."""
        latest: dict[tuple[str, ...], SheetLabel] = {}
        pools: dict[str, int | None] = {}
        for record in records:
            label = _label(record, name, findings)
            if label is None:
                continue
            pools.setdefault(label[MARK], label["max_grade"])
            key = (*(str(label[field]) for field in ("query", "item", "rater")), str(label["repeat"]))
            latest[key] = label
        if len(pools) > 1:
            one, other = [*map(shown, pools)][:2]
            en, zh = f"{name}: labels of the pools {one} and {other}", f"{name}：标签来自标注池 {one} 与 {other}"
            findings.add("RG615", (en, zh), len(pools))
        kept = [label for label in latest.values() if not label["withdrawn"]]
        first, again = ([label for label in kept if bool(label["repeat"]) == repeated] for repeated in (False, True))
        fingerprint = next(iter(pools), "")
        return cls(first, again, fingerprint, pools.get(fingerprint))

    def judgments(self) -> pl.DataFrame:
        """Return one grade for each pair: that of most assessors, of several the lowest."""
        import polars as pl  # noqa: PLC0415 (slow to import)

        rows = [(label["query"], label["item"], label["grade"]) for label in self.first if label["grade"] is not None]
        schema: dict[str, Any] = {"query": pl.String, "item": pl.String, "grade": pl.Float64}
        frame = pl.DataFrame(rows, schema=schema, orient="row")
        return frame.group_by("query", "item", maintain_order=True).agg(majority())


def majority() -> pl.Expr:
    """Return the most frequent grade, of several the lowest."""
    import polars as pl  # noqa: PLC0415 (slow to import)

    return pl.col("grade").mode().min().alias("grade")


def _json_lines(content: bytes, name: str, findings: Findings) -> Iterator[Record]:
    """Yield the records of lines; the last may be incomplete if the program that wrote it was ended."""
    lines = content.decode("utf-8-sig", "replace").split("\n")
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError:
            record = None
        if isinstance(record, dict):
            yield record
        elif number == len(lines):
            place = Phrase(f"{name}:{number}: {shown(line, 40)}", f"{name}:{number}：{shown(line, 40)}")
            findings.add("RG617", place)
        else:
            en = f"{name}:{number}: {shown(line, 40)} is not a JSON object"
            raise input_error("RG102", Phrase(en, f"{name}:{number}：{shown(line, 40)} 不是 JSON 对象"))


def _table_rows(content: bytes) -> Iterator[Record]:
    """Yield the rows of a sheet that was filled in; apostrophes that keep spreadsheets from running ids are removed."""
    text = content.decode("utf-8-sig", "replace")
    header = text.partition("\n")[0]
    separator = max(",;\t", key=header.count)
    for row in csv.DictReader(io.StringIO(text, newline=""), delimiter=separator):
        cells = {key: cell for key, cell in row.items() if isinstance(key, str) and isinstance(cell, str)}
        yield {
            key: cell[1:] if cell[:1] == "'" and cell[1:].startswith(FORMULA) else cell for key, cell in cells.items()
        }


def _label(record: Record, name: str, findings: Findings) -> SheetLabel | None:
    """Return a label with typed fields; None if there is no answer, or if it cannot be used, which is reported."""
    query, item = str(record.get("query", "")), str(record.get("item", ""))
    is_withdrawn = str(record.get("withdrawn")) in {"true", "True", "1"}
    cell = record.get("grade")
    if isinstance(cell, str):
        cell = cell.strip()
        if not cell and "check" not in record:
            return None
    try:
        if any(isinstance(record.get(field), dict | list) for field in TEXTS):
            raise TypeError  # noqa: TRY301 (reported below)
        scale = int(record.get("max_grade") or 0)
        inclusion = float(record["inclusion"])
        if not 0 <= inclusion <= 1:
            raise ValueError  # noqa: TRY301 (reported below)
        grade = None if cell in {None, "", CANNOT_TELL, CANNOT_TELL.upper()} else float(cell)
        repeat = int(record.get("repeat") or 0)
    except (TypeError, ValueError, KeyError, OverflowError):
        en, zh = f"{name}: {shown(dict(record))} is not a label", f"{name}：{shown(dict(record))} 不是标签"
        findings.add("RG616", with_ids(en, zh, query, item))
        return None
    if grade is not None and not (0 <= grade <= scale and grade == int(grade)):
        en, zh = f"{name}: grade {grade:g}, scale 0 to {scale}", f"{name}：等级 {grade:g}，量表为 0 到 {scale}"
        findings.add("RG607", with_ids(en, zh, query, item))
        return None
    rater, reason, time = (record.get(field) for field in ("rater", "reason", "time"))
    label = {
        **record, "query": query, "item": item, "rater": None if rater in {None, ""} else str(rater),
        "grade": None if grade is None else int(grade), "repeat": repeat, "max_grade": scale, "inclusion": inclusion,
        "reason": None if reason is None else str(reason), "time": None if time is None else str(time),
        "withdrawn": is_withdrawn, MARK: str(record.get(MARK)),
    }  # fmt: skip
    if record.get("check") and record["check"] != check_of(label):
        en = f"{name}: grade {record.get('grade')!s} of {shown(rater)}"
        findings.add("RG616", with_ids(en, f"{name}：{shown(rater)} 的等级 {record.get('grade')!s}", query, item))
        return None
    return label
