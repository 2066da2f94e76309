"""Corners of readers: separators that are mixed, documents over several lines, texts by id, and names of responses."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import rankgauge as rg
from rankgauge.inputs.attributes import attribute_values
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.formats import json as json_format
from rankgauge.inputs.formats.codec import Sample
from rankgauge.inputs.formats.file_groups import TextFiles
from rankgauge.inputs.formats.json import is_document
from rankgauge.inputs.formats.reader import read_file
from rankgauge.inputs.texts import query_key, read_texts


def rows(text: str, role: Any, name: str = "file.txt", **options: Any) -> Any:
    """The rows that are read of a text."""
    file = io.BytesIO(text.encode())
    file.name = name  # type: ignore[attr-defined]
    frame: Any = read_file(file, role, rg.ReadOptions(**options), findings=Findings())
    return frame.rows()


@pytest.mark.parametrize("text", ["1\t0\ta\x0bb\t1\n", "1 0\t0\ta\t1\n", "1\t0\ta b\t1\n", "1\t0\ta\x0cb\t1\n"])
def test_all_blanks_separate_the_columns_of_trec_files(text: str) -> None:
    """Tabs between columns do not keep other blanks within them together."""
    with pytest.raises(rg.InputError, match="expected 4 columns, found 5"):
        rows(text, "judgments", format="trec")


@pytest.mark.parametrize("blank", [" ", "\x0b", "\t", " \x0c"])
def test_the_score_of_a_ranking_is_in_the_fifth_column_whatever_separates_it(blank: str) -> None:
    """An item with a blank shifts the columns: its rank is read as the score, and the rest is the tag."""
    assert rows(f"1\tQ0\ta{blank}x\t1\t3.5\tt\n", "ranking", format="trec") == [("1", "a", 1.0)]


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("[\n", "x", True),
        ('{"q": {\n"a": 1}}', "x", True),
        ('{\n"q": {"a": 1}}', "x", True),
        ('{"q": [\n"a"]}', "x", True),
        ('{"q":\n{"a": 1}}', "x", True),
        ('{"q": {"a": 1},\n"r": {}}', "x", True),
        ('{"q": {"a": 1}}', "x", True),
        ('{"q": {"a": 1}}\n', "x", True),
        ('{"q": {"a": 1}}', "x.jsonl", False),
        ('{"q": {"a": 1}}\n{"r": {"a": 1}}', "x", False),
        ('{"query": "q", "item": "a"}', "x", False),
        ('{"query": "q"}\n{"query": "r"}', "x", False),
        ('{"q" x', "x", False),
        ('{"q" x', "x.json", True),
        ("q,a", "x.json", False),
        ("", "x", False),
    ],
)
def test_one_document_is_told_from_a_document_per_line(text: str, name: str, *, expected: bool) -> None:
    """By how the first line ends, and by what follows it."""
    assert is_document(Sample(text.encode(), name)) is expected


def test_long_objects_are_read_member_by_member(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the same rows."""
    ranking = {f"q{query}": {f"d{item}": 10.5 - item for item in range(5)} for query in range(30)}
    lists = {query: [*items] for query, items in ranking.items()}
    for document in (ranking, lists):
        whole = rows(json.dumps(document), "ranking", "run.json")
        assert len(whole) == 150
        with monkeypatch.context() as patch:
            patch.setattr(json_format, "GATHERED", 100)
            assert rows(json.dumps(document), "ranking", "run.json") == whole
            assert rows(json.dumps(document, indent=1), "ranking", "run.json") == whole


@pytest.mark.parametrize("names", [[["x"]], "x", [None], {"x": 1}, ["x", "y"], []])
def test_names_of_responses_are_a_list_as_long_as_that_of_the_responses(names: Any) -> None:
    """Anything else is refused."""
    response = {"took": 1, "hits": {"hits": [{"_id": "a", "_score": 1.0}]}}
    assert rows(json.dumps({"queries": ["x"], "responses": [response]}), "ranking", "run.json") == [("x", "a", 1.0)]
    assert rows(json.dumps({"responses": [response]}), "ranking", "run.json") == [("1", "a", 1.0)]
    with pytest.raises(rg.InputError, match="queries: it"):
        rows(json.dumps({"queries": names, "responses": [response]}), "ranking", "run.json")


