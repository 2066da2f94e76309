"""Rankings that are streamed from a file: matched as they are read, and again if the rows of a query are scattered."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

import polars as pl

from rankgauge.errors import InputError
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.io.frame_file import FrameFile, Place
from rankgauge.inputs.io.input_file import InputFile
from rankgauge.inputs.io.prefetch import prefetch, with_findings
from rankgauge.inputs.table_rows import whole_queries
from rankgauge.matching.from_frames import NotContiguousError
from rankgauge.matching.matched import Chunk
from rankgauge.matching.scattered_rows import gathered, note_gathering
from rankgauge.matching.score_checks import SOME, scores_of_frame

if TYPE_CHECKING:
    from rankgauge.matching.judgments import Judgments
    from rankgauge.matching.ranking import Ranking

REMEMBERED_ROWS = 2_000_000
"""Rows that are kept in memory; later ones are written to a file."""
MOST_BYTES = 16 << 30
"""Size of the file from which a stream is too long to be kept."""
TOO_LONG = (
    "ranking: the lines of a query are not contiguous, and the stream is too long to be kept; sort it by query, or "
    "pass a file"
)


class StreamMemory:
    """The blocks of a one-shot stream, in memory and then in a file; nothing of one that can be read again."""

    def __init__(self, keeps: bool, file: FrameFile) -> None:
        self.keeps = keeps
        self.forgot = False
        self._file = file
        self._rows = 0
        self._blocks: list[pl.DataFrame] = []
        self._places: list[Place] = []

    def watch(self, blocks: Iterator[pl.DataFrame]) -> Iterator[pl.DataFrame]:
        """Yield the blocks, and keep them."""
        for block in blocks:
            if self.keeps and not self.forgot:
                self._keep(block)
            yield block

    def _keep(self, block: pl.DataFrame) -> None:
        self._rows += block.height
        if self._rows <= REMEMBERED_ROWS:
            self._blocks.append(block)
        elif self._file.size < MOST_BYTES:
            self._places.append(self._file.write(block))
        else:
            self.forgot = True
            self._blocks.clear()

    def blocks(self) -> Iterator[pl.DataFrame]:
        """Return what was kept, in order; blocks in memory are released."""
        while self._blocks:
            yield self._blocks.pop(0)
        yield from map(self._file.read, self._places)


def streamed_chunks(
    ranking: Ranking,
    file: InputFile,
    judgments: Judgments,
    match: Callable[..., Iterator[Chunk]],
    findings: Findings,
    on_read: Callable[[int], None] | None,
) -> Iterator[Chunk]:
    """Match a file block by block; if the rows of a query are not together, gather them and match once more."""
    table = judgments.table(findings)
    reading, matching = findings.empty(), findings.empty()
    with FrameFile() as stored:
        memory = StreamMemory(file.is_one_shot, stored)
        parsed = memory.watch(_blocks_ahead(ranking, reading, on_read))
        blocks: Iterator[pl.DataFrame] = (table.with_like_types(block, reading) for block in parsed)
        if (first := next(blocks, None)) is not None:
            ranking.examine(judgments, table.grade[:SOME].tolist(), scores_of_frame(first), findings)
            blocks = chain([first], blocks)
        try:
            yield from match(whole_queries(blocks), findings=matching)
        except NotContiguousError:
            if memory.forgot:
                raise InputError(TOO_LONG) from None
            note_gathering(file, findings)
            ranking.unjudged.clear()
            ranking.starts += 1
        else:
            findings.merge(reading)
            findings.merge(matching)
            return
        in_types = findings.empty()  # reported already, unless the file is read again
        again: Iterator[pl.DataFrame] = chain(memory.blocks(), parsed)
        if not memory.keeps:
            again = _blocks_ahead(ranking, reading := in_types, on_read)
        rows = gathered(table, (table.with_like_types(block, in_types) for block in again), stored)
        findings.merge(reading)
        yield from match(rows.blocks(), findings=findings, in_memory=True)


def _blocks_ahead(
    ranking: Ranking, findings: Findings, on_read: Callable[[int], None] | None
) -> Iterator[pl.DataFrame]:
    """Read the file block by block, the next one in a thread."""
    block_findings = findings.empty()
    for block, in_block in prefetch(with_findings(ranking.blocks(block_findings, on_read), block_findings)):
        findings.rows = block_findings.rows
        findings.merge(in_block)
        findings.raise_errors(ranking.options.lenient)
        yield block
    findings.merge(block_findings)
