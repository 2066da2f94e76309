"""One file with the rankings of several systems: read from a pipe, too, and picked by FILE/SYSTEM."""

import re

import pytest

import rankgauge as rg
from command_line import here

ROWS = ["system,query,item,score", "a,q,x,2", "a,q,y,1", "b,q,y,2", "b,q,x,1"]
JUDGMENTS = {"q": {"x": 1}}


@pytest.fixture
def runs(tmp_path):
    path = tmp_path / "runs.csv"
    path.write_text("\n".join(ROWS) + "\n")
    return path


@pytest.fixture
def judgments(tmp_path):
    path = tmp_path / "judgments.csv"
    path.write_text("query,item,grade\nq,x,1\n")
    return path


def test_a_stream_that_names_systems_is_several_rankings(runs, judgments):
    with runs.open("rb") as stream:
        scores = rg.evaluate(judgments, stream, "RR")
    assert [scores.mean("RR", system) for system in scores.systems] == [1, 0.5]
    assert scores.systems == rg.evaluate(JUDGMENTS, runs, "RR").systems


def test_one_system_of_a_file_is_a_ranking(runs, judgments):
    assert rg.evaluate(JUDGMENTS, f"{runs}/b", "RR").mean() == 0.5
    assert rg.explain(JUDGMENTS, runs / "b", "RR", "q").value == 0.5
    assert rg.diff(f"{runs}/a", f"{runs}/b").tau_b == -1
    scores = rg.compare(JUDGMENTS, [runs / "a", runs / "b"], "RR").scores
    assert scores.systems == ("a", "b")
    assert rg.pool([runs / "a"], depth=1).pairs() == [("q", "x")]
    assert rg.check(JUDGMENTS, runs / "b", "RR < 0.4", baseline=runs / "a")
    command = here("eval", judgments, f"new={runs}/b", "-m", "RR")
    assert re.search(r"new +0\.5000", command.out)


def test_one_system_of_a_file_is_converted(runs, tmp_path):
    target = tmp_path / "b.trec"
    assert "FILE/SYSTEM" in here("convert", runs, "-o", target).err
    assert here("convert", f"{runs}/b", "-o", target).code == 0
    assert target.read_text() == "q Q0 y 1 2.0 rankgauge\nq Q0 x 2 1.0 rankgauge\n"


def test_the_error_of_several_systems_says_how_to_pick_one(runs, judgments):
    result = here("explain", judgments, runs, "--query", "q")
    assert (result.code, f"pass one of them: {runs}/a" in result.err) == (2, True)
    assert "只能给出一个" in here("explain", judgments, runs, "--query", "q", "--lang", "zh").err
    with pytest.raises(rg.UnknownNameError, match="unknown system 'c'; known: a, b"):
        rg.evaluate(JUDGMENTS, f"{runs}/c", "RR")
    with pytest.raises(rg.InputError, match="does not name systems; pass it without /x"):
        rg.evaluate(JUDGMENTS, f"{judgments}/x", "RR")
