"""Invalid input and output files are errors that name the file and the reason, in every command."""

import datetime as dt
import json
import math
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest

import rankgauge as rg
from command_line import here
from optional import needs
from reading import blocks, rows

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
    "compare": "compare qrels.csv {run} second=run.csv -m RR",
    "diff": "diff run.csv {run}",
    "reconcile": "reconcile qrels.csv {run} -m RR",
    "check": "check qrels.csv {run} --fail-if RR<0.1",
    "report": "report qrels.csv {run} second=run.csv -m RR -o out.html",
    "curve": "curve qrels.csv {run} -m P",
    "convert": "convert {run} -o out.tsv",
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


def test_columns_of_one_side_determine_the_role_of_a_file():
    """D3: the score has no name that is recognised."""
    assert here("convert", "other.csv", "-o", "out.tsv", "--columns", "ranking.score=p").code == 0
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
    result = here("convert", "run.csv", "-o", "/dev/full", "-t", form)
    assert result.code == 3
    assert "/dev/full: cannot be written" in result.err
    assert "No space left" in result.err


def test_missing_columns_are_named_once_each():
    """RG111 lists every missing column and how to name it."""
    Path("x.csv").write_text("a,b,c\n1,2,3\n")
    with pytest.raises(rg.InputError) as caught:
        rg.evaluate({"q": {"a": 1}}, "x.csv", "RR")
    text = str(caught.value)
    assert "no column for query, item and score or rank" in text
    assert 'columns={"ranking": {"query": "...", "item": "...", "score": "..."}}' in text


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


def test_an_empty_file_is_an_error_even_among_several_rankings():
    """A step that writes files probably failed."""
    Path("nothing.run").write_text("")
    with pytest.raises(rg.InputError, match=r"nothing\.run: the file has no data"):
        rg.evaluate({"q": {"a": 1}}, {"good": {"q": ["a"]}, "empty": "nothing.run"}, "RR")


def test_infinite_scores_survive_conversion_to_jsonl():
    """D8: they became null, and reading them back said that the score is missing."""
    Path("infinite.csv").write_text('query,item,score\nq,a,inf\nq,"b""é",2.5\nr,c,-inf\n')
    assert here("convert", "infinite.csv", "-o", "out.jsonl").code == 0
    assert "null" not in Path("out.jsonl").read_text()
    back, before = rows("out.jsonl", "ranking"), rows("infinite.csv", "ranking")
    assert back == before == [("q", "a", math.inf), ("q", 'b"é', 2.5), ("r", "c", -math.inf)]


@pytest.mark.parametrize("change", ["truncate", "append"])
def test_a_file_that_changes_while_it_is_read_is_an_error(change):
    """D18: other means with exit code 0."""
    lines = [f"q{number} Q0 d{number} 1 0.5 t\n" for number in range(50_000)]
    path = Path("long.run")
    path.write_text("".join(lines))
    read = blocks(path, "ranking", block_bytes=10_000)
    next(read)
    if change == "truncate":
        path.write_text("".join(lines[:1000]))
    else:
        with path.open("a") as file:
            file.write(lines[0])
    with pytest.raises(rg.InputError, match="changed while it was read") as caught:
        list(read)
    assert caught.value.codes == ("RG102",)


NAN = math.nan
IDS = {
    "empty": (["q", "q"], ["a", ""]),
    "empty query": (["q", ""], ["a", "b"]),
    "missing": (["q", "q"], ["a", None]),
    "missing query": (["q", None], ["a", "b"]),
    "NaN": (["q", "q"], [1.0, NAN]),
}


@pytest.mark.parametrize("role", ["judgments", "ranking"])
@pytest.mark.parametrize("form", ["polars", "pandas", "arrow", "parquet", "duckdb"])
@pytest.mark.parametrize("kind", IDS)
def test_missing_ids_in_tables_are_refused(kind, form, role):
    """D9: frames accepted empty ids, and NaN as the id of an item."""
    queries, items = IDS[kind]
    number = "grade" if role == "judgments" else "score"
    frame = pl.DataFrame({"query": queries, "item": items, number: [1.0, 0.5]})
    frame.write_parquet("rows.parquet")
    source = {
        "polars": lambda: frame,
        "pandas": lambda: pd.DataFrame({"query": queries, "item": items, number: [1.0, 0.5]}),
        "arrow": frame.to_arrow,
        "parquet": lambda: "rows.parquet",
        "duckdb": lambda: duckdb.from_arrow(frame.to_arrow()),
    }[form]()
    other = {"q": {items[0]: 1}}
    with pytest.raises(rg.InputError, match="an id is empty") as caught:
        rg.evaluate(*((source, other) if role == "judgments" else (other, source)), "RR")
    assert caught.value.codes == ("RG208",)


