"""Whether a file holds judgments or a ranking: its columns tell."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import polars as pl

from rankgauge.errors import InputError
from rankgauge.inputs.codes import Role
from rankgauge.inputs.columns import COLUMN_NAMES, normalise_name
from rankgauge.inputs.findings import input_error
from rankgauge.inputs.formats.sniff import Format, check_format, first_line, guess_format, split_record
from rankgauge.inputs.io.compression import Source, open_bytes
from rankgauge.inputs.io.lines import HEAD

RUN_COLUMNS = 5
"""A line of a TREC ranking has at least as many columns; a judgment has four."""


@dataclass(frozen=True)
class SourceInfo:
    """What a first look at a source shows."""

    source: Source
    """To be read from now on; what was looked at is not lost, also of standard input."""
    name: str
    role: Role
    format: Format
    compression: str


def inspect_source(
    source: Source,
    *,
    role: Role | None = None,
    format: str | None = None,  # noqa: A002 (the word that callers look for)
    columns: Mapping[str, str] | None = None,
) -> SourceInfo:
    """The role, format and compression of a source; what is given is not guessed.

    >>> inspect_source(io.BytesIO(b"301 0 FBIS3-1 1")).role, inspect_source(io.BytesIO(b"qid,docid,score")).role
    ('judgments', 'ranking')
    """
    stream, name = open_bytes(source)
    by_path = isinstance(source, str | os.PathLike) and Path(source).is_file()  # a pipe can be read once
    head = stream.peek(HEAD)
    try:
        if not head.strip():
            raise input_error("RG101", f"{name}: nothing in it: no line with data")
        chosen = check_format(format) if format else guess_format(head, name, "ranking")
        later: Any = source if by_path else stream
        if chosen in {"parquet", "arrow"} and not (by_path and not stream.packed):
            later = io.BytesIO(stream.read() or b"")
            later.name = name
        found = role or _role(head, chosen, columns, later, name)
        if format is None:
            chosen = guess_format(head, name, found)
        return SourceInfo(later, name, found, chosen, stream.compression)
    finally:
        if by_path:
            closing(stream).__exit__()


def _role(head: bytes, chosen: Format, columns: Mapping[str, str] | None, source: Any, name: str) -> Role:
    if columns and ("grade" in columns) != ("score" in columns or "rank" in columns):
        return "judgments" if "grade" in columns else "ranking"
    if chosen == "letor":
        return "judgments"
    line = first_line(head)
    if chosen == "trec":
        return "ranking" if len(line.split()) >= RUN_COLUMNS else "judgments"
    return role_by_names(_names(line, chosen, source), name)


def _names(line: bytes, chosen: Format, source: str | IO[bytes]) -> Sequence[str]:
    match chosen:
        case "parquet":
            return [*pl.scan_parquet(source, glob=False).collect_schema()]
        case "arrow":
            return [*_arrow_names(source)]
        case "jsonl":
            try:
                record = json.loads(line)
            except ValueError:
                record = None
            return [*record] if isinstance(record, dict) else []
    text = line.decode("utf-8", "replace")
    return split_record(text, "\t" if chosen == "tsv" else ";" if ";" in text and "," not in text else ",")


def _arrow_names(source: str | IO[bytes]) -> Sequence[str]:
    try:
        return [*pl.scan_ipc(source, glob=False).collect_schema()]
    except pl.exceptions.PolarsError:  # a stream of record batches has no index to look into
        if not isinstance(source, str | os.PathLike):
            source.seek(0)
        return pl.read_ipc_stream(source).columns


def role_by_names(names: Sequence[str], name: str) -> Role:
    """Grades make judgments, scores and ranks a ranking; a rating or a weight alone is a grade."""
    words = {normalise_name(one) for one in names}
    for role, ours in (("judgments", "grade"), ("ranking", "score"), ("ranking", "rank")):
        if words & {*COLUMN_NAMES["judgments" if role == "judgments" else "ranking"][ours][0]}:
            return "judgments" if role == "judgments" else "ranking"
    if words & {word for group in COLUMN_NAMES["judgments"]["grade"] for word in group}:
        return "judgments"
    raise InputError(
        f"{name}: neither a grade nor a score or rank among the columns {', '.join(names)[:200]}; "
        "say what the file is, and which columns it has"
    )
