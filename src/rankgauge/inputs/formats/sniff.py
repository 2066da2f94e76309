"""Which format a file has: its content decides, its name helps."""

from __future__ import annotations

import csv
import re
from typing import Literal, get_args

from rankgauge.errors import ParameterError
from rankgauge.inputs.codes import Role
from rankgauge.inputs.columns import looks_like_header
from rankgauge.inputs.findings import input_error
from rankgauge.inputs.io.lines import BOM, NUMBER

Format = Literal["trec", "csv", "tsv", "jsonl", "parquet", "arrow", "letor"]
"""The formats that can be read."""

_MAGIC: tuple[tuple[bytes, Format], ...] = (
    (b"PAR1", "parquet"),
    (b"ARROW1", "arrow"),
    (b"\xff\xff\xff\xff", "arrow"),  # a stream of record batches
)
_ENDINGS: dict[str, Format] = {
    "csv": "csv", "tsv": "tsv", "jsonl": "jsonl", "ndjson": "jsonl", "parquet": "parquet", "pq": "parquet",
    "arrow": "arrow", "feather": "arrow", "ipc": "arrow",
    "letor": "letor", "svm": "letor", "svmlight": "letor", "libsvm": "letor",
}  # fmt: skip
_TREC_ENDINGS = {"trec", "txt", "run", "res", "out", "qrels", "qrel"}
_FEATURES = re.compile(rb"[+-]?[\d.eE+-]+\s+(qid:\S+(\s|$)|(\d+:\S+\s+)*\d+:[+-]?[\d.]+)")
_PACKED = re.compile(r"\.(gz|bz2|xz|zst|zstd)$", re.IGNORECASE)


def check_format(format: str) -> Format:  # noqa: A002 (the name that callers write)
    """The format, or an error that lists them."""
    for known in get_args(Format):
        if format == known:
            return known
    raise ParameterError.of("format", format, f"one of {', '.join(map(repr, get_args(Format)))}")


def guess_format(head: bytes, name: str, role: Role) -> Format:
    r"""The format of a file from its first bytes.

    Parameters
    ----------
    head
        The beginning of the file, unpacked.
    name
        Its name; the ending helps where the content allows several formats.
    role
        What it is read as.

    Examples
    --------
    >>> guess_format(b"301 0 FBIS3-1 1\n", "qrels.txt", "judgments")
    'trec'
    >>> guess_format(b"user,item,rating\n1,2,3.5\n", "ratings", "judgments")
    'csv'
    """
    for magic, format_ in _MAGIC:
        if head.startswith(magic):
            return format_
    line = first_line(head)
    if _FEATURES.match(line):
        return "letor"
    if _fits_trec(line, role):
        return "trec"
    if line.startswith(b"{"):
        return "jsonl"
    if line.startswith(b"["):
        raise input_error("RG110", f"{name}: one large JSON array; write one object a line (JSONL) instead")
    text = line.decode("utf-8", "replace")
    for separator, table in (("\t", "tsv"), (",", "csv"), (";", "csv")):
        fields = split_record(text, separator)
        if len(fields) > 1 and looks_like_header(fields):
            return "csv" if table == "csv" else "tsv"
    named = _ENDINGS.get(_PACKED.sub("", name).rpartition(".")[2].lower())
    if named in {"csv", "tsv"}:
        return named
    # As many commas as gaps: a table without header; its reader says how to name the columns.
    return "csv" if line.count(b",") >= max(2, len(line.split()) - 1) else "trec"


def split_record(line: str, separator: str) -> list[str]:
    """The fields of one line of a table, quotes resolved."""
    return next(csv.reader([line], delimiter=separator), [])


def _fits_trec(line: bytes, role: Role) -> bool:
    """Whether the line is one of a TREC file, whatever its name: MS MARCO calls such files ``.tsv``."""
    fields = line.split()
    at = 3 if role == "judgments" else 4
    if len(fields) <= at or NUMBER.fullmatch(fields[at]) is None:
        return False
    return not all(field.endswith(b",") for field in fields[:at])  # `1, 0, a, 1` is a table with commas


def first_line(head: bytes) -> bytes:
    """The first line with content that is not a comment; in part, where the head ends in it."""
    for line in head.removeprefix(BOM).replace(b"\r", b"\n").split(b"\n"):
        if line.strip() and not line.lstrip().startswith(b"#"):
            return line.strip(b" ")
    return b""
