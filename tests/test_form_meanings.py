"""One meaning in every form: the same input misleads in no form, and each situation has one answer and one finding."""

import json
from itertools import product
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest

import rankgauge as rg

GRADES = {"q1": {"a": 1, "b": 0, "c": 2}, "q2": {"a": 1, "b": 0}}
SCORES = {"q1": {"a": 0.3, "b": 0.9, "c": 0.4}, "q2": {"a": 0.5, "b": 0.2}}


def rows_of(nested):
    return [(query, item, number) for query, items in nested.items() for item, number in items.items()]


def table(nested, number):
    queries, items, numbers = zip(*rows_of(nested), strict=True)
    return {"query": queries, "item": items, number: numbers}


def text_file(name, text):
    Path(name).write_text(text, encoding="utf-8")
    return name


def delimited(separator, nested, name):
    lines = [("query", "item", "score"), *rows_of(nested)]
    return text_file(name, "".join(separator.join(map(str, line)) + "\n" for line in lines))


def hits(nested, number):
    return {query: [{"id": i, number: n} for i, n in items.items()] for query, items in nested.items()}


def parquet(nested, name):
    pl.DataFrame(table(nested, "score")).write_parquet(name)
    return name


def jsonl(nested, name):
    lines = (json.dumps({"query": q, "item": i, "score": n}) for q, i, n in rows_of(nested))
    return text_file(name, "\n".join(lines))


NUMBERED = {
    "dict": lambda nested, _: nested,
    "rows": lambda nested, _: rows_of(nested),
    "records": lambda nested, _: [{"query": q, "item": i, "score": n} for q, i, n in rows_of(nested)],
    "hits": lambda nested, _: hits(nested, "score"),
    "pandas": lambda nested, _: pd.DataFrame(table(nested, "score")),
    "polars": lambda nested, _: pl.DataFrame(table(nested, "score")),
    "list column": lambda nested, _: pl.DataFrame(
        {
            "query": [*nested],
            "items": [[*v] for v in nested.values()],
            "scores": [[*v.values()] for v in nested.values()],
        }
    ),
    "csv": lambda nested, name: delimited(",", nested, f"{name}.csv"),
    "tsv": lambda nested, name: delimited("\t", nested, f"{name}.tsv"),
    "json": lambda nested, name: text_file(f"{name}.json", json.dumps(nested)),
    "json hits": lambda nested, name: text_file(f"{name}.json", json.dumps(hits(nested, "score"))),
    "jsonl": lambda nested, name: jsonl(nested, f"{name}.jsonl"),
    "parquet": lambda nested, name: parquet(nested, f"{name}.parquet"),
    "relation": lambda nested, _: duckdb.from_arrow(pl.DataFrame(table(nested, "score")).to_arrow()),
}
"""Forms in which grades and scores have the same name, or none."""


@pytest.fixture(autouse=True)
def _in_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def codes(*arguments, **options):
    """The findings of an evaluation, without that of the format."""
    return {finding.code for finding in rg.evaluate(*arguments, **options).findings} - {"RG106"}


@pytest.mark.parametrize(
    ("first", "second"), [*zip(NUMBERED, NUMBERED, strict=True), *product(["dict", "csv"], NUMBERED)]
)
def test_swapped_arguments_are_refused(first, second):
    judgments, ranking = NUMBERED[first](GRADES, "judgments"), NUMBERED[second](SCORES, "ranking")

    right = rg.evaluate(judgments, ranking, "nDCG").mean("nDCG")
    with pytest.raises(rg.InputError, match="arguments look swapped"):
        rg.evaluate(NUMBERED[second](SCORES, "ranking"), NUMBERED[first](GRADES, "judgments"), "nDCG")
    assert right == rg.evaluate(GRADES, SCORES, "nDCG").mean("nDCG")


TABLES = {
    "pandas": lambda frame, _: frame.to_pandas(),
    "polars": lambda frame, _: frame,
    "records": lambda frame, _: frame.to_dicts(),
    "csv": lambda frame, name: (frame.write_csv(f"{name}.csv"), f"{name}.csv")[1],
}


