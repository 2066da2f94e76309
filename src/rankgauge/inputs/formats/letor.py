"""SVMlight and LETOR files with query ids: ``grade qid:10 1:0.5 2:0.1 # docid = GX000``."""

from __future__ import annotations

import re

import polars as pl

from rankgauge.errors import InputError, shown
from rankgauge.inputs.io.lines import NUMBER, Block, FileContext

_DOCID = re.compile(r"docid\s*=\s*(\S+)")
_QID = b"qid:"


class LetorReader:
    """Reads blocks of one LETOR file, in order.

    The item is the docid of the comment where the first line has one; otherwise the number of the row in the
    file, counted from 1, which is how predictions for such a file are counted, too.
    """

    def __init__(self, reading: FileContext) -> None:
        if reading.role == "ranking":
            raise InputError(
                f"{reading.name}: a LETOR file has grades and features but no scores, so it is no ranking; "
                "give a table with the columns query, item and score"
            )
        self._reading = reading
        self._row = 0
        self._with_docid: bool | None = None

    def parse(self, block: Block) -> pl.DataFrame:
        """Query, item and grade of the lines of a block; the features are left aside."""
        lines = enumerate(block.text.split(b"\n"), block.line)
        rows = [row for line, raw in lines if (row := self._line(line, raw)) is not None]
        schema = {"query": pl.String, "item": pl.String, "grade": pl.Float64}
        return pl.DataFrame(rows, schema=schema, orient="row")

    def _line(self, line: int, raw: bytes) -> tuple[str, str, float] | None:
        data, _, comment = raw.partition(b"#")
        fields = data.split(None, 2)
        if not fields:
            return None
        reading = self._reading
        reading.rows_begun = True
        self._row += 1
        if len(fields) == 1 or not fields[1].startswith(_QID) or fields[1] == _QID:
            reading.add(
                "RG110",
                line,
                f"no qid: after the grade (sizes in a second file are not read): {shown(data[:40].decode())}",
            )
            return None
        query = fields[1].removeprefix(_QID).decode()
        item = self._item(comment.decode())
        if item is None:
            reading.add("RG208", line, "no docid in the comment, though earlier lines have one", query)
            return None
        if not NUMBER.fullmatch(fields[0]):
            reading.add_bad_number(line, fields[0].decode(), query, item)
            return None
        grade = float(fields[0])
        return (query, item, grade) if reading.accepts(grade, line, fields[0].decode(), query, item) else None

    def _item(self, comment: str) -> str | None:
        found = _DOCID.search(comment)
        if self._with_docid is None:
            self._with_docid = found is not None
        if not self._with_docid:
            return str(self._row)
        return found.group(1) if found else None
