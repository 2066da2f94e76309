"""With --lang zh the errors of the library are Chinese, too."""

import pytest

import rankgauge as rg
from rankgauge.cli import run
from rankgauge.errors import ParameterError


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["explain", "3,2,0", "-m", "nDGC"], "未知的指标 'nDGC'；是否想用 'nDCG'？"),
        (["explain", "3,2,0", "-m", "nDCG", "--rule", "gian=exp2"], "未知的规则 'gian'；是否想用 'gain'？"),
        (
            ["explain", "3,2,0", "-m", "nDCG", "--rule", "gain"],
            "规则应为“名称=取值”的形式，如 gain=exp2，而不是 'gain'",
        ),
        (
            ["explain", "3,2,0", "-m", "nDCG", "--convention", "lightgmb"],
            "未知的预设 'lightgmb'；是否想用 'lightgbm'？",
        ),
    ],
)
def test_errors_of_the_library_are_chinese(capsys, arguments, message):
    assert run([*arguments, "--lang", "zh"]) == 2
    assert message in capsys.readouterr().err


def test_an_error_has_both_languages_and_prints_english():
    with pytest.raises(ParameterError, match="unknown metric 'nDGC'; did you mean 'nDCG'") as caught:
        rg.parse("nDGC")
    assert caught.value.render("zh").startswith("未知的指标")
    assert ParameterError("only English").render("zh") == "only English"


def test_ranges_of_options_have_chinese_punctuation(capsys):
    assert run(["explain", "--help", "--lang", "zh"]) == 0
    assert "; x>=" not in capsys.readouterr().out


def test_errors_of_files_are_chinese(capsys, tmp_path):
    judgments, ranking = tmp_path / "j.csv", tmp_path / "r.csv"
    judgments.write_text("query,item,grade\nq,a,1\n", encoding="utf-8")
    ranking.write_text("query,item,score\nq,a,bad\n", encoding="utf-8")
    for files, message in (([judgments, tmp_path / "none.csv"], "文件不存在"), ([judgments, ranking], "处理方法：")):
        assert run(["eval", *map(str, files), "--lang", "zh"]) == 3
        assert message in capsys.readouterr().err
