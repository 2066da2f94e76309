"""The drop-in for ranx: stored values of the original, its data structures, and clear errors."""

import json
import math
import warnings
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
def test_values_equal_those_of_ranx(world):
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


def test_queries_must_match_unless_make_comparable_is_set():
    run = Run({"q1": {"d1": 1.0}, "q9": {"d1": 1.0}})
    with pytest.raises(rg.InputError, match="different queries, first 'q2'; pass make_comparable=True"):
        evaluate(Qrels(QRELS), run, "mrr")
    assert evaluate(Qrels(QRELS), run, "mrr", make_comparable=True) == 0.5
    assert [*run] == ["q1", "q2"]


def test_equal_scores_that_can_change_a_value_are_warned_about():
    qrels = Qrels({"q": {"a": 1}, "p": {"b": 1}})
    with pytest.warns(rg.DataWarning, match="1 query has equal scores, first 'q'") as caught:
        evaluate(qrels, Run({"q": {"a": 1.0, "x": 1.0}, "p": {"b": 0.5, "c": 0.2}}), "mrr")
    assert caught[0].message.code == "RG212"
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        evaluate(qrels, Run({"q": {"a": 1.0, "x": 0.5, "y": 0.5}, "p": {"b": 0.5}}), "mrr")  # x and y are not relevant


def test_the_same_warning_is_shown_once():
    qrels, run = Qrels({"q": {"a": 1}}), Run({"q": {"a": 1.0, "z": 1.0}})
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        evaluate(qrels, run, "mrr")
        evaluate(qrels, run, ["map", "ndcg"])
    assert [warning.message.code for warning in caught] == ["RG212"]
    assert caught[0].lineno > 0


def test_a_warning_about_the_data_is_given_once_for_all_metrics():
    """Unjudged items were warned about for every depth: top 10, 5, 3 and 1."""
    qrels = Qrels({f"q{n}": {"a": 1, "b": 0} for n in range(12)})
    run = Run({f"q{n}": {"a": 0.9, "x": 0.8, "y": 0.7, "b": 0.6} for n in range(12)})
    names = ["ndcg@10", "ndcg@3", "map", "mrr", "precision@3", "hit_rate@2", "rbp.95", "rbp.80"]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        together = evaluate(qrels, run, names)
        assert [warning.message.code for warning in caught] == ["RG409"]
        assert together == {name: evaluate(qrels, run, name) for name in names}


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


def test_tables_have_the_attributes_of_ranx():
    """ranx' own tests read these; ``add_score`` leaves a table unsorted until it is evaluated or sorted."""
    run = Run()
    assert run.sorted is False
    for item, score in (("d1", 1), ("d2", 2), ("d3", 3)):
        run.add_score("q1", item, score)
    assert (run.sorted, run.size, [*run.run["q1"]]) == (False, 1, ["d1", "d2", "d3"])
    assert evaluate(Qrels({"q1": {"d2": 1}}), run, "mrr") == 0.5
    assert (run.sorted, [*run.run["q1"].items()]) == (True, [("d3", 3.0), ("d2", 2.0), ("d1", 1.0)])
    assert run.get_doc_ids_and_scores() == [run["q1"]]
    assert Qrels(QRELS).qrels["q2"] == {"d3": 1}


def test_evaluate_takes_one_array_per_query():
    """Rows of a run are ranked as they are, equal scores and repeated items included; ids may be numbers or text."""
    judged = [np.array([[1, 1], [4, 2]]), np.array([[3, 1]])]
    ranked = [np.array([[2, 1], [4, 1], [1, 1]]), np.array([[7.0, 1], [7.0, 1], [3.0, 1]])]
    assert evaluate(judged, ranked, "mrr", return_mean=False).tolist() == [0.5, 0.5]
    assert evaluate(np.array([judged[0]]), np.array([ranked[0]]), "recall@2") == 0.5
    qrels, run = Qrels(QRELS), Run(RUN)
    arrays = qrels.to_typed_list(), run.to_typed_list()
    assert [array.shape for array in arrays[0]] == [(3, 2), (1, 2)]
    for metric in ("map", "ndcg@5-l2", "bpref"):
        assert evaluate(*arrays, metric) == evaluate(qrels, run, metric)
    assert Run({"q": {}}).to_typed_list()[0].shape == (0, 2)
    with pytest.raises(rg.InputError, match=r"query 0: expected rows \[item, number\], found an array of shape \(2,\)"):
        evaluate([np.array([1, 2])], [np.array([[1, 2]])], "mrr")


