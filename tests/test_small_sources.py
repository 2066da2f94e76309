"""Small sources that few other tests read, worked out by hand: tools with letters, paired files, rows in memory, folders."""

import io
import json
from pathlib import PurePath

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from rankgauge.inputs.columns import check_columns
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.formats.file_groups import input_file, is_collection
from rankgauge.inputs.formats.registry import names_of_files
from rankgauge.inputs.formats.table_files import parse_arrays, parse_table
from rankgauge.inputs.frames import read_interactions
from rankgauge.inputs.io.frame_file import FrameFile
from rankgauge.inputs.read_options import READ_AS_IS, ReadOptions
from rankgauge.inputs.records import are_rows
from rankgauge.inputs.source import Source
from rankgauge.inputs.spans import are_spans
from reading import counts, named, rows, rows_and_findings


def is_accepted(check, *arguments, **keywords):
    try:
        check(*arguments, **keywords)
    except rg.RankgaugeError:
        return False
    return True


LETTERS = [
    {"query_id": 1, "product_id": "a", "esci_label": "E", "prediction": 0.5},
    {"query_id": 1, "product_id": "b", "esci_label": "S", "prediction": 2},
    {"query_id": 2, "product_id": "a", "esci_label": "C", "prediction": 1.5},
    {"query_id": 2, "product_id": "c", "esci_label": "I", "prediction": -1},
]
GAINS = [(1, "a", 1.0), (1, "b", 0.1), (2, "a", 0.01), (2, "c", 0.0)]
SCORES = [(1, "a", 0.5), (1, "b", 2.0), (2, "a", 1.5), (2, "c", -1.0)]


def frame_rows(records, side):
    source = Source.of(pl.DataFrame(records, strict=False), side, READ_AS_IS)
    return source.rows(Findings()).select("query", "item", "grade" if side == "judgments" else "score").rows()


@pytest.mark.parametrize("side", ["judgments", "ranking"])
def test_letters_of_products_are_gains_in_frames_and_files(side, tmp_path):
    expected = GAINS if side == "judgments" else SCORES
    assert frame_rows(LETTERS, side) == expected
    as_text = [(str(query), item, number) for query, item, number in expected]
    pl.DataFrame(LETTERS, strict=False).write_parquet(tmp_path / "x.parquet")
    assert rows(tmp_path / "x.parquet", side) == as_text
    assert rows(named("".join(json.dumps(row) + "\n" for row in LETTERS), "x.jsonl"), side) == as_text
    gains = [row | {"esci_label": gain} for row, (*_, gain) in zip(LETTERS, GAINS, strict=True)]
    assert frame_rows(gains, side) == expected


@pytest.mark.parametrize(
    "change", [{"esci_label": "X"}, {"product_id": ""}, {"product_id": "a\0"}, {"product_id": None}]
)
def test_a_row_of_products_that_is_unusual_is_refused(change):
    with pytest.raises(rg.InputError):
        frame_rows([*LETTERS[:3], LETTERS[3] | change], "judgments")


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_a_split_of_rows_with_letters_is_read_alone(ending, tmp_path):
    path, parts = tmp_path / f"x.{ending}", ("train", "train", "test", "test")
    frame = pl.DataFrame([row | {"split": part} for row, part in zip(LETTERS, parts, strict=True)], strict=False)
    frame.write_ndjson(path) if ending == "jsonl" else frame.write_parquet(path)
    as_text = [(str(query), item, number) for query, item, number in GAINS]
    for split, expected in ((None, as_text), ("train", as_text[:2]), ("test", as_text[2:])):
        assert rows(path, "judgments", split=split) == expected
    with pytest.raises(rg.InputError, match="dev"):
        rows(path, "judgments", split="dev")


LETOR = "2 qid:1 1:0.5\n0 qid:1 1:0.2\n1 qid:2 1:0.3\n"


def paired(tmp_path, text):
    (tmp_path / "test.txt").write_text(LETOR)
    (tmp_path / "run.txt").write_text(text)
    return rg.evaluate(str(tmp_path / "test.txt"), str(tmp_path / "run.txt"), "RR").per_query("RR")


