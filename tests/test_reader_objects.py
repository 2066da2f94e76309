"""Objects from queries to items, spans of records, and compressed streams: hand-worked values."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
from typing import Any

import pytest

import rankgauge as rg
from rankgauge.inputs.documents import Documents
from rankgauge.inputs.io import compression
from rankgauge.inputs.io.compression import ByteStream, check_expansion, open_bytes, source_name, split_compression
from rankgauge.inputs.shapes.by_query import fit, is_by_item, role_of_numbers
from rankgauge.inputs.shapes.shape import ShapeError
from rankgauge.inputs.span_ids import SpanIds


@pytest.mark.parametrize(
    ("numbers", "role"),
    [
        ([0.5], "ranking"),
        ([-1], "ranking"),
        ([32], "ranking"),
        ([31, 31], "judgments"),
        ([0, 0], "judgments"),
        ([1, 2, 1], "judgments"),
        ([1, 2, 3], None),
        ([], None),
        ([1.0, 1.0], "judgments"),
    ],
)
def test_numbers_tell_grades_from_scores(numbers: list[Any], role: str | None) -> None:
    """Fractions are scores, small whole numbers that occur again are grades."""
    assert role_of_numbers(numbers) == role


@pytest.mark.parametrize(
    ("document", "by_item", "sides"),
    [
        ({"q": {"a": 1, "b": 1}}, True, ("judgments",)),
        ({"q": {"a": 0.5}}, True, ("ranking",)),
        ({"q": {"a": 1}, "r": {"b": 2}}, True, ("judgments", "ranking")),
        ({"q": {"a": 1}, "r": {"b": 1}, "s": "x"}, True, ("judgments",)),
        ({"q": {"a": 1}, "r": "x"}, False, None),
        ({"q": {"a": True}}, False, None),
        ({"q": {"a": 1, "b": 2, "c": "x"}}, True, ("judgments", "ranking")),
        ({"q": {"a": 1, "c": "x"}}, False, None),
        ({"q": ["a", "b"]}, False, ("judgments", "ranking")),
        ({"q": ["a"], "r": ["b"], "s": 1}, False, ("judgments", "ranking")),
        ({"q": ["a"], "s": 1}, False, None),
        ({"q": [["a", 0.5]]}, False, ("ranking",)),
        ({"q": []}, False, None),
        ({"q": {}}, True, None),
        ({"q": {}, "r": {"a": 0.5}}, True, ("ranking",)),
        ({}, None, None),
        ([], False, None),
    ],
)
def test_objects_from_queries_to_items_are_recognised(document: Any, by_item: bool | None, sides: Any) -> None:
    """Most of the values decide; the others are mistakes that are reported when they are read."""
    if by_item is not None:
        assert is_by_item(document) is by_item
    found = fit(document)
    assert (found and found.sides) == sides


@pytest.mark.parametrize(
    ("document", "role", "rows"),
    [
        ({"q": {"a": 1, "b": 2}, "r": {"c": 0.5}}, "ranking", (["q", "q", "r"], ["a", "b", "c"], [1, 2, 0.5])),
        ({"q": ["a", "b"], "r": ["c"]}, "ranking", (["q", "q", "r"], ["a", "b", "c"], [-1, -2, -1])),
        ({"q": ["a", "b"], "r": ["c"]}, "judgments", (["q", "q", "r"], ["a", "b", "c"], [1, 1, 1])),
        ({"q": ["a"], "r": []}, "ranking", None),
        ({"q": ["a", ""]}, "ranking", None),
        ({"": ["a"]}, "ranking", None),
        ({"q": ["a", 1]}, "ranking", None),
        ({"q": {"a": "1"}}, "ranking", None),
        ({"q": {"a": True}}, "ranking", None),
        ({"q": {"a": float("nan")}}, "ranking", None),
        ({"q": {"a": 1}, "r": ["b"]}, "ranking", None),
        ({"q": "ab"}, "ranking", None),
    ],
)
def test_rows_of_plain_objects_are_taken_at_once(document: Any, role: Any, rows: Any) -> None:
    """Whatever needs a look is left to the way for single queries."""
    found = fit({"q": ["a", "b"]})
    assert found is not None
    assert found.at_once is not None
    assert found.at_once(document, role) == rows


DOCUMENTS = Documents.of({"d.txt": "one two one three", "e": "four"})


def span_of(hit: Any, documents: Any = None) -> Any:
    """The id that an object gets."""
    return SpanIds(documents).of_record(hit).get("docid")


@pytest.mark.parametrize(
    ("hit", "span"),
    [
        ({"source": "d.txt", "start": 3, "end": 7}, "d.txt[3:7]"),
        ({"doc_id": 5, "start_index": "3", "end_index": 7.0}, "5[3:7]"),
        ({"metadata": {"source": "d", "start_index": 4}, "page_content": "abc"}, "d[4:7]"),
        ({"metadata": '{"source": "d", "start_index": 4}', "text": "abc"}, "d[4:7]"),
        ({"source": "d", "start": 0, "end": 1}, "d[0:1]"),
        ({"source": "d", "start": 4}, None),
        ({"start": 3, "end": 7}, None),
        ({"source": "", "start": 3, "end": 7}, None),
        ({"source": "d", "text": "two"}, None),
        ({"node": {"ref_doc_id": "d", "start_char_idx": 1, "end_char_idx": 9}, "score": 0.5}, "d[1:9]"),
    ],
)
def test_objects_with_a_place_get_the_id_of_a_span(hit: dict[str, Any], span: str | None) -> None:
    """The document, the start and the end, which may be within other objects; the text can give the end."""
    assert span_of(hit) == span


def test_texts_are_found_in_their_documents() -> None:
    """The first place counts where there are several, which is reported."""
    ids = SpanIds(DOCUMENTS)
    hits = [{"source": "d.txt", "text": "two"}, {"source": "d.txt", "text": "one"}, {"source": "e", "text": ""}]
    record = ids.of_record({"question": "x", "hits": hits})
    assert [hit.get("docid") for hit in record["hits"]] == ["d.txt[4:7]", "d.txt[0:3]", None]
    assert record["question"] == "x"
    ((code, reason),) = ids.take_noticed()
    assert code == "RG223"
    assert reason.en == "document 'd.txt' contains 'one' more than once; the first place counts"
    assert ids.take_noticed() == []
    with pytest.raises(ShapeError) as caught:
        ids.of_record({"source": "e", "text": "five"})
    assert caught.value.code == "RG224"


def test_the_document_of_an_object_around_is_that_of_the_objects_within() -> None:
    """Down to a depth, and unless they name their own."""
    inner = {"start": 1, "end": 2}
    record = SpanIds(None).of_record({"doc_id": "d", "chunks": [inner, {"doc_id": "e", **inner}], "other": (inner,)})
    assert [hit["docid"] for hit in record["chunks"]] == ["d[1:2]", "e[1:2]"]
    assert record["other"][0]["docid"] == "d[1:2]"
    deep: Any = {"doc_id": "d", **inner}
    for _ in range(11):
        deep = [deep]
    for _ in range(11):
        (deep,) = SpanIds(None).of_record(deep)
    assert "docid" in deep


@pytest.mark.parametrize(
    ("hit", "code"),
    [
        ({"source": "d", "start": 7, "end": 7}, "RG217"),
        ({"source": "d", "start": 8, "end": 7}, "RG217"),
        ({"source": "d", "start": -1, "end": 7}, None),
        ({"source": "d", "start": 1.5, "end": 7}, None),
    ],
)
def test_places_that_cannot_be_are_refused(hit: dict[str, Any], code: str | None) -> None:
    """Spans without characters, and offsets that are no whole numbers of at least 0."""
    with pytest.raises(ShapeError) as caught:
        span_of(hit)
    assert (caught.value.code == code) if code else "is not an offset" in caught.value.reason.en


COMPRESS: dict[str, Any] = {"": bytes, "gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress}


@pytest.mark.parametrize("name", COMPRESS)
def test_streams_are_decompressed_in_pieces_of_any_size(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Several members with zeros between them, peeks in between, and the bytes that were read."""
    draw = random.Random(1)
    for _ in range(40):
        monkeypatch.setattr(compression, "CHUNK", draw.randrange(1, 40))
        parts = [draw.randbytes(draw.randrange(0, 60)) for _ in range(draw.randrange(1, 4))]
        padding = b"\0" * draw.randrange(3) if name else b""
        packed = padding.join(COMPRESS[name](part) for part in parts)
        stream, read = ByteStream(io.BytesIO(packed), "file", owned=False), b""
        is_known = packed.startswith((b"\x1f\x8b", b"BZh", b"\xfd7zXZ"))
        assert stream.compression == (name if is_known else "")
        while True:
            if draw.random() < 0.3:
                size = draw.randrange(1, 20)
                assert (b"".join(parts)).startswith(read + stream.peek(size)[:size])
            piece = stream.read(draw.randrange(1, 30))
            if not piece:
                break
            read += piece
        assert read == b"".join(parts)
        assert stream.consumed == len(packed)
        assert stream.readinto(bytearray(0)) == 0


