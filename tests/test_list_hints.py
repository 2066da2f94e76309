"""Hints for first calls with a typed list: the wrong function, an empty list, scores, and a threshold."""

import pytest

import rankgauge as rg
from command_line import here


@pytest.mark.parametrize(
    ("call", "hints"),
    [
        (lambda: rg.explain([5, 3, 2, 1, 4], "nDCG@5"), ["(rg.nDCG @ 5).explain([...])"]),
        (lambda: rg.reconcile([5, 3, 2, 1, 2], [5, 4, 3], "nDCG@5"), ["ideal=[...]", "rg.reconcile([...]"]),
        (lambda: rg.reconcile([5, 3], metric="nDCG@5", value=0.83), ["reconcile() has no value", ".explain('0.83')"]),
    ],
)
def test_a_list_given_to_the_wrong_argument_names_the_right_call(call, hints):
    with pytest.raises(rg.RankgaugeError) as error:
        call()
    assert [hint for hint in hints if hint not in str(error.value)] == []


def test_a_number_alone_and_an_empty_list_are_refused():
    alone = here("explain", "0.83")
    assert (alone.code, "rankgauge reconcile 3,2,0,1 --value 0.83" in " ".join(alone.err.split())) == (2, True)
    for command in ("explain", "reconcile"):
        assert (here(command, "").code, "the list of grades is empty" in here(command, "").err) == (2, True)
    assert here("explain", "1").code == 0


@pytest.mark.parametrize(
    ("grades", "metric", "hint"),
    [
        ("0.9,0.7,0.3", "nDCG@3", "If these are scores"),
        ("0.5,0,1", "nDCG@3", None),
        ("4,5,2,3,1", "P@5", "set a threshold such as rel=5"),
        ("4,5,2,3,0", "P@5", None),
        ("1,1,1", "P@3", None),
        ("5,3,2", "accuracy", "Accuracy is undefined (0/0)"),
        ("5,3,2", "accuracy", "rel=5 (--rule rel=5)"),
    ],
)
def test_an_explanation_warns_about_implausible_grades(grades, metric, hint):
    text = " ".join(here("explain", grades, "-m", metric).out.split())
    assert hint is None or hint in text
    assert ("If these are scores" in text, "counts as relevant" in text) == (
        hint == "If these are scores",
        hint is not None and hint.startswith("set a threshold"),
    )


def test_a_plot_of_one_metric_has_no_empty_legend():
    plot = here("curve", "3,2,0,1", "-m", "nDCG", "--plot").out
    assert not [line for line in plot.splitlines() if line.strip() == "*"]
