"""Hand-worked values of metrics beyond accuracy at the edges of their definitions."""

import math

import pytest

import rankgauge as rg
from rankgauge import Convention


def test_corrected_gini_of_a_catalogue_of_one_item_is_zero():
    information = rg.SideInformation(items=["a"])
    scores = rg.evaluate({"u": {"a": 1}}, {"u": {"a": 1.0}}, ["Gini(corrected=True)"], side_information=information)
    assert scores.mean("Gini(corrected=True)") == 0.0


@pytest.mark.parametrize(("items", "value"), [(4, 7 / 12), (["a", "b", "c", "d"], 7 / 12), (["c", "b", "a"], 4 / 9)])
def test_gini_of_a_catalogue_given_by_ids_or_by_its_size(items, value):
    """a is recommended twice and b once: (3 * 2 + 1 * 1) / (4 * 3) of four items, (2 * 2) / (3 * 3) of three."""
    information = rg.SideInformation(items=items)
    judgments, lists = {"u": {"a": 1}, "v": {"a": 1}}, {"u": ["a", "b"], "v": ["a"]}
    scores = rg.evaluate(judgments, lists, ["Gini"], side_information=information)
    assert scores.mean("Gini") == pytest.approx(value, rel=1e-14)


def test_relevant_items_without_a_group_belong_to_no_group():
    """x, relevant to v, has no group; all relevant items of both groups are recommended."""
    scores = rg.evaluate(
        {"u": {"a": 1, "b": 1}, "v": {"x": 1}},
        {"u": ["a", "b"], "v": ["a"]},
        ["REO@2"],
        side_information=rg.SideInformation(item_groups={"a": "one", "b": "two"}),
    )
    assert scores.mean("REO@2") == 0.0


def test_popularity_divided_by_the_largest_is_zero_if_no_item_is_popular():
    information = rg.SideInformation(popularity={"a": 0})
    metric = "ARP(unit=most)@1"
    assert rg.evaluate({"u": {"a": 1}}, {"u": ["a"]}, [metric], side_information=information).mean(metric) == 0.0


@pytest.mark.parametrize("unjudged", ["nonrelevant", "removed"])
def test_top_items_are_sorted_by_score_whatever_the_input_order(unjudged):
    information = rg.SideInformation(popularity={"a": 5, "b": 1, "c": 3})
    scores = rg.evaluate(
        {"u": {"a": 1, "b": 0, "c": 0}},
        {"u": {"b": 0.1, "a": 0.9, "c": 0.5}},
        ["ARP@1", "ARP@2"],
        convention=Convention(unjudged=unjudged),
        side_information=information,
    )
    assert (scores.mean("ARP@1"), scores.mean("ARP@2")) == (5, (5 + 3) / 2)


def test_cosine_distance_depends_on_directions_only():
    judgments, lists = {"u": {"a": 1}}, {"u": ["a", "b", "c"]}
    for scale in (1e-3, 1.0, 1e3):
        vectors = {"a": [scale, 0.0], "b": [0.0, scale], "c": [scale, scale]}
        scores = rg.evaluate(judgments, lists, ["ILD@3"], side_information=rg.SideInformation(features=vectors))
        assert scores.mean("ILD@3") == pytest.approx((1 + 2 * (1 - math.sqrt(1 / 2))) / 3, rel=1e-14)


def test_personalisation_of_one_user_is_undefined():
    assert math.isnan(rg.evaluate({"u": {"a": 1}}, {"u": ["a"]}, ["Personalisation"]).mean("Personalisation"))


def test_parity_of_popularity_without_a_tail_is_even():
    information = rg.SideInformation(training=[("v", "a")])
    scores = rg.evaluate({"u": {"a": 1}}, {"u": ["a"]}, ["PopRSP@1"], side_information=information)
    assert scores.mean("PopRSP@1") == 0.0


def test_explained_miscalibration_shows_the_shares_of_the_categories_that_occur():
    information = rg.SideInformation(
        training=[("u", "a"), ("v", "c")], categories={"a": ["x"], "b": ["x", "y"], "c": ["z"]}
    )
    judgments, lists = {"u": {"b": 1}, "v": {"b": 1}}, {"u": ["b"], "v": ["a"]}
    text = str(rg.explain(judgments, lists, "Miscalibration@1", "u", side_information=information))
    assert [line.split(" (")[0] for line in text.splitlines() if line.startswith(("p(", "q("))] == [
        "p(x) = 1 / 1",
        "q(x) = 0.500000 / 1",
        "p(y) = 0 / 1",
        "q(y) = 0.500000 / 1",
    ]
