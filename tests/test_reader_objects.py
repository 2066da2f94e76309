"""Objects from queries to items, spans of records, and compressed streams: hand-worked values."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import random
from pathlib import Path
from typing import Any

import pytest

import rankgauge as rg
from rankgauge.inputs.io.compression import check_expansion
from reading import named, rows


def sides_of(document: Any) -> str:
    """What the content of a JSON file tells: a side, "either", or "neither"."""
    try:
        data = rg.read(named(json.dumps(document), "x.json"))
    except rg.InputError as error:
        return "either" if "RG114" in error.codes else "neither"
    return "ranking" if data.judgments is None else "judgments"


@pytest.mark.parametrize(
    ("numbers", "side"),
    [
        ([0.5], "ranking"),
        ([-1], "ranking"),
        ([32], "ranking"),
        ([31, 31], "judgments"),
        ([0, 0], "judgments"),
        ([1, 2, 1], "judgments"),
        ([1, 2, 3], "either"),
        ([1.0, 1.0], "judgments"),
    ],
)
def test_numbers_tell_grades_from_scores(numbers: list[Any], side: str) -> None:
    """Fractions are scores, small whole numbers that occur again are grades."""
    assert sides_of({"q": {f"d{place}": number for place, number in enumerate(numbers)}}) == side


@pytest.mark.parametrize(
    ("document", "side"),
    [
        ({"q": {"a": 1, "b": 1}}, "judgments"),
        ({"q": {"a": 0.5}}, "ranking"),
        ({"q": {"a": 1}, "r": {"b": 2}}, "either"),
        ({"q": {"a": 1}, "r": {"b": 1}, "s": "x"}, "judgments"),
        ({"q": {"a": 1}, "r": "x"}, "neither"),
        ({"q": {"a": True}}, "neither"),
        ({"q": {"a": 1, "b": 2, "c": "x"}}, "either"),
        ({"q": {"a": 1, "c": "x"}}, "neither"),
        ({"q": ["a", "b"]}, "either"),
        ({"q": ["a"], "r": ["b"], "s": 1}, "either"),
        ({"q": ["a"], "s": 1}, "neither"),
        ({"q": [["a", 0.5]]}, "ranking"),
        ({"q": []}, "neither"),
        ({"q": {}}, "neither"),
        ({"q": {}, "r": {"a": 0.5}}, "ranking"),
        ({}, "neither"),
        ([], "neither"),
    ],
)
def test_objects_from_queries_to_items_are_recognised(document: Any, side: str) -> None:
    """Most of the values decide; the others are mistakes that are reported when they are read."""
    assert sides_of(document) == side


@pytest.mark.parametrize(
    ("document", "role", "expected"),
    [
        ({"q": {"a": 1, "b": 2}, "r": {"c": 0.5}}, "ranking", [("q", "a", 1), ("q", "b", 2), ("r", "c", 0.5)]),
        ({"q": ["a", "b"], "r": ["c"]}, "ranking", [("q", "a", -1), ("q", "b", -2), ("r", "c", -1)]),
        ({"q": ["a", "b"], "r": ["c"]}, "judgments", [("q", "a", 1), ("q", "b", 1), ("r", "c", 1)]),
        ({"q": ["a"], "r": []}, "ranking", [("q", "a", -1)]),
        ({"q": ["a", 1]}, "ranking", [("q", "a", -1), ("q", "1", -2)]),
        (
            {"q": {"a": 1, "b": 3, "c": "2"}, "r": {"a": 1}},
            "ranking",
            [("q", "a", 1), ("q", "b", 3), ("q", "c", 2), ("r", "a", 1)],
        ),
        ({"q": ["a", ""]}, "ranking", r"\['q'\]\[1\]: the id is empty"),
        ({"": ["a"]}, "ranking", "query '': the query id is empty"),
        ({"q": {"a": "1"}}, "ranking", "neither rows with a query"),
        ({"q": {"a": True}}, "ranking", "neither rows with a query"),
        ({"q": {"a": float("nan")}}, "ranking", "score 'nan' is NaN"),
        ({"q": {"a": 1}, "r": ["b"]}, "ranking", "neither rows with a query"),
        ({"q": "ab"}, "ranking", "no column for item"),
    ],
)
def test_rows_of_objects_from_queries_to_items(document: Any, role: Any, expected: Any) -> None:
    """Of a few queries, and of many, which are taken at once if they are plain."""
    listed = any(isinstance(value, list) for value in document.values())
    others = {f"o{number}": ["x", "y"] if listed else {"x": 5, "y": 4.5} for number in range(200)}
    numbers = ((-1, -2) if role == "ranking" else (1, 1)) if listed else (5, 4.5)
    more = [(query, item, number) for query in others for item, number in zip("xy", numbers, strict=True)]
    if isinstance(expected, list):
        assert rows(named(json.dumps(document), "x.json"), role) == expected
        assert rows(named(json.dumps(document | others), "x.json"), role) == expected + more
    else:
        with pytest.raises(rg.InputError, match=expected):
            rows(named(json.dumps(document), "x.json"), role)


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ({"q": ["a", ""]}, r"\['q'\]\[1\]: the id is empty"),
        ({"": ["a", "b"]}, "query '': the query id is empty"),
        ({"q": {"a": "1"}}, [("q", "a", 1)]),
        ({"q": {"a": True}}, "True is not a number"),
        ({"q": {"a": float("nan")}}, "score 'nan' is NaN"),
        ({"q": []}, []),
        ({"q": 5}, "found 5"),
    ],
)
def test_an_unusual_query_among_many_is_looked_at(document: Any, expected: Any) -> None:
    """The others are read as without it."""
    value = next(iter(document.values()))
    plain: Any = ["x"] if isinstance(value, list) else {"x": -1}
    many = document | {f"o{number}": plain for number in range(200)}
    if isinstance(expected, list):
        more = [(f"o{number}", "x", -1.0) for number in range(200)]
        assert rows(named(json.dumps(many), "x.json"), "ranking") == expected + more
    else:
        with pytest.raises(rg.InputError, match=expected):
            rows(named(json.dumps(many), "x.json"), "ranking")


DOCUMENTS = {"d.txt": "one two one three", "e": "four"}


def items_of(*hits: Any, documents: Any = None, **around: Any) -> list[str]:
    """The items that are read of the hits of a record."""
    record = {"query": "q", "retrieved_ids": [*hits], **around}
    source = rg.read([record], role="ranking", spans=True, documents=documents).ranking
    return source.frame()["item"].to_list()


@pytest.mark.parametrize(
    ("hit", "item"),
    [
        ({"source": "d.txt", "start": 3, "end": 7}, "d.txt[3:7]"),
        ({"doc_id": 5, "start_index": "3", "end_index": 7.0}, "5[3:7]"),
        ({"metadata": {"source": "d", "start_index": 4}, "page_content": "abc"}, "d[4:7]"),
        ({"metadata": '{"source": "d", "start_index": 4}', "text": "abc"}, "d[4:7]"),
        ({"source": "d", "start": 0, "end": 1}, "d[0:1]"),
        ({"source": "d", "start": 4}, "d"),
        ({"source": "d", "text": "two"}, "d"),
        ({"node": {"ref_doc_id": "d", "start_char_idx": 1, "end_char_idx": 9}, "score": 0.5}, "d[1:9]"),
    ],
)
def test_objects_with_a_place_get_the_id_of_a_span(hit: dict[str, Any], item: str) -> None:
    """The document, the start and the end, which may be within other objects; the text can give the end."""
    assert items_of(hit) == [item]


@pytest.mark.parametrize("hit", [{"start": 3, "end": 7}, {"source": "", "start": 3, "end": 7}])
def test_objects_without_a_document_have_no_span(hit: dict[str, Any]) -> None:
    """Nor anything else to be known by."""
    with pytest.raises(rg.InputError, match="no id or text in the fields"):
        items_of(hit)


@pytest.mark.filterwarnings("ignore::rankgauge.DataWarning")
def test_texts_are_found_in_their_documents() -> None:
    """The first place counts where there are several, which is reported."""
    hits = [{"source": "d.txt", "text": "two"}, {"source": "d.txt", "text": "one"}, {"source": "e", "text": ""}]
    assert items_of(*hits, documents=DOCUMENTS) == ["d.txt[4:7]", "d.txt[0:3]", "e"]
    scores = rg.evaluate(
        {"q": {"d.txt[0:3]": 1}},
        [{"query": "q", "retrieved_ids": hits[:2]}],
        "RR",
        spans=True,
        documents=DOCUMENTS,
        convention=rg.Convention(match="overlaps"),
    )
    (finding,) = [finding for finding in scores.findings if finding.code == "RG223"]
    assert "document 'd.txt' contains 'one' more than once; the first place counts" in finding.examples[0]
    with pytest.raises(rg.InputError, match="RG224"):
        items_of({"source": "e", "text": "five"}, documents=DOCUMENTS)


def test_the_document_of_an_object_around_is_that_of_the_objects_within() -> None:
    """Unless they name their own."""
    inner = {"start": 1, "end": 2}
    assert items_of(inner, {"doc_id": "e", **inner}, doc_id="d") == ["d[1:2]", "e[1:2]"]


@pytest.mark.parametrize(
    ("hit", "message"),
    [
        ({"source": "d", "start": 7, "end": 7}, "RG217"),
        ({"source": "d", "start": 8, "end": 7}, "RG217"),
        ({"source": "d", "start": -1, "end": 7}, "is not an offset"),
        ({"source": "d", "start": 1.5, "end": 7}, "is not an offset"),
    ],
)
def test_places_that_cannot_be_are_refused(hit: dict[str, Any], message: str) -> None:
    """Spans without characters, and offsets that are no whole numbers of at least 0."""
    with pytest.raises(rg.InputError, match=message):
        items_of(hit)


COMPRESS: dict[str, Any] = {"": bytes, "gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress}


@pytest.mark.parametrize("name", COMPRESS)
def test_files_are_decompressed_in_pieces_of_any_size(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Several members with zeros between them, and the number of bytes that were read."""
    draw = random.Random(1)
    for _ in range(40):
        monkeypatch.setattr("rankgauge.inputs.io.compression.CHUNK", draw.randrange(1, 40))
        listed = [(f"q{number}", f"d{draw.randrange(10**6)}", float(-number)) for number in range(draw.randrange(1, 9))]
        content = "".join(f"{query} Q0 {item} 1 {score} t\n" for query, item, score in listed).encode()
        cuts = sorted(draw.randrange(len(content)) for _ in range(draw.randrange(3)))
        parts = [content[start:end] for start, end in zip([0, *cuts], [*cuts, len(content)], strict=True)]
        padding = b"\0" * draw.randrange(3) if name else b""
        compressed, read = padding.join(COMPRESS[name](part) for part in parts), list[int]()
        size = draw.randrange(1, 200)
        file = named(compressed, "file")
        assert rows(file, "ranking", format="trec", block_bytes=size, on_read=read.append) == listed
        assert read[-1] == len(compressed)


