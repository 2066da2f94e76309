"""Hand-worked values of cases that mutants of the library showed to be untested; see ``make mutants``."""

import math

import pytest

import rankgauge as rg
from rankgauge import Convention, metrics


def test_corrected_gini_of_a_catalogue_of_one_item_is_zero():
    information = rg.SideInformation(items=["a"])
    scores = rg.evaluate({"u": {"a": 1}}, {"u": {"a": 1.0}}, ["Gini(corrected=True)"], side_information=information)
    assert scores.mean("Gini(corrected=True)") == 0.0


def test_mean_nDCG_with_assumed_grades_takes_nothing_off_for_items_beyond_the_ideal():
    """Three items gain, one is in the ideal: no relevant item is missing, rather than minus two."""
    convention = Convention(unjudged=1, unjudged_in_ideal="no")
    second = 1 + 1 / math.log2(3)
    expected = 1 + second + (second + 1 / math.log2(4))
    assert metrics()["nDCGrel"].of([1, None, None], convention=convention) == pytest.approx(expected, rel=1e-14)


def test_average_precision_at_every_rank_beyond_the_table_of_harmonic_numbers():
    k = 65_600
    expected = math.fsum(1 / rank for rank in range(1, k + 1))
    assert (metrics()["AP"](at="every") @ k).of([1]) == pytest.approx(expected, rel=2e-13)


def test_pooled_AUC_of_users_without_items_compares_unreturned_items():
    """The relevant and the other item tie at the end: half a pair of one."""
    assert rg.evaluate({"u": {"a": 1, "b": 0}}, {"u": {}}, ["PooledAUC"]).mean("PooledAUC") == 0.5


def test_relevant_items_without_a_group_belong_to_no_group():
    """x, relevant to v, has no group; all relevant items of both groups are recommended."""
    scores = rg.evaluate(
        {"u": {"a": 1, "b": 1}, "v": {"x": 1}},
        {"u": ["a", "b"], "v": ["a"]},
        ["REO@2"],
        side_information=rg.SideInformation(item_groups={"a": "one", "b": "two"}),
    )
    assert scores.mean("REO@2") == 0.0


def test_grades_from_0_to_1_are_probabilities_with_both_ends():
    assert metrics()["ERR"].of([0, 1], convention=Convention(stop="grade")) == 1 / 2


def test_popularity_divided_by_the_largest_is_zero_if_no_item_is_popular():
    information = rg.SideInformation(popularity={"a": 0})
    metric = "ARP(unit=most)@1"
    assert rg.evaluate({"u": {"a": 1}}, {"u": ["a"]}, [metric], side_information=information).mean(metric) == 0.0


def test_partial_area_adds_nothing_for_a_relevant_item_below_the_axis():
    """With max_fpr=0.3 the axis ends within the first of two other items, all above the relevant one."""
    area = metrics()["PAUC"](max_fpr=0.3, scale="none", tied="won")
    assert area.of([0, 0, 1]) == 0.0


def test_weights_of_the_last_rank_with_an_empty_list_among_others():
    judgments = {"u": {"a": 1}, "v": {"a": 1}}
    both = rg.evaluate(judgments, {"u": ["a"], "v": []}, ["INST"])
    alone = rg.evaluate({"u": {"a": 1}}, {"u": ["a"]}, ["INST"])
    assert both.values("INST")[0] == alone.values("INST")[0]


@pytest.mark.parametrize("unjudged", ["nonrelevant", "removed"])
def test_top_items_stand_by_score_in_whatever_order_they_came(unjudged):
    information = rg.SideInformation(popularity={"a": 5, "b": 1, "c": 3})
    scores = rg.evaluate(
        {"u": {"a": 1, "b": 0, "c": 0}},
        {"u": {"b": 0.1, "a": 0.9, "c": 0.5}},
        ["ARP@1", "ARP@2"],
        convention=Convention(unjudged=unjudged),
        side_information=information,
    )
    assert (scores.mean("ARP@1"), scores.mean("ARP@2")) == (5, (5 + 3) / 2)
