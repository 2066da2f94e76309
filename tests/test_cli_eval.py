"""``rankgauge eval``: values, formats, files and exit codes."""

import csv
import gzip
import io
import json
import re
from pathlib import Path

import polars as pl
import pytest

import rankgauge as rg
from command_line import here, raw
from rankgauge import example

METRICS = ["nDCG@5", "AP"]
COLUMNS = ("system", "query", "metric", "value", "convention", "schema")
SCORES = rg.evaluate(example.JUDGMENTS, example.SYSTEMS, METRICS)


def evaluated(*more):
    return here("eval", "judgments.csv", "keywords.csv", "embeddings.csv", "-m", "nDCG@5", "-m", "AP", *more)


@pytest.mark.usefixtures("example_folder")
def test_a_table_shows_systems_side_by_side_above_the_definition():
    result = evaluated()

    lines = result.out.splitlines()
    assert result.code == 0
    assert lines[0].split() == ["system", "nDCG@5", "AP"]
    for line, system in zip(lines[2:4], SCORES.systems, strict=True):
        assert line.split() == [system, *(f"{SCORES.mean(metric, system):.4f}" for metric in METRICS)]
    assert "gain=linear · discount=log2(i+1)" in result.out
    assert result.err == "note RG212: tied scores at judged items x3; keywords: query '功夫片'\n"


@pytest.mark.usefixtures("example_folder")
def test_values_of_queries_and_digits():
    result = here("eval", "judgments.csv", "keywords.csv", "-m", "AP", "-q", "--digits", "6", "--quiet")

    cells = [re.split(r"\s{2,}", line) for line in result.out.splitlines()[2:6]]
    expected = {**SCORES.per_query("AP", "keywords"), "all": SCORES.mean("AP", "keywords")}
    assert {query: value for _, query, value in cells} == {query: f"{value:.6f}" for query, value in expected.items()}
    assert result.err == ""


@pytest.mark.usefixtures("example_folder")
@pytest.mark.parametrize(("to", "separator"), [("csv", ","), ("tsv", "\t")])
def test_tables_for_programs_read_back_to_the_same_digits(to, separator):
    rows = [*csv.DictReader(io.StringIO(raw_text(to, "-q")), delimiter=separator)]

    assert tuple(rows[0]) == COLUMNS
    assert_long_rows(rows)


@pytest.mark.usefixtures("example_folder")
def test_jsonl_reads_back_to_the_same_digits():
    rows = [json.loads(line) for line in raw_text("jsonl", "-q").splitlines()]

    assert tuple(rows[0]) == COLUMNS
    assert_long_rows(rows)


@pytest.mark.usefixtures("example_folder")
def test_parquet_reads_back_to_the_same_digits():
    data = evaluated_bytes("parquet", "-q")

    assert_long_rows(pl.read_parquet(io.BytesIO(data)).to_dicts())
    metadata = json.loads(pl.read_parquet_metadata(io.BytesIO(data))["rankgauge"])
    assert (metadata["schema"], metadata["convention"]["gain"]) == (1, "linear")


def raw_text(to, *more):
    return evaluated_bytes(to, *more).decode()


def evaluated_bytes(to, *more):
    files = ("judgments.csv", "keywords.csv", "embeddings.csv")
    return raw("eval", *files, "-m", "nDCG@5", "-m", "AP", "--quiet", "-t", to, *more)


def assert_long_rows(rows):
    found = {(row["system"], row["query"], row["metric"]): float(row["value"]) for row in rows}
    for system in SCORES.systems:
        for metric in METRICS:
            expected = {**SCORES.per_query(metric, system), "all": SCORES.mean(metric, system)}
            assert {query: found[system, query, metric] for query in expected} == expected
    assert len(found) == len(rows) == 2 * 2 * 4
    assert {str(row["schema"]) for row in rows} == {"1"}
    assert {row["convention"] for row in rows} == {rg.parse(metric).line() for metric in METRICS}


@pytest.mark.usefixtures("example_folder")
def test_json_has_everything_whatever_the_number_of_systems():
    data = json.loads(raw_text("json"))
    single = json.loads(raw("eval", "judgments.csv", "keywords.csv", "-m", "AP", "--quiet", "-t", "json"))

    origin = {name: data[name] for name in ("rankgauge", "date", "inputs", "findings", "provenance")}
    assert data == json.loads(SCORES.to_json()) | origin
    assert single["systems"]["keywords"]["mean"] == {"AP": SCORES.mean("AP", "keywords")}
    assert (single["schema"], single["convention"]["gain"]) == (1, "linear")