@pytest.mark.parametrize("form", TABLES)
def test_a_ranking_without_numbers_is_not_taken_for_judgments_of_ratings(form):
    """The rows of the ranking were relevant, and the ratings its scores: the number was that of swapped arguments."""
    rows = pl.DataFrame({"user": ["u", "u"], "item": ["a", "b"]})
    ratings = rows.with_columns(rating=pl.Series([1, 5]))
    returned, judged = TABLES[form](rows, "returned"), TABLES[form](ratings, "judged")

    with pytest.raises(rg.InputError, match=r"arguments may be swapped: .* has neither grades nor scores") as refused:
        rg.evaluate(returned, judged, "P@2")
    assert "两个参数的顺序可能反了" in refused.value.texts[1]
    columns = {"grade": None, "score": "rating"}
    assert rg.evaluate(returned, judged, "P@2", columns=columns).mean("P@2") == 1


def test_swapped_arrays_are_refused():
    labels, scores = np.array([[1, 0, 2, 0]]), np.array([[0.3, 0.9, 0.4, 0.1]])

    for given in ({}, {"groups": [4]}):
        shape = (1, 4) if not given else (4,)
        with pytest.raises(rg.InputError, match="arguments look swapped"):
            rg.evaluate(scores.reshape(shape), labels.reshape(shape), "nDCG", **given)


GOLD = {"q1": ["a"], "q2": []}
BOTH = [{"query": "q1", "relevant": ["a"], "retrieved": ["a"]}, {"query": "q2", "relevant": [], "retrieved": ["a"]}]
EMPTY = {
    "dict": lambda: ({"q1": {"a": 1}, "q2": {}}, {"q1": ["a"], "q2": ["a"]}),
    "sets": lambda: ({"q1": {"a"}, "q2": set()}, {"q1": ["a"], "q2": ["a"]}),
    "lists": lambda: ([["a"], []], [["a"], ["a"]]),
    "arrays": lambda: (np.array([[1.0], [0.0]]), np.array([[0.9], [0.9]])),
    "json": lambda: (text_file("j.json", json.dumps({"q1": {"a": 1}, "q2": {}})), {"q1": ["a"], "q2": ["a"]}),
    "json lists": lambda: (text_file("j.json", json.dumps(GOLD)), text_file("r.json", '{"q1": ["a"], "q2": ["a"]}')),
    "records": lambda: (rg.read(BOTH), None),
    "jsonl": lambda: (text_file("b.jsonl", "\n".join(map(json.dumps, BOTH))), None),
    "json records": lambda: (text_file("b.json", json.dumps(BOTH)), None),
    "polars": lambda: (rg.read(pl.DataFrame(BOTH)), None),
    "pandas": lambda: (rg.read(pd.DataFrame(BOTH)), None),
    "csv": lambda: (text_file("b.csv", "query,relevant,retrieved\nq1,\"['a']\",\"['a']\"\nq2,[],\"['a']\"\n"), None),
    "ragas": lambda: (
        rg.read(
            [{"user_input": r["query"], "reference_contexts": r["relevant"], "retrieved_contexts": ["a"]} for r in BOTH]
        ),
        None,
    ),
    "llama_index": lambda: (
        text_file(
            "l.json", json.dumps({"queries": {"q1": "x", "q2": "y"}, "corpus": {"a": "t"}, "relevant_docs": GOLD})
        ),
        {"q1": ["a"], "q2": ["a"]},
    ),
    "groups": lambda: ({"q1": [["a", "b"]], "q2": []}, {"q1": ["a"], "q2": ["a"]}),
    "json groups": lambda: (
        text_file("g.jsonl", '{"qid": "q1", "retrieval_gt": [["a", "b"]]}\n{"qid": "q2", "retrieval_gt": []}\n'),
        {"q1": ["a"], "q2": ["a"]},
    ),
}


@pytest.mark.parametrize("form", EMPTY)
def test_a_query_with_an_empty_gold_list_counts_by_the_rule_for_0_over_0(form):
    """It was left out in files and lists in columns, which raised the mean of unanswerable questions to 1."""
    judgments, ranking = EMPTY[form]()

    scores = rg.evaluate(judgments, ranking, "RR")

    assert scores.mean("RR") == 0.5
    assert "RG404" in {finding.code for finding in scores.findings}
    assert "RG403" not in {finding.code for finding in scores.findings}


def test_a_missing_gold_list_is_not_a_judgment():
    path = text_file("b.csv", "query,relevant,retrieved\nq1,\"['a']\",\"['a']\"\nq2,,\"['a']\"\n")

    assert rg.evaluate(path, None, "RR").mean("RR") == 1
    assert "RG403" in codes(path, None, "RR")


