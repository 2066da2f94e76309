"""The choice of a cutoff: hand-worked curves, and significance as SciPy computes it."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import rankgauge as rg


def test_k_from_viewing_depths():
    # Three users view 1, 3 and 4 results: 3 views at rank 1, 2 at ranks 2 and 3, 1 at rank 4; 8 in total.
    choice = rg.choose_k(depths=[1, 3, 4], cover=0.75)
    assert [point.share for point in choice.curve] == [3 / 8, 5 / 8, 7 / 8, 1]
    assert [point.part for point in choice.curve] == [1, 2 / 3, 2 / 3, 1 / 3]
    assert (choice.k, choice.basis, choice.count) == (3, "depths", 3)
    assert rg.choose_k(depths={1: 1, 3: 1, 4: 1}, cover=0.75).curve == choice.curve
    assert rg.choose_k(depths=[1, 3, 4], cover=1).k == 4


def test_k_from_clicks():
    choice = rg.choose_k(clicks={1: 6, 2: 3, 7: 1})
    assert (choice.k, choice.curve[1]) == (2, rg.choose_k(clicks=[1] * 6 + [2] * 3 + [7]).curve[1])
    assert [choice.curve[k - 1].share for k in (1, 2, 6, 7)] == [0.6, 0.9, 0.9, 1]


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


def test_k_from_separated_systems():
    judgments, rankings = systems()
    choice = rg.choose_k(judgments, rankings, "nDCG", k=[1, 3, 10, 20])
    for point in choice.curve:
        scores = rg.evaluate(judgments, rankings, f"nDCG@{point.k}")
        columns = [scores.system(name)[f"nDCG@{point.k}"] for name in scores.systems]
        separated = [stats.ttest_rel(first, second).pvalue < 0.05 for first, second in combinations(columns, 2)]
        assert point.share == np.mean(separated)
        assert point.part == pytest.approx(np.mean(columns))
    best = max(point.share for point in choice.curve)
    assert choice.k == next(point.k for point in choice.curve if point.share >= best - 0.05)
    assert choice.count == 6
    assert choice.reached


def test_identical_systems_are_never_separated():
    judgments, rankings = systems()
    ranking = rankings["noise 1"]
    choice = rg.choose_k(judgments, {"a": ranking, "b": ranking}, k=[1, 5])
    assert (choice.k, choice.reached, choice.curve[0].share) == (1, False, 0)
    assert "No cutoff separates any pair" in str(choice)


def test_documents_in_both_languages():
    choice = rg.choose_k(depths={1: 4, 2: 1, 100: 1})
    assert "views covered" in str(choice)
    assert "浏览覆盖率" in choice.document("zh").to_text()
    assert repr(choice) == f"<k = {choice.k}, from depths>"
    judgments, rankings = systems()
    text = rg.choose_k(judgments, rankings, k=[5]).document("zh").to_text()
    assert "能区分的系统对" in text
    assert "nDCG@k 均值" in text


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
        ({"clicks": []}, "clicks is empty"),
        ({"depths": [1], "cover": 0}, "cover must be"),
        ({"judgments": {"q": {"a": 1}}, "rankings": {"s": {"q": ["a"]}}}, "at least two systems"),
        ({"judgments": {"q": {"a": 1}}, "rankings": {"s": {"q": ["a"]}}, "alpha": 2}, "alpha must be"),
        (
            {"judgments": {"q": {"a": 1}}, "rankings": {"s": {"q": ["a"]}}, "k": []},
            "k must be a text such as 1:20, or a list",
        ),
    ],
)
def test_error_messages(given, words):
    with pytest.raises(rg.RankgaugeError, match=words):
        rg.choose_k(**given)


@settings(deadline=None, max_examples=40, derandomize=True)
@given(st.lists(st.integers(1, 40), min_size=1, max_size=30), st.floats(0.01, 0.99))
def test_the_choice_is_the_smallest_k_that_covers_the_share(depths, cover):
    choice = rg.choose_k(depths=depths, cover=cover)

    def covered(k):
        return sum(min(depth, k) for depth in depths) / sum(depths)

    assert covered(choice.k) >= cover - 1e-12
    assert choice.k == 1 or covered(choice.k - 1) < cover + 1e-12
    assert choice.curve[-1].share == pytest.approx(1)