def test_ids_that_pandas_stored_as_floats_are_integers():
    """D9: 7.0 became the text '7.0' in frames, but 7 in Parquet files."""
    frame = pd.DataFrame({"query": [1.0, 1.0], "item": [7.0, 8.0], "score": [0.5, 0.9]})
    assert rg.evaluate({1: {8: 1}}, frame, "RR").mean("RR") == 1.0
    with pytest.raises(rg.InputError, match="ids must be text or integers"):
        rg.evaluate({1: {8: 1}}, frame.assign(item=[7.5, 8.0]), "RR")


@pytest.mark.parametrize(
    "values",
    [["0.9", "0.5"], [dt.date(2024, 1, 1), dt.date(2024, 1, 2)], [dt.timedelta(1), dt.timedelta(2)], [[1.0], [2.0]]],
)
def test_text_and_times_are_not_scores_or_grades(values):
    """D17: dates, timedeltas and text were accepted as scores of frames."""
    for role, number in (("judgments", "grade"), ("ranking", "score")):
        frame = pl.DataFrame({"query": ["q", "q"], "item": ["a", "b"], number: values})
        frame.write_parquet("rows.parquet")
        for source in (frame, frame.to_arrow(), frame.to_pandas(), "rows.parquet"):
            sides = (source, {"q": ["a"]}) if role == "judgments" else ({"q": {"a": 1}}, source)
            with pytest.raises(rg.InputError, match=rf"column '{number}' has type"):
                rg.evaluate(*sides, "RR")


@pytest.mark.parametrize("value", ["0.5", b"0.5", np.datetime64("2024-01-01"), np.timedelta64(5, "s"), None, "x"])
def test_scores_of_dicts_must_be_numbers_at_every_position(value):
    """Text after a number was converted: only the first score of a query was looked at."""
    with pytest.raises(rg.InputError, match="item 'b'") as caught:
        rg.evaluate({"q": {"a": 1}}, {"q": {"a": 0.9, "b": value}}, "RR")
    assert caught.value.codes == ("RG201",)


def test_a_pandas_column_of_numbers_and_words_is_reported_row_by_row():
    """D16: the whole frame was refused."""
    frame = pd.DataFrame({"query": ["q", "q"], "item": ["a", "b"], "score": [0.9, "high"]})
    with pytest.raises(rg.InputError, match=r"row 2: score 'high' is not a number") as caught:
        rg.evaluate({"q": {"a": 1}}, frame, "RR")
    assert caught.value.codes == ("RG201",)
    assert rg.evaluate({"q": {"a": 1}}, frame, "RR", lenient=True).mean("RR") == 1.0


@pytest.mark.parametrize("value", [True, False, {"a": 1}, [1]])
def test_ids_of_jsonl_are_text_or_numbers(value):
    """D17: objects and booleans were accepted as ids."""
    rows = [{"query": "q", "item": item, "score": 1} for item in ("a", value)]
    Path("x.jsonl").write_text("\n".join(map(json.dumps, rows)))
    with pytest.raises(rg.InputError, match=r"x.jsonl:2: the item id is") as caught:
        rg.evaluate({"q": {"a": 1}}, "x.jsonl", "RR")
    assert caught.value.codes == ("RG216",)


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "parquet", "arrow", "polars", "slow csv"])
def test_ranks_that_contradict_the_scores_are_reported_for_every_table(form):
    """D16: RG210 was missing for CSV and JSONL."""
    frame = pl.DataFrame(
        {"query": ["q", "q", "r"], "item": ["a", "b", "c"], "rank": [1, 2, 1], "score": [0.1, 0.9, 0.5]}
    )
    path = Path(f"run.{form.split()[-1]}")
    {
        "csv": frame.write_csv,
        "slow csv": frame.write_csv,
        "tsv": lambda path: frame.write_csv(path, separator="\t"),
        "jsonl": frame.write_ndjson,
        "parquet": frame.write_parquet,
        "arrow": frame.write_ipc,
        "polars": lambda _: None,
    }[form](path)
    if form == "slow csv":
        path.write_text(path.read_text() + "q,x,3\n")  # an invalid line
    scores = rg.evaluate({"q": {"a": 1}}, frame if form == "polars" else path, "RR", lenient=form == "slow csv")
    (finding,) = [finding for finding in scores.findings if finding.code == "RG210"]
    assert finding.count == 1
    assert "'a' has rank 1 and score 0.1 and 'b' has rank 2 and score 0.9 (query 'q')" in finding.examples[0]
    assert scores.mean("RR") == 0.5


def test_very_long_ids_of_frames_are_noted():
    """D16: RG209 was told for files only."""
    frame = pl.DataFrame({"query": ["q"], "item": ["x" * 1500], "score": [1.0]})
    assert "RG209" in {finding.code for finding in rg.evaluate({"q": {"a": 1}}, frame, "RR").findings}


