"""Entry points: every source is read once, every verb takes the same read options, ambiguous input is refused."""

import inspect
import json
import os
import threading
from pathlib import Path
from typing import get_type_hints

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from rankgauge.inputs.read_options import ReadKeywords
from rankgauge.judging.correct import CorrectKeywords

JUDGMENTS = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"c": 1, "d": 3}, "q3": {"a": 1}}
OLD = {"q1": ["b", "a", "x", "c"], "q2": ["d", "y", "c"], "q3": ["z", "a"]}
NEW = {"q1": ["a", "c", "b"], "q2": ["y", "d", "c"], "q3": ["a", "z"]}


def scored(ranking):
    return {query: {item: 1.0 / place for place, item in enumerate(items, 1)} for query, items in ranking.items()}


ELSEWHERE = {"spans", "documents", "tokens"}
"""Read options of places in documents, tested in test_span_tools.py."""


def without_provenance(result):
    """The JSON of a result without the time, the inputs and the read options."""
    return json.dumps({name: value for name, value in result.to_dict().items() if name != "provenance"})


VERBS = {  # each called with judgments and two rankings
    "evaluate": lambda j, old, new, **read: rg.evaluate(
        j, {"old": old, "new": new}, ["nDCG@2", "AP"], **read
    ).to_frame().write_csv(),
    "explain": lambda j, old, new, **read: rg.explain(j, old, "nDCG@2", "q1", **read).to_json(),
    "compare": lambda j, old, new, **read: without_provenance(rg.compare(j, {"old": old, "new": new}, "AP", **read)),
    "report": lambda j, old, new, **read: rg.report(j, {"old": old, "new": new}, ["AP", "P@2"], **read).to_html(),
    "attribute": lambda j, old, new, **read: rg.attribute(j, old, new, "AP", **read).to_json(),
    "unjudged_bounds": lambda j, old, new, **read: rg.unjudged_bounds(
        j, {"old": old, "new": new}, "AP", **read
    ).to_json(),
    "reconcile": lambda j, old, new, **read: str(rg.reconcile(j, old, "nDCG@2", **read)),
    "check": lambda j, old, new, **read: str(rg.check(j, new, "AP drops 0.01", baseline=old, **read).to_dict()["checks"][0]["value"]),
    "diff": lambda j, old, new, **read: rg.diff(old, new, **read).to_json(),
    "slices": lambda j, old, new, **read: rg.slices(
        rg.evaluate(JUDGMENTS, {"old": OLD, "new": NEW}, "AP"), "AP", "judgments", judgments=j, **read
    ).to_json(),
    "curves": lambda j, old, new, **read: without_provenance(rg.curve(j, {"old": old, "new": new}, ["P"], [1, 2], **read)),
}  # fmt: skip


def trec_files(folder):
    qrels = "".join(f"{q} 0 {i} {g}\n" for q, grades in JUDGMENTS.items() for i, g in grades.items())
    runs = [
        "".join(f"{q} Q0 {i} 1 {s!r} t\n" for q, scores in scored(run).items() for i, s in scores.items())
        for run in (OLD, NEW)
    ]
    paths = []
    for name, text in zip(("qrels.txt", "old.txt", "new.txt"), (qrels, *runs), strict=True):
        (folder / name).write_text(text, encoding="utf-8")
        paths.append(str(folder / name))
    return paths


