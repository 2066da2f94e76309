"""Judgments and rankings from files: any of seven formats, packed or not, as columns.

Strict reading raises all problems of a block at once, each with file, line and reason. Lenient reading leaves
the wrong lines out. Both count everything in a ``Findings``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from typing import Protocol

import polars as pl

from rankgauge.errors import ParameterError, shown
from rankgauge.inputs.codes import Role
from rankgauge.inputs.findings import Findings, input_error
from rankgauge.inputs.formats.columnar import column_slices
from rankgauge.inputs.formats.letor import LetorReader
from rankgauge.inputs.formats.sniff import Format, check_format, guess_format
from rankgauge.inputs.formats.text_tables import DelimitedReader, JsonReader
from rankgauge.inputs.formats.trec import TrecReader
from rankgauge.inputs.grade_checks import note_grades
from rankgauge.inputs.io.compression import ByteStream, Source, open_bytes
from rankgauge.inputs.io.lines import HEAD, Block, FileContext, clean_text, empty_frame, line_blocks
from rankgauge.inputs.io.prefetch import prefetch, with_findings

BLOCK_BYTES = 6 << 20
"""About how much of a file is parsed at a time."""

LONG_ID = 1000

Progress = Callable[[int], None]


class _Reader(Protocol):
    def parse(self, block: Block) -> pl.DataFrame: ...


def read_judgments(
    source: Source,
    *,
    format: str | None = None,  # noqa: A002 (the word that callers look for)
    columns: Mapping[str, str] | None = None,
    findings: Findings,
    lenient: bool,
    block_bytes: int = BLOCK_BYTES,
) -> pl.DataFrame:
    """Read judgments.

    Parameters
    ----------
    source
        A path, ``"-"`` for standard input, or an open file; gzip, bzip2, xz and zstd are recognised.
    format
        ``"trec"``, ``"csv"``, ``"tsv"``, ``"jsonl"``, ``"parquet"``, ``"arrow"`` or ``"letor"``; guessed when None.
    columns
        Our names (query, item, grade) to those of the table, where they are not recognised. For a table without
        a header: positions from 1, as text.
    findings
        Where findings are put.
    lenient
        Leave wrong lines out instead of raising.
    block_bytes
        About how much is parsed at a time.

    Returns
    -------
    polars.DataFrame
        query and item (String) and grade (Float64), in the order of the file.

    Raises
    ------
    InputError
        The file cannot be read, has nothing in it or, in strict mode, has lines that are wrong.
    """
    reading = FileContext("", "judgments", findings, lenient)
    frames = list(_frames(source, reading, format, columns, block_bytes, None))
    judgments = pl.concat(frames) if frames else empty_frame(reading)
    note_grades(judgments["grade"].to_numpy(), lambda row: _place_of(judgments, row, reading), findings)
    return judgments


def read_blocks(
    source: Source,
    role: Role,
    *,
    format: str | None = None,  # noqa: A002
    columns: Mapping[str, str] | None = None,
    findings: Findings,
    lenient: bool,
    block_bytes: int = BLOCK_BYTES,
    progress: Progress | None = None,
) -> Iterator[pl.DataFrame]:
    """Read a ranking, block by block, so that memory stays flat.

    Parameters
    ----------
    source, format, findings, lenient
        As for ``read_judgments``.
    columns
        Our names (query, item, score, rank) to those of the table. Without a score, the score is minus the rank.
    block_bytes
        About how much of a text file is parsed at a time; a query may continue in the next block.
    progress
        Called after each block with the number of bytes taken from the source so far, packed where it is packed.

    Yields
    ------
    polars.DataFrame
        query and item (String) and score (Float64), in the order of the file.

    Raises
    ------
    InputError
        As for ``read_judgments``, while the blocks are taken.
    """
    reading = FileContext("", role, findings, lenient)
    yield from _frames(source, reading, format, columns, block_bytes, progress)


def _frames(
    source: Source,
    reading: FileContext,
    format: str | None,  # noqa: A002
    columns: Mapping[str, str] | None,
    block_bytes: int,
    progress: Progress | None,
) -> Iterator[pl.DataFrame]:
    """The frames of a source that have rows; errors are raised after the frame in which they stood."""
    if block_bytes < 1:
        raise ParameterError.of("block_bytes", block_bytes, "at least 1")
    stream, reading.name = open_bytes(source)
    with closing(stream):
        head = stream.peek(HEAD)
        chosen = _format(head, reading, format, columns)
        if chosen in {"parquet", "arrow"}:
            steps = column_slices(source, stream, chosen, reading, columns)
        else:
            steps = _parsed(stream, chosen, reading, columns, block_bytes)
        findings, reading.findings = reading.findings, Findings()
        noted = with_findings(_noted(steps, reading, stream), reading.findings)
        for (frame, consumed), found in prefetch(noted):
            findings.merge(found)
            findings.raise_errors(reading.lenient)
            if progress is not None:
                progress(consumed)
            if frame.height:
                yield frame
    if not reading.rows_begun:
        raise input_error("RG101", f"{reading.name}: nothing in it: no line with data")


def _noted(
    frames: Iterator[pl.DataFrame], reading: FileContext, stream: ByteStream
) -> Iterator[tuple[pl.DataFrame, int]]:
    """The frames, looked through once more, and how far the source was read for each."""
    for frame in frames:
        _note_long_ids(frame, reading)
        yield frame, stream.consumed


def _format(head: bytes, reading: FileContext, given: str | None, columns: Mapping[str, str] | None) -> Format:
    """The format that was given, or the one that the content shows."""
    if given is not None:
        chosen = check_format(given)
    else:
        chosen = guess_format(head, reading.name, reading.role)
        if columns and chosen in {"trec", "letor"}:  # named columns mean a table, also without a header
            chosen = "tsv" if b"\t" in head.strip().partition(b"\n")[0] else "csv"
        if head.strip():
            reading.findings.add("RG106", f"{reading.name}: read as {chosen}")
    if columns and chosen in {"trec", "letor"}:
        raise ParameterError(f"columns has no meaning for format={chosen!r}, whose columns have fixed places")
    return chosen


def _parsed(
    stream: ByteStream, chosen: Format, reading: FileContext, columns: Mapping[str, str] | None, block_bytes: int
) -> Iterator[pl.DataFrame]:
    reader = _reader(chosen, reading, columns)
    blocks = line_blocks(stream, block_bytes, quoted=chosen in {"csv", "tsv"})
    for block in prefetch(blocks):
        yield reader.parse(clean_text(block, reading))


def _reader(chosen: Format, reading: FileContext, columns: Mapping[str, str] | None) -> _Reader:
    match chosen:
        case "csv":
            return DelimitedReader(reading, columns, ",")
        case "tsv":
            return DelimitedReader(reading, columns, "\t")
        case "jsonl":
            return JsonReader(reading, columns)
        case "letor":
            return LetorReader(reading)
        case _:
            return TrecReader(reading)


def _note_long_ids(frame: pl.DataFrame, reading: FileContext) -> None:
    longest = frame["item"].str.len_bytes().max() if frame.height else 0
    if isinstance(longest, int) and longest > LONG_ID:
        at = frame["item"].str.len_bytes().arg_max() or 0
        query, item = frame["query"][at], frame["item"][at]
        reading.add("RG209", "", f"an id of {longest:,} bytes", query, item)


def _place_of(judgments: pl.DataFrame, row: int, reading: FileContext) -> str:
    query, item, _ = judgments.row(row)
    return f"({reading.name}, query {shown(query)}, item {shown(item)})"