@pytest.mark.parametrize(
    "field",
    [
        ("relevant", False, True),
        ("is_relevant", False, True),
        ("weight", 0, 1),
        ("grade", 0, 1),
        ("gold", False, True),
        ("is_supporting", False, True),
    ],
)
@pytest.mark.parametrize("form", ["memory", "json", "jsonl", "polars"])
def test_objects_say_whether_an_item_is_relevant(field, form):
    name, no, yes = field
    gold = [{"id": "a", name: no}, {"id": "b", name: yes}]
    record = {"query": "q", "relevant": gold}
    judgments = {
        "memory": lambda: {"q": gold},
        "json": lambda: text_file("j.json", json.dumps({"q": gold})),
        "jsonl": lambda: text_file("j.jsonl", json.dumps(record)),
        "polars": lambda: pl.DataFrame([record]),
    }[form]()

    assert rg.evaluate(judgments, {"q": ["a", "b"]}, "RR").mean("RR") == 0.5


@pytest.mark.parametrize("form", ["memory", "json", "jsonl", "csv", "pandas"])
def test_a_rank_orders_items_in_every_form(form):
    ranked = [{"id": "b", "rank": 2}, {"id": "a", "rank": 1}]
    ranking = {
        "memory": lambda: {"q": ranked},
        "json": lambda: text_file("r.json", json.dumps({"q": ranked})),
        "jsonl": lambda: text_file("r.jsonl", json.dumps({"query": "q", "retrieved": ranked})),
        "csv": lambda: text_file("r.csv", "query,item,rank\nq,b,2\nq,a,1\n"),
        "pandas": lambda: pd.DataFrame({"query": ["q", "q"], "item": ["b", "a"], "rank": [2, 1]}),
    }[form]()

    assert rg.evaluate({"q": {"a": 1}}, ranking, "RR").mean("RR") == 1
    assert codes({"q": {"a": 1, "c": 0}}, ranking, "RR") == set()


@pytest.mark.parametrize("form", ["dict", "memory", "json", "jsonl", "csv", "polars"])
def test_a_hit_without_a_score_is_refused(form):
    scored = [{"id": "b", "score": 0.1}, {"id": "a", "score": 0.9}, {"id": "c"}]
    ranking = {
        "dict": lambda: {"q": {"b": 0.1, "a": 0.9, "c": None}},
        "memory": lambda: {"q": scored},
        "json": lambda: text_file("r.json", json.dumps({"q": scored})),
        "jsonl": lambda: text_file("r.jsonl", json.dumps({"query": "q", "retrieved": scored})),
        "csv": lambda: text_file("r.csv", "query,item,score\nq,b,0.1\nq,a,0.9\nq,c,\n"),
        "polars": lambda: pl.DataFrame({"query": ["q"] * 3, "item": ["b", "a", "c"], "score": [0.1, 0.9, None]}),
    }[form]

    with pytest.raises(rg.InputError) as refused:
        rg.evaluate({"q": {"a": 1}}, ranking(), "RR")
    assert {*refused.value.codes} == {"RG201"}
    assert rg.evaluate({"q": {"a": 1}}, ranking(), "RR", lenient=True).mean("RR") == 1


@pytest.mark.parametrize("form", ["memory", "json", "pairs"])
def test_a_list_against_the_order_of_its_scores_is_reported_and_an_object_is_not(form):
    scored = [{"id": "a", "score": 0.3}, {"id": "b", "score": 0.9}]
    ranking = {
        "memory": lambda: {"q": scored},
        "json": lambda: text_file("r.json", json.dumps({"q": scored})),
        "pairs": lambda: text_file("r.json", json.dumps({"q": [["a", 0.3], ["b", 0.9]]})),
    }[form]()

    assert "RG210" in codes({"q": {"a": 1}}, ranking, "RR")
    assert "RG210" not in codes({"q": {"a": 1}}, text_file("o.json", '{"q": {"a": 0.3, "b": 0.9}}'), "RR")