@pytest.mark.usefixtures("example_folder")
def test_format_trec_has_the_layout_of_trec_eval():
    lines = raw("eval", "judgments.csv", "keywords.csv", "-m", "nDCG@5", "--quiet", "-t", "trec").decode()

    assert lines == f"ndcg_cut_5            \tall\t{SCORES.mean('nDCG@5', 'keywords'):.4f}\n"


@pytest.mark.usefixtures("example_folder")
@pytest.mark.parametrize(("to", "word"), [("md", "| :--- | ---: | ---: |"), ("latex", r"\toprule")])
def test_documents_have_the_definition(to, word):
    result = evaluated("-t", to)

    assert word in result.out
    assert "discount=log2(i+1)" in result.out


@pytest.mark.usefixtures("example_folder")
def test_lang_is_accepted_before_and_after_the_command():
    assert "所用定义" in evaluated("--lang", "zh").out
    assert "所用定义" in here("--lang", "zh", "eval", "judgments.csv", "keywords.csv").out
    assert "已标注物品的分数并列" in evaluated("--lang", "zh").err


@pytest.mark.usefixtures("example_folder")
def test_rules_and_conventions_change_the_numbers():
    result = evaluated("--rule", "gain=exp2", "--rule", "ties=mean", "-t", "json")
    rules = rg.Convention(gain="exp2", ties="mean")

    expected = rg.evaluate(example.JUDGMENTS, example.SYSTEMS, METRICS, convention=rules).mean("nDCG@5", "keywords")
    data = json.loads(result.out)
    assert data["systems"]["keywords"]["mean"]["nDCG@5"] == expected
    assert data["convention"]["gain"] == "exp2"
    named = json.loads(evaluated("--convention", "trec_eval-9", "--rule", "rel=2", "-t", "json").out)["convention"]
    assert (named["score_precision"], named["rel"]) == ("float32", 2)


@pytest.mark.parametrize(
    ("more", "code", "words"),
    [
        (["-m", "nDGC"], 2, "did you mean 'nDCG'"),
        (["-m", "P@0"], 2, "whole number of at least 1"),
        (["--rule", "gain=expo"], 2, "gain"),
        (["--rule", "gian=exp2"], 2, "did you mean 'gain'"),
        (["--rule", "gain"], 2, "name=value"),
        (["--rule", "rel=1", "--rule", "rel=2"], 2, "given twice"),
        (["--rule", "gain={0:x}"], 2, "a table of gains"),
        (["--convention", "trec_eval-99"], 2, "unknown preset"),
        (["--columns", "query"], 2, "such as query=session"),
        (["--columns", "query=nope"], 3, "RG111"),
        (["--columns", "rankng.query=q"], 2, "did you mean 'ranking'"),
        (["--columns", "ranking=q"], 2, "is not a column"),
        (["--format", "xml"], 2, "'xml' is not one of"),
        (["--format", "judgments=csv,ranking=xml"], 2, "'xml' is not one of"),
        (["--format", "run=csv"], 2, "unknown key of format 'run'"),
        (["nowhere.csv"], 3, "cannot be read"),
        (["empty.csv"], 4, "RG101"),
        (["other.csv"], 4, "RG401"),
        (["wrong.csv"], 3, "RG201"),
        (["-", "-"], 2, "only one file can be read from standard input"),
        (["a=keywords.csv", "a=embeddings.csv"], 2, "two rankings are named 'a'"),
    ],
)
def test_exit_codes(example_folder, more, code, words):
    (example_folder / "empty.csv").write_text("")
    (example_folder / "other.csv").write_text("query,item,score\nelsewhere,a,1\n")
    (example_folder / "wrong.csv").write_text("query,item,score\nheist,a,high\n")

    result = here("eval", "judgments.csv", "keywords.csv", *more)

    assert result.code == code
    assert words in result.err
    assert result.out == ""
    assert "Traceback" not in result.err


