"""Convert judgments and rankings from one format to another, block by block."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from typing import IO, Any

import polars as pl

from rankgauge.errors import InputError, ParameterError
from rankgauge.inputs.codes import Role
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.formats.codec import ScatteredQueriesError, WriteOptions
from rankgauge.inputs.formats.reader import inspect_source, read_blocks
from rankgauge.inputs.formats.registry import WRITABLE, FileFormat, format_named, format_of_ending
from rankgauge.inputs.io.atomic_file import atomic_write, write_errors
from rankgauge.inputs.io.compression import Compression, Source, source_name, split_compression
from rankgauge.rendering.language import Phrase


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
            Phrase(
                f"{path}: the file ending is not that of a format; pass --to (to=): one of {', '.join(WRITABLE)}",
                f"{path}：扩展名不对应任何格式；请用 --to（to=）指明：{'、'.join(WRITABLE)} 之一",
            )
        )
    target = format_named(chosen, "to", WRITABLE)
    if compression and target.seekable:
        ending = path.rpartition(".")[2]
        raise ParameterError(
            (
                f"{path}: {target.title} files are compressed internally; drop the ending .{ending}",
                f"{path}：{target.title} 文件自带压缩；请去掉扩展名 .{ending}",
            )
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
    split: str | None = None,
    lenient: bool = False,
    force: bool = False,
    tag: str = "rankgauge",
) -> Findings:
    """Write judgments or a ranking in another format, atomically, and return the findings.

    ``target`` is a path, whose ending determines format and compression unless ``to`` is given, or an open binary file;
    with ``force`` an existing one is replaced. ``tag`` is the name of the system in a TREC ranking. Role, format,
    columns and split of the source are those of ``inspect_source``.
    """
    path = os.fspath(target) if isinstance(target, str | os.PathLike) else ""
    written, compression = target_format(path, to)
    if not tag or len(tag.split()) != 1:
        raise ParameterError.of("tag", tag, ("one word", "一个词"))
    info = inspect_source(source, role=role, format=format, columns=columns, split=split)
    given: dict[str, Any] = {"format": info.format, "columns": columns, "lenient": lenient, "split": info.split}

    def attempt(*, gather: bool) -> Findings:
        findings = Findings()
        blocks = read_blocks(info.source, info.role, findings=findings, **given)
        opened: Any = atomic_write(target, force=force) if isinstance(target, str | os.PathLike) else _left_open(target)
        with opened as plain, compression.compressor(plain) if compression else nullcontext(plain) as file:
            options = WriteOptions(info.role, info.name, tag)
            written.codec.write(iter([_gather(blocks)]) if gather else blocks, file, options)
        return findings

    try:
        return attempt(gather=False)
    except ScatteredQueriesError:
        if not isinstance(info.source, str | os.PathLike):
            raise InputError(
                f"{info.name}: the lines of a query are not together, and a stream cannot be read twice; "
                "sort it by query, or give a file"
            ) from None
        return attempt(gather=True)


@contextmanager
def _left_open(target: IO[bytes]) -> Iterator[IO[bytes]]:
    """Yield an open file; errors of the system name it."""
    name = source_name(target)
    with write_errors("standard output" if name == "<stdout>" else name):
        yield target


def _gather(blocks: Iterator[pl.DataFrame]) -> pl.DataFrame:
    """Return all rows with those of a query together, queries in the order of their first rows."""
    rows = pl.concat([*blocks]).with_row_index("row")
    return rows.sort(pl.col("row").min().over("query"), maintain_order=True).drop("row")
