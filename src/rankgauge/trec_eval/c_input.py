"""Input as the C program reads it: its numbers, its comments, and the name of the run."""

from __future__ import annotations

import re
from collections.abc import Iterator

import polars as pl

from rankgauge.inputs.codes import Role
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.formats.reader import read_blocks
from rankgauge.inputs.io.compression import RawFile
from rankgauge.inputs.io.input_file import InputFile
from rankgauge.inputs.read_options import ReadOptions
from rankgauge.trec_eval.measure import Version

TREC = ReadOptions(format="trec")
FIELDS = 6
"""Columns of a run: topic, Q0, item, rank, score, run name."""
MARK = "\ue000"
"""Stands before a topic that begins with ``#`` while version 9 is reproduced, which has no comments."""
_INTEGER = re.compile(rb"(?m)(?<=[ \t])([+-]?\d+)[.eExX]\S*(?=[ \t\r]*$)")
_HEXADECIMAL = re.compile(
    rb"(?m)^([ \t]*(?:\S+[ \t]+){4})"  # the columns before the score
    rb"([+-]?0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:[pP][+-]?\d+)?)(?=[ \t\r])"
)
_HASH = re.compile(rb"(?m)^([ \t]*)#")


class CLines:
    """Rewrites lines so that other parsers read the numbers that C reads, and notes the name of the run.

    Of a grade C reads the leading integer (``1e1`` is 1); a score may be hexadecimal. Version 9 has no comments.
    """

    def __init__(self, role: Role, version: Version) -> None:
        self.run_id = ""
        """The last column of the last line so far."""
        self._rewrite = _integers if role == "judgments" else _scores
        self._has_comments = version == 10  # noqa: PLR2004 (the version)
        self._is_run = role == "ranking"

    def __call__(self, lines: bytes) -> bytes:
        """Return complete lines as other parsers should read them."""
        if self._is_run:
            self._note_run_id(lines)
        if not self._has_comments and b"#" in lines:
            lines = _HASH.sub(rb"\1" + MARK.encode() + b"#", lines)
        return self._rewrite(lines)

    def _note_run_id(self, lines: bytes) -> None:
        end = len(lines)
        while end > 0:
            start = lines.rfind(b"\n", 0, end) + 1
            fields = lines[start:end].split()
            if len(fields) >= FIELDS and not (self._has_comments and fields[0].startswith(b"#")):
                self.run_id = fields[FIELDS - 1].decode("utf-8", "replace")
                return
            end = start - 1

    def blocks(self, source: RawFile | InputFile, role: Role, findings: Findings) -> Iterator[pl.DataFrame]:
        """Read a file block by block."""
        blocks = read_blocks(source, role, TREC, findings=findings, rewrite=self)
        if self._has_comments:
            yield from blocks
        else:
            yield from (block.with_columns(pl.col("query").str.strip_prefix(MARK)) for block in blocks)


def _integers(lines: bytes) -> bytes:
    return _INTEGER.sub(rb"\1", lines) if any(mark in lines for mark in (b".", b"e", b"E", b"x", b"X")) else lines


def _scores(lines: bytes) -> bytes:
    if not any(mark[1:] in lines and mark in lines for mark in (b"0x", b"0X")):  # one byte is found much faster
        return lines
    return _HEXADECIMAL.sub(lambda match: match[1] + repr(float.fromhex(match[2].decode())).encode(), lines)