def test_scores_of_ranklib_are_paired_with_the_rows_of_the_judgments(tmp_path):
    assert paired(tmp_path, "1\t0\t0.5\n1\t1\t0.75\n2\t0\t-1.0\n") == {"1": 0.5, "2": 1.0}
    for text, message in (
        ("1\t0\t0.5\n1\t1\t0.75\n2\t1\t-1.0\n", "run.txt:3: row 1 of query '2', where .* has row 0 of query '2'"),
        ("1\t0\t0.5\n2\t0\t0.75\n2\t1\t-1.0\n", "run.txt:2: row 0 of query '2', where .* has row 1 of query '1'"),
        ("1\t0\t0.5\n1\t1\t0.75\n2\t0\n", "run.txt:3: expected query, number of the row in it and score"),
    ):
        with pytest.raises(rg.InputError, match=message):
            paired(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "role", "is_ranklib"),
    [
        ("1\t0\t0.5\n1\t1\t0.75\n", None, True),
        ("1\t0\t0.5\n2\t0\t0.75\n", None, True),
        ("1\t0\t0.5\n", "ranking", True),
        ("1\t0\t0.5\n", "judgments", False),
        ("1\t0\t0.5\n1\t0\t0.75\n", None, False),
        ("1\t0\t0.5\n1\t2\t0.75\n", None, False),
        ("1\t0\t0.5\n2\t1\t0.75\n", None, False),
        ("1\t0\t0.5\nx\n", None, False),
        ("1\t1\t0.5\n1\t2\t0.75\n", None, False),
        ("1\t0\t5\n1\t1\t7\n", None, False),
        ("1\t0\tx\n1\t1\t7.5\n", None, False),
        ("1\t0\t0.5\t\n1\t1\t7.5\t\n", None, False),
    ],
)
def test_rows_of_ranklib_are_numbered_from_0(text, role, is_ranklib):
    data = rg.read(named(text, "x.txt"), role=role or "ranking") if role != "judgments" else None
    assert (data is not None and data.format == "ranklib") is is_ranklib


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ([("q", "a", 1)], True),
        ([("q", "a", 1), ("q", "b")], False),
        ([("q", "a")], False),
        ([["q", "a", 1]], True),
        ([["q", "a", 1.5], ("q", "b", 2)], True),
        ([["q", "a", "b"]], False),
        ([("q", "a", "b")], True),
        ([[1, 2, 3.5]], True),
        ([[1, 2, 3]], False),
        ([[1, 2.5, 3.5]], False),
        ([], False),
        ([1], False),
    ],
)
def test_rows_are_tuples_of_three_or_lists_that_cannot_be_items(source, answer):
    assert are_rows(source) is answer


@pytest.mark.filterwarnings("ignore::rankgauge.DataWarning")
def test_an_item_that_is_judged_again_keeps_its_first_grade():
    again = [("q", "a", 1), ("q", "b", 0), ("q", "a", 1)]
    for source, code, count, value in ((again, "RG303", 1, 0.5), ({"q": ["a", "a", "c", "a"]}, "RG303", 2, 0.5)):
        scores = rg.evaluate(source, {"q": ["b", "a"]}, "RR", lenient=True)
        assert counts(scores.findings).get(code) == count
        assert scores.mean() == value
    (finding,) = (found for found in scores.findings if found.code == "RG303")
    assert "item 'a' is judged more than once" in finding.examples[0]
    with pytest.raises(rg.InputError, match="RG302"):
        rg.evaluate([*again[:2], ("q", "a", 0)], {"q": ["b", "a"]}, "RR")


SPANS = {"query": ["q", "q"], "document": ["d", "d"], "start": [0, 3], "end": [3, 5], "grade": [1, 0]}


@pytest.mark.parametrize(
    ("texts", "is_read"), [(["abc", "de"], True), (["abcd", "x"], True), (["zoé", "é"], False), ([None, "de"], True)]
)
def test_spans_whose_text_is_as_long_in_bytes_only_are_refused(texts, is_read):
    frame = pl.DataFrame(SPANS | {"text": pl.Series(texts, dtype=pl.String)})
    if is_read:
        assert [item for _, item, _ in frame_rows(frame, "judgments")] == ["d[0:3]", "d[3:5]"]
    else:
        with pytest.raises(rg.InputError, match="RG219"):
            frame_rows(frame.with_columns(end=pl.Series([4, 5])), "judgments")