def as_pipe(path, folder):
    """A named pipe that gives the content of a file once."""
    if not hasattr(os, "mkfifo"):
        pytest.skip("there are no named pipes")
    pipe = folder / "pipes" / Path(path).name
    pipe.parent.mkdir(exist_ok=True)
    os.mkfifo(pipe)
    content = Path(path).read_bytes()

    threading.Thread(target=pipe.write_bytes, args=(content,), daemon=True).start()
    return str(pipe)


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_reads_files_once(verb, tmp_path):
    files = trec_files(tmp_path)
    expected = VERBS[verb](*files)

    pipes = [as_pipe(path, tmp_path) for path in files]
    found = VERBS[verb](*pipes)
    for path, pipe in zip(files, pipes, strict=True):
        found = found.replace(pipe, path).replace(Path(pipe).name, Path(path).name)
    assert found == expected


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_reads_iterators_once(verb):
    expected = VERBS[verb](JUDGMENTS, OLD, NEW)
    once = [{query: iter([*items]) for query, items in run.items()} for run in (OLD, NEW)]
    rows = ((query, item, grade) for query, grades in JUDGMENTS.items() for item, grade in grades.items())

    assert VERBS[verb](rows, *once) == expected


def test_a_scattered_pipe_equals_a_scattered_file(tmp_path):
    qrels, *_ = trec_files(tmp_path)
    run = tmp_path / "run.txt"
    run.write_text("q1 Q0 a 1 3 t\nq2 Q0 d 1 2 t\nq1 Q0 c 2 1 t\n", encoding="utf-8")
    expected = rg.evaluate(qrels, str(run), ["AP", "nDCG"])

    found = rg.evaluate(qrels, as_pipe(str(run), tmp_path), ["AP", "nDCG"])
    assert found.per_query("AP") == expected.per_query("AP")
    assert [finding.code for finding in found.findings] == [finding.code for finding in expected.findings]


def test_a_pipe_that_was_read_cannot_be_read_again(tmp_path):
    qrels, old, new = trec_files(tmp_path)
    compared = rg.compare(qrels, {"old": as_pipe(old, tmp_path), "new": new}, "AP")

    with pytest.raises(rg.InputError, match="ranking 'old' is a stream that was read already; pass a file"):
        compared.attribution("old", "new")


def test_doctor_reads_files_once(tmp_path):
    files = trec_files(tmp_path)
    expected = rg.doctor(*files).to_dict()
    pipes = [as_pipe(path, tmp_path) for path in files]

    text = str(rg.doctor(*pipes).to_dict())
    for path, pipe in zip(files, pipes, strict=True):
        text = text.replace(pipe, path)
    assert text == str(expected)


# Read options: every verb takes every one, or says why not.

FRAMES = (
    pl.DataFrame([(q, i, g) for q, grades in JUDGMENTS.items() for i, g in grades.items()], schema=["s", "thing", "mark"], orient="row"),
    *(
        pl.DataFrame([(q, i, s) for q, scores in scored(run).items() for i, s in scores.items()], schema=["s", "thing", "p"], orient="row")
        for run in (OLD, NEW)
    ),
)  # fmt: skip
NAMES = {"query": "s", "item": "thing", "grade": "mark", "score": "p"}
REFUSED = {("diff", option) for option in ("groups", "offsets", "query_ids", "grades")}


def bad_files(folder):
    files = trec_files(folder)
    for path in files:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write("q1 broken\n")
    return files


def with_splits(folder, judgments):
    """A folder with the judgments as one split, and another split."""
    splits = folder / "set" / "qrels"
    splits.mkdir(parents=True, exist_ok=True)
    (splits / "test.tsv").write_bytes(Path(judgments).read_bytes())
    (splits / "dev.tsv").write_text("q1 0 other 1\n", encoding="utf-8")
    return str(folder / "set")


def options_of(option, folder):
    """What to read and how: the sources, the option, and the sources that need no option."""
    files = trec_files(folder)
    if option == "lenient":
        return bad_files(folder), {"lenient": True}, None
    flat = [np.array(column) for column in ([2, 0, 1, 1, 3, 1], [9, 5, 1, 3, 2, 7], [1, 5, 9, 3, 2, 7])]
    matrix = [column.reshape(3, 2) for column in flat]
    return {
        "columns": (FRAMES, {"columns": NAMES}, files),
        "format": (files, {"format": "trec"}, files),
        "groups": (flat, {"groups": [2, 2, 2]}, matrix),
        "offsets": (flat, {"offsets": [0, 2, 4, 6]}, matrix),
        "query_ids": (flat, {"query_ids": [0, 0, 1, 1, 2, 2]}, matrix),
        "grades": (files, {"grades": rg.grades.thresholds({2: 1})}, None),
        "split": ((with_splits(folder, files[0]), *files[1:]), {"split": "test"}, files),
        "progress": (files, {"progress": lambda *_: None}, files),
    }[option]


