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