@pytest.mark.parametrize("change", [{"query": None}, {"document": ""}, {"start": -1}, {"end": 0}, {"grade": None}])
def test_a_span_that_is_incomplete_is_refused(change):
    last = {name: values[1] for name, values in SPANS.items()} | change
    frame = pl.DataFrame([{name: values[0] for name, values in SPANS.items()}, last])
    with pytest.raises(rg.InputError):
        frame_rows(frame, "judgments")


def test_ids_are_spans_if_all_are():
    assert are_spans(["d[0:3]", "e[1:2]"])
    assert not are_spans(["d[0:3]", "e"])
    assert not are_spans([])


def split_files(tmp_path, names):
    for name in names:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("q 0 a 1\n")


@pytest.mark.parametrize(
    ("names", "split", "chosen"),
    [
        (["qrels/test.tsv"], None, "qrels/test.tsv"),
        (["qrels/test.tsv"], "test", "qrels/test.tsv"),
        (["qrels/test.tsv"], "dev", None),
        (["qrels/test.tsv", "qrels/dev.tsv"], None, None),
        (["qrels/test.tsv", "qrels/dev.tsv"], "dev", "qrels/dev.tsv"),
        (["en-qrels/test.tsv", "de-qrels/test.tsv"], "test", None),
        (["en-qrels/test.tsv", "de-qrels/test.tsv"], "de-qrels/test", "de-qrels/test.tsv"),
        (["en-qrels/test.tsv", "de-qrels/dev.tsv"], "dev", "de-qrels/dev.tsv"),
        (["a.tsv"], "dev", "a.tsv"),
        (["a.tsv", "test.tsv"], "a", "a.tsv"),
    ],
)
def test_the_files_of_a_split_are_chosen_by_their_names(names, split, chosen, tmp_path):
    split_files(tmp_path, names)
    if chosen is None:
        assert not is_accepted(input_file, tmp_path, "judgments", split)
    else:
        file, _ = input_file(tmp_path, "judgments", split)
        assert [one.path for one in file.files or (file,)] == [str(tmp_path / chosen)]


def test_a_pattern_names_files_in_order(tmp_path):
    split_files(tmp_path, ["b.tsv", "a.tsv", "deep/c.tsv"])
    (tmp_path / "d.tsv").mkdir()
    assert [one.path for one in input_file(str(tmp_path / "*.tsv"))[0].files] == [
        str(tmp_path / "a.tsv"),
        str(tmp_path / "b.tsv"),
    ]
    assert len(input_file(str(tmp_path / "**/*.tsv"))[0].files) == 3
    assert not is_accepted(input_file, str(tmp_path / "x*.tsv"))


def test_files_of_numpy_hold_arrays_by_name():
    file, several = io.BytesIO(), io.BytesIO()
    np.save(file, np.arange(3))
    np.savez(several, a=np.arange(2), b=np.ones(1))
    assert [*parse_arrays(file.getvalue(), "x", "x")[""]] == [0, 1, 2]
    assert {name: [*array] for name, array in parse_arrays(several.getvalue(), "x", "x").items()} == {
        "a": [0, 1],
        "b": [1],
    }
    assert parse_arrays(b"a,b\n", "x", "x") is None


def test_cells_of_tables_are_numbers_or_text_as_asked():
    assert parse_table(b"a,b\n07,1\n", "x", "x").rows() == [(7, 1)]
    assert parse_table(b"a,b\n07,1\n", "x", "x", as_text=True).rows() == [("07", "1")]
    with pytest.raises(rg.InputError, match="x: x:3: expected 2 columns, found 1: '3'"):
        parse_table(b"a,b\n1,2\n3\n", "x", "x")


def test_interactions_give_rows_by_number_or_mask_and_times():
    frame = pl.DataFrame({"user": ["u", "v", "u"], "item": [1, 2, 3], "ts": [3, 1, 2], "x": [0, 0, 0]})
    held = read_interactions(frame)
    assert held.rows(pl.Series([2, 0]))["item"].to_list() == [3, 1]
    assert held.rows(pl.Series([True, False, True]))["item"].to_list() == [1, 3]
    assert held.timed("x").to_list() == [3, 1, 2]
    assert held.rest == ("x",)
    with pytest.raises(rg.InputError, match="x needs a time column"):
        read_interactions(frame.drop("ts")).timed("x")
    pandas = pytest.importorskip("pandas")
    of_pandas = read_interactions(pandas.DataFrame({"user": [1, 2], "item": [1, 2]}))
    assert of_pandas.rows(pl.Series([1]))["item"].to_list() == [2]


