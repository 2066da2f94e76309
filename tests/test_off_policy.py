"""Off-policy estimates: hand-worked, unbiased over all possible logs, and against Open Bandit Pipeline."""

import csv
import gzip
import json
import os
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankgauge as rg

HERE = Path(__file__).parent / "data" / "off_policy"
DATA = os.environ.get("RANKGAUGE_DATA")
ITEMS = 5
value, dcg, clicked_dcg = rg.off_policy.value, rg.off_policy.dcg, rg.off_policy.clicked_dcg


def small_log():
    rows = pl.read_csv(HERE / "log.csv")
    target, predicted = (
        rows.select(f"{name} {item}" for item in range(ITEMS)).to_numpy() for name in ("target", "predicted")
    )
    item, place = rows["item"].to_numpy(), np.arange(rows.height)
    return {
        "reward": rows["click"].to_numpy(),
        "propensity": rows["propensity"].to_numpy(),
        "target": target[place, item],
    }, {"predicted": predicted[place, item], "predicted_value": (target * predicted).sum(axis=1)}


@pytest.mark.parametrize("name", ["IPS", "IPS clipped", "SNIPS", "DR", "DR clipped"])
def test_values_equal_those_of_open_bandit_pipeline(name):
    expected = json.loads((HERE / "expected.json").read_text())
    log, model = small_log()
    estimator, *clip = name.split()
    estimate = value(**log, estimator=estimator, clip=3.0 if clip else None, **(model if estimator == "DR" else {}))
    assert estimate.value == pytest.approx(expected[name], rel=1e-12)
    assert (estimate.clipped > 0) == bool(clip)


@pytest.mark.skipif(not DATA, reason="RANKGAUGE_DATA is not set")
def test_values_of_real_logs_equal_those_of_open_bandit_pipeline():
    with gzip.open(Path(DATA) / "clicks/obd/random-men.csv.gz", "rt", encoding="utf-8") as file:
        rows = [*csv.DictReader(file)]
    click, item, position = (np.array([int(row[name]) for row in rows]) for name in ("click", "item_id", "position"))
    propensity = np.array([float(row["propensity_score"]) for row in rows])
    items = int(item.max()) + 1
    wanted = np.ones(items)
    wanted[[8, 9]] = 2
    wanted /= wanted.sum()
    rate = np.bincount(item, click, items) / np.bincount(item, minlength=items)
    expected = json.loads((HERE / "open_bandit.json").read_text())
    model = {"predicted": rate[item], "predicted_value": np.full(len(rows), wanted @ rate)}
    for name in ("IPS", "SNIPS", "DR"):
        estimate = value(click, propensity, wanted[item], estimator=name, **(model if name == "DR" else {}))
        assert estimate.value == pytest.approx(expected[name], rel=1e-12)
        assert estimate.interval.low < click.mean() < estimate.interval.high
    assert estimate.rows == 10_000
    assert 8_000 < estimate.effective < 10_000
    assert estimate.mean_weight == pytest.approx(1, abs=0.02)
    # For the logging policy itself the value is the click-through rate, and DCG sums it over positions.
    same = dcg(click, propensity, propensity, position, estimator="IPS")
    assert same.value == pytest.approx(sum(click[position == k].mean() / np.log2(k + 1) for k in (1, 2, 3)))


def test_values_are_the_hand_worked_ones():
    reward, propensity, target = [1, 0, 1, 0], [0.5, 0.5, 0.25, 0.25], [0.5, 0, 0.5, 1]
    # weights 1, 0, 2, 4
    assert value(reward, propensity, target, estimator="IPS").value == (1 * 1 + 2 * 1) / 4
    estimate = value(reward, propensity, target)
    assert estimate.value == (1 + 2) / (1 + 0 + 2 + 4)
    assert estimate.effective == (1 + 0 + 2 + 4) ** 2 / (1 + 0 + 4 + 16)
    assert (estimate.clipped, estimate.largest, estimate.mean_weight, estimate.logged) == (0, 4, 7 / 4, 0.5)
    clipped = value(reward, propensity, target, clip=2)
    assert (clipped.value, clipped.clipped, clipped.largest) == ((1 + 2) / (1 + 2 + 2), 1 / 4, 2)
    assert "biases" in str(clipped)
    robust = value(reward, propensity, target, estimator="DR", predicted=[0.5] * 4, predicted_value=[0.4] * 4)
    # 0.4 + mean of 1 * 0.5, 0, 2 * 0.5, 4 * -0.5
    assert robust.value == pytest.approx(0.4 + (0.5 + 1 - 2) / 4)


def test_the_t_interval_of_ips_is_that_of_a_mean():
    from scipy import stats

    log, _ = small_log()
    summands = log["reward"] * log["target"] / log["propensity"]
    estimate = value(**log, estimator="IPS", alpha=0.1)
    expected = stats.t.interval(0.9, len(summands) - 1, summands.mean(), stats.sem(summands))
    assert estimate.interval == pytest.approx(expected)