@pytest.mark.parametrize(
    "rows", [[("u1", "a"), ("u2", "b")], [("u1", "0", "a", 1), ("u2", "0", "b", 1)], [("q", "a", 1), ("q", "b")]]
)
def test_tuples_of_another_length_are_not_lists_of_items(rows):
    """The id of a user matched itself, and RR was 1."""
    for arguments in ((rows, rows), ({"u1": {"a": 1}}, rows), (rows, {"u1": ["a"]})):
        if arguments[0] is rows and {*map(len, rows)} == {2}:  # judgments without grades
            continue
        with pytest.raises(rg.InputError, match="tuples are rows of"):
            rg.evaluate(*arguments, "RR")


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_float_ids_beyond_exactness_are_refused_in_every_form(kind):
    large = kind(2**24 if kind is np.float32 else 2**53)
    frame = pl.DataFrame(
        {"query": ["q"], "item": [large], "grade": [1]},
        schema_overrides={"item": pl.Float32 if kind is np.float32 else pl.Float64},
    )
    frame.write_parquet("j.parquet")
    forms = [
        {"q": {large: 1}},
        frame,
        frame.to_pandas(),
        "j.parquet",
        pl.DataFrame({"query": ["q"], "relevant": [[float(2**53)]]}),
    ]

    for judgments in forms:
        with pytest.raises(rg.InputError, match="RG215"):
            rg.evaluate(judgments, {"q": {16777216: 1.0}}, "RR")


CELLS = {
    "[np.int64(7), np.int64(8)]": ["7", "8"],
    "[np.str_('a'), np.str_('b')]": ["a", "b"],
    "[1 2 3]": ["1", "2", "3"],
    "['a' 'b c']": ["a", "b c"],
    "[\"b's\" 'c']": ["b's", "c"],
    "['a' 'b\\'s \"c\"']": ["a", 'b\'s "c"'],
    "array(['a', 'b'], dtype=object)": ["a", "b"],
    "['a', 'b']": ["a", "b"],
    '["a", "b"]': ["a", "b"],
    "('a', 'b')": ["a", "b"],
    "a b": ["a", "b"],
    "a, b": ["a", "b"],
    "a|b": ["a", "b"],
}


@pytest.mark.parametrize("cell", CELLS)
def test_a_clean_list_in_a_cell_is_read(cell):
    quoted = cell.replace('"', '""')
    path = text_file("r.csv", f'query,retrieved\nq,"{quoted}"\n')

    frame = next(iter(rg.read(path).rankings.values())).frame()

    assert frame["item"].to_list() == CELLS[cell]


@pytest.mark.parametrize(
    "cell",
    [
        "[1 2 ... 8 9]",
        "nan",
        "None",
        "{'a', 'b'",
        "['a', 'b'",
        "The cat sat. It slept.",
        "New York, New Jersey",
        "[np.int64(7)",
        "a [b]",
        "New York",
        "Le Monde du 5",
        "['it''s', 'b']",
        "['a' 'b', 'c']",
    ],
)
def test_an_invalid_list_in_a_cell_is_refused_with_its_row(cell):
    path = text_file("b.csv", f"query,relevant,retrieved\nq1,['a'],['a']\nq2,\"{cell}\",['a']\n")

    with pytest.raises(rg.InputError, match=r"b\.csv:3: relevant: .* is no clean list; write it as JSON"):
        rg.evaluate(path, None, "RR")


def test_a_set_may_be_judged_but_not_ranked():
    path = text_file("b.csv", "query,relevant,retrieved\nq,\"{'a', 'b'}\",\"['c', 'b']\"\n")
    assert rg.evaluate(path, None, "RR").mean("RR") == 0.5

    path = text_file("c.csv", "query,relevant,retrieved\nq,\"['a']\",\"{'a', 'b'}\"\n")
    with pytest.raises(rg.InputError, match="a set has no order"):
        rg.evaluate(path, None, "RR")


def test_columns_of_texts_are_never_split():
    """Unrelated sentences had words in common, and New York against New Jersey was RR 1."""
    path = text_file("t.csv", 'question,gold_contexts,retrieved_contexts\nq1,New York,New Jersey\nq2,"A, b.","A, b."\n')

    assert dict(rg.evaluate(path, None, "RR").per_query("RR")) == {"q1": 0.0, "q2": 1.0}


