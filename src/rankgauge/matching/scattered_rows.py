"""ScatteredRows: rows of queries in any order, gathered by query; what is too much for memory waits on disk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
import polars as pl

from rankgauge.inputs.findings import Findings
from rankgauge.inputs.io.frame_file import FrameFile, Place
from rankgauge.inputs.io.input_file import InputFile
from rankgauge.inputs.table_rows import Lengths
from rankgauge.matching.judged_table import JudgedTable
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Ints, Segments, by_number

PARTS = 256
"""Number of parts into which the queries are divided; each has the rows of some of them."""
BLOCK_ROWS = 1 << 17
"""Rows divided at a time: few enough to stay in the cache."""
GATHERED_ROWS = 1 << 18
"""Approximate number of rows that are put in order and matched at a time."""
KEPT_BYTES = 256 << 20
"""Bytes of rows that are kept in memory; more are written to a file."""


class _Divided(NamedTuple):
    """Rows ordered by part: those of part p are ``rows[edges[p]:edges[p + 1]]``, in input order."""

    rows: pl.DataFrame
    edges: Ints

    def of(self, first: int, last: int) -> pl.DataFrame:
        """Return the rows of the parts from ``first`` to before ``last``."""
        return self.rows[int(self.edges[first]) : int(self.edges[last])]


class ScatteredRows:
    """Rows of a ranking in any order. Those of judged queries are kept, with the number of the query.

    Each block is divided into parts of consecutive queries, which stay in memory or are written to ``file``. At the
    end the rows of one part after another are put together and ordered by query.
    """

    def __init__(self, table: JudgedTable, file: FrameFile | None = None) -> None:
        """Keep rows in memory, or in the file if there is one and they are many."""
        self.unjudged: dict[object, None] = {}
        """Queries without judgments, in the order of their first rows."""
        self._table, self._file = table, file
        self._parts = min(PARTS, len(table.queries))
        self._rows = np.zeros(self._parts, dtype=np.int64)
        self._in_memory: list[_Divided] = []
        self._bytes = 0
        self._on_disk: list[list[Place]] = [[] for _ in range(self._parts)]

    def add(self, frame: pl.DataFrame) -> None:
        """Take the next rows."""
        for start in range(0, frame.height, BLOCK_ROWS):
            self._add(frame[start : start + BLOCK_ROWS])

    def _add(self, block: pl.DataFrame) -> None:
        code = self._table.codes_of_rows(block["query"])
        judged = code >= 0
        if not judged.all():
            self.unjudged.update(dict.fromkeys(block["query"].filter(~judged).unique(maintain_order=True).to_list()))
            block, code = block.filter(judged), code[judged]
        part = (code * self._parts // len(self._table.queries)).astype(np.uint8)
        order = np.argsort(part, kind="stable")
        rows = block.drop("query")[order].insert_column(0, pl.Series("code", code[order].astype(np.int32)))
        counts = np.bincount(part, minlength=self._parts)
        self._rows += counts
        self._in_memory.append(_Divided(rows, Segments.of_sizes(counts).offsets))
        self._bytes += int(rows.estimated_size())
        if self._file is not None and self._bytes > KEPT_BYTES:
            self._write(self._file)

    def _write(self, file: FrameFile) -> None:
        """Write all rows that are in memory, each part for itself."""
        for part, places in enumerate(self._on_disk):
            rows = pl.concat([divided.of(part, part + 1) for divided in self._in_memory])
            if rows.height:
                places.append(file.write(rows))
        self._in_memory.clear()
        self._bytes = 0

    def blocks(self) -> Iterator[tuple[pl.DataFrame, Lengths]]:
        """Yield blocks of whole queries, in the order of the judgments, with the number of rows of each query.

        Queries without judgments come first, with a single row, since they are only counted.
        """
        if self.unjudged:
            query = pl.Series("query", [*self.unjudged], dtype=self._table.queries.dtype)
            none = {"item": pl.lit(None, dtype=self._table.item.dtype), "score": pl.lit(0.0)}
            yield query.to_frame().with_columns(**none), np.ones(len(query), dtype=np.int64)
        first = 0
        totals = np.concatenate(([0], np.cumsum(self._rows)))
        while totals[first] < totals[-1]:
            full = int(np.searchsorted(totals, totals[first] + GATHERED_ROWS, side="right")) - 1
            last = min(max(full, first + 1), self._parts)
            if totals[last] > totals[first]:
                yield self._gathered(first, last)
            first = last

    def _gathered(self, first: int, last: int) -> tuple[pl.DataFrame, Lengths]:
        frames: list[pl.DataFrame] = []
        if self._file is not None:
            frames += [self._file.read(place) for part in range(first, last) for place in self._on_disk[part]]
        frames += [divided.of(first, last) for divided in self._in_memory]
        rows = pl.concat(frames, rechunk=True)  # rows of many chunks are slow to reorder
        code = rows["code"].to_numpy()
        lowest = int(code.min())
        lengths = np.bincount(code - lowest)
        numbers = np.flatnonzero(lengths)
        order = by_number(code - lowest, len(lengths))
        lengths = lengths[numbers]
        query = self._table.queries.gather(np.repeat(numbers + lowest, lengths))
        return rows.drop("code")[order].insert_column(0, query.alias("query")), lengths


def gathered(table: JudgedTable, frames: Iterable[pl.DataFrame], file: FrameFile | None = None) -> ScatteredRows:
    """Return the rows of all frames, ready to be taken out query by query."""
    rows = ScatteredRows(table, file)
    for frame in frames:
        rows.add(frame)
    return rows


def note_gathering(file: InputFile, findings: Findings) -> None:
    """Report that the rows of a query are not together in a file."""
    gathering = Phrase("gathered by query before they are evaluated", "先按查询归拢，再进行评测")
    findings.add("RG304", (f"{file}: {gathering.en}", f"{file}：{gathering.zh}"))
