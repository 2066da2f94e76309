"""AUC in its flavours: against other tools' values, by hand, and under every rule that moves it.

The values of the tools were written down by ``parity/auc_values.py``.
"""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from command_line import here

DATA = Path(__file__).parent / "data" / "auc"
WORLDS = json.loads((DATA / "worlds.json").read_text(encoding="utf-8"))


def stored(tool, name):
    """The worlds that a tool was asked about, and what it said."""
    values = json.loads((DATA / f"{tool}.json").read_text(encoding="utf-8"))["values"]
    found = [(world, said[name]) for world, said in zip(WORLDS, values, strict=True) if name in said]
    assert len(found) >= 8
    return found


def as_dicts(world, longest=None):
    """Judgments and scores by user, of the relevant items and the best-scored ones only where a length is given."""
    judgments, ranking = {}, {}
    for user, one in enumerate(world["users"]):
        best = sorted(enumerate(one["scores"]), key=lambda pair: -pair[1])
        ranking[user] = dict(best[:longest])
        judgments[user] = {
            item: label
            for item, label in enumerate(one["labels"])
            if label or (longest is None and item in ranking[user])
        }
    return judgments, ranking


def per_user(world, metric, longest=None, **rules):
    scores = rg.evaluate(*as_dicts(world, longest), metric, convention=rg.Convention(**rules))
    return [*scores.per_query(metric).values()]


SKLEARN = [
    ("roc_auc_score", "AUC"),
    ("max_fpr=0.1", "PAUC(max_fpr=0.1)"),
    ("max_fpr=0.3", "PAUC(max_fpr=0.3)"),
    ("max_fpr=0.5", "PAUC(max_fpr=0.5)"),
]


@pytest.mark.parametrize("ties", ["id", "mean", "together"])
@pytest.mark.parametrize(("theirs", "metric"), SKLEARN)
def test_values_equal_those_of_sklearn(theirs, metric, ties):
    for world, expected in stored("sklearn", theirs):
        assert per_user(world, metric, ties=ties) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("ties", ["id", "mean"])
def test_pooled_values_equal_those_of_sklearn(ties):
    for world, expected in stored("sklearn", "pooled"):
        scores = rg.evaluate(*as_dicts(world), "PooledAUC", convention=rg.Convention(ties=ties))
        assert scores.mean("PooledAUC") == pytest.approx(expected, abs=1e-12)


def test_values_equal_those_of_the_installed_sklearn():
    """Larger lists, ties and all, and the weights of the bootstrap as weights of the rows."""
    metrics = pytest.importorskip("sklearn.metrics")
    random = np.random.default_rng(3)
    labels, scores = random.random((40, 60)) < 0.2, random.integers(0, 30, (40, 60)) / 30
    labels[:, 0], labels[:, 1] = True, False
    found = rg.evaluate(labels.astype(float), scores, ["AUC", "PAUC(max_fpr=0.2)", "PooledAUC"])
    for row in range(40):
        assert found["AUC"][row] == pytest.approx(metrics.roc_auc_score(labels[row], scores[row]))
        expected = metrics.roc_auc_score(labels[row], scores[row], max_fpr=0.2)
        assert found["PAUC(max_fpr=0.2)"][row] == pytest.approx(expected)
    assert found.mean("PooledAUC") == pytest.approx(metrics.roc_auc_score(labels.ravel(), scores.ravel()))
    times = random.integers(0, 4, 40).astype(float)
    expected = metrics.roc_auc_score(labels.ravel(), scores.ravel(), sample_weight=np.repeat(times, 60))
    assert found.corpus_value(rg.PooledAUC).with_counts(times) == pytest.approx(expected)


def test_cornac_counts_ties_as_lost():
    for world, expected in stored("cornac", "AUC()"):
        assert per_user(world, "AUC(tied='lost')") == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("theirs", "metric"),
    [*((name, metric) for name, metric in SKLEARN if "fpr" in name), ("top_k=3", "LAUC(others='left out')@3")],
)
def test_values_equal_those_of_torchmetrics(theirs, metric):
    for world, expected in stored("torchmetrics", theirs):
        assert per_user(world, metric) == pytest.approx(expected, abs=1e-6)


