"""``rankgauge codes``: a page for every code, and messages that refer to it."""

import json
import re

import pytest

import rankgauge as rg
from command_line import here
from registries import CODES


def test_all_codes_are_listed_by_family():
    output = here("codes").out

    assert [code for code in CODES if f"\n{code}" not in output] == []
    assert {*re.findall(r"\b(RG\d)xx", output)} == {code[:3] for code in CODES}


@pytest.mark.parametrize("typed", ["RG301", "rg301", "301"])
def test_a_page_has_meaning_severity_remedy_and_lenient_reading(typed):
    output = here("codes", typed).out

    assert output.startswith("RG301: duplicate item in a ranking")
    for part in ("Severity: error", "What to do: remove the duplicate", "(--lenient): keeps the occurrence"):
        assert part in output
    assert json.loads(here("codes", typed, "-t", "json").out)["code"] == "RG301"


@pytest.mark.parametrize("code", CODES)
def test_the_page_of_a_code_has_four_texts_in_each_language(code):
    english, chinese = (here("codes", code, "--lang", lang, "-t", "md").out.split("\n\n") for lang in ("en", "zh"))

    assert len(english) == len(chinese) == 5
    assert all(first != second for first, second in zip(english, chinese, strict=True))


def test_an_unknown_code_suggests_a_known_one():
    result = here("codes", "RG302x")

    assert (result.code, "did you mean 'RG302'?" in result.err) == (2, True)


def test_an_error_refers_to_the_page_of_its_code(monkeypatch):
    judgments, ranking = {"q": {"a": 1}}, [("q", "a", "high")]

    with pytest.raises(rg.InputError, match=r"\(more: rankgauge codes RG201\)") as error:
        rg.evaluate(judgments, ranking, "RR")
    assert "（详见：rankgauge codes RG201）" in error.value.render("zh")

    monkeypatch.setattr("rankgauge.inputs.codes.SITE", "https://docs.test")
    with pytest.raises(rg.InputError, match=r"\(more: https://docs\.test/en/codes/rg201\.html\)") as error:
        rg.evaluate(judgments, ranking, "RR")
    assert "（详见：https://docs.test/zh/codes/rg201.html）" in error.value.render("zh")