def lists_of_lists(form, name, lists):
    """A query with a list of lists, as judgments (``relevant``) or as a ranking (``retrieved``)."""
    record = {"query": "q", name: lists}
    return {
        "dict": lambda: {"q": lists},
        "records": lambda: [record],
        "json": lambda: text_file("n.json", json.dumps({"q": lists})),
        "jsonl": lambda: text_file("n.jsonl", json.dumps(record)),
        "csv": lambda: text_file("n.csv", f'query,{name}\nq,"{lists}"\n'),
        "polars": lambda: pl.DataFrame([record]),
        "pandas": lambda: pd.DataFrame([record]),
    }[form]()


NESTED = ["dict", "records", "json", "jsonl", "csv", "polars", "pandas"]


@pytest.mark.parametrize("form", NESTED)
@pytest.mark.parametrize("lists", [[["b", "a"], ["c"]], [["b"], ["a"]]])
def test_a_list_of_lists_is_not_a_ranking(form, lists):
    """The lists were joined in every form but dicts."""
    with pytest.raises(rg.InputError, match="list of lists"):
        rg.evaluate({"q": {"a": 1}}, lists_of_lists(form, "retrieved", lists), "RR")


@pytest.mark.parametrize("form", NESTED)
def test_a_list_of_lists_is_gold_in_groups(form):
    """In a JSON object the members of a group were relevant items of their own, and R was 1/3."""
    judgments = lists_of_lists(form, "relevant", [["b", "a"], ["c"]])

    scores = rg.evaluate(judgments, {"q": ["a"]}, "R")

    assert scores.mean("R") == 0.5
    assert "RG115" in {finding.code for finding in scores.findings}


@pytest.mark.parametrize("form", NESTED)
def test_pairs_of_whole_numbers_are_neither_groups_nor_grades(form):
    with pytest.raises(rg.InputError, match=r"could be an item and its grade|its judgments are a list of lists"):
        rg.evaluate(lists_of_lists(form, "relevant", [[7, 2], [9, 1]]), {"q": [7]}, "R")


@pytest.mark.parametrize("form", ["dict", "lists", "csv"])
def test_ids_that_match_only_in_part_are_reported_with_the_reason(form):
    pairs = [
        ("x ", "x", "blanks"),
        ("X", "x", "case"),
        ("e\u0301", "\u00e9", "Unicode"),
        ("007", "7", "01"),
        (b"x", "x", "bytes"),
    ]
    for judged, returned, reason in pairs:
        if form == "csv" and isinstance(judged, bytes):
            continue
        judgments, ranking = {"q": {"a": 1, judged: 1}}, {"q": {"a": 2.0, returned: 1.0}}
        if form == "lists":
            ranking = {"q": ["a", returned]}
        if form == "csv":
            ranking = delimited(",", ranking, "r.csv")
        finding = next(f for f in rg.evaluate(judgments, ranking, "RR").findings if f.code == "RG411")
        assert reason in str(finding.examples)


@pytest.mark.parametrize("name", ["grade", "relevance"])
@pytest.mark.parametrize(
    ("item", "grade", "code"),
    [
        ("b", float("nan"), "RG204"),
        ("b", None, "RG204"),
        ("b", float("inf"), "RG204"),
        ("a", 0.0, "RG302"),
        ("", 1.0, "RG208"),
    ],
)
def test_judged_records_are_checked_like_a_frame_whatever_the_grade_is_called(name, item, grade, code):
    records = [{"query": "q", "item": "a", name: 1.0}, {"query": "q", "item": item, name: grade}]
    for judgments in (records, pl.DataFrame(records)):
        with pytest.raises(rg.InputError) as error:
            rg.evaluate(judgments, {"q": ["b", "a"]}, "nDCG@2")
        assert error.value.codes == (code,)


LABELS, POINTS = [0] * 11 + [1, 1, 0], [0.5] * 12 + [0.1, 0.9]
"""Twelve rows of one query with equal scores, of which the last is relevant, and two rows of another."""


def letor(name, *, with_qid=True):
    queries = [" qid:1"] * 12 + [" qid:2"] * 2 if with_qid else [""] * 14
    return text_file(name, "".join(f"{label}{q} 1:0.5\n" for label, q in zip(LABELS, queries, strict=True)))


def scores_file():
    return text_file("scores.txt", "".join(f"{point}\n" for point in POINTS))


def grouped_rows():
    text_file("rows.txt.group", "12\n2\n")
    return letor("rows.txt", with_qid=False), scores_file()


