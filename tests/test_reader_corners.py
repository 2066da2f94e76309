"""Corners of readers: separators that are mixed, documents over several lines, texts by id, and names of responses."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import rankgauge as rg
from rankgauge.inputs.formats.file_groups import TextFiles
from rankgauge.inputs.texts import query_key, read_texts
from reading import blocks, named
from reading import rows as rows_of


def rows(text: str, role: Any, name: str = "file.txt", **options: Any) -> Any:
    """The rows that are read of a text."""
    return rows_of(named(text, name), role, **options)


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
    ("text", "name", "format_"),
    [
        ('[\n{"query": "q", "item": "a", "score": 1}]', "x", "json"),
        ('{"q": {\n"a": 1}}', "x", "json"),
        ('{\n"q": {"a": 1}}', "x", "json"),
        ('{"q": [\n"a"]}', "x", "json"),
        ('{"q":\n{"a": 1}}', "x", "json"),
        ('{"q": {"a": 1},\n"r": {}}', "x", "json"),
        ('{"q": {"a": 1}}', "x", "json"),
        ('{"q": {"a": 1}}\n', "x", "json"),
        ('{"query": "q", "item": "a", "score": 1}', "x", "jsonl"),
        ('{"query": "q", "item": "a", "score": 1}\n{"query": "r", "item": "a", "score": 1}', "x", "jsonl"),
        ("q,a,1", "x.json", "csv"),
    ],
)
def test_one_document_is_told_from_a_document_per_line(text: str, name: str, format_: str) -> None:
    """By how the first line ends, and by what follows it."""
    assert rg.read(named(text, name), role="ranking").format == format_


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ('{"q": {"a": 1}}', "x.jsonl", "columns 'q'|found 'q'"),
        ('{"q": {"a": 1}}\n{"r": {"a": 1}}', "x", "columns 'q'|found 'q'"),
        ('{"q" x', "x", "x:1: not JSON: Expecting ':'"),
        ('{"q" x', "x.json", "x.json:1: expected ':', found 'x'"),
    ],
)
def test_what_is_no_document_is_refused_as_lines_unless_the_name_says_otherwise(
    text: str, name: str, message: str
) -> None:
    """The message tells which of the two it was taken for."""
    with pytest.raises(rg.InputError, match=message):
        rows(text, "ranking", name)


def test_long_objects_are_read_member_by_member(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the same rows."""
    ranking = {f"q{query}": {f"d{item}": 10.5 - item for item in range(5)} for query in range(30)}
    lists = {query: [*items] for query, items in ranking.items()}
    for document in (ranking, lists):
        whole = rows(json.dumps(document), "ranking", "run.json")
        assert len(whole) == 150
        with monkeypatch.context() as patch:
            patch.setattr("rankgauge.inputs.formats.json.GATHERED", 100)
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
        ("", "the file has no data"),
        (" \n", "the file has no data"),
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


def slices_by(attribute: str, source: Any, queries: int = 4) -> dict[str, float]:
    """The mean difference of the queries with each value of an attribute; that of query n is 1 / n."""
    judgments = {str(number): {"a": 1} for number in range(1, queries + 1)}
    last = {query: [*(f"x{place}" for place in range(1, int(query))), "a"] for query in judgments}
    scores = rg.evaluate(judgments, {"none": {query: ["x"] for query in judgments}, "last": last}, "RR")
    parts = rg.slices(scores, "RR", attribute, attributes=source)
    return {part.label: part.differences["last"].mean for part in parts}


def test_attributes_of_queries_come_from_dicts_frames_files_and_series(tmp_path: Path) -> None:
    """Empty texts and NaN are missing values; repeated rows must agree."""
    pandas = pytest.importorskip("pandas")
    path = tmp_path / "queries.csv"
    path.write_text("qid,lang\n1,en\n2,zh\n3,\n1,en\n")
    frame = pl.DataFrame({"qid": [1, 2, 3], "lang": ["en", "zh", None]})
    dicts = {1: {"lang": "en", "x": 0}, 2: {"lang": "zh"}, 3: {}}
    series = pandas.Series(["en", "zh", ""], index=[1, 2, 3])
    for source in (path, frame, frame.to_pandas(), dicts, series, series.rename("lang")):
        assert slices_by("lang", source) == pytest.approx({"en": 1, "zh": 1 / 2, "(none)": (1 / 3 + 1 / 4) / 2})
    numbers = pandas.DataFrame({"query": ["1", "2"], "n": [1.5, float("nan")]})
    assert slices_by("n", numbers, 2) == {"1.5": 1, "(none)": 1 / 2}
    for source, message in (
        (pl.DataFrame({"qid": [1, 1], "lang": ["en", "zh"]}), "query 1 has two values for lang, 'en' and 'zh'"),
        (pandas.Series(["en", "zh"], index=[1, 1]), "query 1 is in the index twice"),
        (pl.DataFrame({"x": [1], "lang": ["en"]}), "query"),
    ):
        with pytest.raises(rg.InputError, match=message):
            slices_by("lang", source)
    for source in (dicts, frame, series.rename("tongue"), path):
        with pytest.raises(rg.UnknownNameError, match="attribute"):
            slices_by("language", source)


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


