"""Blocks of lines against the obvious loops: where they end, what they count, and how their text is cleaned."""

from __future__ import annotations

import io
import random
import re
import zipfile
from typing import Any

import polars as pl
import pytest

import rankgauge as rg
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.io import lines
from reading import named, rows_and_findings


def stream(content: bytes) -> Any:
    """Bytes as a stream with a name."""
    file = io.BytesIO(content)
    file.name = "file"  # type: ignore[attr-defined]
    return file


def texts(draw: random.Random, pieces: list[str]) -> bytes:
    """A random text."""
    return "".join(draw.choice(pieces) for _ in range(draw.randrange(40))).encode()


def ends_of_lines(text: bytes, *, quoted: bool) -> set[int]:
    """Where a line ends, character by character."""
    inside, ends = False, set()
    for place, byte in enumerate(text, 1):
        inside ^= quoted and byte == ord('"')
        if byte == ord("\n") and not inside:
            ends.add(place)
    return ends


@pytest.mark.parametrize("quoted", [False, True])
def test_blocks_end_with_a_line_and_know_their_first_line(*, quoted: bool) -> None:
    """A block is as long as the buffer allows; a longer line lets the buffer grow."""
    draw = random.Random(1)
    for _ in range(400):
        text, size = texts(draw, ["a", "bc", "\n", "\n", '"', '"x\n"']), draw.randrange(1, 12)
        blocks = [*lines.line_blocks(stream(text), size, quoted=quoted)]
        assert b"".join(block.text for block in blocks) == text
        ends, at = ends_of_lines(text, quoted=quoted), 0
        for block in blocks:
            assert block.line == text.count(b"\n", 0, at) + 1
            at += len(block.text)
            assert block.is_last == (block is blocks[-1]) or at == len(text)
            assert at in ends or at == len(text)
        assert [block.is_last for block in blocks[:-1]] == [False] * (len(blocks) - 1) if blocks else not text


def test_a_block_is_as_long_as_its_buffer_allows() -> None:
    """Lines of three bytes in buffers of seven."""
    blocks = [*lines.line_blocks(stream(b"ab\n" * 5), 7)]
    assert [block.text for block in blocks] == [b"ab\nab\n", b"ab\nab\n", b"ab\n"]
    assert [block.line for block in blocks] == [1, 3, 5]
    assert [block.is_last for block in blocks] == [False, False, True]
    changed = [*lines.line_blocks(stream(b"ab\n" * 3), 7, rewrite=bytes.upper)]
    assert [block.text for block in changed] == [b"AB\nAB\n", b"AB\n"]


def test_a_line_longer_than_the_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """With its number; one that fits is read."""
    monkeypatch.setattr(lines, "LONGEST_LINE", 64)
    assert [block.text for block in lines.line_blocks(stream(b"a\n" + b"x" * 62 + b"\n"), 16)][-1].endswith(b"x\n")
    with pytest.raises(rg.InputError, match="file:2: a line is longer than"):
        [*lines.line_blocks(stream(b"a\n" + b"x" * 100 + b"\n"), 16)]


def test_blocks_count_bytes_as_the_obvious_loop_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """In pieces of any size, pairs of separators across pieces among them."""
    draw = random.Random(2)
    for _ in range(300):
        monkeypatch.setattr(lines, "_SCAN", draw.randrange(1, 9))
        text = texts(draw, ["a", "b", "é", " ", "\t", "\n", "\x0b", "!"])
        block = lines.Block(text, 1)
        assert block.separators == sum(byte <= 32 for byte in text)
        assert block.controls == sum(byte < 32 for byte in text)
        assert block.lines == text.count(b"\n")
        assert block.rows == len(text.split(b"\n")) - (text.endswith(b"\n") or not text)
        assert block.empty_fields == bool(re.search(rb"\A[\0-\x20]|[\0-\x20]{2}", text))
        assert block.count(9) == text.count(b"\t")
        assert not block.is_last


