"""What a scheduled job needs: silence, exit codes of its own, and JSON that says where it comes from."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import rankgauge as rg
from command_line import SOURCE, here

FILES = ("judgments.csv", "keywords.csv", "embeddings.csv")


@pytest.mark.parametrize("command", [("eval",), ("compare",), ("report",), ("curve",)])
def test_quiet_writes_nothing_to_standard_error(command, example_folder):
    result = here(
        *command,
        *FILES,
        "-m",
        "nDCG@5",
        "--quiet",
        "-o",
        example_folder / "out.json" if command != ("report",) else example_folder / "out.html",
    )
    assert (result.code, result.err) == (0, "")


def test_a_file_that_exists_has_its_own_exit_code(example_folder):
    target = example_folder / "out.json"
    assert here("eval", *FILES, "-m", "AP", "-o", target).code == 0
    refused = here("eval", *FILES, "-m", "AP", "-o", target)
    assert refused.code == 6
    assert "already exists; pass --force" in refused.err
    with pytest.raises(rg.ParameterError, match="already exists"):
        rg.evaluate({"q": {"a": 1}}, {"q": ["a"]}, "AP").plot().save(_made(example_folder / "out.svg"))


def _made(path):
    path.write_text("mine")
    return path


@pytest.mark.usefixtures("example_folder")
@pytest.mark.parametrize("command", ["eval", "compare", "curve"])
def test_json_says_where_it_comes_from(command, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    data = json.loads(
        here(command, "judgments.csv", "old=keywords.csv", "embeddings.csv", "-m", "AP", "-t", "json").out
    )
    assert (data["rankgauge"], data["date"], data["schema"]) == (rg.__version__, "1970-01-02", 1)
    assert data["inputs"] == {
        "judgments": "judgments.csv",
        "rankings": {"old": "keywords.csv", "embeddings": "embeddings.csv"},
    }


@pytest.mark.usefixtures("example_folder")
def test_json_without_queries():
    with_queries, without = (
        json.loads(here("eval", *FILES, "-m", "AP", "-t", "json", *more).out) for more in ((), ("--no-queries",))
    )
    assert {"space opera", "heist"} <= with_queries["systems"]["keywords"]["per_query"].keys()
    assert "per_query" not in without["systems"]["keywords"]
    assert without["systems"]["keywords"]["mean"] == with_queries["systems"]["keywords"]["mean"]


def test_units_imply_the_rules_that_they_need_and_say_so(tmp_path):
    judgments, ranking = tmp_path / "gold.csv", tmp_path / "chunks.csv"
    judgments.write_text("query,item,grade\nq,d1,1\nq,d2,1\n")
    ranking.write_text("query,item,score\nq,d1#0,0.9\nq,d1#1,0.8\nq,d3#0,0.7\nq,d2#5,0.6\n")
    result = here("eval", judgments, ranking, "-m", "R@3,AP", "-t", "tsv", "--units", "before last #")
    assert result.code == 0
    assert "--units implies --rule units=rolled-up --rule duplicates=close-up" in result.err
    assert [line.split("\t")[3] for line in result.out.splitlines()[1:]] == ["1.0", "0.8333333333333333"]
    own = here(
        "eval", judgments, ranking, "-m", "R@3", "--units", "before last #", "--rule", "duplicates=first", "-t", "tsv"
    )
    assert own.out.splitlines()[1].split("\t")[3] == "0.5"
    assert "implies --rule units=rolled-up;" in own.err


def test_the_remedy_for_copies_names_the_flags(tmp_path):
    (tmp_path / "gold.csv").write_text("query,item,grade\nq,d1,1\n")
    (tmp_path / "twice.csv").write_text("query,item,score\nq,d1,0.9\nq,d1,0.8\n")
    refused = here("eval", tmp_path / "gold.csv", tmp_path / "twice.csv")
    assert "--rule duplicates=first" in refused.err
    assert '--units "before last #"' in refused.err


def test_the_demonstration_ends_with_the_next_commands():
    lines = here("demo").out.rstrip().splitlines()
    assert any("rankgauge report" in line for line in lines[-5:])
    assert len(lines) < 50


@pytest.mark.skipif(sys.platform == "win32", reason="the script is for a POSIX shell")
def test_the_script_of_the_page_runs_night_after_night(example_folder):
    """The first night has nothing to compare with, the second is as good, the third worse, the fourth without data, and the last without a file, which is said once.

    A release was logged before, as the page advises.
    """
    pages = (Path(__file__).parents[1] / "docs" / page for page in ("nightly.md", "nightly.zh-CN.md"))
    scripts = [re.search(r"```sh\n(#!.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)[1] for page in pages]
    code = [re.sub(r" *# .*", "", script) for script in scripts]
    assert code[0] == code[1]
    (example_folder / "nightly.sh").write_text(scripts[0], encoding="utf-8")
    command = example_folder / "rankgauge"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m rankgauge "$@"\n')
    command.chmod(0o755)
    path = os.pathsep.join([str(example_folder), os.environ["PATH"]])
    good = {f"q{n}": {"a": 1.0, "b": 0.5} for n in range(9)}
    judged = "".join(f"{query},a,1\n" for query in good)
    (example_folder / "judgments.csv").write_text("query,item,grade\n" + judged)

    def night(*order):
        rows = (f"{query},{item},{-rank}\n" for query in good for rank, item in enumerate(order))
        (example_folder / "ranking.csv").write_text("query,item,score\n" + "".join(rows))
        return script()

    def script():
        call, variables = ["sh", "nightly.sh"], {"PATH": path, "PYTHONPATH": str(SOURCE)}
        return subprocess.run(call, capture_output=True, check=False, env=variables, text=True)

    rg.history.open().log(rg.evaluate({"q0": {"a": 1}}, {"q0": ["a"]}, "nDCG@10"), name="release")
    codes = [night("a", "b").returncode, night("a", "b").returncode, night("b", "a").returncode, night().returncode]

    assert codes == [0, 0, 1, 4]
    (example_folder / "ranking.csv").unlink()
    missing = script()
    assert (missing.returncode, missing.stdout, len(missing.stderr.splitlines())) == (3, "", 1)
    assert "ranking.csv" in missing.stderr
    assert len(rg.history.open().runs("nightly")) == 3
