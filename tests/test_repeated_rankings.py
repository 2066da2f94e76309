"""A ranking file that is given twice counts once."""

import json

import pytest

from command_line import here


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels.txt").write_text("".join(f"{q} 0 a 1\n{q} 0 b 0\n" for q in range(12)))
    for name, items in (("BM25", "ab"), ("dense", "ba"), ("hybrid", "ab")):
        lines = [f"{q} Q0 {item} {rank} {1 / rank} t\n" for q in range(12) for rank, item in enumerate(items, 1)]
        (tmp_path / f"{name}.run").write_text("".join(lines))
    return tmp_path


def test_a_file_that_a_pattern_matches_again_is_compared_once(folder):
    runs = "BM25.run", "./BM25.run", "dense.run", "hybrid.run", str(folder / "dense.run")
    result = here("compare", "qrels.txt", *runs, "-m", "RR", "-t", "json")
    once = here("compare", "qrels.txt", "BM25.run", "dense.run", "hybrid.run", "-m", "RR", "-t", "json")
    assert [row["system"] for row in json.loads(result.out)["metrics"]["RR"]["systems"]] == ["BM25", "hybrid", "dense"]
    assert json.loads(result.out)["metrics"] == json.loads(once.out)["metrics"]
    assert result.err.count("given more than once") == 1
    assert "more than once" not in once.err


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", [["eval", "qrels.txt"], ["curve", "qrels.txt"], ["fuse"], ["pool"]])
def test_every_command_of_several_rankings_warns_in_both_languages(command):
    runs = "BM25.run", "dense.run", "BM25.run"
    assert "BM25.run is given more than once and counts once" in here(*command, *runs).err
    result = here(*command, *runs, "--lang", "zh")
    assert "BM25.run 给出了不止一次，只计一次" in result.err
    assert "BM25-2" not in result.out


@pytest.mark.usefixtures("folder")
def test_a_copy_under_its_own_name_counts_as_a_system():
    result = here("eval", "qrels.txt", "first=BM25.run", "second=BM25.run", "BM25.run", "-m", "RR", "-t", "json")
    assert "first" in result.out
    assert "second" in result.out
    assert "BM25.run is given more than once" in result.err
