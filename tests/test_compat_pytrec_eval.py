"""The drop-in for pytrec_eval: stored values of the original, and clear errors where it crashes or gives NaN."""

import json
import math
import sys
from pathlib import Path

import numpy as np
import pytest

import rankgauge as rg
from rankgauge.compat import pytrec_eval

NAMES, *WORLDS = json.loads((Path(__file__).parent / "data" / "partners" / "pytrec_eval.json").read_text())
JUDGMENTS = {"q1": {"d1": 1, "d2": 0, "d3": 2}, "q2": {"d2": 1}}
RUN = {"q2": {"d1": 1.5, "d2": 0.2}, "q1": {"d1": 1.0, "d2": 0.0, "d3": 1.5, "d9": 3}}


def values_of(measures, judgments=JUDGMENTS, run=RUN, **options):
    return pytrec_eval.RelevanceEvaluator(judgments, measures, **options).evaluate(run)


def test_all_measures_and_nicknames_are_supported():
    assert pytrec_eval.supported_measures == {*NAMES["measures"]}
    assert pytrec_eval.supported_nicknames == {name: {*of} for name, of in NAMES["nicknames"].items()}


@pytest.mark.parametrize("world", WORLDS)
def test_keys_and_values_equal_those_of_pytrec_eval_in_order(world):
    found = pytrec_eval.RelevanceEvaluator(world["judgments"], **world["call"]).evaluate(world["run"])
    assert [*found] == [*world["values"]]
    for query, expected in world["values"].items():
        assert [*found[query]] == [*expected]
        for name, value in expected.items():
            if name == "runid":  # whatever was in memory
                continue
            right = 0.0 if math.isnan(value) else value
            assert found[query][name] == pytest.approx(right, abs=1e-14), (query, name)


def test_aggregated_values():
    assert pytrec_eval.compute_aggregated_measure("map", [0.25, 0.75]) == 0.5
    assert pytrec_eval.compute_aggregated_measure("num_ret", [3, 4]) == 7.0
    assert pytrec_eval.compute_aggregated_measure("gm_map", [math.log(0.1), math.log(0.4)]) == pytest.approx(0.2)
    assert pytrec_eval.compute_aggregated_measure("num_q", []) == 0.0
    with pytest.raises(rg.InputError, match="map: there are no values"):
        pytrec_eval.compute_aggregated_measure("map", [])


def test_names_with_parameters():
    values = values_of(["P_5,3", "P.7", "set_F.0.5", "iprec_at_recall_0.25", "11pt_avg.0.1,0.2"])["q1"]
    assert [*values] == ["iprec_at_recall_0.25", "P_3", "P_5", "P_7", "11pt_avg", "set_F"]
    assert [*values_of({"map", "map_cut", "map_cut_5"})["q1"]] == [
        "map",
        "map_cut_5",
    ]  # a cutoff replaces the default ones
    assert values_of([]) == {"q2": {}, "q1": {}}


def test_parameters_that_abort_the_original_process_give_numbers_or_errors():
    assert values_of(["P_5", "P_5.0"])["q1"] == {"P_5": 0.4}
    assert values_of(["ndcg.1=3,2=9"])["q1"]["ndcg"] == pytest.approx(
        (9 / math.log2(3) + 3 / math.log2(4)) / (9 + 3 / math.log2(3))
    )
    assert values_of(["utility.2,1,0,0"])["q1"] == {"utility": 2 * 2 + 2 * 1}  # in the order given
    for measures, match in (
        (["P_0"], "P_0: a cutoff is at least 1"),
        (["ndcg_2"], "unsupported measure 'ndcg_2'"),
        (["utility_1"], "expected 4 parameters, found 1"),
        (["nddcg"], "unsupported measure 'nddcg'.*did you mean 'ndcg'"),
        (["ndcg_cut_3xx"], "unsupported measure"),
        (["prefs"], "unsupported measure 'prefs_"),
        ("map", "measures must be a list or a set of names"),
    ):
        with pytest.raises(rg.ParameterError, match=match):
            values_of(measures)
    with pytest.warns(UserWarning, match="recip_rank has no parameters: 10 changes nothing"):
        assert values_of(["recip_rank_10"])["q1"] == {"recip_rank": 0.5}