@pytest.mark.parametrize("quoted", [False, True])
def test_pieces_of_a_block_are_whole_lines(monkeypatch: pytest.MonkeyPatch, *, quoted: bool) -> None:
    """About as long as asked for, and longer only where a line is."""
    draw = random.Random(3)
    for _ in range(300):
        monkeypatch.setattr(lines, "PIECE", size := draw.randrange(1, 12))
        text, first = texts(draw, ["a", "bc", "\n", '"', '"x\n"']), draw.randrange(1, 5)
        pieces = [*lines.split_block(lines.Block(text, first), quoted=quoted)]
        assert b"".join(piece.text for piece in pieces) == text
        ends, at = ends_of_lines(text, quoted=quoted), 0
        for piece in pieces:
            assert piece.line == first + text.count(b"\n", 0, at)
            at += len(piece.text)
            assert at in ends or at == len(text)
        if not quoted and len(text) > size and text.count(b"\n", 0, size):
            assert len(pieces[0].text) <= size
    monkeypatch.setattr(lines, "PIECE", 7)
    assert [piece.text for piece in lines.split_block(lines.Block(b"ab\n" * 4, 1))] == [b"ab\nab\n", b"ab\nab\n"]
    assert [piece.text for piece in lines.split_block(lines.Block(b"ab\nab\na", 1))] == [b"ab\nab\na"]


def cleaned(text: bytes, line: int = 1) -> tuple[bytes, dict[str, list[str]]]:
    """The text of a cleaned block, and what was reported."""
    context = lines.FileContext("file", "ranking", Findings(), lenient=True)
    block = lines.clean_text(lines.Block(text, line), context)
    assert block.line == line
    return block.text, {finding.code: [*finding.examples] for finding in context.findings}


@pytest.mark.parametrize(
    ("text", "clean", "found"),
    [
        (b"a\r\nb\rc\n", b"a\nb\nc\n", {}),
        ("é\n".encode(), "é\n".encode(), {}),
        (b"a\n\xe9\n", "a\né\n".encode(), {"RG103": ["file:6: not UTF-8 text: 'é'"]}),
        (
            b"\xef\xbb\xbfa\n\xef\xbb\xbf\xef\xbb\xbfb",
            b"a\nb",
            {"RG105": ["file:5: byte order mark removed", "file:6: byte order mark removed"]},
        ),
        (b"a\n\xef\xbb\xbfb\n", b"a\nb\n", {"RG105": ["file:6: byte order mark removed"]}),
        (b"a\nb\xef\xbb\xbf\n", b"a\nb\xef\xbb\xbf\n", {}),
        (b"a\nb\0c\nd", b"a\n\nd", {"RG104": ["file:6: NUL byte in 'b\\x00c'"]}),
        (b"\xff\xfea\n", "ÿþa\n".encode(), {"RG103": ["file:5: not UTF-8 text: 'ÿþa'"]}),
    ],
)
def test_the_text_of_a_block_is_cleaned_line_by_line(text: bytes, clean: bytes, found: dict[str, list[str]]) -> None:
    """The number of lines stays, so that places are right."""
    assert cleaned(text, 5) == (clean, found)


def test_texts_in_other_encodings_and_binary_files_are_named_at_their_start() -> None:
    """One control character in twenty bytes is not yet binary; a later block is not looked at."""
    for text, message in (
        ("a b".encode("utf-16"), "file:1: UTF-16 text"),
        ("a b".encode("utf-16-be").join([b"\xfe\xff", b""]), "file:1: UTF-16 text"),
        ("a b".encode("utf-32"), "file:1: UTF-32 text"),
        (b"\0\1\2\xff" * 9, "file: not a text file"),
        (b"\0\xff" + b"a" * 17, "file: not a text file"),
    ):
        with pytest.raises(rg.InputError, match=message):
            cleaned(text)
    assert [*cleaned(b"\0\xff" + b"a" * 18)[1]] == ["RG104"]
    assert [*cleaned(b"\0\1\2\3" * 9)[1]] == ["RG104"]  # valid UTF-8
    assert [*cleaned(b"\0\1\2\xff" * 9, 2)[1]] == ["RG104"]