def test_values_equal_those_of_rectools():
    for world, expected in stored("rectools", "PartialAUC(k=3)"):
        assert per_user(world, "PAUC(negatives=3, scale='share')", longest=6) == pytest.approx(expected, abs=1e-12)


def test_values_equal_those_of_implicit():
    for world, expected in stored("implicit", "auc, K=3"):
        metric = rg.LAUC(items=len(world["users"][0]["labels"])) @ 3
        assert np.mean(per_user(world, metric, longest=3)) == pytest.approx(expected, abs=1e-9)


# One class, weights, ties: by hand

CLICKS = {"u": {"a": 1, "b": 0, "c": 0}, "v": {"a": 0, "b": 1}, "one": {"a": 1}, "none": {"a": 0, "b": 0}}
CHANCES = {
    "u": {"a": 0.9, "b": 0.5, "c": 0.5},
    "v": {"a": 0.6, "b": 0.6},
    "one": {"a": 0.2},
    "none": {"a": 0.3, "b": 0.1},
}


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("skip", (1 + 1 / 2) / 2),
        (0, (1 + 1 / 2 + 0 + 0) / 4),
        (0.5, (1 + 1 / 2 + 1 / 2 + 1 / 2) / 4),
        (1, (1 + 1 / 2 + 1 + 1) / 4),
        ("nan", math.nan),
    ],
)
def test_users_of_one_class(rule, expected):
    scores = rg.evaluate(CLICKS, CHANCES, "AUC", convention=rg.Convention(undefined=rule))

    assert scores.mean("AUC") == pytest.approx(expected, nan_ok=True)
    assert f"0/0={rule}" in scores.document().to_text()


def test_users_of_one_class_in_the_weighted_mean():
    """Left out, unless a value is given for this metric alone; each user weighs as many impressions as he has."""
    assert rg.evaluate(CLICKS, CHANCES, "GAUC").mean("GAUC") == pytest.approx((3 * 1 + 2 * 1 / 2) / (3 + 2))
    still = rg.evaluate(CLICKS, CHANCES, "GAUC", convention=rg.Convention(undefined=0))
    assert "GAUC: 2 queries left out (0/0)" in str(still)
    half = rg.Convention(per_metric={"GAUC": {"undefined": 0.5}})
    scores = rg.evaluate(CLICKS, CHANCES, "GAUC", convention=half)
    assert scores.mean("GAUC") == pytest.approx((3 * 1 + 2 * 1 / 2 + 1 * 1 / 2 + 2 * 1 / 2) / (3 + 2 + 1 + 2))
    assert "0/0=0.5" in str(scores)


@pytest.mark.parametrize(
    ("weight", "expected"),
    [
        ("positives", (1 * 1 + 2 * 1 / 2) / (1 + 2)),
        ("impressions", (4 * 1 + 3 * 1 / 2) / (4 + 3)),  # with what was returned unjudged
        ("samples", (2 * 1 + 3 * 1 / 2) / (2 + 3)),
        ("equal", (1 + 1 / 2) / 2),
    ],
)
def test_weights_of_users(weight, expected):
    judgments = {"u": {"a": 1, "b": 0}, "v": {"a": 1, "b": 1, "c": 0}}
    lists = {"u": ["a", "b", "x", "y"], "v": ["a", "c", "b"]}
    metric = rg.GAUC(weight=weight)

    scores = rg.evaluate(judgments, lists, metric)
    assert scores.mean(metric) == pytest.approx(expected)
    low, high = scores.interval(metric)
    assert low <= expected <= high


@pytest.mark.parametrize(("tied", "expected"), [("half", 1 / 2), ("lost", 0), ("won", 1), ("order", 1)])
def test_tied_pairs_are_a_rule_that_is_printed(tied, expected):
    rules = rg.Convention(tied_pairs=tied)
    for metric in ("AUC", "GAUC", "PAUC"):
        scores = rg.evaluate({"u": {"a": 0, "b": 1}}, {"u": {"a": 0.5, "b": 0.5}}, metric, convention=rules)
        assert scores.mean(metric) == expected
        assert f"tied pairs={tied}" in str(scores)
        assert f"并列的对={tied}" in scores.document("zh").to_text()
    assert rg.AUC(tied=tied).of([0, 1], scores=[0.5, 0.5], items=["a", "b"]) == expected