def test_bootstrap_intervals_are_close_and_depend_only_on_the_seed():
    log, _ = small_log()
    by_t = value(**log)
    first, second = (value(**log, interval="bootstrap", seed=3) for _ in range(2))
    assert first.interval == second.interval != value(**log, interval="bootstrap", seed=4).interval
    for near, other in zip(by_t.interval, first.interval, strict=True):
        assert abs(near - other) < 0.5 * by_t.standard_error


@pytest.mark.parametrize("estimator", ["IPS", "DR"])
def test_estimates_are_unbiased_over_all_possible_logs(estimator):
    """Every log of two rounds with three items each, with its probability; any predictions will do."""
    logging, target = np.array([0.2, 0.3, 0.5]), np.array([0.6, 0.4, 0.0])
    worth, predicted = np.array([0.9, 0.1, 0.5]), np.array([0.3, 0.8, 0.1])
    truth, mean = target @ worth, 0.0
    for items in product(range(3), repeat=2):
        for clicks in product((0, 1), repeat=2):
            chance = np.prod(logging[[*items]]) * np.prod(
                [worth[item] if click else 1 - worth[item] for item, click in zip(items, clicks, strict=True)]
            )
            shown = [*items]
            model = (
                {"predicted": predicted[shown], "predicted_value": [target @ predicted] * 2}
                if estimator == "DR"
                else {}
            )
            mean += chance * value(clicks, logging[shown], target[shown], estimator=estimator, **model).value
    assert mean == pytest.approx(truth)


def test_intervals_cover_the_truth_in_simulation():
    random = np.random.default_rng(2)
    logging, target, worth = np.array([0.5, 0.3, 0.2]), np.array([0.1, 0.2, 0.7]), np.array([0.1, 0.3, 0.5])
    covered = {"IPS": 0, "SNIPS": 0}
    for _ in range(400):
        item = random.choice(3, 300, p=logging)
        click = (random.random(300) < worth[item]).astype(int)
        for name in covered:
            low, high = value(click, logging[item], target[item], estimator=name).interval
            covered[name] += low < target @ worth < high
    assert all(0.92 <= count / 400 <= 0.98 for count in covered.values()), covered


def test_dcg_by_position():
    # Position 1: weights 2, 0 and rewards 1, 1; position 2: weights 1, 1 and rewards 0, 1.
    given = [1, 1, 0, 1], [0.5, 0.5, 0.5, 0.5], [1, 0, 0.5, 0.5], [1, 1, 2, 2]
    assert dcg(*given, estimator="IPS").value == pytest.approx(2 / 2 + 1 / 2 / np.log2(3))
    assert dcg(*given).value == pytest.approx(2 / 2 + 1 / 2 / np.log2(3))
    assert dcg(*given, k=1).value == 1
    flat = dcg(*given, estimator="IPS", convention=rg.Convention(discount="none"))
    assert flat.value == pytest.approx(1.5)
    assert dcg(*given, interval="bootstrap", resamples=50).interval.low >= 0


def clicks_log():
    return pl.DataFrame(
        {"query": [1, 1, 1, 2, 2], "item": [*"abcab"], "position": [1, 2, 3, 1, 2], "click": [1, 0, 1, 0, 1]}
    )


def test_clicks_corrected_for_position_by_hand():
    seen = {1: 1.0, 2: 0.5, 3: 0.25}
    estimate = clicked_dcg(clicks_log(), {1: ["c", "a", "b"], 2: ["a", "b"]}, seen)
    # query 1: c (1 / 0.25) first, a (1 / 1) second; query 2: b (1 / 0.5) second
    assert estimate.value == pytest.approx((4 + 1 / np.log2(3) + 2 / np.log2(3)) / 2)
    assert estimate.effective == pytest.approx((4 + 1 + 2) ** 2 / (16 + 1 + 4))
    assert estimate.mean_weight is None
    assert "mean weight" not in str(estimate)
    assert clicked_dcg(clicks_log(), {1: ["c", "a"], 2: ["a", "b"]}, seen, k=1).value == 2
    clipped = clicked_dcg(clicks_log(), {1: ["c", "a"], 2: ["a", "b"]}, seen, k=1, clip=3)
    assert (clipped.value, clipped.clipped) == (1.5, pytest.approx(1 / 3))
    pandas = clicked_dcg(clicks_log().to_pandas(), {1: ["c", "a", "b"], 2: ["a", "b"]}, lambda rank: 2.0 ** (1 - rank))
    assert pandas.value == estimate.value


