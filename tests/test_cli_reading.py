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
    "convert": "convert {ranking} - --to jsonl --role ranking",
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
    if (command, option) == ("report", "columns of both sides"):
        pytest.xfail("slices read the judgments again without the options")
    judgments, ranking = files
    call = shlex.split(COMMANDS[command].format(judgments=judgments, ranking=ranking))

    result = here(*call, *arguments.split())

    inspects = command == "doctor" and option == "lenient"  # it lists the invalid row, which eval would refuse
    assert (result.code, "Traceback" in result.err) == (int(inspects), False), result.err
    if option in NEEDED:
        assert here(*call).code != 0


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


@pytest.mark.usefixtures("example_folder")
@pytest.mark.parametrize(
    ("call", "start"),
    [
        ("eval judgments.csv keywords.csv -m AP -o out.csv", "system,query,metric,value,convention,schema\n"),
        ("eval judgments.csv keywords.csv -m AP -o out.html", "<"),
        ("eval judgments.csv keywords.csv -m AP -o out.txt", "system"),
        ("eval judgments.csv keywords.csv -m AP -o out.txt -t json", "{"),
        ("compare judgments.csv keywords.csv embeddings.csv -m AP -o out.tex", "\\"),
        ("diff keywords.csv embeddings.csv -o out.csv", "query,overlap"),
        ("check judgments.csv keywords.csv --fail-if 'AP < 0.1' -o out.xml", "<?xml"),
        ("curve judgments.csv keywords.csv -o out.svg", "<svg"),
        ("report judgments.csv keywords.csv -m AP -o out.html", "<!DOCTYPE html>"),
        ("report judgments.csv keywords.csv -m AP -o out.dat -t md", "#"),
        ("metrics AP -o out.md", "#"),
        ("conventions -o out.json", "{"),
        ("explain 1,0 -o out.json", "{"),
        ("doctor keywords.csv -o out.json", "{"),
        ("reconcile 1,0 -o out.json", "{"),
    ],
)
def test_the_ending_of_the_output_implies_the_format(call, start, example_folder):
    result = here(*shlex.split(call), "--lang", "en")

    [written] = example_folder.glob("out.*")
    assert (result.code, result.out) == (0, ""), result.err
    assert written.read_text(encoding="utf-8").startswith(start)


@pytest.mark.usefixtures("example_folder")
def test_an_ending_of_a_format_that_the_command_does_not_write_is_refused(example_folder):
    result = here("diff", "keywords.csv", "embeddings.csv", "-o", "out.svg")

    assert (result.code, "out.svg: the ending implies no format that diff writes" in result.err) == (2, True)
    assert not (example_folder / "out.svg").exists()


def test_a_report_has_a_default_file_and_a_dash_is_standard_output(example_folder):
    assert here("report", "judgments.csv", "keywords.csv", "-m", "AP", "-t", "md").code == 0
    assert (example_folder / "report.md").read_text(encoding="utf-8").startswith("#")
    assert here("report", "judgments.csv", "keywords.csv", "-m", "AP", "-t", "md", "-o", "-").out.startswith("#")


@pytest.mark.usefixtures("example_folder")
def test_a_dash_writes_data_to_standard_output():
    result = here("eval", "judgments.csv", "keywords.csv", "-o", "-", "-t", "json")

    assert json.loads(result.out)["schema"] == 1