def test_each_side_has_its_own_columns_and_format(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels.txt").write_text("1 0 a 1\n1 0 b 0\n")
    (tmp_path / "run.dat").write_text("who,what,p\n1,b,2\n1,a,1\n")

    said = "ranking.query=who,ranking.item=what,score=p"
    result = here(
        "eval", "qrels.txt", "run.dat", "-m", "RR", "--columns", said, "--format", "judgments=trec,ranking=csv"
    )

    assert result.code == 0, result.err
    assert result.out.splitlines()[2].split() == ["run", "0.5000"]


def test_undefined_values_are_errors_if_the_convention_says_so(example_folder):
    (example_folder / "none.csv").write_text("query,item,grade\nheist,Heat,0\n")

    result = here("eval", "none.csv", "keywords.csv", "-m", "AP", "--rule", "undefined=error")

    assert (result.code, result.out) == (3, "")
    assert "query 'heist': AP is 0/0" in result.err


def test_lenient_reading_drops_and_counts_invalid_rows(example_folder):
    (example_folder / "wrong.csv").write_text("query,item,score\nheist,Heat,high\nheist,Ronin,1\nheist,Casino,low\n")

    result = here("eval", "judgments.csv", "wrong.csv", "-m", "RR", "--lenient", "-t", "tsv")

    assert result.code == 0
    assert "warning RG201: score is not a number x2; wrong.csv:2" in result.err
    assert [line.split(":")[0] for line in result.err.splitlines()] == ["warning RG201", "warning RG402"]


def test_names_of_systems_are_made_unique(example_folder):
    (example_folder / "other").mkdir()
    (example_folder / "other" / "keywords.csv.gz").write_bytes(
        gzip.compress((example_folder / "keywords.csv").read_bytes())
    )

    result = here("eval", "judgments.csv", "keywords.csv", "other/keywords.csv.gz", "mine=keywords.csv", "-m", "AP")

    systems = [line.split() for line in result.out.splitlines()[2:5]]
    assert [name for name, _ in systems] == ["keywords", "other/keywords", "mine"]
    assert len({value for _, value in systems}) == 1


def test_a_path_with_an_equals_sign_is_a_path(example_folder):
    (example_folder / "lr=0.1.csv").write_bytes((example_folder / "keywords.csv").read_bytes())

    assert here("eval", "judgments.csv", "lr=0.1.csv", "-m", "AP").out.splitlines()[2].split()[0] == "lr=0.1"


def test_an_output_file_is_written_atomically_and_replaced_only_with_force(example_folder):
    before, target = {path.name for path in example_folder.iterdir()}, example_folder / "scores.json"

    assert evaluated("-o", target).out == ""
    assert json.loads(target.read_text(encoding="utf-8"))["schema"] == 1
    target.write_text("mine")
    refused = evaluated("-o", target)
    assert (refused.code, target.read_text()) == (6, "mine")
    assert "--force" in refused.err
    assert evaluated("-o", target, "--force").code == 0
    assert target.read_text() != "mine"
    assert evaluated("--output", example_folder).code == 2
    assert evaluated("--output", example_folder / "no" / "such" / "folder.txt").code == 3
    assert {path.name for path in example_folder.iterdir()} == before | {"scores.json"}


def test_hostile_ids_are_neutral_on_terminals_and_in_spreadsheets(example_folder):
    hostile = ["=cmd()", "@SUM(1)", "+1", "-2", "\x1b[31mred\x1b[0m", "a\u202eb"]
    rows = "".join(f'"{query}",d,1\n' for query in hostile)
    (example_folder / "j.csv").write_text(f"query,item,grade\n{rows}", encoding="utf-8")
    (example_folder / "r.csv").write_text(f"query,item,score\n{rows}", encoding="utf-8")

    table = here("eval", "j.csv", "r.csv", "-m", "P@1", "-q").out
    sheet = [*csv.DictReader(io.StringIO(here("eval", "j.csv", "r.csv", "-m", "P@1", "-q", "-t", "csv").out))]

    assert "\x1b" not in table
    assert "\u202e" not in table
    assert r"\x1b[31mred" in table
    safe = [*(f"'{query}" for query in hostile[:4]), r"\x1b[31mred\x1b[0m", hostile[5], "all"]
    assert [row["query"] for row in sheet] == safe
    assert not any(row["query"].startswith(("=", "+", "-", "@")) for row in sheet)
    assert here("eval", "j.csv", "\x1b[31m.csv").err.count("\x1b") == 0


def test_a_metric_that_the_preset_does_not_cover_is_a_warning(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("q").write_text("q 0 a 1\nq 0 b 0\n", encoding="utf-8")
    Path("r").write_text("q Q0 a 1 2.0 t\nq Q0 b 2 1.0 t\n", encoding="utf-8")
    result = here("eval", "q", "r", "-m", "AUC", "-m", "ndcg@5", "-m", "Judged", "--convention", "xgboost-2")
    assert result.code == 0
    assert "RG414: metric that the preset does not cover; AUC: XGBoost does not have it" in result.err
    zh = here("eval", "q", "r", "-m", "RR", "--convention", "sklearn", "--lang", "zh")
    assert "预设不包含该指标；RR：scikit-learn 没有该指标" in zh.err
    assert "RG414" not in here("eval", "q", "r", "-m", "ndcg@5", "--convention", "xgboost-2").err
    assert "XGBoost does not have it" in here("conventions", "show", "xgboost-2").out
