"""Judgments and rankings from one format to another, block by block."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Literal, cast, get_args

import polars as pl

from rankgauge.errors import InputError, ParameterError, shown
from rankgauge.inputs.codes import Role
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.formats.detection import SourceInfo, inspect_source
from rankgauge.inputs.formats.reader import read_blocks
from rankgauge.inputs.io.atomic_file import atomic_write
from rankgauge.inputs.io.compression import Source, zstandard
from rankgauge.inputs.query_blocks import whole_queries

Target = Literal["trec", "csv", "tsv", "jsonl", "parquet", "arrow"]
"""The formats that can be written."""
_ENDINGS: dict[str, Target] = {
    ".trec": "trec", ".txt": "trec", ".qrels": "trec", ".qrel": "trec", ".run": "trec", ".csv": "csv", ".tsv": "tsv",
    ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet", ".pq": "parquet", ".arrow": "arrow",
    ".feather": "arrow", ".ipc": "arrow",
}  # fmt: skip
_PACKERS: dict[str, str] = {".gz": "gzip", ".bz2": "bzip2", ".xz": "xz", ".zst": "zstd", ".zstd": "zstd"}
TAG = "rankgauge"


class _ScatteredError(Exception):
    """The rows of a query do not stand together, so that they cannot be ranked as they come."""


@dataclass(frozen=True)
class Converted:
    """What was converted: the source, the format of the target, and how many rows it has."""

    look: SourceInfo
    to: Target
    rows: int
    findings: Findings


def target_format(path: str, to: str | None) -> tuple[Target, str]:
    """The format and the compression of a target, by its ending unless the format is given.

    >>> target_format("run.jsonl.gz", None)
    ('jsonl', 'gzip')
    """
    inner, ending = os.path.splitext(path.lower())  # noqa: PTH122 (a name, not a path)
    packed = _PACKERS.get(ending, "")
    chosen = to or _ENDINGS.get(os.path.splitext(inner)[1] if packed else ending)  # noqa: PTH122
    for known in get_args(Target):
        if chosen == known:
            return known, packed
    if chosen is None:
        raise ParameterError(
            f"{path}: the ending names no format; say which (--to): one of {', '.join(get_args(Target))}"
        )
    raise ParameterError.of("to", chosen, f"one of {', '.join(map(repr, get_args(Target)))}")


def convert(
    source: Source,
    target: str | os.PathLike[str] | IO[bytes],
    *,
    to: str | None = None,
    role: Role | None = None,
    format: str | None = None,  # noqa: A002 (the word that callers look for)
    columns: Mapping[str, str] | None = None,
    lenient: bool = False,
    force: bool = False,
    tag: str = TAG,
) -> Converted:
    """Write judgments or a ranking in another format; the target appears whole or not at all.

    Parameters
    ----------
    source
        A path, ``"-"`` for standard input, or an open file.
    target
        A path, whose ending says the format and the compression, or an open binary file.
    to
        The format of the target, where its ending does not say it: trec, csv, tsv, jsonl, parquet or arrow.
    role
        ``"judgments"`` or ``"ranking"``; guessed when None.
    format, columns, lenient
        As for ``evaluate``.
    force
        Replace a target that exists.
    tag
        The name of the system in the last column of a TREC ranking.

    Returns
    -------
    Converted
        The look at the source, the number of rows, and the findings.
    """
    path = os.fspath(target) if isinstance(target, str | os.PathLike) else ""
    chosen, packed = target_format(path, to)
    if packed and chosen in {"parquet", "arrow"}:
        raise ParameterError(f"{path}: {chosen} files are packed inside; name it without the last ending")
    if not tag or len(tag.split()) != 1:
        raise ParameterError.of("tag", tag, "one word")
    look = inspect_source(source, role=role, format=format, columns=columns)

    def attempt(gather: bool) -> Converted:
        findings = Findings()
        blocks = read_blocks(
            look.source, look.role, format=look.format, columns=columns, findings=findings, lenient=lenient
        )
        with _opened(target, force) as plain, _packed(plain, packed) as file:
            rows = _Writer(look, chosen, tag, gather).write(blocks, file)
        return Converted(look, chosen, rows, findings)

    try:
        return attempt(gather=False)
    except _ScatteredError:
        if not isinstance(look.source, str | os.PathLike):
            raise InputError(
                f"{look.name}: the lines of a query do not stand together, and a stream cannot be read twice; "
                "sort it by query, or give a file"
            ) from None
        return attempt(gather=True)


class _Writer:
    """Blocks into one open file."""

    def __init__(self, look: SourceInfo, to: Target, tag: str, gather: bool) -> None:
        self.look = look
        self.to = to
        self.tag = tag
        self.gather = gather
        self.rows = 0

    def write(self, blocks: Iterator[pl.DataFrame], file: IO[bytes]) -> int:
        counted = map(self._count, blocks)
        match self.to:
            case "parquet":
                self._sink(counted, lambda table: table.sink_parquet(file))
            case "arrow":
                self._sink(counted, lambda table: table.sink_ipc(file))
            case "trec":
                for block in self._trec(counted):
                    block.write_csv(file, separator=" ", include_header=False, quote_style="never")
            case "jsonl":
                for block in counted:
                    block.write_ndjson(file)
            case _:
                separator = "," if self.to == "csv" else "\t"
                for number, block in enumerate(counted):
                    _whole_grades(block).write_csv(file, separator=separator, include_header=number == 0)
        return self.rows

    def _count(self, block: pl.DataFrame) -> pl.DataFrame:
        self.rows += block.height
        return block

    def _sink(self, blocks: Iterator[pl.DataFrame], sink: Callable[[pl.LazyFrame], Any]) -> None:
        """Stream blocks into a columnar file; polars would hide our errors in its own."""
        from polars.io.plugins import register_io_source  # noqa: PLC0415

        raised: list[Exception] = []

        def rows(*_: Any) -> Iterator[pl.DataFrame]:
            try:
                yield from blocks
            except Exception as error:  # noqa: BLE001 (raised again below)
                raised.append(error)

        number = "grade" if self.look.role == "judgments" else "score"
        kinds = {"query": pl.String, "item": pl.String, number: pl.Float64}
        sink(register_io_source(rows, schema=kinds))
        if raised:
            raise raised[0]

    def _trec(self, blocks: Iterator[pl.DataFrame]) -> Iterator[pl.DataFrame]:
        """The columns of TREC; items of a ranking in the order of their scores, which the ranks follow."""
        if self.look.role == "judgments":
            for block in map(self._fits_trec, blocks):
                yield _whole_grades(block).select("query", pl.lit("0").alias("iteration"), "item", "grade")
            return
        seen: set[str] = set()
        whole = iter([_gathered(blocks)]) if self.gather else blocks
        for block, lengths in whole_queries(map(self._fits_trec, whole)):
            queries = block["query"].unique().to_list()
            if len(queries) != len(lengths) or not seen.isdisjoint(queries):
                raise _ScatteredError
            seen.update(queries)
            order = pl.int_range(pl.len()).over("query") + 1
            ranked = block.sort(pl.col("query").rle_id(), "score", descending=[False, True], maintain_order=True)
            yield ranked.select(
                "query", pl.lit("Q0").alias("q0"), "item", order.alias("rank"), "score", pl.lit(self.tag).alias("tag")
            )

    def _fits_trec(self, block: pl.DataFrame) -> pl.DataFrame:
        """The block, or an error for an id that TREC files cannot hold."""
        for name in ("query", "item"):
            blank = block[name].str.contains(r"[ \t\r\n\x0b\x0c]") | block[name].str.starts_with("#")
            if blank.any():
                raise InputError(
                    f"{self.look.name}: the {name} {shown(block[name][blank.arg_true()[0]])} has a blank or begins "
                    "with #, which TREC files cannot hold; write csv, tsv or jsonl instead"
                )
        return block


def _gathered(blocks: Iterator[pl.DataFrame]) -> pl.DataFrame:
    """All rows, those of a query together, queries in the order of their first rows."""
    rows = pl.concat([*blocks]).with_row_index("row")
    return rows.sort(pl.col("row").min().over("query"), maintain_order=True).drop("row")


def _whole_grades(block: pl.DataFrame) -> pl.DataFrame:
    """Grades as whole numbers, where all of them are."""
    if "grade" not in block.columns or not bool((block["grade"] == block["grade"].round(0)).all()):
        return block
    return block.with_columns(pl.col("grade").cast(pl.Int64))


@contextmanager
def _opened(target: str | os.PathLike[str] | IO[bytes], force: bool) -> Iterator[IO[bytes]]:
    if isinstance(target, str | os.PathLike):
        with atomic_write(Path(target), force=force) as file:
            yield file
    else:
        yield target


@contextmanager
def _packed(file: IO[bytes], how: str) -> Iterator[IO[bytes]]:
    if not how:
        yield file
        return
    makers: dict[str, Callable[[], Any]] = {
        "gzip": lambda: gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0),  # the same bytes every time
        "bzip2": lambda: bz2.BZ2File(file, "wb"),
        "xz": lambda: lzma.LZMAFile(file, "wb"),  # noqa: SIM115 (closed below)
        "zstd": lambda: zstandard().ZstdFile(file, "wb"),
    }
    with makers[how]() as packed:
        yield cast("IO[bytes]", packed)