def test_many_infinite_scores_are_counted_without_a_row_for_each():
    """Masked items of recommenders are -inf in millions of rows."""
    frame = pl.DataFrame({"query": ["q"] * 1000, "item": range(1000), "score": [-math.inf] * 999 + [1.0]})
    (finding,) = [finding for finding in rg.evaluate({"q": {999: 1}}, frame, "RR").findings if finding.code == "RG203"]
    assert (finding.count, len(finding.examples)) == (999, 5)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (({"q": {"a": 1}}, None, "AP"), "ranking: expected data, found None; pass a ranking, or rg.read"),
        (("https://example.com/qrels.csv", {"q": ["a"]}, "AP"), "addresses are not opened; download the file"),
        (({"q": {"a": 1}}, {"q": ["a"]}, "nDCG(gain='exp2'@5"), r"expected ',' or '\)', found '@'"),
        (
            (pd.DataFrame({"user": [1], "item": [2], "grade": [1]}).set_index("user"), {1: [2]}, "AP"),
            r"no column for query.*\n.*\nthe index \('user'\) is not read; pass frame.reset_index\(\)",
        ),
        (
            (pd.DataFrame({"user": [1], "item": [2], "liked_by": [3]}), {1: [2]}, "AP"),
            r"if every row is relevant: columns=\{\"grade\": None\}",
        ),
        (
            (
                pd.DataFrame({"user": [1], "item": [2], "score": [0.5]}),
                pd.DataFrame({"user": [1], "item": [2], "grade": [1]}),
                "AP",
            ),
            "the first holds a ranking and the second holds judgments",
        ),
    ],
)
def test_common_slips_are_explained(arguments, message):
    with pytest.raises(ValueError, match=message):
        rg.evaluate(*arguments)


def test_a_misspelt_rule_for_units_is_not_treated_as_a_file():
    with pytest.raises(ValueError, match=r"units must be .* such as 'before last _', not 'before _'"):
        rg.ReadOptions(units="before _")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["explain", "JUDGMENTS", "RANKING", "-m", "AP"], "pass --query, one of 'p', 'q'"),
        (["eval", "JUDGMENTS", "RANKING", "-m", "AP", "--units", "before last _"], "--rule units=rolled-up"),
        (["eval", "JUDGMENTS", "RANKING", "-m", "AP", "--rule", "units=rolled-up"], "pass --units, such as"),
        (["eval", "JUDGMENTS", "RANKING", "-m", "ERR"], "as in --rule max_grade=7"),
    ],
)
def test_messages_of_the_command_line_name_options_not_arguments(tmp_path, arguments, message):
    (tmp_path / "JUDGMENTS").write_text("p 0 a 7\nq 0 a 1\n")
    (tmp_path / "RANKING").write_text("p Q0 a 1 2 t\nq Q0 a 1 2 t\n")
    result = here(
        *(tmp_path / name if name.isupper() and name in {"JUDGMENTS", "RANKING"} else name for name in arguments)
    )
    assert message in result.err


def test_a_misspelt_query_is_answered_with_the_closest():
    judgments, ranking = {"winter coat": {"a": 1}, "boots": {"b": 1}}, {"winter coat": ["a"], "boots": ["b"]}
    with pytest.raises(rg.InputError) as caught:
        rg.explain(judgments, ranking, "AP", "winter cot")

    assert "did you mean 'winter coat'?" in caught.value.render("en")
    assert "是否指 'winter coat'？" in caught.value.render("zh")
    with pytest.raises(rg.InputError, match="which have 'winter coat', 'boots'"):
        rg.explain(judgments, ranking, "AP", "zzz")


def test_an_unknown_table_of_side_information_is_answered_with_the_closest():
    with pytest.raises(rg.ParameterError, match="did you mean 'popularity'"):
        rg.SideInformation(popularty={"a": 1})


def test_an_empty_leaderboard_file_has_a_code_and_a_remedy(tmp_path):
    (tmp_path / "empty.csv").write_text("")
    with pytest.raises(rg.InputError, match=r"RG101.*\nremedy: check the path") as caught:
        rg.leaderboard(tmp_path / "empty.csv")

    assert caught.value.codes == ("RG101",)


@pytest.mark.parametrize("table", ["leaderboard", "values"])
def test_a_table_with_a_header_only_has_the_code_of_an_empty_file(tmp_path, table):
    """A leaderboard named no file, and values were called means of a file that had none."""
    path = tmp_path / "head.csv"
    path.write_text("system,data_set,value\n" if table == "leaderboard" else "query,metric,value\n")
    read = rg.leaderboard if table == "leaderboard" else rg.read_scores
    with pytest.raises(rg.InputError, match=r"head\.csv: the file has no data \[RG101\]\nremedy: check the path"):
        read(path)