@pytest.mark.parametrize("option", [option for option in ReadKeywords.__annotations__ if option not in ELSEWHERE])
@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_takes_every_read_option_or_refuses_it(verb, option, tmp_path):
    call = VERBS[verb]
    if option == "units":
        if verb != "slices":  # reads judgments only
            with pytest.raises(rg.RankgaugeError, match=r"the convention counts items|has no unit|does not take units"):
                call(*trec_files(tmp_path), units={"a": "A"})
        return
    sources, read, plain = options_of(option, tmp_path)
    if option in {"groups", "offsets", "query_ids"} and verb in {"explain", "slices"}:
        call = {
            "explain": lambda j, old, new, **read: rg.explain(j, old, "nDCG@2", 0, **read).to_json(),
            "slices": lambda j, old, new, **read: rg.slices(
                rg.evaluate(j, {"old": old, "new": new}, "AP", **read), "AP", "judgments", judgments=j, **read
            ).to_json(),
        }[verb]
    if (verb, option) in REFUSED:
        with pytest.raises(rg.ParameterError, match=rf"diff\(\) does not take {option}: "):
            call(*sources, **read)
        return
    found = call(*sources, **read)
    assert call(*sources, read_options=rg.ReadOptions(**read)) == found
    if plain is not None and verb not in {"report", "explain", "reconcile"}:
        assert found == call(*plain)
    if option == "lenient" and verb != "slices":
        with pytest.raises(rg.InputError, match=r"(qrels|old)\.txt"):
            call(*sources)


@pytest.mark.parametrize("verb", [rg.evaluate, rg.explain, rg.compare, rg.report, rg.attribute, rg.unjudged_bounds,
                                  rg.reconcile, rg.check, rg.diff, rg.slices])  # fmt: skip
def test_a_misspelt_keyword_names_the_verb(verb):
    required = [
        p
        for p in inspect.signature(verb).parameters.values()
        if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD
    ]

    with pytest.raises(
        rg.UnknownNameError, match=rf"unknown argument of {verb.__name__}\(\) 'colunms'; did you mean 'columns'"
    ):
        verb(*[JUDGMENTS] * len(required), colunms={})


def test_the_keywords_are_the_fields_of_the_record():
    assert get_type_hints(ReadKeywords) == get_type_hints(rg.ReadOptions)


def test_a_plan_takes_the_keywords_of_a_correction():
    parameters = inspect.signature(rg.judges.correct).parameters.values()
    keywords = {parameter.name for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY}

    assert {*CorrectKeywords.__annotations__} == keywords | {*ReadKeywords.__annotations__}


# Ambiguous input


def test_nested_lists_of_numbers_are_refused():
    with pytest.raises(
        rg.InputError, match=r"nested lists of numbers .* np\.array\(labels\) .* {query: {item: grade}}"
    ):
        rg.evaluate([[1, 0, 0], [0, 1, 1]], [[0.1, 0.2, 0.3], [0.9, 0.5, 0.4]], "nDCG")
    with pytest.raises(rg.InputError, match="nested lists of numbers"):
        rg.compare([[1, 0], [0, 1]], {"A": [[2, 1], [1, 2]], "B": [[1, 2], [2, 1]]}, "nDCG")
    # Rows of ids, and lists of text ids, mean one thing only.
    assert rg.evaluate([("q", 1, 1)], [("q", 1, 0.5)], "RR").mean("RR") == 1
    assert rg.evaluate([["a"], ["b"]], [["a"], ["b"]], "RR").mean("RR") == 1


