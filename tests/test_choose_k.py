"""The choice of a cutoff: hand-worked curves, and significance as SciPy computes it."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import rankgauge as rg


def test_from_how_far_people_look():
    # Three people look at 1, 3 and 4 results: 3 views at rank 1, 2 at ranks 2 and 3, 1 at rank 4; 8 in all.
    found = rg.choose_k(depths=[1, 3, 4], cover=0.75)
    assert [point.share for point in found.curve] == [3 / 8, 5 / 8, 7 / 8, 1]
    assert [point.part for point in found.curve] == [1, 2 / 3, 2 / 3, 1 / 3]
    assert (found.k, found.basis, found.count) == (3, "depths", 3)
    assert rg.choose_k(depths={1: 1, 3: 1, 4: 1}, cover=0.75).curve == found.curve
    assert rg.choose_k(depths=[1, 3, 4], cover=1).k == 4


def test_from_clicks():
    found = rg.choose_k(clicks={1: 6, 2: 3, 7: 1})
    assert (found.k, found.curve[1]) == (2, rg.choose_k(clicks=[1] * 6 + [2] * 3 + [7]).curve[1])
    assert [found.curve[k - 1].share for k in (1, 2, 6, 7)] == [0.6, 0.9, 0.9, 1]


def systems():
    random = np.random.default_rng(4)
    judgments = {q: {f"d{n}": int(random.integers(0, 4)) for n in range(30)} for q in range(25)}
    rankings = {
        f"noise {noise}": {
            q: {item: grade + noise * random.normal() for item, grade in grades.items()}
            for q, grades in judgments.items()
        }
        for noise in (1, 2, 3, 6)
    }
    return judgments, rankings


def test_from_how_well_systems_are_told_apart():
    judgments, rankings = systems()
    found = rg.choose_k(judgments, rankings, "nDCG", cutoffs=[1, 3, 10, 20])
    for point in found.curve:
        scores = rg.evaluate(judgments, rankings, f"nDCG@{point.k}")
        columns = [scores.system(name)[f"nDCG@{point.k}"] for name in scores.systems]
        apart = [stats.ttest_rel(one, other).pvalue < 0.05 for one, other in combinations(columns, 2)]
        assert point.share == np.mean(apart)
        assert point.part == pytest.approx(np.mean(columns))
    best = max(point.share for point in found.curve)
    assert found.k == next(point.k for point in found.curve if point.share >= best - 0.05)
    assert found.count == 6
    assert found.reached


def test_systems_that_are_the_same_are_never_told_apart():
    judgments, rankings = systems()
    one = rankings["noise 1"]
    found = rg.choose_k(judgments, {"a": one, "b": one}, cutoffs=[1, 5])
    assert (found.k, found.reached, found.curve[0].share) == (1, False, 0)
    assert "No k reaches it" in str(found)


def test_it_can_be_read_in_both_languages():
    found = rg.choose_k(depths={1: 4, 2: 1, 100: 1})
    assert "views covered" in str(found)
    assert "覆盖的浏览" in found.document("zh").to_text()
    assert repr(found) == f"<k = {found.k}, from depths>"
    judgments, rankings = systems()
    apart = rg.choose_k(judgments, rankings, cutoffs=[5]).document("zh").to_text()
    assert "能区分的系统对" in apart
    assert "nDCG@k 均值" in apart


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "exactly one of them"),
        ({"depths": [1], "clicks": [1]}, "exactly one of them"),
        ({"judgments": {"q": {"a": 1}}}, "exactly one of them"),
        ({"depths": [0]}, "each of depths"),
        ({"depths": 5}, "depths must be a list"),
        ({"depths": [1], "cover": "all"}, "cover must be"),
        ({"clicks": {1: "many"}}, "number of clicks at 1"),
        ({"depths": [1.5]}, "each of depths"),
        ({"depths": {1: -1}}, "number of depths at 1"),
        ({"clicks": []}, "there are none"),
        ({"depths": [1], "cover": 0}, "cover must be"),
        ({"judgments": {"q": {"a": 1}}, "rankings": {"s": {"q": ["a"]}}}, "two systems or more"),
        ({"judgments": {"q": {"a": 1}}, "rankings": {"s": {"q": ["a"]}}, "alpha": 2}, "alpha must be"),
        ({"judgments": {"q": {"a": 1}}, "rankings": {"s": {"q": ["a"]}}, "cutoffs": []}, "one cutoff or more"),
    ],
)
def test_what_is_wrong_is_said(given, words):
    with pytest.raises(rg.RankgaugeError, match=words):
        rg.choose_k(**given)


@settings(deadline=None, max_examples=40, derandomize=True)
@given(st.lists(st.integers(1, 40), min_size=1, max_size=30), st.floats(0.01, 0.99))
def test_the_choice_is_the_smallest_that_covers(depths, cover):
    found = rg.choose_k(depths=depths, cover=cover)

    def covered(k):
        return sum(min(depth, k) for depth in depths) / sum(depths)

    assert covered(found.k) >= cover - 1e-12
    assert found.k == 1 or covered(found.k - 1) < cover + 1e-12
    assert found.curve[-1].share == pytest.approx(1)
