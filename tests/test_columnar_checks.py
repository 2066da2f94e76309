"""The metadata of columnar files are checked before polars reads them: files written by hand, field by field."""

from __future__ import annotations

import functools
import io
import struct
from typing import Any

import polars as pl
import pytest

import rankgauge.inputs.formats.arrow_messages as arrow
import rankgauge.inputs.formats.parquet_pages as parquet
from rankgauge.inputs.formats.codec import DamagedFileError

# Numbers of the fields of Parquet's metadata
ROWS, GROUPS, CHUNKS, METADATA = 3, 4, 1, 3
PATH, VALUES, COMPRESSED, DATA_AT, DICTIONARY_AT = 3, 5, 7, 9, 11
DATA, DICTIONARY, DATA_V2 = 5, 7, 8


class Number(int):
    """An integer that is written with a given type of Thrift: 4 and 5 are shorter ones than 6."""

    kind = 6


class Short(Number):
    """A 16-bit integer."""

    kind = 4


class Octet(Number):
    """A byte."""

    kind = 3


def varint(number: int) -> bytes:
    """Seven bits in each byte, the lowest first; the high bit says that more follow."""
    *more, last = [number >> shift & 127 for shift in range(0, max(number.bit_length(), 1), 7)]
    return bytes([*(byte | 128 for byte in more), last])


def zigzag(number: int) -> bytes:
    """A signed integer: 0, -1, 1, -2, ... are 0, 1, 2, 3, ..."""
    return varint(2 * number if number >= 0 else -2 * number - 1)


def kind_of(value: Any) -> int:
    """The type of a value in Thrift."""
    if isinstance(value, bool):
        return 1 if value else 2
    kinds = {float: 7, bytes: 8, list: 9, set: 10, dict: 12}
    return value.kind if isinstance(value, Number) else kinds.get(type(value), 6)


def encoded(value: Any) -> bytes:
    """A value in the compact protocol of Thrift; a boolean within a struct has no bytes of its own."""
    match value:
        case bool():
            return b""
        case Octet():
            return bytes([value])
        case int():
            return zigzag(value)
        case float():
            return struct.pack("<d", value)
        case bytes():
            return varint(len(value)) + value
        case list() | set():
            kind = kind_of(next(iter(value)))
            start = bytes([len(value) << 4 | kind]) if len(value) < 15 else bytes([15 << 4 | kind]) + varint(len(value))
            return start + b"".join(bytes([kind_of(v)]) if isinstance(v, bool) else encoded(v) for v in value)
        case _:
            written, before = b"", 0
            for number, field in sorted(value.items()):
                step, kind = number - before, kind_of(field)
                written += bytes([step << 4 | kind]) if step < 16 else bytes([kind]) + zigzag(number)
                written, before = written + encoded(field), number
            return written + b"\0"


def page(values: int, size: int = 40, body: bytes = b"x" * 10, kind: int = DATA, **more: Any) -> bytes:
    """A page: its header, and as many bytes as the header says."""
    return encoded({1: 0, 2: size, 3: more.get("length", len(body)), kind: {1: values, 2: True}}) + body


def column(pages: bytes, values: int, at: int = 4, **fields: int) -> dict[int, Any]:
    """The metadata of a column chunk."""
    return {
        METADATA: {PATH: [b"score"], VALUES: values, COMPRESSED: len(pages), DATA_AT: at}
        | {int(k[1:]): v for k, v in fields.items()}
    }


def parquet_file(pages: bytes, groups: list[dict[int, Any]], rows: int, **extra: Any) -> io.BytesIO:
    """A Parquet file: pages, the footer, its length and the magic."""
    footer = encoded({ROWS: rows, GROUPS: groups} | {int(k[1:]): v for k, v in extra.items()})
    return io.BytesIO(b"PAR1" + pages + footer + len(footer).to_bytes(4, "little") + b"PAR1")


def one_column(pages: bytes, values: int, **fields: int) -> io.BytesIO:
    """A file with one column chunk."""
    return parquet_file(pages, [{CHUNKS: [column(pages, values, **fields)], ROWS: values}], values)


def note_expansion(sizes: list[int], place: io.BytesIO, size: int, expanded: int) -> None:
    """Remember the size in memory; that of the file is right."""
    assert size == len(place.getvalue())
    sizes.append(expanded)


