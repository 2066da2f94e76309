"""Correction for sampled candidates: exact expectations over all samples of tiny catalogues, and the finding."""

import os
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankgauge as rg

ESTIMATORS = ("uncorrected", "rank", "least-squares", "constrained", "bias-variance")
METRICS = ("HR@2", "RR", "nDCG@3", "AUC", "P@2")
DATA = os.environ.get("RANKGAUGE_DATA")


def sampled_ranks(rank, catalogue, sampled, replacement):
    """Rank among every possible sample of the items at the other ranks."""
    others = [other for other in range(1, catalogue + 1) if other != rank]
    samples = product(others, repeat=sampled) if replacement else combinations(others, sampled)
    return [1 + sum(other < rank for other in sample) for sample in samples]


@pytest.mark.parametrize("replacement", [False, True])
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize(("catalogue", "sampled"), [(6, 3), (5, 1), (7, 2)])
def test_bias_and_variance_are_those_over_all_samples(estimator, metric, catalogue, sampled, replacement):
    found = rg.correct_sampled(
        [1], metric, sampled=sampled, catalogue=catalogue, estimator=estimator, replacement=replacement
    )
    for rank in range(1, catalogue + 1):
        truth = rg.parse(metric).of([0] * (rank - 1) + [1] + [0] * (catalogue - rank))
        every = [found.values[drawn - 1] for drawn in sampled_ranks(rank, catalogue, sampled, replacement)]
        assert found.truth[rank - 1] == pytest.approx(truth, abs=1e-12)
        assert found.expected[rank - 1] == pytest.approx(np.mean(every), abs=1e-9)
        assert found.bias[rank - 1] == pytest.approx(np.mean(every) - truth, abs=1e-9)
        assert found.variance[rank - 1] == pytest.approx(np.var(every), abs=1e-9)


@pytest.mark.parametrize("rank", range(1, 7))
def test_the_estimate_of_the_rank_is_unbiased(rank):
    every = [1 + (6 - 1) * (drawn - 1) / 2 for drawn in sampled_ranks(rank, 6, 2, replacement=False)]
    assert np.mean(every) == pytest.approx(rank)


def test_auc_needs_no_correction():
    # AUC is linear in the rank, and so is the expected sampled rank.
    assert np.abs(rg.correct_sampled([1], "AUC", sampled=7, catalogue=40, estimator="uncorrected").bias).max() < 1e-12


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("estimator", ["uncorrected", "rank", "least-squares", "constrained"])
def test_sampling_the_full_catalogue_needs_no_correction(metric, estimator):
    found = rg.correct_sampled([2, 5], metric, sampled=7, catalogue=8, estimator=estimator)
    assert np.abs(found.bias).max() < 1e-6
    assert found.variance.max() < 1e-9


def test_least_squares_is_unbiased_where_that_is_possible():
    # With m sampled items, a polynomial of degree m in the rank can be estimated without bias: 1 item, AUC.
    found = rg.correct_sampled([1, 2], "AUC", sampled=1, catalogue=9, estimator="least-squares")
    assert np.abs(found.bias).max() < 1e-12


def test_hand_worked_bias_variance():
    # Catalogue of 2, one item drawn: the sampled rank is the rank, A is the identity, c = 1/2 each.
    # ((1 - g)/2 + g/2) f(1) = 1/2 for HR@1 at rank 1, 0 at rank 2: f = (1, 0) for every gamma.
    for gamma in (0.0, 0.3, 0.9):
        found = rg.correct_sampled([1, 2, 2, 2], "HR@1", sampled=1, catalogue=2, gamma=gamma)
        assert found.values.tolist() == pytest.approx([1.0, 0.0])
        assert found.value == pytest.approx(0.25)
        assert found.standard_error == pytest.approx(0.25)  # sd of 1, 0, 0, 0 is 0.5; over the root of 4


@settings(deadline=None, max_examples=40, derandomize=True)
@given(st.integers(3, 12), st.data())
def test_the_estimator_minimises_the_mean_squared_error(catalogue, data):
    sampled = data.draw(st.integers(1, catalogue - 1))
    gamma = data.draw(st.sampled_from([0.01, 0.1, 0.5]))
    found = rg.correct_sampled([1], "RR", sampled=sampled, catalogue=catalogue, gamma=gamma)
    chances = np.array(
        [
            np.bincount(sampled_ranks(rank, catalogue, sampled, False), minlength=sampled + 2)[1:]
            for rank in range(1, catalogue + 1)
        ],
        dtype=float,
    )
    chances /= chances.sum(axis=1, keepdims=True)

    def loss(values):
        mean = chances @ values
        return ((mean - found.truth) ** 2 + gamma * (chances @ values**2 - mean**2)).mean()

    best = loss(found.values)
    for place in range(sampled + 1):
        for step in (-1e-3, 1e-3):
            moved = found.values.copy()
            moved[place] += step
            assert loss(moved) >= best - 1e-12


def test_constrained_values_decrease_and_stay_in_range():
    values = rg.correct_sampled([1], "RR", sampled=20, catalogue=300, estimator="constrained").values
    assert (np.diff(values) <= 1e-9).all()
    assert 1 / 300 - 1e-9 <= values.min() <= values.max() <= 1 + 1e-9


def test_less_bias_costs_more_variance():
    estimates = [
        rg.correct_sampled([1], "HR@10", sampled=50, catalogue=1000, gamma=gamma) for gamma in (0.001, 0.1, 0.9)
    ]
    bias = [float((estimate.bias**2).mean()) for estimate in estimates]
    spread = [float(estimate.variance.mean()) for estimate in estimates]
    assert bias == sorted(bias)
    assert spread == sorted(spread, reverse=True)


