"""What the arguments of a call are: one ranking or several, matrices or ids, and what data of ``rg.read`` add."""

import io
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.read_options import READ_AS_IS, ReadOptions
from rankgauge.inputs.source import Source, check_distinct
from rankgauge.matching.entrance import (
    VerbInput,
    _check_no_metric,
    _check_options,
    _lengths_of_rows,
    are_several,
    resolve_input,
)
from rankgauge.matching.ranking import Ranking
from rankgauge.matching.systems import are_flat_scores, check_names

FRAME = pl.DataFrame({"query": ["q"], "item": ["a"], "score": [1.0]})
ROWS = [("q", "a", 1.0)]


@pytest.mark.parametrize(
    ("value", "flat", "answer"),
    [
        ({}, False, False),
        ([], False, False),
        ({"x": FRAME}, False, True),
        ({"x": {"q": ["a"]}}, False, True),
        ({"x": {"q": {"a": 1}}}, False, True),
        ({"x": {}, "y": {"q": ["a"]}}, False, True),
        ({"x": [], "y": {"q": ["a"]}}, False, True),
        ({"x": {}}, False, False),
        ({"q": {"a": 1.0}}, False, False),
        ({"q": ["a"]}, False, False),
        ({"x": FRAME, "q": ["a"]}, False, False),
        ({"q": ["a"], "x": FRAME}, False, False),
        ({"x": ROWS}, False, True),
        ({"x": np.ones((2, 2))}, False, True),
        ({"x": np.ones(2)}, False, False),
        ({"x": np.ones(2)}, True, True),
        ({"x": [0.5, 1.5]}, True, True),
        ({"x": [0.5, 1.5]}, False, False),
        ({"x": [1, 2]}, True, False),
        ({"q": {"hits": {"hits": []}}}, False, False),
        ({"x": {"hits": ["a"]}}, False, True),
    ],
)
def test_a_mapping_names_rankings_if_its_values_are_some(value, flat, answer):
    assert are_several(value, flat=flat) is answer


@pytest.mark.parametrize(
    ("value", "answer"),
    [
        ([[1, 2], [3, 4]], [2, 2]),
        ([[1.5]], [1]),
        ([[1, 2], [3]], [2, 1]),
        ([[1, "a"]], []),
        ([[]], []),
        ([[1], []], []),
        ([], []),
        ([1, 2], []),
        ([[1], 2], []),
        (([1],), []),
    ],
)
def test_lists_of_numbers_have_lengths(value, answer):
    assert _lengths_of_rows(value) == answer


@pytest.mark.parametrize(
    ("value", "answer"),
    [
        ([1, 0.5], True),
        ((1,), True),
        ([], False),
        (["a"], False),
        ([1, "a"], False),
        (np.ones(2), True),
        (np.float64(1), False),
        (pl.Series([1.0]), True),
        (FRAME, False),
        ("ab", False),
        ({"a": 1}, False),
    ],
)
def test_flat_scores_are_numbers_one_after_another(value, answer):
    assert are_flat_scores(value) is answer


def is_accepted(check, *arguments):
    try:
        check(*arguments)
    except rg.RankgaugeError:
        return False
    return True


def test_names_of_systems_differ_as_text():
    assert is_accepted(check_names, {"a": 1, "b": 2, 1: 3})
    assert not is_accepted(check_names, {1: 1, "1": 2})


def test_what_can_be_read_once_is_given_once():
    stream, lists = io.BytesIO(b""), iter([["a"]])
    for sources, answer in (
        ({"x": stream, "y": io.BytesIO(b"")}, True),
        ({"x": stream, "y": stream}, False),
        ({"x": lists, "y": lists}, False),
        ({"x": {"q": lists}, "y": {"q": lists}}, False),
        ({"x": {"q": lists, "r": lists}}, False),
        ({"x": [lists, lists]}, False),
        ({"x": [lists], "y": iter([])}, True),
        ({"x": "-", "y": "-"}, False),
        ({"x": "-", "y": "file"}, True),
        ({"x": "file", "y": "file"}, True),
        ({"x": FRAME, "y": FRAME}, True),
    ):
        assert is_accepted(check_distinct, sources) is answer, sources


