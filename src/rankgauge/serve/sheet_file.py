"""A judging sheet that is served, and the file beside it to which every label is appended as it is made."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rankgauge.errors import InputError, ParameterError, shown
from rankgauge.inputs.findings import input_error
from rankgauge.inputs.formats.table_files import read_content
from rankgauge.inputs.io.atomic_file import write_errors
from rankgauge.inputs.io.locks import lock
from rankgauge.inputs.sheet_labels import MARK, check_of
from rankgauge.inputs.texts import query_key
from rankgauge.pooling.pooled import pool_fingerprint
from rankgauge.pooling.sheet import Sheet, SheetRow
from rankgauge.rendering.language import Phrase, check_lang

DATA = re.compile(r'<script type="application/json" id="sheet">(.*?)</script>', re.DOTALL)
LONGEST = {"rater": 200, "note": 2000, "time": 40}
"""Characters that a field of a label may have."""
NO_SHEET = Phrase(
    "{path}: is not a judging sheet; write one with rankgauge pool ... -o sheet.html",
    "{path}：不是标注页；请用 rankgauge pool ... -o sheet.html 生成",
)


def read_sheet(path: str | os.PathLike[str]) -> Sheet:
    """Read the data of a sheet; the page itself is rendered again, so that nothing else in the file is run."""
    content, name = read_content(path, "sheet")
    match = DATA.search(content.decode("utf-8", "replace"))
    try:
        data = json.loads(match[1]) if match else {}
        queries, items, reasons = data["queries"], data["items"], data["reasons"]
        rows = [
            SheetRow(str(queries[query][0]), str(items[item][0]), int(repeat), str(reasons[reason]), float(chance))
            for query, item, repeat, reason, chance in data["rows"]
        ]
        texts = {str(item): str(text) for item, text in items if text}
        texts |= {query_key(str(query)): str(text) for query, text in queries if text}
        sheet = Sheet(
            tuple(rows),
            str(data["fingerprint"]),
            int(data["max_grade"]),
            str(data["title"]),
            str(data["guideline"]),
            check_lang(data["lang"]),
            texts,
            data["part"] is True,
        )
    except (ValueError, KeyError, IndexError, TypeError):
        raise InputError(NO_SHEET.fill(path=name)) from None
    pairs = ((row.query, row.item, row.reason, row.inclusion) for row in rows if not row.repeat)
    actual = pool_fingerprint(pairs, sheet.max_grade)
    if not sheet.is_part and actual != sheet.fingerprint:
        en = f"{name}: its pairs have the fingerprint {shown(actual)}, not {shown(sheet.fingerprint)}"
        raise input_error(
            "RG615", Phrase(en, f"{name}：其内容的指纹为 {shown(actual)}，而非 {shown(sheet.fingerprint)}")
        )
    return sheet


class SheetFile:
    """A sheet and the file of its labels."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.sheet = read_sheet(path)
        self.labels = Path(path).with_suffix(".labels.jsonl")
        """The file beside the sheet."""
        self._rows = {(str(row.query), str(row.item), row.repeat): row for row in self.sheet.rows}
        with self._locked():  # now, so that a folder in which nothing can be written is noticed
            pass

    def content(self) -> bytes:
        """Return all complete lines that were written so far."""
        data = self.labels.read_bytes()
        return data[: data.rfind(b"\n") + 1]

    def append(self, record: dict[str, Any]) -> None:
        """Check a label and write it; it is on the disk when this returns."""
        line = json.dumps(self._record(record), ensure_ascii=False).encode("utf-8", "replace") + b"\n"
        with self._locked() as file:
            os.write(file, line)
            os.fsync(file)

    @contextmanager
    def _locked(self) -> Iterator[int]:
        """Open the file for this process alone; an incomplete last line, of a process that was killed, is removed."""
        with write_errors(self.labels):
            file = os.open(self.labels, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
            try:
                lock(file)
                size = os.fstat(file).st_size
                if size and os.pread(file, 1, size - 1) != b"\n":
                    os.ftruncate(file, self.labels.read_bytes().rfind(b"\n") + 1)
                yield file
            finally:
                os.close(file)

    def _record(self, answer: dict[str, Any]) -> dict[str, Any]:
        """Return the label as it is written: what the assessor says, and the rest from the sheet."""
        sheet, repeat = self.sheet, 1 if answer.get("repeat") else 0
        row = self._rows.get((str(answer.get("query")), str(answer.get("item")), repeat))
        grade = answer.get("grade")
        if row is None or answer.get(MARK) != sheet.fingerprint:
            raise ParameterError(("the pair is not on this sheet", "该对不在此标注页上"))
        if grade is not None and (type(grade) is not int or not 0 <= grade <= sheet.max_grade):
            allowed = f"a whole number from 0 to {sheet.max_grade}, or null", f"0 到 {sheet.max_grade} 的整数或 null"
            raise ParameterError.of("grade", grade, allowed)
        texts = {name: str(answer.get(name) or "")[:most] for name, most in LONGEST.items()}
        if not texts["rater"]:
            raise ParameterError.of("rater", "", ("a name", "名字"))
        record = {
            "query": row.query, "item": row.item, "rater": texts["rater"], "grade": grade,
            "note": texts["note"] or None,
            "time": texts["time"], "repeat": repeat, "reason": row.reason, "inclusion": row.inclusion,
            "max_grade": sheet.max_grade, MARK: sheet.fingerprint,
        }  # fmt: skip
        if answer.get("withdrawn") is True:
            record["withdrawn"] = True
        return record | {"check": check_of(record)}
