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
