"""Invalid input and output files are errors that name the file and the reason, in every command."""

import math
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from command_line import here
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.formats.reader import read_blocks

RUN, QRELS = "query,item,score\nq,a,1\nq,b,.5\n", "query,item,grade\nq,a,1\nq,b,0\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "run.csv": RUN,
        "qrels.csv": QRELS,
        "bad.csv": "query,item,score\nq,a,high\n",
        "bad.run": "q Q0 a 1 high t\n",
        "other.csv": "query,item,p\nq,a,1\n",
    }.items():
        Path(name).write_text(text)


COMMANDS = {
    "eval": "eval qrels.csv {run} -m RR",
    "explain": "explain qrels.csv {run} -m RR",
    "compare": "compare qrels.csv {run} run.csv -m RR",
    "diff": "diff run.csv {run}",
    "reconcile": "reconcile qrels.csv {run} -m RR",
    "check": "check qrels.csv {run} --fail-if RR<0.1",
    "report": "report qrels.csv {run} run.csv -m RR -o out.html",
    "curve": "curve qrels.csv {run} -m P",
    "convert": "convert {run} out.tsv",
    "doctor": "doctor {run}",
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("form", ["parquet", "arrow", "jsonl", "letor"])
def test_a_wrong_format_is_an_input_error_with_the_file(command, form):
    """D3: ``--format parquet`` for a CSV file was reported as a bug of rankgauge."""
    sides = form if command in {"convert", "doctor", "diff"} else f"judgments=csv,ranking={form}"
    result = here(*COMMANDS[command].format(run="run.csv").split(), "--format", sides)
    if command == "doctor" and form == "letor":  # its lines are invalid, which doctor lists
        assert (result.code, "RG110" in result.out) == (1, True)
        return
    assert result.code == 3, result.err
    assert "run.csv" in result.err
    assert "bug" not in result.err


@pytest.mark.parametrize("command", COMMANDS)
def test_columns_of_one_side_work_in_every_command(command):
    """D3: ``--columns ranking.query=query`` failed in ``doctor`` and ``convert`` ('dict' has no attribute 'isdigit')."""
    line = COMMANDS[command].format(run="run.csv").split()
    result = here(*line, "--columns", "ranking.query=nothing")
    assert result.code == 3
    assert "run.csv:1: no column 'nothing' for query" in result.err
    assert here(*line, "--columns", "ranking.query=query,ranking.score=score").code == 0


def test_columns_of_one_side_tell_the_role_of_a_file():
    """D3: the score has no name that is recognised."""
    assert here("convert", "other.csv", "out.tsv", "--columns", "ranking.score=p").code == 0
    assert Path("out.tsv").read_text() == "query\titem\tscore\nq\ta\t1.0\n"
    result = here("doctor", "other.csv")
    assert result.code == 3
    assert "other.csv: no grade, score or rank among the columns" in result.err
    assert "[RG111]" in result.err


@pytest.mark.parametrize("text", ["ranking=x,ranking.query=y", "ranking.query=y,ranking=x", "judgments=x"])
def test_a_side_without_a_column_is_a_usage_error(text):
    """D3: it was a TypeError."""
    result = here("eval", "qrels.csv", "run.csv", "--columns", text)
    assert result.code == 2
    assert "is not a column" in result.err


@pytest.mark.parametrize("run", ["bad.csv", "bad.run"])
@pytest.mark.parametrize("command", COMMANDS)
def test_lenient_reading_that_drops_every_row_is_an_input_error_with_the_file(command, run):
    """D3: ``diff``, ``explain`` and ``reconcile`` said "cannot concat empty list"; ``convert`` wrote an empty file."""
    result = here(*COMMANDS[command].format(run=run).split(), "--lenient")
    if command == "doctor":
        assert (result.code, "RG201" in result.out) == (1, True)
        return
    assert result.code == 3
    assert f"{run}: no row is valid" in result.err
    assert "score 'high' is not a number" in result.err
    assert not Path("out.tsv").exists()


@pytest.mark.parametrize("form", ["dict", "rows", "polars", "array"])
def test_lenient_reading_that_drops_every_row_is_an_error_for_data_in_memory(form):
    """D3: the value was 0."""
    nan = math.nan
    ranking = {
        "dict": {"q": {"a": nan}},
        "rows": [("q", "a", nan)],
        "polars": pl.DataFrame({"query": ["q"], "item": ["a"], "score": [nan]}),
        "array": np.array([[nan]]),
    }[form]
    judgments = {"q": {"a": 1}} if form != "array" else np.array([[1]])
    with pytest.raises(rg.InputError, match="is valid") as caught:
        rg.evaluate(judgments, ranking, "RR", lenient=True)
    assert "RG101" in caught.value.codes


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("form", ["parquet", "arrow", "csv", "tsv", "jsonl", "trec"])
def test_a_full_disk_is_an_error_with_the_file(form):
    """D3: ``convert`` to Parquet reported a bug of rankgauge, and no message named the file."""
    result = here("convert", "run.csv", "/dev/full", "-t", form)
    assert result.code == 3
    assert "/dev/full: cannot be written" in result.err
    assert "No space left" in result.err


def test_missing_columns_are_named_once_each():
    """RG111 lists every missing column and how to name it."""
    Path("x.csv").write_text("a,b,c\n1,2,3\n")
    with pytest.raises(rg.InputError) as caught:
        rg.evaluate({"q": {"a": 1}}, "x.csv", "RR")
    text = str(caught.value)
    assert "no column for query and item and score or rank" in text
    assert 'columns={"query": "...", "item": "...", "score": "..."}' in text


EMPTY = {
    "dict": dict,
    "list": list,
    "polars": lambda: pl.DataFrame({"query": [], "item": [], "score": []}),
    "lazy": lambda: pl.DataFrame({"query": [], "item": [], "score": []}).lazy(),
    "arrow": lambda: pl.DataFrame({"query": [], "item": [], "score": []}).to_arrow(),
    "header": lambda: "empty.csv",
    "parquet": lambda: "empty.parquet",
}


@pytest.mark.parametrize("form", EMPTY)
def test_an_empty_table_among_several_rankings_is_a_system_that_returned_nothing(form):
    """It behaves as ``{}`` does, whatever the form; alone it is an error."""
    Path("empty.csv").write_text("query,item,score\n")
    pl.DataFrame({"query": [], "item": [], "score": []}).write_parquet("empty.parquet")
    judgments, good, empty = {"q": {"a": 1}}, {"q": ["a"]}, EMPTY[form]
    both = {"good": good, "empty": empty()}
    assert rg.evaluate(judgments, both, "RR").system("empty").per_query("RR") == {"q": 0.0}
    assert rg.compare(judgments, both, "RR").scores.system("empty").per_query("RR") == {"q": 0.0}
    assert rg.report(judgments, both, "RR").contents.scores.system("empty").per_query("RR") == {"q": 0.0}
    for alone in (empty(), {"empty": empty()}):
        with pytest.raises(rg.InputError) as caught:
            rg.evaluate(judgments, alone, "RR")
        assert {*caught.value.codes} <= {"RG101", "RG401"}


def test_a_file_of_no_bytes_is_an_error_even_among_several_rankings():
    """A step that writes files probably failed."""
    Path("nothing.run").write_text("")
    with pytest.raises(rg.InputError, match=r"nothing\.run: the file has no data"):
        rg.evaluate({"q": {"a": 1}}, {"good": {"q": ["a"]}, "empty": "nothing.run"}, "RR")


def test_infinite_scores_survive_conversion_to_jsonl():
    """D8: they became null, and reading them back said that the score is missing."""
    Path("infinite.csv").write_text('query,item,score\nq,a,inf\nq,"b""é",2.5\nr,c,-inf\n')
    assert here("convert", "infinite.csv", "out.jsonl").code == 0
    assert "null" not in Path("out.jsonl").read_text()
    (back,) = read_blocks("out.jsonl", "ranking", findings=Findings(), lenient=False)
    (before,) = read_blocks("infinite.csv", "ranking", findings=Findings(), lenient=False)
    assert back.rows() == before.rows() == [("q", "a", math.inf), ("q", 'b"é', 2.5), ("r", "c", -math.inf)]


@pytest.mark.parametrize("change", ["truncate", "append"])
def test_a_file_that_changes_while_it_is_read_is_an_error(change):
    """D18: other means with exit code 0."""
    rows = [f"q{number} Q0 d{number} 1 0.5 t\n" for number in range(50_000)]
    path = Path("long.run")
    path.write_text("".join(rows))
    blocks = read_blocks(path, "ranking", findings=Findings(), lenient=False, block_bytes=10_000)
    next(blocks)
    if change == "truncate":
        path.write_text("".join(rows[:1000]))
    else:
        with path.open("a") as file:
            file.write(rows[0])
    with pytest.raises(rg.InputError, match="changed while it was read") as caught:
        list(blocks)
    assert caught.value.codes == ("RG102",)