def test_texts_are_read_by_id_from_every_form_of_file(tmp_path: Path) -> None:
    """With and without a header; rows that are too short have no text, long texts are cut."""
    wanted = {"a", "7"}
    files = {
        "a.tsv": "a\tone, two\nb\tx\n7\tseven\n8\n",
        "b.csv": 'text,id\n"one, two",a\nx,b\nseven,7\nshort\n',
        "c.tsv": "Id\tTitle\tText\na\tt\tone, two\n7\tt\tseven\n7\n",
        "d.jsonl": '{"_id": "a", "text": "one, two"}\n\n{"_id": 7, "text": "seven"}\n',
    }
    for name, content in files.items():
        (tmp_path / name).write_text(content, encoding="utf-8-sig")
        assert read_texts(tmp_path / name, wanted) == {"a": "one, two", "7": "seven"}, name
        assert read_texts(tmp_path / name, {"a"}, 3) == {"a": "one…"}
        assert read_texts(tmp_path / name, {"a"}, 8) == {"a": "one, two"}
    table = pl.DataFrame({"docid": ["a", "b", "7", "c"], "text": ["one, two", "x", "seven", None]})
    table.write_parquet(tmp_path / "e.parquet")
    assert read_texts(str(tmp_path / "e.parquet"), {*wanted, "c"}) == {"a": "one, two", "7": "seven"}
    both = TextFiles((str(tmp_path / "a.tsv"),), (str(tmp_path / "b.csv"),))
    assert read_texts(both, {"a"}) == {"a": "one, two", query_key("a"): "one, two"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is empty"),
        (" \n", "is empty"),
        ('{"_id": "a", "text": "x"}\n{"_id"\n', "texts:2: "),
        ('{"_id": "a", "text": "x"}\n[1]\n', "texts:2: "),
        ("name,price,text\n1,2,3\n", "expected a column named one of"),
        ('{"name": "a"}\n', "expected a column named one of"),
    ],
)
def test_files_without_texts_are_refused(tmp_path: Path, content: str, message: str) -> None:
    """With the line, or the columns that there are."""
    path = tmp_path / "texts"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(rg.InputError, match=message):
        read_texts(path, {"a"})


def test_ids_of_documents_keep_their_zeros(tmp_path: Path) -> None:
    """A table of documents has ids, not numbers."""
    path = tmp_path / "documents.csv"
    path.write_text("id,text\n007,one two\n08,three\n", encoding="utf-8")
    documents = rg.ReadOptions(documents=str(path)).documents
    assert [str(place) for place in documents.find("two", "007")] == ["007[4:7]"]
    assert [str(place) for place in documents.find("three", "08")] == ["08[0:5]"]


def test_missing_scores_of_pandas_are_nan() -> None:
    """NaN has no rank, and is not a missing number."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"query": ["q", "q"], "item": ["a", "b"], "score": [1.0, float("nan")]})
    with pytest.raises(rg.InputError, match="RG202"):
        rg.evaluate({"q": {"a": 1}}, frame, "RR")


def test_attributes_of_queries_come_from_dicts_frames_files_and_series(tmp_path: Path) -> None:
    """Empty texts and NaN are missing values; repeated rows must agree."""
    pandas = pytest.importorskip("pandas")
    path = tmp_path / "queries.csv"
    path.write_text("qid,lang\n1,en\n2,zh\n3,\n1,en\n")
    frame = pl.DataFrame({"qid": [1, 2, 3], "lang": ["en", "zh", None]})
    dicts = {1: {"lang": "en", "x": 0}, 2: {"lang": "zh"}, 3: {}}
    series = pandas.Series(["en", "zh", ""], index=[1, 2, 3])
    for source in (path, frame, frame.to_pandas(), dicts, series, series.rename("lang")):
        assert attribute_values(source, "lang", [2, "1", 3, 4]) == ["zh", "en", None, None]
    numbers = pandas.DataFrame({"query": ["a", "b"], "n": [1.5, float("nan")]})
    assert attribute_values(numbers, "n", ["a", "b"]) == [1.5, None]
    for source, message in (
        (pl.DataFrame({"qid": [1, 1], "lang": ["en", "zh"]}), "query 1 has two values for lang, 'en' and 'zh'"),
        (pandas.Series(["en", "zh"], index=[1, 1]), "query 1 is in the index twice"),
        (pl.DataFrame({"x": [1], "lang": ["en"]}), "query"),
    ):
        with pytest.raises(rg.InputError, match=message):
            attribute_values(source, "lang", [1])
    for source in (dicts, frame, series.rename("tongue"), path):
        with pytest.raises(rg.UnknownNameError, match="attribute"):
            attribute_values(source, "language", [1])


def test_a_column_of_both_sides_does_not_tell_the_side(tmp_path):
    for number, side in (("grade", "judgments"), ("score", "ranking")):
        path = tmp_path / f"{number}.csv"
        path.write_text(f"who,item,{number}\nu,a,1\n")
        data = rg.read(path, columns={"query": "who"})
        assert (data.judgments is not None, len(data.rankings)) == (side == "judgments", side == "ranking")


@pytest.mark.parametrize("order", ["ab", "ba"])
def test_equal_scores_of_a_rank_eval_response_keep_its_order(order):
    hits = [{"hit": {"_id": item, "_score": 1.0}, "rating": int(item == "a")} for item in order]
    assert rg.evaluate(rg.read({"metric_score": 1.0, "details": {"q": {"hits": hits}}}), metrics="RR").mean() == 1 / (
        1 + order.index("a")
    )


def test_documents_have_texts_by_id():
    spans = {"q": {"d[0:3]": 1}}
    with pytest.raises(rg.ParameterError, match="documents"):
        rg.evaluate(spans, {"q": ["d[0:3]"]}, "RR", documents=5)
    frame = pl.DataFrame({"doc_id": ["d"], "text": ["one two"]})
    assert rg.evaluate({"q": {"d[0:3]": 1}}, {"q": ["d[0:3]"]}, "RR", documents=frame).mean() == 1