@pytest.mark.parametrize("metric", [rg.AUC, rg.GAUC])
@pytest.mark.parametrize("render", ["to_text", "to_html", "to_latex", "to_markdown"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_explanations_name_the_rule_for_tied_pairs(metric, render, lang):
    """The pair that is tied counts half, whatever ``ties`` says: (1/2 + 0) / 2."""
    steps = metric.explain([1, 0, 2], scores=[0.5, 0.5, 0.1])
    text = getattr(steps, render)(lang).replace("\\", "")
    assert steps.value == 1 / 4
    assert "tied_pairs=half" in text
    assert ("as half won" if lang == "en" else "计一半") in text
    assert ("tied pairs=half" if lang == "en" else "并列的对=half") in text
    assert "ties=id:" not in text


@pytest.mark.parametrize(
    ("rules", "decisive", "share"),
    [
        ({"tied_pairs": "lost"}, "tied_pairs=lost", "τ = 0"),
        ({"tied_pairs": "won"}, "tied_pairs=won", "τ = 1"),
        ({"ties": "mean"}, "tied_pairs=half", "τ = 1/2"),
        ({"tied_pairs": "order"}, "ties=id", "τ = 1/2"),
        ({"ties": "worst"}, "ties=worst", "τ = 1/2"),
    ],
)
def test_the_rule_that_decides_tied_pairs_is_named(rules, decisive, share):
    text = rg.AUC.explain([1, 0], scores=[0.5, 0.5], convention=rg.Convention(**rules)).to_text()
    assert f"{decisive}: " in text
    assert f"with tied pairs {share}\n" in text


def test_every_flavour_is_explained_in_both_languages():
    for metric in (rg.PAUC(max_fpr=0.5), rg.PAUC(negatives=2, scale="share"), rg.LAUC @ 2, rg.LAUC(others="left out")):
        steps = metric.explain([1, 0, 1, 0, None], scores=[5, 4, 4, 2, 1], relevant=3)
        assert sum(row.contribution for row in steps.steps.rows) + (steps.steps.rest or 0) == pytest.approx(
            steps.steps.total
        )
        assert str(metric) in steps.to_text()
        assert "物品" in steps.to_text("zh")


@pytest.mark.parametrize("wrong", [0, -0.1, 1.1, math.nan, True, "half"])
def test_max_fpr_is_above_0_and_at_most_1(wrong):
    with pytest.raises(rg.ParameterError, match="max_fpr must be a number above 0 and at most 1"):
        rg.PAUC(max_fpr=wrong)


# Pooled


def test_pooled_values_are_equal_for_every_input_form():
    expected = (1 * 5 + 1 * (4 + 1 / 2) + 1 * (1 + 0)) / (3 * 5)  # 0.9, then 0.6 with one tie, then 0.2 above 0.1
    rows = [(user, item, score) for user, items in CHANCES.items() for item, score in items.items()]
    frame = pl.DataFrame(rows, schema=["user", "item", "score"], orient="row")
    labels = [grade for items in CLICKS.values() for grade in items.values()]
    for ranking in (CHANCES, rows[::-1], frame, frame.reverse().to_arrow()):
        assert rg.evaluate(CLICKS, ranking, "PooledAUC").mean("PooledAUC") == pytest.approx(expected)
    flat = np.array(labels, dtype=float), np.array([score for _, _, score in rows])
    scores = rg.evaluate(*flat, ["AUC", "PooledAUC"], groups=[3, 2, 1, 2])
    assert scores.mean("PooledAUC") == pytest.approx(expected)
    with pytest.raises(rg.InputError, match="flat arrays have no item ids"):
        rg.evaluate(
            *flat, ["PooledAUC", "ItemCoverage"], groups=[3, 2, 1, 2], side_information=rg.SideInformation(items=9)
        )
    with pytest.raises(rg.ParameterError, match="corpus-level metric"):
        rg.explain(CLICKS, CHANCES, "PooledAUC", "u")


def test_pooled_has_an_interval_over_users():
    random = np.random.default_rng(1)
    labels, scores = (random.random((300, 20)) < 0.3).astype(float), random.random((300, 20))
    found = rg.evaluate(labels, scores + 0.2 * labels, "PooledAUC")
    low, high = found.interval("PooledAUC")
    assert low < found.mean("PooledAUC") < high
    assert 0.01 < high - low < 0.05
    assert math.isnan(rg.evaluate({"u": {"a": 1}}, {"u": ["a"]}, "PooledAUC").mean("PooledAUC"))


def test_single_precision_ties_pooled_scores():
    close = {"u": {"a": 1.0}, "v": {"a": 1.0 + 1e-9}}
    for precision, expected in (("float64", 0), ("float32", 0.5)):
        rules = rg.Convention(score_precision=precision)
        found = rg.evaluate({"u": {"a": 1}, "v": {"a": 0}}, close, "PooledAUC", convention=rules)
        assert found.mean("PooledAUC") == expected


# Users without relevant items


@pytest.mark.parametrize(
    ("rules", "hr", "words"),
    [
        ({}, 3 / 4, ["1 query has no relevant item (each metric follows its formula", "first none"]),
        ({"no_relevant": "skip"}, 3 / 3, ["1 query has no relevant item (excluded", "HR@1: 1 query left out"]),
    ],
)
def test_users_without_relevant_items_are_counted(rules, hr, words, tmp_path):
    convention = rg.Convention(**rules)
    scores = rg.evaluate(CLICKS, CHANCES, ["HR@1"], convention=convention)
    assert scores.mean("HR@1") == pytest.approx(hr)
    assert scores.without_relevant == ("none",)
    assert scores.to_dict()["without_relevant"] == ["none"]
    assert scores.only(["HR@1"]).system("").without_relevant == ("none",)
    for word in words:
        assert word in str(scores)
    assert "1 个查询没有相关物品" in scores.document("zh").to_text()

    (tmp_path / "judgments.csv").write_text(
        "user,item,rating\n" + "".join(f"{u},{i},{g}\n" for u, items in CLICKS.items() for i, g in items.items())
    )
    (tmp_path / "ranking.csv").write_text(
        "user,item,score\n" + "".join(f"{u},{i},{s}\n" for u, items in CHANCES.items() for i, s in items.items())
    )
    files = [str(tmp_path / "judgments.csv"), str(tmp_path / "ranking.csv")]
    chosen = [option for name, value in rules.items() for option in ("--rule", f"{name}={value}")]
    for lang, sentence in (("en", "1 user has no relevant item"), ("zh", "1 个用户没有相关物品")):
        result = here("eval", *files, "-m", "HR@1", "--lang", lang, *chosen)
        assert result.code == 0
        assert sentence in result.out


def test_users_without_relevant_items_are_counted_without_a_ranking():
    scores = rg.evaluate({"u": {"a": 1}, "v": {"a": 0}}, {"u": ["a"]}, "HR@1")

    assert (scores.missing, scores.without_relevant) == (("v",), ("v",))


def test_pooled_AUC_of_users_without_items_compares_unreturned_items():
    """The relevant and the other item tie at the end: half a pair of one."""
    assert rg.evaluate({"u": {"a": 1, "b": 0}}, {"u": {}}, ["PooledAUC"]).mean("PooledAUC") == 0.5


def test_partial_area_ignores_relevant_items_beyond_max_fpr():
    """With max_fpr=0.3 the axis ends within the first of two other items, all above the relevant one."""
    area = rg.metrics()["PAUC"](max_fpr=0.3, scale="none", tied="won")
    assert area.of([0, 0, 1]) == 0.0


def test_a_non_relevant_item_is_not_below_itself():
    """Every non-relevant row counted itself."""
    for scores in (None, [5, 4, 3, 2, 1]):
        rows = rg.AUC(rel=4).explain([5, 2, 4, 1, 3], scores=scores).steps.rows
        assert [row.factors[1] for row in rows] == [3, 2, 2, 1, 0]


def test_a_list_of_relevant_items_is_undefined_and_a_threshold_is_suggested():
    text = str(rg.AUC.explain([5, 2, 4, 1, 3]))
    assert text.startswith("AUC is undefined (0/0)")
    assert "--rule rel=5" in text
    assert "add items that are not" in str(rg.AUC.explain([1, 1]))
    assert str(rg.AUC.explain([1, 0])).startswith("AUC = 1.000000")