@pytest.mark.parametrize("option", ["texts", "clusters"])
def test_an_empty_file_of_texts_or_clusters_has_a_code_and_a_remedy(tmp_path, option):
    (tmp_path / "empty.csv").write_text("")
    judgments, rankings = {"q": {"a": 1}}, {"old": {"q": ["a"]}, "new": {"q": ["b"]}}
    verb = rg.report if option == "texts" else rg.tune
    with pytest.raises(rg.InputError, match=r"RG101.*\nremedy: check the path"):
        verb(judgments, rankings, "RR", **{option: tmp_path / "empty.csv"})


@pytest.mark.parametrize(
    "ranking",
    [
        {"q": ["a", True]},
        {"q": [True]},
        {"q": [7, np.True_]},
        {"q": {"a": 0.9, True: 0.5}},
        {"q": {True: 0.5}},
        {True: ["a"]},
        [("q", "a", 0.9), ("q", True, 0.5)],
        [{"query": "q", "item": True, "score": 0.5}],
        pl.DataFrame({"query": ["q"], "item": [True], "score": [0.5]}),
    ],
    ids=repr,
)
def test_true_is_no_id_in_any_form_although_its_text_is_judged(ranking):
    """A ranking in dicts was matched by the text of its ids; a frame, a file and records refused it."""
    judgments = {"q": {"a": 1, "True": 1}, "True": {"a": 1}}
    with pytest.raises(rg.InputError, match=r"RG216") as caught:
        rg.evaluate(judgments, ranking, "R")
    assert {*caught.value.codes} == {"RG216"}


@pytest.mark.parametrize("ids", [[True, False], np.array([True, False]), [1, np.True_]])
def test_true_is_no_id_of_a_query_of_arrays(ids):
    with pytest.raises(rg.InputError, match="query_ids: True is not an id"):
        rg.evaluate(np.array([1, 0]), np.array([0.5, 0.1]), "RR", query_ids=ids)


NO_IDS = {
    "True": [True, True, False, False],
    "1.5": [1.5, 1.5, 2.0, 2.0],
    "nan": [1.0, 1.0, math.nan, math.nan],
    "inf": [1.0, 1.0, math.inf, math.inf],
    "9007199254740992.0": [1.0, 1.0, 2.0**53, 2.0**53],
}


@pytest.mark.parametrize("wrong", NO_IDS)
@pytest.mark.parametrize("library", ["list", "numpy", "pandas", "polars", "torch", "jax"])
def test_a_query_of_arrays_is_text_or_a_whole_number_in_every_library(wrong, library):
    """Each NaN was a query of its own, and a mask on a device made two queries."""
    labels, scores, ids = [1.0, 0.0, 0.0, 1.0], [0.3, 0.5, 0.2, 0.9], NO_IDS[wrong]
    if library in {"torch", "jax"}:
        needs(library)
        array = __import__("torch").tensor
        if library == "jax":
            array = __import__("jax").numpy.array
            __import__("jax").config.update("jax_enable_x64", True)

        def call(queries):
            arrays = {"judgments": array(labels), "scores": array(scores), "query_ids": array(queries)}
            return getattr(rg, library).evaluate(metrics="RR", **arrays)
    else:
        array = {"list": list, "numpy": np.array, "pandas": pd.Series, "polars": pl.Series}[library]

        def call(queries):
            return rg.evaluate(np.array(labels), np.array(scores), "RR", query_ids=array(queries))

    with pytest.raises(
        rg.InputError, match=rf"query_ids: {wrong} is not an id; ids are text or whole numbers"
    ) as caught:
        call(ids)
    assert ("a mask does not say" in str(caught.value)) == (wrong == "True")
    assert call([1.0, 1.0, 2.0, 2.0]).per_query("RR") == {1: 0.5, 2: 1.0}


@pytest.mark.parametrize("missing", [None, pd.NA])
def test_a_missing_query_of_arrays_is_refused(missing):
    with pytest.raises(rg.InputError, match=r"query_ids: .* is not an id"):
        rg.evaluate(np.array([1, 0]), np.array([0.5, 0.1]), "RR", query_ids=["q", missing])


@pytest.mark.parametrize("side", ["judgments", "ranking"])
def test_true_is_not_a_query_id_on_either_side(side):
    """True equals 1, so that a ranking of the query True was that of the query 1."""
    sides = {"judgments": {1: {"a": 1}}, "ranking": {1: ["a"]}}
    sides[side] = {True: sides[side][1]}
    with pytest.raises(rg.InputError, match=rf"{side}: the query id is True \[RG216\]"):
        rg.evaluate(sides["judgments"], sides["ranking"], "RR")
