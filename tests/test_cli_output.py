"""``-o/--output`` and ``-t/--to``: files, formats and standard output."""

import json
import shlex

import pytest

import rankgauge as rg
from command_line import here


@pytest.mark.usefixtures("example_folder")
@pytest.mark.parametrize(
    ("call", "start"),
    [
        ("eval judgments.csv keywords.csv -m AP -o out.csv", "system,query,metric,value,convention,schema\n"),
        ("eval judgments.csv keywords.csv -m AP -o out.html", "<!DOCTYPE html>"),
        ("explain 1,0 -o out.html", "<!DOCTYPE html>"),
        ("reconcile 1,0 -o out.html", "<!DOCTYPE html>"),
        ("eval judgments.csv keywords.csv -m AP -o out.txt", "system"),
        ("eval judgments.csv keywords.csv -m AP -o out.txt -t json", "{"),
        ("compare judgments.csv keywords.csv embeddings.csv -m AP -o out.tex", "% needs "),
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
def test_the_extension_of_the_output_implies_the_format(call, start, example_folder):
    result = here(*shlex.split(call), "--lang", "en")

    [written] = example_folder.glob("out.*")
    assert (result.code, result.out) == (0, ""), result.err
    assert written.read_text(encoding="utf-8").startswith(start)


@pytest.mark.usefixtures("example_folder")
@pytest.mark.parametrize("name", ["out.svg", "out.xyz"])
def test_an_extension_of_an_unsupported_format_is_refused(name, example_folder):
    result = here("diff", "keywords.csv", "embeddings.csv", "-o", name)

    assert (result.code, f"{name}: the ending implies no format that diff writes" in result.err) == (2, True)
    assert not (example_folder / name).exists()


def test_a_report_has_a_default_file_and_a_dash_is_standard_output(example_folder):
    assert here("report", "judgments.csv", "keywords.csv", "-m", "AP", "-t", "md").code == 0
    assert (example_folder / "report.md").read_text(encoding="utf-8").startswith("#")
    assert here("report", "judgments.csv", "keywords.csv", "-m", "AP", "-t", "md", "-o", "-").out.startswith("#")


@pytest.mark.usefixtures("example_folder")
def test_a_dash_writes_data_to_standard_output():
    result = here("eval", "judgments.csv", "keywords.csv", "-o", "-", "-t", "json")

    assert json.loads(result.out)["schema"] == 1


def test_scores_give_the_csv_of_the_command(tmp_path):
    judgments, ranking = tmp_path / "judgments.csv", tmp_path / "run.csv"
    judgments.write_text("query,item,grade\nq,a,1\n")
    ranking.write_text("query,item,score\nq,b,2\nq,a,1\n")
    scores = rg.evaluate(judgments, {"run": ranking}, "RR")
    for options, per_query in (([], False), (["-q"], True)):
        result = here("eval", judgments, f"run={ranking}", "-m", "RR", "-t", "csv", *options)
        assert result.out == scores.to_csv(per_query=per_query), result.err


@pytest.mark.parametrize("ranking", ["runs/a.csv", "new=runs/a.csv", "runs/*.csv", "runs"])
def test_an_input_is_not_overwritten(ranking, example_folder):
    folder = example_folder / "runs"
    folder.mkdir()
    content = (example_folder / "keywords.csv").read_bytes()
    (folder / "a.csv").write_bytes(content)

    for output in (folder / "a.csv", "judgments.csv"):
        result = here("eval", "judgments.csv", ranking, "-o", output, "--force")
        assert result.code == 2
        assert "is an input of this call; choose another name" in result.err
    assert (folder / "a.csv").read_bytes() == content
    converted = here("convert", "runs/a.csv", "-o", "runs/../runs/a.csv", "--force")
    assert (converted.code, (folder / "a.csv").read_bytes()) == (2, content)