def test_a_large_catalogue_is_processed_in_blocks(monkeypatch):
    given = {"sampled": 20, "catalogue": 500}
    whole = rg.correct_sampled([1, 2, 20], "HR@10", **given)
    monkeypatch.setattr("rankgauge.estimation.sampled_correction.RANKS_AT_A_TIME", 64)
    parts = rg.correct_sampled([1, 2, 20], "HR@10", **given, prior=np.full(500, 3.0))
    assert parts.values == pytest.approx(whole.values)
    assert parts.expected == pytest.approx(whole.expected)
    assert 0 < whole.value < whole.uncorrected


def test_documents_in_both_languages():
    found = rg.correct_sampled([1, 3, 9], "HR@10", sampled=9, catalogue=50)
    assert "Uncorrected: 1.000000." in str(found)
    assert "偏差平方加 0.1 倍方差" in found.document("zh").to_text()
    assert "<table>" in found._repr_html_()
    assert repr(found).startswith("<HR@10 = ")


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"ranks": [0]}, "ranks: 0 at index 0 is not between 1 and 10"),
        ({"ranks": [11]}, "not between 1 and 10"),
        ({"ranks": []}, "a list of integers"),
        ({"ranks": [1.5]}, "a list of integers"),
        ({"sampled": 0}, "sampled must be"),
        ({"sampled": 60}, "cannot draw sampled=60 items without replacement"),
        ({"catalogue": 1}, "catalogue must be"),
        ({"estimator": "best"}, "estimator must be"),
        ({"gamma": 1}, "gamma must be"),
        ({"gamma": "small"}, "gamma must be"),
        ({"prior": ["a"] * 50}, "50 weights"),
        ({"prior": [1, 2]}, "50 weights"),
        ({"prior": [0] * 50}, "50 weights"),
    ],
)
def test_wrong_parameters_are_refused(changed, words):
    given = {"ranks": [1], "metric": "RR", "sampled": 9, "catalogue": 50} | changed
    with pytest.raises(rg.ParameterError, match=words):
        rg.correct_sampled(given.pop("ranks"), given.pop("metric"), **given)


def lists(queries, items, relevant=1):
    judgments = {q: {f"d{(q + n) % items}": 1 for n in range(relevant)} for q in range(queries)}
    return judgments, {q: [f"d{n}" for n in range(items)] for q in range(queries)}


@pytest.mark.parametrize(
    ("queries", "items", "relevant", "reported"),
    [
        (10, 100, 1, True),
        (12, 101, 1, True),
        (9, 100, 1, False),
        (10, 100, 2, False),
        (10, 5, 1, False),
        (10, 2000, 1, False),
    ],
)
def test_sampled_candidates_are_reported(queries, items, relevant, reported):
    found = rg.evaluate(*lists(queries, items, relevant), "HR@10").findings
    assert [finding.count for finding in found if finding.code == "RG407"] == [queries] * reported


def test_truncated_lists_are_not_reported_as_samples():
    judgments, ranking = lists(20, 100)
    judgments[3] = {"somewhere below": 1}
    codes = {finding.code for finding in rg.evaluate(judgments, ranking, "HR@10").findings}
    assert "RG407" not in codes
    ranking[4] = ranking[4][:89]
    assert "RG407" not in {finding.code for finding in rg.evaluate(*lists(20, 100)[:1], ranking, "HR@10").findings}


@pytest.mark.skipif(not DATA, reason="RANKGAUGE_DATA is not set")
def test_the_sampled_test_of_neural_collaborative_filtering():
    """6,040 users with 99 sampled films each, ranked by how often a film is held out for others."""
    lines = (Path(DATA) / "recsys/ncf_ml-1m/ml-1m.test.negative").read_text().splitlines()
    rows = [line.split("\t") for line in lines]
    held_out = np.array([int(row[0].strip("()").split(",")[1]) for row in rows])
    negatives = np.array([[int(item) for item in row[1:]] for row in rows])
    catalogue = int(max(held_out.max(), negatives.max())) + 1
    assert (len(rows), negatives.shape[1], catalogue) == (6040, 99, 3706)
    popular = np.bincount(held_out, minlength=catalogue) + np.random.default_rng(0).random(catalogue) / 2
    own = popular[held_out][:, None]
    judgments = {user: {int(item): 1} for user, item in enumerate(held_out)}
    ranking = {
        user: {int(item): float(popular[item]) for item in (*row, held_out[user])} for user, row in enumerate(negatives)
    }
    scores = rg.evaluate(judgments, ranking, ["HR@10", "FirstRank"])
    assert [finding.count for finding in scores.findings if finding.code == "RG407"] == [6040]
    ranks = 1 + (popular[negatives] > own).sum(axis=1)
    assert scores.mean("HR@10") == pytest.approx((ranks <= 10).mean())
    # A model of ranks: the place of the film among all 3,706, and a new sample of 99 of the others.
    assert rg.correct_sampled(
        scores["FirstRank"], "HR@10", sampled=99, catalogue=catalogue, estimator="uncorrected"
    ).value == pytest.approx(scores.mean("HR@10"))
    full = 1 + (popular[None, :] > own).sum(axis=1)
    drawn = 1 + np.random.default_rng(1).hypergeometric(full - 1, catalogue - full, 99)
    truth = (full <= 10).mean()
    found = {
        name: rg.correct_sampled(drawn, "HR@10", sampled=99, catalogue=catalogue, estimator=name, gamma=0.01).value
        for name in ("uncorrected", "rank", "bias-variance", "constrained")
    }
    assert found["uncorrected"] > 5 * truth
    for name in ("rank", "bias-variance", "constrained"):
        assert abs(found[name] - truth) < abs(found["uncorrected"] - truth) / 3, (name, found, truth)