def test_a_first_line_longer_than_the_sample_is_read_to_its_end():
    items = [f"item{number}" for number in range(12_000)]
    lines = [json.dumps({"query": query, "retrieved_ids": items}) for query in ("q", "r")]
    assert len(lines[0]) > 1 << 17  # formats are recognised from half as much
    data = rg.read(named("\n".join(lines), "run.jsonl"))
    assert "lists, recognised by query, retrieved_ids" in repr(data)
    assert rg.evaluate({"q": {"item9": 1}, "r": {"item0": 1}}, data, "RR").per_query("RR") == {"q": 0.1, "r": 1.0}


@pytest.mark.parametrize(("grade", "written"), [(2.0**53 - 1, "9007199254740991"), (2.0**53, "9007199254740992.0")])
def test_grades_are_written_as_whole_numbers_below_the_limit_of_doubles(grade, written, tmp_path):
    for number in (grade, -grade):
        rg.convert({"q": {"a": number, "b": 1}}, tmp_path / "qrels.csv", role="judgments", force=True)
        assert (tmp_path / "qrels.csv").read_text().splitlines()[1] == f"q,a,{'-' * (number < 0)}{written}"


@pytest.mark.parametrize(
    ("side", "column", "numbers"), [("judgments", "grade", "grade"), ("ranking", "score", "score or rank")]
)
def test_a_frame_that_cannot_be_computed_is_refused_with_what_is_expected(side, column, numbers):
    frame = pl.LazyFrame({"query": ["q"], "item": ["a"], column: ["x"]}).with_columns(pl.col(column).cast(pl.Float64))
    sides = (frame, {"q": ["a"]}) if side == "judgments" else ({"q": {"a": 1}}, frame)
    with pytest.raises(rg.InputError, match=f"{side}: the frame: cannot be read: .*, {numbers} must contain numbers"):
        rg.evaluate(*sides, "RR")


def test_the_first_repeated_query_of_a_series_is_named():
    pandas = pytest.importorskip("pandas")
    with pytest.raises(rg.InputError, match="query 2 is in the index twice"):
        slices_by("lang", pandas.Series(["a"] * 5, index=[1, 2, 3, 2, 3]))


def table_bytes(ending, rows, number):
    """A file with these rows of one query."""
    frame = pl.DataFrame(
        {
            "query": ["q"] * rows,
            "item": [f"d{row}" for row in range(rows)],
            number: [float(row) for row in range(rows)],
        },
        schema={"query": pl.String, "item": pl.String, number: pl.Float64},
    )
    file = io.BytesIO()
    {"csv": frame.write_csv, "parquet": frame.write_parquet, "arrow": frame.write_ipc}[ending](file)
    return file.getvalue()


@pytest.mark.parametrize("side", ["judgments", "ranking"])
@pytest.mark.parametrize("ending", ["csv", "parquet", "arrow"])
@pytest.mark.parametrize("rows", [(0,), (0, 0), (0, 3), (3, 0), (2, 3), (1, 0, 2)])
def test_tables_without_rows_are_refused_unless_another_file_of_the_folder_has_some(side, ending, rows, tmp_path):
    number, names = "grade" if side == "judgments" else "score", [f"{place}.{ending}" for place in range(len(rows))]
    for name, count in zip(names, rows, strict=True):
        (tmp_path / name).write_bytes(table_bytes(ending, count, number))
    source, progress = (tmp_path if len(rows) > 1 else tmp_path / names[0]), list[int]()

    def heights(**options):
        return [block.height for block in blocks(source, side, **options)]

    assert heights(may_be_empty=True, on_read=progress.append) == [*filter(None, rows)]
    sizes = [(tmp_path / name).stat().st_size for name in names]
    ends = [sum(sizes[: place + 1]) for place, count in enumerate(rows) if count]
    assert progress == sorted(progress)
    assert {*ends} <= {*progress}
    assert max(progress, default=0) <= sum(sizes)
    if any(rows):
        assert heights() == [*filter(None, rows)]
    else:
        with pytest.raises(rg.InputError, match=r"the (file has|files have) no data"):
            heights()
