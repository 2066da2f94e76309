"""Blocks of complete lines of a byte stream: their text is cleaned, and what is wrong with it is recorded."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from rankgauge.errors import InputError, RankgaugeError, Texts, shown, spaced, texts
from rankgauge.inputs.codes import Column, Role
from rankgauge.inputs.findings import Findings, input_error, unknown_split
from rankgauge.inputs.io.archives import ZIP, refuse_archive
from rankgauge.inputs.io.compression import ByteStream
from rankgauge.rendering.language import Phrase

if TYPE_CHECKING:
    from rankgauge.inputs.span_ids import SpanIds

LONGEST_LINE = 256 << 20
"""No text format has longer lines; reading on would only fill the memory."""

PIECE = 1 << 18
"""Approximate size of the pieces into which a block with an invalid line is split."""

HEAD = 1 << 16
"""Number of bytes from which the format is recognised."""

BOM = b"\xef\xbb\xbf"
_MARKS = re.compile(b"^(?:" + BOM + b")+")

NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?(inf|infinity|nan)", re.IGNORECASE)
"""The numbers that polars reads; Python would also accept ``1_000`` and non-ASCII digits."""

MANY_CONTROLS = 0.05
"""Share of control characters in the start of a file from which it is not a text; of random bytes they are a tenth."""
_CONTROLS = bytes(sorted({*range(32)} - {*b"\t\n\v\f\r"}))
_SCAN = 1 << 18
_SPACE, _NEWLINE = 32, 10
_LINE_PLACE, _LINE_PLACE_ZH = re.compile(r"line (\d+)(?:, (.*))?"), re.compile(r"第 (\d+) 行(?:，(.*))?")


def located(name: str, place: str | Texts | int) -> Phrase:
    """Return a place after the name of its file; a line is a number after a colon.

    >>> located("run.json", Phrase("line 3, element 2", "第 3 行，第 2 个元素")).en
    'run.json:3: element 2'
    """
    if isinstance(place, int):
        return Phrase(f"{name}:{place}", f"{name}:{place}")
    en, zh = texts(place)
    line_place, same = _LINE_PLACE.fullmatch(en), _LINE_PLACE_ZH.fullmatch(zh)
    if line_place is None or same is None:
        return Phrase(f"{name}: {en}" if en else name, f"{name}：{zh}" if zh else name)
    rest = line_place[2] and f": {line_place[2]}", same[2] and f"：{same[2]}"
    return Phrase(f"{name}:{line_place[1]}{rest[0] or ''}", f"{name}:{same[1]}{rest[1] or ''}")


@dataclass
class FileContext:
    """The name and role of a file being read, and the findings that its readers report."""

    name: str
    role: Role
    findings: Findings
    lenient: bool
    rows_begun: bool = False
    """Whether a line with content was read; a header can only come before it."""
    columns_found: bool = False
    """Whether the columns of a table were found, even if it has no rows."""
    column: Column = ""
    """What rows have besides query, item and number; rows of spans have ``SPAN_COLUMNS`` instead of the item."""
    keeps_empty: bool = False
    """Whether a query with an empty list has a row without an item."""
    split: str | None = None
    """The split that is read of records that name theirs; None for all."""
    time: str | None = None
    """The name that the caller gave for the column of times in judgments."""
    may_be_empty: bool = False
    """Whether a table with columns but no rows is no error."""
    may_be_invalid: bool = False
    """Whether a table is no error if all its rows are invalid."""
    consumed: int = 0
    """Bytes read so far, before decompression."""
    splits: set[str] | None = None
    """The splits of the records that were read, if one is asked for; None if the records name no split."""

    span_ids: SpanIds | None = None
    """Names the spans of records; None if they keep their own ids."""

    def check_split(self) -> None:
        """Raise an error if none of the records is of the split that is read."""
        if self.split is not None and self.splits and self.split not in self.splits:
            raise unknown_split(self.name, self.split, sorted(self.splits))

    @property
    def number(self) -> str:
        """Name of the number column of this role."""
        return "grade" if self.role == "judgments" else "score"

    def frame(self, rows: Sequence[tuple[str, str, float]] = ()) -> pl.DataFrame:
        """Return rows as a frame with the columns that every reader yields."""
        schema = {"query": pl.String, "item": pl.String, self.number: pl.Float64}
        return pl.DataFrame(rows, schema=schema, orient="row")

    def report(self, code: str, place: str | Texts | int, reason: Texts, query: str = "", item: str = "") -> None:
        """Report a finding at a line number or another place of the file."""
        where = located(self.name, place)
        named_ids = [
            (names, shown(id_)) for names, id_ in ((("query", "查询"), query), (("item", "物品"), item)) if id_
        ]
        en, zh = ([f"{names[lang]} {id_}" for names, id_ in named_ids] for lang in (0, 1))
        ids = (f" ({', '.join(en)})", f"（{'，'.join(zh)}）") if named_ids else ("", "")
        example = f"{where.en}: {reason[0]}{ids[0]}", f"{where.zh}：{reason[1]}{ids[1]}"
        self.findings.add(code, example)

    def parse_number(self, text: str, place: str | Texts | int, query: str, item: str) -> float | None:
        """Return the number of a row, or None if it is not usable, which is reported."""
        number = float(text) if NUMBER.fullmatch(text.encode("utf-8", "replace")) else None
        return number if self.accepts(number, text, place, query, item) else None

    def code_of(self, number: float | None) -> str:
        """Return the code of a number that is not finite; None means that it is not a number."""
        if self.role != "ranking":
            return "RG204"
        return "RG201" if number is None else "RG202" if math.isnan(number) else "RG203"

    def accepts(self, number: float | None, text: str, place: str | Texts | int, query: str, item: str) -> bool:
        """Whether a number is usable, reporting it if not finite; None means that the text is not a number."""
        if number is not None and math.isfinite(number):
            return True
        code = self.code_of(number)
        problem = Phrase("is not a finite number", "不是有限的数")
        if number is None:
            problem = Phrase("is not a number", "不是数字") if text else Phrase("is missing", "缺失")
        elif self.role == "ranking":
            infinite = Phrase("is infinite", "是无穷大")
            problem = Phrase("is NaN, which has no rank", "是 NaN，无法排序") if math.isnan(number) else infinite
        value, name = f"{shown(text)} " if text else "", "等级" if self.number == "grade" else "分数"
        reason = Phrase(f"{self.number} {value}{problem.en}", spaced(name, f"{value}{problem.zh}"))
        self.report(code, place, reason, query, item)
        return code == "RG203"


class Block:
    """Complete lines and the number of the first; the last may lack its newline."""

    def __init__(self, text: bytes, line: int) -> None:
        self.text, self.line = text, line
        self.is_last = False
        """Whether it is known that no block follows."""
        self.separators = self.controls = self.lines = 0
        """Number of spaces and control characters, of control characters alone (newlines and tabs), and of newlines."""
        data = np.frombuffer(text, np.uint8)
        self.empty_fields = bool(data.size and data[0] <= _SPACE)
        """Whether the block begins with a separator or has two in a row: a field is empty or a line indented."""
        mask, pairs = np.empty(_SCAN + 1, np.bool_), np.empty(_SCAN, np.bool_)
        # Scan in pieces that fit the cache; each includes one byte of the next, so that no pair is missed.
        for start in range(0, data.size, _SCAN):
            piece = data[start : start + _SCAN + 1]
            size = min(piece.size, _SCAN)
            low = np.less_equal(piece, _SPACE, out=mask[: piece.size])
            self.separators += int(np.count_nonzero(low[:size]))
            self.empty_fields |= bool(np.logical_and(low[1:], low[:-1], out=pairs[: piece.size - 1]).any())
            self.controls += int(np.count_nonzero(np.less(piece[:size], _SPACE, out=mask[:size])))
            self.lines += int(np.count_nonzero(np.equal(piece[:size], _NEWLINE, out=mask[:size])))
        self.rows = self.lines + (not text.endswith(b"\n") and bool(text))
        """Number of lines, counting a last one without newline."""

    def count(self, byte: int) -> int:
        """Count a byte; faster than ``bytes.count`` if it is frequent."""
        data = np.frombuffer(self.text, np.uint8)
        return sum(int(np.count_nonzero(data[at : at + _SCAN] == byte)) for at in range(0, data.size, _SCAN))


def line_blocks(
    stream: ByteStream, size: int, *, quoted: bool = False, rewrite: Callable[[bytes], bytes] | None = None
) -> Iterator[Block]:
    """Yield blocks of about ``size`` bytes that end with a complete line.

    With ``quoted``, a newline between double quotes does not end a line, as in CSV. ``rewrite`` changes the text of a
    block, but not the number of its lines.
    """
    buffer = bytearray(size)
    filled, line = 0, 1
    while True:
        while filled < len(buffer) and (count := stream.readinto(memoryview(buffer)[filled:])):
            filled += count
        at_end = filled < len(buffer)
        cut = filled if at_end else _last_line_end(buffer, filled, quoted=quoted)
        if cut:
            text = bytes(memoryview(buffer)[:cut])
            block = Block(text if rewrite is None else rewrite(text), line)
            line += block.lines
            block.is_last = at_end
            yield block
            buffer[: filled - cut] = buffer[cut:filled]
            filled -= cut
        elif not at_end:
            if len(buffer) >= LONGEST_LINE:
                limit = f"{LONGEST_LINE >> 20} MB"
                place = f"{stream.name}:{line}"
                en = f"{place}: a line is longer than {limit}; is this a text file?"
                raise InputError((en, f"{place}：一行超过 {limit}；这是文本文件吗？"))
            buffer.extend(bytes(len(buffer)))
        if at_end:
            return


def _last_line_end(buffer: bytes | bytearray, filled: int, *, quoted: bool) -> int:
    """Return where the last complete line ends, or 0 if there is none."""
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
    """Split a block into pieces of complete lines, so that one invalid line slows down its neighbours only.

    A piece is larger than ``PIECE`` only if a single line is; a small block is not split.
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