def test_swapped_files_are_refused(tmp_path):
    qrels, run, _ = trec_files(tmp_path)
    with pytest.raises(
        rg.InputError, match=r"look swapped: .*old\.txt holds a ranking and .*qrels\.txt holds judgments"
    ):
        rg.evaluate(run, qrels, "AP")
    (tmp_path / "ratings.csv").write_text("query,item,grade\nq,a,1\n", encoding="utf-8")
    (tmp_path / "run.csv").write_text("query,item,score\nq,a,0.5\n", encoding="utf-8")
    for verb in (
        lambda j, r: rg.evaluate(j, r, "AP"),
        lambda j, r: rg.compare(j, {"a": r, "b": r}, "AP"),
        lambda j, r: rg.report(j, {"a": r}, "AP"),
        lambda j, r: rg.reconcile(j, r, "AP"),
        lambda j, r: rg.check(j, r, "AP < 0.1"),
        lambda j, r: rg.explain(j, r, "AP", "q"),
    ):
        with pytest.raises(rg.InputError, match="look swapped"):
            verb(str(tmp_path / "run.csv"), tmp_path / "ratings.csv")
    with pytest.raises(rg.InputError, match="look swapped: the first holds a ranking"):
        rg.evaluate(pl.read_csv(tmp_path / "run.csv"), pl.read_csv(tmp_path / "ratings.csv"), "AP")
    named = {"judgments": {"grade": "score"}, "ranking": {"score": "grade"}}
    assert rg.evaluate(tmp_path / "run.csv", tmp_path / "ratings.csv", "AP", columns=named).mean("AP") == 0


def test_one_of_several_rankings_may_be_empty():
    scores = rg.evaluate(JUDGMENTS, {"A": OLD, "B": {}}, "RR")

    assert scores.mean("RR", "A") == rg.evaluate(JUDGMENTS, OLD, "RR").mean("RR")
    assert scores.mean("RR", "B") == 0
    assert len(scores.system("B").missing) == 3
    with pytest.raises(rg.InputError, match="is not in the ranking, nor is any other"):
        rg.evaluate(JUDGMENTS, {"A": OLD, "B": {"other": ["a"]}}, "RR")


def test_several_rankings_may_be_flat_arrays():
    labels, a, b = np.array([1, 0, 0, 1]), np.array([0.9, 0.1, 0.9, 0.1]), np.array([0.1, 0.9, 0.1, 0.9])
    scores = rg.evaluate(labels, {"A": a, "B": b}, "RR", groups=[2, 2])

    assert [scores.mean("RR", name) for name in "AB"] == [0.75, 0.75]
    assert scores.system("A").per_query("RR") == {0: 1.0, 1: 0.5}


def test_an_array_of_items_for_a_query_is_not_a_ranking_of_its_own():
    assert rg.evaluate({"q": {"a": 1}}, {"q": np.array(["b", "a"])}, "RR").mean("RR") == 0.5


@pytest.mark.parametrize("write", ["write_parquet", "write_ipc"])
def test_columnar_pipes_are_read_once(write, tmp_path):
    judgments, old, _ = FRAMES
    files = [tmp_path / "j", tmp_path / "r"]
    for frame, path in zip((judgments, old), files, strict=True):
        getattr(frame, write)(path)
    expected = rg.evaluate(*files, "AP", columns=NAMES).per_query("AP")

    pipes = [as_pipe(path, tmp_path) for path in files]
    assert rg.evaluate(*pipes, "AP", columns=NAMES).per_query("AP") == expected


