"""Recognise and read files of judgments and rankings in any registered format, compressed or not.

Strict reading raises all problems of a block together, each with file, line and reason. Lenient reading leaves
invalid lines out. Both count everything in a ``Findings``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from rankgauge.errors import InputError, ParameterError
from rankgauge.inputs.codes import Column, Role
from rankgauge.inputs.findings import Findings, input_error, no_splits, reader_errors
from rankgauge.inputs.formats.codec import Confidence, Content, OpenFile, Sample
from rankgauge.inputs.formats.file_groups import input_file, is_collection
from rankgauge.inputs.formats.registry import FORMATS, FileFormat, format_named, format_of_signature
from rankgauge.inputs.grade_checks import note_judged
from rankgauge.inputs.io.compression import RawFile, source_name
from rankgauge.inputs.io.input_file import InputFile, file_state
from rankgauge.inputs.io.lines import HEAD, FileContext, check_process
from rankgauge.inputs.read_options import READ_AS_IS, ReadOptions, SideOptions
from rankgauge.inputs.table_rows import note_long_ids
from rankgauge.rendering.language import Phrase

BLOCK_BYTES = 4 << 20
"""Approximate number of bytes parsed at a time."""


@dataclass(frozen=True)
class SourceInfo:
    """Role, format and compression of a file."""

    file: InputFile
    """The file to read from now on; no bytes are lost, even of standard input."""
    name: str
    role: Role
    """The side asked for; otherwise the only one, or the first of two."""
    format: str
    compression: str
    split: str | None
    """The split to look for in the rows; None if the names of files told it."""
    content: Content
    """What the file holds: judgments, a ranking or both, and in which shape."""


def read_file(
    source: RawFile | InputFile, role: Role, options: ReadOptions = READ_AS_IS, *, findings: Findings, **more: Any
) -> pl.DataFrame:
    """Read all blocks as one frame, and report unusual grades; the arguments are those of ``read_blocks``."""
    blocks = [*read_blocks(source, role, options, findings=findings, **more)]
    frame = pl.concat(blocks, how="diagonal") if blocks else FileContext("", role, findings, lenient=True).frame()
    if role == "judgments":
        note_judged(frame, findings, source.name if isinstance(source, InputFile) else source_name(source))
    return frame


def read_blocks(
    source: RawFile | InputFile,
    role: Role,
    options: ReadOptions = READ_AS_IS,
    *,
    findings: Findings,
    column: Column = "",
    keeps_empty: bool = False,
    on_read: Callable[[int], None] | None = None,
    may_be_empty: bool = False,
    may_be_invalid: bool = False,
    block_bytes: int = BLOCK_BYTES,
    rewrite: Callable[[bytes], bytes] | None = None,
) -> Iterator[pl.DataFrame]:
    """Read judgments or a ranking block by block in file order, in constant memory; a folder or glob file by file.

    A block has query and item (String) and grade or score (Float64); a query may continue in the next block. Without a
    score, the score is minus the rank. Of the options, ``format``, ``columns``, ``lenient`` and ``split`` count; the
    columns of a table without header are positions from 1, as text. Rows of records that name systems may have the
    further ``column`` system, judgments of records the column group. With the column span, rows of spans may have the
    columns of spans instead of the item. A query with an empty list has a row without an item if the reader
    ``keeps_empty`` lists, as it does with the column group.
    ``on_read`` is called after each block with the number of bytes read so far, before decompression.
    A table with columns but no rows is an error unless it ``may_be_empty``, and one whose rows are all invalid, even
    when reading leniently, unless all ``may_be_invalid``. ``rewrite`` changes the lines of a text format before they
    are parsed, but not their number. Errors are raised after the block that contains them.
    """
    check_process()
    if block_bytes < 1:
        raise ParameterError.of("block_bytes", block_bytes, ("at least 1", "不小于 1"))
    whole, split = (source, options.split) if isinstance(source, InputFile) else input_file(source, role, options.split)
    if whole.files and options.side(role)[:2] == (None, None):
        _check_alike(whole, role, options)
    rows = before = 0
    for file in whole.files or (whole,):
        context = FileContext(
            file.name,
            role,
            findings,
            options.lenient,
            column=column,
            keeps_empty=keeps_empty or column == "group",
            split=split,
            span_ids=options.span_ids,
            time=options.time_column,
            may_be_empty=may_be_empty or bool(whole.files),
            may_be_invalid=may_be_invalid or bool(whole.files),
        )
        for block in _file_blocks(file, context, options, block_bytes, rewrite):
            rows += block.height
            if on_read is not None:
                on_read(before + context.consumed)
            if block.height:
                yield block
        before += file.size
    if whole.files and not rows and not may_be_empty:
        name = whole.name
        raise input_error("RG101", (f"{name}: the files have no data", f"{name}：各文件中都没有数据"))


def _check_alike(group: InputFile, role: Role, options: ReadOptions) -> None:
    """Raise an error if the files of a folder or glob hold different things, such as judgments and a ranking."""
    kinds: dict[str, str] = {}
    columns = options.columns_of(role)
    for file in group.files:
        try:
            info = inspect_source(file, options=ReadOptions(columns=columns))
        except InputError:  # reported when it is read
            continue
        finally:
            file.close()
        kinds.setdefault(f"{' + '.join(info.content.sides)}, {info.format}", Path(file.path).name)
    if len(kinds) > 1:
        held = "; ".join(f"{name} ({kind})" for kind, name in kinds.items())
        message = Phrase(
            f"{group.name}: the files hold different things: {held}; pass one file, or a pattern for files of one kind",
            f"{group.name}：各文件的内容不同：{held}；请只给一个文件，或只匹配同类文件的模式",
        )
        raise InputError(message, ["RG114"])


def _file_blocks(
    file: InputFile,
    context: FileContext,
    options: ReadOptions,
    block_bytes: int,
    rewrite: Callable[[bytes], bytes] | None,
) -> Iterator[pl.DataFrame]:
    """Read one file block by block."""
    name, rows, side_options = context.name, 0, options.side(context.role)
    findings, lenient = context.findings, context.lenient
    chosen = choose_format(file, context, side_options)
    with closing(file.take()) as stream:
        with reader_errors(name):
            recognised_with, recognised = file.recognised.get("records", (None, None))
            recognised = recognised if recognised_with == side_options else None
            opened = OpenFile(
                file, stream, context, side_options.columns, block_bytes, side_options.shape, rewrite, recognised
            )
            frames = chosen.codec.read(opened)
        while True:
            with reader_errors(name):
                frame = next(frames, None)
            if frame is None:
                break
            if context.split is not None and context.role == "judgments" and context.splits is None:
                raise no_splits(name, context.split)
            if "item" in frame.columns:
                note_long_ids(frame, context)
            if findings.errors:  # perhaps because of a change
                _check_unchanged(file, name)
            findings.raise_errors(lenient)
            context.consumed = stream.consumed
            rows += frame.height
            yield frame
    _check_unchanged(file, name)
    if not rows:
        _check_empty(context)


def _check_empty(context: FileContext) -> None:
    """Raise an error for a file without rows if it must have some."""
    name, findings = context.name, context.findings
    if not context.rows_begun and not (context.may_be_empty and context.columns_found):
        raise input_error("RG101", (f"{name}: the file has no data", f"{name}：文件中没有数据"))
    if not context.may_be_empty:
        context.check_split()
    if context.rows_begun and not context.may_be_invalid:
        findings.add("RG101", (f"{name}: no row is valid, so that none is left", f"{name}：没有一行有效"))
        findings.raise_errors(lenient=False)


def _check_unchanged(file: InputFile, name: str) -> None:
    """Raise an error if a regular file has changed since it was opened."""
    if file.is_regular and file_state(file.path) != file.state:
        en = f"{name}: the file changed while it was read ({file.state[0]:,} bytes when it was opened)"
        raise input_error("RG102", (en, f"{name}：文件在读取期间发生了变化（打开时为 {file.state[0]:,} 字节）"))


def choose_format(file: InputFile, context: FileContext, side_options: SideOptions) -> FileFormat:
    """Return the given format, or the one that the content suggests."""
    chosen, name = suggested_format(file, context.role, side_options), context.name
    if side_options.format is None and file.recognised["has data"]:
        context.findings.add("RG106", (f"{name}: read as {chosen.name}", f"{name}：按 {chosen.name} 读取"))
    if side_options.format is not None and side_options.columns and not chosen.named_columns:
        en = f"columns cannot be used with format={side_options.format!r}, whose columns have fixed places"
        raise ParameterError((en, f"format={side_options.format!r} 的各列位置固定，不能用 columns 指定"))
    if context.role not in chosen.roles:
        raise InputError(
            f"{context.name}: {chosen.title} files hold {' or '.join(chosen.roles)}, not a {context.role}; give a "
            "table with the columns query, item and score"
        )
    return chosen


def suggested_format(file: InputFile, role: Role | None, side_options: SideOptions) -> FileFormat:
    """Return the format that was given, or that the beginning of a file suggests; it is looked at once."""
    if side_options.format is not None:
        return format_named(side_options.format)
    key = role, bool(side_options.columns)
    if key not in file.recognised:
        with reader_errors(file.name):
            head = file.stream.peek(HEAD)
            file.recognised["has data"] = bool(head.strip())
            file.recognised[key] = guess_format(Sample(head, file.name, role), named_columns=key[1])
    chosen: FileFormat = file.recognised[key]
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


def inspect_source(
    source: RawFile | InputFile, *, role: Role | None = None, options: ReadOptions = READ_AS_IS
) -> SourceInfo:
    """Return role, format and compression of a file; those given are not guessed.

    >>> import io
    >>> inspect_source(io.BytesIO(b"301 0 FBIS3-1 1")).role, inspect_source(io.BytesIO(b"qid,docid,score")).role
    ('judgments', 'ranking')
    """
    check_process()
    file, split = (source, options.split) if isinstance(source, InputFile) else input_file(source, role, options.split)
    if role is None and file.folder and is_collection(file.folder):
        role = "judgments"
    if file.files:
        first = inspect_source(file.files[0], role=role, options=options)
        return replace(first, file=file, name=file.name, split=split)
    if role is None and options.columns:
        infos = {}

        def content_as(side: Role) -> Content:
            infos[side] = inspect_source(file, role=side, options=options)
            return infos[side].content

        if (both := Content.of_both(content_as, options.columns)) is not None:
            return replace(infos["judgments"], content=both)
    side_options, name = options.side(role), file.name
    try:
        guess = suggested_format(file, role, side_options)
        with reader_errors(name):
            sample = Sample(file.stream.peek(HEAD), name, role)
            if not sample.head.strip():
                raise input_error("RG101", (f"{name}: the file has no data", f"{name}：文件中没有数据"))
            compression = file.stream.compression
            if guess.seekable and (compression or not file.is_regular):
                file.load()
            asked = role if not side_options.columns else role or _role_of_options(side_options.columns)
            if guess.codec.inspect is None:
                content = Content((asked or guess.codec.guess_role(sample),))
            else:
                context = FileContext(name, role or "ranking", Findings(), lenient=True)
                opened = OpenFile(file, file.stream, context, side_options.columns, BLOCK_BYTES, side_options.shape)
                content = guess.codec.inspect(opened, asked)
                file.recognised["records"] = side_options, content.recognised
    except InputError:
        file.close()
        raise
    role = asked or content.sides[0]
    return SourceInfo(file, name, role, suggested_format(file, role, side_options).name, compression, split, content)


def _role_of_options(columns: Mapping[str, str]) -> Role | None:
    if ("grade" in columns) != ("score" in columns or "rank" in columns):
        return "judgments" if "grade" in columns else "ranking"
    return None