@pytest.mark.parametrize(
    ("options", "form", "description", "answer"),
    [
        ({}, "records", "", True),
        ({"format": "trec"}, "file", "", True),
        ({"format": "trec"}, "frame", "", False),
        ({"format": "trec"}, "records", "", False),
        ({"format": "trec"}, "records", "data", True),
        ({"columns": {"query": "x"}}, "file", "", True),
        ({"columns": {"query": "x"}}, "frame", "", True),
        ({"columns": {"query": "x"}}, "records", "", False),
        ({"columns": {"query": "x"}}, "array", "", False),
    ],
)
def test_options_of_files_and_tables_need_one(options, form, description, answer):
    source = Source(None, form, "ranking", READ_AS_IS, description=description)
    assert is_accepted(_check_options, ReadOptions(**options), [source]) is answer


def test_a_metric_in_the_place_of_the_ranking_is_refused_where_data_hold_one(tmp_path):
    (tmp_path / "run").write_text("")
    both = rg.read([{"query": "q", "gold": ["a"], "retrieved": ["a"]}])
    gold = rg.read([{"query": "q", "gold": ["a"]}])
    for data, given, answer in (
        (both, "AP", False),
        (both, ["AP", "RR"], False),
        (both, str(tmp_path / "run"), True),
        (both, ["AP", str(tmp_path / "run")], True),
        (both, None, True),
        (both, [], True),
        (both, ["AP", 5], True),
        (gold, "AP", True),
    ):
        assert is_accepted(_check_no_metric, "evaluate", data, given) is answer, given


def test_metrics_and_convention_come_from_the_data_if_the_call_names_none():
    rules, of_data = rg.Convention(ties="mean"), rg.Convention(ties="worst")
    data = SimpleNamespace(metrics=("AP", "RR"), convention=of_data, texts={})
    for held, argument, convention, expected in (
        (None, None, None, (None, None)),
        (None, "nDCG", None, ("nDCG", None)),
        (data, None, None, (("AP", "RR"), of_data)),
        (data, None, rules, (("AP", "RR"), rules)),
        (data, "nDCG", None, ("nDCG", None)),
        (SimpleNamespace(metrics=(), convention=of_data), None, None, (None, None)),
    ):
        given = VerbInput(None, {}, held)
        assert given.metrics(argument, convention) == expected
        one = expected[0][0] if expected[0] == ("AP", "RR") else expected[0]
        assert given.metric(argument, convention) == (one, expected[1])


def test_texts_are_those_of_the_call_or_of_the_data():
    ranking = {"": Ranking.of(Source.of({"q": ["a"]}, "ranking", READ_AS_IS), READ_AS_IS, "")}
    judged = Source.of({"q": {"a": 1}}, "judgments", READ_AS_IS)
    for data, argument, expected in (
        (None, None, None),
        (None, {"a": "A"}, {"a": "A"}),
        (SimpleNamespace(texts={"a": "B"}), None, {"a": "B"}),
        (SimpleNamespace(texts={"a": "B"}), {"a": "A"}, {"a": "A"}),
        (SimpleNamespace(texts={}), None, None),
    ):
        assert VerbInput(judged, ranking, data).texts(argument) == expected


def test_the_paths_of_both_sides_are_known_if_both_are_files(tmp_path):
    judged, ranked = tmp_path / "qrels.txt", tmp_path / "run.txt"
    judged.write_text("q 0 a 1\n")
    ranked.write_text("q Q0 a 1 1 t\n")
    options = ReadOptions()
    assert resolve_input("evaluate", str(judged), str(ranked), options).files == (str(judged), str(ranked))
    assert resolve_input("evaluate", {"q": {"a": 1}}, str(ranked), options).files is None
    assert resolve_input("evaluate", str(judged), {"q": ["a"]}, options).files is None
    assert resolve_input("evaluate", str(judged), io.BytesIO(ranked.read_bytes()), options).files is None


def test_a_stream_is_read_once():
    options = ReadOptions()
    ranking = Ranking.of(Source.of(io.BytesIO(b"q Q0 a 1 1 t\n"), "ranking", options), options, "run")
    assert [block.height for block in ranking.blocks(Findings())] == [1]
    with pytest.raises(rg.InputError, match="read already"):
        [*ranking.blocks(Findings())]