def saved(points):
    np.save("scores.npy", np.array(points))
    return "scores.npy"


def ranklib_file():
    places = [(1, n) for n in range(12)] + [(2, n) for n in range(2)]
    lines = (f"{q}\t{n}\t{point}\n" for (q, n), point in zip(places, POINTS, strict=True))
    return text_file("ranklib.txt", "".join(lines))


ROWS_WITHOUT_IDS = {
    "arrays with groups": lambda: (np.array(LABELS), np.array(POINTS), {"groups": [12, 2]}),
    "arrays with query ids": lambda: (np.array(LABELS), np.array(POINTS), {"query_ids": [1] * 12 + [2] * 2}),
    "letor": lambda: (letor("letor.txt"), scores_file(), {}),
    "letor with group sizes": lambda: (*grouped_rows(), {}),
    "letor and an array": lambda: (letor("letor.txt"), np.array(POINTS), {}),
    "letor and a list": lambda: (letor("letor.txt"), POINTS, {}),
    "letor and a Series": lambda: (letor("letor.txt"), pd.Series(POINTS), {}),
    "letor and a polars Series": lambda: (letor("letor.txt"), pl.Series(POINTS), {}),
    "letor and an .npy file": lambda: (letor("letor.txt"), saved(POINTS), {}),
    "letor and scores of RankLib": lambda: (letor("letor.txt"), ranklib_file(), {}),
}


@pytest.mark.parametrize("ties", ["id", "id-ascending", "input", "input-reversed", "random", "mean", "best", "worst"])
@pytest.mark.parametrize("form", ROWS_WITHOUT_IDS)
def test_ties_of_rows_without_ids_are_in_input_order(form, ties):
    """The numbers of the rows of a LETOR file were ids, and '9' came before '12'."""
    rules = rg.Convention(ties=ties)
    judgments, ranking, options = ROWS_WITHOUT_IDS[form]()
    y, scores, groups = ROWS_WITHOUT_IDS["arrays with groups"]()
    metrics = ["RR", "nDCG@5", "AP"]

    result = rg.evaluate(judgments, ranking, metrics, convention=rules, **options)

    expected = rg.evaluate(y, scores, metrics, convention=rules, **groups)
    for metric in metrics:
        assert [*result.per_query(metric).values()] == [*expected.per_query(metric).values()]
    if ties in {"id", "id-ascending", "input"}:
        assert [*result.per_query("RR").values()] == [1 / 12, 1 / 2]
        first = next(iter(result.per_query("RR")))
        assert rg.explain(judgments, ranking, "RR", first, convention=rules, **options).value == 1 / 12


@pytest.mark.parametrize(
    ("scores", "reason"),
    [
        (lambda: np.array(POINTS[:-1]), "has 13 scores, but letor.txt has 14 rows"),
        (lambda: np.array([POINTS]), r"expected a flat array of numbers, .* found float64 \(1, 14\)"),
        (lambda: saved(["a"] * 14), r"scores\.npy: expected a flat array of numbers"),
        (lambda: saved(np.array([{}])), r"scores\.npy: not an array of numbers"),
        (lambda: text_file("r.txt", "1\t0\t0.5\n1\t1\t0.5\n2\t0\t0.5\n"), r"r\.txt:3: row 0 of query '2', where"),
        (lambda: text_file("r.txt", "1\t0\t0.5\n1\t1\t0.5\nx\n"), r"r\.txt:3: expected query, number of the row"),
    ],
)
def test_scores_that_do_not_fit_the_rows_of_a_letor_file_are_refused(scores, reason):
    with pytest.raises(rg.InputError, match=reason) as refused:
        rg.evaluate(letor("letor.txt"), scores(), "RR")
    assert refused.value.codes == ("RG110",) or "RG102" in refused.value.codes


def test_systems_are_compared_by_lists_and_arrays_of_scores():
    both = {"a": POINTS, "b": np.array(POINTS)[::-1], "c": scores_file()}

    assert rg.compare(letor("letor.txt"), both, "RR").systems == ("a", "b", "c")
    assert rg.evaluate("letor.txt", both, "RR").systems == ("a", "b", "c")