@pytest.mark.parametrize("name", ["gzip", "bzip2", "xz"])
def test_truncated_files_are_damaged(name: str) -> None:
    """With the numbers of bytes."""
    compressed = COMPRESS[name](b"1 Q0 a 1 3.5 t\n" * 99)
    for cut in (len(compressed) // 2, len(compressed) - 1):
        with pytest.raises(
            rg.InputError, match=rf"file: the {name} archive is damaged.*\({cut} bytes read, [\d,]+ bytes"
        ):
            rows(named(compressed[:cut], "file"), "ranking", format="trec")


def test_expansions_are_limited_beyond_a_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred times the size of the file, unless it is small; the limits themselves are fine."""
    monkeypatch.delenv("RANKGAUGE_MAX_EXPANSION", raising=False)
    monkeypatch.setattr("rankgauge.inputs.io.compression.SMALL", 1000)
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


@pytest.mark.parametrize(
    ("path", "system"),
    [("a.csv.GZ", "a"), ("a.gz", "a"), (".gz", ".gz"), ("gz", "gz"), ("a.csv", "a"), ("a.zst", "a"), ("", "<file>")],
)
def test_systems_are_named_like_their_files_without_endings(path: str, system: str) -> None:
    """Of formats and of compressions; an open file stays open."""
    file = named("1 Q0 a 1 3.5 t\n", path)
    assert [*rg.read(file, role="ranking").rankings] == [system]
    assert not file.closed


def test_files_are_closed_at_their_end_and_when_nothing_more_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that were opened here."""
    path, opened, real = tmp_path / "run.gz", list[Any](), open

    def kept(*arguments: Any, **keywords: Any) -> Any:
        opened.append(real(*arguments, **keywords))
        return opened[-1]

    path.write_bytes(gzip.compress(b"1 Q0 a 1 3.5 t\n"))
    monkeypatch.setattr("builtins.open", kept)
    data = rg.read(str(path), role="ranking")
    assert opened
    assert all(file.closed for file in opened)
    rg.evaluate({"1": {"a": 1}}, data, "RR")
    with pytest.raises(rg.InputError):
        rg.evaluate({"1": {"a": 1}}, path, "RR", format="parquet")
    assert all(file.closed for file in opened)