@pytest.mark.parametrize("ending", ["json", "trec", "txt", "parquet"])
def test_tables_are_saved_and_read_again(tmp_path, ending):
    for table in (Qrels(QRELS), Run(RUN, name="bm25")):
        path = str(tmp_path / f"{type(table).__name__}.{ending}")
        table.save(path)
        table.save(path)  # replaces the file, as in ranx
        again = type(table).from_parquet(path) if ending == "parquet" else type(table).from_file(path)
        assert again.to_dict() == table.to_dict()
        assert again.name == (table.name if ending in {"trec", "txt"} else None)
    with pytest.raises(rg.ParameterError, match="kind must be 'json', 'trec' or 'parquet', not 'lz4'"):
        Run(RUN).save(str(tmp_path / "run.lz4"))
    (tmp_path / "no-tag").write_text("q1 Q0 d1 1 0.5\n")
    assert Run.from_file(str(tmp_path / "no-tag")).name is None


def test_reports_name_metrics_and_tests_as_ranx_does():
    report = compare(Qrels(QRELS), [Run(RUN, "first"), Run(RUN, "second")], ["map@10", "r-precision-l2", "rbp.95"])
    assert report.get_stat_test_label("student") == "paired Student's t-test"
    assert "paired Student's t-test, p at most 0.01" in report.to_latex()
    assert "MAP@10  R-Prec-l2  RBP.95" in " ".join(str(report).split()).replace(" ", "  ")
    assert (
        compare(Qrels(QRELS), [Run(RUN, "a"), Run(RUN, "b")], "mrr", "tukey").to_latex().count("Tukey's HSD test") == 1
    )


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


@pytest.mark.parametrize("metric", ["map", "map-l2", "map@5-l3", "ndcg@10-l2", "precision@5-l2", "bpref-l2"])
def test_unjudged_items_are_no_warning_where_all_judged_items_are_positive(metric):
    """With a level of relevance, judgments of relevant items only were taken for a pool."""
    positive = {f"q{query}": {f"d{item}": item % 3 + 1 for item in range(6)} for query in range(30)}
    lists = {query: {f"d{item * 3}": 1 / (item + 1) for item in range(20)} for query in positive}
    codes = {grade: set() for grade in (0, 1)}
    for lowest, seen in codes.items():
        qrels = {query: items | {"d99": lowest} for query, items in positive.items()}
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            evaluate(Qrels(qrels), Run(lists), metric)
        seen.update(warning.message.code for warning in caught if isinstance(warning.message, rg.DataWarning))
    assert "RG409" not in codes[1]
    assert ("RG409" in codes[0]) == (metric != "ndcg@10-l2")  # a grade of 0 is that of a pool


def test_ratings_are_no_pool_whatever_the_threshold():
    ratings = {f"u{user}": {f"i{item}": item % 5 + 1 for item in range(5)} for user in range(30)}
    lists = {user: [f"i{item * 4}" for item in range(10)] for user in ratings}
    for rel in (1, 4):
        scores = rg.evaluate(ratings, lists, "AP", convention=rg.Convention(rel=rel))
        assert "RG409" not in {finding.code for finding in scores.findings}
    pooled = {user: items | {"x": 0} for user, items in ratings.items()}
    with pytest.warns(rg.DataWarning, match="RG409"):
        rg.evaluate(pooled, lists, "AP", convention=rg.Convention(rel=4))
