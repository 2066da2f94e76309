"""Blocks of whole lines from a stream of bytes, with what every text format needs to know about them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from rankgauge.errors import InputError, shown
from rankgauge.inputs.codes import Role
from rankgauge.inputs.findings import Findings, input_error
from rankgauge.inputs.io.compression import ByteStream

LONGEST_LINE = 256 << 20
"""A line longer than this is no line of any format; reading on would fill the memory."""

PIECE = 1 << 18
"""About the size of the parts in which a block is read that has something wrong in it."""

HEAD = 1 << 16
"""Bytes that decide the format."""

BOM = b"\xef\xbb\xbf"
_MARKS = re.compile(b"^(?:" + BOM + b")+")

NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?(inf|infinity|nan)", re.IGNORECASE)
"""What polars reads as a number; Python alone would take ``1_000`` and other digits, too."""

_SCAN = 1 << 18
_BLANK, _NEWLINE = 32, 10


@dataclass
class FileContext:
    """What every reader of one source needs: its name, its role, and where to put what it finds."""

    name: str
    role: Role
    findings: Findings
    lenient: bool
    rows_begun: bool = False
    """Whether a line with content was seen; a header can only stand before it."""

    @property
    def number(self) -> str:
        """What the number of a row is called here."""
        return "grade" if self.role == "judgments" else "score"

    def add(self, code: str, place: str | int, reason: str, query: str = "", item: str = "") -> None:
        """Record a finding at a line (a number) or another place of this source."""
        where = f":{place}" if isinstance(place, int) else f": {place}" if place else ""
        who = ", ".join(f"{name} {shown(value)}" for name, value in (("query", query), ("item", item)) if value)
        self.findings.add(code, f"{self.name}{where}: {reason}{f' ({who})' if who else ''}")

    def add_bad_number(self, place: str | int, text: str | None, query: str, item: str) -> None:
        """Record a number that is none."""
        code = "RG201" if self.role == "ranking" else "RG204"
        reason = f"{self.number} {shown(text)} is not a number" if text else f"{self.number} is missing"
        self.add(code, place, reason, query, item)

    def accepts(self, number: float, place: str | int, text: str, query: str, item: str) -> bool:
        """Whether a number may be kept: NaN may not, and an infinite grade neither."""
        if math.isfinite(number):
            return True
        if self.role == "judgments":
            self.add("RG204", place, f"grade {shown(text)} is not a finite number", query, item)
            return False
        if math.isnan(number):
            self.add("RG202", place, f"score {shown(text)} is NaN, which has no rank", query, item)
            return False
        self.add("RG203", place, f"score {shown(text)} is infinite", query, item)
        return True


def empty_frame(reading: FileContext) -> pl.DataFrame:
    """A table of the right columns with nothing in it."""
    return pl.DataFrame(schema={"query": pl.String, "item": pl.String, reading.number: pl.Float64})


@dataclass(frozen=True)
class Block:
    """CorpusValue lines, with the number of the first; the last may lack its newline."""

    text: bytes
    line: int
    separators: int = field(init=False)
    """Bytes up to the blank: blanks and all control characters."""
    controls: int = field(init=False)
    """Bytes below the blank: newlines, tabs and the like."""
    crowded: bool = field(init=False)
    """Whether two separators stand side by side or one begins the block: something is empty or indented."""
    lines: int = field(init=False)

    def __post_init__(self) -> None:
        data = np.frombuffer(self.text, np.uint8)
        separators = controls = lines = 0
        crowded = bool(data.size and data[0] <= _BLANK)
        mask, pairs = np.empty(_SCAN + 1, np.bool_), np.empty(_SCAN, np.bool_)
        # In pieces that stay in the cache; each sees one byte of the next, so that no pair is missed.
        for start in range(0, data.size, _SCAN):
            piece = data[start : start + _SCAN + 1]
            own = min(piece.size, _SCAN)
            low = np.less_equal(piece, _BLANK, out=mask[: piece.size])
            separators += int(np.count_nonzero(low[:own]))
            crowded = crowded or bool(np.logical_and(low[1:], low[:-1], out=pairs[: piece.size - 1]).any())
            controls += int(np.count_nonzero(np.less(piece[:own], _BLANK, out=mask[:own])))
            lines += int(np.count_nonzero(np.equal(piece[:own], _NEWLINE, out=mask[:own])))
        for name, value in (("separators", separators), ("controls", controls), ("crowded", crowded), ("lines", lines)):
            object.__setattr__(self, name, value)

    @property
    def rows(self) -> int:
        """Lines with the last one, also where its newline is missing."""
        return self.lines + (not self.text.endswith(b"\n") and bool(self.text))

    def count(self, byte: int) -> int:
        """How often a byte occurs; faster than ``bytes.count`` where it is frequent."""
        data = np.frombuffer(self.text, np.uint8)
        return sum(int(np.count_nonzero(data[at : at + _SCAN] == byte)) for at in range(0, data.size, _SCAN))


def line_blocks(stream: ByteStream, size: int, *, quoted: bool = False) -> Iterator[Block]:
    """Cut a stream into blocks that end with a line.

    Parameters
    ----------
    stream
        The source.
    size
        About how many bytes a block has.
    quoted
        Whether a newline between double quotes ends no line, as in CSV.
    """
    buffer = bytearray(size)
    filled, line = 0, 1
    while True:
        while filled < len(buffer) and (count := stream.readinto(memoryview(buffer)[filled:])):
            filled += count
        at_end = filled < len(buffer)
        cut = filled if at_end else _last_line_end(buffer, filled, quoted=quoted)
        if cut:
            block = Block(bytes(memoryview(buffer)[:cut]), line)
            line += block.lines
            yield block
            buffer[: filled - cut] = buffer[cut:filled]
            filled -= cut
        elif not at_end:
            if len(buffer) >= LONGEST_LINE:
                raise InputError(f"{stream.name}:{line}: a line of more than {LONGEST_LINE >> 20} MB: not a text file?")
            buffer.extend(bytes(len(buffer)))
        if at_end:
            return


def _last_line_end(buffer: bytes | bytearray, filled: int, *, quoted: bool) -> int:
    """Where the last whole line ends; 0 where there is none."""
    end = buffer.rfind(b"\n", 0, filled) + 1
    if not quoted:
        return end
    odd = buffer.count(b'"', 0, end) % 2
    while end and odd:
        earlier = buffer.rfind(b"\n", 0, end - 1) + 1
        odd = (odd + buffer.count(b'"', earlier, end)) % 2
        end = earlier
    return end


def split_block(block: Block, *, quoted: bool = False) -> Iterator[Block]:
    """The block in small parts of whole lines, so that one wrong line slows down its neighbours only.

    A part is larger than ``PIECE`` only where a single line is; a block that is small already stays whole.
    """
    start, line = 0, block.line
    while start < len(block.text):
        size, cut = PIECE, 0
        while not cut:
            part = block.text[start : start + size]
            cut = len(part) if start + size >= len(block.text) else _last_line_end(part, len(part), quoted=quoted)
            size *= 2
        piece = Block(part[:cut], line)
        yield piece
        start, line = start + cut, line + piece.lines


def clean_text(block: Block, reading: FileContext) -> Block:
    """The block as clean UTF-8 with one newline byte a line; what cannot be mended becomes an empty line."""
    text = block.text
    if block.line == 1 and text[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        raise input_error("RG103", f"{reading.name}:1: UTF-16 text; convert it: iconv -f UTF-16 -t UTF-8")
    if b"\r" in text:  # Windows line ends, and those of old Macs, which would join all lines into one
        text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if b"\0" in text:
        text = _without_nul(text, block.line, reading)
    if not text.isascii():
        text = _as_utf8(_without_marks(text, block.line, reading), block.line, reading)
    return block if text is block.text else Block(text, block.line)


def _without_nul(text: bytes, first: int, reading: FileContext) -> bytes:
    lines = text.split(b"\n")
    for at, line in enumerate(lines):
        if b"\0" in line:
            reading.add("RG104", first + at, f"NUL byte in {shown(line.decode('utf-8', 'replace'))}")
            lines[at] = b""
    return b"\n".join(lines)


def _without_marks(text: bytes, first: int, reading: FileContext) -> bytes:
    """Without byte order marks at the start of lines; files joined with ``cat`` have them inside, too."""
    if not text.startswith(BOM) and b"\n" + BOM not in text:
        return text
    lines = text.split(b"\n")
    for at, line in enumerate(lines):
        if line.startswith(BOM):
            reading.add("RG105", first + at, "byte order mark removed")
            lines[at] = _MARKS.sub(b"", line)
    return b"\n".join(lines)


def _as_utf8(text: bytes, first: int, reading: FileContext) -> bytes:
    if _is_utf8(text):
        return text
    lines = text.split(b"\n")
    for at, line in enumerate(lines):
        if not line.isascii() and not _is_utf8(line):
            reading.add("RG103", first + at, f"not UTF-8 text: {shown(line.decode('latin-1'))}")
            lines[at] = line.decode("latin-1").encode()
    return b"\n".join(lines)


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True
