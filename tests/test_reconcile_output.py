"""What reconcile prints: lines that fit, short names of results, and a question where only a number is given."""

import pytest

import rankgauge as rg
from command_line import display_width, here

FILMS = ["reconcile", "5,3,2,1,2", "--ideal", "5,4,3,2,2,1,0", "-m", "nDCG@5"]


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("more", [[], ["--value", "0.827"], ["--between", "sklearn", "lightgbm"]], ids=str)
def test_no_line_through_a_pipe_is_wider_than_120_columns(lang, more, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    result = here("--lang", lang, *FILMS, *more)
    assert max(display_width(line.rstrip()) for line in result.out.splitlines()) <= 120


def test_results_have_short_names():
    matches = rg.reconcile([5, 3, 2, 1, 2], metric="nDCG@5", ideal=[5, 4, 3, 2, 2, 1, 0]).explain("0.827")
    assert repr(matches) == "<NumberMatches of 0.827 for nDCG@5: 1, likely>"
    assert repr(matches.matches[0]).startswith("<NumberMatch 0.829613: ranx and ")
    assert max(len(repr(result)) for result in (*matches.matches, *matches.slips)) < 200


def test_a_match_where_tools_are_dense_is_uncertain():
    """Numbers near the tools' values meet one of them more often than numbers anywhere."""
    films = rg.reconcile([5, 3, 2, 1, 2], metric="nDCG@5", ideal=[5, 4, 3, 2, 2, 1, 0])
    assert films.explain("0.853").matches[0].confidence == "uncertain"
    assert films.explain("0.8535").matches[0].confidence == "likely"


def test_a_number_alone_is_no_list():
    result = here("reconcile", "0.83")
    assert result.code == 2
    assert "rankgauge reconcile 3,2,0,1 --value 0.83" in result.err
    assert here("reconcile", "3", "--ideal", "3,2").code == 0
