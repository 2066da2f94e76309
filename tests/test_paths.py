"""Paths that cannot be opened: the message names the reason and a remedy, in both languages."""

import os

import pytest

import rankgauge as rg
from command_line import here
from rankgauge.inputs.io.compression import open_bytes

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names and messages of POSIX systems")


@pytest.mark.parametrize(
    ("path", "en", "zh"),
    [
        ("qrel.txt", "No such file or directory; did you mean 'qrels.txt'?", "文件不存在；是否指 'qrels.txt'？"),
        ("sud/run.txt.gz", "did you mean 'sub/run.txt.gz'?", "是否指 'sub/run.txt.gz'？"),
        ("sub/rnu.txt", "did you mean 'sub/run.txt.gz'?", "是否指 'sub/run.txt.gz'？"),
        ("SUB/run.txt.gz", "did you mean 'sub/run.txt.gz'?", "是否指 'sub/run.txt.gz'？"),
        ("ev[31mil", r"did you mean 'ev\x1b[31mil'?", r"是否指 'ev\x1b[31mil'？"),
        ("rankgauge.histry", "there is no 'rankgauge.histry' in", "中没有 'rankgauge.histry'"),
        ("a.txt", "there is no 'a.txt' in the folder {here}; check", "目录 {here} 中没有 'a.txt'；请检查"),
        ("none/run.txt", "there is no 'none' in the folder {here}; check", "目录 {here} 中没有 'none'；请检查"),
        ("qrels.txt/x", "Not a directory; a part", "路径中有一部分是文件"),
        ("sub", "Is a directory; pass a file", "这是目录；请给出文件"),
        ("a" * 300, "File name too long; check", "文件名过长；请检查"),
        ("1 0 a 1\n" * 99, "it has several lines; pass a path, or content as io.StringIO", "其中有多行；请给出路径"),
        ("", "'': cannot be read: the path is empty; check the variable", "''：无法读取：路径为空；请检查"),
        ("a\0b", r"a\x00b: cannot be read: it has a null character", r"a\x00b：无法读取：其中有空字符"),
    ],
)
def test_a_path_that_cannot_be_opened_has_a_remedy(tmp_path, monkeypatch, path, en, zh):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    (tmp_path / "rankgauge.history").mkdir()
    for name in ("qrels.txt", "b.txt", "sub/run.txt.gz", "ev\x1b[31mil"):
        (tmp_path / name).touch()
    with pytest.raises(rg.InputError) as caught:
        open_bytes(path)
    for text, expected in zip(caught.value.texts, (en, zh), strict=True):
        assert expected.format(here=tmp_path) in text
        assert text.isprintable()


def test_a_file_of_another_kind_is_not_suggested(tmp_path):
    (tmp_path / "rankgauge.history.jsonl").touch()
    with pytest.raises(rg.InputError, match=r"there is no 'ranking\.csv' in the folder"):
        open_bytes(str(tmp_path / "ranking.csv"))


def test_text_that_is_not_a_path_is_an_input_error_on_both_sides():
    for text in ("a" * 300, "q1 0 a 1\n" * 100, "a\0b", "no*thing\n", ""):
        for judgments, ranking in ((text, {"1": ["a"]}), ({"1": {"a": 1}}, text)):
            with pytest.raises(rg.InputError, match="cannot be read"):
                rg.evaluate(judgments, ranking, "AP")


def test_a_folder_with_unreadable_files(tmp_path):
    (tmp_path / "run.txt").write_text("1 Q0 a 1 3.5 t\n")
    (tmp_path / "link.txt").symlink_to(tmp_path / ("b" * 300))
    assert rg.evaluate({"1": {"a": 1}}, tmp_path, "AP").mean("AP") == 1


def test_the_command_line_suggests_a_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels.txt").write_text("1 0 a 1\n")
    (tmp_path / "run.txt").write_text("1 Q0 a 1 3.5 t\n")
    assert "did you mean 'qrels.txt'?" in here("eval", "qrel.txt", "run.txt").err
    assert "是否指 'run.txt'？" in here("--lang", "zh", "eval", "qrels.txt", "rum.txt").err


MISSING, JUDGMENTS, RANKING = "missing.csv", {"q": {"a": 1}}, {"q": ["a"]}
CALLS = {
    "read": lambda: rg.read(MISSING),
    "values": lambda: rg.read_scores(MISSING),
    "values by name": lambda: rg.read_scores({"x": MISSING}),
    "both sides": lambda: rg.evaluate(MISSING),
    "both sides in files": lambda: rg.evaluate([MISSING, "other.csv"]),
    "both sides in files by name": lambda: rg.evaluate({"x": MISSING}),
    "judgments": lambda: rg.evaluate(MISSING, RANKING),
    "ranking": lambda: rg.evaluate(JUDGMENTS, MISSING),
    "rankings": lambda: rg.evaluate(JUDGMENTS, [MISSING, "other.csv"]),
    "rankings by name": lambda: rg.evaluate(JUDGMENTS, {"x": MISSING}),
    "compared judgments": lambda: rg.compare(MISSING, {"x": RANKING, "y": RANKING}),
    "compared files": lambda: rg.compare([MISSING, "other.csv"]),
    "compared rankings": lambda: rg.compare(JUDGMENTS, [MISSING, "other.csv"]),
    "compared rankings by name": lambda: rg.compare(JUDGMENTS, {"x": MISSING, "y": RANKING}),
    "compared systems of a file": lambda: rg.compare(JUDGMENTS, MISSING),
    "fused": lambda: rg.fuse([MISSING, "other.csv"]),
    "leaderboard": lambda: rg.leaderboard(MISSING),
    "values of a leaderboard": lambda: rg.leaderboard({"x": {"data": MISSING}}),
    "differing": lambda: rg.diff(RANKING, MISSING),
    "checked": lambda: rg.check(JUDGMENTS, MISSING, fail_if="RR < 0.5"),
    "baseline": lambda: rg.check(JUDGMENTS, RANKING, baseline=MISSING, fail_if="RR drops 0.1"),
    "judges": lambda: rg.judges.agreement(MISSING),
    "drift": lambda: rg.judges.drift(MISSING, MISSING),
}


@pytest.mark.parametrize("call", CALLS)
def test_every_function_says_of_a_missing_file_that_it_does_not_exist(call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(rg.InputError, match=r"missing\.csv: cannot be read: No such file or directory; there is no"):
        CALLS[call]()


@pytest.mark.parametrize(
    "arguments",
    [
        ["eval", MISSING],
        ["eval", MISSING, "other.csv"],
        ["compare", MISSING],
        ["compare", MISSING, "other.csv"],
        ["report", MISSING],
        ["leaderboard", MISSING],
        ["judges", "agree", MISSING],
        ["history", "log", MISSING, "other.csv"],
    ],
)
def test_every_command_says_of_a_missing_file_that_it_does_not_exist(arguments, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = here(*arguments)
    assert result.code == 3
    assert "missing.csv: cannot be read: No such file or directory" in result.err


def test_texts_that_name_no_files_are_not_taken_for_files():
    for source in (["paris", "london"], {"q": "paris"}):
        with pytest.raises(rg.InputError, match="its judgments are"):
            rg.evaluate(source)
    with pytest.raises(rg.ParameterError, match="rankings must be"):
        rg.compare(JUDGMENTS, ["paris", "london"])
    with pytest.raises(rg.ParameterError, match="sources must be a file"):
        rg.read_scores([MISSING])
