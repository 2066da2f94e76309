"""Hand-worked values of metrics: assumed grades, very deep cutoffs, several queries at once."""

import math
from dataclasses import astuple

import numpy as np
import pytest

import rankgauge as rg
from rankgauge import Convention, metrics
from rankgauge.kernels import cwl


def test_nDCGrel_with_assumed_grades_beyond_the_ideal_has_no_missing_items():
    """Three items gain, one is in the ideal: no relevant item is missing, rather than minus two."""
    convention = Convention(unjudged=1, unjudged_in_ideal="no")
    second = 1 + 1 / math.log2(3)
    expected = 1 + second + (second + 1 / math.log2(4))
    assert metrics()["nDCGrel"].of([1, None, None], convention=convention) == pytest.approx(expected, rel=1e-14, abs=0)


def test_AP_at_every_rank_beyond_the_table_of_harmonic_numbers():
    k = 65_600
    expected = math.fsum(1 / rank for rank in range(1, k + 1))
    assert (metrics()["AP"](at="every") @ k).of([1]) == pytest.approx(expected, rel=2e-13, abs=0)


def test_grades_of_0_and_1_are_probabilities():
    assert metrics()["ERR"].of([0, 1], convention=Convention(stop="grade")) == 1 / 2


def test_an_empty_list_among_others_does_not_change_weights():
    judgments = {"u": {"a": 1}, "v": {"a": 1}}
    both = rg.evaluate(judgments, {"u": ["a"], "v": []}, ["INST"])
    alone = rg.evaluate({"u": {"a": 1}}, {"u": ["a"]}, ["INST"])
    assert both.values("INST")[0] == alone.values("INST")[0]


def test_trigamma_and_harmonic_numbers_have_all_digits():
    """The sums of 1/i^2 and of 4/(2i-1)^2 over all i are pi^2/6 and pi^2/2."""
    assert cwl.trigamma(np.array([1.0, 0.5])).tolist() == pytest.approx(
        [math.pi**2 / 6, math.pi**2 / 2], rel=5e-16, abs=0
    )
    numbers = [1, 2, 3, 10, 1000]
    expected = [math.fsum(1 / i for i in range(1, n + 1)) for n in numbers]
    assert cwl.harmonic(np.array(numbers, dtype=float)).tolist() == pytest.approx(
        expected, rel=1e-15, abs=0
    )  # SciPy 1.15


def test_sums_of_discounts_at_deep_cutoffs():
    k = 200_000
    expected = 1 / math.fsum(1 / math.log2(rank + 1) for rank in range(1, k + 1))
    assert (metrics()["SDCG"](max_grade=1) @ k).of([1]) == pytest.approx(expected, rel=1e-12, abs=0)


@pytest.mark.parametrize("grade", [-0.5, 1.5])
def test_grades_outside_0_to_1_are_not_probabilities(grade):
    with pytest.raises(rg.InputError, match="not a probability"):
        metrics()["ERR"].of([grade], convention=Convention(stop="grade", negative="keep"))


@pytest.mark.parametrize(("multiple", "name"), [(1, "R"), (2, "2 R")])
def test_R_precision_names_its_denominator(multiple, name):
    assert f"({name}) =" in str(metrics()["Rprec"](multiple=multiple).explain([1, 0]))


def test_RnDCG_of_a_query_ignores_the_next_query():
    """The ideal order of u falls after its only item, although the next query starts with a larger gain."""
    scores = rg.evaluate({"u": {"a": 1}, "v": {"a": 2}}, {"u": ["a"], "v": ["a"]}, ["RnDCG"])
    assert scores.values("RnDCG").tolist() == [1, 1]


def test_normalised_gain_of_negative_and_of_assumed_grades():
    """A negative gain is not part of the ideal gain; a list ahead of the ideal order is not discounted."""
    assert metrics()["G"].of([1, -1], convention=Convention(negative="keep")) == 1 - 1 / 2
    ahead = Convention(unjudged=3, unjudged_in_ideal="no")
    assert metrics()["G"].of([None, 1], convention=ahead) == 3 + 1


def test_an_ideal_order_of_a_million_ranks_is_explained_row_by_row_when_it_is_read():
    """All its rows were built at once, for 13 seconds and 772 MB."""
    explanation = (rg.nDCG(ideal="full") @ 1_000_000).explain([1, 0])
    rows = explanation.ideal.rows

    assert (len(rows), rows[-1].rank, len(rows[:3])) == (1_000_000, 1_000_000, 3)
    second = 1 / math.log2(3)
    assert astuple(rows[1]) == (2, None, "1", (1.0, second), second, 1 + second, second, False)
    assert rows[-1].running == pytest.approx(explanation.below, rel=1e-12)
    assert "999950 more" in str(explanation)


@pytest.mark.parametrize("metric", ["Compat", "Compat(normalize=False)"])
def test_Compat_without_relevant_items_is_0_over_0(metric):
    assert rg.parse(metric).of([0, 0], convention=Convention(undefined=1)) == 1


@pytest.mark.parametrize("metric", ["Entropy", "ExposureParity"])
def test_values_of_empty_lists_over_the_catalogue_are_nan(metric):
    side = rg.SideInformation(item_groups={"a": "x", "b": "y"})

    assert math.isnan(rg.evaluate({"u": {"a": 1}}, {"u": []}, metric, side_information=side).mean(metric))


def test_a_single_list_shows_the_exposure_of_each_group_and_several_do_not():
    side = rg.SideInformation(item_groups={"a": "x", "b": "y"})
    explained = rg.explain({"u": {"a": 1}}, {"u": ["a", "b"]}, "EEL@2", "u", side_information=side)
    together = rg.evaluate({"u": {"a": 1}, "v": {"b": 1}}, {"u": ["a"], "v": ["b"]}, "EEL@2", side_information=side)

    assert {part.name for part in explained.parts} == {"e(x)", "e*(x)", "e(y)", "e*(y)"}
    assert [*together.per_query("EEL@2")] == ["u", "v"]
