"""Input as the C program reads it: its numbers, its comments, and the name of the run."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import IO, cast

import polars as pl

from rankgauge.inputs.codes import Role
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.formats.reader import read_blocks
from rankgauge.inputs.io.compression import ByteStream, open_bytes
from rankgauge.trec_eval.measure import Version

CHUNK = 1 << 20
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


class CText(io.RawIOBase):
    """Lines of a file, rewritten so that other parsers read the numbers that C reads.

    Of a grade C reads the leading integer (``1e1`` is 1); a score may be hexadecimal. Version 9 has no comments.
    """

    def __init__(self, stream: ByteStream, name: str, role: Role, version: Version) -> None:
        super().__init__()
        self.name = name
        self.run_id = ""
        """The last column of the last line so far."""
        self._stream = stream
        self._rewrite = _integers if role == "judgments" else _scores
        self._has_comments = version == 10  # noqa: PLR2004 (the version)
        self._is_run = role == "ranking"
        self._blocks = self._rewritten()
        self._rest = b""

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Fill the buffer."""
        if not self._rest:
            self._rest = next(self._blocks, b"")
        size = min(len(self._rest), len(buffer))
        buffer[:size], self._rest = self._rest[:size], self._rest[size:]
        return size

    def close(self) -> None:
        """Close the file."""
        self._stream.close()
        super().close()

    def _rewritten(self) -> Iterator[bytes]:
        begun = b""
        while chunk := self._stream.read(CHUNK):
            lines, newline, begun = (begun + chunk).rpartition(b"\n")
            if newline:
                yield self._block(lines + newline)
        if begun:
            yield self._block(begun)

    def _block(self, lines: bytes) -> bytes:
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


def read_trec(path: str, role: Role, version: Version, findings: Findings) -> tuple[pl.DataFrame, str, str]:
    """Return the rows of a file, the name of the run, and the name of the file."""
    stream, name = open_bytes(path)
    text = CText(stream, name, role, version)
    with text:
        blocks = read_blocks(
            cast("IO[bytes]", io.BufferedReader(text, CHUNK)), role, format="trec", findings=findings, lenient=False
        )
        frame = pl.concat([*blocks])
    return frame.with_columns(pl.col("query").str.strip_prefix(MARK)), text.run_id, name


def _integers(lines: bytes) -> bytes:
    return _INTEGER.sub(rb"\1", lines)


def _scores(lines: bytes) -> bytes:
    if b"0x" not in lines and b"0X" not in lines:
        return lines
    return _HEXADECIMAL.sub(lambda match: match[1] + repr(float.fromhex(match[2].decode())).encode(), lines)