def test_frames_are_kept_one_after_another():
    first, second = pl.DataFrame({"a": [1, 2]}), pl.DataFrame({"a": [3]})
    with FrameFile() as file:
        assert file.is_closed
        with pytest.raises(ValueError, match="nothing was written"):
            file.read((0, 1))
        places = [file.write(frame) for frame in (first, second)]
        assert not file.is_closed
        assert file.size == sum(length for _, length in places)
        assert file.read(places[1]).equals(second)
        assert file.read(places[0]).equals(first)
    assert file.is_closed


@pytest.mark.parametrize(
    ("columns", "answer"),
    [
        (None, True),
        ({}, True),
        ({"query": "x"}, True),
        ({"grade": None}, True),
        ({"query": None}, False),
        ({"x": "y"}, False),
        ({"judgments": {"query": "x"}}, True),
        ({"judgments": {"grade": None}}, True),
        ({"judgments": {"query": None}}, False),
        ({"judgments": {"x": "y"}}, False),
        ({"judgments": "x"}, False),
        ({"query": {"x": "y"}}, False),
        (["query"], False),
    ],
)
def test_names_of_columns_are_checked(columns, answer):
    assert is_accepted(check_columns, columns, ("query", "item", "grade", "score")) is answer


@pytest.mark.parametrize(
    ("options", "sizes"),
    [
        ({"groups": [2, 1]}, [2, 1]),
        ({"groups": [2, 0, 1]}, [2, 0, 1]),
        ({"groups": [2, 2]}, None),
        ({"groups": [4, -1]}, None),
        ({"offsets": [0, 2, 3]}, [2, 1]),
        ({"offsets": [0, 3, 3]}, [3, 0]),
        ({"offsets": [1, 3]}, None),
        ({"offsets": [0, 2]}, None),
        ({"offsets": [0, 3, 2, 3]}, None),
        ({"offsets": []}, None),
        ({"query_ids": ["a", "a", "b"]}, [2, 1]),
        ({"query_ids": ["a", "b"]}, None),
        ({}, None),
        ({"groups": [3], "offsets": [0, 3]}, None),
    ],
)
def test_flat_labels_have_their_queries_in_one_of_three_ways(options, sizes):
    labels = np.zeros(3)
    if sizes is None:
        assert not is_accepted(lambda: ReadOptions(**options).query_segments(labels))
    else:
        segments, names = ReadOptions(**options).query_segments(labels)
        assert segments.sizes.tolist() == sizes
        assert names == (["a", "b"] if "query_ids" in options else None)


def test_lines_of_runs_without_a_tag_or_with_rising_scores_are_counted():
    valid, findings = rows_and_findings(named("q Q0 a 1 2.5\nq Q0 b 2 1\n", "run.txt"), "ranking", format="trec")
    assert valid == [("q", "a", 2.5), ("q", "b", 1.0)]
    assert counts(findings) == {"RG109": 2}


@pytest.mark.parametrize(
    ("scores", "conflicts"), [([4, 3, 2, 1], 0), ([4, 3, 1, 2], 1), ([3, 4, 2, 1], 1), ([1, 2, 3, 4], 2)]
)
def test_ranks_are_compared_with_scores_in_every_block_in_which_these_rise(scores, conflicts):
    lines = [
        f"q Q0 {item} {rank} {score} t\n" for rank, (item, score) in enumerate(zip("abcd", scores, strict=True), 1)
    ]
    two_lines = 2 * len(lines[0]) + 1
    _, findings = rows_and_findings(named("".join(lines), "run.txt"), "ranking", format="trec", block_bytes=two_lines)
    assert counts(findings).get("RG210", 0) == conflicts