def clean_text(block: Block, context: FileContext) -> Block:
    """Return the block as valid UTF-8 with LF line ends; a line that cannot be fixed becomes empty."""
    text = block.text
    if block.line == 1 and text[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        wide = "UTF-32" if text[2:4] == b"\0\0" else "UTF-16"
        raise input_error("RG103", Phrase(f"{context.name}:1: {wide} text", f"{context.name}:1：{wide} 文本"))
    if block.line == 1 and text.startswith(ZIP):
        refuse_archive(text, context.name)
    if block.line == 1 and b"\0" in text[:HEAD] and _is_binary(text[:HEAD]):
        raise input_error("RG104", Phrase(f"{context.name}: not a text file", f"{context.name}：不是文本文件"))
    if b"\r" in text:  # line ends of Windows and of old Macs
        text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    is_clean = text.isascii() or (not text.startswith(BOM) and b"\n" + BOM not in text and _is_utf8(text))
    if b"\0" in text or not is_clean:
        lines = enumerate(text.split(b"\n"), block.line)
        text = b"\n".join(_clean_line(line, number, context) for number, line in lines)
    return block if text is block.text else Block(text, block.line)


def _clean_line(line: bytes, number: int, context: FileContext) -> bytes:
    if b"\0" in line:
        text = shown(line.decode("utf-8", "replace"))
        context.report("RG104", number, Phrase(f"NUL byte in {text}", f"{text} 中有 NUL 字节"))
        return b""
    if line.startswith(BOM):  # at the start, and where files were concatenated
        context.report("RG105", number, Phrase("byte order mark removed", "已去掉字节顺序标记"))
        line = _MARKS.sub(b"", line)
    if not _is_utf8(line):
        context.report("RG103", number, not_utf8(line))
        return line.decode("latin-1").encode()
    return line


def not_utf8(line: bytes) -> Phrase:
    r"""Return the message for a line in another encoding, which is shown as Chinese if it could be.

    >>> not_utf8("电影".encode("gbk")).en, not_utf8("caf\xe9".encode("latin-1")).en
    ("not UTF-8 text: '电影'", "not UTF-8 text: 'café'")
    """
    try:
        text = line.decode("gb2312")  # pairs of bytes above 160, which are rare in Western texts
    except UnicodeDecodeError:
        text = line.decode("latin-1")
    return Phrase("not UTF-8 text: {text}", "不是 UTF-8 文本：{text}").fill(text=shown(text))


def _is_binary(start: bytes) -> bool:
    """Whether the start of a file is not UTF-8 and has many control characters; a damaged text has few."""
    controls = len(start) - len(start.translate(None, _CONTROLS))
    return controls > MANY_CONTROLS * len(start) and not _is_utf8(start)


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


_reader: list[int] = []
"""The process that read a table first."""


def check_process() -> None:
    """Raise an error if a table was read before this process was forked."""
    process = os.getpid()
    if not _reader:
        _reader.append(process)
    elif _reader[0] != process:
        raise RankgaugeError(
            Phrase(
                "this process was forked after files or frames were read, and polars cannot be used in it; start "
                "processes with multiprocessing.get_context('spawn'), or read nothing before the fork",
                "本进程是在读取文件或表之后 fork 出来的，无法使用 polars；请用 multiprocessing.get_context('spawn') "
                "启动进程，或在 fork 之前不读取数据",
            )
        )
