"""Recognise and read files of judgments and rankings in any registered format, compressed or not.

Strict reading raises all problems of a block together, each with file, line and reason. Lenient reading leaves
invalid lines out. Both count everything in a ``Findings``.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from rankgauge.errors import InputError, ParameterError
from rankgauge.inputs.codes import Role
from rankgauge.inputs.findings import Findings, input_error, no_splits, reader_errors
from rankgauge.inputs.formats.codec import Confidence, Content, OpenFile, Sample
from rankgauge.inputs.formats.file_groups import FileGroup, data_files, is_collection
from rankgauge.inputs.formats.registry import FORMATS, FileFormat, format_named, format_of_signature
from rankgauge.inputs.grade_checks import note_grades, row_place
from rankgauge.inputs.io.compression import Source, open_bytes, source_name
from rankgauge.inputs.io.lines import HEAD, FileContext
from rankgauge.inputs.io.paths import is_regular_file
from rankgauge.inputs.shapes.registry import shape_named
from rankgauge.inputs.table_rows import note_long_ids
from rankgauge.rendering.language import Phrase

BLOCK_BYTES = 4 << 20
"""Approximate number of bytes parsed at a time."""


@dataclass(frozen=True)
class SourceInfo:
    """Role, format and compression of a source."""

    source: Source
    """The source to read from now on; no bytes are lost, even of standard input."""
    name: str
    role: Role
    """The side asked for; otherwise the only one, or the first of two."""
    format: str
    compression: str
    split: str | None
    """The split to look for in the rows; None if the names of files told it."""
    content: Content
    """What the source holds: judgments, a ranking or both, and in which shape."""


def read_file(source: Source, role: Role, *, findings: Findings, **options: Any) -> pl.DataFrame:
    """Read all blocks, with the options of ``read_blocks``, as one frame, and report unusual grades."""
    blocks = [*read_blocks(source, role, findings=findings, **options)]
    frame = pl.concat(blocks, how="diagonal") if blocks else FileContext("", role, findings, lenient=True).frame()
    if role == "judgments":
        name = source_name(source)
        note_grades(frame["grade"].to_numpy(), lambda row: row_place(frame, row, name), findings)
    return frame


def read_blocks(
    source: Source,
    role: Role,
    *,
    format: str | None = None,  # noqa: A002 (the name that callers expect)
    columns: Mapping[str, str] | None = None,
    findings: Findings,
    lenient: bool,
    block_bytes: int = BLOCK_BYTES,
    progress: Callable[[int], None] | None = None,
    may_be_empty: bool = False,
    may_be_invalid: bool = False,
    by_system: bool = False,
    by_group: bool = False,
    split: str | None = None,
    rewrite: Callable[[bytes], bytes] | None = None,
) -> Iterator[pl.DataFrame]:
    """Read judgments or a ranking block by block in file order, in constant memory; a folder or glob file by file.

    A block has query and item (String) and grade or score (Float64); a query may continue in the next block. Without a
    score, the score is minus the rank. ``columns`` of a table without header are positions from 1, as text.
    ``progress`` is called after each block with the number of bytes read so far, before decompression.
    A table with columns but no rows is an error unless it ``may_be_empty``, and one whose rows are all invalid, even
    when reading leniently, unless all ``may_be_invalid``. With ``by_system``, rows of records that name systems
    have a column ``system``; with ``by_group``, judgments of records have a column ``group``. ``split`` chooses the
    files of a folder, or the rows of records that name their split.
    ``rewrite`` changes the lines of a text format before they are parsed, but not their number.
    Errors are raised after the block that contains them.
    """
    if block_bytes < 1:
        raise ParameterError.of("block_bytes", block_bytes, ("at least 1", "不小于 1"))
    source, split = data_files(source, role, split)
    options: dict[str, Any] = {"format": format, "columns": columns, "block_bytes": block_bytes, "rewrite": rewrite}
    if not isinstance(source, FileGroup):
        context = FileContext("", role, findings, lenient, by_system=by_system, by_group=by_group, split=split)
        empty: dict[str, Any] = {"may_be_empty": may_be_empty, "may_be_invalid": may_be_invalid}
        yield from _file_blocks(source, context, **options, **empty, progress=progress)
        return
    if format is None:
        _check_alike(source, columns)
    rows = before = 0
    for file in source.files:
        context = FileContext("", role, findings, lenient, by_system=by_system, by_group=by_group, split=split)
        done = None if progress is None else partial(_report_progress, progress, before)
        for block in _file_blocks(file, context, **options, may_be_empty=True, may_be_invalid=True, progress=done):
            rows += block.height
            yield block
        before += file.stat().st_size
    if not rows and not may_be_empty:
        name = os.fspath(source)
        raise input_error("RG101", (f"{name}: the files have no data", f"{name}：各文件中都没有数据"))


def _check_alike(group: FileGroup, columns: Mapping[str, str] | None) -> None:
    """Raise an error if the files of a folder or glob hold different things, such as judgments and a ranking."""
    kinds: dict[str, Path] = {}
    for file in group.files:
        try:
            info = inspect_source(file, columns=columns)
        except InputError:  # reported when it is read
            continue
        kinds.setdefault(f"{' + '.join(info.content.sides)}, {info.format}", file)
    if len(kinds) > 1:
        held = "; ".join(f"{file.name} ({kind})" for kind, file in kinds.items())
        message = Phrase(
            f"{group.name}: the files hold different things: {held}; pass one file, or a pattern for files of one kind",
            f"{group.name}：各文件的内容不同：{held}；请只给一个文件，或只匹配同类文件的模式",
        )
        raise InputError(message, ["RG114"])


def _report_progress(progress: Callable[[int], None], before: int, read: int) -> None:
    progress(before + read)


def _file_blocks(
    source: Source,
    context: FileContext,
    *,
    format: str | None,  # noqa: A002
    columns: Mapping[str, str] | None,
    block_bytes: int,
    progress: Callable[[int], None] | None,
    may_be_empty: bool,
    may_be_invalid: bool,
    rewrite: Callable[[bytes], bytes] | None,
) -> Iterator[pl.DataFrame]:
    """Read one file block by block."""
    stream, name = open_bytes(source)
    context.name, rows, state = name, 0, _state(source)
    findings, lenient = context.findings, context.lenient
    with closing(stream):
        with reader_errors(name):
            chosen = choose_format(stream.peek(HEAD), context, format, columns)
            shape = None if shape_named(format) is None else format
            frames = chosen.codec.read(OpenFile(source, stream, context, columns, block_bytes, shape, rewrite))
        while True:
            with reader_errors(name):
                frame = next(frames, None)
            if frame is None:
                break
            if context.split is not None and context.role == "judgments" and context.splits is None:
                raise no_splits(name, context.split)
            note_long_ids(frame, context)
            findings.raise_errors(lenient)
            if progress is not None:
                progress(stream.consumed)
            if frame.height:
                rows += frame.height
                yield frame
    if _state(source) != state:
        message = Phrase(
            f"{name}: the file changed while it was read ({state[0]:,} bytes when it was opened)",
            f"{name}：文件在读取期间发生了变化（打开时为 {state[0]:,} 字节）",
        )
        raise input_error("RG102", message)
    if not context.rows_begun and not (may_be_empty and context.columns_found):
        raise input_error("RG101", (f"{name}: the file has no data", f"{name}：文件中没有数据"))
    if not rows and not may_be_empty:
        context.check_split()
    if context.rows_begun and not rows and not may_be_invalid:
        findings.add("RG101", (f"{name}: no row is valid, so that none is left", f"{name}：没有一行有效"))
        findings.raise_errors(lenient=False)


def _state(source: Source) -> tuple[int, int]:
    """Return size and time of a file, which change if it is written while it is read."""
    if not is_regular_file(source):
        return 0, 0
    status = Path(source).stat()
    return status.st_size, status.st_mtime_ns


def choose_format(
    head: bytes, context: FileContext, given: str | None, columns: Mapping[str, str] | None
) -> FileFormat:
    """Return the given format, or the one that the content suggests; a shape may be in several formats."""
    if given is not None and shape_named(given) is None:
        chosen = format_named(given)
        if columns and not chosen.named_columns:
            raise ParameterError(
                (
                    f"columns cannot be used with format={given!r}, whose columns have fixed places",
                    f"format={given!r} 的各列位置固定，不能用 columns 指定",
                )
            )
    else:
        sample = Sample(head, context.name, context.role)
        chosen = guess_format(sample, named_columns=bool(columns))
        if head.strip():
            name = context.name
            context.findings.add("RG106", (f"{name}: read as {chosen.name}", f"{name}：按 {chosen.name} 读取"))
    if context.role not in chosen.roles:
        raise InputError(
            f"{context.name}: {chosen.title} files hold {' or '.join(chosen.roles)}, not a {context.role}; give a "
            "table with the columns query, item and score"
        )
    return chosen


def guess_format(sample: Sample, *, named_columns: bool = False) -> FileFormat:
    r"""Return the format that a sample suggests most; the first row of the registry wins a tie.

    With ``named_columns``, only formats whose columns have names are considered.

    >>> guess_format(Sample(b"301 0 FBIS3-1 1\n", "qrels.txt", "judgments")).name
    'trec'
    >>> guess_format(Sample(b"user,item,rating\n1,2,3.5\n", "ratings", "judgments")).name
    'csv'
    """
    candidates = [candidate for candidate in FORMATS if candidate.named_columns or not named_columns]
    if (signed := format_of_signature(sample.line)) in candidates:
        return signed
    best, confidence = candidates[0], Confidence.NONE
    for candidate in candidates:
        if candidate.signature is None and (suggested := candidate.codec.sniff(sample)) > confidence:
            best, confidence = candidate, suggested
        if confidence >= Confidence.ROW:  # the modules of other formats need not be loaded
            break
    return best


def format_of(source: Source, role: Role | None = None) -> str:
    """Return the format that the beginning of a file suggests."""
    stream, name = open_bytes(source)
    with closing(stream), reader_errors(name):
        return guess_format(Sample(stream.peek(HEAD), name, role)).name


def inspect_source(
    source: Source,
    *,
    role: Role | None = None,
    format: str | None = None,  # noqa: A002 (the name that callers expect)
    columns: Mapping[str, str] | None = None,
    split: str | None = None,
) -> SourceInfo:
    """Return role, format and compression of a source; those given are not guessed.

    >>> inspect_source(io.BytesIO(b"301 0 FBIS3-1 1")).role, inspect_source(io.BytesIO(b"qid,docid,score")).role
    ('judgments', 'ranking')
    """
    role = "judgments" if role is None and is_collection(source) else role
    source, split = data_files(source, role, split)
    if isinstance(source, FileGroup):
        first = inspect_source(source.files[0], role=role, format=format, columns=columns, split=split)
        return replace(first, source=source, name=os.fspath(source))
    stream, name = open_bytes(source)
    is_file = is_regular_file(source)  # a named pipe can be read only once
    shape = None if shape_named(format) is None else format
    format = None if shape else format  # noqa: A001 (a shape may be in several formats)
    try:
        with reader_errors(name):
            head = stream.peek(HEAD)
            if not head.strip():
                raise input_error("RG101", (f"{name}: the file has no data", f"{name}：文件中没有数据"))
            sample = Sample(head, name, role)
            guess = format_named(format) if format else guess_format(sample, named_columns=bool(columns))
            reusable: Any = source if is_file else stream
            if guess.seekable and (stream.compression or not is_file):
                reusable = io.BytesIO(stream.read() or b"")
                reusable.name = name
            context = FileContext(name, role or "ranking", Findings(), lenient=True)
            asked = role or _role_of_options(columns)
            opened = OpenFile(reusable, stream, context, columns, BLOCK_BYTES, shape)
            if guess.codec.inspect is not None:
                content = guess.codec.inspect(opened, asked)
            else:
                content = Content((asked or guess.codec.guess_role(sample),))
            if isinstance(reusable, io.BytesIO):
                reusable.seek(0)
            role = asked or content.sides[0]
            if format is None:
                guess = guess_format(Sample(head, name, role), named_columns=bool(columns))
            return SourceInfo(reusable, name, role, guess.name, stream.compression, split, content)
    finally:
        if is_file:
            stream.close()


def _role_of_options(columns: Mapping[str, str] | None) -> Role | None:
    if columns and ("grade" in columns) != ("score" in columns or "rank" in columns):
        return "judgments" if "grade" in columns else "ranking"
    return None