def parquet(scores: list[float]) -> bytes:
    """A table of one query as a Parquet file."""
    file = io.BytesIO()
    pl.DataFrame({"query": "q", "item": ["a", "b"], "score": scores}).write_parquet(file)
    return file.getvalue()


def test_places_are_given_after_the_name_of_the_file() -> None:
    """A line is a number after a colon, in both languages."""
    rows = '[{"query": "q", "item": "a", "score": 1},\n{"query": "q", "item": "b", "score": "x"}]'
    for name, content, en, zh in (
        ("f.csv", "query,item,score\nq,a,1\nq,b,x\n", "f.csv:3: score 'x'", "f.csv:3：分数 'x'"),
        ("f.json", rows, "f.json:2: element 2: score 'x'", "f.json:2：第 2 个元素：分数 'x'"),
        ("f.parquet", parquet([1.0, float("nan")]), "f.parquet: row 2: score", "f.parquet：第 2 行：分数"),
        ("f.csv", "query,item,score\n", "f.csv: the file has no data", "f.csv：文件中没有数据"),
    ):
        with pytest.raises(rg.InputError) as caught:
            rg.evaluate({"q": {"a": 1}}, named(content, name), "RR")
        for text, start in zip(caught.value.texts, (en, zh), strict=True):
            assert text.startswith(start)


@pytest.mark.parametrize(
    ("role", "text", "code", "message"),
    [
        ("ranking", "x", "RG201", "score 'x' is not a number"),
        ("ranking", "", "RG201", "score is missing"),
        ("ranking", "nan", "RG202", "score 'nan' is NaN, which has no rank"),
        ("ranking", "-inf", "RG203", "score '-inf' is infinite"),
        ("judgments", "x", "RG204", "grade 'x' is not a number"),
        ("judgments", "inf", "RG204", "grade 'inf' is not a finite number"),
        ("judgments", "nan", "RG204", "grade 'nan' is not a finite number"),
        ("ranking", "1e3", None, ""),
    ],
)
def test_numbers_that_cannot_be_used_are_reported(role: Any, text: str, code: str | None, message: str) -> None:
    """Only an infinite score is kept."""
    column = "score" if role == "ranking" else "grade"
    lines = [f"query,item,{column}", *(f"q,d{number},{number}" for number in range(7)), f"q,d,{text}"]
    read, findings = rows_and_findings(named("\n".join(lines), "f.csv"), role, lenient=True)
    assert [number for _, item, number in read if item == "d"] == (
        [1000.0] if code is None else [float(text)] if code == "RG203" else []
    )
    assert [finding.code for finding in findings if finding.code != "RG106"] == ([] if code is None else [code])
    assert [finding.examples[0] for finding in findings if finding.code == code] == (
        [f"f.csv:9: {message} (query 'q', item 'd')"] if code else []
    )


@pytest.mark.parametrize("ending", ["xlsx", "csv", "txt", "json", "zip"])
@pytest.mark.parametrize("is_whole", [True, False])
@pytest.mark.parametrize("side", ["judgments", "ranking", "labels"])
def test_a_workbook_is_named_with_the_way_out(ending, is_whole, side, tmp_path):
    """It was a file to be written "again as UTF-8", and a damaged one a row of TREC with too few columns."""
    path, inside = tmp_path / f"ratings.{ending}", "xl/workbook.xml" if ending != "zip" else "run.txt"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(inside, "<workbook/>" * 9)
    if not is_whole:
        path.write_bytes(path.read_bytes()[:40])
    good = {"q": {"a": 1}}
    is_workbook = ending == "xlsx" or (inside.startswith("xl/") and is_whole) or b"xl/" in path.read_bytes()
    call = {
        "judgments": lambda: rg.evaluate(path, good, "RR"),
        "ranking": lambda: rg.evaluate(good, path, "RR"),
        "labels": lambda: rg.judges.agreement(path, good),
    }[side]

    with pytest.raises(rg.InputError) as refused:
        call()

    assert refused.value.codes == ("RG104",)
    assert ("CSV UTF-8" in str(refused.value)) == is_workbook
    assert ("unpack it" in str(refused.value)) != is_workbook
