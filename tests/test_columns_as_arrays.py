"""Columns of frames are taken wherever flat arrays are, by position, and give the same values."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import rankgauge as rg

LABELS, SCORES = [1, 0, 2, 0, 1], [0.3, 0.5, 0.2, 0.9, 0.8]
QUERIES, SIZES = [7, 7, 8, 8, 8], [2, 3]
NULLABLE = {"i": "Int64", "f": "Float64"}
COLUMNS = {
    "pandas": pd.Series,
    "another index": lambda values: pd.Series(values, index=range(len(values), 0, -1)),
    "texts as index": lambda values: pd.Series(values, index=[*"abcde"[: len(values)]]),
    "nullable": lambda values: pd.Series(values).astype(NULLABLE[np.asarray(values).dtype.kind]),
    "extension array": lambda values: pd.Series(values).astype(NULLABLE[np.asarray(values).dtype.kind]).array,
    "categorical queries": lambda values: (
        pd.Series(values).astype("category") if values is QUERIES else pd.Series(values)
    ),
    "polars": pl.Series,
    "arrow": pa.array,
    "chunked": lambda values: pa.chunked_array([values[:1], values[1:]]),
}


def streamed(labels, scores, queries):
    streaming = rg.StreamingScores("nDCG@2")
    streaming.update(judgments=labels, scores=scores, query_ids=queries)
    return streaming.compute().mean("nDCG@2")


CALLS = {
    "evaluate": lambda y, p, q, _: rg.evaluate(y, p, "nDCG@2", query_ids=q).per_query("nDCG@2"),
    "groups": lambda y, p, _, sizes: rg.evaluate(y, p, "nDCG@2", groups=sizes).per_query("nDCG@2"),
    "systems": lambda y, p, q, _: rg.evaluate(y, {"a": p, "b": p}, "nDCG@2", query_ids=q).means(),
    "compare": lambda y, p, q, _: rg.compare(y, {"a": p, "b": p}, "nDCG@2", query_ids=q).scores.means(),
    "curve": lambda y, p, q, _: rg.curve(y, p, "nDCG", query_ids=q).rows(),
    "explain": lambda y, p, q, _: rg.explain(y, p, "nDCG@2", 8, query_ids=q).value,
    "Evaluator": lambda y, p, q, _: rg.Evaluator(y, "nDCG@2", query_ids=q)(p).means(),
    "StreamingScores": lambda y, p, q, _: streamed(y, p, q),
    "ndcg_score": lambda y, p, *_: rg.sklearn.ndcg_score([y], [p]),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("column", COLUMNS)
def test_columns_give_the_values_of_arrays(column, call):
    """The law: a column is the array of its values; all were refused."""
    as_columns = [COLUMNS[column](values) for values in (LABELS, SCORES, QUERIES, SIZES)]
    as_arrays = [np.array(values) for values in (LABELS, SCORES, QUERIES, SIZES)]
    assert CALLS[call](*as_columns) == CALLS[call](*as_arrays)


@pytest.mark.parametrize("column", ["pandas", "nullable", "polars"])
def test_one_list_may_be_a_column(column):
    grades = COLUMNS[column](LABELS)
    assert (rg.nDCG @ 3).of(grades) == (rg.nDCG @ 3).of(LABELS)
    assert rg.curve(grades, metrics="nDCG").rows() == rg.curve(LABELS, metrics="nDCG").rows()


@pytest.mark.parametrize("library", [lambda v: pd.Series(v, dtype="Int64"), pl.Series, pa.array, pd.Series])
def test_a_missing_label_is_no_judgment(library):
    scores = rg.evaluate(library([1, None, 0]), np.array([0.3, 0.9, 0.5]), "Judged@1", groups=[3])
    assert scores.mean("Judged@1") == 0.0


@pytest.mark.parametrize("column", ["pandas", "polars", "nullable"])
def test_frames_of_labels_and_predictions_in_any_order_of_rows(column):
    frame = pd.DataFrame({"qid": QUERIES, "label": LABELS, "pred": SCORES})
    expected = rg.evaluate(frame["label"], frame["pred"], "AP", query_ids=frame["qid"]).per_query("AP")
    shuffled = frame.iloc[[4, 0, 3, 1, 2]]
    y, p, q = (COLUMNS[column](shuffled[name].tolist()) for name in ("label", "pred", "qid"))
    assert rg.evaluate(y, p, "AP", query_ids=q).per_query("AP") == expected == {7: 1 / 2, 8: (1 / 2 + 2 / 3) / 2}


def test_a_column_of_texts_is_no_array_of_labels():
    with pytest.raises(rg.InputError, match="labels must be an array of numbers"):
        rg.evaluate(pd.Series([*"ab"]), pd.Series([1.0, 2.0]), "AP", groups=[2])


@pytest.mark.parametrize(
    ("labels", "scores", "message"),
    [
        ((5,), (5, 1), r"scores \(5, 1\); give a score for each label: pass scores\.ravel\(\)"),
        ((5, 1), (5,), r"groups is for flat arrays.*shape \(5, 1\): pass labels\.ravel\(\)"),
        ((5, 1), (5, 1), r"groups is for flat arrays.*shape \(5, 1\): pass labels\.ravel\(\)"),
        ((5,), (4,), r"labels have the shape \(5,\) and scores \(4,\); give a score for each label$"),
    ],
)
def test_predictions_with_an_axis_too_many_name_ravel(labels, scores, message):
    """Labels and scores of shape (5, 1) were five queries of one item, whatever their groups."""
    with pytest.raises(rg.RankgaugeError, match=message):
        rg.evaluate(np.ones(labels), np.ones(scores), "nDCG", groups=[2, 3])


@pytest.mark.parametrize("form", [pd.DataFrame, pl.DataFrame])
def test_a_score_that_is_text_gets_a_remedy_about_scores(form):
    """It was offered a table of grades."""
    ranking = form({"query": ["q"], "item": ["a"], "score": ["high"]})
    with pytest.raises(rg.InputError, match="convert it to scores") as caught:
        rg.evaluate({"q": {"a": 1}}, ranking, "RR")
    assert "grades" not in str(caught.value)
    judgments = form({"query": ["q"], "item": ["a"], "grade": ["high"]})
    with pytest.raises(rg.InputError, match=r'grades\.table\(\{"...": 1\}\)'):
        rg.evaluate(judgments, {"q": ["a"]}, "RR")


@pytest.mark.parametrize("column", COLUMNS)
def test_swapped_columns_are_noticed_as_swapped_arrays_are(column):
    labels, scores = ([1, 0, 2, 0, 1], [0.3, 0.5, 0.2, 0.9, 0.8])
    with pytest.raises(rg.InputError, match="the arguments look swapped"):
        rg.evaluate(COLUMNS[column](scores), COLUMNS[column](labels), "RR", groups=[2, 3])


ARRAYS_WITHOUT_IDS = {
    "flat": lambda y, p, path: (np.array(y), np.array(p), {"groups": [3]}),
    "columns": lambda y, p, path: (pd.Series(y), pd.Series(p), {"groups": [3]}),
    "matrix": lambda y, p, path: (np.array([y]), np.array([p]), {}),
    "LETOR": lambda y, p, path: (
        path.write_text("".join(f"{grade} qid:1 1:{place}\n" for place, grade in enumerate(y))) and path,
        np.array(p),
        {},
    ),
}


@pytest.mark.parametrize("form", ARRAYS_WITHOUT_IDS)
@pytest.mark.parametrize("ties", ["id", "id-ascending", "input", "mean"])
def test_the_printed_definition_says_what_was_done_with_ties(form, ties, tmp_path):
    """Items without ids stay in input order, and text, JSON and CSV said ties=id."""
    judgments, ranking, read = ARRAYS_WITHOUT_IDS[form]([1, 0, 1], [0.5, 0.5, 0.1], tmp_path / "rows.txt")
    scores = rg.evaluate(judgments, ranking, "RR", convention=rg.Convention(ties=ties), **read)
    done = "mean" if ties == "mean" else "input"
    assert scores.mean() == {"mean": 0.75, "input": 1.0}[done]
    assert scores.convention.ties == done
    for lang in ("en", "zh"):
        assert rg.Convention(ties=done).line(["ties"], lang) in scores.document(lang).to_text()
    assert f"ties={done}" in scores.to_csv()
    assert "ties=id" not in scores.to_csv() + scores.document().to_text()
    again = rg.evaluate(judgments, ranking, "RR", convention=scores.convention, **read)
    assert again.mean() == scores.mean()  # the law: what is printed gives the value


def test_items_with_ids_keep_the_rule_of_ties():
    judgments = {"q": {"a": 1, "b": 0}}
    assert rg.evaluate(judgments, {"q": {"a": 1.0, "b": 1.0}}, "RR").convention.ties == "id"
    matrix = rg.evaluate({0: {0: 1, 1: 0}}, np.array([[0.5, 0.5]]), "RR")  # whose columns are the ids
    assert (matrix.convention.ties, matrix.mean()) == ("id", 0.5)
