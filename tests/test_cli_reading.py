"""Every command that reads data takes every read option, or refuses it by a message that names the command."""

import json
import shlex

import pytest

from command_line import here

COMMANDS = {
    "eval": "eval {judgments} {ranking} -m RR",
    "explain": "explain {judgments} {ranking} -m RR --query q1",
    "compare": "compare {judgments} {ranking} other={ranking} -m RR --permutations 10",
    "diff": "diff {ranking} {ranking}",
    "reconcile": "reconcile {judgments} {ranking} -m RR",
    "check": "check {judgments} {ranking} --fail-if 'RR < 0.1'",
    "report": "report {judgments} {ranking} other={ranking} --permutations 10 -m RR -o - -t md",
    "curve": "curve {judgments} {ranking} -m RR --k 1:2",
    "doctor": "doctor {judgments} {ranking}",
    "convert": "convert {ranking} --to jsonl --role ranking",
}
PLAIN = {"j.csv": "query,item,grade\nq1,a,1\nq2,b,1\n", "r.csv": "query,item,score\nq1,a,1\nq2,b,1\n"}
RENAMED = {"j.csv": "who,item,grade\nq1,a,1\nq2,b,1\n", "r.csv": "who,item,score\nq1,a,1\nq2,b,1\n"}
ONE_SIDE = {**PLAIN, "r.csv": RENAMED["r.csv"]}
UNNAMED = {"j": PLAIN["j.csv"], "r": PLAIN["r.csv"]}
MIXED = {"j": "q1 0 a 1\nq2 0 b 1\n", "r": PLAIN["r.csv"]}
INVALID = {**PLAIN, "r.csv": PLAIN["r.csv"] + "q2,c,high\n"}
OPTIONS = {
    "columns of both sides": (RENAMED, "--columns query=who"),
    "columns of one side": (ONE_SIDE, "--columns ranking.query=who"),
    "format": (UNNAMED, "--format csv"),
    "format of each side": (MIXED, "--format judgments=trec,ranking=csv"),
    "lenient": (INVALID, "--lenient"),
    "progress": (PLAIN, "--progress"),
    "no progress": (PLAIN, "--no-progress"),
}
NEEDED = {"columns of both sides", "columns of one side", "lenient"}
"""Options without which the same call fails."""


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_takes_every_read_option(command, option, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files, arguments = OPTIONS[option]
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    judgments, ranking = files
    call = shlex.split(COMMANDS[command].format(judgments=judgments, ranking=ranking))

    result = here(*call, *arguments.split())

    assert (result.code, "Traceback" in result.err) == (0, False), result.err
    if option in NEEDED:
        assert here(*call).code != 0


@pytest.mark.parametrize(
    ("call", "repeated"),
    [
        ("eval j.csv r.csv -m RR {}", "--columns query=who --columns grade=g --columns ranking.score=s"),
        ("eval j.csv r.csv -m RR {}", "--columns query=who,grade=g,score=s --format judgments=csv --format ranking=csv"),
        ("explain 3,2,0 -m nDCG@3 {}", "--ideal 3,2 --ideal 1 --items a --items b,c"),
        ("curve 3,2,0 -m nDCG {}", "-k 1 -k 2,3"),
        ("fuse {} --columns query=who,score=s r.csv two=r.csv", "--weights r=1 --weights two=2"),
    ],
)  # fmt: skip
def test_an_option_with_a_list_that_is_given_again_has_further_values(call, repeated, tmp_path, monkeypatch):
    """The last one was taken."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "j.csv").write_text("who,item,g\nq,a,1\nq,b,0\n")
    (tmp_path / "r.csv").write_text("who,item,s\nq,a,1\nq,b,2\n")
    merged: dict[str, str] = {}
    for option, value in zip(repeated.split()[::2], repeated.split()[1::2], strict=True):
        merged[option] = f"{merged[option]},{value}" if option in merged else value

    several = here(*call.format(repeated).split())
    one = here(*call.format(" ".join(f"{option} {value}" for option, value in merged.items())).split())

    assert (several.code, several.out) == (0, one.out), several.err


def test_a_column_that_is_named_twice_is_refused():
    result = here("eval", "x.csv", "y.csv", "--columns", "query=a", "--columns", "query=b")
    assert (result.code, "query is given twice" in result.err) == (2, True)


@pytest.mark.parametrize("command", ["explain", "reconcile"])
@pytest.mark.parametrize("option", ["--columns query=q", "--format csv", "--lenient"])
def test_a_list_of_grades_has_no_files_to_read(command, option):
    result = here(command, "1,0", *option.split())

    assert result.code == 2
    assert f"{command}: {option.split()[0]} is for files" in result.err


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("option", "words"),
    [("--columns rankng.query=q", "did you mean 'ranking'"), ("--format run=csv", "unknown key of format 'run'")],
)
def test_a_side_that_does_not_exist_is_refused(command, option, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in PLAIN.items():
        (tmp_path / name).write_text(text)

    result = here(*shlex.split(COMMANDS[command].format(judgments="j.csv", ranking="r.csv")), *option.split())

    assert (result.code, words in result.err) == (2, True), result.err


@pytest.mark.parametrize(
    ("files", "names"),
    [
        (["a/run.csv", "b/run.csv"], ["a/run", "b/run"]),
        (["x/a/run.csv", "y/a/run.csv", "other.csv"], ["x/a/run", "y/a/run", "other"]),
        (["a/run.csv", "a/run.tsv"], ["run.csv", "run.tsv"]),
        (["run.csv", "run.csv"], ["run"]),  # counts once, with a warning
        (["best=a/run.csv", "b/run.csv"], ["best", "run"]),
    ],
)
def test_files_with_the_same_name_are_distinguished_by_folder_or_ending(tmp_path, monkeypatch, files, names):
    """They were run and run-2, and nothing said which was which."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "j.csv").write_text(PLAIN["j.csv"])
    for path in (tmp_path / file.rpartition("=")[2] for file in files):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(PLAIN["r.csv"].replace(",", "\t" if path.suffix == ".tsv" else ","))
    assert [*json.loads(here("eval", "j.csv", *files, "-m", "RR", "-t", "json").out)["systems"]] == names


def test_the_table_names_the_folders_of_files_of_one_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "j.csv").write_text(PLAIN["j.csv"])
    for folder in "ab":
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "run.csv").write_text(PLAIN["r.csv"])

    for call in (
        ["compare", "j.csv", "a/run.csv", "b/run.csv"],
        ["compare", "j.csv", "b/run.csv", "--baseline", "a/run.csv"],
    ):
        assert "a/run" in here(*call, "-m", "RR", "--permutations", "10").out


@pytest.mark.parametrize("command", ["eval", "compare", "report", "curve"])
def test_a_metric_in_the_place_of_a_ranking_is_named_as_such(command, tmp_path):
    """``-m nDCG@10 AP`` was a missing file AP."""
    (tmp_path / "run.csv").write_text("query,item,score\nq,a,1\n")
    refused = here(command, tmp_path / "qrels.csv", tmp_path / "run.csv", "-m", "nDCG@10", "AP")
    assert (refused.code, "no file 'AP', but a metric of that name" in refused.err) == (2, True)
    assert "write several metrics as -m nDCG@10,AP" in refused.err
    chinese = here("--lang", "zh", command, tmp_path / "qrels.csv", tmp_path / "run.csv", "-m", "nDCG@10", "AP")
    assert "没有文件 'AP'，但有同名的指标" in chinese.err
