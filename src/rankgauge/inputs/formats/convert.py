"""Convert judgments and rankings from one format to another, block by block."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import IO

import polars as pl

from rankgauge.errors import InputError, ParameterError
from rankgauge.inputs.codes import Role
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.formats.codec import ScatteredQueriesError, WriteOptions
from rankgauge.inputs.formats.detection import SourceInfo, inspect_source
from rankgauge.inputs.formats.reader import read_blocks
from rankgauge.inputs.formats.registry import WRITABLE, FileFormat, FormatName, format_named, format_of_ending
from rankgauge.inputs.io.atomic_file import atomic_write
from rankgauge.inputs.io.compression import Compression, Source, split_compression

TAG = "rankgauge"


@dataclass(frozen=True)
class Conversion:
    """The result of a conversion: the source, the format written, the number of rows, and the findings."""

    source: SourceInfo
    to: FormatName
    rows: int
    findings: Findings


def target_format(path: str, to: str | None) -> tuple[FileFormat, Compression | None]:
    """Return the format and compression of a target, from its ending unless the format is given.

    >>> written, compression = target_format("run.jsonl.gz", None)
    >>> written.name, compression.name
    ('jsonl', 'gzip')
    """
    name, compression = split_compression(path)
    by_ending = format_of_ending(name.rpartition(".")[2])
    chosen = to or (by_ending.name if by_ending else None)
    if chosen is None:
        raise ParameterError(
            f"{path}: the file ending is not that of a format; pass --to (to=): one of {', '.join(WRITABLE)}"
        )
    target = format_named(chosen, "to", WRITABLE)
    if compression and target.seekable:
        raise ParameterError(
            f"{path}: {target.title} files are compressed internally; drop the ending .{path.rpartition('.')[2]}"
        )
    return target, compression


def convert(
    source: Source,
    target: str | os.PathLike[str] | IO[bytes],
    *,
    to: str | None = None,
    role: Role | None = None,
    format: str | None = None,  # noqa: A002 (the name that callers expect)
    columns: Mapping[str, str] | None = None,
    lenient: bool = False,
    force: bool = False,
    tag: str = TAG,
) -> Conversion:
    """Write judgments or a ranking in another format, atomically.

    Parameters
    ----------
    source
        A path, ``"-"`` for standard input, or an open file.
    target
        A path, whose ending determines format and compression, or an open binary file.
    to
        The format to write, if the ending of the target does not determine it.
    role
        ``"judgments"`` or ``"ranking"``; guessed if None.
    format, columns, lenient
        As for ``evaluate``.
    force
        Replace an existing target.
    tag
        Name of the system, written in the last column of a TREC ranking.
    """
    written, compression = target_format(os.fspath(target) if isinstance(target, str | os.PathLike) else "", to)
    if not tag or len(tag.split()) != 1:
        raise ParameterError.of("tag", tag, "one word")
    info = inspect_source(source, role=role, format=format, columns=columns)
    options, write = WriteOptions(info.role, info.name, tag), written.codec.write

    def attempt(*, gather: bool) -> Conversion:
        findings, rows = Findings(), 0

        def counted(blocks: Iterator[pl.DataFrame]) -> Iterator[pl.DataFrame]:
            nonlocal rows
            for block in blocks:
                rows += block.height
                yield block

        blocks = read_blocks(
            info.source, info.role, format=info.format, columns=columns, findings=findings, lenient=lenient
        )
        with _open_target(target, compression, force) as file:
            write(counted(iter([_gather(blocks)]) if gather else blocks), file, options)
        return Conversion(info, written.name, rows, findings)

    try:
        return attempt(gather=False)
    except ScatteredQueriesError:
        if not isinstance(info.source, str | os.PathLike):
            raise InputError(
                f"{info.name}: the lines of a query are not together, and a stream cannot be read twice; "
                "sort it by query, or give a file"
            ) from None
        return attempt(gather=True)


def _gather(blocks: Iterator[pl.DataFrame]) -> pl.DataFrame:
    """Return all rows with those of a query together, queries in the order of their first rows."""
    rows = pl.concat([*blocks]).with_row_index("row")
    return rows.sort(pl.col("row").min().over("query"), maintain_order=True).drop("row")


@contextmanager
def _open_target(
    target: str | os.PathLike[str] | IO[bytes], compression: Compression | None, force: bool
) -> Iterator[IO[bytes]]:
    opened = atomic_write(target, force=force) if isinstance(target, str | os.PathLike) else nullcontext(target)
    with opened as plain, compression.compressor(plain) if compression else nullcontext(plain) as file:
        yield file
