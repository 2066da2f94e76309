"""Hand-worked values of metrics that mutants of the kernels showed to be untested; see ``make mutants``."""

import math

import numpy as np
import pytest

import rankgauge as rg
from rankgauge import Convention, metrics
from rankgauge.kernels import cwl


def test_corrected_gini_of_a_catalogue_of_one_item_is_zero():
    information = rg.SideInformation(items=["a"])
    scores = rg.evaluate({"u": {"a": 1}}, {"u": {"a": 1.0}}, ["Gini(corrected=True)"], side_information=information)
    assert scores.mean("Gini(corrected=True)") == 0.0


def test_mean_nDCG_with_assumed_grades_takes_nothing_off_for_items_beyond_the_ideal():
    """Three items gain, one is in the ideal: no relevant item is missing, rather than minus two."""
    convention = Convention(unjudged=1, unjudged_in_ideal="no")
    second = 1 + 1 / math.log2(3)
    expected = 1 + second + (second + 1 / math.log2(4))
    assert metrics()["nDCGrel"].of([1, None, None], convention=convention) == pytest.approx(expected, rel=1e-14, abs=0)


def test_average_precision_at_every_rank_beyond_the_table_of_harmonic_numbers():
    k = 65_600
    expected = math.fsum(1 / rank for rank in range(1, k + 1))
    assert (metrics()["AP"](at="every") @ k).of([1]) == pytest.approx(expected, rel=2e-13, abs=0)


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


def test_discounts_beyond_the_ranks_that_are_added_one_by_one():
    k = 200_000
    expected = 1 / math.fsum(1 / math.log2(rank + 1) for rank in range(1, k + 1))
    assert (metrics()["SDCG"](max_grade=1) @ k).of([1]) == pytest.approx(expected, rel=1e-12, abs=0)


@pytest.mark.parametrize(
    ("metric", "value"),
    [
        ("AP@2", (1 / 2 + 1 / 4) / 2),
        ("AP(over=hits)", ((1 + 2 / 3) / 2 + (1 / 2 + 2 / 3) / 2) / 2),
        ("AP(over=hits)@2", None),
        ("RR@2", (1 + 1 / 2) / 2),
        ("RR(of=hits)", ((1 + 1 / 3) / 2 + (1 / 2 + 1 / 3) / 2) / 2),
        ("RR(of=hits)@2", None),
    ],
)
def test_ties_are_averaged_unless_the_order_moves_the_denominator(metric, value):
    """The hits in the top 2 are one or two, depending on the order of the two tied items."""
    data = {"q": {"a": 1, "b": 0, "c": 1}}, {"q": {"a": 1.0, "b": 1.0, "c": 0.5}}, [metric]
    if value is None:
        with pytest.raises(rg.ParameterError, match="no closed form"):
            rg.evaluate(*data, convention=Convention(ties="mean"))
    else:
        assert rg.evaluate(*data, convention=Convention(ties="mean")).mean(metric) == pytest.approx(value, rel=1e-14)


@pytest.mark.parametrize("copies", [2, 3])
def test_YAAP_of_copies_that_count_again_is_refused_where_it_is_undefined(copies):
    with pytest.raises(rg.ParameterError, match="YAAP is undefined"):
        rg.evaluate({"q": {"a": 1}}, {"q": ["a"] * copies}, ["YAAP"], convention=Convention(duplicates="again"))


@pytest.mark.parametrize("grade", [-0.5, 1.5])
def test_grades_outside_0_to_1_are_no_probabilities(grade):
    with pytest.raises(rg.InputError, match="not a probability"):
        metrics()["ERR"].of([grade], convention=Convention(stop="grade", negative="keep"))


def test_cosine_distance_depends_on_directions_only():
    judgments, lists = {"u": {"a": 1}}, {"u": ["a", "b", "c"]}
    for scale in (1e-3, 1.0, 1e3):
        vectors = {"a": [scale, 0.0], "b": [0.0, scale], "c": [scale, scale]}
        scores = rg.evaluate(judgments, lists, ["ILD@3"], side_information=rg.SideInformation(features=vectors))
        assert scores.mean("ILD@3") == pytest.approx((1 + 2 * (1 - math.sqrt(1 / 2))) / 3, rel=1e-14)


def test_personalisation_of_one_user_is_undefined():
    assert math.isnan(rg.evaluate({"u": {"a": 1}}, {"u": ["a"]}, ["Personalisation"]).mean("Personalisation"))


@pytest.mark.parametrize(("multiple", "name"), [(1, "R"), (2, "2 R")])
def test_R_precision_names_its_denominator(multiple, name):
    assert f"({name}) =" in str(metrics()["Rprec"](multiple=multiple).explain([1, 0]))


@pytest.mark.parametrize(("items", "value"), [(4, 7 / 12), (["a", "b", "c", "d"], 7 / 12), (["c", "b", "a"], 4 / 9)])
def test_gini_of_a_catalogue_given_by_ids_or_by_its_size(items, value):
    """a is recommended twice and b once: (3 * 2 + 1 * 1) / (4 * 3) of four items, (2 * 2) / (3 * 3) of three."""
    information = rg.SideInformation(items=items)
    judgments, lists = {"u": {"a": 1}, "v": {"a": 1}}, {"u": ["a", "b"], "v": ["a"]}
    scores = rg.evaluate(judgments, lists, ["Gini"], side_information=information)
    assert scores.mean("Gini") == pytest.approx(value, rel=1e-14)


def test_parity_of_popularity_without_a_tail_is_even():
    information = rg.SideInformation(training=[("v", "a")])
    scores = rg.evaluate({"u": {"a": 1}}, {"u": ["a"]}, ["PopRSP@1"], side_information=information)
    assert scores.mean("PopRSP@1") == 0.0


def test_nDCG_where_the_ideal_gain_falls_ends_with_the_query():
    """The ideal order of u falls after its only item, although the next query starts with a larger gain."""
    scores = rg.evaluate({"u": {"a": 1}, "v": {"a": 2}}, {"u": ["a"], "v": ["a"]}, ["RnDCG"])
    assert scores.values("RnDCG").tolist() == [1, 1]


def test_normalised_gain_of_negative_and_of_assumed_grades():
    """A negative gain is not part of the ideal gain; a list ahead of the ideal order is not discounted."""
    assert metrics()["G"].of([1, -1], convention=Convention(negative="keep")) == 1 - 1 / 2
    ahead = Convention(unjudged=3, unjudged_in_ideal="no")
    assert metrics()["G"].of([None, 1], convention=ahead) == 3 + 1


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
