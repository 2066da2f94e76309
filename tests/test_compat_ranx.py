"""The drop-in for ranx: stored values of the original, its data structures, and clear errors."""

import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rankgauge as rg
from rankgauge.compat.ranx import Qrels, Run, compare, evaluate

WORLDS = json.loads((Path(__file__).parent / "data" / "partners" / "ranx.json").read_text())
QRELS = {"q2": {"d3": 1}, "q1": {"d1": 1, "d2": 2, "d4": 0}}
RUN = {"q1": {"d1": 0.5, "d2": 0.9}, "q2": {"d9": 0.7, "d3": 0.6}}


@pytest.mark.parametrize("world", WORLDS)
def test_values_are_those_of_ranx(world):
    names = [*world["values"]]
    run = Run(world["run"])
    means = evaluate(Qrels(world["judgments"]), run, names)
    columns = evaluate(world["judgments"], world["run"], names, return_mean=False)
    for name, expected in world["values"].items():
        assert run.scores[name] == pytest.approx(expected, abs=1e-12), name
        assert columns[name].tolist() == pytest.approx([expected[query] for query in sorted(expected)], abs=1e-12)
        assert means[name] == run.mean_scores[name] == pytest.approx(np.mean([*expected.values()]), abs=1e-12)


def test_one_metric_is_a_number_and_deviations_are_kept():
    run = Run(RUN)
    assert evaluate(Qrels(QRELS), run, "mrr") == 0.75
    assert evaluate(Qrels(QRELS), run, "mrr", return_std=True) == {"mean": 0.75, "std": 0.25}
    assert run.std_scores == {"mrr": 0.25}
    assert evaluate(QRELS, RUN, "hits@2", return_mean=False).tolist() == [2, 1]
    other = Run(RUN)
    evaluate(Qrels(QRELS), other, "mrr", save_results_in_run=False)
    assert other.scores == {}


def test_queries_must_be_the_same_unless_they_are_made_comparable():
    run = Run({"q1": {"d1": 1.0}, "q9": {"d1": 1.0}})
    with pytest.raises(rg.InputError, match="different queries, first 'q2'; pass make_comparable=True"):
        evaluate(Qrels(QRELS), run, "mrr")
    assert evaluate(Qrels(QRELS), run, "mrr", make_comparable=True) == 0.5
    assert [*run] == ["q1", "q2"]


def test_names_of_metrics():
    for wrong in ("ndgc@5", "ndcg.5", "mrr@x", 3):
        with pytest.raises(rg.UnknownNameError, match="metric of ranx"):
            evaluate(QRELS, RUN, [wrong])
    with pytest.raises(rg.ParameterError, match="rbp needs the persistence"):
        evaluate(QRELS, RUN, "rbp")
    assert evaluate(QRELS, RUN, "rbp.50") == evaluate(QRELS, RUN, "rbp@50") == (0.5 * (2 + 0.5) + 0.5 * 0.5) / 2


def test_tables_are_sorted_and_can_be_changed():
    qrels, run = Qrels(QRELS, name="judgments"), Run(name="empty")
    assert [*qrels.keys()] == ["q1", "q2"] == qrels.get_query_ids()
    assert [*qrels["q1"]] == ["d2", "d1", "d4"]
    run.add_score("q1", "d1", 1)
    run.add("q0", ["a", "b"], [0.1, 0.2])
    run.add_multi(["q2"], [["c"]], [[3]])
    assert run.to_dict() == {"q0": {"b": 0.2, "a": 0.1}, "q1": {"d1": 1.0}, "q2": {"c": 3.0}}
    assert len(run) == 3
    qrels.set_relevance_level(2)
    assert qrels["q1"] == {"d2": 1, "d1": 0, "d4": -1}
    assert Qrels({"q": {"a": 1.7}})["q"] == {"a": 1}


def test_tables_are_read_from_files_and_frames(tmp_path):
    (tmp_path / "run.json").write_text(json.dumps(RUN))
    (tmp_path / "run.trec").write_text("q1 Q0 d1 1 0.5 x\nq1 Q0 d2 2 0.9 x\nq2 Q0 d9 1 0.7 x\nq2 Q0 d3 2 0.6 x\n")
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\nq1 0 d2 2\nq1 0 d4 0\nq2 0 d3 1\n")
    frame = Run(RUN).to_dataframe()
    assert isinstance(frame, pd.DataFrame)
    for run in (
        Run.from_file(str(tmp_path / "run.json")),
        Run.from_file(str(tmp_path / "run.trec"), name="named"),
        Run.from_df(frame),
        Run.from_df(pl.DataFrame(frame).rename({"q_id": "session"}), q_id_col="session"),
        Run.from_dict(RUN),
    ):
        assert run.to_dict() == Run(RUN).to_dict()
    assert Qrels.from_file(str(tmp_path / "qrels.txt")).to_dict() == Qrels(QRELS).to_dict()


def test_comparison(tmp_path):
    first, second = Run(RUN, "first"), Run({"q1": {"d9": 0.9, "d1": 0.5}, "q2": {"d8": 0.7}}, "second")
    report = compare(Qrels(QRELS), [first, second, Run(RUN)], ["mrr", "ndcg@5"], max_p=0.9)
    assert report.model_names == ["first", "second", "run_3"]
    assert report.results["first"]["mrr"] == 0.75
    assert report.comparisons["second", "first"]["mrr"] == report.comparisons[{"first", "second"}]["mrr"]
    assert report.comparisons["first", "run_3"]["mrr"] == {"p_value": 1.0, "significant": False}
    assert math.isnan(report.comparisons["first", "second"]["mrr"]["p_value"])  # both differences are 0.5
    assert "0.750" in str(report)
    assert r"\toprule" in report.to_latex()
    assert report.to_dataframe()["mrr"].tolist() == [0.75, 0.25, 0.75]
    report.save(str(tmp_path / "report.json"))
    assert json.loads((tmp_path / "report.json").read_text())["first"]["win_tie_loss"]["second"]["mrr"]["W"] == 2
    for test in ("fisher", "tukey"):
        assert compare(Qrels(QRELS), [first, second], "mrr", test).to_dict()["first"]["comparisons"]["second"][
            "mrr"
        ] > 0 or (test == "tukey")
    with pytest.raises(rg.ParameterError, match="different names"):
        compare(Qrels(QRELS), [first, first], "mrr")
    with pytest.raises(rg.ParameterError, match="stat_test"):
        compare(Qrels(QRELS), [first, second], "mrr", "wilcoxon")