def test_empty_qrels_and_empty_runs():
    assert values_of(["map"], run={}) == values_of(["map"], run={"q9": {"d": 1.0}}) == {}
    assert values_of(["map"], judgments={}) == values_of(["map"], judgments={"q1": {}, "q2": {}}) == {}
    empty = values_of(pytrec_eval.supported_measures, run={"q1": {}})["q1"]
    assert not any(map(math.isnan, empty.values()))
    assert (empty["11pt_avg"], empty["iprec_at_recall_0.00"], empty["num_rel"]) == (0.0, 0.0, 2.0)
    negative = {"q1": {"d1": -1, "d2": -2}}
    assert values_of(["ndcg", "map"], judgments=negative) == {"q1": {"map": 0.0, "ndcg": 0.0}}


@pytest.mark.parametrize(
    ("judgments", "run", "match"),
    [
        ({1: {"a": 1}}, {}, r"query 1 of the judgments is not text; pass str\(1\)"),
        ({"q": {3: 1}}, {}, "item 3 of the judgments is not text"),
        ({"q": {"a": 1.5}}, {}, "query 'q': a grade is a whole number, not 1.5"),
        ({"q": ["a"]}, {}, r"query 'q' of the judgments must be \{item: grade\}"),
        ([("q", "a", 1)], {}, r"the judgments must be \{query"),
        (JUDGMENTS, {1: {"a": 1.0}}, "query 1 of the run is not text"),
        (JUDGMENTS, {"q1": {3: 1.0}}, "item 3 of query 'q1' is not text"),
        (JUDGMENTS, {"q1": ["d1"]}, r"query 'q1' of the run must be \{item: score\}"),
        (JUDGMENTS, [("q1", "d1", 1.0)], r"the run must be \{query"),
    ],
)
def test_ids_that_are_not_text_and_other_types_are_errors_with_the_place(judgments, run, match):
    with pytest.raises(TypeError, match=match):
        pytrec_eval.RelevanceEvaluator(judgments, ["map"]).evaluate(run)


def test_levels_and_scores():
    with pytest.raises(TypeError, match="relevance_level must be a whole number of at least 1, not 0"):
        values_of(["map"], relevance_level=0)
    with pytest.raises(rg.InputError, match="score is nan"):
        values_of(["map"], run={"q1": {"d1": math.nan}})
    with pytest.raises(rg.InputError, match="score 'x' is not a number"):
        values_of(["map"], run={"q1": {"d1": "x"}})
    numpy_types = {"q1": {"d1": np.int64(1), "d2": np.int32(0), "d3": True}}
    assert values_of(["map"], judgments=numpy_types, run={"q1": {"d1": np.float32(1), "d2": 2}}) == {
        "q1": {"map": 0.25}
    }
    grades = {"d1": 1}
    evaluator = pytrec_eval.RelevanceEvaluator({"q1": grades}, ["map"])
    grades["d1"] = 0
    assert evaluator.evaluate(RUN)["q1"]["map"] == pytest.approx(1 / 3)  # the judgments were copied


def test_lines_of_trec_files():
    assert pytrec_eval.parse_qrel(["q 0 d 1\n", "q 0 e -1"]) == {"q": {"d": 1, "e": -1}}
    assert pytrec_eval.parse_run(["q Q0 d 1 1.5 name\n"]) == {"q": {"d": 1.5}}
    assert pytrec_eval.parse_run([])["q"] == {}
    for parse, lines, match in (
        (pytrec_eval.parse_run, ["q Q0 d 1 1.5 r", "q Q0 d 2 1 r"], "line 2: item 'd' is there for the second time"),
        (pytrec_eval.parse_run, ["q Q0 d 1 1.5"], "line 1: expected 6 fields"),
        (pytrec_eval.parse_run, ["q Q0 d 1 x r"], "line 1: score 'x' is not a number"),
        (pytrec_eval.parse_qrel, ["q 0 d x"], "line 1: grade 'x' is not a whole number"),
    ):
        with pytest.raises(rg.InputError, match=match):
            parse(lines)


def test_install_replaces_the_import_unless_the_original_is_in_use(monkeypatch):
    monkeypatch.setitem(sys.modules, "pytrec_eval", sys)
    with pytest.raises(rg.RankgaugeError, match="imported already"):
        pytrec_eval.install()
    monkeypatch.delitem(sys.modules, "pytrec_eval")
    assert pytrec_eval.install() is pytrec_eval is __import__("pytrec_eval")
    assert pytrec_eval.install() is pytrec_eval  # a second call changes nothing