@pytest.mark.parametrize("name", ["gzip", "bzip2", "xz"])
def test_truncated_streams_are_damaged(name: str) -> None:
    """With the numbers of bytes."""
    packed = COMPRESS[name](bytes(range(256)) * 4)
    for cut in (len(packed) // 2, len(packed) - 1):
        stream = ByteStream(io.BytesIO(packed[:cut]), "file", owned=False)
        with pytest.raises(
            rg.InputError, match=rf"file: the {name} archive is damaged.*\({cut} bytes read, [\d,]+ bytes"
        ):
            stream.readall()


def test_expansions_are_limited_beyond_a_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred times the size of the file, unless it is small; the limits themselves are fine."""
    monkeypatch.delenv("RANKGAUGE_MAX_EXPANSION", raising=False)
    monkeypatch.setattr(compression, "SMALL", 1000)
    for size, expanded in ((1, 1000), (11, 1100), (100, 10_000)):
        check_expansion("run", size, expanded)
    for size, expanded in ((1, 1001), (11, 1101)):
        with pytest.raises(
            rg.InputError, match=f"more than 100 times.*{size} bytes in the file, {expanded:,} bytes in memory"
        ):
            check_expansion("run", size, expanded)
    monkeypatch.setenv("RANKGAUGE_MAX_EXPANSION", "1")
    check_expansion("run", 2000, 2000)
    with pytest.raises(rg.InputError, match="more than 1 times"):
        check_expansion("run", 2000, 2001)


def test_sources_are_named_and_opened() -> None:
    """Paths, open files and texts; an open file stays open."""
    assert [split_compression(name)[0] for name in ("a.csv.GZ", "a.gz", ".gz", "gz", "a.csv", "a.zst")] == [
        "a.csv",
        "a",
        ".gz",
        "gz",
        "a.csv",
        "a",
    ]
    assert [source_name(source) for source in ("-", "run", io.BytesIO())] == ["<stdin>", "run", "<file>"]
    file = io.BytesIO(b"abc")
    stream, name = open_bytes(file)
    assert (stream.read(), name, stream.readable()) == (b"abc", "<file>", True)
    stream.close()
    assert not file.closed
    assert open_bytes(io.StringIO("ab\ud800"))[0].read() == b"ab\xed\xa0\x80"
    with pytest.raises(rg.InputError, match="cannot read from 5"):
        open_bytes(5)  # type: ignore[arg-type]


def test_files_that_were_opened_here_are_closed_at_their_end(tmp_path: Any) -> None:
    """However long the stream is kept."""
    path = tmp_path / "run.gz"
    path.write_bytes(gzip.compress(b"abc"))
    stream, name = open_bytes(str(path))
    assert name == str(path)
    assert stream.readall() == b"abc"
    assert stream._file.closed
    stream, _ = open_bytes(path)
    stream.close()
    assert stream._file.closed