def test_the_columns_of_both_sides_of_records_are_named():
    record = {"who": "q", "good": ["a"], "got": ["b", "a"]}
    columns = {"query": "who", "judgments": {"item": "good"}, "ranking": {"item": "got"}}
    for source in ([record], named(json.dumps(record) + "\n", "x.jsonl")):
        data = rg.read(source, columns=columns)
        assert rg.evaluate(data, metrics="RR").mean() == 0.5
    with pytest.raises(rg.InputError):
        rg.evaluate(rg.read([record], columns=columns | {"ranking": {"item": "none"}}), metrics="RR")


def test_only_a_folder_is_a_test_collection(tmp_path):
    split_files(tmp_path, ["plain/a.tsv", "whole/qrels/test.tsv"])
    assert is_collection(tmp_path / "whole")
    for other in (tmp_path / "plain", tmp_path / "plain/a.tsv", tmp_path / "none", "", 5):
        assert not is_collection(other)


def test_the_repository_in_the_cache_of_hugging_face_names_what_its_files_hold(tmp_path):
    split_files(tmp_path, ["hub/x-qrels/snapshots/1f/test.tsv", "hub/x/snapshots/1f/test.tsv", "x-qrels/a/test.tsv"])
    assert is_collection(tmp_path / "hub/x-qrels/snapshots/1f")
    assert not is_collection(tmp_path / "hub/x/snapshots/1f")
    assert not is_collection(tmp_path / "x-qrels/a")


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["a.csv", "b.csv"], ["a", "b"]),
        (["x/a.csv", "y/a.csv"], ["x/a", "y/a"]),
        (["x/a.csv", "y/a.csv", "y/b.csv"], ["x/a", "y/a", "b"]),
        (["a.csv", "a.tsv"], ["a.csv", "a.tsv"]),
        (["x/z/a.csv", "y/z/a.csv"], ["x/z/a", "y/z/a"]),
        (["z/x/a.csv", "z/y/a.csv"], ["x/a", "y/a"]),
        (["a.csv", "a.csv"], ["a", "a"]),
    ],
)
def test_files_of_one_name_are_told_apart_by_folders_or_endings(paths, names):
    assert names_of_files([*map(PurePath, paths)]) == names


def test_the_query_of_an_example_is_its_question():
    for inputs in ({"question": "q", "context": "c"}, {"context": "c", "question": "q"}, {"topic": "q", "other": "c"}):
        example = {"inputs": inputs, "outputs": {"ids": ["b", "a"]}, "reference": {"ids": ["a"]}}
        assert rg.evaluate(rg.read([example]), metrics="RR").per_query("RR") == {"q": 0.5}


@pytest.mark.parametrize(
    ("line", "message"),
    [(b"q 0 caf\xe9 1\nq 0 b\0 0\n", "not UTF-8 text: 'q 0 café 1'"), (b"q \1\2\0 \xe9 1\n", "not a text file")],
)
def test_a_file_with_control_characters_is_not_text_and_one_with_many_blanks_is(line, message):
    with pytest.raises(rg.InputError, match=message):
        rows(named(line * 20, "q.txt"), "judgments")


@pytest.mark.parametrize("references", ["[{'content': ", "['a']", [], [{"content": "a"}], "text", None])
def test_questions_with_something_else_than_excerpts_are_no_shape_of_their_own(references):
    excerpt = {"content": "a b", "start_index": 0, "end_index": 3}
    assert rg.read([{"question": "q", "references": [excerpt]}]).shape == "chunking_evaluation"
    assert rg.read([{"question": "q", "references": f"[{excerpt}]"}]).shape == "chunking_evaluation"
    with pytest.raises(rg.InputError, match="RG111"):
        rg.read([{"question": "q", "references": references}])


def test_rows_that_refer_to_those_of_the_judgments_are_inspected_with_them(tmp_path):
    """In either order; alone they name the rows of no query."""
    judged, ranked = tmp_path / "test.txt", tmp_path / "run.txt"
    judged.write_text(LETOR)
    ranked.write_text("1\t0\t0.5\n1\t1\t0.75\n2\t0\t-1.0\n")
    for files in ((judged, ranked), (ranked, judged)):
        diagnosis = rg.doctor(*files)
        assert "2 / 2" in str(diagnosis)
        assert not diagnosis.findings.errors
    with pytest.raises(rg.InputError, match="name no splits"):
        rg.doctor(judged, ranked, split="test")