def test_open_files_are_rankings(tmp_path):
    qrels, old, new = trec_files(tmp_path)
    expected = rg.evaluate(qrels, {"old": old, "new": new}, "AP")

    with Path(old).open("rb") as first, Path(new).open("rb") as second:
        scores = rg.evaluate(qrels, {"old": first, "new": second}, "AP")
    assert [scores.mean("AP", name) for name in ("old", "new")] == [
        expected.mean("AP", name) for name in ("old", "new")
    ]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: rg.unjudged_bounds(JUDGMENTS, OLD, "AP"), "unjudged_bounds: 'q1' holds the ranking of one query"),
        (lambda: rg.compare(JUDGMENTS, scored(OLD), "AP"), "compare: 'q1' holds the ranking of one query"),
        (lambda: rg.report(JUDGMENTS, OLD, "AP"), "report: 'q1' holds the ranking of one query"),
        (lambda: rg.evaluate([*JUDGMENTS.items()], OLD, "AP"), r"judgments: pairs .* pass dict\(pairs\)"),
        (lambda: rg.evaluate(JUDGMENTS, [*OLD.items()], "AP"), r"ranking: pairs .* pass dict\(pairs\)"),
        (
            lambda: rg.evaluate([1, 0, 2], [0.1, 0.2, 0.3], "AP", groups=[3]),
            r"a flat list of numbers cannot be read; pass np\.array",
        ),
        (
            lambda: rg.explain(np.array([1, 0, 2]), np.array([0.1, 0.2, 0.3]), "AP", 0, groups=[2]),
            "must add up to the number of labels, 3, not 2",
        ),
    ],
)
def test_other_ambiguous_input_is_refused_with_a_remedy(call, message):
    with pytest.raises(rg.RankgaugeError, match=message):
        call()


@pytest.mark.parametrize(
    ("groups", "hint"),
    [
        ([1, 1, 1, 2], "pass query_ids="),
        ([2, 4], "pass offsets= with a 0"),
        ([0, 2, 4], "pass offsets="),
        ([9], "not 9"),
    ],
)
def test_the_error_for_group_ids_names_the_option_that_takes_them(groups, hint):
    with pytest.raises(rg.InputError, match=f"add up to the number of labels, 4, .*{hint}"):
        rg.evaluate(np.array([1, 0, 1, 0]), np.arange(4.0), "RR", groups=groups)


GROUPS = [["a", "c"], ["b"]]


@pytest.mark.parametrize(
    "source", [{"q": GROUPS}, [{"qid": "q", "retrieval_gt": GROUPS}], "judged.jsonl"], ids=["dict", "records", "file"]
)
def test_groups_of_judged_items_are_rows_of_their_members(source, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("judged.jsonl").write_text(json.dumps({"qid": "q", "retrieval_gt": GROUPS}) + "\n", encoding="utf-8")
    rows = [("q", "a", 1.0), ("q", "c", 1.0), ("q", "b", 1.0)]
    assert rg.read(source, role="judgments").judgments.frame().rows() == rows
    rg.convert(source, "judged.csv", role="judgments")
    assert pl.read_csv("judged.csv", schema_overrides={"grade": pl.Float64}).rows() == rows


def test_rows_of_a_frame_that_are_left_out_are_reported(tmp_path):
    frame = pl.DataFrame({"query": ["a", "a", "b"], "item": ["x", "y", "z"], "score": [1.0, None, 2.0]})
    for found in (rg.convert(frame, tmp_path / "valid.csv", lenient=True), rg.doctor(frame, lenient=True).findings):
        assert [(finding.code, finding.count) for finding in found] == [("RG201", 1)]


@pytest.mark.parametrize("missing_first", [True, False])
def test_files_of_which_one_lacks_the_judgments_of_a_query_say_so(tmp_path, missing_first):
    rows = [f'{{"query": "{query}", "relevant": ["a"], "retrieved": ["a"]}}\n' for query in ("q1", "q2")]
    whole, part = tmp_path / "whole.jsonl", tmp_path / "part.jsonl"
    whole.write_text("".join(rows))
    part.write_text(rows[0])

    with pytest.raises(
        rg.InputError, match=r"part\.jsonl has no judgments of query 'q2', which .*whole\.jsonl has"
    ) as e:
        rg.compare([part, whole] if missing_first else [whole, part], metrics="RR")
    assert "没有查询 'q2' 的标注" in e.value.render("zh")