def test_clicks_are_unbiased_over_all_examinations():
    relevant, seen = {"a": 1, "b": 0, "c": 1}, {1: 0.9, 2: 0.5, 3: 0.2}
    new = {1: ["c", "b", "a"]}
    truth = rg.evaluate({1: relevant}, new, "DCG").mean("DCG")
    mean = 0.0
    for looked in product((0, 1), repeat=3):
        chance = np.prod([seen[k] if look else 1 - seen[k] for k, look in enumerate(looked, 1)])
        click = [look * relevant[item] for look, item in zip(looked, "abc", strict=True)]
        log = pl.DataFrame({"query": [1] * 3, "item": [*"abc"], "position": [1, 2, 3], "click": click})
        mean += chance * clicked_dcg(log, new, seen).value
    assert mean == pytest.approx(truth)


def test_documents_in_both_languages():
    log, _ = small_log()
    estimate = value(**log)
    assert "effective sample size" in str(estimate)
    assert "有效样本量" in estimate.document("zh").to_text()
    assert repr(estimate).startswith("<SNIPS = 0.297897 [")
    assert "<table>" in estimate._repr_html_()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: value([1], [0], [1]), "propensity 0 .row 0. is not a probability above 0"),
        (lambda: value([1], [0.5], [2]), "target 2 .row 0. is not a probability from 0 to 1"),
        (lambda: value([1, 0], [0.5], [1]), "one number for each reward \\(2\\)"),
        (lambda: value([], [], []), "reward must be one or more numbers"),
        (lambda: value(["x"], [1], [1]), "a list of numbers"),
        (lambda: value([float("nan")], [1], [1]), "reward is nan"),
        (lambda: value([1], [1], [0]), "all weights are 0"),
        (lambda: value([1], [1], [1], estimator="DR"), "both needed for DR"),
        (lambda: value([1], [1], [1], predicted=[1], predicted_value=[1]), "for DR only"),
        (lambda: value([1], [1], [1], estimator="best"), "estimator must be"),
        (lambda: value([1], [1], [1], interval="z"), "interval must be"),
        (lambda: value([1], [1], [1], alpha=1), "alpha must be"),
        (lambda: value([1], [1], [1], clip=0), "clip must be"),
        (lambda: value([1], [1], [1], clip="a"), "clip must be"),
        (lambda: dcg([1], [1], [1], [0]), "position must be"),
        (lambda: dcg([1], [1], [1], [2]), "position 1 does not occur in the log"),
        (lambda: dcg([1], [1], [1], [1], k=0), "k must be"),
        (lambda: clicked_dcg(clicks_log(), {1: ["a"]}, {1: 1.0}), "position 2 is in the log"),
        (lambda: clicked_dcg(clicks_log(), {1: ["a"]}, lambda _: 0), "examination of position 1"),
        (lambda: clicked_dcg(clicks_log().drop("position"), {1: ["a"]}, {}), "expected columns of position and click"),
        (lambda: clicked_dcg(clicks_log().with_columns(click=2), {1: ["a"]}, {}), "neither 0 nor 1"),
        (lambda: clicked_dcg(clicks_log().with_columns(position=0), {1: ["a"]}, {}), "at least 1"),
        (lambda: clicked_dcg(pd.DataFrame({"a": [1]}), {1: ["a"]}, {}), "RG111"),
    ],
)
def test_error_messages(call, words):
    with pytest.raises(rg.RankgaugeError, match=words):
        call()


ROUNDS = st.lists(
    st.tuples(st.floats(0, 1), st.floats(0.05, 1), st.floats(0, 1)).filter(lambda row: row[2] > 0.01),
    min_size=2,
    max_size=30,
)


@settings(deadline=None, max_examples=40, derandomize=True)
@given(ROUNDS)
def test_snips_lies_within_the_rewards_and_ignores_a_factor(rounds):
    reward, propensity, target = map(np.array, zip(*rounds, strict=True))
    estimate = value(reward, propensity, target)
    assert reward.min() - 1e-9 <= estimate.value <= reward.max() + 1e-9
    assert estimate.value == pytest.approx(value(reward, propensity, target / 2).value)
    assert 1 - 1e-9 <= estimate.effective <= len(rounds) + 1e-9


@settings(deadline=None, max_examples=40, derandomize=True)
@given(ROUNDS, st.floats(-2, 2))
def test_dr_without_predictions_is_ips(rounds, shift):
    reward, propensity, target = map(np.array, zip(*rounds, strict=True))
    zeros = np.zeros(len(rounds))
    robust = value(reward, propensity, target, estimator="DR", predicted=zeros, predicted_value=zeros)
    assert robust.value == value(reward, propensity, target, estimator="IPS").value
    exact = value(reward, propensity, target, estimator="DR", predicted=reward, predicted_value=zeros + shift)
    assert exact.value == pytest.approx(shift)
    assert exact.standard_error == pytest.approx(0, abs=1e-9)