@pytest.fixture
def expanded(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes in memory that were compared with the size of the file."""
    sizes: list[int] = []
    for module in (parquet, arrow):
        monkeypatch.setattr(module, "check_expansion", functools.partial(note_expansion, sizes))
    return sizes


def test_pages_are_counted_with_their_decompressed_size_and_eight_bytes_for_every_value(expanded: list[int]) -> None:
    """Two data pages of 3 + 5 values in 40 + 70 bytes, and a dictionary of 2 values in 16 bytes, which are no rows."""
    data = page(3, 40) + page(5, 70, kind=DATA_V2)
    dictionary = page(2, 16, kind=DICTIONARY)
    parquet.check_pages(one_column(data, 8))
    parquet.check_pages(one_column(dictionary + data, 8, _9=4 + len(dictionary), _11=4))
    parquet.check_pages(one_column(data, 8, _11=0))  # some writers give 0 for no dictionary
    assert expanded == [40 + 70 + 8 * 8, 16 + 40 + 70 + 8 * 8, 40 + 70 + 8 * 8]


def test_only_the_pages_of_the_wanted_columns_are_checked(expanded: list[int]) -> None:
    """The second column has a page with a negative number of values."""
    good, bad = page(3, 40), page(-1, 40)
    other = column(bad, 3, 4 + len(good))
    other[METADATA][PATH] = [b"other", b"list"]
    groups = [{CHUNKS: [column(good, 3), other], ROWS: 3}]
    parquet.check_pages(parquet_file(good + bad, groups, 3), ["score"])
    parquet.check_pages(parquet_file(good + bad, groups, 3), [])
    assert expanded == [40 + 8 * 3, 0]
    with pytest.raises(DamagedFileError, match="is negative"):
        parquet.check_pages(parquet_file(good + bad, groups, 3), ["other"])
    with pytest.raises(DamagedFileError, match="is negative"):
        parquet.check_pages(parquet_file(good + bad, groups, 3))


def test_row_groups_add_up_and_a_file_may_have_none(expanded: list[int]) -> None:
    """Three rows and four rows are seven rows; the numbers of a group and of the file are not negative."""
    first, second = page(3), page(4)
    groups = [{CHUNKS: [column(first, 3)], ROWS: 3}, {CHUNKS: [column(second, 4, 4 + len(first))], ROWS: 4}]
    parquet.check_pages(parquet_file(first + second, groups, 7))
    parquet.check_pages(parquet_file(b"", [{CHUNKS: [column(b"", 0)], ROWS: 0}], 0))
    assert expanded == [80 + 8 * 7, 0]
    for rows in (6, 8):
        with pytest.raises(DamagedFileError, match="contradict"):
            parquet.check_pages(parquet_file(first + second, groups, rows))
    negative = [{CHUNKS: [column(first, 3)], ROWS: -1}, {CHUNKS: [column(first, 3)], ROWS: 4}]
    with pytest.raises(DamagedFileError, match="contradict"):
        parquet.check_pages(parquet_file(first, negative, 3))
    with pytest.raises(DamagedFileError, match="contradict"):
        parquet.check_pages(parquet_file(first, [{CHUNKS: [column(first, 3)], ROWS: -1}], -1))


@pytest.mark.parametrize(
    ("pages", "values", "fields", "reason"),
    [
        (page(3), 4, {}, "3, not 4"),
        (page(3), 2, {}, "3, not 2"),
        (page(3), 3, {"_9": 3}, "a column is at 3"),
        (page(3), 3, {"_9": 5}, "a column is at 5"),
        (page(3), 3, {"_7": -1}, "a column is at 4 to 3"),
        (page(3, length=11), 3, {}, "3, not 3"),
        (page(3, size=-1), 3, {}, "the page at byte 4 is negative"),
        (page(3, length=-1), 3, {}, "the page at byte 4 is negative"),
        (page(3) + page(-3) + page(3), 3, {}, "is negative"),
        (page(2) + page(-2, kind=DICTIONARY), 2, {}, "is negative"),
    ],
)
def test_a_column_whose_pages_do_not_fit_its_footer_is_damaged(
    pages: bytes, values: int, fields: dict[str, int], reason: str
) -> None:
    """A page that ends after the column, values that do not add up, and negative numbers."""
    with pytest.raises(DamagedFileError, match=reason):
        parquet.check_pages(one_column(pages, values, **fields))


def test_a_page_may_be_empty(expanded: list[int]) -> None:
    """Zero is not negative."""
    parquet.check_pages(one_column(page(0, 0, b"") + page(1, 8, b"12345678"), 1))
    assert expanded == [8 + 8]


def test_unknown_fields_of_every_type_are_skipped(expanded: list[int]) -> None:
    """Booleans, bytes, floats, sets, long lists, lists of booleans, and field numbers far apart."""
    pages = page(300)
    group = {CHUNKS: [column(pages, 300)], ROWS: Short(300)}
    extra: dict[str, Any] = {
        "_1": Short(-2),
        "_2": [True, False, True],
        "_5": True,
        "_6": False,
        "_7": Octet(200),
        "_8": {7},
        "_9": [{1: 1.5, 2: b"\x80" * 200}] * 20,
        "_25": -3.5,
        "_41": [[1, -(2**62)], [2**62]],
        "_400": [1.0] * 14,
        "_401": {2: Octet(1), 20: False},
    }
    parquet.check_pages(parquet_file(pages, [group], 300, **extra))
    assert expanded == [40 + 8 * 300]


def nested(depth: int, around: Any = None) -> Any:
    """Structs, or lists, in one another."""
    value: Any = 1
    for _ in range(depth):
        value = [value] if around is list else {1: value}
    return value


def test_metadata_may_be_nested_to_a_depth_of_twelve(expanded: list[int]) -> None:
    """Deeper ones would exhaust the stack."""
    pages = page(1)
    group = {CHUNKS: [column(pages, 1)], ROWS: 1}
    for around in (dict, list):
        parquet.check_pages(parquet_file(pages, [group], 1, _20=nested(12, around)))
        with pytest.raises(DamagedFileError, match=r"nested too deeply|not valid"):
            parquet.check_pages(parquet_file(pages, [group], 1, _20=nested(13, around)))
    assert len(expanded) == 2


def test_damaged_footers_are_refused_with_the_reason() -> None:
    """The end of the file, the length of the footer, values of unknown type and integers without an end."""
    good = one_column(page(3), 3).getvalue()
    size = len(good)

    def with_footer(footer: bytes) -> bytes:
        return b"PAR1" + page(3) + footer + len(footer).to_bytes(4, "little") + b"PAR1"

    for damaged, reason in (
        (b"PAR1", "truncated"),
        (good[:-1], "truncated"),
        (good[:-4] + b"PAR2", "truncated"),
        (good[:-8] + (size - 11).to_bytes(4, "little") + b"PAR1", "longer than the file"),
        (good[:-8] + (good[-8] + (1 << 24)).to_bytes(4, "little") + b"PAR1", "longer than the file"),
        (good[:-8] + (size - 12).to_bytes(4, "little") + b"PAR1", "not valid"),
        (with_footer(b"\x1b\0"), "unknown type 11"),
        (with_footer(b"\x16" + b"\xff" * 10 + b"\x01\0"), "too long"),
        (with_footer(b"\x16" + b"\x80" * 9 + b"\x01\0"), "not valid"),  # the longest integer; no rows
        (with_footer(b"\x18\x05abcd\0"), "not valid"),
        (with_footer(b"\x19\x96abcd\0"), "not valid"),
    ):
        with pytest.raises(DamagedFileError, match=reason):
            parquet.check_pages(io.BytesIO(damaged))


def test_the_position_of_the_file_is_its_start_afterwards() -> None:
    """The file is read by polars next."""
    for file, check in ((one_column(page(3), 3), parquet.check_pages), (arrow_file(9), arrow.check_messages)):
        check(file)
        assert file.tell() == 0


def arrow_file(rows: int, compression: Any = "uncompressed", *, stream: bool = False) -> io.BytesIO:
    """An Arrow file with a column of floating-point numbers."""
    frame = pl.DataFrame({"score": [float(number % 7) for number in range(rows)]})
    file = io.BytesIO()
    (frame.write_ipc_stream if stream else frame.write_ipc)(file, compression=compression)
    file.seek(0)
    return file


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("compression", ["zstd", "lz4"])
def test_compressed_buffers_of_arrow_files_are_counted_with_their_decompressed_size(
    compression: str, expanded: list[int], *, stream: bool
) -> None:
    """4,321 numbers of 8 bytes; buffers that are not compressed expand to nothing."""
    arrow.check_messages(arrow_file(4321, compression, stream=stream))
    arrow.check_messages(arrow_file(4321, stream=stream))
    assert expanded == [4321 * 8, 0]


def test_every_message_of_an_arrow_file_counts_dictionaries_among_them(expanded: list[int]) -> None:
    """Batches of 1,000, 1,000 and 500 numbers, and a dictionary of 1,250 texts of 9 bytes with 32-bit offsets and indices."""
    import pyarrow as pa

    options = pa.ipc.IpcWriteOptions(compression="zstd")
    numbers = pa.table({"score": [float(number) for number in range(2500)]})
    texts = pa.table({"item": pa.array([f"d{number % 1250:08d}" for number in range(2500)]).dictionary_encode()})
    for table in (numbers, texts):
        for new in (pa.ipc.new_file, pa.ipc.new_stream):
            file = io.BytesIO()
            with new(file, table.schema, options=options) as writer:
                writer.write_table(table, max_chunksize=1000)
            arrow.check_messages(io.BytesIO(file.getvalue()))
    assert expanded == [2500 * 8] * 2 + [1250 * 9 + 1251 * 4 + 2500 * 4] * 2


def test_streams_without_the_marks_of_newer_ones_are_checked(expanded: list[int]) -> None:
    """Before version 0.15 of Arrow, a message started with the length of its metadata."""
    import pyarrow as pa

    table = pa.table({"score": [float(number) for number in range(2500)]})
    options = pa.ipc.IpcWriteOptions(compression="zstd", use_legacy_format=True)
    file = io.BytesIO()
    with pa.ipc.new_stream(file, table.schema, options=options) as writer:
        writer.write_table(table)
    arrow.check_messages(io.BytesIO(file.getvalue()))
    assert expanded == [2500 * 8]


@pytest.mark.parametrize("stream", [False, True])
def test_the_size_that_a_compressed_buffer_gives_is_checked(expanded: list[int], *, stream: bool) -> None:
    """-1 says that it is not compressed; no codec expands a byte to more than 2^17."""
    content = arrow_file(4321, "zstd", stream=stream).getvalue()
    at = content.index((4321 * 8).to_bytes(8, "little"))
    assert content[at + 8 : at + 12] == b"\x28\xb5\x2f\xfd"  # where Zstandard starts
    for number in (-2, 2**62):
        changed = content[:at] + number.to_bytes(8, "little", signed=True) + content[at + 8 :]
        with pytest.raises(DamagedFileError, match=f"cannot have {number} bytes"):
            arrow.check_messages(io.BytesIO(changed))
    for number in (-1, 0, 1, 1 << 17):
        changed = content[:at] + number.to_bytes(8, "little", signed=True) + content[at + 8 :]
        arrow.check_messages(io.BytesIO(changed))
    assert expanded == [0, 0, 1, 1 << 17]


def test_a_compressed_byte_expands_to_at_most_two_to_the_seventeenth() -> None:
    """The limit of LZ4 and Zstandard, for a buffer whose length is in the metadata before it."""
    content = arrow_file(4321, "zstd").getvalue()
    at = content.index((4321 * 8).to_bytes(8, "little"))

    def is_accepted(number: int) -> bool:
        try:
            arrow.check_messages(io.BytesIO(content[:at] + number.to_bytes(8, "little") + content[at + 8 :]))
        except DamagedFileError:
            return False
        return True

    length = next(length for length in range(2000) if not is_accepted((length << 17) + 1))
    assert is_accepted(length << 17)
    assert struct.pack("<qq", 0, length) in content[:at]  # where it starts, and its length
    assert struct.pack("<qq", 0, 2 * length) not in content[:at]


def test_damaged_ends_of_arrow_files_are_refused_with_the_reason() -> None:
    """The magic, the length of the footer, and messages that end after the file."""
    content = arrow_file(100).getvalue()
    size = len(content)
    for damaged, reason in (
        (content[:-1], "truncated"),
        (content[:-6] + b"ARROW2", "truncated"),
        (content[:-10] + (size - 9).to_bytes(4, "little") + b"ARROW1", "longer than the file"),
        (content[:-10] + (size - 10).to_bytes(4, "little") + b"ARROW1", "not valid|message at byte"),
        (content[:-10] + (3).to_bytes(4, "little") + b"ARROW1", "not valid"),
    ):
        with pytest.raises(DamagedFileError, match=reason):
            arrow.check_messages(io.BytesIO(damaged))
    stream = arrow_file(100, stream=True).getvalue()
    for cut in (10, 100, len(stream) // 2):
        with pytest.raises(DamagedFileError):
            arrow.check_messages(io.BytesIO(stream[:cut]))
    schema_only = stream[: stream.index(b"\xff\xff\xff\xff", 8)]
    for fine in (stream[:-8], schema_only):  # the mark of the end may be missing
        arrow.check_messages(io.BytesIO(fine))


def test_messages_and_buffers_lie_within_the_file() -> None:
    """Where the footer has its only batch, and how long a message has its only buffer."""
    content = arrow_file(100).getvalue()
    size, batch = len(content), content.index(b"\xff\xff\xff\xff", 12)
    at = content.rindex(batch.to_bytes(8, "little"))
    for place in (-1, size, size - 4):
        damaged = content[:at] + place.to_bytes(8, "little", signed=True) + content[at + 8 :]
        with pytest.raises(DamagedFileError, match=f"message at byte {place} is longer|not valid"):
            arrow.check_messages(io.BytesIO(damaged))
    length = content.index((800).to_bytes(8, "little"))
    for number in (-1, size, size + 1):
        damaged = content[:length] + number.to_bytes(8, "little", signed=True) + content[length + 8 :]
        with pytest.raises(DamagedFileError, match="is outside of the file"):
            arrow.check_messages(io.BytesIO(damaged))