def test_rows_of_a_letor_file_with_docids_are_ordered_by_them():
    rows = "".join(f"{label} qid:1 1:0.5 # docid = {20 - n}\n" for n, label in enumerate(LABELS[:12]))
    judgments, ranking = text_file("letor.txt", rows), text_file("scores.txt", "0.5\n" * 12)

    items = [str(20 - n) for n in range(12)]
    assert rg.evaluate(judgments, ranking, "RR").mean("RR") == 1 / (1 + sorted(items, reverse=True).index("9"))


def test_the_report_lists_rows_without_ids_in_input_order_and_names_their_file():
    report = rg.report(letor("letor.txt"), {"a": scores_file()}, "RR")

    assert report.to_dict()["rankings"] == {"a": "scores.txt"}
    assert "passed from memory" not in report.to_html()
    assert rg.evaluate("letor.txt", "scores.txt", "RR").provenance["inputs"]["ranking"] == "scores.txt"


@pytest.mark.parametrize("read", [lambda path: path, rg.read])
def test_the_report_names_the_file_of_systems_that_a_column_names(read):
    """They were "passed from memory", and so in the provenance."""
    rows = "".join(f"{name},q,{item},{score}\n" for name in "ab" for item, score in (("x", 2), ("y", 1)))
    path = text_file("all.csv", f"system,query,item,score\n{rows}")
    report = rg.report({"q": {"x": 1}}, read(path), "RR")

    assert report.to_dict()["rankings"] == {"a": "all.csv", "b": "all.csv"}
    assert "Rankings: all.csv" in report.to_markdown()
    inputs = rg.evaluate({"q": {"x": 1}}, read(path), "RR").system("a").provenance["inputs"]
    assert inputs["ranking"] == "all.csv"


def test_a_query_that_returns_in_a_letor_file_is_noted():
    path = text_file("letor.txt", "1 qid:1 1:1\n0 qid:2 1:1\n0 qid:1 1:1\n")

    (finding,) = [each for each in rg.evaluate(path, [0.1, 0.2, 0.3], "RR").findings if each.code == "RG304"]

    assert "letor.txt:3: query '1' returns after other queries" in finding.example("en")
    assert "查询 '1' 在其他查询之后再次出现" in finding.example("zh")
    together = rg.evaluate(letor("letor.txt"), POINTS, "RR").findings
    assert "RG304" not in {each.code for each in together}


@pytest.mark.parametrize(("encoding", "text"), [("gbk", "搜索词,物品一,1"), ("latin-1", "café naïve,b,1")])
def test_text_in_another_encoding_is_legible_in_the_message(encoding, text):
    Path("j.csv").write_bytes(f"query,item,grade\n{text}\n".encode(encoding))

    with pytest.raises(rg.InputError, match=f"not UTF-8 text: '{text}'"):
        rg.evaluate("j.csv", {"q": ["a"]}, "RR")


def emptied_forms():
    """Rankings in every form that can hold an empty list: half of the queries have ``["x", "y"]``, half nothing."""
    lists = {f"q{n}": ["x", "y"] if n < 4 else [] for n in range(8)}
    objects = {query: [{"_id": item, "_score": 2 - n} for n, item in enumerate(v)] for query, v in lists.items()}
    responses = {query: {"hits": {"hits": hits}} for query, hits in objects.items()}
    scored = {query: {item: 2.0 - n for n, item in enumerate(v)} for query, v in lists.items()}
    records = [{"query": query, "retrieved": v} for query, v in lists.items()]
    runs = [
        {"metadata": {"topic_id": q, "run_id": s}, "references": v, "answer": []}
        for q, v in lists.items()
        for s in "AB"
    ]
    lines = "\n".join(map(json.dumps, records))
    cells = "".join(f'{query},"{v}"\n' for query, v in lists.items())
    return {
        "lists": lambda: lists,
        "tuples": lambda: {query: tuple(v) for query, v in lists.items()},
        "dict": lambda: scored,
        "hits": lambda: objects,
        "responses": lambda: responses,
        "records": lambda: records,
        "json lists": lambda: text_file("l.json", json.dumps(lists)),
        "json dict": lambda: text_file("d.json", json.dumps(scored)),
        "json hits": lambda: text_file("h.json", json.dumps(objects)),
        "json responses": lambda: text_file("e.json", json.dumps(responses)),
        "jsonl": lambda: text_file("r.jsonl", lines),
        "parquet": lambda: pl.DataFrame(records).write_parquet("r.parquet") or "r.parquet",
        "polars": lambda: pl.DataFrame(records),
        "pandas": lambda: pd.DataFrame(records),
        "csv": lambda: text_file("c.csv", f"query,retrieved\n{cells}"),
        "read": lambda: rg.read(text_file("l.json", json.dumps(lists)), role="ranking"),
        "of systems": lambda: rg.read(text_file("s.jsonl", "\n".join(map(json.dumps, runs)))).rankings["A"],
        "many": lambda: text_file(
            "m.jsonl",
            "\n".join([lines, *(json.dumps({"query": f"z{n}", "retrieved": ["x"] * (n % 2)}) for n in range(200))]),
        ),
    }


