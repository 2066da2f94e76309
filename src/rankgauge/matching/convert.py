"""`convert`: judgments and rankings from one format to another, block by block."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import IO, Any, Unpack

import polars as pl

from rankgauge.errors import InputError, ParameterError
from rankgauge.inputs.codes import Role
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.formats.codec import ScatteredQueriesError, WriteOptions
from rankgauge.inputs.formats.registry import WRITABLE, FileFormat, format_named, format_of_ending
from rankgauge.inputs.io.atomic_file import atomic_write, write_errors
from rankgauge.inputs.io.compression import Compression, source_name, split_compression
from rankgauge.inputs.read_options import ReadKeywords, ReadOptions
from rankgauge.matching.source_sides import source_sides
from rankgauge.matching.source_types import JudgmentsLike, RankingLike
from rankgauge.rendering.language import Phrase

SEVERAL = Phrase(
    "{name}, {other}: the file holds the rankings of several systems; convert one of them: FILE/SYSTEM",
    "{name}、{other}：文件含有多个系统的排序结果；请转换其中一个：文件/系统",
)
BOTH_SIDES = Phrase(
    "{name} holds judgments and a ranking; pass role=judgments or role=ranking",
    "{name} 同时含有标注与排序结果；请用 role=judgments 或 role=ranking 指明",
)


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
        en = f"{path}: the file ending is not that of a format; pass --to (to=): one of {', '.join(WRITABLE)}"
        raise ParameterError((en, f"{path}：扩展名不对应任何格式；请用 --to（to=）指明：{'、'.join(WRITABLE)} 之一"))
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
    source: JudgmentsLike | RankingLike,
    target: str | os.PathLike[str] | IO[bytes],
    *,
    to: str | None = None,
    role: Role | None = None,
    force: bool = False,
    tag: str = "rankgauge",
    read_options: ReadOptions | None = None,
    **read: Unpack[ReadKeywords],
) -> Findings:
    """Write judgments or a ranking in another format, atomically, and return what was noticed in them.

    Parameters
    ----------
    source
        A file, an open file, a frame, a list of records, or a dict.
    target
        A path, or an open binary file.
    to
        The format to write; that of the ending of the path if None.
    role
        ``"judgments"`` or ``"ranking"``, for a source that could be either or holds both.
    force
        Replace a file that exists.
    tag
        The name of the system in a TREC run.
    read_options, **read
        How the source is read, as for ``evaluate``.

    Examples
    --------
    >>> import io, rankgauge as rg
    >>> run = io.BytesIO()
    >>> _ = rg.convert({"q1": {"a": 0.9, "b": 0.5}}, run, to="trec", role="ranking")
    >>> print(run.getvalue().decode())
    q1 Q0 a 1 0.9 rankgauge
    q1 Q0 b 2 0.5 rankgauge
    <BLANKLINE>
    """
    options = ReadOptions.of(convert, read_options, read)
    check_target(target, to, tag)
    side, *others = source_sides([source], role, options)
    info = side.info
    if others and side.info.role == others[0].info.role:
        raise ParameterError(SEVERAL.fill(name=info.name, other=others[0].info.name))
    if others:
        raise ParameterError(BOTH_SIDES.fill(name=info.name))

    def attempt(*, gather: bool) -> Findings:
        findings = Findings()
        blocks = side.blocks(findings, lenient=options.lenient)
        gathered = iter([_gather(blocks)]) if gather else blocks
        write_blocks(gathered, target, WriteOptions(info.role, info.name, tag), to=to, force=force)
        return findings

    try:
        return attempt(gather=False)
    except ScatteredQueriesError:
        if side.table is None and info.file.is_one_shot:
            raise InputError(
                f"{info.name}: the lines of a query are not together, and a stream cannot be read twice; "
                "sort it by query, or give a file"
            ) from None
        return attempt(gather=True)


def check_target(
    target: str | os.PathLike[str] | IO[bytes], to: str | None, tag: str
) -> tuple[FileFormat, Compression | None]:
    """Return the format and compression of a target; raise an error for one that is unknown, or for an invalid tag."""
    if not tag or len(tag.split()) != 1:
        raise ParameterError.of("tag", tag, ("one word", "一个词"))
    return target_format(os.fspath(target) if isinstance(target, str | os.PathLike) else "", to)


def write_blocks(
    blocks: Iterator[pl.DataFrame],
    target: str | os.PathLike[str] | IO[bytes],
    options: WriteOptions,
    *,
    to: str | None = None,
    force: bool = False,
) -> None:
    """Write blocks of rows to a path, atomically, or to an open binary file."""
    written, compression = check_target(target, to, options.tag)
    opened: Any = atomic_write(target, force=force) if isinstance(target, str | os.PathLike) else _left_open(target)
    with opened as plain, compression.compressor(plain) if compression else nullcontext(plain) as file:
        written.codec.write(blocks, file, options)


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
