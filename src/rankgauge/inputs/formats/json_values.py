"""Read JSON values one after another from a stream: the elements of an array, the members of an object, or lines."""

from __future__ import annotations

import json
from codecs import getincrementaldecoder
from collections.abc import Iterator
from io import BytesIO
from typing import Any, NamedTuple

from rankgauge.errors import shown, spaced
from rankgauge.inputs.findings import input_error
from rankgauge.inputs.io.compression import ByteStream
from rankgauge.inputs.io.lines import BOM, LONGEST_LINE, located
from rankgauge.rendering.language import Phrase

_BLANKS = " \t\r\n"
_CHUNK, _PIECE = 1 << 18, 1 << 20


_BEGUN = ("true", "false", "null", "NaN", "Infinity", "-Infinity", ".", "e+", "e-", "E+", "E-")
"""What a text may end in, if a word or a number is cut off."""
WHOLE, LINE = Phrase("file", "文件"), Phrase("line or the file", "该行或文件")


def fault(error: json.JSONDecodeError, column: int, text: Phrase = WHOLE) -> Phrase:
    """Return what is wrong at a column, and whether that is the end of the text: a file or a line that is cut off.

    >>> try:
    ...     json.loads('{"a": [1, 2')
    ... except json.JSONDecodeError as error:
    ...     fault(error, error.colno).en
    "not JSON: Expecting ',' delimiter, column 12; the file seems to be cut off"
    """
    comma = "" if error.msg.endswith(" at") else ","
    what = Phrase(f"not JSON: {error.msg}{comma} column {column}", f"不是 JSON：{error.msg}{comma} column {column}")
    rest = error.doc[error.pos :].strip(_BLANKS)
    is_cut = not rest or error.msg.startswith("Unterminated") or any(word.startswith(rest) for word in _BEGUN)
    return _cut_off(what, text) if is_cut else what


def _cut_off(what: Phrase, text: Phrase = WHOLE) -> Phrase:
    return Phrase(f"{what.en}; the {text.en} seems to be cut off", f"{what.zh}；{text.zh}似乎被截断")


def parse_document(content: bytes, name: str) -> Any:
    """Return the JSON document of a file; an error names the line and the column."""
    try:
        return json.loads(content)
    except json.JSONDecodeError as error:
        where, reason = located(name, error.lineno), fault(error, error.colno)
    except (ValueError, RecursionError) as error:
        where, reason = Phrase(name, name), Phrase(f"not JSON: {error}", f"不是 JSON：{error}")
    raise input_error("RG110", Phrase(f"{where.en}: {reason.en}", f"{where.zh}：{reason.zh}"))


class Member(NamedTuple):
    """A value of a document, and its key in an object."""

    value: Any
    place: Phrase
    key: str = ""


