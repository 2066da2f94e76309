"""Findings that can change a conclusion are warnings in Python, at the line that called."""

import subprocess
import sys
import warnings

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from command_line import here

JUDGMENTS = {f"q{query}": {"a": 1, "b": 0} for query in range(12)}
GOOD = {query: {"a": 0.9, "b": 0.5} for query in JUDGMENTS}
CASES = {
    "RG402": ({"q0": ["a"]}, "judged query without results x11; query 'q1' [RG402]; "),
    "RG408": ({query: ["A", "B"] for query in JUDGMENTS}, "no item in common; "),
    "RG409": (
        {query: ["a", "x", "y", "b"] for query in JUDGMENTS},
        "50% of what is returned in the top 10 is unjudged",
    ),
    "RG410": (
        {query: dict.fromkeys("ab", 0.1) | {"b": 0.2, "c": 0.3} for query in JUDGMENTS},
        "the scores ascend in each of the first 12 lists",
    ),
}


@pytest.fixture(autouse=True)
def every_warning():
    """The suite ignores these warnings elsewhere."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", rg.DataWarning)
        yield


@pytest.mark.parametrize("code", CASES)
def test_a_finding_that_can_change_a_conclusion_is_a_warning(code):
    ranking, text = CASES[code]
    with pytest.warns(rg.DataWarning) as caught:
        rg.evaluate(JUDGMENTS, ranking, "RR").means()
    warning = next(warning for warning in caught if warning.message.code == code)
    assert text in str(warning.message)
    assert f"[{code}]" in str(warning.message)
    assert warning.filename == __file__


def test_warnings_name_the_system_and_come_from_every_verb():
    rankings = {"good": GOOD, "bad": CASES["RG408"][0]}
    for verb in (rg.evaluate, rg.compare, rg.curve, lambda *given: rg.Evaluator(given[0], given[2])(given[1])):
        with pytest.warns(rg.DataWarning, match="ranking 'bad'"):
            verb(JUDGMENTS, rankings, "P")


def test_data_without_findings_do_not_warn():
    rg.evaluate(JUDGMENTS, GOOD, ["nDCG@10", "AP"])


def test_warnings_follow_the_filters_of_python():
    program = """
import warnings, rankgauge as rg
judgments, ranking = {"q": {"a": 1}}, {"q": ["b"]}
for repeat in range(3):
    rg.evaluate(judgments, ranking, "RR")
warnings.filterwarnings("ignore", category=rg.DataWarning)
rg.evaluate(judgments, ranking, "P@1")
"""
    finished = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert finished.stderr.count("DataWarning") == 1
    assert "<string>:5: DataWarning: no item in common" in finished.stderr


def test_judgments_without_nonrelevant_items_are_not_called_incomplete():
    """What a user bought is known for few items by its nature."""
    rg.evaluate({query: ["a"] for query in JUDGMENTS}, CASES["RG409"][0], "RR")


def test_few_ascending_scores_may_be_chance():
    rg.evaluate({"q": {"a": 1}, "r": {"a": 1}}, {"q": {"a": 1, "b": 2}, "r": {"a": 1, "b": 2, "c": 3}}, "RR")


def test_the_command_line_writes_findings_instead_of_warnings(tmp_path):
    (tmp_path / "qrels.txt").write_text("1 0 a 1\n2 0 b 1\n")
    (tmp_path / "run.txt").write_text("1 Q0 a 1 0.5 t\n")
    result = here("eval", str(tmp_path / "qrels.txt"), str(tmp_path / "run.txt"), "-m", "RR")
    assert result.code == 0
    assert "DataWarning" not in result.err
    assert "RG402" in result.err


def test_a_diagnosis_shows_findings_without_warning():
    codes = {
        finding.code
        for finding in rg.doctor(
            rg.read(JUDGMENTS, role="judgments"), rg.read(CASES["RG409"][0], role="ranking")
        ).findings
    }
    assert "RG409" in codes


def test_a_value_that_replaces_0_by_0_is_a_warning_with_the_number_of_queries():
    """An AUC of 0 looked like that of a bad ranking where every judged item was relevant."""
    judgments = JUDGMENTS | {"q10": {"a": 2, "b": 1}, "q11": {"a": 5, "b": 5}}
    with pytest.warns(rg.DataWarning, match=r"^metric is 0/0 although items are relevant x2; AUC, query 'q10' \[RG413"):
        scores = rg.evaluate(judgments, GOOD, "AUC")
    assert scores.mean() == 10 / 12

    rg.evaluate(judgments, GOOD, "AUC", convention=rg.Convention(undefined="skip"))
    rg.evaluate(judgments, GOOD, ["nDCG", "AP", "P@1"])


DISTANCES = {
    "frame": lambda table, _: table,
    "pandas": lambda table, _: table.to_pandas(),
    "records": lambda table, _: table.to_dicts(),
    "csv": lambda table, path: table.write_csv(path),
    "jsonl": lambda table, path: table.write_ndjson(path),
    "json": lambda table, path: table.write_json(path),
    "parquet": lambda table, path: table.write_parquet(path),
}


@pytest.mark.parametrize("form", DISTANCES)
@pytest.mark.parametrize("name", ["distance", "dist", "_distance", "距离"])
def test_a_column_that_is_named_as_a_distance_is_no_score(name, form, tmp_path):
    """Two rows were too few to notice that the scores ascend."""
    table, path = pl.DataFrame({"query": ["q", "q"], "item": ["a", "b"], name: [0.1, 0.9]}), tmp_path / f"run.{form}"
    source = DISTANCES[form](table, path)
    source = path if source is None else source
    for read in ({}, {"columns": {"score": name}}):
        with pytest.raises(rg.InputError, match="is a distance by its name, and a smaller one is better") as caught:
            rg.evaluate({"q": {"a": 1}}, source, "RR", **read)
        assert caught.value.codes == ("RG410",)
    with pytest.raises(rg.InputError, match="RG410"):
        rg.evaluate(np.array([1, 0]), table[name], "RR", query_ids=[1, 1])


def test_a_distance_beside_a_score_or_in_a_list_of_hits_changes_nothing():
    table = pl.DataFrame({"query": ["q", "q"], "item": ["a", "b"], "score": [-0.1, -0.9], "distance": [0.1, 0.9]})
    hits = {"q": [{"id": "a", "distance": 0.1}, {"id": "b", "distance": 0.9}]}
    for ranking in (table, hits):
        assert rg.evaluate({"q": {"a": 1}}, ranking, "RR").mean() == 1
