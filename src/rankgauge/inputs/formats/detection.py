"""Recognise the format of a source from its first bytes, and whether it holds judgments or a ranking."""

from __future__ import annotations

import io
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rankgauge.inputs.codes import Role
from rankgauge.inputs.findings import input_error
from rankgauge.inputs.formats.codec import Confidence, Sample
from rankgauge.inputs.formats.registry import FORMATS, FileFormat, FormatName, format_named, format_of_signature
from rankgauge.inputs.io.compression import Source, open_bytes
from rankgauge.inputs.io.lines import HEAD


@dataclass(frozen=True)
class SourceInfo:
    """Role, format and compression of a source."""

    source: Source
    """The source to read from now on; no bytes are lost, even of standard input."""
    name: str
    role: Role
    format: FormatName
    compression: str


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
    source: Source,
    *,
    role: Role | None = None,
    format: str | None = None,  # noqa: A002 (the name that callers expect)
    columns: Mapping[str, str] | None = None,
) -> SourceInfo:
    """Return role, format and compression of a source; those given are not guessed.

    >>> inspect_source(io.BytesIO(b"301 0 FBIS3-1 1")).role, inspect_source(io.BytesIO(b"qid,docid,score")).role
    ('judgments', 'ranking')
    """
    stream, name = open_bytes(source)
    is_file = isinstance(source, str | os.PathLike) and Path(source).is_file()  # a named pipe can be read only once
    try:
        head = stream.peek(HEAD)
        if not head.strip():
            raise input_error("RG101", f"{name}: the file has no data")
        sample = Sample(head, name, role)
        guess = format_named(format) if format else guess_format(sample, named_columns=bool(columns))
        reusable: Any = source if is_file else stream
        if guess.seekable and (stream.compression or not is_file):
            reusable = io.BytesIO(stream.read() or b"")
            reusable.name = name
        role = role or _role_of_options(columns) or guess.codec.guess_role(sample, reusable)
        if isinstance(reusable, io.BytesIO):
            reusable.seek(0)
        if format is None:
            guess = guess_format(Sample(head, name, role), named_columns=bool(columns))
        return SourceInfo(reusable, name, role, guess.name, stream.compression)
    finally:
        if is_file:
            stream.close()


def _role_of_options(columns: Mapping[str, str] | None) -> Role | None:
    if columns and ("grade" in columns) != ("score" in columns or "rank" in columns):
        return "judgments" if "grade" in columns else "ranking"
    return None