class JsonValues:
    """The values of a JSON file; only one of them is in memory at a time, and its length is limited."""

    def __init__(self, stream: ByteStream | BytesIO, name: str) -> None:
        self._stream, self._name = stream, name
        self._decode = getincrementaldecoder("utf-8")().decode
        self._parse = json.JSONDecoder(object_pairs_hook=unique_keys).raw_decode
        self._text, self._at = "", 0
        self._line = 1
        self._before = 0
        """Characters of the line of the text that come before the text."""
        self.characters = 0
        """Number of characters read so far."""
        self._more()
        self._text = self._text.removeprefix(BOM.decode())
        self.kind = self._next()
        """The first character: ``[`` for an array, ``{`` for an object."""

    def elements(self) -> Iterator[Member]:
        """Yield the elements of an array."""
        self._skip("[")
        number = 0
        while self._next() != "]":
            if number:
                self._skip(",")
            self._next()
            line, element = self._line, number + 1
            place = Phrase(f"line {line}, element {element}", f"第 {line} 行，第 {element} 个元素")
            yield Member(self._value(place), place)
            number += 1
        self._skip("]")
        self._check_end()

    def members(self) -> Iterator[Member]:
        """Yield the members of an object."""
        self._skip("{")
        keys: set[str] = set()
        while self._next() != "}":
            if keys:
                self._skip(",")
            self._next()
            place = self._here
            key = self._value(place)
            if not isinstance(key, str) or key in keys:
                raise self._error(place, f"{shown(key)} is not a new key", f"{shown(key)} 不是新的键")
            keys.add(key)
            self._next()
            self._skip(":")
            self._next()
            yield Member(self._value(place), place, key)
        self._skip("}")

    def whole_object(self, limit: int) -> dict[str, Any] | None:
        """Return an object that fills a file of at most this number of characters; None if it is longer or has a fault.

        Nothing is read past then, and ``members`` finds the fault.
        """
        while not self._ended and self.characters <= limit:
            self._more()
        try:
            value, end = self._parse(self._text, self._at) if self._ended else (None, 0)
        except (ValueError, RecursionError):
            return None
        if value is None or self._text[end:].strip(_BLANKS):
            return None
        self._at = end
        return dict(value)

    def lines(self) -> Iterator[Member]:
        """Yield the values after the first, one after another."""
        while self._next():
            place = self._here
            yield Member(self._value(place), place)

    @property
    def at_end(self) -> bool:
        """Whether nothing but blanks is left."""
        return not self._next()

    def _check_end(self) -> None:
        if not self.at_end:
            rest = shown(self._text[self._at :][:40])
            raise self._error(self._here, f"unexpected text after the document: {rest}", f"文档之后还有内容：{rest}")

    def _next(self) -> str:
        """Go to the next character that is not blank and return it; empty at the end."""
        while True:
            while self._at < len(self._text):
                character = self._text[self._at]
                if character not in _BLANKS:
                    return character
                self._line += character == "\n"
                self._at += 1
            if not self._more():
                return ""

    def _skip(self, mark: str) -> None:
        if self._next() != mark:
            rest = shown(self._text[self._at : self._at + 20])
            found = Phrase(rest, rest) if self._next() else Phrase("the end of the file", "文件末尾")
            column = self._column(self._at)
            what = Phrase(
                f"expected {mark!r}, found {found.en}, column {column}",
                f"应为 {mark!r}，实为{spaced(found.zh)}，第 {column} 列",
            )
            raise self._error(self._here, *(what if self._next() else _cut_off(what)))
        self._at += 1

    def _value(self, place: Phrase) -> Any:
        """Parse the value that starts here, reading on until it is complete."""
        while True:
            try:
                value, end = self._parse(self._text, self._at)
                if end < len(self._text) or self._ended:  # a number could go on
                    self._line += self._text.count("\n", self._at, end)
                    self._at = end
                    return value
            except RecursionError:
                raise self._error(place, "the values are nested too deeply", "嵌套过深") from None
            except RepeatedKeyError as error:
                raise self._error(place, str(error), "同一对象中有重复的键") from None
            except json.JSONDecodeError as error:
                if self._ended:
                    line = self._line + self._text.count("\n", self._at, error.pos)
                    reason = fault(error, self._column(error.pos))
                    raise self._error(Phrase(f"line {line}", f"第 {line} 行"), *reason) from None
            self._more(len(self._text) - self._at)

    def _more(self, size: int = 0) -> bool:
        """Read at least as much again; whether there was more."""
        if len(self._text) - self._at > LONGEST_LINE:
            raise self._error(
                self._here,
                f"a value is longer than {LONGEST_LINE >> 20} MB; write one object per line (JSONL)",
                f"某个值长于 {LONGEST_LINE >> 20} MB；请改为每行一个对象（JSONL）",
            )
        data = self._read(min(max(size, _CHUNK), LONGEST_LINE - (len(self._text) - self._at) + 1))
        try:
            text = self._decode(data, not data)
        except UnicodeDecodeError as error:
            if not data:
                reason = Phrase("the last character is incomplete", "最后一个字符不完整")
                raise self._error(Phrase("", ""), *_cut_off(reason)) from None
            rest = shown(error.object[error.start :][:20])
            message = Phrase(f"{self._name}: not UTF-8 text: {rest}", f"{self._name}：不是 UTF-8 文本：{rest}")
            raise input_error("RG103", message) from None
        self.characters += len(text)
        self._before = self._column(self._at) - 1
        self._text, self._at = self._text[self._at :] + text, 0
        self._ended = not data
        return bool(data)

    def _read(self, size: int) -> bytes:
        """Return this many bytes, fewer only at the end."""
        pieces, missing = [], size
        while missing and (piece := self._stream.read(min(missing, _PIECE))):
            pieces.append(piece)
            missing -= len(piece)
        return b"".join(pieces)

    def _column(self, at: int) -> int:
        """Return the column of a character of the text, from 1."""
        newline = self._text.rfind("\n", 0, at)
        return self._before + at + 1 if newline < 0 else at - newline

    @property
    def _here(self) -> Phrase:
        return Phrase(f"line {self._line}", f"第 {self._line} 行")

    def _error(self, place: Phrase, en: str, zh: str) -> Exception:
        where = located(self._name, place)
        return input_error("RG110", Phrase(f"{where.en}: {en}", f"{where.zh}：{zh}"))


class RepeatedKeyError(ValueError):
    """A key occurs twice in one object."""


def unique_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return an object, or refuse one in which a key occurs twice."""
    record = dict(pairs)
    if len(record) != len(pairs):
        raise RepeatedKeyError("a key occurs twice in one object")
    return record
