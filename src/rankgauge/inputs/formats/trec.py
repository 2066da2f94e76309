"""TREC files: ``query Q0 item rank score tag`` and ``query iteration item grade``, parted by blanks or tabs.

Three ways, each exact, from fast to slow. A block with one separator and nothing unusual goes straight to
polars. Otherwise blanks, tabs and comments are put in order first. What still does not parse is read line by
line, and that finds the lines that are wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl

from rankgauge.errors import shown
from rankgauge.inputs.columns import looks_like_header
from rankgauge.inputs.io.lines import BOM, NUMBER, PIECE, Block, FileContext, empty_frame, split_block

_COMMENTS = re.compile(rb"(?m)^[ \t\v\f]*#.*\n?")
_TO_BLANKS = bytes.maketrans(b"\t\v\f", b"   ")
_TAB = 9


@dataclass(frozen=True)
class _Row:
    """One line that could be read."""

    query: str
    item: str
    rank: str
    number: float


class TrecReader:
    """Reads blocks of one TREC file, in order."""

    def __init__(self, reading: FileContext) -> None:
        self._reading = reading
        self._ranking = reading.role == "ranking"
        self._number_at = 4 if self._ranking else 3
        self._ranks_checked = False

    def parse(self, block: Block) -> pl.DataFrame:
        """Query, item and number of the lines of a block."""
        frame = self._quick(block)
        if frame is None and len(block.text) > PIECE:
            parts = ((piece, self._quick(piece)) for piece in split_block(block))
            frame = pl.concat([self._exact(piece) if part is None else part for piece, part in parts])
        elif frame is None:
            frame = self._exact(block)
        self._reading.rows_begun |= frame.height > 0
        return frame

    # The fast way

    def _quick(self, block: Block) -> pl.DataFrame | None:
        """The block as it is, or put in order; None where neither is sure."""
        frame = self._fast(block)
        if frame is None:
            tidied = _tidied(block)
            return self._fast(tidied) if tidied.text else empty_frame(self._reading)
        return frame

    def _fast(self, block: Block) -> pl.DataFrame | None:
        """The block parsed by polars, or None where it could be wrong."""
        separator = _separator(block)
        if separator is None:
            return None
        end = block.text.find(b"\n")
        columns = block.text.count(separator, 0, end if end >= 0 else len(block.text)) + 1
        if columns <= self._number_at:
            return None
        check_ranks = self._ranking and not self._ranks_checked
        frame = self._read(block, separator, columns, with_rank=check_ranks)
        if frame is None or not self._every_line_fits(frame, block):
            return None
        if check_ranks:
            self._ranks_checked = True
            self._compare_ranks(frame)
        elif self._ranking and _rises_within_a_query(frame):
            with_ranks = self._read(block, separator, columns, with_rank=True)
            if with_ranks is not None:
                self._compare_ranks(with_ranks)
        return frame.select("query", "item", self._reading.number)

    def _read(self, block: Block, separator: bytes, columns: int, *, with_rank: bool) -> pl.DataFrame | None:
        wanted = {0: "query", 2: "item", self._number_at: self._reading.number}
        if with_rank:
            wanted[3] = "rank"
        schema = {
            wanted.get(at, f"_{at}"): pl.Float64() if at == self._number_at else pl.String() for at in range(columns)
        }
        try:
            return pl.read_csv(
                block.text,
                has_header=False,
                separator=separator.decode(),
                quote_char=None,
                schema=schema,
                columns=sorted(wanted),
                truncate_ragged_lines=True,
            )
        except pl.exceptions.PolarsError:  # a number that is none: the exact way finds the line
            return None

    def _every_line_fits(self, frame: pl.DataFrame, block: Block) -> bool:
        """Whether every line has its columns and a plain number.

        No two separators are neighbours, so no field is empty, and a number that is not null proves that the
        columns before it are there. The count of separators then settles the columns after it.
        """
        numbers = frame[self._reading.number]
        if frame.height != block.rows or numbers.null_count() or not np.isfinite(numbers.to_numpy()).all():
            return False
        fields = block.separators - block.lines + block.rows
        if not self._ranking:
            return fields == 4 * block.rows
        lacking = 6 * block.rows - fields
        if lacking > 0:
            self._note_missing_tags(lacking)
        return True

    def _note_missing_tags(self, count: int) -> None:
        self._reading.findings.add("RG109", f"{self._reading.name}: 5 columns in a line; the tag is missing", count)

    # The exact way

    def _exact(self, block: Block) -> pl.DataFrame:
        rows = list(self._rows(block))
        frame = pl.DataFrame(
            {
                "query": [row.query for row in rows],
                "item": [row.item for row in rows],
                "rank": [row.rank for row in rows],
                self._reading.number: [row.number for row in rows],
            },
            schema={"query": pl.String, "item": pl.String, "rank": pl.String, self._reading.number: pl.Float64},
        )
        if self._ranking:
            self._compare_ranks(frame)
        return frame.drop("rank")

    def _rows(self, block: Block) -> Iterator[_Row]:
        for line, raw in enumerate(block.text.split(b"\n"), block.line):
            fields = raw.split()  # bytes split at ASCII blanks only: NBSP and U+3000 belong to ids
            if not fields or fields[0].startswith(b"#"):
                continue
            row = self._row(line, fields)
            self._reading.rows_begun = True
            if row is not None:
                yield row

    def _row(self, line: int, fields: list[bytes]) -> _Row | None:
        reading, at = self._reading, self._number_at
        count = len(fields)
        is_number = count > at and NUMBER.fullmatch(fields[at]) is not None
        texts = [field.decode() for field in fields[: at + 1]]
        if not reading.rows_begun and not is_number and looks_like_header(texts):
            reading.add("RG107", line, f"a header line, not data: {shown(' '.join(texts))}")
            return None
        if (count <= at) if self._ranking else (count != at + 1):
            expected = "at least 5" if self._ranking else "exactly 4"
            start = b" ".join(fields).decode()
            reading.add("RG108", line, f"{count} column{'s' * (count > 1)} where {expected} belong: {shown(start)}")
            return None
        query, item = texts[0], texts[2]
        if not is_number:
            reading.add_bad_number(line, texts[at], query, item)
            return None
        number = float(fields[at])
        if not reading.accepts(number, line, texts[at], query, item):
            return None
        if self._ranking and count == at + 1:
            self._note_missing_tags(1)
        return _Row(query, item, texts[3], number)

    # Ranks against scores

    def _compare_ranks(self, frame: pl.DataFrame) -> None:
        """Report neighbouring lines of a query whose ranks and scores order them differently."""
        rank = frame["rank"].cast(pl.Float64, strict=False).to_numpy()
        score = frame["score"].to_numpy()
        later, higher = rank[1:] > rank[:-1], score[1:] > score[:-1]
        earlier, lower = rank[1:] < rank[:-1], score[1:] < score[:-1]
        against = np.flatnonzero((later & higher) | (earlier & lower))
        query = frame["query"]
        against = against[(query.gather(against) == query.gather(against + 1)).to_numpy()]
        if against.size:
            first, second = frame.row(int(against[0])), frame.row(int(against[0]) + 1)
            told = f"{shown(first[1])} has rank {first[2]} and score {first[3]:g}, "
            told += f"{shown(second[1])} has rank {second[2]} and score {second[3]:g} (query {shown(first[0])})"
            self._reading.findings.add("RG210", f"{self._reading.name}: {told}", int(against.size))


def _separator(block: Block) -> bytes | None:
    """The one byte that parts the columns of a block, or None where polars could misread it."""
    text = block.text
    if block.crowded or not text or text.startswith((b"#", BOM)) or (b"#" in text and b"\n#" in text):
        return None
    if block.controls == block.lines:
        return b" " if block.separators > block.lines else None
    # Tabs only: no blank, and no control character besides newline and tab.
    if block.separators == block.controls and block.controls - block.lines == block.count(_TAB):
        return b"\t"
    return None


def _tidied(block: Block) -> Block:
    """The block with one blank between columns, and without comments, blank lines and indents."""
    text = block.text
    if b"#" in text:
        text = _COMMENTS.sub(b"", text)
    text = text.translate(_TO_BLANKS)
    while b"  " in text:
        text = text.replace(b"  ", b" ")
    text = text.replace(b"\n ", b"\n").replace(b" \n", b"\n").strip(b" ")
    while b"\n\n" in text:
        text = text.replace(b"\n\n", b"\n")
    return Block(text.lstrip(b"\n"), block.line)


def _rises_within_a_query(frame: pl.DataFrame) -> bool:
    """Whether a score is higher than the one in the line before, which is of the same query."""
    score = frame["score"].to_numpy()
    rises = np.flatnonzero(score[1:] > score[:-1])
    query = frame["query"]
    return rises.size > 0 and bool((query.gather(rises) == query.gather(rises + 1)).any())