EMPTIED = emptied_forms()
X_OF_EIGHT = {f"q{n}": {"x": 1, "y": 0} for n in range(8)}


@pytest.mark.parametrize("form", EMPTIED)
@pytest.mark.parametrize("rules", ["zero", "skip", "error", "pytrec_eval", "beir", "mteb", "ranx", "gdeval"])
def test_an_empty_list_is_a_list_in_every_form_and_under_every_rule(form, rules):
    """A file lost such queries, so that a rule that skips missing queries left them out and the mean doubled."""
    convention = rg.Convention(missing=rules) if rules in {"zero", "skip", "error"} else rules

    scores = rg.evaluate(X_OF_EIGHT, EMPTIED[form](), ["nDCG@10", "P@2"], convention=convention)

    assert scores.means() == {"nDCG@10": 0.5, "P@2": 0.25}
    assert next(finding for finding in scores.findings if finding.code == "RG402").count == 4
    assert scores.missing == ("q4", "q5", "q6", "q7")
    assert "4 judged queries have no results (counted as an empty list)" in scores.document().to_text()


@pytest.mark.parametrize("form", ["lists", "dict", "responses", "json lists", "jsonl", "parquet", "polars"])
def test_the_empty_list_of_one_system_is_a_caveat_in_every_form(form):
    both = {"A": EMPTIED[form](), "B": {query: ["y", "x"] for query in X_OF_EIGHT}}

    for convention in (None, "beir"):
        assert "4 queries have no results from 'A' and count as 0" in str(
            rg.compare(X_OF_EIGHT, both, convention=convention)
        )


@pytest.mark.parametrize("form", ["lists", "dict", "responses", "records", "polars", "jsonl", "self-contained"])
def test_a_query_that_is_absent_is_skipped_beside_an_empty_list(form):
    lists = {"q0": ["x"], "q1": []}
    records = [{"query": query, "retrieved": items} for query, items in lists.items()]
    both = [{"query": q, "relevant": ["x"], "retrieved": v} for q, v in lists.items()] + [
        {"query": "q2", "relevant": ["x"]}
    ]
    ranking = {
        "lists": lambda: lists,
        "dict": lambda: {"q0": {"x": 1.0}, "q1": {}},
        "responses": lambda: {q: {"hits": {"hits": [{"_id": i} for i in v]}} for q, v in lists.items()},
        "records": lambda: records,
        "polars": lambda: pl.DataFrame(records),
        "jsonl": lambda: text_file("r.jsonl", "\n".join(map(json.dumps, records))),
        "self-contained": lambda: rg.read(pl.DataFrame(both)),
    }[form]()
    judgments = None if form == "self-contained" else {query: {"x": 1} for query in ("q0", "q1", "q2")}

    scores = rg.evaluate(*((ranking, None) if judgments is None else (judgments, ranking)), "P@1", convention="beir")

    assert scores.mean("P@1") == 0.5
    assert scores.missing == scores.missing_in() == ("q1", "q2")
    text = scores.document().to_text()
    assert "1 judged query has no results (excluded from the mean, and counted), first 'q2'" in text
    assert "1 judged query has no results (counted as an empty list), first 'q1'" in text


def test_lists_that_are_all_empty_are_worth_nothing():
    empty = {query: [] for query in X_OF_EIGHT}
    frame = pl.DataFrame(
        {"query": [*empty], "retrieved": [*empty.values()]}, schema_overrides={"retrieved": pl.List(pl.String)}
    )

    for ranking in (empty, frame):
        assert rg.evaluate(X_OF_EIGHT, ranking, "P@2", convention="beir").mean("P@2") == 0
